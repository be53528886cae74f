// The window that the command line opens.
#include <gmock/gmock.h>

#include "app/cli/commands/command_line.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;

// Without a subcommand the window is asked for; these tests hand one in.
struct Window {
  std::vector<WindowOptions> opened;
  int run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "headlight");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    return run_command_line(static_cast<int>(pointers.size()), pointers.data(), [this](const WindowOptions& options) {
      opened.push_back(options);
      return 7;
    });
  }
};

TEST(OpenWindow, NoArgumentsOpenTheWindow) {
  Window window;
  EXPECT_EQ(window.run({}), 7);
  ASSERT_EQ(window.opened.size(), 1U);
  EXPECT_EQ(window.opened[0].open, "");
}

TEST(OpenWindow, APathOpensTheWindowWithIt) {
  const testing::TemporaryFolder folder;
  Window window;
  EXPECT_EQ(window.run({folder.path().string(), "--safe-mode"}), 7);
  ASSERT_EQ(window.opened.size(), 1U);
  EXPECT_EQ(window.opened[0].open, folder.path().string());
  EXPECT_TRUE(window.opened[0].is_safe_mode);
}

TEST(OpenWindow, ATextFileIsTheSentence) {
  const testing::TemporaryFolder folder;
  folder.file("sentence.txt",
              "\xef\xbb\xbf"
              "one\ntwo\r\n");
  Window window;
  EXPECT_EQ(window.run({"gui", "--text-file", (folder.path() / "sentence.txt").string()}), 7);
  ASSERT_EQ(window.opened.size(), 1U);
  EXPECT_EQ(window.opened[0].text, "one\ntwo") << "lines stay; the end of the last one is not part of the sentence";
  folder.file("binary", std::string("a\0b", 3));
  EXPECT_NE(window.run({"gui", "--text-file", (folder.path() / "binary").string()}), 7);
  EXPECT_NE(window.run({"gui", "--text-file", (folder.path() / "missing.txt").string()}), 7);
  EXPECT_EQ(window.opened.size(), 1U);
}

TEST(OpenWindow, OptionsReachTheWindow) {
  Window window;
  EXPECT_EQ(
      window.run({"gui", "--size", "1280x800", "--ui-scale", "1.5", "--script", "tour.txt", "--threads", "3", "--guesses", "class.csv"}),
      7);
  ASSERT_EQ(window.opened.size(), 1U);
  EXPECT_EQ(window.opened[0].width, 1280);
  EXPECT_EQ(window.opened[0].height, 800);
  EXPECT_EQ(window.opened[0].scale, 1.5F);
  EXPECT_EQ(window.opened[0].script, "tour.txt");
  EXPECT_EQ(window.opened[0].threads, 3);
  EXPECT_EQ(window.opened[0].guesses, "class.csv");
}

TEST(OpenWindow, ABuildWithoutAWindowSaysSo) {
  std::string name = "headlight";
  char* argument = name.data();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_command_line(1, &argument, {}), 1);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("no window"));
}

}  // namespace
}  // namespace headlight

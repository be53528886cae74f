// Which files are reported when another program writes them.
#include "app/session/file_watch.h"

#include <gmock/gmock.h>

#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FileWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = folder_.file("weights.bin", "one");
    watch_.watch({file_});
    watch_.look_now();
  }
  void look(int times) {
    for (int i = 0; i < times; ++i) watch_.look_now();
  }
  testing::TemporaryFolder folder_;
  fs::path file_;
  int notices_ = 0;
  FileWatch watch_{[this] { ++notices_; }, std::chrono::milliseconds(0)};
};

TEST_F(FileWatchTest, WhatStaysAsItIsIsNotToldOf) {
  look(3);
  EXPECT_THAT(watch_.take_changed(), IsEmpty());
  EXPECT_EQ(notices_, 0);
}

TEST_F(FileWatchTest, AChangeIsToldOnceWhenTheFileHasComeToRest) {
  folder_.file("weights.bin", "two and more");
  look(1);
  EXPECT_THAT(watch_.take_changed(), IsEmpty()) << "it may still be being written";
  look(1);
  EXPECT_THAT(watch_.take_changed(), ElementsAre(file_));
  EXPECT_EQ(notices_, 1);
  look(3);
  EXPECT_THAT(watch_.take_changed(), IsEmpty());
}

TEST_F(FileWatchTest, AnotherTimeAloneIsAChange) {
  fs::last_write_time(file_, fs::last_write_time(file_) + std::chrono::seconds(5));
  look(2);
  EXPECT_THAT(watch_.take_changed(), ElementsAre(file_));
}

TEST_F(FileWatchTest, AFileThatIsGoneIsToldOfWhenItIsBackAndDifferent) {
  fs::remove(file_);
  look(3);
  EXPECT_THAT(watch_.take_changed(), IsEmpty());
  folder_.file("weights.bin", "another");
  look(2);
  EXPECT_THAT(watch_.take_changed(), ElementsAre(file_));
}

TEST_F(FileWatchTest, WhatTheProgramWroteItselfIsNoChange) {
  folder_.file("weights.bin", "two and more");
  watch_.accept(file_);
  look(3);
  EXPECT_THAT(watch_.take_changed(), IsEmpty());
  folder_.file("weights.bin", "and this is another program");
  look(2);
  EXPECT_THAT(watch_.take_changed(), ElementsAre(file_));
}

TEST_F(FileWatchTest, FilesThatAreNoLongerShownAreForgotten) {
  watch_.watch({});
  folder_.file("weights.bin", "two and more");
  look(3);
  EXPECT_THAT(watch_.take_changed(), IsEmpty());
}

TEST(FilesOfAModel, AreThoseOfItsFolder) {
  const fs::path folder = fs::path(HEADLIGHT_TESTS_DIR) / "reference/models/gpt2";
  const auto files = files_of_model(folder.string());
  EXPECT_THAT(files, ::testing::Contains(folder / "config.json"));
  EXPECT_THAT(files, ::testing::Contains(folder / "model.safetensors"));
  EXPECT_THAT(files_of_model("sandbox"), IsEmpty());
  EXPECT_THAT(files_of_model("/no/such/model"), IsEmpty());
}

}  // namespace
}  // namespace headlight

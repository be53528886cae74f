// Too little memory, and no more threads, end with a sentence and a status: never with a signal (reliability F17).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramFolder;
using testing::ProgramResult;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;  // its shadow takes more address space than any limit here leaves
#else
constexpr bool kHasSanitizer = false;
#endif

constexpr const char* kModel = HEADLIGHT_TESTS_DIR "/reference/models/gpt2";

/// `line` where the program may have no more than so much address space.
ProgramResult run_within(const ProgramFolder& folder, int mebibytes, const std::string& line) {
  return folder.run_line("ulimit -v " + std::to_string(mebibytes * 1024) + "; " + line);
}

TEST(Memory, UnderEveryLimitOfAddressSpaceACommandEndsWithAStatus) {
  if (kHasSanitizer) GTEST_SKIP() << "not with a sanitizer";
  const ProgramFolder folder;
  folder.file("maps.json", R"({"tokens": ["a", "b"], "attention": [[[[1, 0], [0.25, 0.75]]]]})");
  int least = 16;
  while (run_within(folder, least, "headlight --version").status != 0) least += 16;
  const std::string model = testing::quoted(kModel);
  int ended_well = 0;
  for (int more = 0; more <= 96; more += 12) {
    for (const std::string& line : {"headlight inspect " + model, std::string("headlight inspect maps.json"),
                                    "headlight tokenize -m " + model + " -t 'a b'", "headlight trace -m " + model + " -t 'a b' -o x.npz"}) {
      const ProgramResult result = run_within(folder, least + more, line);
      EXPECT_THAT(result.status, ::testing::AnyOf(0, 6)) << least + more << " MiB: " << line << "\n" << result.error;
      ended_well += result.status == 0 ? 1 : 0;
      EXPECT_THAT(result.error, Not(HasSubstr("terminate called")));
    }
  }
  EXPECT_GT(ended_well, 5);
}

TEST(Memory, ALimitOfAddressSpaceIsNamedWithBothNumbers) {
  if (kHasSanitizer) GTEST_SKIP() << "not with a sanitizer";
  const ProgramFolder folder;
  const ProgramResult result =
      run_within(folder, 1500, "headlight trace -m sandbox -t \"$(yes w | head -n 20000 | tr '\\n' ' ')\" -o x.npz");
  EXPECT_EQ(result.status, 6);
  EXPECT_THAT(result.error, AllOf(HasSubstr("20000 tokens"), HasSubstr("at most"), HasSubstr("ulimit -v")));
}

TEST(Memory, WhereNoThreadCanBeStartedTheCommandLineWorksOrSaysSo) {
  if (kHasSanitizer) GTEST_SKIP() << "not with a sanitizer";
  const ProgramFolder folder;
  const std::string no_threads = "ulimit -s 1000000000000 || exit 77; ";  // a stack for each, larger than the address space
  const ProgramResult trace = folder.run_line(no_threads + "headlight trace -m sandbox -t 'a b' -o x.npz --threads 4");
  if (trace.status == 77) GTEST_SKIP() << "the limit on stacks cannot be raised here";
  EXPECT_EQ(trace.status, 0) << trace.error;
  const ProgramResult figure = folder.run_line(no_threads + "headlight export -m sandbox -t 'a b' -o x.svg");
  EXPECT_EQ(figure.status, 6);
  EXPECT_THAT(figure.error, HasSubstr("the system starts no more threads"));
}

}  // namespace
}  // namespace headlight

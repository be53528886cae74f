// Too little memory, and no more threads, end with a sentence and a status: never with a signal (reliability F17).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;  // its shadow takes more address space than any limit here leaves
#else
constexpr bool kHasSanitizer = false;
#endif

constexpr const char* kSmallModel = HEADLIGHT_TESTS_DIR "/reference/models/gpt2";

/// `line` where the program may have no more than so much address space.
ProgramResult run_within(const ProgramFolder& folder, int kibibytes, const std::string& line) {
  return folder.run_line("ulimit -v " + std::to_string(kibibytes) + "; " + line);
}

/// The least address space under which the libraries can be loaded, to 64 KiB.
int least_to_load(const ProgramFolder& folder) {
  int too_little = 1 << 10, enough = 1 << 20;
  while (enough - too_little > 64) {
    const int middle = (too_little + enough) / 2;
    const int status = run_within(folder, middle, "headlight --version").status;
    (status == 127 || status >= 128 ? too_little : enough) = middle;  // below some MiB the system itself kills it
  }
  return enough;
}

/// A line for each command, all of which work where there is memory. `bench` is left out: it measures, which takes long.
std::vector<std::string> lines_of_every_command(const ProgramFolder& folder) {
  folder.file("maps.json", R"({"tokens": ["a", "b"], "attention": [[[[1, 0], [0.25, 0.75]]]]})");
  const std::string tests = HEADLIGHT_TESTS_DIR, model = " -m " + testing::quoted(kSmallModel) + " -t 'a b' ";
  std::vector<std::string> lines{
      "inspect " + testing::quoted(kSmallModel),
      "inspect maps.json",
      "models list",
      "tokenize" + model,
      "predict" + model,
      "trace" + model + "--threads 2 -o x.npz",
      "trace -m maps.json --threads 2 -o x.safetensors",
      "save" + model + "-o x.headlight.json",
      "attend " + testing::quoted(tests + "/reference/seed-cases/haiku_mha.safetensors") + " --heads 8 -o y.safetensors"};
  for (const char* ending : {"svg", "png", "pdf", "csv"}) lines.push_back("export" + model + "--threads 2 -o x." + ending);
  for (const std::string& line : lines) {
    const ProgramResult result = folder.run_line("headlight " + line);
    EXPECT_EQ(result.status, 0) << line << "\n" << result.error;
  }
  return lines;
}

// From where the libraries can just be loaded to where all commands work.
TEST(Memory, UnderEveryLimitOfAddressSpaceEveryCommandEndsWithAStatus) {
  if (kHasSanitizer) GTEST_SKIP() << "not with a sanitizer";
  const ProgramFolder folder;
  const std::vector<std::string> lines = lines_of_every_command(folder);
  const int least = least_to_load(folder);
  std::set<std::string> worked, was_refused;
  for (int more = 0; more <= 200; more += 10) {
    for (const std::string& line : lines) {
      const ProgramResult result = run_within(folder, least + more * 1024, "headlight " + line);
      EXPECT_THAT(result.status, AnyOf(0, 6)) << least << " KiB and " << more << " MiB: " << line << "\n" << result.error;
      EXPECT_TRUE(result.status == 0 || !result.error.empty()) << line;
      (result.status == 0 ? worked : was_refused).insert(line);
    }
  }
  EXPECT_EQ(worked.size(), lines.size());
  EXPECT_GT(was_refused.size(), 2U) << "the limits begin too high to show anything";
}

// The libraries make their constants before main, where nobody can catch what fails.
TEST(Memory, WhereTheLibrariesCanJustBeLoadedTheProgramEndsWithAStatusToo) {
  if (kHasSanitizer) GTEST_SKIP() << "not with a sanitizer";
  const ProgramFolder folder;
  const int least = least_to_load(folder);
  int refusals = 0;
  for (int more = -512; more <= 3 * 1024; more += 32) {
    const ProgramResult result = run_within(folder, least + more, "headlight --version");
    EXPECT_THAT(result.status, AnyOf(0, 6, 127)) << least + more << " KiB\n" << result.error;  // 127: the system's loader gave up
    if (result.status != 6) continue;
    EXPECT_THAT(result.error, HasSubstr("not enough free memory"));
    ++refusals;
  }
  EXPECT_GT(refusals, 10);
}

TEST(Memory, AFigureWithoutMemoryForItsFontsIsRefusedWithBothNumbers) {
  if (kHasSanitizer) GTEST_SKIP() << "not with a sanitizer";
  const ProgramFolder folder;
  const ProgramResult result = run_within(folder, least_to_load(folder) + 40 * 1024, "headlight export -m sandbox -t 'a b' -o x.svg");
  EXPECT_EQ(result.status, 6);
  EXPECT_THAT(result.error, AllOf(HasSubstr("too little free memory for its text"), HasSubstr("found 48.0 MiB for the fonts"),
                                  HasSubstr("expected at most"), HasSubstr("ulimit -v")));
}

TEST(Memory, ALimitOfAddressSpaceIsNamedWithBothNumbers) {
  if (kHasSanitizer) GTEST_SKIP() << "not with a sanitizer";
  const ProgramFolder folder;
  const ProgramResult result =
      run_within(folder, 1500 * 1024, "headlight trace -m sandbox -t \"$(yes w | head -n 20000 | tr '\\n' ' ')\" -o x.npz");
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
  EXPECT_THAT(figure.error, HasSubstr("the system cannot start another thread"));
}

}  // namespace
}  // namespace headlight

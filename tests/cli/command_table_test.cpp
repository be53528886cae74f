// The table of commands: a further row is a further command, wherever commands are listed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/cli/commands/commands.h"

namespace headlight {
namespace {

struct CountOptions {
  explicit CountOptions(CLI::App& command) { command.add_option("--to", to, "The last number"); }
  int to = 0;
};

int run_count(const CountOptions& options) {
  return options.to;  // seen as the exit status
}

void add_count(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<CountOptions>(command, action, run_count);
}

struct Ran {
  int status = -1;
  std::string out, error;
};

/// Runs the command line with one row more than the program has.
Ran run_longer(std::vector<std::string> words) {
  std::vector<CommandRow> rows(all_commands().begin(), all_commands().end());
  rows.push_back({"count", "Count to a number", "headlight count --to 3", add_count});
  words.insert(words.begin(), "headlight");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Ran run;
  run.status = run_command_line(static_cast<int>(pointers.size()), pointers.data(), {}, rows);
  run.out = ::testing::internal::GetCapturedStdout();
  run.error = ::testing::internal::GetCapturedStderr();
  return run;
}

TEST(CommandTable, AFurtherRowIsRunWithItsOptions) {
  EXPECT_EQ(run_longer({"count", "--to", "5"}).status, 5);
}

TEST(CommandTable, AFurtherRowIsInTheHelpAndHasItsOwn) {
  const Ran all = run_longer({"--help"});
  EXPECT_THAT(all.out, ::testing::HasSubstr("count"));
  EXPECT_THAT(all.out, ::testing::HasSubstr("Count to a number"));
  const Ran own = run_longer({"count", "--help"});
  EXPECT_THAT(own.out, ::testing::HasSubstr("--to"));
  EXPECT_THAT(own.out, ::testing::HasSubstr("Example:\n  headlight count --to 3"));
}

TEST(CommandTable, AFurtherRowIsNamedWhereItIsTheNearest) {
  const Ran run = run_longer({"cuont"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.error, ::testing::HasSubstr("gui, count, or a document"));
  EXPECT_THAT(run.error, ::testing::HasSubstr("The nearest is `headlight count`"));
}

TEST(CommandTable, HasNamesOfTheirOwnAndSaysWhatEachDoes) {
  std::set<std::string> names;
  for (const CommandRow& row : all_commands()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_STRNE(row.what, "") << row.name;
    EXPECT_THAT(row.example, ::testing::HasSubstr(std::string("headlight ") + row.name));
  }
}

}  // namespace
}  // namespace headlight

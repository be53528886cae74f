#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::ProgramFolder;
using testing::ProgramResult;

TEST(CircuitsCommand, PrintsTokensAndHeadsOfOneHead) {
  const ProgramFolder folder;
  const ProgramResult result =
      folder.run({"circuits", "-m", "story-gpt", "--head", "1.2", "--top", "3", "-t", "The cat saw the dog. The cat"});
  EXPECT_EQ(result.status, 0) << result.error;
  for (const std::string part : {"Head 1.2 of story-gpt", "looks for", "raises", "copying by eigenvalues", "copying score on the text",
                                 "Singular values of W_QK:", "Heads that it reads from", "Heads that read from it"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
}

TEST(CircuitsCommand, WritesTheSameAsJson) {
  const ProgramFolder folder;
  const ProgramResult result = folder.run({"circuits", "-m", "story-gpt", "--head", "0.1", "--top", "4", "--format", "json"});
  ASSERT_EQ(result.status, 0) << result.error;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["head"], "0.1");
  EXPECT_EQ(report["qk"]["largest"].size(), 4U);
  EXPECT_EQ(report["ov"]["largest"].size(), 4U);
  EXPECT_EQ(report["composition"].size(), 24U) << "every head of the three later layers";
  EXPECT_EQ(report["singular_values"]["ov"].size(), 24U);
  EXPECT_GE(report["copying_by_eigenvalues"].get<double>(), -1);
  EXPECT_LE(report["copying_by_eigenvalues"].get<double>(), 1);
  EXPECT_NEAR(report["composition_baseline"].get<double>(), 1 / std::sqrt(192.0), 1e-12);
}

TEST(CircuitsCommand, SaysWhyWhereSomethingDoesNotApplyAndRefusesHeadsThatAreNotThere) {
  const ProgramFolder folder;
  const ProgramResult sandbox = folder.run({"circuits", "-m", "sandbox", "--head", "0.0"});
  EXPECT_EQ(sandbox.status, 0) << sandbox.error;
  EXPECT_THAT(sandbox.out, HasSubstr("QK: The sandbox has no table of tokens"));
  EXPECT_THAT(sandbox.out, HasSubstr("Heads that read from it"));
  const ProgramResult wrong = folder.run({"circuits", "-m", "story-gpt", "--head", "4.0"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.error, HasSubstr("0.0 to 3.7"));
}

}  // namespace
}  // namespace headlight

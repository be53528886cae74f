// Why a question has no answer, and what would give it one.
#include "engine/finding/missing_targets.h"

#include <gmock/gmock.h>

#include "tests/finding/question_testing.h"

namespace headlight {
namespace {

using testing::cells_in, testing::layer_of, testing::ranked, testing::sandbox_run, testing::snapshot_of;
using ::testing::HasSubstr;

const std::vector<std::string> kOnce{"a", "b", "c", "d"};

std::shared_ptr<const Mask> masked_by(const std::string& text, Index tokens) {
  return std::make_shared<const Mask>(MaskText(text).cells({tokens, tokens, {}, 0}));
}

Snapshot run_under(const std::string& mask, const std::vector<std::string>& tokens) {
  const auto count = static_cast<Index>(tokens.size());
  const auto cells = masked_by(mask, count);
  Matrix map = Matrix::Zero(count, count);
  for (Index query = 0; query < count; ++query) {
    for (Index key = 0; key < count; ++key) {
      if (cells->allows(query, key)) map(query, key) = 1.0F / static_cast<float>(cells->allowed_in_row(query));
    }
  }
  return snapshot_of(tokens, {layer_of({map, map}, cells)});
}

/// Checked to be one that no head can be ranked by.
MissingTargets missing(const Snapshot& run, const HeadQuestion& question) {
  EXPECT_TRUE(ranked(run, question).heads.empty());
  return missing_targets(run, question);
}

TEST(MissingTargets, ATextWithoutARepeatedTokenIsToBeWrittenTwice) {
  const Snapshot run = run_under("causal", kOnce);
  for (const TargetPattern pattern : {TargetPattern::duplicate, TargetPattern::induction}) {
    const MissingTargets found = missing(run, question_of(pattern));
    EXPECT_THAT(found.why, HasSubstr("No token comes "));
    EXPECT_EQ(found.remedy, TargetRemedy::repeat_text);
  }
  EXPECT_THAT(missing(run_under("causal", {"a", "b", "b"}), question_of(TargetPattern::induction)).why, HasSubstr("comes back later"));
}

TEST(MissingTargets, WrittenTwiceATextHasBoth) {
  const std::string text = "The cat sat";
  for (const TargetPattern pattern : {TargetPattern::duplicate, TargetPattern::induction}) {
    EXPECT_TRUE(ranked(*sandbox_run(text), question_of(pattern)).heads.empty());
    EXPECT_FALSE(ranked(*sandbox_run(text + " " + text), question_of(pattern)).heads.empty());
  }
}

TEST(MissingTargets, WhatTheMaskHidesIsSaidToBeMasked) {
  const Snapshot run = run_under("causal", kOnce);
  const MissingTargets ahead = missing(run, question_of(TargetPattern::next));
  EXPECT_EQ(ahead.why, "The mask lets no token look at the one after it.");
  EXPECT_EQ(ahead.remedy, TargetRemedy::wider_mask);
  const MissingTargets typed = missing(run, question_of_mask("k > q"));
  EXPECT_EQ(typed.why, "The mask lets no query look at such a key.");
  EXPECT_EQ(typed.remedy, TargetRemedy::wider_mask);
  EXPECT_EQ(missing(run, cells_in(run, {{0, 1, 2, 3}})).remedy, TargetRemedy::wider_mask);
  EXPECT_THAT(missing(run, cells_in(run, {{0, 1, 0, 1}})).why, HasSubstr("two or more keys")) << "the first row has one key alone";
}

TEST(MissingTargets, OtherReasonsAreNamed) {
  const Snapshot run = run_under("causal", kOnce);
  EXPECT_EQ(missing(run, question_of_mask("k > n")).why, "The mask text allows no cell of these maps.");
  const MissingTargets words = missing(run, question_of(TargetPattern::same_word));
  EXPECT_EQ(words.why, "Every word of this text is a single token.");
  EXPECT_EQ(words.remedy, TargetRemedy::long_word);
  HeadQuestion erased = cells_in(run, {{1, 2, 0, 1}});
  erased.cells.push_back(erased.cells.front());
  erased.cells.back().is_allowed = false;
  EXPECT_THAT(missing(run, erased).why, HasSubstr("erased"));
  HeadQuestion other = cells_in(run, {{1, 2, 0, 1}});
  other.text = "another text";
  EXPECT_THAT(missing(run, other).why, HasSubstr("another text"));
}

}  // namespace
}  // namespace headlight

#include "engine/explain/explain.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "engine/figure/figures.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

AxisLabels labels(std::vector<std::string> names) {
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

/// Three tokens whose exponentials of the scores are given: the softmax can be done in one's head.
struct Known {
  HeadRule rule;
  HeadMaps maps;
  AxisLabels names = labels({"The", "animal", "it"});

  explicit Known(const Matrix& exponentials, const char* mask = "causal") {
    rule.mask = std::make_shared<const Mask>(MaskText(mask).cells({exponentials.rows(), exponentials.cols(), {}}));
    maps = maps_of_scores(exponentials.array().log().matrix(), rule);
  }
  ExplainedHead head() const {
    return {.maps = maps, .queries = names, .keys = names, .name = "head 2.5", .rule = &rule, .mask = "causal"};
  }
  /// The same map as a file has it.
  ExplainedHead from_file() const { return {.maps = maps, .queries = names, .keys = names, .name = "head 2.5"}; }
};

Matrix some_exponentials() {
  Matrix exponentials(3, 3);
  exponentials << 1, 2, 1, 1, 4, 5, 1, 6, 3;
  return exponentials;
}

std::string said_of(const ExplainedHead& head, Cell cell) {
  return text_of(explain_cell(head, cell));
}

TEST(Explain, ACellHasItsShareThatOfTheNextAndWhatItWouldBeWithoutTheMask) {
  const Known known(some_exponentials());
  EXPECT_EQ(said_of(known.head(), {2, 1}), "“it” gives 60\u00A0% of head 2.5’s attention to “animal”, then 30\u00A0% to “it”.");
  EXPECT_EQ(said_of(known.head(), {1, 1}),
            "“animal” gives 80\u00A0% of head 2.5’s attention to “animal”, then 20\u00A0% to “The”; without the mask “animal” would get "
            "40\u00A0%.");
}

TEST(Explain, ACellThatIsNotTheLargestNamesTheLargest) {
  EXPECT_EQ(said_of(Known(some_exponentials()).head(), {2, 0}),
            "“it” gives 10\u00A0% of head 2.5’s attention to “The”; “animal” gets the most, 60\u00A0%.");
}

TEST(Explain, AMaskedCellSaysWhyItIsZeroAndWhatItWouldBe) {
  const Known known(some_exponentials());
  EXPECT_EQ(said_of(known.head(), {1, 2}),
            "“animal” may not look at “it”: the causal mask forbids it and puts −∞ in place of its score, so its weight is 0; without the "
            "mask “it” would get 50\u00A0%.");
  EXPECT_EQ(said_of(known.from_file(), {1, 2}), "“animal” may not look at “it”: the mask forbids it, so its weight is 0.")
      << "no score is known, so nobody can say what it would be";
}

TEST(Explain, AnAssumedMaskIsNotStatedAsAFact) {
  const Known known(some_exponentials());
  ExplainedHead head = known.from_file();
  head.is_mask_assumed = true;
  EXPECT_EQ(said_of(head, {1, 2}), "“animal” gives no attention to “it”: a causal mask is assumed.");
}

TEST(Explain, AFileThatGivesWeightToAForbiddenCellIsContradicted) {
  Known known(some_exponentials());
  known.maps.weights(1, 2) = 0.25F;
  known.maps.weights(1, 1) = 0.55F;
  EXPECT_EQ(said_of(known.from_file(), {1, 2}), "“animal” may not look at “it”: the mask forbids it, yet the file gives it 25\u00A0%.");
}

TEST(Explain, TheMaskIsLeftOutOfWhatWouldBeButPrecisionAndSinkAreNot) {
  Known known(some_exponentials());
  known.rule.sink = std::log(10.0F);
  known.maps = maps_of_scores(some_exponentials().array().log().matrix(), known.rule);
  EXPECT_EQ(said_of(known.head(), {1, 1}),
            "“animal” gives 27\u00A0% of head 2.5’s attention to “animal”, then 7\u00A0% to “The”; without the mask “animal” would get "
            "20\u00A0%. The "
            "head’s sink takes 67\u00A0% of the row, and no token gets that.");
}

TEST(Explain, AnEvenRowIsSaidToBeEven) {
  const Known known(Matrix::Constant(3, 3, 2));
  EXPECT_EQ(said_of(known.head(), {2, 1}),
            "“it” looks equally at all 3 tokens that it may look at: each gets 33\u00A0% of head 2.5’s attention.");
  EXPECT_EQ(text_of(explain_row(known.head(), 2)), said_of(known.head(), {2, 1}));
}

TEST(Explain, ARowWithOneAllowedKeyAndATextOfOneTokenHaveNothingToShareOut) {
  const Known known(some_exponentials());
  EXPECT_EQ(said_of(known.head(), {0, 0}),
            "“The” may look at only one token, “The”, which gets 100\u00A0% of head 2.5’s attention; without the mask “The” would get "
            "25\u00A0%.");
  Known one(Matrix::Constant(1, 1, 3));
  one.names = labels({"Hi"});
  EXPECT_EQ(said_of(one.head(), {0, 0}), "“Hi” may look at only one token, “Hi”, which gets 100\u00A0% of head 2.5’s attention.");
}

TEST(Explain, ARowThatIsFullyMaskedIsNotGivenAShare) {
  const Known known(some_exponentials(), "k > q");
  EXPECT_EQ(
      said_of(known.head(), {2, 1}),
      "“it” may look at no token at all: the mask forbids every key, so all weights of its row are 0; without the mask “animal” would get "
      "60\u00A0%.");
  EXPECT_EQ(text_of(explain_row(known.from_file(), 2)),
            "“it” may look at no token at all: the mask forbids every key, so all weights of its row are 0.");
}

TEST(Explain, TheFirstTokenIsCalledASinkOnlyWhereItMayBeOne) {
  Matrix exponentials(3, 3);
  exponentials << 1, 1, 1, 4, 1, 1, 8, 1, 1;
  const Known known(exponentials);
  const char* sink = "is the first token: what it gets is often attention that has no better place to go (a sink).";
  EXPECT_THAT(said_of(known.head(), {2, 0}), HasSubstr(sink));
  EXPECT_THAT(said_of(known.head(), {0, 0}), Not(HasSubstr(sink))) << "it has nowhere else to look";
  EXPECT_THAT(said_of(known.head(), {2, 1}), Not(HasSubstr(sink)));
  ExplainedHead cross = known.head();
  cross.is_one_text = false;
  EXPECT_THAT(said_of(cross, {2, 0}), Not(HasSubstr(sink)));
}

TEST(Explain, RowsThatAreNotAttentionWeightsAreNotReadAsSuch) {
  Known known(some_exponentials());
  known.maps.weights.row(2) << 1, 1, 1;
  EXPECT_EQ(said_of(known.from_file(), {2, 1}), "The row of “it” sums to 3: its numbers are not attention weights.");
  known.maps.weights(1, 0) = kNan;
  EXPECT_EQ(said_of(known.head(), {1, 1}), "The row of “animal” holds NaN: its numbers are not attention weights.");
}

TEST(Explain, WeightsThatWerePutInPlaceHaveNoShareWithoutTheMask) {
  Known known(some_exponentials());
  known.rule.placed_weights = std::make_shared<const Matrix>(known.maps.weights);
  EXPECT_THAT(said_of(known.head(), {1, 1}), Not(HasSubstr("without the mask")));
}

TEST(Explain, TokensOfOneNameAreToldApartByTheirPositions) {
  Known known(some_exponentials());
  known.names = labels({"a", "b", "a"});
  EXPECT_EQ(said_of(known.head(), {2, 1}), "“a”\u00A0(2) gives 60\u00A0% of head 2.5’s attention to “b”, then 30\u00A0% to “a”\u00A0(2).");
}

TEST(Explain, TinyAndAlmostWholeSharesAreNotRoundedToNothingOrAll) {
  Matrix exponentials(3, 3);
  exponentials << 1, 1, 1, 1, 1, 1, 0.39F, 99.6F, 0.01F;
  const Known known(exponentials);
  EXPECT_EQ(said_of(known.head(), {2, 1}), "“it” gives 99.6\u00A0% of head 2.5’s attention to “animal”, then 0.4\u00A0% to “The”.");
  EXPECT_THAT(said_of(known.head(), {2, 2}), HasSubstr("gives <\u00A00.1\u00A0% of"));
}

TEST(Explain, ARowNamesItsThreeLargestKeysAndAKeyWhoLooksAtIt) {
  const Known known(some_exponentials());
  EXPECT_EQ(text_of(explain_row(known.head(), 2)),
            "“it” gives 60\u00A0% of head 2.5’s attention to “animal”, 30\u00A0% to “it” and 10\u00A0% to “The”.");
  EXPECT_EQ(text_of(explain_key(known.head(), 1)),
            "As a key, “animal” receives 1.400 in all from the 2 queries that may look at it, each of which has 1 to give. Most comes from "
            "“animal”: 0.800.");
  const Known none(some_exponentials(), "k == 0");
  EXPECT_EQ(text_of(explain_key(none.head(), 1)), "As a key, “animal” receives nothing: no query may look at it.");
}

TEST(Explain, AnEditIsSaidWithBeforeAndAfter) {
  const Known now(some_exponentials()), before(some_exponentials(), "none");
  EXPECT_EQ(text_of(explain_change(now.head(), before.maps, {1, 0}, "Before the edits")),
            "Before the edits “The” got 10\u00A0%, now 20\u00A0%; “it” changed most, from 50\u00A0% to 0\u00A0%.");
  EXPECT_EQ(text_of(explain_change(now.head(), before.maps, {2, 0}, "Before the edits")), "Before the edits the row was the same.");
  EXPECT_EQ(text_of(explain_changes(now.head(), before.maps, "In the baseline,")),
            "In the baseline, this map was different. It changed most where “The” looks at “The”: from 25\u00A0% to 100\u00A0%.");
  EXPECT_EQ(text_of(explain_changes(now.head(), now.maps, "In the baseline,")), "In the baseline, this map was the same.");
}

TEST(Explain, OnlyTokensHaveTheKindOfTheirAxis) {
  const Known known(some_exponentials());
  const Explanation said = explain_cell(known.head(), {2, 1});
  ASSERT_EQ(said.front().kind, Wording::Kind::query);
  EXPECT_EQ(said[2].kind, Wording::Kind::key);
  EXPECT_EQ(said[2].text, "“animal”");
}

/// A sandbox of one layer, whose first head looks as it is told to.
std::shared_ptr<const Snapshot> run_with(InterventionKind kind, const std::string& text) {
  Query query;
  query.model.name = "sandbox";
  query.model.sandbox = {.layers = 1, .d_model = 8, .heads = 2};
  query.text = text;
  query.interventions = {{.kind = kind, .heads = {{0, 0}}}};
  query.switched_off = {{0, 1}};
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

std::string kind_of(const Snapshot& run, HeadId head) {
  return text_of(explain_kind(run, head, run.maps(head)));
}

TEST(ExplainHead, IsCalledWhatItDoesAsAHintWithThresholdAndQueries) {
  EXPECT_EQ(
      kind_of(*run_with(InterventionKind::previous, "a b c d e f"), {0, 0}),
      "It may be called “previous token”: 1.000 with the first token left out (threshold 0.5, 1 text, 4 queries: a hint, not a finding).");
}

TEST(ExplainHead, ThatRestsOnTheFirstTokenIsOfNoKind) {
  EXPECT_EQ(kind_of(*run_with(InterventionKind::first, "a b c d e f"), {0, 0}),
            "All of its attention goes to the first token. Many heads do this, so it says nothing about what kind of head it is.");
}

TEST(ExplainHead, WithoutAKindHasTheNearestOne) {
  EXPECT_EQ(kind_of(*run_with(InterventionKind::uniform, "a b c d e f"), {0, 0}),
            "By its map alone it reaches no threshold that names a kind of head. The nearest kind is “previous token”: 0.321 with the "
            "first token left out "
            "(threshold 0.5, 1 text, 4 queries).");
}

TEST(ExplainHead, OfOneTokenHasNothingToChooseFrom) {
  const auto run = run_with(InterventionKind::uniform, "a");
  EXPECT_EQ(text_of(explain_head(*run, {0, 0})), "Head 0.0: no query may look at two keys or more, so there is nothing to choose from.");
  EXPECT_EQ(kind_of(*run, {0, 0}), "");
}

TEST(ExplainHead, SaysItsMeasuresAndThatItIsSwitchedOff) {
  const auto run = run_with(InterventionKind::first, "a b c d e f");
  EXPECT_EQ(
      text_of(explain_head(*run, {0, 0})),
      "Head 0.0: a query spreads its attention over 1.0 tokens on average, and its strongest key gets 100\u00A0%. 100\u00A0% goes to the "
      "first token of the text and, counted apart, 20\u00A0% to the token just before; the keys are 3.0 tokens away on average.");
  EXPECT_THAT(text_of(explain_head(*run, {0, 1})), HasSubstr("It is switched off: it still attends, but its output is not passed on."));
}

TEST(ExplainEdits, CountsTheMapsThatChangedAndNamesTheLargestChange) {
  const auto now = run_with(InterventionKind::first, "a b c"), before = run_with(InterventionKind::previous, "a b c");
  EXPECT_EQ(text_of(explain_edits(*now, *before)),
            "The edits changed 1 of 2 maps, most that of head 0.0, where “c” looks at “a”: from 0\u00A0% to 100\u00A0%.");
  EXPECT_EQ(text_of(explain_edits(*now, *now)), "Before the edits all maps were the same.");
  EXPECT_TRUE(explain_edits(*now, *run_with(InterventionKind::first, "a b c d")).empty()) << "another text";
}

TEST(ExplainHead, OfARunKnowsItsMaskAndItsRule) {
  const auto run = run_with(InterventionKind::first, "a b c");
  const HeadMaps maps = run->maps({0, 1});
  const AxisLabels names = axis_labels(*run, *run->encoding);
  const ExplainedHead head = explained_head(*run, {0, 1}, maps, names, names);
  EXPECT_EQ(head.name, "head 0.1");
  EXPECT_EQ(head.mask, "causal");
  EXPECT_EQ(head.rule, &run->trace.layer(0).rule(1));
  EXPECT_TRUE(head.is_one_text);
  EXPECT_FALSE(head.is_mask_assumed);
}

}  // namespace
}  // namespace headlight

#include <gtest/gtest.h>

#include <functional>

#include "engine/attention/mask.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;

std::string message_of(std::string_view text) {
  return error_of([&] { MaskText mask(text); }).message();
}

/// Compares a text with a formula on a map of 7 × 7.
void expect_cells(std::string_view text, const std::function<bool(int q, int k)>& allows, std::vector<int> sentences = {}) {
  const MaskContext context{7, 7, std::move(sentences)};
  const Mask mask = MaskText(text).cells(context);
  for (int q = 0; q < 7; ++q) {
    for (int k = 0; k < 7; ++k) {
      EXPECT_EQ(mask.allows(q, k), allows(q, k)) << text << " at query " << q << ", key " << k;
      EXPECT_EQ(MaskText(text).allows(q, k, context), allows(q, k));
    }
  }
}

TEST(MaskText, PresetsAllowWhatTheirDefinitionSays) {
  expect_cells("none", [](int, int) { return true; });
  expect_cells("causal", [](int q, int k) { return k <= q; });
  expect_cells("window:3", [](int q, int k) { return q - k < 3 && k - q < 3; });
  expect_cells("left:2", [](int q, int k) { return k >= q - 2; });
  expect_cells("right:0", [](int q, int k) { return k <= q; });
  expect_cells("left:2 + right:1", [](int q, int k) { return k >= q - 2 && k <= q + 1; });
  expect_cells("prefix:4", [](int q, int k) { return k <= q || (q < 4 && k < 4); });
  expect_cells("padding:5", [](int, int k) { return k < 5; });
  expect_cells("blocks:3", [](int q, int k) { return q / 3 == k / 3; });
  expect_cells("no-self", [](int q, int k) { return q != k; });
}

TEST(MaskText, QueriesBeforeTheFirstKeyLieInBlocksOfTheirOwn) {
  const MaskText blocks("blocks:2");
  const MaskContext context{4, 4, {}};
  EXPECT_FALSE(blocks.allows(-1, 0, context)) << "block -1 is positions -2 and -1";
  EXPECT_TRUE(blocks.allows(-1, -2, context));
  EXPECT_FALSE(blocks.allows(-3, -2, context));
}

TEST(MaskText, PairAllowsTheSameSentence) {
  expect_cells("pair", [](int q, int k) { return (q < 3) == (k < 3); }, {0, 0, 0, 1, 1, 1, 1});
  expect_cells("pair", [](int, int) { return true; });
}

TEST(MaskText, TermsJoinedByPlusMustAllAllow) {
  expect_cells("causal + window:3", [](int q, int k) { return k <= q && q - k < 3; });
  expect_cells("causal+no-self+padding:4", [](int q, int k) { return k < q && k < 4; });
}

TEST(MaskText, ComparisonsOfQueryKeyLengthAndNumbers) {
  expect_cells("k <= q", [](int q, int k) { return k <= q; });
  expect_cells("q==3||k!=0", [](int q, int k) { return q == 3 || k != 0; });
  expect_cells("q >= 2 && k > 1 || k < 1", [](int q, int k) { return (q >= 2 && k > 1) || k < 1; });
  expect_cells("q >= 2 && (k > 1 || k < 1)", [](int q, int k) { return q >= 2 && (k > 1 || k < 1); });
  expect_cells("!(k == 2) && !q == 1", [](int q, int k) { return k != 2 && q != 1; });
  expect_cells("n > 7", [](int, int) { return false; });
  expect_cells("7 == n", [](int, int) { return true; });
  expect_cells("window:2 || k == 0", [](int q, int k) { return (q - k < 2 && k - q < 2) || k == 0; });
}

TEST(MaskText, MapsNeedNotBeSquare) {
  const Mask mask = MaskText("causal").cells({2, 5, {}});
  EXPECT_EQ(mask.queries(), 2);
  EXPECT_EQ(mask.keys(), 5);
  EXPECT_EQ(mask.allowed_in_row(1), 2);
}

TEST(MaskText, WhatFollowsFromTheDifferenceIsKeptAsOneLineWithTheSameCells) {
  const MaskContext context{.queries = 40, .keys = 57, .sentences = {}, .first_query = 9};
  for (const char* text : {"none", "causal", "window:3 + no-self", "left:4", "right:2 || !(k <= q - 1)", "k == q - 2"}) {
    const MaskText parsed(text);
    const Mask mask = parsed.cells(context);
    EXPECT_EQ(mask.bytes(), 40U + 57U - 1U) << text;
    Mask whole(40, 57, false);
    for (Index query = 0; query < 40; ++query) {
      for (Index key = 0; key < 57; ++key) {
        whole.set(query, key, parsed.allows(9 + query, key, context));
        EXPECT_EQ(mask.allows(query, key), whole.allows(query, key)) << text << query << ":" << key;
      }
    }
    EXPECT_EQ(mask, whole) << text;
    EXPECT_EQ(whole, mask) << text;
    EXPECT_EQ(mask.allowed_in_row(7), whole.allowed_in_row(7)) << text;
    EXPECT_EQ(reach_of(mask, 5, 9), reach_of(whole, 5, 9)) << text;
    Mask painted = mask;
    painted.set(3, 12, !mask.allows(3, 12));
    EXPECT_NE(painted, mask) << text;
    painted.set(3, 12, mask.allows(3, 12));
    EXPECT_EQ(painted, mask) << text << "one cell alone was painted";
  }
  for (const char* text : {"padding:6", "prefix:3", "blocks:4", "k < 6", "causal + n > 6"})
    EXPECT_EQ(MaskText(text).cells(context).bytes(), 40U * 57U) << text;
}

TEST(MaskText, ErrorsNameTheTextThePositionAndWhatWasExpected) {
  EXPECT_EQ(message_of("causal + windw:3").substr(0, 60), "mask: \"causal + windw:3\" cannot be read at character 10; fou");
  EXPECT_NE(message_of("window").find("character 7; found the end, expected \":\" and a number"), std::string::npos);
  EXPECT_NE(message_of("window:0").find("character 8; found \"0\", expected a whole number from 1"), std::string::npos);
  EXPECT_NE(message_of("blocks:-2").find("character 8"), std::string::npos);
  EXPECT_NE(message_of("k <").find("character 4; found the end, expected q, k, n or a number"), std::string::npos);
  EXPECT_NE(message_of("k 3").find("expected <, <=, ==, !=, >= or >"), std::string::npos);
  EXPECT_NE(message_of("(k < 3").find("character 7"), std::string::npos);
  EXPECT_NE(message_of("causal causal").find("character 8"), std::string::npos);
  EXPECT_NE(message_of("").find("character 1; found the end"), std::string::npos);
  EXPECT_NE(message_of("causal +").find("character 9"), std::string::npos);
}

TEST(MaskText, ArithmeticIsRefusedWhereItBegins) {
  EXPECT_NE(message_of("q-k<3").find("character 2; found \"-k<3\", expected <, <=, ==, !=, >= or >"), std::string::npos)
      << message_of("q-k<3");
  EXPECT_NE(message_of("k<q-x").find("character 4; found \"-x\""), std::string::npos) << message_of("k<q-x");
  EXPECT_NE(message_of("2*k < n").find("character 2; found \"*k < n\""), std::string::npos);
  EXPECT_NE(message_of("qk < 3").find("character 1"), std::string::npos);
  for (const char* text : {"q-k<3", "k<q-n", "k<q+1", "2*k < n", "3-1 < k", "k <"}) {
    EXPECT_NE(message_of(text).find("n (the number of keys)"), std::string::npos) << text;
    EXPECT_NE(message_of(text).find("there is no arithmetic"), std::string::npos) << text;
  }
}

TEST(MaskText, ANumberMayBeTakenAwayFromALetter) {
  const MaskText two_before("k == q - 2"), one_after("k-1 == q"), last("k == n - 1");
  for (Index query = 0; query < 6; ++query) {
    for (Index key = 0; key < 6; ++key) {
      const MaskContext context{6, 6, {}};
      EXPECT_EQ(two_before.allows(query, key, context), key == query - 2);
      EXPECT_EQ(one_after.allows(query, key, context), key == query + 1);
      EXPECT_EQ(last.allows(query, key, context), key == 5);
    }
  }
  EXPECT_TRUE(MaskText("q - 2 == k + causal").allows(4, 2, {6, 6, {}})) << "a + still joins terms";
}

TEST(MaskText, NIsTheNumberOfKeys) {
  const Mask mask = MaskText("n == 5 && k < n").cells({2, 5, {}});
  EXPECT_EQ(mask, Mask(2, 5, true));
  EXPECT_EQ(MaskText("n == 2").cells({2, 5, {}}), Mask(2, 5, false));
}

TEST(MaskText, PositionsCountCharactersNotBytes) {
  EXPECT_NE(message_of("causal é").find("character 8"), std::string::npos);
}

TEST(MaskText, RefusesNumbersAndNestingWithoutEnd) {
  EXPECT_NE(message_of("padding:99999999999999999999").find("character 9"), std::string::npos);
  EXPECT_NE(message_of("k < 99999999999999999999").find("character 5"), std::string::npos);
  EXPECT_NE(message_of(std::string(100'000, '(')).find("nested"), std::string::npos);
  EXPECT_NE(message_of(std::string(100'000, '!')).find("nested"), std::string::npos);
}

TEST(MaskText, ErrorsAreUsageErrors) {
  EXPECT_EQ(error_of([] { MaskText mask("no"); }).kind(), ErrorKind::usage);
}

TEST(Cells, AreQueryColonKeyWithRangesAndStars) {
  const auto blocks = parse_cells("3:1, 4:0-2,*:5,2-3:*", false);
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(blocks[0], (CellBlock{3, 4, 1, 2, false}));
  EXPECT_EQ(blocks[1], (CellBlock{4, 5, 0, 3, false}));
  EXPECT_EQ(blocks[2].query_begin, 0);
  EXPECT_GT(blocks[2].query_end, 1'000'000'000);
  EXPECT_EQ(blocks[3].query_end, 4);
}

TEST(Cells, ErrorsNameThePosition) {
  const auto message = [](std::string_view text) { return error_of([&] { parse_cells(text, true); }).message(); };
  EXPECT_NE(message("3").find("character 2; found the end, expected \":\""), std::string::npos);
  EXPECT_NE(message("3:5-2").find("character 5; found \"2\", expected a whole number from 5"), std::string::npos);
  EXPECT_NE(message("1:2;3:4").find("character 4"), std::string::npos);
  EXPECT_NE(message("").find("character 1"), std::string::npos);
  EXPECT_NE(message("-1:0").find("character 1"), std::string::npos);
}

}  // namespace
}  // namespace headlight

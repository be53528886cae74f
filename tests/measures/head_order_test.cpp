// Orders and filters of heads by columns, and how a column is spread.
#include "engine/measures/columns/head_order.h"

#include <gmock/gmock.h>

#include <cmath>

#include "engine/measures/columns/column_spread.h"

namespace headlight {
namespace {

using ::testing::ElementsAre;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::shared_ptr<const HeadColumn> column(const std::string& id, const std::vector<double>& of_layer_0) {
  HeadColumn made{.id = id, .title = id};
  for (std::size_t head = 0; head < of_layer_0.size(); ++head) made.values.set({0, static_cast<int>(head)}, of_layer_0[head]);
  return std::make_shared<const HeadColumn>(std::move(made));
}

std::vector<HeadId> heads(int count) {
  std::vector<HeadId> all;
  for (int head = 0; head < count; ++head) all.push_back({0, head});
  return all;
}

std::vector<int> numbers_of(const std::vector<HeadId>& list) {
  std::vector<int> numbers;
  for (const HeadId head : list) numbers.push_back(head.head);
  return numbers;
}

TEST(HeadNumbers, AHeadThatWasNotSetIsUndefined) {
  HeadNumbers numbers;
  EXPECT_TRUE(numbers.is_empty());
  numbers.set({2, 1}, 0.5);
  EXPECT_EQ(numbers.of({2, 1}), 0.5);
  for (const HeadId none : {HeadId{2, 0}, HeadId{2, 2}, HeadId{1, 1}, HeadId{3, 0}, HeadId{-1, 0}, HeadId{0, -1}})
    EXPECT_TRUE(std::isnan(numbers.of(none)));
}

TEST(HeadOrder, TheLargestComeFirstAndUndefinedOnesLastInBothDirections) {
  const HeadColumns columns{column("a", {0.2, kNone, 0.9, 0.5})};
  const std::vector<ColumnSort> falling{{"a", false}}, rising{{"a", true}};
  EXPECT_THAT(numbers_of(sorted_heads(heads(4), columns, falling)), ElementsAre(2, 3, 0, 1));
  EXPECT_THAT(numbers_of(sorted_heads(heads(4), columns, rising)), ElementsAre(0, 3, 2, 1));
}

TEST(HeadOrder, EqualHeadsKeepTheirOrderAndASecondColumnDecidesBetweenThem) {
  const HeadColumns columns{column("a", {1, 2, 1, 2}), column("b", {5, 6, 7, 8})};
  const std::vector<ColumnSort> first{{"a", false}}, both{{"a", false}, {"b", false}}, unknown{{"c", false}};
  EXPECT_THAT(numbers_of(sorted_heads(heads(4), columns, first)), ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(numbers_of(sorted_heads(heads(4), columns, both)), ElementsAre(3, 1, 2, 0));
  EXPECT_THAT(numbers_of(sorted_heads(heads(4), columns, unknown)), ElementsAre(0, 1, 2, 3));
}

TEST(HeadOrder, ChangesAreRankedByTheirSizeWhateverTheSign) {
  HeadColumn made = *column("zero", {0.2, -0.9, kNone, 0.5});
  made.is_change = true;
  const HeadColumns columns{std::make_shared<const HeadColumn>(made)};
  const std::vector<ColumnSort> falling{{"zero", false}}, rising{{"zero", true}};
  EXPECT_THAT(numbers_of(sorted_heads(heads(4), columns, falling)), ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(numbers_of(sorted_heads(heads(4), columns, rising)), ElementsAre(0, 3, 1, 2));
  EXPECT_EQ(describe_sort(made, false), "zero by size, largest first");
  const ColumnSpread spread = spread_of(made, heads(4));
  EXPECT_TRUE(is_best(made, spread, -0.9));
  EXPECT_FALSE(is_best(made, spread, 0.5)) << "the largest number, and a smaller change";
  EXPECT_EQ(bar_of(made, spread, -0.9), 1);
  EXPECT_EQ(bar_of(*column("a", {0.2, -0.9}), spread, -0.9), 0);
}

TEST(ColumnRange, IsReadAsPeopleWriteIt) {
  const auto ends = [](std::string_view text) {
    const auto range = parse_range(text, "a");
    EXPECT_TRUE(range) << text;
    return range ? std::pair(range->low, range->high) : std::pair(kNone, kNone);
  };
  EXPECT_EQ(ends("> 0.5").first, 0.5);
  EXPECT_EQ(ends(">0.5").first, 0.5);
  EXPECT_EQ(ends("< -2").second, -2);
  EXPECT_EQ(ends("0.2 … 0.5"), std::pair(0.2, 0.5));
  EXPECT_EQ(ends("0.2-0.5"), std::pair(0.2, 0.5));
  EXPECT_EQ(ends("-2 - -1"), std::pair(-2.0, -1.0));
  EXPECT_EQ(ends("1e-3 to 2e-3"), std::pair(1e-3, 2e-3));
  EXPECT_EQ(ends("= 1"), std::pair(1.0, 1.0));
  EXPECT_EQ(ends("≥ 3").first, 3);
  EXPECT_TRUE(parse_range(">= 3", "a")->contains(3));
  EXPECT_FALSE(parse_range("> 3", "a")->contains(3));
  EXPECT_FALSE(parse_range("> 3", "a")->contains(kNone));
  for (const char* wrong : {"", "0.5", ">", "> x", "0.5 … 0.2", "<> 3", "> inf", "> nan", "0.2 …", "= 1 2"})
    EXPECT_FALSE(parse_range(wrong, "a")) << wrong;
}

TEST(ColumnRange, TheTextOfARangeGivesItAgain) {
  for (const char* text : {"> 0.5", ">= 2", "< 3", "<= -1.5", "0.25 … 0.5", "= 1", "1e-06 … 0.002"}) {
    const auto range = parse_range(text, "a");
    ASSERT_TRUE(range) << text;
    EXPECT_EQ(parse_range(range_text(*range), "a"), range) << range_text(*range);
  }
  EXPECT_EQ(range_text({.column = "a"}), "");
}

TEST(HeadOrder, EveryFilterMustLetAHeadThroughAndUndefinedHeadsPassNone) {
  const HeadColumns columns{column("a", {0.2, kNone, 0.9, 0.5}), column("b", {1, 2, 3, 4})};
  const std::vector<ColumnRange> one{*parse_range("> 0.3", "a")}, two{*parse_range("> 0.3", "a"), *parse_range("> 3", "b")},
      gone{*parse_range("> 100", "not there")};
  EXPECT_THAT(numbers_of(filtered_heads(heads(4), columns, one)), ElementsAre(2, 3));
  EXPECT_THAT(numbers_of(filtered_heads(heads(4), columns, two)), ElementsAre(3));
  EXPECT_EQ(filtered_heads(heads(4), columns, gone).size(), 4U);
}

TEST(ColumnSpread, EveryDefinedHeadIsInOneBin) {
  const auto made = column("a", {0.0, 0.5, 1.0, kNone, 0.25});
  const ColumnSpread spread = spread_of(*made, heads(5));
  int all = 0;
  for (const int bin : spread.bins) all += bin;
  EXPECT_EQ(all, 4);
  EXPECT_EQ(spread.undefined, 1);
  EXPECT_EQ(spread.largest, 1);
  EXPECT_EQ(spread.bins.back(), 1) << "the largest lies in the last";
  EXPECT_NEAR(spread.mean, 1.75 / 4, 1e-12);
  const ColumnSpread none = spread_of(*column("b", {kNone}), heads(1));
  EXPECT_TRUE(std::isnan(none.largest));
  const ColumnSpread equal = spread_of(*column("c", {3, 3}), heads(2));
  EXPECT_GT(equal.high, equal.low);
}

}  // namespace
}  // namespace headlight

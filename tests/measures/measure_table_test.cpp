// Every row of the table says what it is, and is right on the example that it works out.
#include <gtest/gtest.h>

#include <set>

#include "tests/measures/gauging.h"

namespace headlight {
namespace {

using testing::gauged;

std::string example_id(const Measure& measure) {
  std::string id(measure.id);
  if (!measure.example_parameter.empty()) id += ":" + std::string(measure.example_parameter);
  return id;
}

bool is_gathered(const Measure& measure) {
  return measure.of_row != nullptr;
}

TEST(MeasureTable, EveryRowSaysWhatItIs) {
  std::set<std::string_view> ids, titles, labels;
  for (const Measure& measure : all_measures()) {
    EXPECT_TRUE(ids.insert(measure.id).second) << measure.id;
    EXPECT_TRUE(titles.insert(measure.title).second) << measure.title;
    EXPECT_EQ(measure.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << measure.id << " is a column of files";
    for (const std::string_view text : {measure.title, measure.formula, measure.meaning, measure.source, measure.undefined}) {
      EXPECT_NE(text, "") << measure.id;
    }
    EXPECT_TRUE(measure.meaning.ends_with('.')) << measure.meaning;
    EXPECT_LT(measure.low, measure.high);
    EXPECT_EQ(std::isinf(measure.high) || std::isinf(measure.low), !measure.limit.empty()) << measure.id;
    EXPECT_EQ(measure.label.empty(), measure.threshold == 0) << measure.id;
    EXPECT_TRUE(measure.label.empty() || labels.insert(measure.label).second) << "another measure has the label " << measure.label;
    const bool is_of_elsewhere = measure.need == MeasureNeed::outputs || needs_own_texts(measure.need);
    EXPECT_EQ(measure.of_row == nullptr, is_of_elsewhere) << measure.id;
    EXPECT_EQ(&measure_of(all_measures(), measure.id), &measure);
  }
  EXPECT_EQ(measure_of(head_measures(), kEvenness).id, kEvenness);
  EXPECT_THROW(measure_of(head_measures(), "nothing"), std::out_of_range);
}

TEST(MeasureTable, ThoseOfPicturesAreMeansOfRowsAndComeFirst) {
  ASSERT_GE(head_measures().size(), 6U);
  for (const Measure& measure : head_measures()) {
    EXPECT_NE(measure.place, MeasurePlace::list);
    EXPECT_TRUE(measure.is_mean && measure.rows == MeasuredRows::informative && measure.need == MeasureNeed::nothing) << measure.id;
  }
  EXPECT_EQ(head_measures().data(), all_measures().data());
  for (const Measure& measure : all_measures().subspan(head_measures().size())) EXPECT_EQ(measure.place, MeasurePlace::list);
}

TEST(MeasureTable, EveryRowIsRightOnItsWorkedExample) {
  const std::vector<Token> tokens = worked_tokens();
  const MeasuredText text(tokens);
  int measured = 0;
  for (const Measure& measure : all_measures()) {
    EXPECT_FALSE(std::isnan(measure.example)) << measure.id << " has none";
    if (!is_gathered(measure)) continue;
    ++measured;
    const bool is_turned = measure.example_on == kTurnedRound;
    EXPECT_EQ(is_turned, !measure.example_on.empty()) << measure.id << " is worked out on something that this test does not know";
    const Matrix map = is_turned ? turned_map() : worked_map();
    for (const Index at_once : {1, 3, 4}) {
      EXPECT_NEAR(gauged(example_id(measure), map, is_turned ? turned_mask() : worked_mask(), text, at_once), measure.example, 1e-6)
          << measure.id;
    }
  }
  EXPECT_GT(measured, 30);
}

TEST(MeasureTable, EveryRowKeepsToItsRange) {
  for (const Index count : {2, 3, 17, 40}) {
    std::vector<std::int64_t> ids;
    for (Index at = 0; at < count; ++at) ids.push_back(at * at % 7);
    const std::vector<Token> tokens = testing::tokens_of(ids);
    const MeasuredText text(tokens);
    for (const Mask& mask : {testing::causal_mask(count), Mask(count, count, true)}) {
      const Matrix map = testing::random_map(mask, static_cast<std::uint64_t>(count));
      for (const Measure& measure : all_measures()) {
        if (!is_gathered(measure)) continue;
        const double value = gauged(example_id(measure), map, mask, text);
        if (std::isnan(value)) continue;
        EXPECT_GE(value, measure.low - 1e-6) << measure.id;
        EXPECT_LE(value, measure.high + 1e-6) << measure.id;
      }
    }
  }
}

}  // namespace
}  // namespace headlight

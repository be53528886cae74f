// Measures and the arranged Overview on every screen.
#include <algorithm>

#include "app/gui/columns/arranged_heads.h"
#include "tests/gui/every_screen.h"

namespace headlight::testing {
namespace {

TEST_P(EveryScreen, MeasuresSortedFilteredAndBrushedAreReadable) {
  view.measures.sorts = {{"normalised-entropy"}, {"confidence", true}};
  view.measures.ranges = {*parse_range("> 0.2", "normalised-entropy"), *parse_range("0.1 … 0.99", "confidence")};
  view.brushed = {{0, 1}, {1, 2}, {2, 3}};
  view.measures.size = "effective-tokens";
  show(View::measures);
  expect_readable("Measures, sorted and brushed");
  for (const Fold fold : {Fold::open, Fold::folded}) {
    view.measures.scatter = fold;
    settle();
    expect_readable("Measures with or without the scatter plot");
  }
  for (const char* menu : {"Columns", "Scatter across"}) {
    view.measures.scatter = Fold::open;
    settle();
    if (!window.items.contains(menu)) continue;
    window.click(menu);
    expect_readable(menu);
    window.key("escape");
  }
  window.right_click("column normalised-entropy");
  expect_readable("menu of a column");
  window.key("escape");
}

TEST_P(EveryScreen, MeasuresSaysWhatItIsMeasuredOn) {
  show(View::measures);
  window.frame(2);
  const std::string heads = std::to_string(snapshot()->all_heads().size()) + " heads on 1 text";
  const std::vector<DrawnText>& texts = window.items.texts();
  const auto says = [&](const DrawnText& text) { return text.text.starts_with(heads) && text.text.find("hints") != std::string::npos; };
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), says));
}

TEST_P(EveryScreen, TheOverviewInTheOrderOfAMeasureIsReadable) {
  view.overview.arrangement = {
      .sort = ColumnSort{"mean-distance"}, .ranges = {*parse_range("> 0.1", "confidence")}, .tint = "mean-distance"};
  view.brushed = {{0, 1}, {1, 2}};
  show(View::overview);
  expect_readable("Overview by mean distance");
  view.overview.arrangement.sort.reset();
  settle();
  expect_readable("Overview filtered");
}

}  // namespace
}  // namespace headlight::testing

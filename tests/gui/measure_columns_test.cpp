// Columns of measures in the window: those with a parameter, and those without some keys.
#include <gmock/gmock.h>

#include <cmath>

#include "app/gui/columns/shown_columns.h"
#include "app/gui/panel/saved_view.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Not;

class ColumnsOfMeasures : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    show(View::measures);
  }
  /// Of head 1.1; NaN where the table lacks the column.
  double value_of(const std::string& id) {
    const auto found = session.text_columns().ask(snapshot(), measures_in_table(view.measures));
    const HeadColumn* column = find_column(found->columns, id);
    return column == nullptr ? std::nan("") : column->values.of({1, 1});
  }
};

TEST_F(ColumnsOfMeasures, ThoseWithAParameterAreOnePressAway) {
  const auto is_in_sight = [&](const std::string& name) {
    window.frame();
    return window.has(name);
  };
  window.click("Columns");
  EXPECT_TRUE(is_in_sight("show normalised-entropy"));
  window.click("Offered measures with a parameter");
  for (const Measure& measure : all_measures()) {
    if (parameter_of(measure) == nullptr) continue;
    EXPECT_TRUE(is_in_sight("parameter of " + std::string(measure.id))) << measure.id;
  }
  EXPECT_FALSE(is_in_sight("show normalised-entropy"));
  window.click("Offered measures in the table");
  EXPECT_TRUE(is_in_sight("show normalised-entropy"));
  EXPECT_FALSE(is_in_sight("parameter of beyond-distance"));
  window.click("Search columns");
  window.type("beyond");
  EXPECT_TRUE(is_in_sight("parameter of beyond-distance")) << "words are searched among all";
}

TEST_F(ColumnsOfMeasures, AMeasureWithAParameterIsAddedWithItChangedInItsMenuAndRemoved) {
  const auto ids = [&] { return measures_in_table(view.measures); };
  window.click("Columns");
  window.click("Search columns");
  window.type("beyond");
  window.click("parameter of beyond-distance");
  window.type("x");
  settle();
  EXPECT_FALSE(window.has("show beyond-distance:x")) << "this is not a distance";
  window.key("backspace");
  window.type("3");
  window.key("enter");
  window.key("escape");
  settle();
  EXPECT_THAT(ids(), Contains("beyond-distance:3"));
  EXPECT_FALSE(std::isnan(value_of("beyond-distance:3")));
  const double before = value_of("beyond-distance:3");
  view.measures.columns = {"mean-distance", "beyond-distance:3"};  // so that both are in sight
  settle();
  view.measures.sorts = {{"beyond-distance:3"}};
  view.measures.across = "beyond-distance:3";

  window.right_click("column beyond-distance:3");
  window.click("Parameter");
  window.key("backspace");
  window.type("1");
  window.click("Measure this");
  settle();
  EXPECT_THAT(ids(), AllOf(Contains("beyond-distance:1"), Not(Contains("beyond-distance:3"))));
  EXPECT_GT(value_of("beyond-distance:1"), before) << "what is more than three tokens away is more than one away";
  EXPECT_EQ(view.measures.sorts, (std::vector<ColumnSort>{{"beyond-distance:1"}})) << "the order goes along";
  EXPECT_EQ(view.measures.across, "beyond-distance:1");
  EXPECT_EQ(view_from_json(to_json(view, all_views()), all_views()).measures.columns, ids()) << "the document's look remembers it";

  window.click("Columns");
  window.click("show beyond-distance:1");
  window.key("escape");
  EXPECT_THAT(ids(), Not(Contains("beyond-distance:1")));
}

TEST_F(ColumnsOfMeasures, TheMenuOfAHeadingTakesKeysOutOfAMeasure) {
  window.right_click("column confidence");
  window.click("Left out");
  window.type("first-token+2");
  window.click("Measure this");
  settle();
  EXPECT_THAT(measures_in_table(view.measures), Contains("confidence-without-first-token+2"));
  EXPECT_FALSE(std::isnan(value_of("confidence-without-first-token+2")));
}

TEST_F(ColumnsOfMeasures, TheButtonCountsImportedColumnsToo) {
  const std::string usual = std::to_string(measures_in_table(view.measures).size());
  EXPECT_THAT(drawn_words(), ::testing::HasSubstr("Columns " + usual + " "));
  auto imported = std::make_shared<HeadColumn>();
  imported->id = "scores.csv:retrieval";
  imported->title = "retrieval";
  imported->origin = ColumnOrigin::imported;
  session.columns().set_group("test", {imported});
  const std::string more = std::to_string(measures_in_table(view.measures).size() + 1);
  EXPECT_THAT(drawn_words(), ::testing::HasSubstr("Columns " + more + " "));
}

TEST_F(ColumnsOfMeasures, TheInspectorSaysWhatChanceGivesTheHeadAndWhichZThatMakes) {
  settle();
  const std::string words = drawn_words();
  for (const char* each : {"mean, random weights", " ± ", "z, random weights", "mean, shuffled tokens", "z, shuffled tokens"})
    EXPECT_THAT(words, ::testing::HasSubstr(each));
}

}  // namespace
}  // namespace headlight

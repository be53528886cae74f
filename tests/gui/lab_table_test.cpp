// The table of labs: a further row is a further lab: listed, computed, drawn, saved.
#include "app/gui/labs/lab_table.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

struct FurtherFound {
  Index tokens = 0;
};
// Of a lab of this test's own: rows hold plain functions, so its setting stands outside them.
int kept_pace = 1;

FurtherFound run_further(const LabRequest& request) {
  return {request.snapshot->tokens()};
}

void draw_further(LabPage& page, const FurtherFound* found) {
  page.heading("A further lab", "It counts tokens.");
  name_area(found ? std::to_string(found->tokens) + " tokens found" : "nothing found yet", {500, 300, 10, 10});
}

const LabRow kFurther{Lab{"further", lab_run<run_further>},
                      "Further lab",
                      "how many tokens",
                      draw_lab<FurtherFound, draw_further>,
                      [](const LabSettings&, Json& json) { json["pace"] = kept_pace; },
                      [](const Json& json, LabSettings&) { kept_pace = json.value("pace", 1); }};

std::vector<LabRow> longer_table() {
  std::vector<LabRow> rows(all_labs().begin(), all_labs().end());
  rows.push_back(kFurther);
  return rows;
}

class LabTableTest : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    views.assign(all_views().begin(), all_views().end());
    for (ViewRow& row : views) {
      if (row.view == View::lab) row.draw = [](Panel& panel, const Box& box) { draw_labs_view(panel, box, longer_table()); };
    }
    window.draw = [this] { draw_frame(context, frame_state, views); };
    show(View::lab);
  }
  std::vector<ViewRow> views;
};

TEST_F(LabTableTest, AFurtherRowIsListedComputedAndDrawn) {
  window.click("Further lab");
  settle();
  EXPECT_EQ(view.labs.lab, kFurther.lab);
  EXPECT_TRUE(window.has(std::to_string(snapshot()->tokens()) + " tokens found"));
  window.click("Toy run");
  settle();
  EXPECT_TRUE(window.has("toy 1.4")) << "the others are drawn as before";
}

TEST(LabTable, AFurtherRowIsSavedAndRestoredWithItsSetting) {
  const std::vector<LabRow> rows = longer_table();
  LabSettings settings;
  settings.lab = kFurther.lab;
  kept_pace = 3;
  const Json json = labs_json(settings, rows);
  EXPECT_EQ(json["shown"], "further");
  EXPECT_EQ(json["pace"], 3);
  kept_pace = 1;
  EXPECT_EQ(labs_from_json(json, rows).lab, kFurther.lab);
  EXPECT_EQ(kept_pace, 3);
  EXPECT_EQ(labs_from_json(json, all_labs()).lab, Lab::attempts) << "a program without this lab starts with the first";
}

TEST(LabTable, HasNamesAndTitlesOfTheirOwn) {
  std::set<std::string_view> names, titles;
  for (const LabRow& row : all_labs()) {
    EXPECT_TRUE(names.insert(row.lab.name).second) << row.lab.name;
    EXPECT_TRUE(titles.insert(row.title).second) << row.title;
    EXPECT_NE(row.lab.run, nullptr) << row.title;
    EXPECT_NE(row.draw, nullptr) << row.title;
  }
}

}  // namespace
}  // namespace headlight::testing

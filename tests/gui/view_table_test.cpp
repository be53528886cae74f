// The table of views: a further row is a further view, wherever views are listed.
#include <gmock/gmock.h>

#include <set>

#include "app/gui/kit/region.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/script/script_player.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

constexpr View kFurther{"further"};
// The state of a view of this test's own: rows hold plain functions, so it stands outside them.
int kept_page = 1;
int rests = 0;

void draw_further(Panel& panel, const Box& box) {
  begin_region(panel.look, "Further", box, Colour{0, 0, 0, 0}, {24, kBetween});
  paragraph(panel.look, Type::body, panel.look.colours.text, "the further view");
  name_area("further picture", box);
  end_region();
}

float draw_further_menu(Panel& panel, Row row) {
  const std::array<std::string, 2> pages{"first page", "second page"};
  int page = kept_page - 1;
  if (drop_down(panel.look, row, "Page", pages, page)) kept_page = page + 1;
  return row.right - drop_down_width(panel.look, pages[static_cast<std::size_t>(page)]);
}

const ViewRow kFurtherRow{.view = kFurther,
                          .title = "Further",
                          .draw = draw_further,
                          .count = [](const Panel&) { return std::string("7"); },
                          .draw_menu = draw_further_menu,
                          .rest = [](Panel&) { ++rests; },
                          .inspected =
                              [](const Panel&) {
                                return ComparedHead{{1, 2}};
                              },
                          .figure = &kGridFigure,
                          .save = [](const ViewState&, Json& json) { json["page"] = kept_page; },
                          .restore = [](const Json& json, ViewState&) { kept_page = json.value("page", 1); }};

class ViewTable : public FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    kept_page = 1;
    rows.assign(all_views().begin(), all_views().end());
    rows.push_back(kFurtherRow);
    window.draw = [this] { draw_frame(context, frame_state, rows); };
    settle();
  }
  /// The digit of the last view: 0 is that of the tenth.
  std::string last_key() const { return std::to_string(rows.size() % 10); }
  std::vector<ViewRow> rows;
};

TEST_F(ViewTable, AFurtherRowHasATabAndIsDrawn) {
  EXPECT_FALSE(window.has("further picture"));
  window.click("Further");
  EXPECT_EQ(view.view, kFurther);
  EXPECT_TRUE(window.has("further picture"));
}

TEST_F(ViewTable, AFurtherRowHasAKey) {
  window.key(last_key());
  EXPECT_EQ(view.view, kFurther);
  window.key("1");
  EXPECT_EQ(view.view, View::overview);
}

TEST_F(ViewTable, DigitsFollowTheOrderOfTheTabs) {
  for (std::size_t place = 0; place < rows.size(); ++place) {
    window.key(std::to_string((place + 1) % 10));
    EXPECT_EQ(view.view, rows[place].view);
    const float left = place == 0 ? 0 : window.box_of(rows[place - 1].title).x;
    EXPECT_GT(window.box_of(rows[place].title).x, left);
  }
  EXPECT_EQ(key_of_view(9), ImGuiKey_0);
  EXPECT_EQ(key_of_view(10), ImGuiKey_None);
}

TEST_F(ViewTable, AFurtherRowHasAMenuThatOthersDoNotShow) {
  EXPECT_FALSE(window.has("Page"));
  window.click("Further");
  window.click("Page");
  window.click("second page");
  EXPECT_EQ(kept_page, 2);
}

TEST_F(ViewTable, AFurtherRowLetsGoOfWhatItHoldsWhileItIsNotShown) {
  const int before = rests;
  window.frame();
  EXPECT_GT(rests, before);
  window.click("Further");
  const int shown = rests;
  window.frame(3);
  EXPECT_EQ(rests, shown);
}

TEST_F(ViewTable, AFurtherRowIsSavedAndRestoredWithItsOwnState) {
  window.click("Further");
  kept_page = 2;
  const Json json = to_json(view, rows);
  EXPECT_EQ(json["view"], "further");
  EXPECT_EQ(json["page"], 2);
  kept_page = 1;
  EXPECT_EQ(view_from_json(json, rows).view, kFurther);
  EXPECT_EQ(kept_page, 2);
  EXPECT_EQ(view_from_json(json, all_views()).view, View::overview) << "a program without this view starts with the first";
}

TEST_F(ViewTable, AFurtherRowSaysWhichHeadIsInspectedAndWhichFigureIsExported) {
  show(View::head);
  EXPECT_FALSE(window.has("Head 1.2"));
  window.key("ctrl+e");
  EXPECT_EQ(dialogs.figure_export.kind, &kHeatmapFigure);
  window.key("escape");
  window.click("Further");
  EXPECT_TRUE(window.has("Head 1.2"));
  window.key("ctrl+e");
  EXPECT_EQ(dialogs.figure_export.kind, &kGridFigure);
}

TEST_F(ViewTable, AFurtherRowThatHasNothingToShowOfAModelSaysWhy) {
  rows.back().absence = [](const Panel&) { return std::optional(Absence{"Nothing further", "This model has no further picture.", 300}); };
  window.click("Further");
  EXPECT_FALSE(window.has("further picture"));
  rows.back().absence = [](const Panel&) { return std::optional<Absence>(); };
  EXPECT_TRUE(window.has("further picture"));
}

/// What a script asks for besides input, of a window without a display.
class Host final : public ScriptHost {
 public:
  bool is_idle() override { return true; }
  void resize(int /*width*/, int /*height*/) override {}
  void drop(const std::string& /*path*/) override {}
  void light(std::optional<Box> /*place*/) override {}
  void write_screenshot(const std::filesystem::path& /*path*/) override {}
  void write_state(const std::filesystem::path& /*path*/) override {}
  std::vector<std::string> view_titles() override { return {"Head", "Further"}; }
};

TEST_F(ViewTable, AFurtherRowIsReachedByAScript) {
  Host host;
  ScriptPlayer player(parse_script("click Further\nexpect \"further picture\"\nkey 1\nkey " + last_key() + "\nexpect Page\n", "a.script"),
                      host, window.items);
  while (player.before_frame()) {
    window.frame();
    player.after_drawing();
    player.after_present();
  }
  EXPECT_EQ(view.view, kFurther);
}

TEST_F(ViewTable, ABenchmarkOfTheViewsMeasuresEachAndOneOfKeysTypesThem) {
  Host host;
  ScriptPlayer player(parse_script("bench-views 2 frames\nclick Sentence\nkey end\nbench-keys 3 keys\n", "a.script"), host, window.items);
  const std::string before = document().query.text;
  ::testing::internal::CaptureStdout();
  while (player.before_frame()) {
    window.frame();
    player.after_drawing();
    player.after_present();
  }
  const std::string lines = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(view.view, kFurther);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3) << lines;
  EXPECT_THAT(
      lines, ::testing::AllOf(::testing::HasSubstr("Head: frames"), ::testing::HasSubstr("Further: frames"), ::testing::HasSubstr("keys")));
  EXPECT_EQ(document().query.text.size(), before.size() + 3);
}

TEST_F(ViewTable, ABenchmarkOfMovementsTurnsTheWheelOrDragsWhatIsHeld) {
  Host host;
  ScriptPlayer player(parse_script("press 300,200\nbench-drag 8 200 drag\nrelease\nbench-wheel 6 wheel\n", "a.script"), host, window.items);
  ::testing::internal::CaptureStdout();
  float farthest = 300, lowest = 0;
  bool was_held = false;
  window.draw = [&, draw = window.draw] {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseDown[0]) farthest = std::min(farthest, io.MousePos.x);
    was_held = was_held || (io.MouseDown[0] && io.MousePos.x < 200);
    lowest = std::min(lowest, io.MouseWheel);
    draw();
  };
  while (player.before_frame()) {
    window.frame();
    player.after_drawing();
    player.after_present();
  }
  const std::string lines = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(lines, ::testing::AllOf(::testing::HasSubstr("drag "), ::testing::HasSubstr("wheel ")));
  EXPECT_NEAR(farthest, 100, 1);
  EXPECT_TRUE(was_held);
  EXPECT_LT(lowest, 0);
}

TEST(Views, HaveNamesAndTitlesOfTheirOwn) {
  std::set<std::string_view> names, titles;
  for (const ViewRow& row : all_views()) {
    EXPECT_TRUE(names.insert(row.view.name).second) << row.view.name;
    EXPECT_TRUE(titles.insert(row.title).second) << row.title;
    EXPECT_NE(row.draw, nullptr) << row.title;
  }
}

}  // namespace
}  // namespace headlight::testing

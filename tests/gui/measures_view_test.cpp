// Measures: the table, its filters, the scatter plot, the brush, columns from files; and the Overview ordered by them.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/document/wording.h"
#include "app/gui/columns/arranged_heads.h"
#include "app/gui/columns/brush.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/views/measures/head_table.h"
#include "app/gui/views/measures/scatter_plot.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;

class MeasuresWindow : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    show(View::measures);
  }
  /// Names of the heads in the table, from top to bottom.
  std::vector<std::string> rows() {
    window.frame();
    std::vector<std::pair<float, std::string>> found;
    for (const DrawnItem& item : window.items.items()) {
      if (item.label.starts_with("row ") && item.window.find("rows") != std::string::npos)
        found.emplace_back(item.box.y, item.label.substr(4));
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (const auto& [y, name] : found) names.push_back(name);
    return names;
  }
  double value(const std::string& id, const std::string& head) {
    const auto found = session.text_columns().ask(snapshot(), measures_in_table(view.measures));
    const HeadColumn* column = find_column(found->columns, id);
    if (column == nullptr) return std::numeric_limits<double>::quiet_NaN();
    return column->values.of({head[0] - '0', head[2] - '0'});
  }
  std::string all_heads(const char* columns, const char* values) {
    std::string text = std::string("layer,head,") + columns + "\n";
    for (int layer = 0; layer < snapshot()->layers(); ++layer) {
      for (int head = 0; head < snapshot()->heads(layer); ++head)
        text += fmt::format("{},{},{}\n", layer, head, fmt::format(fmt::runtime(values), layer * 10 + head));
    }
    return text;
  }
  testing::TemporaryFolder folder;
};

TEST_F(MeasuresWindow, HasARowForEveryHeadAndAColumnForEveryUsualMeasure) {
  EXPECT_EQ(rows().size(), snapshot()->all_heads().size());
  EXPECT_TRUE(window.has("column normalised-entropy"));
  EXPECT_TRUE(window.has("histogram normalised-entropy"));
}

TEST_F(MeasuresWindow, AClickOnAHeadingSortsAnotherTurnsItRoundAThirdGoesBackToLayers) {
  const std::vector<std::string> by_layer = rows();
  window.click("column normalised-entropy");
  std::vector<std::string> sorted = rows();
  EXPECT_NE(sorted, by_layer);
  for (std::size_t i = 1; i < sorted.size(); ++i)
    EXPECT_GE(value("normalised-entropy", sorted[i - 1]), value("normalised-entropy", sorted[i]));
  window.click("column normalised-entropy");
  sorted = rows();
  for (std::size_t i = 1; i < sorted.size(); ++i)
    EXPECT_LE(value("normalised-entropy", sorted[i - 1]), value("normalised-entropy", sorted[i]));
  window.click("column normalised-entropy");
  EXPECT_EQ(rows(), by_layer);
}

TEST_F(MeasuresWindow, WithShiftAHeadingIsASecondOrder) {
  window.click("column normalised-entropy");
  window.feed.click(window.centre_of("column confidence"), ImGuiMouseButton_Left, 1, ImGuiMod_Shift);
  window.play();
  EXPECT_EQ(view.measures.sorts, (std::vector<ColumnSort>{{"normalised-entropy"}, {"confidence"}}));
}

TEST_F(MeasuresWindow, DraggingInAHistogramShowsOnlyTheHeadsOfTheRangeAndAClickAllAgain) {
  const std::size_t all = rows().size();
  const Box bars = window.box_of("histogram normalised-entropy");
  window.drag({bars.x + bars.width * 0.6F, bars.y + 8}, {bars.right() - 0.5F, bars.y + 8});
  ASSERT_EQ(view.measures.ranges.size(), 1U);
  const std::vector<std::string> some = rows();
  EXPECT_LT(some.size(), all);
  for (const std::string& head : some) EXPECT_TRUE(view.measures.ranges[0].contains(value("normalised-entropy", head))) << head;
  EXPECT_TRUE(window.has("Show all"));
  window.click("histogram normalised-entropy");
  EXPECT_TRUE(view.measures.ranges.empty());
  EXPECT_EQ(rows().size(), all);
}

TEST_F(MeasuresWindow, ARangeCanBeTypedInTheMenuOfAColumn) {
  window.right_click("column confidence");
  window.click("Range");
  window.type("> 0.3");
  ASSERT_EQ(view.measures.ranges.size(), 1U);
  EXPECT_EQ(view.measures.ranges[0], *parse_range("> 0.3", "confidence"));
  window.key("escape");
  window.key("escape");
  for (const std::string& head : rows()) EXPECT_GT(value("confidence", head), 0.3);
}

TEST_F(MeasuresWindow, ClicksOnRowsBrushAndEscClearsTheBrushInAnyView) {
  window.click("row 0.1");
  EXPECT_EQ(view.brushed, (std::set<HeadId>{{0, 1}}));
  EXPECT_EQ(view.head, (HeadId{0, 1}));
  window.ctrl_click("row 1.0");
  EXPECT_EQ(view.brushed, (std::set<HeadId>{{0, 1}, {1, 0}}));
  window.feed.click(window.centre_of("row 1.2"), ImGuiMouseButton_Left, 1, ImGuiMod_Shift);
  window.play();
  EXPECT_EQ(view.brushed, (std::set<HeadId>{{1, 0}, {1, 1}, {1, 2}})) << "from the last click to this one";
  EXPECT_TRUE(window.has("Brushed heads")) << "the strip says so";
  show(View::head);
  window.key("escape");
  EXPECT_TRUE(view.brushed.empty());
}

TEST_F(MeasuresWindow, ADragInTheScatterPlotBrushesTheHeadsInIt) {
  const Box plot = window.box_of("Scatter plot");
  window.drag({plot.x + 1, plot.y + 1}, {plot.right() - 1, plot.bottom() - 1});
  EXPECT_EQ(view.brushed.size(), snapshot()->all_heads().size()) << "all of it";
  window.click({plot.x + 2, plot.y + 2});
  window.click("row 0.0");
  EXPECT_EQ(view.brushed.size(), 1U);
}

TEST_F(MeasuresWindow, BrushedHeadsAreMarkedInTheOverviewAndInTheTitleOfHead) {
  std::map<std::string, Scene> painted;
  window.painter.watch([&](const Scene& scene, std::string_view name) { painted[std::string(name)] = scene; });
  const auto frames = [&] {
    return std::count_if(painted["overview"].items.begin(), painted["overview"].items.end(), [](const SceneItem& item) {
      const auto* box = std::get_if<SceneBox>(&item);
      return box != nullptr && box->stroke_width == 1.5F && box->stroke == palette(Theme::dark).text_second;
    });
  };
  show(View::overview);
  const auto before = frames();
  view.brushed = {{0, 1}, {2, 3}};
  settle();
  EXPECT_EQ(frames(), before + 2);
  view.head = {2, 3};
  show(View::head);
  bool is_said = false;
  for (const SceneItem& item : painted["head"].items) {
    const auto* text = std::get_if<SceneText>(&item);
    is_said = is_said || (text != nullptr && text->text.find("brushed") != std::string::npos);
  }
  EXPECT_TRUE(is_said);
}

TEST_F(MeasuresWindow, CtrlCCopiesTheTableOrTheBrushedRowsWithEveryDigit) {
  window.key("ctrl+c");
  const std::string all = ImGui::GetClipboardText();
  EXPECT_EQ(static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')), snapshot()->all_heads().size() + 1);
  EXPECT_TRUE(all.starts_with("layer\thead\tnormalised-entropy\t")) << all.substr(0, 60);
  view.brushed = {{1, 1}};
  window.key("ctrl+c");
  const std::string one = ImGui::GetClipboardText();
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 2);
  EXPECT_THAT(one, HasSubstr(fmt::format("\n1\t1\t{}\t", value("normalised-entropy", "1.1"))));
}

TEST_F(MeasuresWindow, ArrowsWalkThroughTheRowsEnterOpensTheHeadAndPPinsWhatIsBrushed) {
  window.click("column normalised-entropy");
  const std::vector<std::string> sorted = rows();
  window.click("row " + sorted[0]);
  window.key("down");
  EXPECT_EQ(short_name(view.head), sorted[1]);
  view.brushed = {{0, 2}, {1, 2}};
  window.key("p");
  EXPECT_EQ(document().pins.size(), 2U);
  window.key("p");
  EXPECT_TRUE(document().pins.empty());
  window.key("enter");
  EXPECT_EQ(view.view, View::head);
}

TEST_F(MeasuresWindow, ColumnsAreChosenFromAListOfAllMeasuresEachAlsoWithoutTheFirstToken) {
  window.click("Columns");
  window.click("show entropy");
  window.click("show entropy-without-first-token");
  window.key("escape");
  settle();
  const auto has = [&](const std::string& id) {
    const std::vector<std::string> ids = measures_in_table(view.measures);
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  EXPECT_TRUE(has("entropy"));
  EXPECT_TRUE(has("entropy-without-first-token"));
  EXPECT_FALSE(std::isnan(value("entropy", "1.1")));
}

TEST_F(MeasuresWindow, LongHeadingsTakeThreeLinesAndAreNotCut) {
  view.measures.columns = {"induction-lift", "duplicate-lift", "positional-previous", "mean-distance", "entropy-without-first-token"};
  settle();
  window.items.watch_texts();
  window.frame(2);
  for (const DrawnText& text : window.items.texts()) {
    if (text.window.find("Table of heads") != std::string::npos) {
      EXPECT_EQ(text.text.find("…"), std::string::npos) << text.text;
    }
  }
}

TEST_F(MeasuresWindow, ADroppedTableOfScoresBecomesColumnsThatCanBeRemoved) {
  context.dropped_paths = {folder.file("mine.csv", all_heads("retrieval", "0.{}")).string()};
  settle();
  EXPECT_TRUE(window.has("column mine.csv:retrieval"));
  EXPECT_EQ(view.view, View::measures);
  window.items.watch_texts();
  window.frame(2);
  const auto says = [&](const char* words) {
    return std::any_of(window.items.texts().begin(), window.items.texts().end(),
                       [&](const DrawnText& text) { return text.text.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(says("hints, not findings · 1 column imported, not of this text"));
  const ViewState again = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(again.measures.imports, view.measures.imports) << "the document knows where it is";
  window.click("Columns");
  window.click("remove mine.csv");
  window.key("escape");
  settle();
  EXPECT_FALSE(window.has("column mine.csv:retrieval"));
}

TEST_F(MeasuresWindow, HeadingsOfAnImportedTableCanBeToldApart) {
  std::string table = "layer,head,previous-token-mine,previous-token-theirs,previous-token-of-the-first,previous-token-of-the-second\n";
  for (int layer = 0; layer < snapshot()->layers(); ++layer) {
    for (int head = 0; head < snapshot()->heads(layer); ++head) table += fmt::format("{},{},0.1,0.2,0.3,0.4\n", layer, head);
  }
  context.dropped_paths = {folder.file("mine.csv", table).string()};
  settle();
  window.items.watch_texts();
  window.frame(2);
  std::set<std::string> headings;
  for (const char* id : {"previous-token-mine", "previous-token-theirs", "previous-token-of-the-first", "previous-token-of-the-second"}) {
    const Box box = window.box_of("column mine.csv:" + std::string(id));
    std::string words;
    for (const DrawnText& text : window.items.texts()) {
      const bool is_inside = std::all_of(text.corners.begin(), text.corners.end(), [&](const ImVec2& corner) {
        return corner.x >= box.x && corner.x <= box.right() && corner.y >= box.y && corner.y <= box.bottom();
      });
      if (is_inside) words += text.text;
    }
    EXPECT_EQ(words, id) << "all of it, in some lines";
    headings.insert(words);
  }
  EXPECT_EQ(headings.size(), 4U);
}

TEST_F(MeasuresWindow, AWrongTableIsRefusedWithItsLineAndLeavesNothing) {
  context.dropped_paths = {folder.file("wrong.csv", "layer,head,a\n0,0,1\n0,99,1\n").string()};
  settle();
  EXPECT_THAT(view.notes.banner, HasSubstr("wrong.csv"));
  EXPECT_THAT(view.notes.banner, HasSubstr("line 3"));
  EXPECT_TRUE(view.measures.imports.empty());
}

TEST_F(MeasuresWindow, TheInspectorDefinesTheColumnAndSaysWhatChanceGives) {
  view.measures.explained = "previous-token";
  settle();
  const ShownColumns shown{.columns = session.text_columns().ask(snapshot(), measures_in_table(view.measures))->columns, .note = {}};
  EXPECT_EQ(explained_column(view.measures, shown)->id, "previous-token");
  ASSERT_TRUE(session.chance_columns().ask(snapshot(), measures_in_table(view.measures))) << "a small model is drawn without asking";
}

TEST_F(MeasuresWindow, WhatIsSetComesBackWithTheNextStart) {
  view.measures.columns = {"entropy", "confidence"};
  view.measures.sorts = {{"entropy", true}, {"confidence", false}};
  view.measures.ranges = {*parse_range("> 0.25", "entropy"), *parse_range("0.1 … 0.5", "confidence")};
  view.measures.across = "confidence";
  view.measures.scatter = Fold::folded;
  view.overview.arrangement = {.sort = ColumnSort{"entropy", true}, .ranges = {*parse_range("< 2", "entropy")}, .tint = "confidence"};
  const ViewState again = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(again.measures.columns, view.measures.columns);
  EXPECT_EQ(again.measures.sorts, view.measures.sorts);
  EXPECT_EQ(again.measures.ranges, view.measures.ranges);
  EXPECT_EQ(again.measures.across, "confidence");
  EXPECT_EQ(again.measures.scatter, Fold::folded);
  EXPECT_EQ(again.overview.arrangement, view.overview.arrangement);
  const Json broken{{"measures", {{"columns", {"no-such-measure", 3, "entropy"}}, {"sorts", "x"}, {"filters", {{{"column", 1}}}}}}};
  const ViewState sound = view_from_json(broken, all_views());
  EXPECT_EQ(sound.measures.columns, std::vector<std::string>{"entropy"});
  EXPECT_TRUE(sound.measures.ranges.empty());
}

class ArrangedOverview : public MeasuresWindow {
 protected:
  void SetUp() override {
    MeasuresWindow::SetUp();
    show(View::overview);
  }
  /// Heads in reading order.
  std::vector<std::string> tiles() {
    window.frame();
    std::vector<std::pair<std::pair<float, float>, std::string>> found;
    for (const DrawnItem& item : window.items.items()) {
      if (item.label.starts_with("head ")) found.push_back({{item.box.y, item.box.x}, item.label.substr(5)});
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (const auto& each : found) names.push_back(each.second);
    return names;
  }
};

TEST_F(ArrangedOverview, StandsInTheOrderOfAMeasureAndGoesBackToLayersInOneClick) {
  const std::vector<std::string> by_layer = tiles();
  view.overview.arrangement = {.sort = ColumnSort{"confidence"}, .ranges = {}, .tint = "confidence"};
  settle();
  const std::vector<std::string> ordered = tiles();
  ASSERT_EQ(ordered.size(), by_layer.size());
  EXPECT_NE(ordered, by_layer);
  for (std::size_t i = 1; i < ordered.size(); ++i) EXPECT_GE(value("confidence", ordered[i - 1]), value("confidence", ordered[i]));
  window.click("Reset");
  EXPECT_EQ(tiles(), by_layer);
  EXPECT_EQ(view.overview.arrangement, HeadArrangement{});
}

TEST_F(ArrangedOverview, LeavesOutWhatItsFilterDoesAndSaysHowMany) {
  const std::size_t all = tiles().size();
  view.overview.arrangement = {.sort = std::nullopt, .ranges = {*parse_range("> 0.5", "normalised-entropy")}, .tint = ""};
  settle();
  const std::vector<std::string> some = tiles();
  for (const std::string& head : some) EXPECT_GT(value("normalised-entropy", head), 0.5) << head;
  const auto passing = [&] {
    std::size_t count = 0;
    for (const HeadId head : snapshot()->all_heads()) count += value("normalised-entropy", short_name(head)) > 0.5 ? 1U : 0U;
    return count;
  };
  EXPECT_EQ(some.size(), passing());
  ArrangedHeads arranged;
  arranged.heads.resize(some.size());
  arranged.all = all;
  EXPECT_THAT(arrangement_text(arranged, view.overview.arrangement), HasSubstr(fmt::format("{} of {} heads shown", some.size(), all)));
}

TEST_F(ArrangedOverview, ThePaletteOrdersItAndResetsIt) {
  window.key("ctrl+p");
  window.type("overview by mean distance");
  window.key("enter");
  settle();
  ASSERT_TRUE(view.overview.arrangement.sort);
  EXPECT_EQ(view.overview.arrangement.sort->column, "mean-distance");
  window.key("ctrl+p");
  window.type("overview by layer");
  window.key("enter");
  settle();
  EXPECT_FALSE(view.overview.arrangement.sort);
}

TEST_F(ArrangedOverview, OfAnEncoderAndADecoderAndOfMapsFromAFileStandsInOrderToo) {
  view.overview.arrangement = {.sort = ColumnSort{"confidence"}, .ranges = {}, .tint = "confidence"};
  Document next = document();
  next.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
  next.query.text = "The cat sat on the mat";
  next.query.decoder_text = "Die Katze sass da";
  session.apply(next, false, false);
  settle();
  EXPECT_EQ(tiles().size(), 24U);
  show(View::measures);
  EXPECT_FALSE(rows().empty());
  write_npz(folder / "heads.npz",
            std::vector<TensorToWrite>{{"attention.0", {3, 2, 2}, std::vector<float>{1, 0, 0.5F, 0.5F, 1, 0, 0, 1, 1, 0, 0.25F, 0.75F}},
                                       {"attention.1", {1, 2, 2}, std::vector<float>{1, 0, 0.5F, 0.5F}}},
            {{"tokens", R"(["a", "b"])"}});
  context.dropped_paths = {(folder / "heads.npz").string()};
  settle();
  EXPECT_EQ(rows().size(), 4U);
  show(View::overview);
  EXPECT_EQ(tiles().size(), 4U);
}

TEST(TablePlan, ShowsWholeColumnsAndScrollsByColumns) {
  const TablePlan all = plan_table(1000, 90, 80, 5, 0);
  EXPECT_EQ(all.shown, 5);
  const TablePlan some = plan_table(500, 90, 80, 20, 0);
  EXPECT_EQ(some.shown, 4);
  EXPECT_LE(some.left_of(some.first + some.shown), 500);
  const TablePlan last = plan_table(500, 90, 80, 20, some.content_width());
  EXPECT_EQ(last.first + last.shown, 20);
  EXPECT_EQ(plan_table(500, 90, 80, 20, some.column_width * 3).first, 3);
  EXPECT_EQ(plan_table(50, 90, 80, 20, 0).shown, 1);
  EXPECT_EQ(plan_table(500, 90, 80, 0, 0).shown, 0);
}

TEST(ScatterTicks, AreRoundAndNotTooMany) {
  EXPECT_THAT(round_ticks(0, 1, 5), ::testing::Pointwise(::testing::DoubleNear(1e-12), std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1}));
  EXPECT_TRUE(round_ticks(1, 1, 5).empty());
  for (const double high : {0.013, 1.7, 42.0, 9e4}) {
    const std::vector<double> ticks = round_ticks(0, high, 6);
    EXPECT_GE(ticks.size(), 2U);
    EXPECT_LE(ticks.size(), 7U);
  }
}

}  // namespace
}  // namespace headlight

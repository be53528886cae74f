// One selection in every view: what is pinned and pointed at, what is copied of it, and what the context menu does with it.
#include <fmt/core.h>

#include <sstream>

#include "app/document/subjects.h"
#include "app/gui/panel/focus.h"
#include "app/gui/selection/copying.h"
#include "app/gui/selection/menu_entries.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

/// 200 short words, and a sandbox that is small enough for them.
class LongText : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    Document small = document();
    small.query.model.sandbox = {.layers = 2, .d_model = 16, .heads = 2};
    small.query.text.clear();
    for (int word = 0; word < 200; ++word) small.query.text += (word > 0 ? " w" : "w") + std::to_string(word % 9);
    session.apply(small, false, false);
    settle();
    ASSERT_GE(snapshot()->tokens(), 200);
  }
  bool sees(const char* label) {
    window.frame(3);
    for (const DrawnItem& item : window.items.items()) {
      if (item.label == label && item.box.width > 1) return true;
    }
    return false;
  }
};

class Selection : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.items.watch_texts();
    show(View::head);
  }
  bool says(const std::string& text) {
    window.frame(2);
    for (const DrawnText& each : window.items.texts()) {
      if (each.text.find(text) != std::string::npos) return true;
    }
    return false;
  }
  void open_cell_menu(Cell cell) {
    window.feed.click(window.cell_of("map", cell), ImGuiMouseButton_Right);
    window.play();
  }
  /// Undo leads back to `before` in one step.
  void expect_one_step(const Document& before, const std::string& words) {
    settle();
    EXPECT_EQ(session.history().undo_label(), words);
    session.undo();
    settle();
    EXPECT_EQ(document(), before);
  }
  const HeadMaps& maps() { return *session.worker().maps(snapshot(), view.head); }
};

/// The cells of a copied table, line by line.
std::vector<std::vector<std::string>> copied_table() {
  std::vector<std::vector<std::string>> table;
  std::istringstream lines(ImGui::GetClipboardText());
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& cells = table.emplace_back();
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, '\t');) cells.push_back(cell);
  }
  return table;
}

TEST_F(LongText, TheStripScrollsToATokenThatIsPinnedOutOfSight) {
  ASSERT_FALSE(sees("token 150"));
  view.pinned_query = TokenPlace{Side::text, 150};
  EXPECT_TRUE(sees("token 150"));
  view.pinned_query = TokenPlace{Side::text, 3};
  EXPECT_TRUE(sees("token 3"));
  EXPECT_FALSE(sees("token 150"));
}

TEST_F(LongText, TheStripStaysWhereAPersonScrollsItUntilTheChipIsClicked) {
  view.pinned_query = TokenPlace{Side::text, 150};
  ASSERT_TRUE(sees("token 150"));
  window.hover("token 150");
  for (int turn = 0; turn < 200; ++turn) window.wheel(1);
  EXPECT_FALSE(sees("token 150"));
  window.click("Pinned row");
  EXPECT_TRUE(sees("token 150"));
  EXPECT_TRUE(view.pinned_query.has_value());
}

TEST_F(LongText, AZoomedMapMovesToTheRowThatIsPinnedAndThenStays) {
  show(View::head);
  view.head_page.zoom = {10, 30, 0, 20};
  view.pinned_query = TokenPlace{Side::text, 20};
  window.frame(2);
  EXPECT_EQ(view.head_page.zoom, (CellWindow{10, 30, 0, 20})) << "it is in sight";
  view.pinned_query = TokenPlace{Side::text, 150};
  window.frame(2);
  EXPECT_LE(view.head_page.zoom.row_begin, 150);
  EXPECT_GE(view.head_page.zoom.row_end, 151);
  EXPECT_FLOAT_EQ(view.head_page.zoom.row_end - view.head_page.zoom.row_begin, 20);
  view.head_page.zoom = {10, 30, 0, 20};
  window.frame(2);
  EXPECT_EQ(view.head_page.zoom, (CellWindow{10, 30, 0, 20})) << "a person moved it away";
}

TEST_F(LongText, TheRowProfileFoldsTheRestAndSaysItsMass) {
  show(View::head);
  view.pinned_query = TokenPlace{Side::text, 150};
  settle();
  window.items.watch_texts();
  window.frame(2);
  const HeadMaps& maps = *session.worker().maps(snapshot(), view.head);
  const std::vector<Index> keys = largest_keys(maps, 150, 500);
  double top = 0, all = 0;
  for (std::size_t place = 0; place < keys.size(); ++place) {
    all += static_cast<double>(maps.weights(150, keys[place]));
    if (place < 8) top += static_cast<double>(maps.weights(150, keys[place]));
  }
  const auto says = [&](const std::string& text) {
    return std::any_of(window.items.texts().begin(), window.items.texts().end(), [&](const DrawnText& each) { return each.text == text; });
  };
  EXPECT_TRUE(says(fmt::format("{} more", keys.size() - 8)));
  EXPECT_TRUE(says(weight_text(all - top)));
  EXPECT_TRUE(window.has(fmt::format("Profile key {}", keys[7])));
  EXPECT_FALSE(window.has(fmt::format("Profile key {}", keys[8])));
  window.click("Rest of the row");
  EXPECT_TRUE(window.has(fmt::format("Profile key {}", keys[8])));
}

TEST_F(LongText, PositionsStandUnderTheTokensOfTheStrip) {
  window.items.watch_texts();
  window.frame(2);
  const auto in_strip = [&](const std::string& text) {
    return std::any_of(window.items.texts().begin(), window.items.texts().end(),
                       [&](const DrawnText& each) { return each.text == text && each.window.find("Token strip") != std::string::npos; });
  };
  EXPECT_TRUE(in_strip("0"));
  EXPECT_TRUE(in_strip("7"));
  say("a few words");
  window.frame(2);
  EXPECT_FALSE(in_strip("1"));
}

TEST_F(Selection, AChipSaysWhatIsPinnedAndItsCrossReleasesIt) {
  EXPECT_FALSE(window.has("Pinned row"));
  window.click("token 6");
  const std::string name = caches.pictures.query_names(0)[6];
  EXPECT_TRUE(says("row 6 “" + name + "”"));
  window.click("Release pin");
  EXPECT_FALSE(view.pinned_query.has_value());
  EXPECT_FALSE(session.history().can_undo());
}

TEST_F(Selection, PinnedAndHoveredAreToldApartAndPinnedWins) {
  view.pinned_query = TokenPlace{Side::text, 5};
  window.hover("token 3");
  const std::shared_ptr<const Snapshot> shown = snapshot();
  Document draft = document();
  const Look look{palette(Theme::dark), window.fonts};
  const Panel panel{context, shown, session.worker().status(), draft, view, caches, look, all_views()};
  EXPECT_EQ(mark_of_query(panel, 0, 5), Mark::pinned);
  EXPECT_EQ(mark_of_query(panel, 0, 3), Mark::hovered);
  EXPECT_EQ(mark_of_key(panel, 0, 3), Mark::hovered);
  EXPECT_EQ(mark_of_key(panel, 0, 5), Mark::none) << "only rows are pinned";
  view.pointed.token = TokenPlace{Side::text, 5};
  EXPECT_EQ(mark_of_query(panel, 0, 5), Mark::pinned);
  EXPECT_EQ(mark_of_head(panel, view.head), Mark::pinned);
}

TEST_F(Selection, AKeyOfTheRowProfileIsPointedAtInEveryView) {
  window.click("token 6");
  window.hover(ImVec2(1, 1));
  const std::vector<Index> keys = largest_keys(maps(), 6, 2);
  window.hover(fmt::format("Profile key {}", keys[1]));
  EXPECT_EQ(view.pointed.token, (TokenPlace{Side::text, keys[1]}));
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 6}));
}

TEST_F(Selection, CtrlCCopiesTheCellUnderThePointer) {
  window.hover(window.cell_of("map", {5, 2}));
  window.key("ctrl+c");
  const auto table = copied_table();
  ASSERT_EQ(table.size(), 2U);
  ASSERT_EQ(table[0].size(), table[1].size());
  EXPECT_EQ(table[0].front(), "query position");
  EXPECT_EQ(table[1].front(), "5");
  EXPECT_EQ(table[0].back(), "weight");
  EXPECT_EQ(std::stof(table[1].back()), maps().weights(5, 2)) << "no digit is lost";
  EXPECT_TRUE(says("copied: cell"));
}

TEST_F(Selection, CtrlCCopiesThePinnedRow) {
  window.click("token 6");
  window.hover(ImVec2(1, 1));
  window.key("ctrl+c");
  const auto table = copied_table();
  EXPECT_EQ(table.front(), (std::vector<std::string>{"rank", "position", "token", "weight", "cumulative"}));
  const std::vector<Index> keys = largest_keys(maps(), 6, 100);
  ASSERT_EQ(table.size(), keys.size() + 1);
  for (std::size_t place = 0; place < keys.size(); ++place) {
    EXPECT_EQ(table[place + 1][0], std::to_string(place + 1));
    EXPECT_EQ(table[place + 1][1], std::to_string(keys[place]));
    EXPECT_EQ(std::stof(table[place + 1][3]), maps().weights(6, keys[place]));
  }
  EXPECT_NEAR(std::stod(table.back()[4]), 1, 1e-5);
  EXPECT_TRUE(says("copied: row 6"));
}

TEST_F(Selection, CtrlCCopiesTheMapThatIsShown) {
  window.hover(ImVec2(1, 1));
  view.head_page.stage = Stage::scores;
  settle();
  window.key("ctrl+c");
  settle();
  const auto table = copied_table();
  const auto tokens = static_cast<std::size_t>(snapshot()->tokens());
  ASSERT_EQ(table.size(), tokens + 1);
  ASSERT_EQ(table[0].size(), tokens + 1);
  EXPECT_EQ(table[0][3], caches.pictures.key_names(0)[2]);
  EXPECT_EQ(table[4][0], caches.pictures.query_names(0)[3]);
  EXPECT_EQ(std::stof(table[4][3]), maps().scores(3, 2));
  EXPECT_TRUE(says("copied: scores of head 0.0"));
}

TEST_F(Selection, ATextBoxKeepsItsOwnCtrlC) {
  window.key("ctrl+l");
  window.key("ctrl+a");
  window.key("ctrl+c");
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), document().query.text);
}

TEST_F(Selection, TheMenuOfACellPinsItsRowAndReleasesIt) {
  open_cell_menu({5, 2});
  window.click("Pin row");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 5}));
  open_cell_menu({5, 2});
  window.click("Release row");
  EXPECT_FALSE(view.pinned_query.has_value());
}

TEST_F(Selection, TheMenuMasksACellARowAndAColumnInOneStepEach) {
  const Document before = document();
  const auto mask = [&]() -> const Mask& { return snapshot()->trace.layer(0).mask(0); };
  open_cell_menu({5, 2});
  window.click("Mask cell");
  settle();
  EXPECT_FALSE(mask().allows(5, 2));
  EXPECT_TRUE(mask().allows(5, 1));
  open_cell_menu({5, 2});
  EXPECT_TRUE(window.has("Allow cell")) << "it is masked now";
  window.key("escape");
  expect_one_step(before, "mask 1 cell");
  open_cell_menu({5, 2});
  window.click("Mask row");
  settle();
  for (Index key = 0; key < 6; ++key) EXPECT_FALSE(mask().allows(5, key));
  expect_one_step(before, "mask row 5");
  open_cell_menu({5, 2});
  window.click("Mask column");
  settle();
  for (Index query = 0; query < snapshot()->tokens(); ++query) EXPECT_FALSE(mask().allows(query, 2));
  expect_one_step(before, "mask column 2");
}

TEST_F(Selection, TheMenuOfAHeadSwitchesItOffPinsAndOpensIt) {
  show(View::overview);
  const Document before = document();
  window.right_click("head 2.5");
  EXPECT_FALSE(window.has("Pin row")) << "a head has no row";
  window.click("Switch head off");
  settle();
  EXPECT_EQ(document().query.switched_off, (std::vector<HeadId>{{2, 5}}));
  expect_one_step(before, "switch off layer 2 head 5");
  window.right_click("head 2.5");
  window.click("Pin to Compare");
  EXPECT_EQ(document().pins, (std::vector<Pin>{{{2, 5}}}));
  window.right_click("head 2.5");
  window.click("Unpin from Compare");
  EXPECT_TRUE(document().pins.empty());
  window.right_click("head 2.5");
  window.click("Open in Head");
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, (HeadId{2, 5}));
}

TEST_F(Selection, ExplainThisSaysItInSentencesWithTheNumbers) {
  open_cell_menu({5, 2});
  window.click("Explain this");
  EXPECT_TRUE(window.has("Explained"));
  EXPECT_TRUE(says(percent_text(static_cast<double>(maps().weights(5, 2))).substr(0, 2)));
  window.key("escape");
  EXPECT_FALSE(window.has("Explained"));
  window.right_click("token 4");
  window.click("Explain this");
  EXPECT_TRUE(window.has("Explained"));
}

TEST_F(Selection, TheKeyboardOpensTheMenuAndChoosesFromIt) {
  window.click("token 6");
  window.hover(ImVec2(1, 1));
  window.key("shift+f10");
  ASSERT_TRUE(window.has("Release row"));
  window.key("down");
  window.key("enter");
  EXPECT_EQ(copied_table().front().front(), "rank") << "the second entry of a token copies its row";
  EXPECT_FALSE(window.has("Copy row"));
}

TEST_F(Selection, ARightDragMovesTheMapAndOpensNoMenu) {
  view.head_page.zoom = {2, 6, 1, 5};
  const ImVec2 from = window.cell_of("map", {4, 3});
  window.feed.move(from);
  window.feed.then([] { ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Right, true); });
  window.feed.move({from.x - 60, from.y - 60});
  window.feed.then([] { ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Right, false); });
  window.play();
  EXPECT_FALSE(window.has("Explain this"));
  EXPECT_NE(view.head_page.zoom, (CellWindow{2, 6, 1, 5}));
}

/// Maps from a file: nothing can be edited.
class DumpSelection : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    std::vector<float> maps(9, 0);
    for (std::size_t row = 0; row < 3; ++row) maps[3 * row + row] = 1;
    write_npz(folder_ / "maps.npz", std::vector<TensorToWrite>{{"attentions", {1, 1, 3, 3}, maps}},
              {{"tokens", R"(["a", "b", "c"])"}, {"headlight.mask", "none"}});
    context.dropped_paths = {(folder_ / "maps.npz").string()};
    settle();
    show(View::head);
  }
  testing::TemporaryFolder folder_;
};

TEST_F(DumpSelection, EveryEditIsThereWithTheReasonAndDoesNothing) {
  ASSERT_TRUE(snapshot()->is_dump());
  const Document before = document();
  Document draft = before;
  const Look look{palette(Theme::dark), window.fonts};
  const Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()};
  const MenuTarget target{MenuKind::cell, {view.head}, 1, 1};
  int refused = 0;
  for (const MenuEntry& entry : menu_entries()) {
    const std::string label = entry.label(panel, target);
    const bool is_edit = label.starts_with("Mask") || label.starts_with("Switch");
    EXPECT_EQ(is_edit, entry.refusal && entry.refusal(panel, target).find("file") != std::string::npos) << label;
    refused += is_edit ? 1 : 0;
  }
  EXPECT_EQ(refused, 4);
  window.feed.click(window.cell_of("map", {1, 1}), ImGuiMouseButton_Right);
  window.play();
  window.click("Mask row");
  EXPECT_TRUE(window.has("Mask row")) << "the menu stays, with its reason";
  window.key("escape");
  settle();
  EXPECT_EQ(document(), before);
}

TEST_F(DumpSelection, TheMapOfAFileIsCopiedAsItIs) {
  window.hover(ImVec2(1, 1));
  window.key("ctrl+c");
  settle();
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), "query \\ key\ta\tb\tc\na\t1\t0\t0\nb\t0\t1\t0\nc\t0\t0\t1\n");
}

TEST(CopiedTables, KeepEveryDigitAndNameWhatIsNoNumber) {
  Matrix values(1, 3);
  values << 0.1F, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity();
  const std::vector<std::string> queries{"q"}, keys{"a", "b", "c"};
  EXPECT_EQ(map_table(values, queries, keys), "query \\ key\ta\tb\tc\nq\t0.1\tnan\t-inf\n");
}

}  // namespace
}  // namespace headlight

// Links: lines between tokens, what points at them, and what is set beside them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/panel/saved_view.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/links/links_view.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

/// The colours and widths of a scene's lines, wherever they are.
std::multiset<std::pair<std::string, float>> looks_of(const Scene& scene) {
  std::multiset<std::pair<std::string, float>> looks;
  for (const SceneItem& item : scene.items) {
    if (const auto* curve = std::get_if<SceneCurve>(&item)) looks.insert({hex_text(curve->colour), curve->width});
  }
  return looks;
}

class LinksWindow : public testing::FrameTest {
 protected:
  void SetUp() override {
    FrameTest::SetUp();
    window.painter.watch([this](const Scene& scene, std::string_view name) { painted[std::string(name)] = scene; });
    view.head = {1, 0};
    view.links.filter.threshold = 0.1F;
    show(View::links);
  }
  std::vector<SceneCurve> curves() {
    window.frame();
    std::vector<SceneCurve> found;
    for (const SceneItem& item : painted["links"].items) {
      if (const auto* curve = std::get_if<SceneCurve>(&item)) found.push_back(*curve);
    }
    return found;
  }
  std::size_t full_curves() {
    const auto all = curves();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const SceneCurve& curve) { return curve.colour.alpha > 18; }));
  }
  /// How many weights of the shown heads reach the threshold, of all queries or of one.
  std::size_t expected(const std::vector<HeadId>& heads, std::optional<Index> query = {}) {
    std::size_t count = 0;
    for (const HeadId head : heads) {
      const Matrix weights = snapshot()->maps(head).weights;
      for (Index row = 0; row < weights.rows(); ++row) {
        if (!query || *query == row) count += static_cast<std::size_t>((weights.row(row).array() >= view.links.filter.threshold).count());
      }
    }
    return count;
  }
  std::vector<HeadId> heads_of(int layer) {
    std::vector<HeadId> heads;
    for (int head = 0; head < snapshot()->heads(layer); ++head) heads.push_back({layer, head});
    return heads;
  }
  void change(const auto& edit) {
    Document next = document();
    edit(next);
    session.apply(next, false, false);
    settle();
  }
  FigureRequest exported() {
    dialogs.figure_export.kind = &kLinksFigure;
    Document draft = document();
    Panel panel{context,    snapshot(), session.worker().status(), draft, view, caches, {palette(draft.style.theme), window.fonts},
                all_views()};
    return figure_to_export(panel, dialogs.figure_export);
  }

  std::map<std::string, Scene> painted;
  testing::TemporaryFolder folder;
};

TEST_F(LinksWindow, EveryWeightOverTheThresholdOfTheLayersHeadsIsALine) {
  EXPECT_EQ(curves().size(), expected(heads_of(1)));
  ASSERT_GT(curves().size(), 0U);
  view.links.filter.threshold = 0.3F;
  settle();
  EXPECT_EQ(curves().size(), expected(heads_of(1)));
  view.head.layer = 2;
  settle();
  EXPECT_EQ(curves().size(), expected(heads_of(2)));
}

TEST_F(LinksWindow, ATokenUnderThePointerShowsItsLinesAndAllOthersFaint) {
  const std::size_t all = curves().size();
  window.hover("link query 4");
  EXPECT_EQ(full_curves(), expected(heads_of(1), 4));
  EXPECT_GT(curves().size(), full_curves()) << "the others are still there";
  window.hover(ImVec2(2, 2));
  EXPECT_EQ(full_curves(), all);
  window.hover("link key 0");
  EXPECT_LT(full_curves(), all);
}

TEST_F(LinksWindow, AClickKeepsTheRowAndEscReleasesIt) {
  window.click("link query 4");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 4}));
  window.hover(ImVec2(2, 2));
  EXPECT_EQ(full_curves(), expected(heads_of(1), 4));
  EXPECT_TRUE(window.has("Release pin"));
  window.hover("link query 2");
  EXPECT_EQ(full_curves(), expected(heads_of(1), 2)) << "what is pointed at comes first";
  window.key("escape");
  window.hover(ImVec2(2, 2));
  EXPECT_FALSE(view.pinned_query);
  EXPECT_EQ(full_curves(), expected(heads_of(1)));
  window.click("link query 4");
  window.click("link query 4");
  EXPECT_FALSE(view.pinned_query) << "a second click releases it too";
}

TEST_F(LinksWindow, ATokenOfTheStripShowsItsLinesAndATokenHereIsMarkedThere) {
  window.hover("token 3");
  EXPECT_EQ(full_curves(), expected(heads_of(1), 3));
  window.click("token 3");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 3}));
  window.hover("link query 5");
  EXPECT_EQ(view.pointed.cell->query, 5);
  EXPECT_TRUE(window.has("Row profile of 5")) << "the inspector follows";
}

TEST_F(LinksWindow, SquaresChooseHeadsOfAnyLayer) {
  EXPECT_EQ(view.links.which, LinksPage::Heads::layer);
  window.click("line square 0.1");
  EXPECT_EQ(view.links.which, LinksPage::Heads::chosen);
  std::vector<HeadId> heads = heads_of(1);
  heads.insert(heads.begin(), HeadId{0, 1});
  settle();
  EXPECT_EQ(curves().size(), expected(heads));
  for (const HeadId head : heads_of(1)) window.click("line square 1." + std::to_string(head.head));
  settle();
  EXPECT_EQ(view.links.chosen, (std::vector<HeadId>{{0, 1}}));
  EXPECT_EQ(curves().size(), expected({{0, 1}}));
  window.click("line square 0.1");
  EXPECT_EQ(view.links.chosen.size(), 1U) << "the last one stays";
  EXPECT_TRUE(window.has("lines of head 0.1"));
  window.click("Lines of all");
  settle();
  window.click("lines of head 0.0");
  EXPECT_EQ(view.links.which, LinksPage::Heads::chosen);
  EXPECT_EQ(view.links.chosen.size(), static_cast<std::size_t>(snapshot()->layers() * snapshot()->heads() - 1));
}

TEST_F(LinksWindow, TopKShowsAsManyLinesOfEveryQueryAndHead) {
  window.click("Lines by top k");
  view.links.filter.top = 1;
  settle();
  EXPECT_EQ(curves().size(), static_cast<std::size_t>(snapshot()->heads(1) * snapshot()->tokens()));
  EXPECT_TRUE(window.has("Top k"));
  EXPECT_FALSE(window.has("Threshold"));
}

TEST_F(LinksWindow, WordsOfTheRunningTextPointLikeTokens) {
  window.hover("word 4");
  EXPECT_EQ(full_curves(), expected(heads_of(1), 4));
  const auto tinted = [&] {
    return std::count_if(painted["links text"].items.begin(), painted["links text"].items.end(), [](const SceneItem& item) {
      const auto* box = std::get_if<SceneBox>(&item);
      return box != nullptr && box->fill.alpha > 0;
    });
  };
  EXPECT_GT(tinted(), 0);
  window.hover(ImVec2(2, 2));
  EXPECT_EQ(tinted(), 0);
  window.click("Text tint received");
  window.hover(ImVec2(2, 2));
  EXPECT_GT(tinted(), 0);
  window.click("word 2");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::text, 2}));
  window.click("Word as key");
  window.hover("word 1");
  EXPECT_EQ(view.pointed.word, (LinkFocus{1, true}));
}

TEST_F(LinksWindow, TheRunningTextIsKeptInLinesUntilItOrItsWidthChanges) {
  const auto is_as_if_new = [this] {
    settle();
    window.frame();
    const Scene kept = painted["links text"];
    caches.running_texts = {};
    window.frame();
    return !kept.items.empty() && kept == painted["links text"];
  };
  std::string text = "The cat sat on the mat";
  for (int i = 0; i < 40; ++i) text += " and the dog ran away";
  change([&](Document& next) { next.query.text = text; });
  EXPECT_TRUE(is_as_if_new());
  const float before = window.box_of("word 5").y;
  window.resize({1100, 1500});
  EXPECT_TRUE(is_as_if_new());
  window.resize({1600, 1500});
  EXPECT_TRUE(is_as_if_new());
  EXPECT_EQ(window.box_of("word 5").y, before);
  const WordsInLines* const words = &caches.running_texts[0].words;
  const auto* const kept = words->words.data();
  window.frame();
  EXPECT_EQ(words->words.data(), kept) << "not broken again";
  change([&](Document& next) { next.query.text = "A dog ran " + text; });
  EXPECT_TRUE(is_as_if_new());
  window.fonts.scale = 1.5F;
  apply_theme(Theme::dark, window.fonts.scale);
  EXPECT_TRUE(is_as_if_new());
}

TEST_F(LinksWindow, TheRunningTextFoldsWhereTheViewIsLowAndByHand) {
  EXPECT_TRUE(window.has("word 1"));
  window.click("Running text");
  EXPECT_FALSE(window.has("word 1"));
  EXPECT_EQ(view.links.band, Fold::folded);
  view.links.band = Fold::by_room;
  window.resize({1600, 600});
  EXPECT_FALSE(window.has("word 1"));
  window.click("Running text");
  EXPECT_TRUE(window.has("word 1"));
}

TEST_F(LinksWindow, ArcsAreOfOneTextOnly) {
  const std::size_t columns = curves().size();
  window.click("Links as arcs");
  EXPECT_EQ(curves().size(), columns);
  EXPECT_FALSE(window.has("link key 0"));
  change([](Document& next) {
    next.query.model.sandbox = {.layers = 2, .d_model = 32, .heads = 4, .kind = SandboxKind::encoder_decoder};
    next.query.text = "The cat sat on the mat";
    next.query.decoder_text = "Die Katze sass da";
  });
  view.head = {3, 1};
  settle();
  EXPECT_TRUE(window.has("link key 5")) << "cross-attention needs two columns";
  EXPECT_TRUE(window.has("link query 3"));
  EXPECT_FALSE(window.has("link query 4"));
  EXPECT_EQ(curves().size(), expected(heads_of(3)));
  window.click("link query 2");
  EXPECT_EQ(view.pinned_query, (TokenPlace{Side::decoder, 2}));
  window.hover("key word 5");
  EXPECT_EQ(view.pointed.word, (LinkFocus{5, true}));
  window.key("escape");
  window.hover(ImVec2(2, 2));
  window.click("Lines of all");
  settle();
  EXPECT_EQ(curves().size(), expected(heads_of(3)) + expected(heads_of(5))) << "only layers between the same texts";
}

TEST_F(LinksWindow, ASentencePairIsFilteredByItsParts) {
  change([](Document& next) {
    next.query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/bert-mlm";
    next.query.text = "the cat sat";
    next.query.text_pair = "a dog ran";
  });
  ASSERT_TRUE(snapshot()->query.text_pair.has_value());
  view.links.filter.threshold = 0.02F;
  view.head = {0, 0};
  settle();
  const LinkTexts texts = link_texts(*snapshot(), 0);
  ASSERT_TRUE(texts.is_pair());
  const std::size_t all = curves().size();
  for (const char* part : {"A → A", "A → B", "B → B"}) window.click(part);
  settle();
  EXPECT_EQ(view.links.filter.parts, (std::array<bool, kPairParts>{false, false, true, false}));
  std::size_t from_second_to_first = 0;
  for (const HeadId head : heads_of(0)) {
    const Matrix weights = snapshot()->maps(head).weights;
    for (Index query = 0; query < weights.rows(); ++query) {
      for (Index key = 0; key < weights.cols(); ++key) {
        if (texts.part(query, key) == PairPart::second_to_first && weights(query, key) >= 0.02F) ++from_second_to_first;
      }
    }
  }
  EXPECT_EQ(curves().size(), from_second_to_first);
  EXPECT_LT(curves().size(), all);
  say("one text");
  change([](Document& next) { next.query.text_pair.reset(); });
  EXPECT_FALSE(window.has("B → A"));
}

TEST_F(LinksWindow, MapsFromAFileHaveLines) {
  std::vector<float> maps(18, 0);
  for (std::size_t row = 0; row < 6; ++row) maps[3 * row + row % 3] = 1;
  write_npz(folder / "maps.npz", std::vector<TensorToWrite>{{"attentions", {1, 2, 3, 3}, maps}},
            {{"tokens", R"(["a", "b", "c"])"}, {"headlight.mask", "none"}});
  context.dropped_paths = {(folder / "maps.npz").string()};
  settle();
  ASSERT_TRUE(snapshot()->is_dump());
  EXPECT_EQ(curves().size(), 6U);
  EXPECT_TRUE(window.has("line square 0.1"));
  window.hover("link query 1");
  EXPECT_EQ(full_curves(), 2U);
}

TEST_F(LinksWindow, ALongTextScrollsAndARowThatIsPinnedElsewhereIsBroughtIntoSight) {
  std::string text;
  for (int word = 0; word < 200; ++word) text += "w" + std::to_string(word % 7) + " ";
  say(text);
  EXPECT_TRUE(window.has("link query 0"));
  EXPECT_FALSE(window.has("link query 150"));
  window.hover("link query 3");
  window.wheel(-10);
  EXPECT_FALSE(window.has("link query 0"));
  view.pinned_query = TokenPlace{Side::text, 150};
  window.frame(3);
  EXPECT_TRUE(window.has("link query 150"));
}

TEST_F(LinksWindow, ItsSettingsAreRestored) {
  view.links.which = LinksPage::Heads::chosen;
  view.links.chosen = {{0, 1}, {2, 3}};
  view.links.filter = {.rule = LinkRule::top, .threshold = 0.2F, .top = 7, .parts = {true, false, true, false}, .has_special = false};
  view.links.has_arcs = true;
  view.links.tint = TextTint::received;
  view.links.are_words_keys = true;
  view.links.band = Fold::folded;
  view.links.followed.reset();
  const ViewState restored = view_from_json(to_json(view, all_views()), all_views());
  EXPECT_EQ(restored.links, view.links);
  Json broken = to_json(view, all_views());
  broken["links"] = {{"heads", {{1, -4}, "x"}}, {"top", 1e9}, {"parts", {1, 2}}, {"threshold", "much"}, {"which", 7}};
  EXPECT_EQ(view_from_json(broken, all_views()).links, LinksPage{});
}

TEST_F(LinksWindow, ADoubleClickOnASquareLeavesOneHead) {
  window.double_click("line square 1.2");
  settle();
  EXPECT_EQ(view.links.which, LinksPage::Heads::chosen);
  EXPECT_EQ(view.links.chosen, (std::vector<HeadId>{{1, 2}}));
}

TEST_F(LinksWindow, WhatIsShownIsWhatAFileHolds) {
  for (const bool has_arcs : {false, true}) {
    for (const bool is_pinned : {false, true}) {
      view.links.has_arcs = has_arcs;
      view.pinned_query = is_pinned ? std::optional(TokenPlace{Side::text, 3}) : std::nullopt;
      settle();
      const Scene shown = painted["links"];
      const FigureRequest request = exported();
      FreshMaps source(*snapshot());
      SilentProgress silent;
      auto maps = std::make_shared<const LinkMaps>(make_link_maps(*snapshot(), request.links.heads, {}, nullptr, silent));
      auto lines = std::make_shared<const LinkLines>(
          choose_lines(maps, link_texts(*snapshot(), request.links.heads.front().layer), request.links.filter, silent));
      LinksFigureRequest links = links_of(*snapshot(), request, lines, source);
      links.area = {kLinksCorner.x, kLinksCorner.y, shown.width, shown.height};
      const Scene again = make_links_figure(links, window.painter.measure()).scene;
      ASSERT_EQ(again.items.size(), shown.items.size());
      for (std::size_t i = 0; i < again.items.size(); ++i) EXPECT_TRUE(again.items[i] == shown.items[i]) << i;
      const Scene page = make_figure(*snapshot(), request, window.painter.measure());
      EXPECT_EQ(looks_of(page), looks_of(shown));
    }
  }
}

}  // namespace
}  // namespace headlight

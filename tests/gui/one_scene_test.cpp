// What the window paints of a document and what a file of it holds are one scene: for random documents, item by item.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "app/gui/columns/arranged_heads.h"
#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/state/zoom.h"
#include "app/gui/views/measures/head_table.h"
#include "app/gui/views/views.h"
#include "engine/figure/grid/grid_figure.h"
#include "tests/gui/frame_fixture.h"

namespace headlight {
namespace {

constexpr int kDocuments = 30;

class OneScene : public testing::FrameTest {
 protected:
  std::optional<HeadId> chosen_of(const FigureRequest& request) const;
  void SetUp() override {
    FrameTest::SetUp();
    window.painter.watch([this](const Scene& scene, std::string_view name) { painted[std::string(name)] = scene; });
  }

  int below(int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); }
  bool toss() { return below(2) == 0; }

  std::string random_text() {
    static const std::vector<std::string> words{"the", "bank", "of", "日本", "river", "unbelievable", "a", ",", "=1+1", "she", "money"};
    if (below(4) == 0) return "I am going to deposit my money at the bank";
    std::string text;
    for (int word = below(14); word >= 0; --word) text += words[static_cast<std::size_t>(below(static_cast<int>(words.size())))] + " ";
    return text;
  }

  Style random_style() {
    Style style;
    style.map = static_cast<ColourMap>(below(5));
    style.scale = static_cast<ScaleKind>(below(3));
    style.gamma = 0.2F + 0.1F * static_cast<float>(below(8));
    style.range = static_cast<RangeKind>(below(4));
    style.fixed_high = 0.1F + 0.3F * static_cast<float>(below(3));
    set_theme(style, toss() ? Theme::dark : Theme::light);
    return style;
  }

  /// Model, texts, edits, looks, pins, a drawn map; and the view of it; zoom and pinned row too. Nothing is pointed at.
  void show_random_document() {
    Document next = sandbox_document();
    SandboxSpec& sandbox = next.query.model.sandbox;
    sandbox.layers = 1 + below(3);
    sandbox.heads = 1 << below(4);
    sandbox.d_model = 32;
    sandbox.seed = random();
    if (below(3) == 0) sandbox.kind = SandboxKind::encoder_decoder;
    next.query.text = random_text();
    if (sandbox.kind == SandboxKind::encoder_decoder) next.query.decoder_text = random_text();
    if (toss()) next.query.score.temperature = 0.5F;
    if (toss()) next.query.mask.rules.push_back({{}, toss() ? "causal" : "window:2", {}});
    next.style = random_style();
    const bool is_pair = sandbox.kind == SandboxKind::encoder_decoder;
    const auto any_head = [&] { return HeadId{below(sandbox.layers * (is_pair ? 3 : 1)), below(sandbox.heads)}; };
    for (int pin = below(5); pin > 0; --pin) {
      const Pin pinned{any_head(), next.focused};
      if (std::find(next.pins.begin(), next.pins.end(), pinned) == next.pins.end()) next.pins.push_back(pinned);
    }
    view.head = any_head();
    for (int stroke = below(4); stroke > 0; --stroke) {
      const int query = below(6), key = below(6);
      next.drawn_map.head = view.head;
      next.drawn_map.strokes.push_back({query, query + 1 + below(2), key, key + 1 + below(3), below(4) != 0});
    }
    view.drawn_map.is_painted = toss();
    view.head_page.stage = kStages[static_cast<std::size_t>(below(static_cast<int>(kStages.size())))];
    view.compare.has_shared_scale = toss();
    view.compare.left = below(4);
    view.compare.right = below(4);
    view.compare.has_chosen_pair = toss();
    view.head_page.zoom = {};
    view.pinned_query.reset();
    session.apply(next, false, false);
    settle();
    pin_and_zoom();
  }

  /// A row, and a part of the map that begins and ends anywhere.
  void pin_and_zoom() {
    const int layer = view.head.layer;
    if (toss()) view.pinned_query = TokenPlace{query_side(*snapshot(), layer), below(static_cast<int>(snapshot()->queries(layer)))};
    if (!toss()) return;
    const MapShape shape{snapshot()->queries(layer), columns_of(*snapshot(), layer, view.head_page.stage)};
    const auto anywhere = [&](Index cells) { return static_cast<float>(below(10 * static_cast<int>(cells))) / 10; };
    view.head_page.zoom = zoomed_about({}, shape, anywhere(shape.queries), anywhere(shape.keys), 1.6F);
  }

  /// What the export dialog would write now.
  FigureRequest exported(const FigureKind& kind) {
    dialogs.figure_export.kind = &kind;
    return figure_to_export(panel(), dialogs.figure_export);
  }
  /// Of the present document.
  Panel panel() {
    draft = document();
    return {context, snapshot(), session.worker().status(), draft, view, caches, {palette(draft.style.theme), window.fonts}, all_views()};
  }

  const Scene& shown(View which, const std::string& name) {
    painted.clear();
    show(which);
    return painted[name];
  }

  Document draft;
  std::mt19937 random{20'261'122};
  std::map<std::string, Scene> painted;
};

/// Where two scenes are first not the same; empty: nowhere.
std::string difference_of(const Scene& window, const Scene& file) {
  const std::size_t count = std::min(window.items.size(), file.items.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!(window.items[i] == file.items[i])) return "item " + std::to_string(i) + " of kind " + std::to_string(window.items[i].index());
  }
  if (window.items.size() == file.items.size()) return {};
  return std::to_string(window.items.size()) + " items and " + std::to_string(file.items.size());
}

/// What the maps of a scene show, wherever they are.
std::vector<SceneMap> maps_in(const Scene& scene) {
  std::vector<SceneMap> maps;
  for (const SceneItem& item : scene.items) {
    if (const auto* map = std::get_if<SceneMap>(&item)) maps.push_back({{}, map->picture, map->window, map->scale, map->hatch});
  }
  return maps;
}

/// What is written in the face of numbers with a fraction, in its order.
std::vector<std::string> numbers_in(const Scene& scene) {
  std::vector<std::string> numbers;
  for (const SceneItem& item : scene.items) {
    const auto* text = std::get_if<SceneText>(&item);
    if (text != nullptr && text->face == FontFace::mono && text->align_x == AlignX::right) numbers.push_back(text->text);
  }
  return numbers;
}

std::size_t boxes_in(const Scene& scene, Colour stroke) {
  return static_cast<std::size_t>(std::count_if(scene.items.begin(), scene.items.end(), [&](const SceneItem& item) {
    const auto* box = std::get_if<SceneBox>(&item);
    return box != nullptr && box->stroke == stroke && box->stroke_width == 2;
  }));
}

TEST_F(OneScene, OfAHeadForWindowAndFile) {
  std::size_t drawn_maps = 0, relations = 0, parts = 0, pinned = 0;
  for (int round = 0; round < kDocuments; ++round) {
    show_random_document();
    const Scene window_scene = shown(View::head, "head");
    FigureRequest request = exported(kHeatmapFigure);
    FreshMaps source(*snapshot());
    MapFigureRequest map = head_map(*snapshot(), request, source);
    map.area = {kHeadCorner.x, kHeadCorner.y, window_scene.width, window_scene.height};
    // The window writes a heading above the map, where a page has its title.
    map.title = window_scene.title;
    map.subtitle = std::get<SceneText>(window_scene.items.at(1)).text;
    EXPECT_EQ(difference_of(window_scene, make_map_figure(map, window.painter.measure()).scene), "") << "document " << round;
    const Scene page = make_figure(*snapshot(), request, window.painter.measure());
    EXPECT_EQ(maps_in(page), maps_in(window_scene)) << "document " << round;
    const Palette& colours = palette(document().style.theme);
    for (const Colour colour : {colours.accent, colours.key}) EXPECT_EQ(boxes_in(page, colour), boxes_in(window_scene, colour));
    parts += request.part == CellWindow{} ? 0U : 1U;
    pinned += request.marked.query ? 1U : 0U;
    drawn_maps += boxes_in(page, colours.accent);
    relations += boxes_in(page, colours.key);
  }
  EXPECT_GT(drawn_maps, 0U) << "documents have to be such that the law can break";
  EXPECT_GT(relations, 0U);
  EXPECT_GT(parts, 0U);
  EXPECT_GT(pinned, 0U);
}

TEST_F(OneScene, OfAllHeadsForWindowAndFile) {
  for (int round = 0; round < kDocuments; ++round) {
    show_random_document();
    const Scene window_scene = shown(View::overview, "overview");
    const FigureRequest request = exported(kGridFigure);
    GridFigureRequest grid = grid_of(*snapshot(), request);
    grid.area = {kOverviewCorner.x, kOverviewCorner.y, window_scene.width, window_scene.height};
    grid.selected = view.head;  // the window shows where a click was
    EXPECT_EQ(difference_of(window_scene, make_grid_figure(*snapshot(), grid, window.painter.measure()).scene), "") << "document " << round;
    const std::vector<SceneMap> in_file = maps_in(make_figure(*snapshot(), request, window.painter.measure()));
    const std::vector<SceneMap> in_window = maps_in(window_scene);  // as many as it has room for
    ASSERT_LE(in_window.size(), in_file.size());
    EXPECT_TRUE(std::equal(in_window.begin(), in_window.end(), in_file.begin())) << "document " << round;
  }
}

TEST_F(OneScene, OfAnArrangedOverviewForWindowAndFile) {
  std::size_t ordered = 0, filtered = 0;
  for (int round = 0; round < kDocuments; ++round) {
    show_random_document();
    view.overview.arrangement = {};
    if (toss()) view.overview.arrangement.sort = ColumnSort{toss() ? "mean-distance" : "previous-token", toss()};
    if (toss()) view.overview.arrangement.tint = toss() ? "mean-distance" : "entropy";
    if (toss()) view.overview.arrangement.ranges = {{.column = "mean-distance", .low = 0.5}};
    if (!is_arranged(view.overview.arrangement)) continue;
    view.brushed = {HeadId{0, 0}};
    show(View::overview);
    settle();
    const Scene window_scene = shown(View::overview, "overview");
    const FigureRequest request = exported(kGridFigure);
    const MeasuredHeads heads = measured_heads(*snapshot(), request.measures);
    if (heads.rows.empty()) continue;
    const Scene page = make_figure(*snapshot(), request, window.painter.measure());
    const std::vector<SceneMap> in_file = maps_in(page), in_window = maps_in(window_scene);  // as many as it has room for
    ASSERT_LE(in_window.size(), in_file.size());
    EXPECT_TRUE(std::equal(in_window.begin(), in_window.end(), in_file.begin())) << "document " << round;
    const bool is_whole = in_window.size() == in_file.size() && !request.measures.tint.empty();
    if (is_whole) {
      std::vector<std::string> of_page = numbers_in(page), of_window = numbers_in(window_scene);
      ASSERT_GE(of_page.size(), of_window.size());
      of_page.resize(of_window.size());  // those of its colour bar follow
      EXPECT_EQ(of_window, of_page) << "document " << round;
    }
    ordered += request.measures.sorts.empty() ? 0U : 1U;
    filtered += heads.rows.size() < heads.all.size() ? 1U : 0U;
  }
  EXPECT_GT(ordered, 0U) << "arrangements have to be such that the law can break";
  EXPECT_GT(filtered, 0U);
}

/// The head that is looked at where it has a card, else the first card's.
std::optional<HeadId> OneScene::chosen_of(const FigureRequest& request) const {
  std::optional<ComparedHead> first;
  for (const ComparedHead& card : request.heads) {
    if (!run_of(card, *snapshot()).contains(card.head)) continue;
    if (card.head == view.head) return view.head;
    if (!first) first = card;
  }
  const bool is_own = first && (!first->of || first->of == snapshot());
  return first ? is_own ? std::optional(first->head) : std::nullopt : std::optional(view.head);
}

TEST_F(OneScene, OfComparedHeadsForWindowAndFile) {
  std::set<std::size_t> compared_at_once;
  for (int round = 0; round < kDocuments; ++round) {
    show_random_document();
    if (document().pins.empty()) continue;
    compared_at_once.insert(document().pins.size());
    const Scene window_scene = shown(View::compare, "compare");
    const FigureRequest request = exported(kCompareFigure);
    CompareFigureRequest comparison = comparison_of(*snapshot(), request);
    comparison.area = Box{0, 0, window_scene.width, window_scene.height};
    comparison.selected = chosen_of(request);            // the window shows which card the inspector speaks of
    comparison.offers_pairs = request.heads.size() > 2;  // and lets a person choose which two are subtracted
    FreshMaps source(*snapshot());
    const CompareFigure figure = make_compare_figure(*snapshot(), comparison, source, window.painter.measure());
    EXPECT_EQ(difference_of(window_scene, figure.scene), "") << "document " << round;
    EXPECT_EQ(maps_in(make_figure(*snapshot(), request, window.painter.measure())), maps_in(window_scene)) << "document " << round;
  }
  EXPECT_GE(compared_at_once.size(), 3U);
}

TEST_F(OneScene, OfTheTableOfHeadsHasRowsAndNumbersOfTheWindow) {
  for (int round = 0; round < 5; ++round) {
    show_random_document();
    view.measures.columns = {"mean-distance", "induction", "first-token"};
    view.measures.sorts = {{toss() ? "first-token" : "mean-distance", toss()}};
    view.measures.ranges.clear();
    if (toss()) view.measures.ranges = {{.column = "mean-distance", .low = 0.75}};
    view.brushed = {HeadId{0, 0}};
    show(View::measures);
    settle();
    window.frame();
    EXPECT_EQ(panel().shown_view()->figure, &kMeasuresFigure);
    const FigureRequest request = exported(kMeasuresFigure);
    const MeasuredHeads in_file = measured_heads(*snapshot(), request.measures);
    Panel shown_panel = panel();
    const ShownColumns shown = shown_columns(shown_panel);
    ASSERT_TRUE(shown.is_complete);
    EXPECT_EQ(in_file.rows, rows_of_table(shown_panel, shown)) << "document " << round;
    ASSERT_EQ(in_file.columns.size(), shown.columns.size());
    for (std::size_t place = 0; place < shown.columns.size(); ++place) {
      const HeadColumn &ours = *in_file.columns[place], &theirs = *shown.columns[place];
      EXPECT_EQ(ours.id, theirs.id);
      for (const HeadId head : in_file.rows)
        EXPECT_EQ(column_number(ours, ours.values.of(head)), column_number(theirs, theirs.values.of(head)));
    }
    EXPECT_EQ(request.measures.brushed, (std::vector<HeadId>{{0, 0}}));
    EXPECT_EQ(exported(kScatterFigure).measures.across, "mean-distance") << "wherever it is among the columns";
    view.measures.columns = {"induction", "first-token"};
    EXPECT_EQ(exported(kScatterFigure).measures.across, "first-token") << "without it the sixth, or the last there is";
  }
}

TEST_F(OneScene, OfTheScatterPlotHasTheHeadsAndTheAxesOfTheWindow) {
  view.measures.across = "mean-distance";
  view.measures.ranges = {{.column = "normalised-entropy", .high = 0.9, .has_high = true}};
  show(View::measures);
  settle();
  window.frame();
  const Box plot = window.box_of("Scatter plot");
  window.drag({plot.x + 1, plot.y + 1}, {plot.right() - 1, plot.bottom() - 1});
  window.frame();
  const MeasuresRequest exported = shown_figure(panel(), kScatterFigure).measures;
  EXPECT_EQ(exported.across, "mean-distance");
  EXPECT_EQ(exported.ranges, view.measures.ranges);
  std::set<HeadId> points;
  const MeasuredHeads heads = measured_heads(*snapshot(), exported);
  for (const HeadId head : heads.rows) {
    const auto has_value = [&](const std::string& id) { return std::isfinite(find_column(heads.columns, id)->values.of(head)); };
    if (has_value(exported.across) && has_value(exported.up)) points.insert(head);
  }
  EXPECT_FALSE(points.empty());
  EXPECT_EQ(view.brushed, points) << "a drag over the whole plot";
}

}  // namespace
}  // namespace headlight

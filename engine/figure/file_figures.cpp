// Complete figures for files: as large as their content, with margins, title, sentence and notes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/map_layout.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

constexpr float kMargin = 24;
constexpr float kLargestMap = 720, kLargestPanel = 360;
constexpr float kLargestCell = 44;
constexpr float kPanelGap = 32;
constexpr std::size_t kPanelsPerLine = 3;
constexpr float kLeastWidth = 320;

/// A page that grows: parts are put below each other, the header and notes are wrapped to the width of the content.
class Page {
 public:
  Page(const Snapshot& snapshot, const Style& style, const std::string& title, float content_width, const MeasureText& measure)
      : colours_(palette(style.theme)), measure_(measure), width_(std::ceil(std::max(content_width, kLeastWidth))) {
    scene_.title = title;
    scene_.width = width_ + 2 * kMargin;
    // Paper in print is white; on a screen the dark figure continues the window.
    scene_.background = style.theme == Theme::dark ? colours_.ground : colours_.panel;
    lines(title, 1, {FontFace::ui_bold, kTitleSize}, colours_.text, 24);
    lines(sentence_of(snapshot), 2, {FontFace::ui, kTextSize}, colours_.text_second, 20);
    y_ += 12;
  }

  float top() const { return y_; }
  float width() const { return width_; }
  const Palette& colours() const { return colours_; }
  void add(const Scene& part) { scene_.items.insert(scene_.items.end(), part.items.begin(), part.items.end()); }
  void add(SceneItem item) { scene_.items.push_back(std::move(item)); }
  void move_down(float height) { y_ += height; }

  Scene finish(const std::string& notes) {
    y_ += 16;
    lines(notes, 3, {FontFace::ui, kCaptionSize}, colours_.text_second, 16);
    scene_.height = std::ceil(y_ + kMargin - 4);
    return std::move(scene_);
  }

 private:
  void lines(const std::string& text, std::size_t most, LabelStyle style, Colour colour, float height) {
    for (std::string& line : wrapped(text, width_, most, style, measure_)) {
      scene_.items.emplace_back(SceneText{{kMargin, y_ + height / 2}, std::move(line), style.face, style.size, colour});
      y_ += height;
    }
  }

  const Palette& colours_;
  const MeasureText& measure_;
  float width_, y_ = kMargin - 4;
  Scene scene_;
};

void check_head(const Snapshot& snapshot, HeadId head) {
  if (snapshot.contains(head)) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "figure",
               .problem = "no such head",
               .found = fmt::format("layer {}, head {}", head.layer, head.head),
               .expected = fmt::format("layers 0…{} and heads 0…{}", snapshot.layers() - 1, snapshot.heads() - 1)});
}

std::string name_of_head(const Snapshot& snapshot, HeadId head) {
  return fmt::format("{} · head {}", snapshot.layer_name(head.layer), head.head);
}

/// A map figure whose area has the size that its cells want, with its corner at the origin.
struct SizedMap {
  MapFigureRequest request;
  PlacedMap placed;
  Point size() const { return {request.area.width, request.area.height}; }
};

/// Empties the labels that a file leaves out, so that no room is kept for them.
void thin(std::vector<std::string>& labels, Index stride) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (static_cast<Index>(i) % stride != 0) labels[i].clear();
  }
}

SizedMap sized(MapFigureRequest request, float largest_side, const MeasureText& measure) {
  const auto rows = static_cast<float>(request.picture->rows()), columns = static_cast<float>(request.picture->columns());
  float cell = std::min(kLargestCell, largest_side / std::max(rows, columns));
  if (cell >= 4) cell = std::floor(cell);
  // A long thin map does not become a line.
  const float width = std::max(cell * columns, std::min(160.0F, columns * kCaptionPitch));
  const float height = std::max(cell * rows, std::min(160.0F, rows * kCaptionPitch));
  const MapMargins pitches = margins_of(request, kLargestMap, kLargestMap, width / columns, measure);
  thin(request.query_labels, label_stride(height / rows, pitches.query_pitch()));
  thin(request.key_labels, label_stride(width / columns, pitches.key_pitch()));
  // Labels may take the share of a full-size figure, however few cells there are.
  const MapMargins margins = margins_of(request, kLargestMap, kLargestMap, width / columns, measure);
  request.area = {0, 0, margins.left + width + margins.right, margins.top + height + margins.bottom};
  return {std::move(request), {margins, {margins.left, margins.top, width, height}}};
}

Scene drawn(SizedMap map, Point at, const MeasureText& measure) {
  map.request.area.x += at.x;
  map.request.area.y += at.y;
  map.placed.map.x += at.x;
  map.placed.map.y += at.y;
  return draw_map_figure(map.request, map.placed, measure).scene;
}

Scene make_heatmap(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  MapFigureRequest map;
  map.picture = make_stage_picture(snapshot.maps(request.head), request.stage);
  map.scale = scale_of_stage(snapshot, request.style, request.head, request.stage, *map.picture);
  map.has_bar = request.stage != Stage::mask;
  map.query_labels = axis_labels(snapshot, snapshot.query_tokens(request.head.layer));
  map.key_labels = axis_labels(snapshot, snapshot.key_tokens(request.head.layer));
  map.titles = axis_titles(snapshot, request.head.layer);
  map.theme = request.style.theme;
  const SizedMap placed = sized(std::move(map), kLargestMap, measure);
  Page page(snapshot, request.style, snapshot.model->name + " · " + name_of_head(snapshot, request.head), placed.size().x, measure);
  page.add(drawn(placed, {kMargin, page.top()}, measure));
  page.move_down(placed.size().y);
  const std::string stage = stage_text(snapshot, request.head, request.stage);
  return page.finish(stage + (stage.empty() ? "" : " · ") + notes_of(snapshot, request.style, request.head));
}

void add_grid_bar(Page& page, const ColourScale& scale, Point at, float height, const MeasureText& measure) {
  page.add(SceneRamp{{at.x, at.y, kBarWidth, height}, scale});
  std::vector<std::string> numbers;
  for (const float place : {0.0F, 0.25F, 0.5F, 0.75F, 1.0F}) numbers.push_back(bar_number(scale.value_at(place), scale));
  const LabelStyle style{FontFace::mono, kCaptionSize};
  const float right = at.x + kBarWidth + 8 + widest(numbers, 200, style, measure);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Point point{right, at.y + height * (1 - static_cast<float>(i) / 4)};
    page.add(SceneText{point, numbers[i], style.face, style.size, page.colours().text_second, AlignX::right});
  }
}

Scene make_grid(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr int kColumns = 16;
  constexpr float kBarRoom = 88;
  GridFigureRequest grid;
  grid.style = request.style;
  const int columns = std::min(snapshot.heads(), kColumns);
  grid.tile = std::clamp(std::floor(960 / static_cast<float>(columns)) - 8, 72.0F, 112.0F);
  const float label_width = layer_label_width(snapshot, measure) + 24;
  grid.area = {kMargin, 0, label_width + static_cast<float>(columns) * (grid.tile + 8), 1e9F};
  const bool has_bar = request.style.range == RangeKind::unit || request.style.range == RangeKind::fixed;
  const std::string title = snapshot.model->name + " · " + sizes_of(snapshot);
  Page page(snapshot, request.style, title, grid.area.width + (has_bar ? kBarRoom : 0), measure);
  grid.area.y = page.top();
  const GridFigure figure = make_grid_figure(snapshot, grid, measure);
  page.add(figure.scene);
  if (has_bar) {
    const float height = std::min(figure.content_height - 20, std::max(grid.tile, 160.0F));
    add_grid_bar(page, scale_of_head(snapshot, request.style, {}), {grid.area.right() + 12, page.top()}, height, measure);
  }
  page.move_down(figure.content_height);
  return page.finish("number under each map: entropy / ln keys · " + notes_of(snapshot, request.style));
}

/// One map of a comparison.
struct Panel {
  std::string letter, caption;
  SizedMap map;
  float caption_x = 0;  // from the panel's left
  float width = 0;
};

bool is_same_size(const HeadMaps& a, const HeadMaps& b) {
  return a.weights.rows() == b.weights.rows() && a.weights.cols() == b.weights.cols();
}

std::vector<Panel> make_panels(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  std::vector<HeadMaps> maps;
  MapFigureRequest common;
  common.theme = request.style.theme;
  for (const HeadId head : request.heads) {
    maps.push_back(snapshot.maps(head));
    const ColourScale scale = scale_of_head(snapshot, request.style, head);
    if (maps.size() == 1 || scale.high > common.scale.high) common.scale = scale;
  }
  std::vector<Panel> panels;
  const Encoding* queries_at_left = nullptr;
  const auto add = [&](std::string letter, std::string caption, int layer, MapFigureRequest map, bool has_bar) {
    const Encoding& queries = snapshot.query_tokens(layer);
    const bool begins_line = panels.size() % kPanelsPerLine == 0;
    if (begins_line || &queries != queries_at_left) map.query_labels = axis_labels(snapshot, queries);
    queries_at_left = &queries;
    map.key_labels = axis_labels(snapshot, snapshot.key_tokens(layer));
    map.titles = axis_titles(snapshot, layer);
    map.has_bar = has_bar;
    Panel panel{std::move(letter), std::move(caption), sized(std::move(map), kLargestPanel, measure), 0, 0};
    panel.caption_x = panel.map.placed.margins.left + measure(panel.letter, FontFace::ui_bold, kTitleSize) + 10;
    panel.width = std::max(panel.map.size().x, panel.caption_x + measure(panel.caption, FontFace::ui, kCaptionSize));
    panels.push_back(std::move(panel));
  };
  for (std::size_t i = 0; i < maps.size(); ++i) {
    MapFigureRequest map = common;
    map.picture = picture_of_maps(maps[i]);
    const HeadId head = request.heads[i];
    add(i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i + 1), name_of_head(snapshot, head), head.layer,
        std::move(map), i + 1 == maps.size());
  }
  if (maps.size() == 2 && is_same_size(maps[0], maps[1])) {
    MapFigureRequest map = common;
    map.picture = picture_of_difference(maps[0], maps[1]);
    map.scale = scale_of_difference(request.style, *map.picture);
    std::string caption = fmt::format("zero-centred, ±{:.3g}", map.scale.high);
    add("A − B", std::move(caption), request.heads[0].layer, std::move(map), true);
  }
  return panels;
}

Scene make_compare(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  constexpr float kPanelTitle = 24;
  const std::vector<Panel> panels = make_panels(snapshot, request, measure);
  float width = 0;
  for (std::size_t i = 0; i < panels.size(); i += kPanelsPerLine) {
    float line = -kPanelGap;
    for (std::size_t j = i; j < std::min(i + kPanelsPerLine, panels.size()); ++j) line += panels[j].width + kPanelGap;
    width = std::max(width, line);
  }
  const std::string title = fmt::format("{} · {} heads compared", snapshot.model->name, request.heads.size());
  Page page(snapshot, request.style, title, width, measure);
  float x = kMargin, tallest = 0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Panel& panel = panels[i];
    const Point at{x, page.top()};
    const float map_x = at.x + panel.map.placed.margins.left;
    page.add(SceneText{{map_x, at.y + 10}, panel.letter, FontFace::ui_bold, kTitleSize, page.colours().text});
    page.add(SceneText{{at.x + panel.caption_x, at.y + 10}, panel.caption, FontFace::ui, kCaptionSize, page.colours().text_second});
    page.add(drawn(panel.map, {at.x, at.y + kPanelTitle}, measure));
    x += panel.width + kPanelGap;
    tallest = std::max(tallest, panel.map.size().y);
    const bool is_last_of_line = (i + 1) % kPanelsPerLine == 0 || i + 1 == panels.size();
    if (!is_last_of_line) continue;
    page.move_down(kPanelTitle + tallest + (i + 1 < panels.size() ? kPanelGap : 0));
    x = kMargin;
    tallest = 0;
  }
  std::string notes = notes_of(snapshot, request.style, std::span(request.heads));
  if (request.heads.size() == 2 && panels.size() == 2) notes += " · no A − B: the maps are of different sizes";
  return page.finish(notes);
}

}  // namespace

void check_figure(const Snapshot& snapshot, const FigureRequest& request) {
  const auto refuse = [](std::string problem) {
    throw Error({.kind = ErrorKind::usage, .field = "figure", .problem = std::move(problem)});
  };
  if (snapshot.is_empty()) refuse("there is nothing to draw: the text has no tokens");
  if (snapshot.layers() == 0 || snapshot.heads() == 0) refuse("there is nothing to draw: the model has no heads");
  if (request.kind == FigureRequest::Kind::heatmap) check_head(snapshot, request.head);
  if (request.kind != FigureRequest::Kind::heatmap && request.stage != Stage::weights)
    refuse("a stage other than the weights is drawn of one head");
  if (request.kind != FigureRequest::Kind::compare) return;
  if (request.heads.empty()) refuse("there is nothing to compare: no head was named");
  for (const HeadId head : request.heads) check_head(snapshot, head);
}

Scene make_figure(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  check_figure(snapshot, request);
  switch (request.kind) {
    case FigureRequest::Kind::heatmap:
      return make_heatmap(snapshot, request, measure);
    case FigureRequest::Kind::grid:
      return make_grid(snapshot, request, measure);
    case FigureRequest::Kind::compare:
      return make_compare(snapshot, request, measure);
  }
  return {};
}

}  // namespace headlight

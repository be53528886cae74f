#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/figure/figure_notes.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/figures.h"
#include "engine/figure/marks.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

constexpr float kTitleHeight = 36;

/// What is between the lines of tiles, in points.
struct Spacing {
  float caption = 20;  ///< the line under a tile
  float line = 8;      ///< between two lines of one layer
  float layer = 20;
};
constexpr Spacing kRoomy{}, kDense{15, 3, 7};
constexpr float kReadableTile = 64;  // smaller tiles show little: closer lines, then more lines or scrolling come first
constexpr float kDenseTile = 36;     // smaller ones show too little, even where all layers would be in sight at once
constexpr float kLargestTile = 320;
constexpr float kScrolledTile = 96;  // limit when not all layers fit, so that more are visible at a time
constexpr float kOutlined = 3;       // narrower rows and columns of a tile are marked by a line, which hides less than an outline
constexpr float kLeastTile = 8;      // of a map of very few rows or columns
constexpr float kCaptionWidth = 72;  // tiles are no narrower, or "h12" and "0.62" would not fit side by side

std::string number_text(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.2f}", value);
}

/// Height and width of a layer's maps as shares of a tile's side: the longer one is 1.
Point shape_of_layer(const Snapshot& snapshot, int layer) {
  const auto rows = static_cast<float>(std::max(Index{1}, snapshot.queries(layer)));
  const auto columns = static_cast<float>(std::max(Index{1}, snapshot.keys(layer)));
  const float longer = std::max(rows, columns);
  return {columns / longer, rows / longer};
}

/// The side of tiles with which all layers fit the area's height.
float fitting_side(const Snapshot& snapshot, const GridFigureRequest& request, int lines, const Spacing& spacing) {
  float heights = 0;
  for (int layer = 0; layer < snapshot.layers(); ++layer) heights += shape_of_layer(snapshot, layer).y;
  const auto layers = static_cast<float>(snapshot.layers()), line_count = static_cast<float>(lines);
  const float between = layers * (line_count * (spacing.caption + spacing.line) - spacing.line + spacing.layer) - spacing.layer;
  const float height = request.area.height - (request.has_title ? kTitleHeight : 0);
  return std::floor((height - between) / (line_count * heights));
}

/// Tiles as large as the area's width allows, or smaller if all layers then fit its height: 12 layers of 12 heads are in sight at once.
struct Tiles {
  float side = 0;
  Spacing spacing;
};
Tiles tiles_for(const Snapshot& snapshot, const GridFigureRequest& request, int lines, float widest) {
  if (request.tile > 0) return {request.tile, kRoomy};
  const float least = 16;
  const float roomy = fitting_side(snapshot, request, lines, kRoomy), dense = fitting_side(snapshot, request, lines, kDense);
  if (roomy >= kReadableTile) return {std::clamp(widest, least, std::min(roomy, kLargestTile)), kRoomy};
  if (dense >= kDenseTile) return {std::clamp(widest, least, std::min(dense, kLargestTile)), kDense};
  return {std::clamp(widest, least, kScrolledTile), kRoomy};
}

/// Layers one below the other; more lines per layer where tiles would get small.
GridLayout make_layout(const Snapshot& snapshot, const GridFigureRequest& request, float label_width) {
  GridLayout layout;
  layout.heads = snapshot.heads();
  layout.columns = std::max(1, layout.heads);
  layout.gap = 8;
  const float width = request.area.width - label_width;
  const auto tile_for = [&](int columns) {
    return std::floor((width - static_cast<float>(columns - 1) * layout.gap) / static_cast<float>(columns));
  };
  const float least = request.tile > 0 ? request.tile : kReadableTile;
  if (tile_for(layout.heads) < least) {
    const int most = std::max(1, static_cast<int>((width + layout.gap) / (least + layout.gap)));
    const int lines = (layout.heads + most - 1) / most;
    layout.columns = std::max(1, (layout.heads + lines - 1) / std::max(1, lines));
  }
  const int lines = (layout.heads + layout.columns - 1) / layout.columns;
  const auto [side, spacing] = tiles_for(snapshot, request, lines, tile_for(layout.columns));
  layout.tile = side;
  layout.caption = spacing.caption;
  layout.below_tile = spacing.caption + spacing.line;
  float top = 0;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    const Point shape = shape_of_layer(snapshot, layer);
    const float least_side = std::min(kLeastTile, layout.tile);
    const Box tile{0, top, std::max(layout.tile * shape.x, std::min(kCaptionWidth, layout.tile)),
                   std::max(layout.tile * shape.y, least_side)};
    layout.layers.push_back({top, tile.width, tile.height});
    top += static_cast<float>(lines) * (tile.height + layout.below_tile) - spacing.line + spacing.layer;
  }
  layout.content_height = top - spacing.layer;
  layout.first = {request.area.x + label_width, request.area.y + (request.has_title ? kTitleHeight : 0) - request.scroll};
  return layout;
}

/// The part of a tile that a map of this shape fills, from its upper left corner.
Box fitted(Box tile, float side, const MapPicture& picture) {
  const auto rows = static_cast<float>(picture.rows()), columns = static_cast<float>(picture.columns());
  const float cell = side / std::max(rows, columns);
  const auto length = [](float cells, float room) { return std::min(std::max(cells, kLeastTile), room); };
  return {tile.x, tile.y, length(cell * columns, tile.width), length(cell * rows, tile.height)};
}

class GridDrawing {
 public:
  GridDrawing(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure)
      : snapshot_(snapshot), request_(request), measure_(measure), colours_(palette(request.style.theme)) {}

  GridFigure draw() {
    const float label_width = std::ceil(layer_label_width(snapshot_, measure_)) + 16;
    figure_.layout = make_layout(snapshot_, request_, label_width);
    const GridLayout& layout = figure_.layout;
    const float title_height = request_.has_title ? kTitleHeight : 0;
    figure_.content_height = title_height + layout.content_height;
    if (request_.has_title) title();

    // Only what the area shows: the layers from the one that holds its top, then the lines inside them.
    const float top = request_.area.y - layout.first.y;
    const auto is_below = [](float y, const GridLayout::Layer& layer) { return y < layer.top; };
    const auto next = std::upper_bound(layout.layers.begin(), layout.layers.end(), top, is_below);
    const auto end = std::lower_bound(next, layout.layers.end(), top + request_.area.height,
                                      [](const GridLayout::Layer& layer, float y) { return layer.top < y; });
    const auto number = [&](auto layer) { return static_cast<int>(layer - layout.layers.begin()); };
    for (int layer = std::max(0, number(next) - 1); layer < number(end); ++layer) draw_layer(layer);
    return std::move(figure_);
  }

 private:
  void add_text(Point at, std::string string, LabelStyle style, Colour colour, AlignX align = AlignX::left) {
    figure_.scene.items.emplace_back(SceneText{at, std::move(string), style.face, style.size, colour, align, AlignY::middle});
  }

  void title() {
    int count = 0;
    for (int layer = 0; layer < snapshot_.layers(); ++layer) count += snapshot_.heads(layer);
    const std::string text = fmt::format("{} head{} · {}", count, count == 1 ? "" : "s", grid_number_text());
    add_text({request_.area.x, request_.area.y + 10 - request_.scroll}, text, {FontFace::ui, kTextSize}, colours_.text_second);
  }

  bool is_seen(const Box& box) const {
    return box.bottom() + figure_.layout.caption > request_.area.y && box.y < request_.area.bottom() && box.x < request_.area.right();
  }

  void draw_layer(int layer) {
    const Box first = figure_.layout.box_of({layer, 0});
    if (is_seen(first))
      add_text({request_.area.x, first.y + first.height / 2}, snapshot_.layer_name(layer), {FontFace::ui, kTextSize}, colours_.text_second);
    for (int head = 0; head < figure_.layout.heads; ++head) {
      const Box tile = figure_.layout.box_of({layer, head});
      if (tile.y >= request_.area.bottom()) break;
      if (is_seen(tile) && snapshot_.contains({layer, head})) draw_tile({layer, head}, tile);
    }
  }

  void draw_tile(HeadId head, Box tile) {
    figure_.tiles.emplace_back(head, tile);
    const auto picture = picture_of(head);
    const CellWindow all{0, static_cast<float>(picture->rows()), 0, static_cast<float>(picture->columns())};
    const Box map = fitted(tile, figure_.layout.tile, *picture);
    const bool is_selected = request_.selected == head;
    if (is_selected) add_mark(figure_.scene, around(tile, 3), colours_.accent, Mark::pinned);
    figure_.scene.items.emplace_back(frame_around(map, colours_.line));
    figure_.scene.items.emplace_back(
        SceneMap{map, picture, all, scale_of_head(snapshot_, request_.style, head), {colours_.hatch_ground, colours_.hatch}});
    caption(head, tile);
    if (request_.hovered == head && !is_selected) add_mark(figure_.scene, around(tile, 3), colours_.accent, Mark::hovered);
    if (request_.marks) mark_tokens(head.layer, map, *picture);
    const auto pin = std::find(request_.pinned.begin(), request_.pinned.end(), head);
    if (pin != request_.pinned.end()) chip(map, static_cast<std::size_t>(pin - request_.pinned.begin()));
  }

  std::shared_ptr<const MapPicture> picture_of(HeadId head) const {
    const auto heads = static_cast<std::size_t>(snapshot_.heads());
    const std::size_t at = static_cast<std::size_t>(head.layer) * heads + static_cast<std::size_t>(head.head);
    return at < request_.pictures.size() && request_.pictures[at] ? request_.pictures[at] : picture_of_summary(snapshot_, head);
  }

  void caption(HeadId head, Box tile) {
    const LabelStyle style{FontFace::mono, kCaptionSize};
    const float y = tile.bottom() + 1 + figure_.layout.caption / 2;
    const bool is_selected = request_.selected == head;
    // Beside a name such as "cross 0" the layer's number would differ from it.
    const LayerPlace place = snapshot_.model->config.place(head.layer);
    const std::string name = place.stack == Stack::only ? fmt::format("{}.{}", place.number, head.head) : fmt::format("h{}", head.head);
    const float name_width = measure_(name, style.face, style.size);
    std::string number = number_text(snapshot_.summary(head).value(kEvenness));
    const std::vector<HeadId>& switched_off = snapshot_.query.switched_off;
    if (std::find(switched_off.begin(), switched_off.end(), head) != switched_off.end()) {
      for (const char* word : {"switched off", "off", "×"}) {  // the longest that fits
        number = word;
        if (name_width + measure_(number, style.face, style.size) + 6 <= tile.width) break;
      }
    }
    const float number_width = measure_(number, style.face, style.size);
    if (name_width <= tile.width) add_text({tile.x, y}, name, style, is_selected ? colours_.text : colours_.text_second);
    constexpr float kDot = 6;
    const float with_dot = name_width + 4 + kDot;
    if (has_mask_of_its_own(snapshot_, head) && with_dot <= tile.width) {
      const Box dot{tile.x + name_width + 4, y - kDot / 2, kDot, kDot};
      figure_.scene.items.emplace_back(SceneBox{.box = dot, .fill = colours_.query, .radius = kDot / 2});
      if (with_dot + number_width + 6 > tile.width) return;
    }
    if (name_width + number_width + 6 <= tile.width) {
      add_text({tile.right(), y}, number, style, is_selected ? colours_.text : colours_.text_second, AlignX::right);
    }
  }

  static Box around(const Box& tile, float distance) {
    return {tile.x - distance, tile.y - distance, tile.width + 2 * distance, tile.height + 2 * distance};
  }

  /// The row and the column that are looked at in every map.
  void mark_tokens(int layer, const Box& map, const MapPicture& picture) {
    const TileMarks marks = request_.marks(layer);
    const float row = map.height / static_cast<float>(picture.rows()), column = map.width / static_cast<float>(picture.columns());
    const bool is_fine = std::min(row, column) < 8;
    const float out = is_fine ? 1 : 0;  // cells hardly larger than the line stay visible
    const auto mark = [&](std::optional<Index> token, Index count, bool is_row, Mark how) {
      if (!token || *token < 0 || *token >= count) return;
      const auto at = static_cast<float>(*token);
      const Colour colour = is_row ? colours_.query : colours_.key;
      const Box cells = is_row ? Box{map.x, map.y + at * row, map.width, row} : Box{map.x + at * column, map.y, column, map.height};
      if (std::min(cells.width, cells.height) >= kOutlined) {
        return add_mark_line(figure_.scene, around(cells, out), colour, how, mark_width(how, is_fine));
      }
      const Point middle{cells.x + cells.width / 2, cells.y + cells.height / 2};
      const Point from = is_row ? Point{cells.x, middle.y} : Point{middle.x, cells.y};
      const Point to = is_row ? Point{cells.right(), middle.y} : Point{middle.x, cells.bottom()};
      add_dashes(figure_.scene, from, to, colour, how, 1);
    };
    mark(marks.hovered_key, picture.columns(), false, Mark::hovered);
    if (marks.hovered_query != marks.pinned_query) mark(marks.hovered_query, picture.rows(), true, Mark::hovered);
    mark(marks.pinned_query, picture.rows(), true, Mark::pinned);
  }

  void chip(Box map, std::size_t place) {
    const std::string letter = pin_letter(place);
    const LabelStyle style{FontFace::ui_bold, kCaptionSize};
    const float width = std::max(18.0F, measure_(letter, style.face, style.size) + 8);
    const Box box{map.right() - width - 3, map.y + 3, width, 18};
    figure_.scene.items.emplace_back(SceneBox{.box = box, .fill = colours_.panel, .stroke = colours_.accent, .radius = 4});
    add_text({box.x + width / 2, box.y + 9}, letter, style, colours_.text, AlignX::centre);
  }

  const Snapshot& snapshot_;
  const GridFigureRequest& request_;
  const MeasureText& measure_;
  const Palette& colours_;
  GridFigure figure_;
};

}  // namespace

Box GridLayout::box_of(HeadId head) const {
  const int column = head.head % columns, line = head.head / columns;
  const Layer& layer = layers[static_cast<std::size_t>(head.layer)];
  return {first.x + static_cast<float>(column) * (tile + gap), first.y + layer.top + static_cast<float>(line) * (layer.height + below_tile),
          layer.width, layer.height};
}

std::optional<HeadId> GridFigure::head_at(Point point) const {
  for (const auto& [head, tile] : tiles) {
    if (Box{tile.x, tile.y, tile.width, tile.height + layout.caption}.contains(point)) return head;
  }
  return std::nullopt;
}

std::string grid_number_text() {
  // Its formula in words: in symbols it would push notes out of a narrow figure.
  return fmt::format("number: {} (entropy / ln keys)", measure_of(head_measures(), kEvenness).title);
}

GridFigure make_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure) {
  if (snapshot.layers() == 0 || snapshot.heads() == 0) return {};
  return GridDrawing(snapshot, request, measure).draw();
}

}  // namespace headlight

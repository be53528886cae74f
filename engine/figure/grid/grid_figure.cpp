#include "engine/figure/grid/grid_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/figure/figure_notes.h"
#include "engine/figure/figure_parts.h"
#include "engine/figure/grid/grid_sight.h"
#include "engine/figure/marks.h"
#include "engine/figure/pictures.h"
#include "engine/forward/layer_edits.h"

namespace headlight {
namespace {

constexpr float kOutlined = 3;   // narrower rows and columns of a tile are marked by a line, which hides less than an outline
constexpr float kLeastTile = 8;  // of a map of very few rows or columns

std::string number_text(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.2f}", value);
}

/// The part of a tile that a map of this shape fills, from its upper left corner.
Box fitted(Box tile, float side, Index map_rows, Index map_columns) {
  const auto rows = static_cast<float>(map_rows), columns = static_cast<float>(map_columns);
  const float cell = side / std::max(rows, columns);
  const auto length = [](float cells, float room) { return std::min(std::max(cells, kLeastTile), room); };
  return {tile.x, tile.y, length(cell * columns, tile.width), length(cell * rows, tile.height)};
}

constexpr LabelStyle kCaption{FontFace::mono, kCaptionSize};
constexpr float kDot = 6;  // that marks a head with a mask of its own

class GridDrawing {
 public:
  GridDrawing(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure, GridFigure& figure)
      : snapshot_(snapshot),
        request_(request),
        measure_(measure),
        colours_(palette(request.style.theme)),
        maps_(request.maps),
        figure_(figure),
        sight_(snapshot, request, figure.layout) {
    if (maps_ == nullptr) maps_ = &own_maps_.emplace(snapshot, request.style);
    if (request.staged != nullptr) staged_scale_ = scale_of_staged(request.style, *request.staged);
  }

  void draw() {
    if (!is_flowing(request_)) return sight_.each_layer([&](int layer) { draw_layer(layer); });
    for (const auto& [head, tile] : figure_.tiles) draw_tile(head, tile);
  }

 private:
  void add_text(Point at, std::string string, LabelStyle style, Colour colour, AlignX align = AlignX::left) {
    figure_.scene.items.emplace_back(SceneText{at, std::move(string), style.face, style.size, colour, align, AlignY::middle});
  }

  const GridLayout::Layer& layer_of(int layer) const { return figure_.layout.layers[static_cast<std::size_t>(layer)]; }

  void draw_layer(int layer) {
    const GridLayout::Layer& placed = layer_of(layer);
    const Box first = figure_.layout.box_of({layer, 0});
    if (sight_.sees(first, placed))
      add_text({request_.area.x + placed.left, first.y + first.height / 2}, snapshot_.layer_name(layer), {FontFace::ui, kTextSize},
               colours_.text_second);
    const AxisLabels queries = placed.keys > 0 ? axis_labels(snapshot_, snapshot_.query_tokens(layer)) : nullptr;
    const AxisLabels keys = placed.keys > 0 ? axis_labels(snapshot_, snapshot_.key_tokens(layer)) : nullptr;
    sight_.each_tile(layer, [&](HeadId head, const Box& tile) {
      if (queries && head.head % figure_.layout.columns == 0) query_names(*queries, tile);
      if (keys) key_names(*keys, static_cast<Index>(queries->size()), tile, placed.keys);
      sight_.is_left_out(head) ? draw_empty_tile(head, tile) : draw_tile(head, tile);
    });
    if (has_groups(snapshot_, layer)) brackets(layer);
  }

  /// At the left of a line of tiles, whose rows are all of the same tokens.
  void query_names(const std::vector<std::string>& names, Box tile) {
    const float row = tile.height / static_cast<float>(names.size());
    const float room = figure_.layout.query_width;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const LabelStyle style{FontFace::ui, kCaptionSize};
      add_text({tile.x - kTileLabelGap, tile.y + (static_cast<float>(i) + 0.5F) * row}, shortened(names[i], room, style, measure_), style,
               colours_.text_second, AlignX::right);
    }
  }

  /// Above a tile, read upwards.
  void key_names(const std::vector<std::string>& names, Index rows, Box tile, float height) {
    const auto count = static_cast<Index>(names.size());
    const float column = fitted(tile, figure_.layout.tile, rows, count).width / static_cast<float>(count);
    const LabelStyle style{FontFace::ui, kCaptionSize};
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Point at{tile.x + (static_cast<float>(i) + 0.5F) * column, tile.y - kTileLabelGap};
      figure_.scene.items.emplace_back(SceneText{at, shortened(names[i], height, style, measure_), style.face, style.size,
                                                 colours_.text_second, AlignX::left, AlignY::middle, 90});
    }
  }

  /// Under the heads that read one key/value head, line by line.
  void brackets(int layer) {
    const int heads = snapshot_.heads(layer), groups = snapshot_.trace.layer(layer).kv_heads;
    for (int first = 0; first < heads;) {
      const int group = kv_head_of(first, heads, groups), line = first / figure_.layout.columns;
      int last = first;
      while (last + 1 < heads && kv_head_of(last + 1, heads, groups) == group && (last + 1) / figure_.layout.columns == line) ++last;
      const Box from = figure_.layout.box_of({layer, first}), to = figure_.layout.box_of({layer, last});
      if (sight_.sees(from, layer_of(layer))) bracket({from.x, from.bottom() + figure_.layout.caption}, to.right(), group);
      first = last + 1;
    }
  }

  void bracket(Point from, float right, int group) {
    constexpr float kDrop = 8, kDropInGap = 3, kBeside = 6;
    const LabelStyle style{FontFace::ui, kCaptionSize};
    const bool has_name = figure_.layout.has_bracket_names;
    const float y = from.y + (has_name ? kDrop : kDropInGap), tick = has_name ? 4 : 3, width = right - from.x;
    std::string name = has_name ? fmt::format("key/value head {}", group) : "";
    if (has_name && measure_(name, style.face, style.size) + 2 * (kBeside + tick) > width) name = fmt::format("k/v {}", group);
    float half = measure_(name, style.face, style.size) / 2 + kBeside;
    if (!has_name || 2 * (half + tick) > width) name.clear(), half = 0;
    const float middle = from.x + width / 2;
    const auto line = [&](Point begin, Point end) { figure_.scene.items.emplace_back(SceneLine{begin, end, colours_.key, 1}); };
    line({from.x, y}, {middle - half, y});
    line({middle + half, y}, {right, y});
    line({from.x, y - tick}, {from.x, y});
    line({right, y - tick}, {right, y});
    if (!name.empty()) add_text({middle, y}, name, style, colours_.key, AlignX::centre);
  }

  void draw_empty_tile(HeadId head, Box tile) {
    const Box map = fitted(tile, figure_.layout.tile, snapshot_.queries(head.layer), snapshot_.keys(head.layer));
    Colour colour = colours_.line;
    colour.alpha = colour.alpha / 2;
    figure_.scene.items.emplace_back(frame_around(map, colour));
  }

  void draw_unmade_tile(HeadId head, Box tile) {
    draw_empty_tile(head, tile);
    caption(head, tile);
  }

  /// The arrangement's number as a length, right under the map.
  void number_bar(HeadId head, const Box& tile) {
    if (!request_.arrangement || !request_.arrangement->bar) return;
    constexpr float kBar = 3;
    const double share = request_.arrangement->bar(head);
    if (std::isnan(share)) return;
    const Box track{tile.x, tile.bottom() + 1, tile.width, kBar};
    figure_.scene.items.emplace_back(SceneBox{.box = track, .fill = colours_.line});
    const float length = track.width * static_cast<float>(share);
    if (length >= 1) figure_.scene.items.emplace_back(SceneBox{.box = {track.x, track.y, length, kBar}, .fill = colours_.key});
  }

  bool is_brushed(HeadId head) const { return std::binary_search(request_.brushed.begin(), request_.brushed.end(), head); }

  void draw_tile(HeadId head, Box tile) {
    const std::shared_ptr<const MapPicture> picture = request_.staged != nullptr ? request_.staged->of(head) : maps_->small(head);
    if (!picture) return draw_unmade_tile(head, tile);
    const CellWindow all{0, static_cast<float>(picture->rows()), 0, static_cast<float>(picture->columns())};
    const Box map = fitted(tile, figure_.layout.tile, picture->rows(), picture->columns());
    const bool is_selected = request_.selected == head;
    if (is_selected) add_mark(figure_.scene, around(tile, 3), colours_.accent, Mark::pinned);
    figure_.scene.items.emplace_back(frame_around(map, colours_.line));
    figure_.scene.items.emplace_back(SceneMap{
        map, picture, all, staged_scale_ ? *staged_scale_ : maps_->scale(head), {colours_.hatch_ground, colours_.hatch}, words_of(head)});
    const Encoding &queries = snapshot_.query_tokens(head.layer), &keys = snapshot_.key_tokens(head.layer);
    if (const auto row = second_sentence(queries)) {
      const float y = map.y + map.height * static_cast<float>(*row) / static_cast<float>(picture->rows());
      add_boundary(figure_.scene, {map.x, y}, {map.right(), y}, colours_);
    }
    if (const auto column = second_sentence(keys)) {
      const float x = map.x + map.width * static_cast<float>(*column) / static_cast<float>(picture->columns());
      add_boundary(figure_.scene, {x, map.y}, {x, map.bottom()}, colours_);
    }
    number_bar(head, tile);
    caption(head, tile);
    if (is_brushed(head)) add_mark_line(figure_.scene, around(tile, is_selected ? 0 : 3), colours_.text_second, Mark::pinned, 1.5F);
    if (request_.hovered == head && !is_selected) add_mark(figure_.scene, around(tile, 3), colours_.accent, Mark::hovered);
    if (request_.marks) mark_tokens(head.layer, map, *picture);
    const auto pin = std::find(request_.pinned.begin(), request_.pinned.end(), head);
    if (pin != request_.pinned.end()) chip(map, static_cast<std::size_t>(pin - request_.pinned.begin()));
  }

  /// On a page; on a screen what is pointed at is said elsewhere.
  std::shared_ptr<const MapWords> words_of(HeadId head) {
    if (request_.tile <= 0) return nullptr;
    return std::make_shared<const MapWords>(MapWords{fmt::format("{} · head {}", snapshot_.layer_name(head.layer), head.head),
                                                     labels_of(snapshot_.query_tokens(head.layer)),
                                                     labels_of(snapshot_.key_tokens(head.layer)), "query", "key"});
  }

  AxisLabels labels_of(const Encoding& encoding) {
    AxisLabels& labels = labels_[&encoding];
    if (!labels) labels = axis_labels(snapshot_, encoding);
    return labels;
  }

  /// What is written at a tile, or a shorter word for it.
  std::string number_of(HeadId head, float room) const {
    if (!is_switched_off(snapshot_.query, head)) {
      const bool has_own = request_.arrangement && request_.arrangement->number;
      return has_own ? request_.arrangement->number(head) : number_text(snapshot_.summary(head).value(kEvenness));
    }
    for (const char* word : {"switched off", "off"}) {
      if (measure_(word, kCaption.face, kCaption.size) <= room) return word;
    }
    return "×";
  }

  void own_mask_dot(Point left_middle) {
    const Box dot{left_middle.x, left_middle.y - kDot / 2, kDot, kDot};
    figure_.scene.items.emplace_back(SceneBox{.box = dot, .fill = colours_.query, .radius = kDot / 2});
  }

  /// Name and number of a head: under its tile, or at its right one over the other.
  void caption(HeadId head, Box tile) {
    const Colour colour = request_.selected == head ? colours_.text : colours_.text_second;
    // Beside a name such as "cross 0" the layer's number would differ from it.
    const bool has_layer = !figure_.layout.flow.empty() || snapshot_.model->config.place(head.layer).stack == Stack::only;
    const std::string name = has_layer ? flow_name(snapshot_, head) : fmt::format("h{}", head.head);
    const float name_width = measure_(name, kCaption.face, kCaption.size), with_dot = name_width + 4 + kDot;
    const bool has_dot = has_mask_of_its_own(snapshot_, head);
    if (figure_.layout.beside > 0) {
      const float left = tile.right() + kTileLabelGap, y = tile.y + kCaptionPitch / 2;
      add_text({left, y}, name, kCaption, colour);
      add_text({left, y + kCaptionPitch}, number_of(head, figure_.layout.beside - kTileLabelGap), kCaption, colour);
      if (has_dot) own_mask_dot({left, y + 2 * kCaptionPitch});
      return;
    }
    const float width = std::max(tile.width, figure_.layout.caption_width);  // under a small tile it takes some of the space between tiles
    const float below_bar = request_.arrangement && request_.arrangement->bar ? 2 : 0;
    const float y = tile.bottom() + 1 + below_bar + figure_.layout.caption / 2;
    const std::string number = number_of(head, width - name_width - 6);
    const float number_width = measure_(number, kCaption.face, kCaption.size);
    if (name_width <= width) add_text({tile.x, y}, name, kCaption, colour);
    if (has_dot && with_dot <= width) {
      own_mask_dot({tile.x + name_width + 4, y});
      if (with_dot + number_width + 6 > width) return;
    }
    if (name_width + number_width + 6 <= width) add_text({tile.x + width, y}, number, kCaption, colour, AlignX::right);
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
    if (marks.hovered_key != marks.pinned_key) mark(marks.hovered_key, picture.columns(), false, Mark::hovered);
    mark(marks.pinned_key, picture.columns(), false, Mark::pinned);
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
  std::optional<ShownMaps> own_maps_;
  std::optional<ColourScale> staged_scale_;  ///< of all heads
  ShownMaps* maps_;
  GridFigure& figure_;
  const GridSight sight_;
  std::map<const Encoding*, AxisLabels> labels_;
};

}  // namespace

Box GridLayout::box_of(HeadId head) const {
  if (!flow.empty()) {
    const auto place = std::find(flow.begin(), flow.end(), head);
    return place == flow.end() ? Box{} : box_at(static_cast<std::size_t>(place - flow.begin()));
  }
  const int column = head.head % columns, line = head.head / columns;
  const Layer& layer = layers[static_cast<std::size_t>(head.layer)];
  return {first.x + layer.left + static_cast<float>(column) * step, first.y + layer.top + static_cast<float>(line) * layer.line_step,
          layer.width, layer.height};
}

std::optional<HeadId> GridFigure::head_at(Point point) const {
  for (const auto& [head, tile] : tiles) {
    if (Box{tile.x, tile.y, tile.width + layout.beside, tile.height + layout.caption}.contains(point)) return head;
  }
  return std::nullopt;
}

std::optional<Cell> GridFigure::cell_at(const Snapshot& snapshot, HeadId head, Point point) const {
  constexpr float kLeastCell = 6;
  const Index rows = snapshot.queries(head.layer), columns = snapshot.keys(head.layer);
  const Box map = fitted(layout.box_of(head), layout.tile, rows, columns);
  if (!map.contains(point) || map.height < kLeastCell * static_cast<float>(rows) || map.width < kLeastCell * static_cast<float>(columns)) {
    return std::nullopt;
  }
  const auto cell = [](float at, float length, Index count) {
    return std::min(static_cast<Index>(at / length * static_cast<float>(count)), count - 1);
  };
  return Cell{cell(point.y - map.y, map.height, rows), cell(point.x - map.x, map.width, columns)};
}

float grid_label_width(const Snapshot& snapshot, const MeasureText& measure) {
  constexpr float kAfter = 16;
  return std::ceil(layer_label_width(snapshot, measure)) + kAfter;
}

std::string grid_number_text() {
  // Its formula in words: in symbols it would push notes out of a narrow figure.
  return fmt::format("number: {} (entropy / ln keys)", measure_of(head_measures(), kEvenness).title);
}

GridFigure place_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure) {
  if (snapshot.layers() == 0 || snapshot.heads() == 0) return {};
  GridFigure figure;
  figure.layout = is_flowing(request) ? make_flow_layout(snapshot, request, measure)
                                      : make_grid_layout(snapshot, request, grid_label_width(snapshot, measure), measure);
  figure.content_height = figure.layout.content_height;
  figure.tiles = GridSight(snapshot, request, figure.layout).tiles();
  return figure;
}

void draw_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure, GridFigure& figure) {
  if (snapshot.layers() == 0 || snapshot.heads() == 0) return;
  GridDrawing(snapshot, request, measure, figure).draw();
}

GridFigure make_grid_figure(const Snapshot& snapshot, const GridFigureRequest& request, const MeasureText& measure) {
  GridFigure figure = place_grid_figure(snapshot, request, measure);
  draw_grid_figure(snapshot, request, measure, figure);
  return figure;
}

}  // namespace headlight

#include <algorithm>
#include <cmath>

#include "engine/figure/axes.h"
#include "engine/figure/map_layout.h"
#include "engine/figure/marks.h"

namespace headlight {
namespace {

// Labels with as many characters as the widest may be a little wider than it: reaching into the gap is better than being shortened.
constexpr float kSlack = 6;
constexpr float kFrame = 2;
constexpr float kLabelsFromMap = 8;
constexpr float kTickBegin = 2, kTickEnd = 6;  // from the map

/// Cells of one axis on the page.
struct Axis {
  float begin = 0;  // of the window, in cells
  float origin = 0, step = 0;
  Index first = 0, end = 0;  // cells whose middle is shown
  float middle(Index cell) const { return origin + (static_cast<float>(cell) + 0.5F - begin) * step; }
  float edge(Index cell) const { return origin + (static_cast<float>(cell) - begin) * step; }
};

Axis make_axis(float begin, float end, float origin, float length, Index cells) {
  Axis axis{begin, origin, length / (end - begin), 0, 0};
  axis.first = std::clamp(static_cast<Index>(std::ceil(begin - 0.5F)), Index{0}, cells);
  axis.end = std::clamp(static_cast<Index>(std::ceil(end - 0.5F)), axis.first, cells);
  return axis;
}

/// Writes the figure part by part into a scene.
class MapFigureDrawing {
 public:
  MapFigureDrawing(const MapFigureRequest& request, const PlacedMap& placed, const MeasureText& measure)
      : request_(request),
        margins_(placed.margins),
        map_(placed.map),
        window_(shown_window(request)),
        measure_(measure),
        colours_(palette(request.theme)),
        rows_(make_axis(window_.row_begin, window_.row_end, map_.y, map_.height, request.picture->rows())),
        columns_(make_axis(window_.column_begin, window_.column_end, map_.x, map_.width, request.picture->columns())) {}

  MapFigure draw() {
    header();
    if (request_.has_axis_titles) axis_titles();
    const HatchStyle hatch{colours_.hatch_ground, colours_.hatch};
    scene_.items.emplace_back(frame_around(map_, colours_.line));
    scene_.items.emplace_back(SceneMap{map_, request_.picture, window_, request_.scale, hatch, request_.words});
    if (request_.has_cell_numbers) cell_numbers();
    boundaries();
    if (request_.has_labels) {
      query_labels();
      key_labels();
    }
    masked_row_marks();
    crosshair();
    for (const MapFrame& each : request_.frames) frame(each);
    if (request_.has_bar) colour_bar();
    scene_.title = request_.title;
    return {std::move(scene_), map_, window_};
  }

 private:
  void text(Point at, std::string string, LabelStyle style, Colour colour, AlignX align, float degrees = 0) {
    if (string.empty()) return;
    scene_.items.emplace_back(SceneText{at, std::move(string), style.face, style.size, colour, align, AlignY::middle, degrees});
  }

  void header() {
    const Box& area = request_.area;
    float y = area.y + 10;
    if (!request_.title.empty()) {
      const LabelStyle style{FontFace::ui_bold, kTitleSize};
      text({area.x, y}, shortened(request_.title, area.width, style, measure_), style, colours_.text, AlignX::left);
      y += 20;
    }
    const LabelStyle style{FontFace::ui, kCaptionSize};
    text({area.x, y}, shortened(request_.subtitle, area.width, style, measure_), style, colours_.text_second, AlignX::left);
  }

  void axis_titles() {
    const LabelStyle style{FontFace::ui_bold, kTextSize};
    const float above = map_.y - margins_.key_height;
    if (margins_.is_key_title_at_right) {
      text({map_.right() + kBarGap, above + style.size / 2}, request_.titles.key, style, column_colour(), AlignX::left);
    } else {
      const float y = above - 13;  // clear of the slanted labels under it
      text({map_.right(), y}, request_.titles.key, style, column_colour(), AlignX::right);
    }
    const float left = map_.x - margins_.left + 8;
    // A low map has room for one word only.
    const bool fits = request_.has_plain_axes || measure_(request_.titles.query, style.face, style.size) <= map_.height;
    const Colour colour = request_.has_plain_axes ? colours_.text : colours_.query;
    text({left, map_.y + map_.height / 2}, fits ? request_.titles.query : AxisTitles{}.query, style, colour, AlignX::centre, 90);
  }

  Colour column_colour() const {
    return request_.has_plain_axes ? colours_.text : request_.columns == MapColumns::keys ? colours_.key : colours_.value;
  }
  bool is_marked_query(Index row) const { return (request_.crosshair && request_.crosshair->query == row) || request_.pinned_query == row; }
  bool is_marked_key(Index column) const {
    return (request_.crosshair && request_.crosshair->key == column) || request_.pinned_key == column;
  }

  /// The cells of an axis to be labelled: every stride-th, and the marked ones in place of neighbours that they would touch.
  template <typename IsMarked>
  std::vector<Index> labelled(const Axis& axis, float pitch, IsMarked is_marked) const {
    const Index stride = label_stride(axis.step, pitch);
    const auto reach = static_cast<Index>(std::ceil(pitch / axis.step)) - 1;
    std::vector<Index> marked, cells;
    for (Index cell = axis.first; cell < axis.end; ++cell) {
      if (is_marked(cell) && (marked.empty() || cell - marked.back() > reach)) marked.push_back(cell);
    }
    for (Index cell = (axis.first + stride - 1) / stride * stride; cell < axis.end; cell += stride) {
      const auto is_near = [&](Index other) { return std::abs(other - cell) <= reach; };
      if (std::none_of(marked.begin(), marked.end(), is_near)) cells.push_back(cell);
    }
    cells.insert(cells.end(), marked.begin(), marked.end());
    return cells;
  }

  static LabelStyle position_style() { return {FontFace::mono, kCaptionSize}; }

  Colour label_colour(Mark mark, Colour of, Colour plain) const {
    return mark == Mark::none ? plain : mark == Mark::pinned ? colours_.text : of;
  }
  Mark mark_of_row(Index row) const {
    if (request_.pinned_query == row) return Mark::pinned;
    return is_marked_query(row) ? Mark::hovered : Mark::none;
  }

  /// From the map outwards: a tick where labels are left out, the position of a long text, the word.
  void query_labels() {
    if (request_.query_labels == nullptr) return;
    const std::vector<Index> rows = labelled(rows_, margins_.query_pitch(), [&](Index cell) { return is_marked_query(cell); });
    const bool has_ticks = label_stride(rows_.step, margins_.query_pitch()) > 1;
    for (const Index row : rows) query_label(row, has_ticks);
  }

  void query_label(Index row, bool has_tick) {
    const Mark mark = mark_of_row(row);
    const LabelStyle style{mark != Mark::none ? FontFace::ui_bold : FontFace::ui, margins_.labels.size};
    const Colour plain = request_.picture->is_row_masked(row) ? colours_.text_third : colours_.text_second;
    const std::string& label = (*request_.query_labels)[static_cast<std::size_t>(row)];
    const std::string name = shortened(label, margins_.query_width + kSlack, style, measure_);
    const float y = rows_.middle(row), right = map_.x - kLabelsFromMap, name_right = right - margins_.beside_query_positions();
    if (mark == Mark::pinned) {
      const float left = name_right - measure_(name, style.face, style.size) - 4, height = margins_.query_pitch() + 1;
      scene_.items.emplace_back(
          SceneBox{.box = {left, y - height / 2, right + 3 - left, height}, .fill = mark_fill(colours_.query, mark), .radius = 3});
    }
    if (has_tick) tick({map_.x - kTickEnd, y}, {map_.x - kTickBegin, y});
    const Colour colour = label_colour(mark, colours_.query, plain);
    text({name_right, y}, name, style, colour, AlignX::right);
    if (margins_.query_positions > 0) text({right, y}, std::to_string(row), position_style(), colour, AlignX::right);
  }

  void key_labels() {
    if (request_.key_labels == nullptr) return;
    const std::vector<Index> columns = labelled(columns_, margins_.key_pitch(), [&](Index cell) { return is_marked_key(cell); });
    const bool has_ticks = label_stride(columns_.step, margins_.key_pitch()) > 1;
    for (const Index column : columns) key_label(column, has_ticks);
  }

  void key_label(Index column, bool has_tick) {
    const Mark mark = is_marked_key(column) ? Mark::hovered : Mark::none;  // no fill under a slanted label: its colour says it
    const LabelStyle style{mark != Mark::none ? FontFace::ui_bold : FontFace::ui, margins_.labels.size};
    const std::string& label = (*request_.key_labels)[static_cast<std::size_t>(column)];
    const Colour colour = label_colour(mark, column_colour(), colours_.text_second);
    const float x = columns_.middle(column), y = map_.y - kLabelsFromMap;
    if (has_tick) tick({x, map_.y - kTickEnd}, {x, map_.y - kTickBegin});
    if (margins_.level_pitch > 0) return text({x, y - style.size / 2}, label, style, colour, AlignX::centre);
    const float slope = margins_.are_keys_steep ? 1 : MapMargins::kSlope, beside = margins_.beside_key_positions();
    const float high = (margins_.key_height - 8) / slope - (margins_.are_keys_steep ? 0 : style.size / 2);
    const float wide = margins_.are_keys_steep ? high : (request_.area.right() - x) / slope - style.size / 2;
    const float degrees = margins_.are_keys_steep ? 90 : 45;
    if (beside > 0) text({x, y}, std::to_string(column), position_style(), colour, AlignX::left, degrees);
    const Point at{x + (margins_.are_keys_steep ? 0 : beside * slope), y - beside * slope};
    text(at, shortened(label, std::min(high + kSlack, wide) - beside, style, measure_), style, colour, AlignX::left, degrees);
  }

  void tick(Point from, Point to) { scene_.items.emplace_back(SceneLine{from, to, colours_.text_third, 1}); }

  void cell_numbers() {
    const Mask* const mask = request_.picture->mask().get();
    const LabelStyle style{FontFace::mono, kCaptionSize};
    for (Index row = rows_.first; row < rows_.end; ++row) {
      for (Index column = columns_.first; column < columns_.end; ++column) {
        const auto top = static_cast<float>(row), left = static_cast<float>(column);
        const float value = request_.picture->value(top, top + 1, left, left + 1);
        if (!std::isfinite(value) || (mask != nullptr && !mask->allows(row, column))) continue;
        text({columns_.middle(column), rows_.middle(row)}, number_for_cell(value, columns_.step, rows_.step, style, measure_), style,
             ink_on(request_.scale.colour(value)), AlignX::centre);
      }
    }
  }

  /// Where the second sentence of a pair begins, a little beyond the map into the labels.
  void boundaries() {
    constexpr float kBeyond = 6;
    if (const auto& row = request_.second_queries; row && rows_.edge(*row) > map_.y && rows_.edge(*row) < map_.bottom()) {
      add_boundary(scene_, {map_.x - kBeyond, rows_.edge(*row)}, {map_.right(), rows_.edge(*row)}, colours_);
    }
    if (const auto& column = request_.second_keys; column && columns_.edge(*column) > map_.x && columns_.edge(*column) < map_.right()) {
      add_boundary(scene_, {columns_.edge(*column), map_.y - kBeyond}, {columns_.edge(*column), map_.bottom()}, colours_);
    }
  }

  /// "∅" beside rows in which nothing may be attended to; a tick where rows are too low for it.
  void masked_row_marks() {
    for (Index row = rows_.first; row < rows_.end; ++row) {
      if (!request_.picture->is_row_masked(row)) continue;
      const Point at{map_.right() + 5, rows_.middle(row)};
      if (rows_.step >= kCaptionSize) {
        text(at, "∅", {FontFace::ui, kCaptionSize}, colours_.bad, AlignX::left);
      } else {
        scene_.items.emplace_back(SceneLine{at, {at.x + 5, at.y}, colours_.bad, std::max(1.0F, rows_.step)});
      }
    }
  }

  /// The box around cells, as far as they are inside the map; without width where they are not.
  Box box_around(Index row_begin, Index row_end, Index column_begin, Index column_end) const {
    // Cells hardly larger than the line stay visible: it runs around them.
    const float out = is_fine() ? 1 : 0;
    const float left = std::max(columns_.edge(column_begin), map_.x) - out, right = std::min(columns_.edge(column_end), map_.right()) + out;
    const float top = std::max(rows_.edge(row_begin), map_.y) - out, bottom = std::min(rows_.edge(row_end), map_.bottom()) + out;
    if (right - left <= 2 * out || bottom - top <= 2 * out) return {};
    return {left, top, right - left, bottom - top};
  }

  bool is_fine() const { return std::min(rows_.step, columns_.step) < 8; }
  float hovered_width() const { return mark_width(Mark::hovered, is_fine()); }

  void outline(const Box& box, Colour colour, float width) {
    if (box.width > 0) scene_.items.emplace_back(SceneBox{.box = box, .stroke = colour, .stroke_width = width});
  }

  Box box_of_row(Index row) const {
    const auto [begin, end] = allowed_keys(row);
    return box_around(row, row + 1, begin, end);
  }

  void crosshair() {
    const MapPicture& picture = *request_.picture;
    const auto& cross = request_.crosshair;
    const auto mark_column = [&](Index key, Mark mark, float width) {
      const auto [begin, end] = allowed_queries(key);
      add_mark_line(scene_, box_around(begin, end, key, key + 1), column_colour(), mark, width);
    };
    const auto is_column = [&](Index column) { return column >= 0 && column < picture.columns(); };
    if (request_.pinned_key && is_column(*request_.pinned_key))
      mark_column(*request_.pinned_key, Mark::pinned, mark_width(Mark::pinned, is_fine()));
    if (cross && is_column(cross->key) && request_.pinned_key != cross->key) mark_column(cross->key, Mark::hovered, hovered_width());
    const auto is_row = [&](Index row) { return row >= 0 && row < picture.rows(); };
    if (request_.pinned_query && is_row(*request_.pinned_query)) {
      add_mark_line(scene_, box_of_row(*request_.pinned_query), colours_.query, Mark::pinned, mark_width(Mark::pinned, is_fine()));
    }
    if (cross && is_row(cross->query) && request_.pinned_query != cross->query) {
      add_mark_line(scene_, box_of_row(cross->query), colours_.query, Mark::hovered, hovered_width());
    }
  }

  /// A frame inside the map. Where its cells continue beyond the map's edge, that side stays open.
  void frame(const MapFrame& cells) {
    constexpr float kNear = 0.01F;
    const float left = columns_.edge(cells.key_begin), right = columns_.edge(cells.key_end);
    const float top = rows_.edge(cells.query_begin), bottom = rows_.edge(cells.query_end);
    if (right <= map_.x + kNear || left >= map_.right() - kNear || bottom <= map_.y + kNear || top >= map_.bottom() - kNear) return;
    const float width = is_fine() ? 1.0F : kFrame, half = width / 2;
    const float x = std::max(left, map_.x + half), end_x = std::min(right, map_.right() - half);
    const float y = std::max(top, map_.y + half), end_y = std::min(bottom, map_.bottom() - half);
    const Colour colour = cells.kind == FrameKind::relation ? colours_.key : colours_.accent;
    const bool has_left = left > map_.x - kNear, has_right = right < map_.right() + kNear;
    const bool has_top = top > map_.y - kNear, has_bottom = bottom < map_.bottom() + kNear;
    if (has_left && has_right && has_top && has_bottom) return outline({x, y, end_x - x, end_y - y}, colour, width);
    const auto side = [&](bool has_side, Point from, Point to) {
      if (has_side) scene_.items.emplace_back(SceneLine{from, to, colour, width});
    };
    // As long as the outer edge of the corners, or to the edge of the map.
    side(has_top, {x - half, y}, {end_x + half, y});
    side(has_bottom, {x - half, end_y}, {end_x + half, end_y});
    side(has_left, {x, y - half}, {x, end_y + half});
    side(has_right, {end_x, y - half}, {end_x, end_y + half});
  }

  /// From the first to just past the last allowed key of a row; the whole row if none is allowed.
  std::pair<Index, Index> allowed_keys(Index row) const {
    const Mask* mask = request_.picture->mask().get();
    Index begin = 0, end = request_.picture->columns();
    if (mask == nullptr || request_.picture->is_row_masked(row)) return {begin, end};
    while (!mask->allows(row, begin)) ++begin;
    while (!mask->allows(row, end - 1)) --end;
    return {begin, end};
  }

  std::pair<Index, Index> allowed_queries(Index column) const {
    const Mask* mask = request_.picture->mask().get();
    const Index rows = request_.picture->rows();
    Index begin = 0, end = rows;
    if (mask == nullptr) return {begin, end};
    while (begin < end && !mask->allows(begin, column)) ++begin;
    while (end > begin && !mask->allows(end - 1, column)) --end;
    return begin < end ? std::pair{begin, end} : std::pair{Index{0}, rows};
  }

  void colour_bar() {
    const float below = request_.is_tight ? kCaptionSize / 2 : 0;  // half of the last number
    const float height = std::max(map_.height, std::min(96.0F, request_.area.bottom() - below - map_.y));
    const Box bar{map_.right() + bar_gap(request_), map_.y, kBarWidth, height};
    scene_.items.emplace_back(SceneRamp{bar, request_.scale});
    add_bar_marks(scene_, bar, request_.scale, colours_, measure_);
  }

  const MapFigureRequest& request_;
  const MapMargins& margins_;
  Box map_;
  CellWindow window_;
  const MeasureText& measure_;
  const Palette& colours_;
  Axis rows_, columns_;
  Scene scene_;
};

/// A small area keeps its map and drops what is around it, one part after the other.
PlacedMap place_readably(MapFigureRequest& kept, const MeasureText& measure) {
  constexpr float kReadableSide = 48;
  PlacedMap placed = place_map(kept, measure);
  const auto give_up = [&](auto drop) {
    if (std::max(placed.map.width, placed.map.height) >= kReadableSide) return;
    drop();
    placed = place_map(kept, measure);
  };
  give_up([&] { kept.has_bar = false; });
  give_up([&] { kept.has_axis_titles = false; });
  give_up([&] { kept.has_labels = false; });
  give_up([&] { kept.title.clear(), kept.subtitle.clear(); });
  return placed;
}

}  // namespace

PlacedFigure place_map_figure(const MapFigureRequest& request, const MeasureText& measure) {
  if (!request.picture || request.picture->rows() == 0 || request.picture->columns() == 0) return {};
  PlacedFigure figure{request, {}};
  figure.placed = place_readably(figure.request, measure);
  return figure;
}

PlacedFigure place_map_figure(const MapFigureRequest& request, Hold hold, std::optional<HeldMap>& held, const MeasureText& measure) {
  PlacedFigure figure = place_map_figure(request, measure);
  if (!figure.request.picture) return figure;
  const auto& [kept, placed] = figure;
  const auto rows = static_cast<float>(request.picture->rows()), columns = static_cast<float>(request.picture->columns());
  const bool is_whole = shown_window(request) == CellWindow{0, rows, 0, columns};
  const float cell = placed.map.width / columns;
  const bool is_square = std::abs(placed.map.height / rows - cell) < 0.01F;
  const bool has_all = kept.has_bar == request.has_bar && kept.has_labels == request.has_labels;
  if (!is_whole || !is_square || !has_all) {
    held.reset();
    return figure;
  }
  const bool is_held = held && held->area == request.area && held->columns == request.columns;
  if (hold != Hold::nothing && is_held) figure.placed = held_in_place(figure.request, placed, hold, *held, measure);
  const CellWindow shown = shown_window(kept);
  held = HeldMap{placed, request.area, placed.map.width / (shown.column_end - shown.column_begin), request.columns};
  return figure;
}

MapFigure make_map_figure(const MapFigureRequest& request, const MeasureText& measure) {
  return place_map_figure(request, measure).drawn(measure);
}

MapFigure draw_map_figure(const MapFigureRequest& request, const PlacedMap& placed, const MeasureText& measure) {
  return MapFigureDrawing(request, placed, measure).draw();
}

std::optional<Cell> MapFigure::cell_at(Point point) const {
  if (!map.contains(point)) return std::nullopt;
  const float row = window.row_begin + (point.y - map.y) / map.height * (window.row_end - window.row_begin);
  const float column = window.column_begin + (point.x - map.x) / map.width * (window.column_end - window.column_begin);
  const auto cell = [](float at, float end) { return static_cast<Index>(std::min(std::floor(at), std::ceil(end) - 1)); };
  return Cell{cell(row, window.row_end), cell(column, window.column_end)};
}

Box MapFigure::box_of(Cell cell) const {
  const float height = map.height / (window.row_end - window.row_begin), width = map.width / (window.column_end - window.column_begin);
  return {map.x + (static_cast<float>(cell.key) - window.column_begin) * width,
          map.y + (static_cast<float>(cell.query) - window.row_begin) * height, width, height};
}

Box MapFigure::box_of(const MapFrame& frame) const {
  const Box first = box_of(Cell{frame.query_begin, frame.key_begin}), last = box_of(Cell{frame.query_end - 1, frame.key_end - 1});
  return {first.x, first.y, last.right() - first.x, last.bottom() - first.y};
}

}  // namespace headlight

#include "engine/figure/kinds/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace headlight {
namespace {

constexpr float kLargestCell = 44;
constexpr float kTitleLine = 24, kAfterHeading = 12, kAfterLetter = 8;

/// Without the labels of cells for which `is_left_out`: no room is kept for them.
template <typename LeftOut>
AxisLabels without(const AxisLabels& labels, LeftOut is_left_out) {
  if (!labels) return labels;
  auto kept = std::make_shared<std::vector<std::string>>(*labels);
  for (std::size_t i = 0; i < kept->size(); ++i) {
    if (is_left_out(static_cast<Index>(i))) (*kept)[i].clear();
  }
  return kept;
}

/// Without the labels that a file leaves out; a marked token keeps its own.
AxisLabels thinned(const AxisLabels& labels, Index stride, std::optional<Index> marked) {
  if (stride == 1) return labels;
  return without(labels, [&](Index cell) { return cell % stride != 0 && cell != marked; });
}

/// The labels of the cells that are shown.
AxisLabels in_part(const AxisLabels& labels, float begin, float end) {
  if (!labels || (begin <= 0 && end >= static_cast<float>(labels->size()))) return labels;
  return without(labels, [&](Index cell) { return static_cast<float>(cell + 1) <= begin || static_cast<float>(cell) >= end; });
}

float share_for_labels(const MapRoom& room) {
  return room.width > 0 ? std::min(room.width, room.share_of) : room.share_of;
}

/// So that labels, map and bar are no wider than the room. Labels depend on the cells, and cells on what labels leave.
float widest_cell(const MapFigureRequest& request, const MapRoom& room, const MeasureText& measure) {
  constexpr float kLeastMap = 48;
  if (room.width <= 0) return std::numeric_limits<float>::infinity();
  const CellWindow part = shown_window(request);
  const float columns = part.column_end - part.column_begin, share_of = share_for_labels(room);
  float cell = room.width / columns;
  for (int look = 0; look < 3; ++look) {
    const MapMargins margins = margins_of(request, share_of, share_of, cell, measure);
    cell = std::max(room.width - margins.left - margins.right, kLeastMap) / columns;
  }
  return cell;
}

}  // namespace

float room_across(const PageLook& look) {
  return look.width_mm > 0 ? std::max(layout_width(look) - 2 * kPrintMargin, 1.0F) : 0;
}

float room_for_maps(const PageLook& look) {
  constexpr float kLeast = 220;  // a label, a map that can be seen, and its bar
  const float room = room_across(look);
  return room > 0 ? std::max(room, kLeast) : 0;
}

Page::Page(const PageWords& words, const Style& style, const PageLook& look, float content_width, const MeasureText& measure)
    : colours_(palette(style.theme)),
      measure_(measure),
      look_(look),
      margin_(has_print_size(look) ? kPrintMargin : kPageMargin),
      width_(look.width_mm > 0 ? std::max(content_width, room_across(look)) : std::ceil(std::max(content_width, kLeastPageWidth))),
      y_(has_print_size(look) ? kPrintMargin : kPageMargin - 4) {
  scene_.title = words.title;
  scene_.width = width_ + 2 * margin_;
  // Paper in print is white; on a screen the dark figure continues the window.
  scene_.background = style.theme == Theme::dark ? colours_.ground : colours_.panel;
  heading(words);
}

void Page::heading(const PageWords& words) {
  const float top = y_;
  const bool has_title = look_.has(PagePart::title);
  std::string title = has_title ? words.title : std::string();
  if (!look_.letter.empty()) {
    scene_.items.emplace_back(
        SceneText{{margin_, y_ + kTitleLine / 2}, look_.letter, FontFace::ui_bold, kTitleSize, colours_.text, AlignX::left});
    indent_ = measure_(look_.letter, FontFace::ui_bold, kTitleSize) + kAfterLetter;
    const bool is_alone = title.empty() && !(look_.has(PagePart::caption) && !words.sentence.empty());
    if (title.empty() && !(is_alone && words.is_corner_free)) y_ += kTitleLine;
  }
  lines(title, most(1), {FontFace::ui_bold, kTitleSize}, colours_.text, kTitleLine);
  indent_ = 0;
  if (look_.has(PagePart::caption)) lines(words.sentence, most(2), {FontFace::ui, kTextSize}, colours_.text_second, 20);
  if (y_ > top) y_ += kAfterHeading;
}

Scene Page::finish(const std::string& notes) {
  const float bottom_margin = has_print_size(look_) ? kPrintMargin : kPageMargin - 4;
  if (look_.has(PagePart::footer)) {
    y_ += 16;
    lines(notes, most(3), {FontFace::ui, kCaptionSize}, colours_.text_second, 16);
  }
  scene_.height = std::ceil(y_ + bottom_margin);
  return std::move(scene_);
}

/// A narrow page has as many lines as its words need.
std::size_t Page::most(std::size_t usual) const {
  constexpr std::size_t kMostLines = 40;
  return has_print_size(look_) ? kMostLines : usual;
}

void Page::lines(const std::string& text, std::size_t most, LabelStyle style, Colour colour, float height) {
  for (std::string& line : wrapped(text, width_ - indent_, most, style, measure_)) {
    scene_.items.emplace_back(SceneText{{margin_ + indent_, y_ + height / 2}, std::move(line), style.face, style.size, colour});
    y_ += height;
  }
}

std::string name_of_head(const Snapshot& snapshot, HeadId head) {
  return fmt::format("{} · head {}", snapshot.layer_name(head.layer), head.head);
}

std::string short_name_of_head(const Snapshot& snapshot, HeadId head) {
  const LayerPlace place = snapshot.model->config.place(head.layer);
  return place.stack == Stack::only ? fmt::format("{}.{}", place.number, head.head)
                                    : fmt::format("{}.{}.{}", name_of(place.stack), place.number, head.head);
}

SizedMap size_map(MapFigureRequest request, const MapRoom& room, const MeasureText& measure) {
  const CellWindow part = shown_window(request);
  const float rows = part.row_end - part.row_begin, columns = part.column_end - part.column_begin;
  if (!request.words)
    request.words = std::make_shared<const MapWords>(
        MapWords{request.title, request.query_labels, request.key_labels, "query", request.columns == MapColumns::keys ? "key" : "number"});
  request.query_labels = in_part(request.query_labels, part.row_begin, part.row_end);
  request.key_labels = in_part(request.key_labels, part.column_begin, part.column_end);
  const float share_of = share_for_labels(room);
  float cell = std::min(kLargestCell, room.largest_side / std::max(rows, columns));
  if (cell >= 4) cell = std::floor(cell);
  const float limit = widest_cell(request, room, measure);
  cell = std::min(cell, limit);
  // So that a long thin map does not become a line.
  const float width = std::max(cell * columns, std::min({160.0F, columns * kCaptionPitch, limit * columns}));
  const float height = std::max(cell * rows, std::min(160.0F, rows * kCaptionPitch));
  const MapMargins pitches = margins_of(request, share_of, share_of, width / columns, measure);
  request.query_labels = thinned(request.query_labels, label_stride(height / rows, pitches.query_pitch()), request.pinned_query);
  request.key_labels = thinned(request.key_labels, label_stride(width / columns, pitches.key_pitch()), request.pinned_key);
  // Labels may take the share of a full-size figure, however few cells there are.
  const MapMargins margins = margins_of(request, share_of, share_of, width / columns, measure);
  request.area = {0, 0, margins.left + width + margins.right, margins.top + height + margins.bottom};
  return {std::move(request), {margins, {margins.left, margins.top, width, height}}};
}

MapFigure draw_sized(SizedMap map, Point at, const MeasureText& measure) {
  map.request.area.x += at.x;
  map.request.area.y += at.y;
  map.placed.map.x += at.x;
  map.placed.map.y += at.y;
  return draw_map_figure(map.request, map.placed, measure);
}

}  // namespace headlight

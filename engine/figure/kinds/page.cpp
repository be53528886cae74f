#include "engine/figure/kinds/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace headlight {
namespace {

constexpr float kLargestCell = 44;

/// Without the labels that a file leaves out, so that no room is kept for them.
AxisLabels thinned(const AxisLabels& labels, Index stride) {
  if (!labels || stride == 1) return labels;
  auto kept = std::make_shared<std::vector<std::string>>(*labels);
  for (std::size_t i = 0; i < kept->size(); ++i) {
    if (static_cast<Index>(i) % stride != 0) (*kept)[i].clear();
  }
  return kept;
}

}  // namespace

Page::Page(const std::string& title, const std::string& sentence, const Style& style, float content_width, const MeasureText& measure)
    : colours_(palette(style.theme)), measure_(measure), width_(std::ceil(std::max(content_width, kLeastPageWidth))) {
  scene_.title = title;
  scene_.width = width_ + 2 * kPageMargin;
  // Paper in print is white; on a screen the dark figure continues the window.
  scene_.background = style.theme == Theme::dark ? colours_.ground : colours_.panel;
  lines(title, 1, {FontFace::ui_bold, kTitleSize}, colours_.text, 24);
  lines(sentence, 2, {FontFace::ui, kTextSize}, colours_.text_second, 20);
  y_ += 12;
}

Scene Page::finish(const std::string& notes) {
  y_ += 16;
  lines(notes, 3, {FontFace::ui, kCaptionSize}, colours_.text_second, 16);
  scene_.height = std::ceil(y_ + kPageMargin - 4);
  return std::move(scene_);
}

void Page::lines(const std::string& text, std::size_t most, LabelStyle style, Colour colour, float height) {
  for (std::string& line : wrapped(text, width_, most, style, measure_)) {
    scene_.items.emplace_back(SceneText{{kPageMargin, y_ + height / 2}, std::move(line), style.face, style.size, colour});
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

SizedMap size_map(MapFigureRequest request, float largest_side, const MeasureText& measure) {
  const auto rows = static_cast<float>(request.picture->rows()), columns = static_cast<float>(request.picture->columns());
  if (!request.words)
    request.words = std::make_shared<const MapWords>(
        MapWords{request.title, request.query_labels, request.key_labels, "query", request.columns == MapColumns::keys ? "key" : "number"});
  float cell = std::min(kLargestCell, largest_side / std::max(rows, columns));
  if (cell >= 4) cell = std::floor(cell);
  // So that a long thin map does not become a line.
  const float width = std::max(cell * columns, std::min(160.0F, columns * kCaptionPitch));
  const float height = std::max(cell * rows, std::min(160.0F, rows * kCaptionPitch));
  const MapMargins pitches = margins_of(request, kLargestMap, kLargestMap, width / columns, measure);
  request.query_labels = thinned(request.query_labels, label_stride(height / rows, pitches.query_pitch()));
  request.key_labels = thinned(request.key_labels, label_stride(width / columns, pitches.key_pitch()));
  // Labels may take the share of a full-size figure, however few cells there are.
  const MapMargins margins = margins_of(request, kLargestMap, kLargestMap, width / columns, measure);
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

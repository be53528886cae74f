#include "engine/figure/map_layout.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include "engine/core/numbers.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

constexpr float kAxisTitleWidth = 24;
constexpr float kLabelGap = 8;
constexpr float kSteepBelow = 20;       // cells narrower than this have key labels at 90 degrees
constexpr float kLargeLabelsFrom = 26;  // cells from here on have labels of the text size
constexpr float kLargestCell = 120;
constexpr float kRoomForPositions = 360;  // height of an area
constexpr float kFullBar = 720;           // a bar of this height has all its numbers
constexpr float kBetweenLevel = 5;        // least distance of two level labels
constexpr float kBesideHeader = 24;       // least distance of anything beside title and subtitle

/// "2.0 %" and "clipped": the share of the cells that are above the top of a bar.
std::vector<std::string> clipped_lines(const ColourScale& scale) {
  if (!(scale.clipped > 0)) return {};
  return {percent_text(static_cast<double>(scale.clipped)), "clipped"};
}

float number_width(const ColourScale& scale, const MeasureText& measure) {
  float width = 0;
  for (const BarMark& mark : bar_marks(scale, kFullBar)) width = std::max(width, measure(mark.text, FontFace::mono, kCaptionSize));
  for (const std::string& line : clipped_lines(scale)) width = std::max(width, measure(line, FontFace::ui, kCaptionSize));
  return width;
}

float header_height(const MapFigureRequest& request) {
  return (request.title.empty() ? 0.0F : 20.0F) + (request.subtitle.empty() ? 0.0F : 20.0F);
}

float header_width(const MapFigureRequest& request, const MeasureText& measure) {
  return std::max(measure(request.title, FontFace::ui_bold, kTitleSize), measure(request.subtitle, FontFace::ui, kCaptionSize));
}

/// The width of the positions beside the labels of an axis; 0: they are not shown. `has_room`: for those of a text that could be counted,
/// whose labels do without where a low map would become lower: a tick beside each says what is left out.
float positions_width(const AxisLabels& labels, float step, float pitch, bool has_room, const MeasureText& measure) {
  const auto tokens = static_cast<Index>(labels->size());
  if (tokens == 0) return 0;
  if (!shows_positions(tokens) && (!has_room || label_stride(step, pitch) == 1)) return 0;
  return std::ceil(measure(std::to_string(tokens - 1), FontFace::mono, kCaptionSize));
}

/// How far slanted labels, `beside` their map, reach beyond its last column: their length, and half of their height.
float overhang_of(std::span<const std::string> labels, float limit, float beside, float cell, LabelStyle style,
                  const MeasureText& measure) {
  constexpr std::size_t kLast = 8;  // at 45 degrees and with slanted labels only from 20 points a cell on, earlier ones end before it
  float overhang = 0;
  for (std::size_t back = 0; back < std::min(kLast, labels.size()); ++back) {
    const float length = std::min(limit, beside + measure(labels[labels.size() - 1 - back], style.face, style.size));
    const float column = (static_cast<float>(back) + 0.5F) * cell;
    overhang = std::max(overhang, (length + style.size / 2) * MapMargins::kSlope - column);
  }
  return overhang;
}

/// Whether the title of the keys would run into title or subtitle if it were above the map's right end.
bool meets_header(const MapFigureRequest& request, float map_right, const MeasureText& measure) {
  return header_height(request) == 0 ||
         header_width(request, measure) + kBesideHeader > map_right - measure(request.titles.key, FontFace::ui_bold, kTextSize);
}

}  // namespace

float bar_gap(const MapFigureRequest& request) {
  if (!request.is_tight) return kBarGap;
  for (Index row = 0; row < request.picture->rows(); ++row) {
    if (request.picture->is_row_masked(row)) return kBarGap;
  }
  return kTightBarGap;
}

CellWindow shown_window(const MapFigureRequest& request) {
  if (request.window != CellWindow{}) return request.window;
  return {0, static_cast<float>(request.picture->rows()), 0, static_cast<float>(request.picture->columns())};
}

LongestLabels::LongestLabels(const MapFigureRequest& request) {
  if (request.query_labels) queries = longest_labels(*request.query_labels);
  if (request.key_labels) keys = longest_labels(*request.key_labels);
}

MapMargins margins_of(const MapFigureRequest& request, const LongestLabels& longest, float size_x, float size_y, float cell,
                      const MeasureText& measure, bool is_header_beside, float key_share) {
  MapMargins margins;
  margins.is_header_beside = is_header_beside;
  const CellWindow part = shown_window(request);
  margins.are_keys_steep = cell < kSteepBelow;
  if (cell >= kLargeLabelsFrom) margins.labels.size = kTextSize;
  const bool has_queries = request.has_labels && request.query_labels != nullptr;
  const bool has_keys = request.has_labels && request.key_labels != nullptr;
  if (has_queries) {
    margins.query_width = std::ceil(widest(longest.queries, std::min(180.0F, size_x * 0.28F), margins.labels, measure));
    margins.query_positions = positions_width(request.query_labels, cell, margins.query_pitch(), true, measure);
  }
  float overhang = 0;
  if (has_keys && request.columns == MapColumns::numbers) {
    margins.are_keys_steep = false;
    margins.level_pitch = std::ceil(widest(longest.keys, size_x, margins.labels, measure)) + kBetweenLevel;
    margins.key_height = std::ceil(margins.labels.size) + kLabelGap;
  } else if (has_keys) {
    const float rise = margins.are_keys_steep ? 1 : MapMargins::kSlope;
    margins.key_positions = positions_width(request.key_labels, cell, margins.key_pitch(), size_y >= kRoomForPositions, measure);
    const float limit = std::min(160.0F, size_y * key_share) / rise;
    const float length = margins.beside_key_positions() + widest(longest.keys, limit, margins.labels, measure);
    margins.key_height = std::ceil(length * rise + (margins.are_keys_steep ? 0 : margins.labels.size * MapMargins::kSlope / 2)) + kLabelGap;
    if (!margins.are_keys_steep) {
      const auto shown = std::min(request.key_labels->size(), static_cast<std::size_t>(std::ceil(part.column_end)));
      overhang =
          overhang_of(std::span(*request.key_labels).first(shown), length, margins.beside_key_positions(), cell, margins.labels, measure);
    }
  }

  const bool has_query_title = request.has_axis_titles && !(request.is_tight && request.titles.query.empty());
  margins.left =
      (has_query_title ? kAxisTitleWidth : 0) + (has_queries ? margins.query_width + margins.beside_query_positions() + kLabelGap : 0);
  const float bar = bar_gap(request) + kBarWidth + kLabelGap + number_width(request.scale, measure);
  margins.right = request.has_bar ? std::max(bar, std::min(overhang, 96.0F)) : std::min(overhang, 96.0F);
  margins.right = std::ceil(margins.right);
  const float header = is_header_beside ? 0 : header_height(request);
  margins.top = header + margins.key_height;
  if (header > 0 && !has_keys) margins.top += kLabelGap;
  const float map_right = margins.left + (part.column_end - part.column_begin) * cell;
  if (request.has_axis_titles && (is_header_beside || meets_header(request, map_right, measure))) {
    const float title_right = map_right + kBarGap + measure(request.titles.key, FontFace::ui_bold, kTextSize);
    margins.is_key_title_at_right =
        margins.are_keys_steep && has_keys && (is_header_beside || (header_height(request) > 0 && title_right <= size_x));
    margins.has_key_title_line = !margins.is_key_title_at_right;
    if (margins.has_key_title_line) margins.top += 20;
  }
  margins.bottom = request.has_bar || has_queries ? 8 : 0;  // half of the last number or label
  return margins;
}

std::string bar_number(float value, const ColourScale& scale) {
  const float range = std::max(std::abs(scale.low), std::abs(scale.high));
  const float magnitude = std::abs(value);
  std::string text;
  constexpr int kMostDecimals = 5;
  const int decade = range > 0 ? static_cast<int>(std::floor(std::log10(range * 1.0001F))) : 0;
  const int decimals = decade >= 0 ? std::max(2 - decade, 0) : 1 - decade;
  const bool spans_decades = scale.kind == ScaleKind::log || scale.ranks;
  if (spans_decades && magnitude >= 1e-4F) {
    text = fmt::format("{:.2g}", magnitude);
  } else if (spans_decades || decimals > kMostDecimals) {
    text = magnitude > 0 ? weight_text(static_cast<double>(magnitude), 0) : "0";
  } else {
    text = fmt::format("{:.{}f}", magnitude, decimals);
  }
  const bool is_zero = text.find_first_not_of("0.") == std::string::npos;
  if (value < 0 && !is_zero) return "−" + text;
  return scale.is_zero_centred() && !is_zero ? "+" + text : text;
}

namespace {

/// Whether the number beside the bar is the value itself and not a rounded one.
bool is_exact(float value, const ColourScale& scale) {
  const std::string text = bar_number(value, scale);
  const float shown = std::strtof(text.c_str() + (text.starts_with('+') ? 1 : 0), nullptr);
  return std::abs(shown - value) < 1e-3F * scale.high;
}

/// The values between the ends of a bar that are worth a number, in order.
std::vector<float> inner_values(const ColourScale& scale) {
  std::vector<float> values;
  if (scale.kind == ScaleKind::log || scale.ranks) {  // its ends are decades apart, or its values are those of cells
    for (const float place : {0.25F, 0.5F, 0.75F}) values.push_back(scale.value_at(place));
    return values;
  }
  if (scale.is_zero_centred()) {
    if (!is_exact(scale.high / 2, scale)) return {0};
    return {-scale.high / 2, 0, scale.high / 2};
  }
  if (scale.kind == ScaleKind::percentile) {  // its end is the weight of a cell: round numbers below it
    const float step = round_up(scale.span() / 4);
    for (float value = step; value < scale.high; value += step) values.push_back(value);
    return values;
  }
  for (const int parts : {4, 5, 3, 2}) {
    const float step = scale.span() / static_cast<float>(parts);
    if (!is_exact(step, scale)) continue;
    for (int part = 1; part < parts; ++part) values.push_back(scale.low + static_cast<float>(part) * step);
    return values;
  }
  return values;
}

}  // namespace

std::vector<BarMark> bar_marks(const ColourScale& scale, float height) {
  const float least = kCaptionPitch / std::max(height, 1.0F);
  std::vector<BarMark> marks{{0, bar_number(scale.value_at(0), scale)}};
  const bool has_middle = scale.is_zero_centred() && least <= 0.5F;
  const float least_below_top = scale.clipped > 0 ? 3 * least : least;  // the share that is clipped is written under the top
  for (const float value : inner_values(scale)) {
    const float place = scale.place(value);
    const bool is_middle = has_middle && value == 0;
    const bool touches_middle = has_middle && !is_middle && std::abs(place - 0.5F) < least;
    if (touches_middle || place - marks.back().place < least || 1 - place < least_below_top) continue;
    marks.push_back({place, bar_number(value, scale)});
  }
  marks.push_back({1, bar_number(scale.value_at(1), scale)});
  return marks;
}

void add_bar_marks(Scene& scene, const Box& bar, const ColourScale& scale, const Palette& colours, const MeasureText& measure) {
  constexpr float kGap = 8;
  const std::vector<BarMark> marks = bar_marks(scale, bar.height);
  float width = 0;
  for (const BarMark& mark : marks) width = std::max(width, measure(mark.text, FontFace::mono, kCaptionSize));
  for (const BarMark& mark : marks) {
    const Point at{bar.right() + kGap + width, bar.bottom() - bar.height * mark.place};
    scene.items.emplace_back(SceneText{at, mark.text, FontFace::mono, kCaptionSize, colours.text_second, AlignX::right});
  }
  if (bar.height < 4 * kCaptionPitch) return;  // a figure's notes say it, too
  float y = bar.y + kCaptionPitch;
  for (std::string& line : clipped_lines(scale)) {
    scene.items.emplace_back(SceneText{{bar.right() + kGap, y}, std::move(line), FontFace::ui, kCaptionSize, colours.text_second});
    y += kCaptionPitch;
  }
}

namespace {

/// The largest cell that fits, and the box of the map around it.
struct Fit {
  float cell = 0;
  Point size;
};

/// `rows` and `columns` of cells in width × height: square, in whole points from 4 on. Only cells below 2 points of a long thin map are
/// stretched, so that it does not become a line.
Fit fit_cells(float rows, float columns, float width, float height) {
  width = std::max(width, 1.0F);
  height = std::max(height, 1.0F);
  float cell = std::min({width / columns, height / rows, kLargestCell});
  if (cell >= 4) cell = std::floor(cell + 0.01F);
  Fit fit{cell, {cell * columns, cell * rows}};
  if (cell >= 2 || std::max(rows, columns) < 4 * std::min(rows, columns)) return fit;
  constexpr float kLeastSide = 160;
  const auto stretched = [&](float count, float room) {
    return std::max(count * cell, std::min({room, kLeastSide, count * kCaptionPitch}));
  };
  fit.size = {stretched(columns, width), stretched(rows, height)};
  return fit;
}

/// Zooming evenly keeps the box of the whole map; a window of another shape gets a box of its own shape.
Fit fit_window(const MapFigureRequest& request, float width, float height) {
  const CellWindow window = shown_window(request);
  const auto rows = static_cast<float>(request.picture->rows()), columns = static_cast<float>(request.picture->columns());
  const float shown_rows = window.row_end - window.row_begin, shown_columns = window.column_end - window.column_begin;
  const bool is_even = std::abs(shown_rows * columns - shown_columns * rows) <= 0.01F * shown_rows * columns;
  Fit fit = is_even ? fit_cells(rows, columns, width, height) : fit_cells(shown_rows, shown_columns, width, height);
  fit.cell = fit.size.x / shown_columns;
  return fit;
}

/// The largest map with the header above it, or at its left.
PlacedMap place_with(const MapFigureRequest& request, const LongestLabels& longest, const MeasureText& measure, bool is_header_beside,
                     float key_share) {
  const Box area = request.area;
  PlacedMap placed;
  placed.margins = margins_of(request, longest, area.width, area.height, kLargestCell, measure, is_header_beside, key_share);
  Fit fit;
  // Small cells need steeper labels and so other margins; the third look only settles "keys" and the label size.
  for (int look = 0; look < 3; ++look) {
    const MapMargins& now = placed.margins;
    fit = fit_window(request, area.width - now.left - now.right, area.height - now.top - now.bottom);
    placed.margins = margins_of(request, longest, area.width, area.height, fit.cell, measure, is_header_beside, key_share);
  }
  const MapMargins& margins = placed.margins;
  const Point room{std::max(area.width - margins.left - margins.right, 1.0F), std::max(area.height - margins.top - margins.bottom, 1.0F)};
  const Point size{std::min(fit.size.x, room.x), std::min(fit.size.y, room.y)};
  // At the left, where its title is: so it grows to the right and down as a text gets longer.
  const float header = is_header_beside ? std::min(std::ceil(header_width(request, measure) + kBesideHeader), room.x - size.x) : 0;
  placed.map = {area.x + margins.left + std::floor(header), area.y + margins.top, size.x, size.y};
  return placed;
}

/// The largest of a few sizes that is at most `cell`.
float step_below(float cell) {
  constexpr std::array kSteps{4.0F, 6.0F, 8.0F, 11.0F, 14.0F, 18.0F, 24.0F, 32.0F, 42.0F, 56.0F, 75.0F, 100.0F};
  const auto above = std::upper_bound(kSteps.begin(), kSteps.end(), cell);
  return above == kSteps.begin() ? cell : *(above - 1);
}

}  // namespace

/// In a low, wide area the header stands at the left, where there is room for it, if that makes the map larger.
PlacedMap place_map(const MapFigureRequest& request, const MeasureText& measure) {
  constexpr float kLessKeyShare = 0.22F;
  const LongestLabels longest(request);
  const auto largest = [&](bool is_header_beside) {
    PlacedMap placed = place_with(request, longest, measure, is_header_beside, kUsualKeyShare);
    if (placed.map.height >= request.area.height * 0.6F) return placed;
    PlacedMap with_short_keys = place_with(request, longest, measure, is_header_beside, kLessKeyShare);
    return with_short_keys.map.height > placed.map.height ? with_short_keys : placed;
  };
  const PlacedMap above = largest(false);
  if (header_height(request) == 0) return above;
  const PlacedMap beside = largest(true);
  const float room = request.area.width - beside.margins.left - beside.margins.right - beside.map.width;
  const bool is_larger = beside.map.height > above.map.height;
  return is_larger && header_width(request, measure) + kBesideHeader <= room / 2 ? beside : above;
}

PlacedMap held_in_place(MapFigureRequest& request, const PlacedMap& fresh, Hold hold, const HeldMap& before, const MeasureText& measure) {
  constexpr float kGrowth = 1.5F;  // cells grow again when they could be this much larger
  constexpr float kLeastKeys = 56;
  constexpr float kLabelStep = 24;  // labels that have become wider move the map by whole steps
  const auto rows = static_cast<float>(request.picture->rows()), columns = static_cast<float>(request.picture->columns());
  const float could_be = fresh.map.width / columns;
  PlacedMap placed = before.placed;
  if (hold == Hold::corner) {
    const auto grow = [&](float& held, float wanted, float& edge, float& margin) {
      const float more = std::ceil(std::max(0.0F, wanted - held) / kLabelStep) * kLabelStep;
      held += more, edge += more, margin += more;
    };
    grow(placed.margins.query_width, fresh.margins.query_width, placed.map.x, placed.margins.left);
    // Labels at 90 degrees are longer than slanted ones; they are cut off rather than the map moved.
    const float keys = fresh.margins.key_height;
    grow(placed.margins.key_height, fresh.margins.are_keys_steep ? std::min(keys, kLeastKeys) : keys, placed.map.y, placed.margins.top);
  }
  const float beside = placed.map.x - placed.margins.left - request.area.x;
  if (placed.margins.is_header_beside && header_width(request, measure) > beside) return fresh;  // it would lie over the labels
  const Point room{std::max(1.0F, request.area.right() - fresh.margins.right - placed.map.x),
                   std::max(1.0F, request.area.bottom() - fresh.margins.bottom - placed.map.y)};
  const bool is_above = !fresh.margins.is_header_beside && !placed.margins.is_header_beside;
  if (is_above && fresh.margins.has_key_title_line && !placed.margins.has_key_title_line) {
    return fresh;  // "keys" needs a line of its own
  }
  float cell = before.cell;
  const bool fits = columns * cell <= room.x && rows * cell <= room.y;
  if (hold == Hold::corner && (!fits || could_be >= kGrowth * cell)) {
    cell = step_below(std::min({room.x / columns, room.y / rows, kLargestCell}));
  }
  const bool are_keys_steep = cell < kSteepBelow && fresh.margins.level_pitch == 0;
  if (is_above) {  // "keys" must clear title and subtitle
    placed.margins.is_key_title_at_right = fresh.margins.is_key_title_at_right && !placed.margins.has_key_title_line;
    if (placed.margins.is_key_title_at_right && !are_keys_steep) return fresh;
  }
  if (hold != Hold::corner && !fits) {
    request.window = {0, std::clamp(std::floor(room.y / cell), 1.0F, rows), 0, std::clamp(std::floor(room.x / cell), 1.0F, columns)};
  }
  const CellWindow window = shown_window(request);
  placed.map.width = (window.column_end - window.column_begin) * cell;
  placed.map.height = (window.row_end - window.row_begin) * cell;
  placed.margins.right = fresh.margins.right;
  placed.margins.bottom = fresh.margins.bottom;
  placed.margins.are_keys_steep = are_keys_steep;
  placed.margins.labels.size = cell >= kLargeLabelsFrom ? kTextSize : LabelStyle().size;
  return placed;
}

}  // namespace headlight

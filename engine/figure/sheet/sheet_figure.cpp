#include "engine/figure/sheet/sheet_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/figure/figure_parts.h"
#include "engine/figure/sheet/sheet_table.h"

namespace headlight {
namespace {

constexpr float kUsualRoom = 720, kLeastSheet = 520, kBetweenMaps = 16, kBetweenParts = 20, kHeading = 24, kMapTitle = 18, kBar = 60,
                kStripTitle = 20, kStripRow = 14, kBlockNames = 16;
constexpr float kWidestStripCell = 12, kLeastStripLabels = 40, kMostStripLabels = 110, kLabels = 84, kLeastCells = 64, kLeastPlain = 40;
constexpr LabelStyle kSheetCaption{FontFace::ui, kCaptionSize}, kSheetHeading{FontFace::ui_bold, kTextSize},
    kStrongCaption{FontFace::ui_bold, kCaptionSize};

bool is_strip(const SheetMaps& maps) {
  return !maps.maps.empty() && maps.maps.front().blocks > 0;
}

void add_text(Scene& scene, Point at, std::string words, LabelStyle style, Colour colour, AlignX align = AlignX::left) {
  if (!words.empty()) scene.items.emplace_back(SceneText{at, std::move(words), style.face, style.size, colour, align});
}

/// The width of the names at its left.
float strip_labels(const SheetMap& strip, float room, const MeasureText& measure) {
  if (!strip.queries) return 0;
  return std::clamp(widest(*strip.queries, std::min(kMostStripLabels, room / 3), kSheetCaption, measure) + 8, kLeastStripLabels,
                    kMostStripLabels);
}

}  // namespace

SizedSheet::SizedSheet(const SheetFigureRequest& request, const MeasureText& measure) : request_(request), measure_(measure) {
  for (const auto& part : request.sheet.parts) {
    if (const auto* maps = std::get_if<SheetMaps>(&part)) {
      size_maps(*maps);
    } else {
      width_ = std::max(width_, table_width(std::get<SheetTable>(part), request.room, measure));
    }
  }
  width_ = std::max(width_, request.room > 0 ? request.room : kLeastSheet);
}

ColourScale SizedSheet::scale_of(const SheetMap& map) const {
  const Style& style = request_.style;
  const bool is_dark = style.theme == Theme::dark;
  const float high = map.high > 0 && std::isfinite(map.high) ? map.high : 1;
  if (map.picture->is_difference())
    return {.map = ColourMap::coolwarm, .is_dark = is_dark, .kind = ScaleKind::linear, .gamma = 1, .low = -high, .high = high};
  return {.map = style.map, .is_dark = is_dark, .kind = style.scale, .gamma = style.gamma, .low = 0, .high = high};
}

/// With its title, which is no narrower.
float SizedSheet::width_of(const SizedMap& map, const std::string& title) const {
  return std::max(map.size().x, measure_(title, kStrongCaption.face, kStrongCaption.size));
}

/// What colour bars take of a line, so that the maps of all lines are of one size.
float SizedSheet::room_for_bars(const SheetMaps& maps, std::size_t per_line) const {
  std::size_t most = 0;
  for (std::size_t begin = 0; request_.has_bars && begin < maps.maps.size(); begin += per_line) {
    const auto* const first = maps.maps.data() + begin;
    const auto* const end = maps.maps.data() + std::min(begin + per_line, maps.maps.size());
    most = std::max(most, static_cast<std::size_t>(std::count_if(first, end, [](const SheetMap& map) { return map.has_bar; })));
  }
  return kBar * static_cast<float>(most);
}

/// What the cells of a map may take when so many are on a line: the first of them has the labels of its queries.
float SizedSheet::room_for_cells(const SheetMaps& maps, std::size_t per_line, float room) const {
  const float labels = maps.maps.front().queries ? kLabels : 0;
  const auto count = static_cast<float>(per_line);
  return (room - labels - room_for_bars(maps, per_line) - kBetweenMaps * (count - 1)) / count;
}

/// As many as can be seen; a fuller line would break pairs of maps.
std::size_t SizedSheet::maps_per_line(const SheetMaps& maps, float room) const {
  const float least = maps.maps.front().queries ? kLeastCells : kLeastPlain;
  std::size_t count = std::max<std::size_t>(1, std::min(maps.per_line, maps.maps.size()));
  while (count > 1 && room_for_cells(maps, count, room) < least) {
    do --count;
    while (count > 1 && maps.per_line % count != 0);
  }
  return count;
}

/// Maps that may take so much each, without their bars.
SizedSheet::SizedMaps SizedSheet::sized_for(const SheetMaps& maps, std::size_t per_line, float each, float side) const {
  SizedMaps sized{&maps, {}};
  for (std::size_t place = 0; place < maps.maps.size(); ++place) {
    const SheetMap& map = maps.maps[place];
    if (place % per_line == 0) sized.lines.emplace_back();
    MapFigureRequest request;
    request.picture = map.picture;
    request.scale = scale_of(map);
    const bool has_queries = map.queries && (place % per_line == 0 || map.queries != maps.maps[place - 1].queries);
    if (has_queries) request.query_labels = map.queries;
    request.key_labels = map.keys;
    request.words = std::make_shared<const MapWords>(MapWords{map.title, map.queries, map.keys, "query", "key"});
    request.titles = map.titles;
    if (!has_queries) request.titles.query.clear();
    request.has_labels = request.has_axis_titles = map.queries != nullptr;
    request.has_bar = request_.has_bars && map.has_bar;
    request.is_tight = request_.is_narrow || !has_queries;
    request.theme = request_.style.theme;
    const float width = each + (request.has_bar ? kBar : 0) + (has_queries ? kLabels : 0);
    const MapRoom room{.largest_side = std::min(maps.side * request_.share, side), .width = width, .share_of = each + kLabels};
    Line& line = sized.lines.back();
    line.maps.push_back(size_map(std::move(request), room, measure_));
    line.titles.push_back(&map.title);
    line.cells = std::max(line.cells, line.maps.back().placed.map.y);
  }
  for (Line& line : sized.lines) {
    for (const SizedMap& map : line.maps) line.height = std::max(line.height, kMapTitle + line.cells - map.placed.map.y + map.size().y);
  }
  return sized;
}

/// The longer side of the smallest map: all of them have it, so that rows go on from map to map.
float SizedSheet::side_of(const SizedMaps& maps) const {
  float side = maps.of->side;
  for (const Line& line : maps.lines) {
    for (const SizedMap& map : line.maps) side = std::min(side, std::max(map.placed.map.width, map.placed.map.height));
  }
  return side;
}

float SizedSheet::width_of(const SizedMaps& maps) const {
  float widest = 0;
  for (const Line& line : maps.lines) {
    float width = -kBetweenMaps;
    for (std::size_t place = 0; place < line.maps.size(); ++place) width += width_of(line.maps[place], *line.titles[place]) + kBetweenMaps;
    widest = std::max(widest, width);
  }
  return widest;
}

void SizedSheet::size_maps(const SheetMaps& maps) {
  const float room = request_.room > 0 ? request_.room : kUsualRoom;
  if (is_strip(maps)) {
    for (const SheetMap& strip : maps.maps) {
      const float cells = static_cast<float>(strip.picture->columns()) * kWidestStripCell;
      width_ = std::max(width_, std::min(room, strip_labels(strip, room, measure_) + cells));
    }
    maps_.push_back({&maps, {}});
    return;
  }
  constexpr int kMostLooks = 3;
  constexpr float kLeastEach = 24;
  const std::size_t count = maps_per_line(maps, room);
  float each = room_for_cells(maps, count, room);
  SizedMaps sized = sized_for(maps, count, each, maps.side);
  for (int look = 0; look < kMostLooks && width_of(sized) > room && each > kLeastEach; ++look) {  // bars have numbers of any width
    each = std::max(kLeastEach, each - (width_of(sized) - room) / static_cast<float>(count) - 1);
    sized = sized_for(maps, count, each, maps.side);
  }
  sized = sized_for(maps, count, each, side_of(sized));
  width_ = std::max(width_, width_of(sized));
  for (const Line& line : sized.lines) {
    for (const SizedMap& map : line.maps) stride_ = std::max(stride_, map.label_stride);
  }
  maps_.push_back(std::move(sized));
}

Scene SizedSheet::draw(Point at, float& bottom) const {
  Scene scene;
  std::size_t place = 0;
  float y = at.y;
  for (const auto& part : request_.sheet.parts) {
    if (&part != &request_.sheet.parts.front()) y += kBetweenParts;
    const auto* maps = std::get_if<SheetMaps>(&part);
    const std::string& heading = maps != nullptr ? maps->heading : std::get<SheetTable>(part).heading;
    const Palette& colours = palette(request_.style.theme);
    if (!heading.empty()) {
      for (std::string& line : wrapped(heading, width_, 3, kSheetHeading, measure_)) {
        add_text(scene, {at.x, y + kHeading / 2}, std::move(line), kSheetHeading, colours.text);
        y += kHeading;
      }
    }
    y = maps != nullptr
            ? draw_maps(scene, maps_[place++], {at.x, y})
            : draw_sheet_table(scene, std::get<SheetTable>(part), request_.rows, {at.x, y, width_, 0}, request_.style.theme, measure_);
  }
  bottom = request_.has_notes ? draw_notes(scene, {at.x, y}) : y;
  return scene;
}

float SizedSheet::draw_notes(Scene& scene, Point at) const {
  constexpr std::size_t kMostLines = 8;
  constexpr float kLine = 16;
  float y = at.y + kBetweenMaps;
  for (const std::string& note : request_.sheet.notes) {
    for (std::string& line : wrapped(note, width_, kMostLines, kSheetCaption, measure_)) {
      add_text(scene, {at.x, y + kLine / 2}, std::move(line), kSheetCaption, palette(request_.style.theme).text_second);
      y += kLine;
    }
  }
  return y;
}

float SizedSheet::draw_maps(Scene& scene, const SizedMaps& maps, Point at) const {
  float y = at.y;
  if (is_strip(*maps.of)) {
    for (const SheetMap& strip : maps.of->maps) {
      if (&strip != &maps.of->maps.front()) y += kBetweenParts;
      draw_strip(scene, strip, {at.x, y});
      y += kStripTitle + (strip.blocks > 1 ? kBlockNames : 0) + strip_row() * static_cast<float>(strip.picture->rows());
    }
    return y;
  }
  for (const Line& line : maps.lines) {
    if (&line != &maps.lines.front()) y += kBetweenMaps;
    float x = at.x;
    for (std::size_t place = 0; place < line.maps.size(); ++place) {
      const SizedMap& map = line.maps[place];
      add_text(scene, {x, y + kMapTitle / 2}, *line.titles[place], kStrongCaption, palette(request_.style.theme).text);
      Scene drawn = draw_sized(map, {x, y + kMapTitle + line.cells - map.placed.map.y}, measure_).scene;
      std::move(drawn.items.begin(), drawn.items.end(), std::back_inserter(scene.items));
      std::move(drawn.spots.begin(), drawn.spots.end(), std::back_inserter(scene.spots));
      x += width_of(map, *line.titles[place]) + kBetweenMaps;
    }
    y += line.height;
  }
  return y;
}

float SizedSheet::strip_row() const {
  return std::max(kCaptionSize, kStripRow * request_.share);
}

void SizedSheet::draw_strip(Scene& scene, const SheetMap& strip, Point at) const {
  const Palette& colours = palette(request_.style.theme);
  const float labels = strip_labels(strip, width_, measure_);
  const auto rows = static_cast<float>(strip.picture->rows()), columns = static_cast<float>(strip.picture->columns());
  const std::string ends = request_.has_bars ? fmt::format("−{0:.2g} … {0:.2g}", strip.high) : std::string();
  const float room_for_ends = measure_(ends, kSheetCaption.face, kSheetCaption.size);
  const std::string title = shortened_formula(strip.title, width_ - room_for_ends - 12, kSheetCaption, measure_);
  add_formula(scene, {at.x, at.y + kStripTitle / 2}, title, kSheetCaption, colours.text, measure_);
  add_text(scene, {at.x + width_, at.y + kStripTitle / 2}, ends, kSheetCaption, colours.text_second, AlignX::right);
  const float top = at.y + kStripTitle + (strip.blocks > 1 ? kBlockNames : 0);
  const Box box{at.x + labels, top, std::max(1.0F, std::min(width_ - labels, columns * kWidestStripCell)), rows * strip_row()};
  for (std::size_t row = 0; strip.queries && row < strip.queries->size(); ++row)
    add_text(scene, {box.x - 8, top + (static_cast<float>(row) + 0.5F) * strip_row()},
             shortened((*strip.queries)[row], labels - 8, kSheetCaption, measure_), kSheetCaption, colours.text_second, AlignX::right);
  scene.items.emplace_back(frame_around(box, colours.line));
  scene.items.emplace_back(
      SceneMap{box,
               strip.picture,
               {0, rows, 0, columns},
               scale_of(strip),
               {colours.hatch_ground, colours.hatch},
               std::make_shared<const MapWords>(MapWords{
                   strip.name, strip.queries, std::make_shared<const std::vector<std::string>>(strip.places), "token", "column"})});
  const float block = box.width / static_cast<float>(std::max(1, strip.blocks));
  const bool has_words = measure_("head 99", kSheetCaption.face, kSheetCaption.size) + 4 <= block, has_names = block >= kBlockNames;
  for (int head = 0; strip.blocks > 1 && head < strip.blocks; ++head) {
    const float x = box.x + block * static_cast<float>(head);
    if (has_names)
      add_text(scene, {x + block / 2, top - kBlockNames / 2}, has_words ? fmt::format("head {}", head) : std::to_string(head),
               kSheetCaption, head == strip.framed ? colours.accent : colours.text_second, AlignX::centre);
    if (head > 0) scene.items.emplace_back(SceneLine{{x, box.y}, {x, box.bottom()}, colours.text, 1});
  }
  if (strip.framed >= 0 && strip.framed < strip.blocks)
    scene.items.emplace_back(SceneBox{
        .box = {box.x + block * static_cast<float>(strip.framed), box.y, block, box.height}, .stroke = colours.accent, .stroke_width = 2});
}

}  // namespace headlight

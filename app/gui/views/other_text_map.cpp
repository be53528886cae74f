#include "app/gui/views/other_text_map.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/numbers/number_of_z.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kBetweenMaps = 24, kLeastMap = 190;  // points

/// Row and column as far as the other text has these positions.
std::optional<Cell> cell_in(std::optional<Cell> cell, const MapPicture& picture) {
  const bool is_there = cell && cell->query < picture.rows() && cell->key < picture.columns();
  return is_there ? cell : std::nullopt;
}

void draw_close(Panel& panel, const Box& area, const ScenePlace& place) {
  const Box box = place.pixels(area);
  const float half = panel.look.px(kUnit);
  if (close_button(panel.look, "Close the other text", {box.right() - half, box.y + half})) panel.view.head_page.hides_other_text = true;
  hint(panel.look, "Show the edited map alone. A click on the edit in Intervene brings the other text back.");
}

}  // namespace

TwoMaps place_two_maps(const Box& area, bool has_other) {
  const float half_width = (area.width - kBetweenMaps) / 2, half_height = (area.height - kBetweenMaps) / 2;
  const bool is_beside = std::min(half_width, area.height) >= std::min(area.width, half_height);
  const float side = is_beside ? std::min(half_width, area.height) : std::min(area.width, half_height);
  if (!has_other || side < kLeastMap) return {area, {}};
  if (is_beside)
    return {{area.x, area.y, half_width, area.height}, {area.x + half_width + kBetweenMaps, area.y, half_width, area.height}, true};
  return {{area.x, area.y, area.width, half_height}, {area.x, area.y + half_height + kBetweenMaps, area.width, half_height}};
}

void level_maps(MapFigureRequest& own, OtherTextMap& other, const MeasureText& measure) {
  const float lower = place_map_figure(own, measure).placed.map.y - other.placed.placed.map.y;
  MapFigureRequest& higher = lower > 0 ? other.request : own;
  higher.area.y += std::abs(lower);
  higher.area.height -= std::abs(lower);
  if (lower > 0) other.placed = place_map_figure(other.request, measure);
}

OtherTextMap place_other_text_map(Panel& panel, const std::string& text, const Box& area) {
  OtherTextMap map{.text = text, .run = panel.context.session.run_of_other_text(text), .request = {}, .placed = {}};
  map.request.area = area;
  const HeadId head = panel.view.head;
  if (!map.run.snapshot || !map.run.snapshot->contains(head)) return map;
  FigureRequest shown = shown_figure(panel, kHeatmapFigure);
  shown.moment = Moment::before;  // of another run, with its own words
  shown.baseline = map.run.snapshot;
  shown.frames.clear();
  if (shape_of(*map.run.snapshot, head.layer) != shape_of(*panel.snapshot, head.layer)) shown.part = {};
  KeptMaps source(panel);
  map.request = head_map(*panel.snapshot, shown, source);
  map.request.title = fmt::format("{} of the other text", short_name(*panel.snapshot, head));
  map.request.subtitle = fmt::format("“{}” · run without edits of heads", printable(text, 200));
  map.request.area = area;
  map.placed = place_map_figure(map.request, panel.context.painter.measure());
  return map;
}

void draw_other_text_map(Panel& panel, OtherTextMap& map, const Box& area, std::optional<Cell> crosshair, const ScenePlace& place) {
  const Look& look = panel.look;
  const Box box = place.pixels(area);
  draw_close(panel, area, place);
  if (!map.is_shown()) {
    ImGui::SetCursorScreenPos({box.x, box.y + look.px(kControl)});
    paragraph(look, Type::body, map.run.problem.empty() ? look.colours.text_second : look.colours.bad,
              map.run.problem.empty() ? fmt::format("“{}” is being run.", printable(map.text, 200)) : map.run.problem, box.width);
    return;
  }
  const std::optional<Cell> pointed =
      ImGui::IsWindowHovered() ? map.placed.area().cell_at(place.points(ImGui::GetIO().MousePos)) : std::nullopt;
  MapFigureRequest& marked = map.placed.request;
  marked.crosshair = cell_in(pointed ? pointed : crosshair, *map.request.picture);
  marked.pinned_query = shown_pin(panel);
  if (marked.pinned_query && *marked.pinned_query >= map.request.picture->rows()) marked.pinned_query.reset();
  MapFigure figure = map.placed.drawn(panel.context.painter.measure());
  figure.scene.width = map.request.area.width;
  figure.scene.height = map.request.area.height;
  panel.context.painter.paint(figure.scene, place.origin, "other text");
  name_area("map of the other text", place.pixels(figure.map), figure.window);
  if (!pointed || !begin_bubble(look, place.pixels(figure.box_of(*pointed)))) return;
  const ComparedHead head{.head = panel.view.head, .of = map.run.snapshot};
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, head);
  if (map.request.columns == MapColumns::keys) {
    draw_cell_lines(panel, maps.get(), head, *pointed);
  } else if (maps) {  // z: its columns are numbers
    draw_number_bubble(panel, *maps, *map.run.snapshot, head.head, {pointed->query, pointed->key});
  }
  end_bubble();
}

}  // namespace headlight

#include "app/gui/views/larger_map.h"

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/figure/axes.h"

namespace headlight {
namespace {

/// A click pins the row; the head becomes the one that is looked at.
void answer_pointer(Panel& panel, const LargerMap& map, Cell cell) {
  if (is_right_click()) return ask_menu(panel, {MenuKind::cell, {map.head}, cell.query, cell.key});
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  panel.view.head = map.head;
  toggle_pinned_query(panel, map.head.layer, cell.query);
}

}  // namespace

LargerMap place_larger_map(Panel& panel, const Box& area, const ScenePlace& place) {
  LargerMap map;
  if (area.width <= 0) return map;
  Pointed& pointed = panel.view.pointed;
  map.head = pointed.head.value_or(panel.view.head);
  if (!panel.snapshot->contains(map.head)) return map;
  KeptMaps source(panel);
  FigureRequest shown = shown_figure(panel, kHeatmapFigure);
  shown.head = map.head;
  shown.stage = panel.view.overview.stage;
  map.request = head_map(*panel.snapshot, shown, source);
  map.request.title = head_title(*panel.snapshot, map.head);
  map.request.subtitle = pointed.head ? "the head you point at" : "the chosen head · point at another to see it here";
  map.request.has_bar = false;
  map.request.area = area;
  map.placed = place_map_figure(map.request, panel.context.painter.measure());
  if (pointed.head || !ImGui::IsWindowHovered()) return map;
  pointed.cell = map.placed.area().cell_at(place.points(ImGui::GetIO().MousePos));
  if (!pointed.cell) return map;
  pointed.layer = map.head.layer;
  pointed.head = map.head;
  answer_pointer(panel, map, *pointed.cell);
  return map;
}

void draw_larger_map(Panel& panel, const LargerMap& map, const ScenePlace& place) {
  if (!map.is_shown()) return;
  PlacedFigure placed = map.placed;
  placed.request.crosshair = crosshair_of(panel, map.head.layer);
  placed.request.pinned_query = pinned_query_of(panel, map.head.layer);
  MapFigure figure = placed.drawn(panel.context.painter.measure());
  figure.scene.width = map.request.area.width;
  figure.scene.height = map.request.area.height;
  panel.context.painter.paint(figure.scene, place.origin, "larger map");
  name_area("larger map", place.pixels(figure.map), figure.window);
  const std::optional<Cell>& cell = panel.view.pointed.cell;
  const bool is_here = cell && figure.map.contains(place.points(ImGui::GetIO().MousePos)) && ImGui::IsWindowHovered();
  if (!is_here || !begin_bubble(panel.look, place.pixels(figure.box_of(*cell)))) return;
  draw_cell_lines(panel, maps_of(panel, {map.head}).get(), {map.head}, *cell);
  end_bubble();
}

}  // namespace headlight

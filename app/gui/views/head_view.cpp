#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/fields/interventions.h"
#include "app/document/mask_edits.h"
#include "app/document/wording.h"
#include "app/gui/finding/asking.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/numbers/number_of_z.h"
#include "app/gui/panel/drawn_map_here.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/relations.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/state/zoom.h"
#include "app/gui/views/other_text_map.h"
#include "app/gui/views/views.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/map_layout.h"
#include "engine/forward/layer_edits.h"

namespace headlight {
namespace {

constexpr float kMargin = kHeadCorner.x;
constexpr float kClearLine = 15;  // between the middles of two lines of captions
constexpr float kClickSlop = 4;   // a press that moves less is a click

/// A map before may be of another text.
bool has_present_tokens(const Panel& panel) {
  return has_same_tokens(*panel.snapshot, *shown_run(panel), panel.view.head.layer);
}

std::optional<Cell> shown_crosshair(const Panel& panel) {
  if (draws_z(panel)) {
    if (const auto& number = panel.view.pointed.number) return Cell{number->query, number->number};
    const std::optional<Cell> cross = has_present_tokens(panel) ? crosshair_of(panel, panel.view.head.layer) : std::nullopt;
    return cross ? std::optional(Cell{cross->query, kNoToken}) : std::nullopt;
  }
  if (has_present_tokens(panel)) {
    const std::optional<Cell> cross = crosshair_of(panel, panel.view.head.layer);
    return cross ? cross : panel.caches.spoken_cell;
  }
  return panel.view.pointed.map ? panel.view.pointed.cell : std::nullopt;
}

std::string title_of(const Panel& panel) {
  const HeadId head = panel.view.head;
  const bool is_pinned =
      std::find(panel.draft.pins.begin(), panel.draft.pins.end(), Pin{head, panel.draft.focused}) != panel.draft.pins.end();
  const bool is_off = is_switched_off(shown_run(panel)->query, head);
  const std::string edits = edits_in_words(shown_run(panel)->query, head);
  const std::optional<CardHead> told = told_head(panel);
  return head_title(*panel.snapshot, head) + (told ? " · " + told->name : "") + (is_off ? " · switched off" : "") +
         (edits.empty() ? "" : " · edited" + (other_text_here(panel) ? "" : ": " + edits)) + (is_pinned ? " · pinned" : "") +
         (panel.view.brushed.contains(head) ? " · brushed" : "") + moment_text(shown_moment(panel));
}

/// What the card tells of the head, while its sentence is shown: "follow → horse · far subject: 0.970 of 100 held-out cases, 0.280 by a fixed offset".
std::string told_text(const Panel& panel) {
  const std::optional<CardHead> told = told_head(panel);
  if (!told) return {};
  const std::string figure = told->figure_text();
  return fmt::format("{} → {}{} · ", told->from, told->to, figure.empty() ? "" : " · " + figure);
}

/// Why the moment that was chosen is not the one that is shown; empty if it is.
std::string moment_problem(const Panel& panel) {
  const Moment chosen = panel.view.head_page.moment;
  if (!panel.draft.baseline || chosen == shown_moment(panel)) return {};
  return (chosen == Moment::difference ? " · no Δ: " : " · not as before: ") + why_not_shown(panel, chosen);
}

std::string subtitle_of(const Panel& panel, const FigureRequest& shown, const MapFigureRequest& map) {
  const std::shared_ptr<const Snapshot> run = shown_run(panel);
  const MapShape shape = shape_of(*run, panel.view.head.layer);
  const bool has_keys = map.columns == MapColumns::keys;
  const std::string sizes = fmt::format("{} queries × {} {}", shape.queries, map.picture->columns(), has_keys ? "keys" : "numbers");
  if (shown_moment(panel) == Moment::difference) {
    const std::string notes = difference_notes(*panel.snapshot, shown, map);
    const std::string left_out = left_out_text(panel.draft.style, *map.picture);
    return (left_out.empty() ? "" : left_out + " · ") + sizes + " · weights now − before" + (notes.empty() ? "" : " · " + notes);
  }
  const std::string stage = stage_text(*run, panel.view.head, panel.view.head_page.stage);
  const bool has_weights = panel.view.head_page.stage == Stage::weights;
  const std::string badge = has_weights ? badge_of(shown_maps(panel, run), panel.view.head, map.picture.get()) : std::string();
  const std::string rest = sizes + moment_problem(panel) + (stage.empty() ? "" : " · " + stage);
  // What was done to the map comes first: the end of a long line is cut off.
  if (badge.starts_with("derived")) return badge + " · " + told_text(panel) + rest;
  return told_text(panel) + rest + (badge.empty() ? "" : " · " + badge);
}

/// Moves a zoomed map to the row that has just been pinned, where it is out of sight, and to keys that the row may attend to.
void reveal_pin(Panel& panel) {
  HeadPage& page = panel.view.head_page;
  const std::optional<Index> pinned = shown_pin(panel);
  if (pinned == page.revealed) return;
  page.revealed = pinned;
  const MapShape shape = shown_shape(panel);
  if (!pinned || is_whole(page.zoom, shape)) return;
  const CellWindow window = shown_window(page.zoom, shape);
  const auto row = static_cast<float>(*pinned);
  const bool is_in_sight = row >= window.row_begin && row + 1 <= window.row_end;
  if (is_in_sight) return;
  const Mask& mask = shown_run(panel)->trace.layer(panel.view.head.layer).mask(panel.view.head.head);
  const auto first = static_cast<Index>(window.column_begin);
  float column = 0;  // what the columns move by
  if (!draws_z(panel) && !mask.allows(*pinned, first)) {
    Index last = first;
    while (last > 0 && !mask.allows(*pinned, last)) --last;
    column = static_cast<float>(last) + 1 - window.column_end;
  }
  page.zoom = panned(page.zoom, shape, row + 0.5F - (window.row_begin + window.row_end) / 2, column);
}

/// The head's map with what only a screen adds: where it is, which part of it, and what is pointed at.
MapFigureRequest request_of(Panel& panel, const Box& area) {
  KeptMaps source(panel);
  const FigureRequest shown = shown_figure(panel, kHeatmapFigure);
  MapFigureRequest request = head_map(*panel.snapshot, shown, source);
  request.title = title_of(panel);
  request.subtitle = subtitle_of(panel, shown, request);
  request.window = shown_window(panel.view.head_page.zoom, shown_shape(panel));
  request.area = area;
  request.crosshair = shown_crosshair(panel);
  return request;
}

/// Takes over what the pointer has changed, so that it shows in the same frame.
void take_answer(const Panel& panel, MapFigureRequest& request) {
  request.crosshair = shown_crosshair(panel);
  request.pinned_query = shown_pin(panel);
  request.frames = request.columns == MapColumns::keys ? frames_here(panel) : std::vector<MapFrame>{};
}

/// The pointer on the map, in cells; fractions inside them.
Point pointer_in_cells(const MapFigure& figure, Point pointer) {
  const CellWindow& window = figure.window;
  const float column = (pointer.x - figure.map.x) / std::max(1.0F, figure.map.width);
  const float row = (pointer.y - figure.map.y) / std::max(1.0F, figure.map.height);
  return {window.column_begin + column * (window.column_end - window.column_begin),
          window.row_begin + row * (window.row_end - window.row_begin)};
}

Cell nearest_cell(Point cells, MapShape shape) {
  const auto nearest = [](float at, Index count) {
    return static_cast<Index>(std::clamp(std::floor(at), 0.0F, static_cast<float>(count - 1)));
  };
  return {nearest(cells.y, shape.queries), nearest(cells.x, shape.keys)};
}

Stack snapshot_stack(const Panel& panel) {
  return panel.snapshot->model->config.place(panel.view.head.layer).stack;
}

void begin_stroke(Panel& panel, Cell cell) {
  if (is_framing(panel)) return begin_asked_stroke(panel, cell);
  ViewState& view = panel.view;
  const Scope scope = stroke_scope_at(view.painting.scope, view.head, snapshot_stack(panel));
  if (!view.drawn_map.is_painted) {
    view.painting.stroke = Stroke{scope, stroke_count(panel.draft.query.mask, scope), cell, cell};
    return;
  }
  const bool is_masked = !panel.snapshot->trace.layer(view.head.layer).mask(view.head.head).allows(cell.query, cell.key);
  view.drawn_map.has_tried_masked = is_masked && view.painting.brush == Brush::cell;
  if (view.drawn_map.has_tried_masked) return;  // the panel says why
  const Matrix& drawn_map = drawn_map_here(panel).wanted;
  view.drawn_map.is_erased = drawn_map.size() > 0 && drawn_map(cell.query, cell.key) > 0;  // a stroke that begins on a drawn cell erases
  view.painting.stroke = Stroke{scope, drawn_map.size() > 0 ? panel.draft.drawn_map.strokes.size() : 0, cell, cell};
}

/// Why the brush does nothing here; null: it paints. The brush edits the present. On the map before, which stays as it was, a stroke would
/// change nothing that can be seen, and the cell under the pointer may be of another text.
const char* why_not_painted(const Panel& panel) {
  if (panel.view.painting.brush == Brush::off) return nullptr;
  if (shown_moment(panel) == Moment::before) return "The brush edits now, and this is before: choose now to paint.";
  return draws_z(panel) ? "The brush paints cells of a query and a key; z has numbers for columns. Choose another step to paint." : nullptr;
}

void answer_brush(Panel& panel, Cell cell) {
  ViewState& view = panel.view;
  if (ImGui::IsItemActivated()) begin_stroke(panel, cell);
  if (!view.painting.stroke) return;
  if (ImGui::IsItemActive() && is_framing(panel)) {
    draw_asked_stroke(panel, cell);
  } else if (ImGui::IsItemActive() && view.drawn_map.is_painted) {
    draw_target(panel.draft.drawn_map, view.head, *view.painting.stroke, view.painting.brush, view.drawn_map.is_erased, cell);
  } else if (ImGui::IsItemActive()) {
    paint_stroke(panel.draft.query.mask, *view.painting.stroke, view.painting.brush, view.painting.allows, cell);
  } else {
    view.painting.stroke.reset();
  }
}

void answer_drag_and_click(Panel& panel, const MapFigure& figure, Cell cell) {
  ViewState& view = panel.view;
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActive() && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    const CellWindow& window = figure.window;
    const float rows_per_pixel = (window.row_end - window.row_begin) / std::max(1.0F, figure.map.height * panel.look.scale);
    const float columns_per_pixel = (window.column_end - window.column_begin) / std::max(1.0F, figure.map.width * panel.look.scale);
    view.head_page.zoom =
        panned(view.head_page.zoom, shown_shape(panel), -io.MouseDelta.y * rows_per_pixel, -io.MouseDelta.x * columns_per_pixel);
  }
  const bool was_click = ImGui::IsItemDeactivated() && io.MouseReleased[0] && io.MouseDragMaxDistanceSqr[0] < kClickSlop * kClickSlop;
  if (was_click && has_present_tokens(panel)) toggle_pinned_query(panel, view.head.layer, cell.query);
}

/// A right click that did not drag the map.
void answer_right_click(Panel& panel, const MapFigure& figure, Point pointer) {
  const std::optional<Cell> cell = figure.cell_at(pointer);
  if (!cell || !ImGui::IsItemHovered() || !is_right_click()) return;
  if (draws_z(panel))
    return ask_menu(panel, {.kind = MenuKind::number, .head = inspected_head(panel), .query = cell->query, .number = cell->key});
  ask_menu(panel, {MenuKind::cell, inspected_head(panel), cell->query, cell->key});
}

void point_at(Panel& panel, std::optional<Cell> cell) {
  ViewState& view = panel.view;
  view.pointed.layer = view.head.layer;
  view.pointed.head = view.head;
  if (shown_moment(panel) == Moment::before) view.pointed.map = inspected_head(panel);
  if (!draws_z(panel)) {
    view.pointed.cell = cell;
  } else if (cell) {
    view.pointed.number = VectorNumber{cell->query, cell->key};
    if (has_present_tokens(panel)) view.pointed.listed = TokenPlace{query_side(*panel.snapshot, view.head.layer), cell->query};
  }
}

/// Everything the pointer does on the map. Called right after the map's own area, while it is the last item.
void answer_pointer(Panel& panel, const MapFigure& figure, Point pointer) {
  ViewState& view = panel.view;
  const MapShape shape = shown_shape(panel);
  const Point cells = pointer_in_cells(figure, pointer);
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered()) {
    point_at(panel, figure.cell_at(pointer));
    if (io.MouseWheel != 0)
      view.head_page.zoom = zoomed_about(view.head_page.zoom, shape, cells.y, cells.x, std::pow(1.25F, io.MouseWheel));
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && view.painting.brush == Brush::off) view.head_page.zoom = {};
  }
  answer_right_click(panel, figure, pointer);
  const bool is_painting = view.painting.brush != Brush::off && !io.MouseDown[1] && !io.MouseDown[2];
  if ((is_painting && !why_not_painted(panel)) || view.painting.stroke) {
    answer_brush(panel, nearest_cell(cells, shape));
  } else {
    answer_drag_and_click(panel, figure, nearest_cell(cells, shape));
  }
}

bool is_of_shape(const HeldMap& held, MapShape shape) {
  const auto cells = [&](float side) { return static_cast<Index>(std::lround(side / held.cell)); };
  return cells(held.placed.map.width) == shape.keys && cells(held.placed.map.height) == shape.queries;
}

/// Nothing moves under the pointer, and little while a text is typed. A longer text that was chosen is not cut, though the pointer that chose
/// it is there.
Hold hold_of(const Panel& panel, Point pointer) {
  const std::optional<HeldMap>& held = panel.caches.held_map;
  const bool may_stay = held && (ImGui::GetIO().WantTextInput || is_of_shape(*held, shown_shape(panel)));
  if (may_stay && held->placed.map.contains(pointer)) return Hold::cells;
  return ImGui::GetIO().WantTextInput ? Hold::corner : Hold::nothing;
}

void place_map_area(const Box& map) {
  ImGui::SetCursorScreenPos({map.x, map.y});
  ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton("Map", {std::max(1.0F, map.width), std::max(1.0F, map.height)},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
}

/// Names the map and the cells of relations, for scripts and tests.
void name_parts(const Panel& panel, const MapFigure& figure, const ScenePlace& place) {
  for (const ShownRelation& shown : draws_z(panel) ? std::vector<ShownRelation>{} : shown_relations(panel)) {
    name_area(fmt::format("Relation {} → {}", shown.relation.from, shown.relation.to), place.pixels(figure.box_of(frame_of(shown))));
  }
  name_area("map", place.pixels(figure.map), figure.window);
}

/// Whether the figure leaves a line free, from `left` to `right` in pixels.
bool is_free(const Look& look, const MapFigure& figure, const ScenePlace& place, float left, float right, float middle) {
  for (const SceneItem& item : figure.scene.items) {
    const auto* text = std::get_if<SceneText>(&item);
    if (text == nullptr || text->degrees != 0) continue;
    const ImVec2 at = place.pixels(text->at);
    const float width = text_width(look, Type::title, text->text);  // at most
    const float text_left = text->align_x == AlignX::right ? at.x - width : at.x;
    if (std::abs(at.y - middle) < look.px(kClearLine) && text_left < right && text_left + width > left) return false;
  }
  return true;
}

void draw_zoom_button(Panel& panel, const Box& box, const MapFigure& figure, const ScenePlace& place) {
  const Look& look = panel.look;
  const MapShape shape = shown_shape(panel);
  if (is_whole(panel.view.head_page.zoom, shape)) return;
  const float width = button_width(look, "Show all");
  const float height = look.px(kControl);
  if (quiet_button(look, "Show all", {box.right() - look.px(kMargin) - width, box.y + look.px(kBetween)}, {width, height}))
    panel.view.head_page.zoom = {};
  const CellWindow window = shown_window(panel.view.head_page.zoom, shape);
  const auto range = [](float begin, float end) { return fmt::format("{:.0f}–{:.0f}", std::floor(begin), std::ceil(end) - 1); };
  const std::string part = fmt::format("queries {}, {} {}", range(window.row_begin, window.row_end), draws_z(panel) ? "numbers" : "keys",
                                       range(window.column_begin, window.column_end));
  hint(look, ("Show the whole map (or double-click it). Scroll to zoom, drag to move. Shown now: " + part + ".").c_str());
  const float right = box.right() - look.px(kMargin + 12) - width, middle = box.y + look.px(kBetween) + height / 2;
  if (!is_free(look, figure, place, right - text_width(look, Type::caption, part), right, middle)) return;
  draw_text(look, right, middle, Type::caption, look.colours.text_second, part, AlignX::right);
}

/// In the bubble, while the brush is on where it cannot paint.
void draw_refusal(const Look& look, const char* reason) {
  constexpr float kWidth = 300;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  paragraph(look, Type::body, look.colours.query, reason, look.px(kWidth));
  name_area("Brush refused", {at.x, at.y, look.px(1), ImGui::GetCursorScreenPos().y - at.y});
}

/// Beside the cell under the pointer.
void draw_bubble(const Panel& panel, const Box& cell) {
  const Pointed& pointed = panel.view.pointed;
  if (panel.view.painting.stroke || !begin_bubble(panel.look, cell)) return;
  const ComparedHead head = inspected_head(panel);
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, head);
  if (pointed.number) {
    draw_number_bubble(panel, *maps, run_of(head, *panel.snapshot), head.head, *pointed.number);
  } else {
    draw_cell_lines(panel, maps.get(), head, *pointed.cell);
    draw_other_moment(panel, *pointed.cell);
  }
  if (const char* reason = why_not_painted(panel)) draw_refusal(panel.look, reason);
  end_bubble();
}

}  // namespace

void draw_head_view(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Head view", box, Colour{0, 0, 0, 0}, {0, 0});
  const ScenePlace place{{box.x, box.y}, look.scale};
  const Box whole = place.points(box);
  const Box area{kHeadCorner.x, kHeadCorner.y, whole.width - 2 * kHeadCorner.x, whole.height - 2 * kHeadCorner.y};
  reveal_pin(panel);
  const std::optional<std::string> other_text = other_text_here(panel);
  const TwoMaps areas = place_two_maps(area, other_text.has_value());
  OtherTextMap other;
  if (areas.other.width > 0) other = place_other_text_map(panel, *other_text, areas.other);
  MapFigureRequest request = request_of(panel, areas.own);
  const MeasureText measure = panel.context.painter.measure();
  if (areas.is_beside && other.is_shown()) level_maps(request, other, measure);
  std::optional<HeldMap>& held = panel.caches.held_map;
  const Hold hold = hold_of(panel, place.points(ImGui::GetIO().MousePos));
  PlacedFigure placed = place_map_figure(request, hold, held, measure);
  place_map_area(place.pixels(placed.placed.map));
  answer_pointer(panel, placed.area(), place.points(ImGui::GetIO().MousePos));
  if (const CellWindow window = shown_window(panel.view.head_page.zoom, shown_shape(panel)); window != request.window) {
    request.window = window;
    placed = place_map_figure(request, hold, held, measure);
  }
  take_answer(panel, placed.request);
  MapFigure figure = placed.drawn(measure);
  figure.scene.width = areas.own.width;
  figure.scene.height = areas.own.height;
  panel.context.painter.paint(figure.scene, place.origin, "head");
  name_parts(panel, figure, place);
  Box around = box;  // the edited map alone
  around.width = place.pixels(areas.own).right() + look.px(kMargin) - box.x;
  draw_zoom_button(panel, around, figure, place);
  const std::optional<Cell>& cell = panel.view.pointed.cell;
  const std::optional<VectorNumber>& number = panel.view.pointed.number;
  if (cell) draw_bubble(panel, place.pixels(figure.box_of(*cell)));
  if (number) draw_bubble(panel, place.pixels(figure.box_of(Cell{number->query, number->number})));
  if (areas.other.width > 0) draw_other_text_map(panel, other, areas.other, placed.request.crosshair, place);
  end_region();
}

}  // namespace headlight

#include "app/gui/views/flow/flow_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/joined/joined_map.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/state/zoom.h"
#include "engine/core/memory_limit.h"
#include "engine/core/numbers.h"
#include "engine/figure/figure_notes.h"

namespace headlight {
namespace {

constexpr float kMessageWidth = 520;
constexpr float kBubble = 200;
constexpr float kHeading = 40;  // title and what was done

/// In place of the map.
void draw_message(const Look& look, const Box& box, const std::string& title, const std::string& text) {
  begin_region(look, "Flow view", box, Colour{0, 0, 0, 0}, {kFlowCorner.x, kBetween});
  text_line(look, Type::title, look.colours.text, title);
  gap(look, kInside);
  paragraph(look, Type::body, look.colours.text_second, text, std::min(ImGui::GetContentRegionAvail().x, look.px(kMessageWidth)));
}

/// Asks before it takes much memory. Returns whether the map is wanted.
bool is_agreed(Panel& panel, const FlowRequest& flow, const Box& box) {
  const Look& look = panel.look;
  const std::optional<double> bytes = unasked_flow_bytes(panel);
  if (!bytes) return true;
  draw_message(look, box, "This needs much memory",
               fmt::format("{} of {} heads over {} tokens takes about {} while it is made.", row_of(flow.settings.reduction).label,
                           flow.heads.size(), panel.snapshot->keys(flow.heads.front().layer), memory_text(*bytes)));
  gap(look, kBetween);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (quiet_button(look, "Make it", at, {button_width(look, "Make it"), look.px(kControl)})) panel.view.flow.agreed_bytes = *bytes;
  end_region();
  return false;
}

MapShape shape_of(const JoinedMap& joined) {
  return shape_of(joined.run(), joined.layer());
}

/// "derived from several maps: first token hidden, renormalised after the mean over heads … · causal mask assumed"
std::string subtitle_of(const Panel& panel, const JoinedMap& joined) {
  constexpr std::string_view kDerived = "derived";
  std::string text = flow_left_out_text(panel.draft.style, joined.flow, *joined.shown->picture);
  text = text.empty() ? fmt::format("{} from several maps", kDerived)
                      : fmt::format("{} from several maps{}", kDerived, text.substr(kDerived.size()));
  if (const std::string caveat = flow_caveat(joined.run(), joined.flow); !caveat.empty()) text += " · " + caveat;
  if (const std::string assumed = assumptions_of(joined.run(), joined.flow.heads); !assumed.empty()) text += " · " + assumed;
  return text;
}

void mark_pointed(const Panel& panel, const JoinedMap& joined, MapFigureRequest& request) {
  request.crosshair = joined.is_current ? crosshair_of(panel, joined.layer()) : std::nullopt;
  request.pinned_query = joined.is_current ? pinned_query_of(panel, joined.layer()) : std::nullopt;
}

MapFigureRequest request_of(Panel& panel, const JoinedMap& joined, const Box& area) {
  KeptMaps source(panel);
  FigureRequest figure = shown_figure(panel, kFlowFigure);
  figure.flow = joined.flow;
  MapFigureRequest request = flow_map_of(joined.run(), figure, joined.shown->picture, source);
  request.title = flow_text(joined.run(), joined.flow);
  request.subtitle = subtitle_of(panel, joined);
  request.window = shown_window(panel.view.flow.zoom, shape_of(joined));
  request.area = area;
  mark_pointed(panel, joined, request);
  return request;
}

/// What the map is, for ctrl+C and the context menu.
std::shared_ptr<const PicturedNumbers> numbers_of(const JoinedMap& joined, const MapFigureRequest& request) {
  PicturedNumbers numbers;
  numbers.name = flow_text(joined.run(), joined.flow);
  numbers.columns = {{std::string(row_of(joined.flow.settings.reduction).label), joined.shown->picture}};
  numbers.queries = request.query_labels;
  numbers.keys = request.key_labels;
  numbers.is_of_text = joined.is_current;
  return std::make_shared<const PicturedNumbers>(std::move(numbers));
}

/// Wheel and drag, as in Head.
void answer_zoom(Panel& panel, const MapFigure& figure, MapShape shape, Point pointer) {
  FlowPage& page = panel.view.flow;
  const ImGuiIO& io = ImGui::GetIO();
  const CellWindow& window = figure.window;
  const float rows_per_point = (window.row_end - window.row_begin) / std::max(1.0F, figure.map.height);
  const float columns_per_point = (window.column_end - window.column_begin) / std::max(1.0F, figure.map.width);
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    page.zoom = zoomed_about(page.zoom, shape, window.row_begin + (pointer.y - figure.map.y) * rows_per_point,
                             window.column_begin + (pointer.x - figure.map.x) * columns_per_point, std::pow(1.25F, io.MouseWheel));
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) page.zoom = {};
  if (ImGui::IsItemActive() && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    page.zoom = panned(page.zoom, shape, -io.MouseDelta.y * rows_per_point / panel.look.scale,
                       -io.MouseDelta.x * columns_per_point / panel.look.scale);
  }
}

void answer_pointer(Panel& panel, const JoinedMap& joined, const MapFigureRequest& request, const MapFigure& figure, Point pointer) {
  constexpr float kClickSlop = 4;
  const std::optional<Cell> cell = ImGui::IsItemHovered() ? figure.cell_at(pointer) : std::nullopt;
  answer_zoom(panel, figure, shape_of(joined), pointer);
  if (!joined.is_current) return;
  Pointed& pointed = panel.view.pointed;
  pointed.pictured = {numbers_of(joined, request), cell};
  if (!cell) return;
  pointed.layer = joined.layer();
  pointed.cell = cell;
  pointed.head.reset();
  if (is_right_click()) {
    MenuTarget target{.kind = MenuKind::pictured, .head = inspected_in_flow(panel), .pictured = pointed.pictured->numbers};
    target.query = cell->query, target.key = cell->key;
    ask_menu(panel, std::move(target));
  }
  const bool was_click = ImGui::IsItemDeactivated() && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < kClickSlop * kClickSlop;
  if (was_click && ImGui::GetIO().MouseReleased[0]) toggle_pinned_query(panel, joined.layer(), cell->query);
}

/// Beside the cell under the pointer.
void draw_bubble(const Panel& panel, const JoinedMap& joined, const MapFigureRequest& request, Cell cell, const Box& beside) {
  const Look& look = panel.look;
  if (!begin_bubble(look, beside)) return;
  ImGui::Dummy({look.px(kBubble), 0});
  const auto name = [](const AxisLabels& labels, Index token) { return (*labels)[static_cast<std::size_t>(token)]; };
  text_line(look, Type::strong, look.colours.text,
            fmt::format("{} → {}", elided(look, Type::strong, name(request.query_labels, cell.query), look.px(140)),
                        elided(look, Type::strong, name(request.key_labels, cell.key), look.px(140))));
  const bool is_allowed = joined.allows(cell);
  number_row(look, row_of(joined.flow.settings.reduction).label.data(),
             is_allowed ? weight_text(static_cast<double>(joined.value(cell))) : "masked");
  const auto& out = joined.shown->picture->left_out();
  if (out && is_allowed) {
    const std::optional<float> value = joined.shown_value(cell);
    number_row(look, "shown", value ? weight_text(static_cast<double>(*value)) : "hidden");
    number_row(look, "hidden in this row", percent_text(out->mass[static_cast<std::size_t>(cell.query)]));
  }
  end_bubble();
}

void draw_map(Panel& panel, const JoinedMap& joined, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Flow view", box, Colour{0, 0, 0, 0}, {0, 0});
  const ScenePlace place{{box.x, box.y}, look.scale};
  const Box whole = place.points(box);
  const Box area{kFlowCorner.x, kFlowCorner.y, whole.width - 2 * kFlowCorner.x, whole.height - 2 * kFlowCorner.y};
  const MeasureText measure = panel.context.painter.measure();
  PlacedFigure placed = place_map_figure(request_of(panel, joined, area), measure);
  const MapFigureRequest& request = placed.request;
  const Box map = place.pixels(placed.placed.map);
  ImGui::SetCursorScreenPos({map.x, map.y});
  ImGui::SetNextItemAllowOverlap();
  ImGui::InvisibleButton("Flow map", {std::max(1.0F, map.width), std::max(1.0F, map.height)});
  answer_pointer(panel, joined, request, placed.area(), place.points(ImGui::GetIO().MousePos));
  if (shown_window(panel.view.flow.zoom, shape_of(joined)) != request.window)
    placed = place_map_figure(request_of(panel, joined, area), measure);
  mark_pointed(panel, joined, placed.request);  // in the same frame
  MapFigure figure = placed.drawn(measure);
  figure.scene.width = area.width;
  figure.scene.height = area.height;
  panel.context.painter.paint(figure.scene, place.origin, "flow");
  name_area("flow map", place.pixels(figure.map), figure.window);
  Box above{kFlowCorner.x, kFlowCorner.y, area.width, kHeading};
  if (figure.map.y < above.bottom()) above.width = std::max(1.0F, figure.map.x - above.x);  // the heading is beside the map
  const Box heading = place.pixels(above);
  press_area("About the flow", {heading.x, heading.y}, {heading.width, heading.height});
  hint(look, fmt::format("{}. {} {}.", request.title, row_of(joined.flow.settings.reduction).help, request.subtitle).c_str());
  const std::optional<PicturedPlace>& pictured = panel.view.pointed.pictured;
  if (pictured && pictured->cell) draw_bubble(panel, joined, request, *pictured->cell, place.pixels(figure.box_of(*pictured->cell)));
  end_region();
}

}  // namespace

void draw_flow_view(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  const FlowRequest flow = shown_flow(panel);
  if (const std::string problem = why_no_flow(*panel.snapshot, flow); !problem.empty()) {
    draw_message(look, box, "These heads do not become one map", problem);
    return end_region();
  }
  if (!is_agreed(panel, flow, box)) return;
  if (const std::optional<JoinedMap> joined = joined_map(panel)) return draw_map(panel, *joined, box);
  const StudyStatus status = panel.context.session.flows().status();
  draw_message(look, box, status.error ? "These maps do not become one" : "Making the map …",
               status.error ? status.error_message : status.step);
  end_region();
}

ComparedHead inspected_in_flow(const Panel& panel) {
  const std::vector<HeadId> heads = shown_flow(panel).heads;
  const HeadId chosen = panel.view.head;
  const bool is_among = heads.empty() || std::find(heads.begin(), heads.end(), chosen) != heads.end();
  return {is_among ? chosen : heads.front()};
}

void rest_flow_view(Panel& panel) {
  panel.context.session.flows().rest();
}

}  // namespace headlight

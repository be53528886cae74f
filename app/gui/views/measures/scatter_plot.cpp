#include "app/gui/views/measures/scatter_plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/document/wording.h"
#include "app/gui/columns/brush.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/measures/head_table.h"

namespace headlight {
namespace {

constexpr float kLeft = 44, kAxisRow = 26, kTickRow = 18, kTop = 30;
constexpr float kPoint = 3.5F, kLeastPoint = 2, kMostPoint = 9, kNear = 8, kDragged = 4, kName = 16;
constexpr std::size_t kMostNamed = 24;  // brushed heads that get their names

/// Both axes, and the columns on them.
struct Plot {
  Panel& panel;
  const ShownColumns& shown;
  const HeadColumn* across;
  const HeadColumn* up;
  const HeadColumn* size;  ///< null: all points are of one size
  ColumnSpread x = {}, y = {};
  Box field = {};
  std::vector<ScatterPoint> points = {};
  std::size_t left_out = 0;  ///< heads without one of the values

  ImVec2 place(double across_value, double up_value) const {
    constexpr float kRimShare = 0.03F;  // so that points at the ends are whole
    const auto along = [](double share) { return kRimShare + (1 - 2 * kRimShare) * static_cast<float>(share); };
    return {field.x + field.width * along(x.place(across_value)), field.bottom() - field.height * along(y.place(up_value))};
  }
};

const HeadColumn* chosen_or(const ShownColumns& shown, const std::string& id, std::size_t usual) {
  if (const HeadColumn* chosen = shown.find(id)) return chosen;
  return shown.columns[std::min(usual, shown.columns.size() - 1)].get();
}

void place_points(Plot& plot, const std::vector<HeadId>& heads) {
  const std::vector<HeadId> all = plot.panel.snapshot->all_heads();
  plot.x = spread_of(*plot.across, all);
  plot.y = spread_of(*plot.up, all);
  const ColumnSpread sizes = plot.size == nullptr ? ColumnSpread{} : spread_of(*plot.size, all);
  for (const HeadId head : heads) {
    const double across = plot.across->values.of(head), up = plot.up->values.of(head);
    const double size = plot.size == nullptr ? 0 : plot.size->values.of(head);
    if (!std::isfinite(across) || !std::isfinite(up) || !std::isfinite(size)) {
      ++plot.left_out;
      continue;
    }
    // The area tells the value.
    const float radius =
        plot.size == nullptr ? kPoint : std::max(kLeastPoint, kMostPoint * std::sqrt(static_cast<float>(sizes.place(size))));
    plot.points.push_back({head, plot.place(across, up), plot.panel.look.px(radius)});
  }
}

void draw_grid(const Plot& plot) {
  const Look& look = plot.panel.look;
  const Box& field = plot.field;
  fill(look, {field.x, field.y}, {field.right(), field.bottom()}, look.colours.panel, 0);
  const int most_across = std::max(1, static_cast<int>(field.width / look.px(56))),
            most_up = std::max(1, static_cast<int>(field.height / look.px(44)));
  for (const double tick : round_ticks(plot.x.low, plot.x.high, most_across)) {
    const float x = plot.place(tick, plot.y.low).x;
    canvas().AddLine({x, field.y}, {x, field.bottom()}, to_imgui(look.colours.line));
    const std::string text = fmt::format("{:.4g}", tick);
    const float half = text_width(look, Type::number, text) / 2;  // inside the field, or the last would be cut off
    draw_text(look, std::clamp(x, field.x + half, std::max(field.x + half, field.right() - half)),
              field.bottom() + look.px(kTickRow / 2 + 1), Type::number, look.colours.text_second, text, AlignX::centre);
  }
  for (const double tick : round_ticks(plot.y.low, plot.y.high, most_up)) {
    const float y = plot.place(plot.x.low, tick).y;
    canvas().AddLine({field.x, y}, {field.right(), y}, to_imgui(look.colours.line));
    draw_text(look, field.x - look.px(6), y, Type::number, look.colours.text_second, fmt::format("{:.4g}", tick), AlignX::right);
  }
  outline(look, {field.x, field.y}, {field.right(), field.bottom()}, look.colours.line, 0);
}

/// The point under the pointer: the nearest within reach.
std::optional<std::size_t> point_near(const Plot& plot, ImVec2 pointer) {
  std::optional<std::size_t> nearest;
  float best = plot.panel.look.px(kNear);
  for (std::size_t i = 0; i < plot.points.size(); ++i) {
    const ScatterPoint& point = plot.points[i];
    const float distance = std::hypot(point.at.x - pointer.x, point.at.y - pointer.y) - (point.radius - plot.panel.look.px(kPoint));
    if (distance < best) best = distance, nearest = i;
  }
  return nearest;
}

void draw_points(const Plot& plot, std::optional<HeadId> hovered) {
  const Look& look = plot.panel.look;
  for (const bool is_marked : {false, true}) {  // brushed ones lie above
    for (const ScatterPoint& point : plot.points) {
      if (is_brushed(plot.panel, point.head) != is_marked) continue;
      const Colour colour = is_marked ? look.colours.accent : mix(look.colours.panel, look.colours.text_second, 0.75F);
      canvas().AddCircleFilled(point.at, point.radius, to_imgui(faded(colour, 0.85F)));
      if (point.head == hovered || point.head == plot.panel.view.head)
        canvas().AddCircle(point.at, point.radius + look.px(2.5F),
                           to_imgui(point.head == hovered ? look.colours.text : look.colours.accent), 0, std::max(1.0F, look.scale * 1.5F));
    }
  }
}

/// A point without room for its name keeps it for the bubble.
void draw_names(const Plot& plot) {
  const Look& look = plot.panel.look;
  std::vector<Box> taken;
  for (const ScatterPoint& point : plot.points) {
    if (!is_brushed(plot.panel, point.head) && point.head != plot.panel.view.head) continue;
    if (taken.size() >= kMostNamed) return;
    const std::string name = short_name(*plot.panel.snapshot, point.head);
    const ImVec2 size{text_width(look, Type::number, name), look.px(kName)};
    const std::optional<Box> box = box_of_name(plot.field, plot.points, point, size, look.px(4), taken);
    if (!box) continue;
    taken.push_back(*box);
    draw_text(look, box->x, box->y + box->height / 2, Type::number, look.colours.text, name);
  }
}

void brush_rectangle(Plot& plot, ImVec2 from, ImVec2 to) {
  ViewState& view = plot.panel.view;
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl && !io.KeyShift) view.brushed.clear();
  for (const ScatterPoint& point : plot.points) {
    const bool is_in = point.at.x >= std::min(from.x, to.x) && point.at.x <= std::max(from.x, to.x) &&
                       point.at.y >= std::min(from.y, to.y) && point.at.y <= std::max(from.y, to.y);
    if (is_in) view.brushed.insert(point.head);
  }
}

/// The head under the pointer; drags and clicks brush.
std::optional<HeadId> answer_pointer(Plot& plot) {
  const Look& look = plot.panel.look;
  const Press press = press_area("Scatter plot", {plot.field.x, plot.field.y}, {plot.field.width, plot.field.height});
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 from = io.MouseClickedPos[ImGuiMouseButton_Left];
  const bool is_drag = std::hypot(io.MousePos.x - from.x, io.MousePos.y - from.y) > look.px(kDragged);
  if ((press.is_held || press.is_clicked) && is_drag) {
    brush_rectangle(plot, from, io.MousePos);
    if (press.is_held) {
      const ImVec2 low{std::min(from.x, io.MousePos.x), std::min(from.y, io.MousePos.y)},
          high{std::max(from.x, io.MousePos.x), std::max(from.y, io.MousePos.y)};
      fill(look, low, high, faded(look.colours.accent, 0.12F), 0);
      outline(look, low, high, look.colours.accent, 0);
    }
    return std::nullopt;
  }
  if (!press.is_hovered) return std::nullopt;
  const std::optional<std::size_t> near = point_near(plot, io.MousePos);
  if (!near) {
    if (press.is_clicked && !io.KeyCtrl && !io.KeyShift) plot.panel.view.brushed.clear();
    return std::nullopt;
  }
  const HeadId head = plot.points[*near].head;
  plot.panel.view.pointed.head = head;
  if (press.is_clicked) brush_by_click(plot.panel.view, head, {});
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) plot.panel.view.view = View::head;
  if (is_right_click()) ask_menu(plot.panel, {.kind = MenuKind::head, .head = {head}});
  return head;
}

void draw_bubble(const Plot& plot, HeadId head) {
  const Look& look = plot.panel.look;
  const auto point = std::find_if(plot.points.begin(), plot.points.end(), [&](const ScatterPoint& each) { return each.head == head; });
  if (point == plot.points.end()) return;
  const float reach = point->radius + look.px(4);
  if (!begin_bubble(look, {point->at.x - reach, point->at.y - reach, 2 * reach, 2 * reach})) return;
  ImGui::Dummy({look.px(200), 0});
  text_line(look, Type::strong, look.colours.text, head_title(*plot.panel.snapshot, head));
  for (const HeadColumn* column : {plot.across, plot.up, plot.size}) {
    if (column != nullptr) number_row(look, column->title, column_number(*column, column->values.of(head)));
  }
  text_line(look, Type::caption, look.colours.text_second, "click brushes · double-click opens");
  end_bubble();
}

/// A menu of the columns, and of none where that is a choice.
void draw_axis_choice(const Plot& plot, const char* name, const char* none, std::string& id, const HeadColumn* column, const Box& box) {
  const Look& look = plot.panel.look;
  std::vector<std::string> labels;
  if (none != nullptr) labels.emplace_back(none);
  int chosen = 0;
  for (const auto& each : plot.shown.columns) {
    if (each.get() == column) chosen = static_cast<int>(labels.size());
    labels.push_back(each->title);
  }
  const int first = none == nullptr ? 0 : 1;
  const Row row{box.x, box.right(), box.y, box.height, box.x, "Which column the points are placed by."};
  if (drop_down(look, row, name, labels, chosen))
    id = chosen < first ? std::string() : plot.shown.columns[static_cast<std::size_t>(chosen - first)]->id;
}

}  // namespace

std::optional<Box> box_of_name(const Box& field, const std::vector<ScatterPoint>& points, const ScatterPoint& point, ImVec2 size,
                               float between, const std::vector<Box>& taken) {
  const float reach = point.radius + between;
  const float left = point.at.x - reach - size.x, right = point.at.x + reach, middle = point.at.x - size.x / 2;
  const float above = point.at.y - reach - size.y, below = point.at.y + reach, beside = point.at.y - size.y / 2;
  for (const ImVec2 corner : {ImVec2{right, beside}, ImVec2{left, beside}, ImVec2{middle, above}, ImVec2{middle, below},
                              ImVec2{right, above}, ImVec2{left, above}, ImVec2{right, below}, ImVec2{left, below}}) {
    const Box box{corner.x, corner.y, size.x, size.y};
    const auto meets = [&](const Box& other) {
      return box.x < other.right() && other.x < box.right() && box.y < other.bottom() && other.y < box.bottom();
    };
    const auto covers = [&](const ScatterPoint& other) {
      const float across = other.at.x - std::clamp(other.at.x, box.x, box.right());
      const float up = other.at.y - std::clamp(other.at.y, box.y, box.bottom());
      return std::hypot(across, up) < other.radius;
    };
    const bool is_inside = box.x >= field.x && box.right() <= field.right() && box.y >= field.y && box.bottom() <= field.bottom();
    if (is_inside && std::none_of(taken.begin(), taken.end(), meets) && std::none_of(points.begin(), points.end(), covers)) return box;
  }
  return std::nullopt;
}

void draw_scatter_plot(Panel& panel, const ShownColumns& shown, const std::vector<HeadId>& heads, const Box& box) {
  if (shown.columns.empty()) return;
  const Look& look = panel.look;
  MeasuresPage& page = panel.view.measures;
  begin_region(look, "Scatter of heads", box, Colour{0, 0, 0, 0}, {0, 0});
  const std::string across = shown.find(page.across) != nullptr ? page.across : "mean-distance";  // wherever a question has moved it
  Plot plot{panel, shown, chosen_or(shown, across, kUsualAcross), chosen_or(shown, page.up, kUsualUp), shown.find(page.size)};
  plot.field = {box.x + look.px(kLeft), box.y + look.px(kTop), box.width - look.px(kLeft) - 1,
                std::max(1.0F, box.height - look.px(kTop + kTickRow + kAxisRow))};
  place_points(plot, heads);
  draw_grid(plot);
  const std::optional<HeadId> hovered = answer_pointer(plot);
  draw_points(plot, hovered ? hovered : hovered_head(panel));
  draw_names(plot);
  const float half = std::floor((box.width - look.px(kUnit)) / 2);
  const float up_width = std::min(half, drop_down_width(look, plot.up->title));
  draw_axis_choice(plot, "Scatter up", nullptr, page.up, plot.up, {box.x, box.y, up_width, look.px(kControl)});
  draw_axis_choice(plot, "Scatter size", "size: all alike", page.size, plot.size,
                   {box.x + half + look.px(kUnit), box.y, half, look.px(kControl)});
  draw_axis_choice(plot, "Scatter across", nullptr, page.across, plot.across,
                   {box.x + half, box.bottom() - look.px(kAxisRow), box.width - half, look.px(kControl)});
  if (plot.left_out > 0) {
    draw_text(look, box.x, box.bottom() - look.px(kAxisRow / 2), Type::caption, look.colours.text_second,
              elided(look, Type::caption, fmt::format("{} without values", plot.left_out), half - look.px(kUnit)));
  }
  if (hovered) draw_bubble(plot, *hovered);
  end_region();
}

}  // namespace headlight

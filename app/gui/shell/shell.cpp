#include "app/gui/shell/shell.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/kit/region.h"

namespace headlight {
namespace {

constexpr std::array kZooms{0.75F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F, 2.5F, 3.0F};
static_assert(kZooms.front() == kLeastZoom && kZooms.back() == kMostZoom);
constexpr float kFoldBeyond = 48;  // points below the least width of a rail at which a drag folds it

/// The next step of zoom; `steps` 1 or −1.
float next_zoom(float zoom, int steps) {
  constexpr float kNear = 0.01F;
  if (steps > 0) {
    const auto larger = std::find_if(kZooms.begin(), kZooms.end(), [&](float each) { return each > zoom + kNear; });
    return larger == kZooms.end() ? kZooms.back() : *larger;
  }
  const auto smaller = std::find_if(kZooms.rbegin(), kZooms.rend(), [&](float each) { return each < zoom - kNear; });
  return smaller == kZooms.rend() ? kZooms.front() : *smaller;
}

/// A small window whose rail is filled: at its left, its right or its bottom.
void draw_rail_icon(const Look& look, ImVec2 centre, Box rail, Colour colour) {
  const float half_width = look.px(8), half_height = look.px(6);
  const ImVec2 from{std::round(centre.x - half_width), std::round(centre.y - half_height)};
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRect(from, {from.x + 2 * half_width, from.y + 2 * half_height}, to_imgui(colour), look.px(2), 0, look.scale * 1.2F);
  const ImVec2 low{from.x + rail.x * 2 * half_width, from.y + rail.y * 2 * half_height};
  const ImVec2 high{low.x + rail.width * 2 * half_width, low.y + rail.height * 2 * half_height};
  canvas.AddRectFilled(low, high, to_imgui(colour), look.px(2));
}

struct Switch {
  const char* region;
  const char* name;
  const char* help;
  Box icon;  ///< the filled part, as shares of the icon
};

void draw_switch(Panel& panel, const Switch& row, const Box& box, RailForm form, Fold& fold) {
  if (box.width <= 0) return;
  const Look& look = panel.look;
  begin_region(look, row.region, box, Colour{0, 0, 0, 0}, {0, 0});
  const float side = look.px(kRow);
  const ImVec2 at{std::round(box.x + (box.width - side) / 2), std::round(box.y + (box.height - side) / 2)};
  const Press press = press_area(row.name, at, {side, side});
  hint(look, row.help);
  const Colour idle = form == RailForm::open ? look.colours.text_second : look.colours.text_third;
  draw_rail_icon(look, {at.x + side / 2, at.y + side / 2}, row.icon, press.is_hovered ? look.colours.text : idle);
  if (press.is_clicked) turn(fold, form);
  ImGui::GetWindowDrawList()->AddLine({box.x, box.bottom() - 1}, {box.right(), box.bottom() - 1}, to_imgui(look.colours.line));
  end_region();
}

/// An edge that can be dragged. Returns how far the pointer is along the axis while it is, in points of the window.
struct EdgeAnswer {
  std::optional<float> dragged_to;  ///< pixels
  bool is_reset = false;
};
EdgeAnswer draw_edge(const Look& look, const char* name, const Box& box, bool is_upright) {
  EdgeAnswer answer;
  begin_overlay(name, box);
  const Press press = press_area(name, {box.x, box.y}, {box.width, box.height});
  if (press.is_hovered || press.is_held) {
    ImGui::SetMouseCursor(is_upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const float thick = look.px(2);
    const ImVec2 middle{std::round(box.x + box.width / 2), std::round(box.y + box.height / 2)};
    ImGui::GetWindowDrawList()->AddRectFilled(
        is_upright ? ImVec2(middle.x - thick / 2, box.y) : ImVec2(box.x, middle.y - thick / 2),
        is_upright ? ImVec2(middle.x + thick / 2, box.bottom()) : ImVec2(box.right(), middle.y + thick / 2), to_imgui(look.colours.accent));
  }
  answer.is_reset = press.is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  const ImGuiIO& io = ImGui::GetIO();
  if (press.is_held && ImGui::IsMouseDragging(ImGuiMouseButton_Left, look.px(2)))
    answer.dragged_to = is_upright ? io.MousePos.x : io.MousePos.y;
  end_region();
  return answer;
}

/// Takes a dragged width over: in its limits, or far below them folded.
void resize(float& width, Fold& fold, float wanted, float least, float most) {
  if (wanted < least - kFoldBeyond) {
    fold = Fold::folded;
  } else {
    fold = Fold::open;
    width = std::round(std::clamp(wanted, least, most));
  }
}

}  // namespace

RailNeeds needs_of(const Panel& panel) {
  const ViewRow* row = panel.shown_view();
  const LessonDesk& lessons = panel.context.session.lessons();
  const bool has_answer_in_sight = lessons.hides_weights();  // in the inspector
  return {true, (row == nullptr || row->has_inspector) && !has_answer_in_sight, lessons.is_taken()};
}

void turn(Fold& fold, RailForm form) {
  fold = form == RailForm::open ? Fold::folded : Fold::open;
}

void zoom_by(Shell& shell, int steps) {
  for (; steps > 0; --steps) shell.zoom = next_zoom(shell.zoom, 1);
  for (; steps < 0; ++steps) shell.zoom = next_zoom(shell.zoom, -1);
}

void draw_rail_switches(Panel& panel, const Layout& layout) {
  Shell& shell = panel.view.shell;
  constexpr Switch kLeft{"Left switch", "Left rail", "Show or hide the rail that edits (ctrl+B).", {0, 0, 0.36F, 1}};
  constexpr Switch kRight{
      "Right switch", "Inspector switch", "Show or hide the numbers of a cell, its row and its head (ctrl+J).", {0.64F, 0, 0.36F, 1}};
  constexpr Switch kUnder{"Right switch", "Inspector switch", kRight.help, {0, 0.6F, 1, 0.4F}};
  draw_switch(panel, kLeft, layout.left_switch, layout.left, shell.left);
  draw_switch(panel, layout.is_drawer ? kUnder : kRight, layout.right_switch, layout.right, shell.right);
}

void draw_lines(const Look& look, const Layout& layout) {
  ImDrawList& under = *ImGui::GetBackgroundDrawList();
  const ImU32 colour = to_imgui(look.colours.line);
  const auto fill = [&](float x, float y, float width, float height) { under.AddRectFilled({x, y}, {x + width, y + height}, colour); };
  fill(0, layout.top_bar.bottom(), layout.top_bar.width, 1);
  if (layout.lesson.width > 0) fill(layout.lesson.right(), layout.lesson.y, 1, layout.lesson.height);
  if (layout.left != RailForm::away) fill(layout.left_rail.right(), layout.left_rail.y, 1, layout.left_rail.height);
  if (layout.right == RailForm::away) return;
  const Box& inspector = layout.inspector;
  layout.is_drawer ? fill(inspector.x, inspector.y - 1, inspector.width, 1) : fill(inspector.x - 1, inspector.y, 1, inspector.height);
}

void draw_edges(Panel& panel, const Layout& layout) {
  const Look& look = panel.look;
  Shell& shell = panel.view.shell;
  const float reach = look.px(3);
  if (layout.left == RailForm::open) {
    const Box& rail = layout.left_rail;
    const EdgeAnswer answer = draw_edge(look, "Edge of the left rail", {rail.right() - reach, rail.y, 2 * reach + 1, rail.height}, true);
    if (answer.dragged_to) resize(shell.left_width, shell.left, (*answer.dragged_to - rail.x) / look.scale, kLeastLeftRail, kMostLeftRail);
    if (answer.is_reset) shell.left_width = Shell().left_width;
  }
  if (layout.right != RailForm::open) return;
  const Box& inspector = layout.inspector;
  if (layout.is_drawer) {
    const EdgeAnswer answer =
        draw_edge(look, "Edge of the inspector", {inspector.x, inspector.y - reach - 1, inspector.width, 2 * reach + 1}, false);
    const float wanted = (inspector.bottom() - answer.dragged_to.value_or(0)) / look.scale;
    if (answer.dragged_to) resize(shell.drawer_height, shell.right, wanted, kLeastDrawer, wanted);
    if (answer.is_reset) shell.right = Fold::folded;
  } else {
    const EdgeAnswer answer =
        draw_edge(look, "Edge of the inspector", {inspector.x - reach - 1, inspector.y, 2 * reach + 1, inspector.height}, true);
    const float wanted = (inspector.right() - answer.dragged_to.value_or(0)) / look.scale;
    if (answer.dragged_to) resize(shell.right_width, shell.right, wanted, kLeastRightRail, kMostRightRail);
    if (answer.is_reset) shell.right_width = 0;
  }
}

void draw_black_screen(const Look& look) {
  constexpr Colour kBlack{0, 0, 0, 255}, kDark{96, 96, 96, 255};
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  begin_region(look, "Black screen", {0, 0, size.x, size.y}, kBlack, {0, 0});
  draw_text(look, size.x / 2, size.y - look.px(kRow), Type::caption, kDark, "Any key goes on.", AlignX::centre);
  end_region();
}

void draw_spotlight(const Panel& panel) {
  if (!panel.view.shell.spotlight) return;
  const Look& look = panel.look;
  constexpr float kShade = 0.64F;
  const Box& lit = *panel.view.shell.spotlight;
  const ImVec2 all = ImGui::GetIO().DisplaySize;
  begin_overlay("Spotlight", {0, 0, all.x, all.y}, ImGuiWindowFlags_NoInputs);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImU32 shade = to_imgui(faded(Colour{0, 0, 0, 255}, kShade));
  const auto dim = [&](float left, float top, float right, float bottom) { canvas.AddRectFilled({left, top}, {right, bottom}, shade); };
  dim(0, 0, all.x, lit.y);
  dim(0, lit.y, lit.x, lit.bottom());
  dim(lit.right(), lit.y, all.x, lit.bottom());
  dim(0, lit.bottom(), all.x, all.y);
  canvas.AddRect({lit.x, lit.y}, {lit.right(), lit.bottom()}, to_imgui(look.colours.query), look.px(kCorner), 0, look.px(2));
  end_region();
}

}  // namespace headlight

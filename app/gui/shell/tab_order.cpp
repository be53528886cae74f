#include "app/gui/shell/tab_order.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "app/gui/kit/widgets.h"

namespace headlight {
namespace {

bool holds(const Box& box, ImVec2 at) {
  return at.x >= box.x && at.x < box.right() && at.y >= box.y && at.y < box.bottom();
}

/// The place of a region among the others, by where its middle is.
std::size_t rank_of(const Layout& layout, const ImGuiWindow& window) {
  const std::array boxes{layout.top_bar, layout.strip,  layout.left_switch, layout.tabs,      layout.right_switch,
                         layout.lesson,  layout.centre, layout.left_rail,   layout.inspector, layout.status};
  const ImVec2 middle{window.Pos.x + window.Size.x / 2, window.Pos.y + window.Size.y / 2};
  const auto found = std::find_if(boxes.begin(), boxes.end(), [&](const Box& box) { return holds(box, middle); });
  return static_cast<std::size_t>(found - boxes.begin());
}

/// The regions that have anything to press, in reading order.
std::vector<ImGuiWindow*> regions(const Layout& layout) {
  constexpr ImGuiWindowFlags kOthers = ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_Popup | ImGuiWindowFlags_ChildWindow;
  std::vector<ImGuiWindow*> found;
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const bool is_region = window->Active && !window->Hidden && (window->Flags & (kOthers | ImGuiWindowFlags_NoNavInputs)) == 0;
    if (is_region && window->DC.NavLayersActiveMaskNext != 0) found.push_back(window);
  }
  const auto place = [&](const ImGuiWindow* window) {
    return std::tuple(rank_of(layout, *window), window->Pos.y, window->Pos.x, window->ID);
  };
  std::sort(found.begin(), found.end(), [&](const ImGuiWindow* a, const ImGuiWindow* b) { return place(a) < place(b); });
  return found;
}

/// Asks Dear ImGui for the control after the one with the keyboard, or, of a region that is entered, for its first or last.
void ask_for_next(const TabWalk& walk) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool is_forwards = walk.direction > 0;
  if (walk.entered != 0) {
    ImGui::FocusWindow(ImGui::FindWindowByID(walk.entered));
    ImGui::SetNavID(0, ImGuiNavLayer_Main, context.NavWindow->NavRootFocusScopeId, {});
  }
  constexpr int kFirst = 0;  // of a region, in Dear ImGui's words
  context.NavTabbingDir = !is_forwards ? -1 : walk.entered != 0 ? kFirst : 1;
  ImGui::NavMoveRequestSubmit(ImGuiDir_None, is_forwards ? ImGuiDir_Down : ImGuiDir_Up,
                              ImGuiNavMoveFlags_IsTabbing | ImGuiNavMoveFlags_Activate,
                              ImGuiScrollFlags_KeepVisibleEdgeX | ImGuiScrollFlags_KeepVisibleEdgeY);
  context.NavTabbingCounter = -1;
}

/// Whether this frame had the control that was asked for.
bool has_found(const TabWalk& walk) {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (walk.entered == 0) return !context.NavMoveScoringItems;  // else the region ended before another control came
  return context.NavMoveResultLocal.ID != 0 || context.NavTabbingResultFirst.ID != 0;
}

/// A text box that a popup took the keyboard from gets it back when Esc has closed the popup.
void return_to_text(TabWalk& walk, bool has_popup) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (!has_popup) {
    if (walk.had_popup && walk.was_escaped && walk.typed_in != 0) {
      context.NavNextActivateId = walk.typed_in;
      context.NavNextActivateFlags = ImGuiActivateFlags_PreferInput | ImGuiActivateFlags_TryToPreserveState;
    } else if (!walk.had_popup) {
      walk.typed_in = context.IO.WantTextInput ? context.ActiveId : 0;
    }
  }
  walk.had_popup = has_popup;
  walk.was_escaped = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
}

bool is_tab_pressed() {
  const ImGuiIO& io = ImGui::GetIO();
  return !io.KeyCtrl && !io.KeyAlt && !io.KeySuper && ImGui::IsKeyPressed(ImGuiKey_Tab);
}

}  // namespace

void begin_tab_order(TabWalk& walk) {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  const bool has_popup = context.OpenPopupStack.Size > 0;
  return_to_text(walk, has_popup);
  const bool is_left = context.IO.MouseClicked[0] || (ImGui::IsKeyPressed(ImGuiKey_Escape, false) && !context.IO.WantTextInput);
  if (!has_popup && is_left) walk = {.typed_in = walk.typed_in};
  if (has_popup) walk.direction = 0;
  const bool is_begun = !has_popup && walk.direction == 0 && is_tab_pressed();
  if (is_begun) {
    walk.is_walking = true;
    walk.direction = context.IO.KeyShift ? -1 : 1;
    walk.regions_tried = 0;
    walk.entered = 0;
  }
  give_keyboard(walk.is_walking);
  const bool has_place = context.NavWindow != nullptr && context.NavId != 0;
  if (walk.direction != 0 && (walk.entered != 0 || has_place)) ask_for_next(walk);
}

void end_tab_order(TabWalk& walk, const Layout& layout) {
  if (walk.direction == 0) return;
  ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.NavMoveSubmitted && has_found(walk)) {
    walk.direction = 0;
    return;
  }
  ImGui::NavMoveRequestCancel();
  context.NavMoveSubmitted = false;
  const std::vector<ImGuiWindow*> all = regions(layout);
  if (all.empty() || ++walk.regions_tried > static_cast<int>(all.size())) {
    walk.direction = 0;
    return;
  }
  const ImGuiWindow* here = context.NavWindow == nullptr ? nullptr : context.NavWindow->RootWindow;
  const auto place = std::find(all.begin(), all.end(), here);
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  // Without a place to go on from, the walk begins at the first region, or at the last.
  const bool is_known = place != all.end() && (context.NavId != 0 || walk.entered != 0);
  const std::ptrdiff_t from = is_known ? place - all.begin() : walk.direction > 0 ? -1 : count;
  walk.entered = all[static_cast<std::size_t>((from + walk.direction + count) % count)]->ID;
}

}  // namespace headlight

// Tab through the whole window: from control to control in a region, and from the last of one region to the first of the next.
//
// Dear ImGui walks through one window by itself, and our regions are windows of it. So Tab is ours while no popup is open: it asks Dear ImGui
// for the next control of the region, and where there is none, for the first one of the region that follows.
#pragma once

#include <imgui.h>

#include "app/gui/shell/layout.h"

namespace headlight {

/// What lasts from frame to frame.
struct TabWalk {
  bool is_walking = false;  ///< a frame shows which control has the keyboard: arrows move it, Enter and Space press. Until Esc or a click
  int direction = 0;        ///< of a step that is being taken: 1 forwards, -1 backwards; 0: none
  int regions_tried = 0;    ///< by this step: those without a control are passed over
  ImGuiID entered = 0;      ///< the region that is entered next; 0: the step stays in its region
  ImGuiID typed_in = 0;     ///< the text box that had the keyboard before a popup opened
  bool had_popup = false, was_escaped = false;  ///< in the last frame
};

/// Gives the keyboard to popups, to the walk, or to commands (give_keyboard), and begins a step where Tab was pressed. Call it before the
/// panels draw and before answer_keyboard.
void begin_tab_order(TabWalk& walk);
/// Ends the step of this frame: in reading order, top bar, token strip, tabs, view, rails, status bar. Call it after the panels.
void end_tab_order(TabWalk& walk, const Layout& layout);

}  // namespace headlight

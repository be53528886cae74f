// One frame of the whole window: panels in, draft out. Knows ImGui but neither GLFW nor OpenGL, so tests run it without a display.
#pragma once

#include "app/gui/bars/bars.h"
#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/lessons/lesson_light.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"
#include "app/gui/shell/tab_order.h"

namespace headlight {

/// The views of the program, in the order of their tabs. A new view is a new row.
std::span<const ViewRow> all_views();

/// What lasts from one frame to the next besides the document. Every panel sees the view and the caches; the rest is each room's own.
struct FrameState {
  ViewState view;
  FrameCaches caches = {};
  StripLayouts strip_layouts = {};
  LeftRail left_rail = {};
  TabWalk tab_walk = {};
  DialogStates dialogs = {};
  LessonPlaces lesson_places = {};
  std::optional<ModelChange> model_change = {};  ///< being carried out
  std::optional<Point> pressed_at = {};          ///< where a button was pressed last, until the pointer moves away (Look::shows_hints)
};

/// Draws everything, then hands the changed draft to the session. `draft` is a copy of the document that lives for this frame only.
void draw_frame(FrameContext& context, FrameState& state, std::span<const ViewRow> views = all_views());

}  // namespace headlight

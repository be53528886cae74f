// One frame of the whole window: panels in, draft out. Knows ImGui but neither GLFW nor OpenGL, so tests run it without a display.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Where everything is, in pixels.
struct Layout {
  Box top_bar, left_rail, tabs, centre, inspector, strip, status;
  bool is_folded = false;  ///< the inspector lies under the views
};
Layout make_layout(float width, float height, float scale);

/// The views of the program, in the order of their tabs. A new view is a new row.
std::span<const ViewRow> all_views();

/// Draws everything, then hands the changed draft to the session. `draft` is a copy of the document that lives for this frame only.
void draw_frame(FrameContext& context, ViewState& view, std::span<const ViewRow> views = all_views());

}  // namespace headlight

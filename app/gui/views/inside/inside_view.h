// Inside: one query's computation as a ledger that plays.
#pragma once

#include <span>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Where the figure begins, in points from the view's corner.
inline constexpr Point kInsideCorner{24, 16};
inline constexpr float kTransport = 64;  ///< height of the bar at the foot, in points

/// Its row of the table of views.
ViewRow inside_row();

void save_inside(const ViewState& view, Json& json);
void restore_inside(const Json& json, ViewState& view);

/// What the keyboard does while it is shown.
std::span<const WindowCommand> inside_commands();
/// The inspector beside it: the step in words; the number that was clicked, or the step's own; the row.
std::span<const InspectorPart> inside_parts();

}  // namespace headlight

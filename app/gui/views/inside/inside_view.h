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

/// The section of the left rail: how many keys have rows of their own. The others are folded, with all that they hold.
inline constexpr const char* kInsideSection = "Keys";
inline constexpr int kMostRows = 40;  ///< that can be asked for; a window shows as many of them as fit
void draw_inside_settings(Panel& panel);
std::string inside_state(const Panel& panel);
/// The limit one step lower or higher.
void change_most_keys(InsidePage& page, int by);

/// What the keyboard does while it is shown.
std::span<const WindowCommand> inside_commands();
/// The inspector beside it: the step in words; the number that was clicked, or the step's own; the row.
std::span<const InspectorPart> inside_parts();

}  // namespace headlight

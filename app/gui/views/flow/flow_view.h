// What the row of the view Flow needs (ViewRow).
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Where the figure begins, in points from the corner of its region. The scene that is painted has the size of its area.
inline constexpr Point kFlowCorner{24, 12};

/// The weights of several heads as one map.
void draw_flow_view(Panel& panel, const Box& box);
/// In frames that show another view.
void rest_flow_view(Panel& panel);
/// Of the heads that become one map the chosen one, else the first: its tokens are on the axes.
ComparedHead inspected_in_flow(const Panel& panel);
/// How the heads become one map.
float draw_flow_menu(Panel& panel, Row row);
/// The section of the left rail: how, which heads, and what rollout needs to know.
void draw_flow_settings(Panel& panel);
/// "mean, 8 heads"
std::string flow_state(const Panel& panel);

void save_flow_view(const ViewState& view, Json& json);
void restore_flow_view(const Json& json, ViewState& view);

}  // namespace headlight

// What the row of the view Links needs (ViewRow).
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Where the figure of links begins, in points from the corner of its region. The scene that is painted has the size of its area.
inline constexpr Point kLinksCorner{24, 0};

/// Two columns of tokens, or one with arcs, and the weights of the chosen heads as lines between them; under them the text as people read
/// it, tinted by the same weights.
void draw_links_view(Panel& panel, const Box& box);
/// In frames that show another view.
void rest_links_view(Panel& panel);
/// Columns or arcs.
float draw_links_menu(Panel& panel, Row row);
/// The section of the left rail: which heads, which parts of a pair, which lines, what tints the text.
void draw_links_settings(Panel& panel);
/// How many heads have lines: "3 heads".
std::string links_state(const Panel& panel);
/// The chosen head where it has lines, else the first that has.
ComparedHead inspected_in_links(const Panel& panel);

void save_links_view(const ViewState& view, Json& json);
void restore_links_view(const Json& json, ViewState& view);

}  // namespace headlight

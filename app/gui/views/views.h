// What the row of each view needs (ViewRow).
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Where the figure of a view begins, in points from the view's corner. The scene that is painted has the size of its area.
inline constexpr Point kOverviewCorner{6, 6};  ///< room for the frame around a tile at the edge
inline constexpr Point kHeadCorner{24, 16};

void draw_overview(Panel& panel, const Box& box);
/// Whether the layers that the running picture has so far are shown in place of a view: there is no picture yet, or it is the Overview of
/// another model.
bool shows_first_layers(const Panel& panel);
/// Their maps, where the Overview will have them. Nothing can be clicked yet.
void draw_first_layers(Panel& panel, const Box& box);
void save_overview(const ViewState& view, Json& json);
void restore_overview(const Json& json, ViewState& view);
/// The section of the left rail: order, number and filter of the heads.
void rest_overview(Panel& panel);
/// What all maps show; returns its left edge.
float draw_overview_menu(Panel& panel, Row row);
void draw_overview_settings(Panel& panel);
std::string overview_state(const Panel& panel);
/// Orders by measures, for the palette.
void add_overview_orders(const Panel& panel, std::vector<Offer>& offers);
/// That of the cell under the pointer.
ComparedHead inspected_in_overview(const Panel& panel);

void draw_head_view(Panel& panel, const Box& box);
/// The step of the computation that the map shows.
float draw_head_menu(Panel& panel, Row row);
void save_head_view(const ViewState& view, Json& json);
void restore_head_view(const Json& json, ViewState& view);
/// The head at the moment that is looked at.
ComparedHead inspected_in_head(const Panel& panel);

void draw_compare_view(Panel& panel, const Box& box);
/// One scale for all cards, or one for each.
float draw_compare_menu(Panel& panel, Row row);
void save_compare_view(const ViewState& view, Json& json);
void restore_compare_view(const Json& json, ViewState& view);
/// The card of the head that is looked at, else the first one.
ComparedHead chosen_card(const Panel& panel);
/// That of the card under the pointer, of a difference the one that is subtracted from; else the chosen card, with the run that it is of.
ComparedHead inspected_in_compare(const Panel& panel);

/// A head of the text that is predicted.
ComparedHead inspected_in_output(const Panel& panel);

}  // namespace headlight

// The small experiments.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The small experiments (app/document/labs/labs.h).
void draw_labs_view(Panel& panel, const Box& box);
std::optional<Absence> absence_of_labs(const Panel& panel);
/// Each lab, as a line of the palette.
void add_lab_places(const Panel& panel, std::vector<Offer>& offers);
/// Which lab is shown, and how each is set.
void save_labs(const ViewState& view, Json& json);
void restore_labs(const Json& json, ViewState& view);

}  // namespace headlight

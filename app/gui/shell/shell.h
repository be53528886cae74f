// What a person does to the shell: folds and resizes rails, zooms, presents; and the light that a view or a script puts on one place.
#pragma once

#include "app/gui/panel/panel.h"
#include "app/gui/shell/layout.h"

namespace headlight {

/// What the shown view has use for.
RailNeeds needs_of(const Panel& panel);

/// Folds a rail that is open, and opens any other.
void turn(Fold& fold, RailForm form);
/// Everything becomes larger by so many steps, or smaller.
void zoom_by(Shell& shell, int steps);

/// The buttons at both ends of the tabs that fold the left rail and the inspector.
void draw_rail_switches(Panel& panel, const Layout& layout);

/// The lines between the regions. Those beside an open rail can be dragged; a double click goes back to the usual width, and a drag far
/// below the least width folds the rail.
void draw_lines(const Look& look, const Layout& layout);
void draw_edges(Panel& panel, const Layout& layout);

/// In place of all else while Shell::is_black: black, with a word on how to go on.
void draw_black_screen(const Look& look);

/// Dims everything but Shell::spotlight. Draws over the regions and under popups.
void draw_spotlight(const Panel& panel);

}  // namespace headlight

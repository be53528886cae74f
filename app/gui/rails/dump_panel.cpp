// The left rail of maps from a file: which head is shown, and why nothing else can be changed.
#include <fmt/core.h>

#include "app/gui/panel/choices.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"

namespace headlight {

void draw_dump_panel(Panel& panel) {
  const Look& look = panel.look;
  const Snapshot& snapshot = *panel.snapshot;
  if (!section(look, "Maps from a file", panel.view.folded)) return;
  layer_slider(panel, begin_row(look, "Layer", "The layer that Head and the inspector show (up and down)."), "Layer slider",
               panel.view.head.layer);
  slider(look, begin_row(look, "Head", "The head that Head and the inspector show (left and right)."), "Head slider", panel.view.head.head,
         0, snapshot.heads(panel.view.head.layer) - 1);
  gap(look, kInside);
  paragraph(look, Type::caption, look.colours.text_second,
            "Another program computed these maps. The file holds no weights, so heads, scores and the sentence cannot be changed here. "
            "Open the model itself for that.");
}

}  // namespace headlight

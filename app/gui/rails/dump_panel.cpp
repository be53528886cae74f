// The left rail of maps from a file: which text and head are shown, and why nothing else can be changed.
#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>

#include "app/gui/panel/choices.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"

namespace headlight {
namespace {

/// An array of four axes whose name does not say what the first one is.
void draw_first_axis(Panel& panel) {
  std::optional<int>& item = panel.draft.query.item;
  const std::array<std::string, 2> kinds{"layers", "texts"};
  int kind = item ? 1 : 0;
  const Row row = begin_row(panel.look, "First axis",
                            "What the first of the four axes counts: the layers of one text, or the texts of a batch, each with one layer. "
                            "The file does not say.");
  if (!segmented(panel.look, row, "First axis", kinds, kind)) return;
  item = kind == 1 ? std::optional(0) : std::nullopt;
}

/// Which text of a batch is shown.
void draw_item(Panel& panel) {
  const auto texts = static_cast<int>(panel.snapshot->axes.texts);
  if (texts < 2) return;
  int item = panel.draft.query.item.value_or(0);
  const Row row = begin_row(panel.look, "Item", "Which text of the batch is shown, counted from 0 as --item counts.");
  if (slider(panel.look, row, "Item slider", item, 0, texts - 1)) panel.draft.query.item = item;
}

}  // namespace

void draw_dump_panel(Panel& panel) {
  const Look& look = panel.look;
  const Snapshot& snapshot = *panel.snapshot;
  if (!section(look, "Maps from a file", panel.view.rails.folded)) return;
  if (snapshot.axes.is_first_unnamed) draw_first_axis(panel);
  draw_item(panel);
  layer_slider(panel, begin_row(look, "Layer", "The layer that Head and the inspector show (up and down)."), "Layer slider",
               panel.view.head.layer);
  slider(look, begin_row(look, "Head", "The head that Head and the inspector show (left and right)."), "Head slider", panel.view.head.head,
         0, snapshot.heads(panel.view.head.layer) - 1);
  gap(look, kInside);
  if (snapshot.axes.texts > 1) {
    text_line(look, Type::caption, look.colours.text_second, fmt::format("A batch of {} texts, one shown at a time.", snapshot.axes.texts));
    gap(look, kInside);
  }
  paragraph(look, Type::caption, look.colours.text_second,
            "Another program computed these maps. The file holds no weights, so heads, scores and the sentence cannot be changed here. "
            "Open the model itself for that.");
}

}  // namespace headlight

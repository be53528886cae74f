// The parts of the export dialog, each in a box of its own.
#pragma once

#include <memory>
#include <string>

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"
#include "app/work/figures/figure_previews.h"

namespace headlight {

/// What the figure is and how it is made, as a column that scrolls. `preview`: of the last frames; null: none yet.
void draw_export_controls(Panel& panel, ExportChoice& choice, const FigurePreview* preview, const Box& box);

/// Of a picture: its size in print, its letters, and the parts around it. In the column.
void draw_export_page(Panel& panel, ExportChoice& choice, const FigurePreview* preview);

/// The figure as its file has it, between rulers in millimetres.
void draw_export_preview(Panel& panel, ExportChoice& choice, const std::shared_ptr<const FigurePreview>& preview, const Box& box);

/// The command line, the file, and the button that writes it.
void draw_export_foot(Panel& panel, ExportChoice& choice, const FigurePreview* preview, const Box& box);
/// How high it is with what it has to say now, in pixels.
float export_foot_height(const Panel& panel, const ExportChoice& choice, float width);

}  // namespace headlight

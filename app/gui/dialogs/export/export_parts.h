// The parts of the export dialog, each in a box of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"
#include "app/work/figures/figure_previews.h"

namespace headlight {

/// What the figure is and how it is made, as a column that scrolls. `preview`: of the last frames; null: none yet.
void draw_export_controls(Panel& panel, ExportChoice& choice, const FigurePreview* preview, const Box& box);

/// Of a picture: its size in print, its letters, and the parts around it. In the column.
void draw_export_page(Panel& panel, ExportChoice& choice, const FigurePreview* preview);

/// What there is to say of a sweep, or of a file of texts, before its figures. In the column.
void draw_sweep_choice(Panel& panel, ExportChoice& choice);
void draw_texts_choice(Panel& panel, ExportChoice& choice);
/// Which figures every text gets, and as which files. In the column.
void draw_figures_of_texts(Panel& panel, ExportChoice& choice);

/// How far a series of figures is, whatever is chosen now; nothing where none was begun.
void draw_series(Panel& panel, const Box& box);
/// How high that is, in pixels; 0: there is nothing to draw.
float series_height(const Panel& panel);

/// Says how a series ended, beside the picture, where the dialog was closed meanwhile. Call it in every frame without the dialog.
void tell_end_of_series(Panel& panel, ExportChoice& choice);

/// Switches in two columns, from left to right.
class SwitchPairs {
 public:
  explicit SwitchPairs(const Look& look) : look_(look) {}
  /// `label` at the left of its switch, whose name is `name`.
  bool draw(const std::string& label, const std::string& name, bool& is_on, const char* help = nullptr);

 private:
  const Look& look_;
  std::size_t place_ = 0;
  Row row_;
};

/// The figure as its file has it, between rulers in millimetres.
void draw_export_preview(Panel& panel, ExportChoice& choice, const std::shared_ptr<const FigurePreview>& preview, const Box& box);

/// The command line of a frame.
struct ExportCommand {
  std::string text;         ///< empty where no command makes the file
  std::vector<Span> spans;  ///< the text, or why it is missing; empty before the first preview
  float height = 0;         ///< pixels
};
ExportCommand command_of_export(const Panel& panel, const ExportChoice& choice, const FigurePreview* preview, float width);

/// The command line, the file, and the button that writes it.
void draw_export_foot(Panel& panel, ExportChoice& choice, const ExportCommand& command, const Box& box);
/// How high it is with what it has to say now, in pixels.
float export_foot_height(const Panel& panel, const ExportChoice& choice, const ExportCommand& command, float width);

}  // namespace headlight

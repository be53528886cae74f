// What opens over the window.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

void draw_model_picker(Panel& panel);
/// Opens a model that was downloaded since the last frame.
void take_download(Panel& panel);
/// What the export dialog writes with its present settings.
FigureRequest figure_to_export(const Panel& panel);
void draw_export_dialog(Panel& panel);
void draw_mask_file_dialog(Panel& panel);
/// Turns a mask that was read since the last frame into an edit.
void take_read_mask(Panel& panel);
void draw_parameters_dialog(Panel& panel);
void draw_help(Panel& panel);
void draw_model_card(Panel& panel);

}  // namespace headlight

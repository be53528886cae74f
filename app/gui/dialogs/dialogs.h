// What opens over the window.
#pragma once

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"

namespace headlight {

void draw_model_picker(Panel& panel, ModelPicker& picker);
/// Opens a model that was downloaded since the last frame.
void take_download(Panel& panel, ModelPicker& picker);
void draw_mask_file_dialog(Panel& panel, MaskFileChoice& choice);
/// Turns a mask that was read since the last frame into an edit.
void take_read_mask(Panel& panel);
/// Opens a document, or writes this one under a name; and the question where opening another would lose an edit.
void draw_document_dialogs(Panel& panel, DocumentFiles& files);
void draw_parameters_dialog(Panel& panel, ParameterChoice& choice);
/// Theme, scale, font, motion, and what the status bar shows besides. `typed_font`: into the box that searches in the fonts.
void draw_settings(Panel& panel, std::string& typed_font);
void draw_palette(Panel& panel, DialogStates& dialogs);
/// Does what was chosen in the palette. Call it before the panels draw.
void take_from_palette(Panel& panel, CommandPalette& palette);
/// Watches the files of what is shown, and notes which another program has written. Call it every frame; it does nothing without
/// FrameContext::file_watch.
void watch_shown_files(Panel& panel, const DialogStates& dialogs);
/// Reads again what Notes::wants_reload asks for.
void reload_wanted(Panel& panel, const DialogStates& dialogs);
void draw_help(Panel& panel);
void draw_model_card(Panel& panel, ShownCard& card);
/// What the last picture cost, where memory goes, and how long frames take.
void draw_performance(Panel& panel);

}  // namespace headlight

// Measuring all heads over a file of texts: what is measured, and where the result goes.
#pragma once

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"

namespace headlight {

/// A row whose control is a text box.
void draw_text_row(const Look& look, const char* label, const char* help, const char* name, const std::string& placeholder,
                   std::string& text);
/// The browser, the path and the column of a file of texts.
void draw_texts_choice(const Look& look, TextsFile& choice);
/// Chooses a file of texts and what is measured on them, and starts it.
void draw_corpus_dialog(Panel& panel, CorpusChoice& choice);
/// Chooses a file of texts that a mean, or what another text gives, is taken from.
void draw_other_texts_dialog(Panel& panel, OtherTextsChoice& choice);
/// Writes what was found: a study that opens again, or a table for other programs.
void draw_corpus_save_dialog(Panel& panel, CorpusSaving& saving);

}  // namespace headlight

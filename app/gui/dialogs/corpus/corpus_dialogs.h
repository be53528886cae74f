// Measuring all heads over a file of texts: what is measured, and where the result goes.
#pragma once

#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"

namespace headlight {

/// Chooses a file of texts and what is measured on them, and starts it.
void draw_corpus_dialog(Panel& panel, CorpusChoice& choice);
/// Writes what was found: a study that opens again, or a table for other programs.
void draw_corpus_save_dialog(Panel& panel, CorpusSaving& saving);

}  // namespace headlight

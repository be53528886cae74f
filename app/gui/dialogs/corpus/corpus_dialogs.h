// Measuring all heads over a file of texts: what is measured, and where the result goes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
/// The folder, the name and the button that saves. What is typed is a path in the listing's folder; without one of the endings it gets the
/// first.
struct WantedFile {
  std::filesystem::path path;
  bool is_pressed = false;
};
WantedFile draw_wanted_file(const Look& look, NumbersSaving& saving, std::span<const std::string_view> endings,
                            const std::vector<std::string>& files, const char* kind);
/// Writes what patches did to the target, as the command line does.
void draw_patch_save_dialog(Panel& panel, NumbersSaving& saving);
/// Writes what was found: a study that opens again, or a table for other programs.
void draw_corpus_save_dialog(Panel& panel, CorpusSaving& saving);

}  // namespace headlight

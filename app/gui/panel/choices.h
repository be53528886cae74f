// Choices that several panels offer: another model, a layer, keys to hide, a document.
#pragma once

#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Asks for another model, and drops the choice of an item and of head counts that was made for the old one.
void choose_model(Panel& panel, const std::string& name);
/// One of the shown model's layers, by its number or its name.
void layer_slider(const Panel& panel, const Row& row, const char* name, int& layer);

/// "This text has 4 tokens, 0 to 3: 99 hides nothing in it." Empty where every position that the style hides is one of the shown text, or there is no
/// picture.
std::string note_on_hidden(const Panel& panel);
/// The style hides positions alone, none of which the shown text has.
bool hides_nothing_here(const Panel& panel);

/// Shows a document in place of this one, or a new one, at the end of the frame; asks first where an edit would be lost.
void want_document(Panel& panel, const std::filesystem::path& path);
void want_new_document(Panel& panel);
/// Writes the document, with what is looked at, to a file that becomes its own.
void save_document_to(Panel& panel, const std::filesystem::path& path);
/// Writes the document to its file; without one, asks for a name.
void save_document(Panel& panel);
/// Changes are neither in the document's file nor kept by the program.
bool would_be_lost(const Panel& panel);

}  // namespace headlight

// What is measured over many texts, above the table of heads: how far it is, what it is of, and what can be done with it.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The way to a corpus where there is none yet, ending at `right`. Returns what is left of the line.
float draw_corpus_button(Panel& panel, float right, float middle);
/// In pixels, in a view; 0: there is no corpus.
float corpus_bar_height(const Panel& panel, const Box& view);
void draw_corpus_bar(Panel& panel, const Box& box);

}  // namespace headlight

// One head on a corpus: a measure's mean with its error, how it is spread, by length of the texts, and the texts with most of it.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// The columns of heads are of a corpus that knows this head.
bool has_corpus_card(const Panel& panel, HeadId head);
/// A section of the inspector: the measure that is chosen there or explained in Measures. `is_dense`: in the drawer.
void draw_corpus_card(Panel& panel, HeadId head, bool is_dense);
/// What Measures says of the head besides mean and error of the explained measure: nothing without a corpus that has it.
void draw_corpus_details(Panel& panel, HeadId head);

}  // namespace headlight

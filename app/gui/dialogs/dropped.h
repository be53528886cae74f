// What a person drops on the window: a document, a model, maps of attention, a study, or texts.
#pragma once

#include "app/gui/panel/panel.h"

namespace headlight {

/// Opens what was dropped since the last frame (FrameContext::dropped_paths): a document, a model folder, one of its files, a GGUF file or a
/// file of maps as such; a study beside the sentence. A file of many texts waits for an answer (CorpusPage::dropped); any other text becomes
/// the sentence, as much of it as one paste may hold. What it cannot use it names in a note.
void open_dropped(Panel& panel);

}  // namespace headlight

// How heads and sentences are written on screen.
#pragma once

#include <string>

#include "engine/pipeline/pipeline.h"

namespace headlight {

/// "Layer 2 · Head 5", "Cross 0 · Head 5".
std::string head_title(const Snapshot& snapshot, HeadId head);
/// "2.5": the short name of a head.
std::string short_name(HeadId head);
/// The same, or "cross.0.3" where layers have names.
std::string short_name(const Snapshot& snapshot, HeadId head);
/// "16,384 tokens in 12 layers of 12 heads take about 40 s and up to 3.1 GB of memory"
std::string cost_words(const RunEstimate& estimate);
/// `text` ended by a full stop, so that another sentence can follow.
std::string as_sentence(std::string text);

}  // namespace headlight

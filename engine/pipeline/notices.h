// What a person should know about a finished run: edits that do nothing, heads that look untrained.
#pragma once

#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace headlight {

/// Edits of heads that this model does not have: they do nothing, and stay for a model that has them.
void note_absent_heads(const Query& query, const ModelConfig& config, int heads, std::vector<std::string>& notices);
/// The first of the edited cells that lie outside every map they are for, and how many more do. They stay for a longer text.
void note_cells_outside(const Snapshot& snapshot, std::vector<std::string>& notices);
/// Notes that all heads are uniform. Trained heads never are, but weights that were read wrongly or left at zero.
void note_uniform_heads(const Snapshot& snapshot, std::vector<std::string>& notices);

}  // namespace headlight

// The steps of a generation, as one growing map. A model that continues a text computes at each step the rows of its new tokens alone:
// [heads, 5, 5] for a prompt of five tokens, then [heads, 1, 6], [heads, 1, 7] … Put one under another they are the rows of one map of the
// whole text; a key that a row did not have yet has weight 0 there, and is masked.
//
// Which step an array belongs to is the number after "step" in its name ("step.3.attention.0", "step3_layer0_attn"), unless all have equal
// sides, as those of checkpoints ("step1000", "step2000") have, which are read as any other arrays. Where no name says
// "step", it is the first of two numbers ("attentions.3.0": step, layer, as generate() of the library transformers nests them) or the only
// number ("attentions.3": all layers of a step), but only if the sides grow as those of steps do, which those of layers never do.
#pragma once

#include "engine/dumps/dump_tensors.h"

namespace headlight {

/// Joins the arrays of each layer's steps into one of all rows, named without the step, and sets DumpFile::steps; a file without steps stays
/// as it is. Steps follow one another when each has the keys of the one before and those of its own queries; in cross-attention, when all
/// have the same keys. Throws Error (input) for arrays that are named steps and do not follow one another, or Cancelled.
void join_steps(DumpFile& file, const Watch& watch = {});

/// "Rows of 3 steps are one map: 5 + 1 + 1 queries."; empty for a file without steps.
std::string note_on_steps(const DumpFile& file);

}  // namespace headlight

// The masks under maps from a file: which keys could have been attended to. Measures such as entropy count the allowed keys, so a causal
// map without its mask is measured wrongly.
//
// In order of precedence:
//   1. the query's mask edits (`--mask`, the Mask panel), laid over what follows;
//   2. arrays `mask` or `mask.{layer}`, of one stack `encoder.mask`, `encoder.mask.{layer}` …: [query, key], [heads, query, key] or
//      [batch, heads, query, key], any axis before the last two may be 1. Numbers 0 and 1: 1 may attend. Other floats are what is added to
//      scores: -inf, and all at or below -10000, forbid. All zeros forbid everything, unless they are floats: then they forbid nothing;
//   3. a mask text (mask.h) as `headlight.mask`, of one stack `headlight.mask.encoder` …; q counts from the first query's position;
//   4. causal, where every weight above the diagonal is exactly 0 in all heads of a layer whose queries and keys are one text; of joined
//      steps those of the keys that a step did not have yet are 0 too;
//   5. of the steps of a generation (dump_steps.h), the keys that each step had.
// With fewer queries than keys of one text the queries are its last tokens: q counts from keys - queries.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/dumps/dump_layers.h"
#include "engine/forward/trace.h"

namespace headlight {

/// Sets masks and GivenMask of a layer that has its maps already. `is_one_text`: queries and keys are the same text. Throws Error (input)
/// for a mask that does not fit the maps, holds NaN, or cannot be read; or Cancelled.
void give_masks(LayerTrace& layer, const LayerMaps& maps, const DumpFile& file, std::optional<int> item, bool is_one_text,
                const Watch& watch = {});

/// What the mask of a layer is and who says so: "causal, as the file says (headlight.mask)", "causal assumed, because …", "none: …".
std::string describe_mask(const GivenMask& mask);

/// The layer with the query's edits laid over its masks, and with a count of the cells that hold weight though forbidden; the same layer
/// where nothing changes. The maps are shared. Throws Error (usage) for a mask text that cannot be read; or Cancelled.
std::shared_ptr<const LayerTrace> with_edits(std::shared_ptr<const LayerTrace> layer, int number, const MaskEdits& edits, Stack stack,
                                             const Watch& watch = {});

}  // namespace headlight

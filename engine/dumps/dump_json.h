// Arrays of numbers inside JSON, as BertViz and others write attention maps.
#pragma once

#include <string>

#include "engine/dumps/dump_tensors.h"

namespace headlight {

/// Nested lists of numbers become tensors named by their path ("attention", "attention.0.attn"), lists of strings become texts. NaN,
/// Infinity and -Infinity are numbers, as Python writes them. Of the named entries that BertViz writes for one model, Encoder, Decoder and
/// Cross keep their names in place of their numbers ("encoder.attn"), and All stands for a sentence pair. Memory is bounded by the file's
/// bytes. Where lists are not equally long, the elements of the outermost one become tensors of their own ("attention.0", "attention.1"), or
/// those of the outermost two: so steps of a generation and layers of different numbers of heads are read. `into` is replaced but for its
/// file's name. Throws Error (input) for other lists of unequal lengths, of mixed kinds, or deeper than eight dimensions, and for several lists of
/// maps; or Cancelled.
void read_dump_json(std::string bytes, DumpFile& into, const Watch& watch = {});

}  // namespace headlight

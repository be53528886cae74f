// Arrays of numbers inside JSON, as BertViz and others write attention maps.
#pragma once

#include <string>
#include <string_view>

#include "engine/attention/dump_tensors.h"

namespace headlight {

/// Nested lists of numbers become tensors named by their path ("attention", "attention.0.attn"), lists of strings texts. Memory is bounded
/// by the file's bytes. Throws Error (input) for lists of unequal lengths, of mixed kinds, or deeper than eight dimensions.
void read_dump_json(std::string_view bytes, DumpFile& into);

}  // namespace headlight

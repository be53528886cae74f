// What a file says of the text that its tokens were cut from: `text`, `text_pair` and `offsets` (also "offset_mapping"), and of
// which tokens are special, `special_tokens_mask`; each also with "decoder." before it. Offsets are code points [begin, end), as `headlight trace` and the fast tokenizers of Hugging Face count them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/dumps/dump_tensors.h"

namespace headlight {

/// Whether this is the name of such a part.
bool is_whole_text_name(std::string_view name);

/// Whether a text may be a JSON string, as in metadata that `headlight trace` writes, or is to be taken literally.
enum class TextForm : std::uint8_t { plain, perhaps_json };

/// Takes a part that is written as text: offsets are a JSON list of pairs. Offsets that are something else are left out: the tokens are then joined.
void take_whole_text(std::string_view name, const std::string& value, TextForm form, DumpFile& into);

/// Takes offsets that are an array [tokens, 2], and a mask of special tokens [tokens].
void take_offsets(const DumpTensor& array, DumpFile& into);

/// What the file says of the text of a list of tokens with this name; null where it says nothing, and for one text of a batch.
const DumpWholeText* find_whole_text(const DumpFile& file, std::string_view tokens_name);

}  // namespace headlight

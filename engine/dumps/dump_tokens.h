// The tokens along the axes of maps from a file: in the file itself, in one beside it, or numbered.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/dumps/dump_layers.h"
#include "engine/text/tokenizer.h"

namespace headlight {

struct DumpTokens {
  std::shared_ptr<const Tokenizer> tokenizer;        ///< shows them, and encodes nothing
  std::shared_ptr<const Encoding> encoding;          ///< of the keys
  std::shared_ptr<const Encoding> decoder_encoding;  ///< of the queries, where those are another text's; else null
  bool is_one_text = true;                           ///< queries and keys are the same text, or the queries are its last tokens
  std::vector<std::string> assumed;                  ///< in a few words each, for badges: "tokens only numbered"
  std::vector<std::string> notices;
};

/// Which text of how many the maps belong to.
struct DumpItem {
  std::int64_t number = 0, texts = 1;
};

/// In a batch the list with the text's number counts ("tokens.2"), or one list for all, with a note. `continues_text`: queries without
/// names that are fewer than the keys are the text's last tokens, as when a model continues a text. Throws Error (input) for a file of
/// tokens that is not one.
DumpTokens name_tokens(const std::filesystem::path& path, const DumpFile& file, DumpLengths lengths, DumpItem item, bool continues_text);

}  // namespace headlight

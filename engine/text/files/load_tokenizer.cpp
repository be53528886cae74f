// Finding a tokenizer's files in a folder.
#include "engine/text/files/load_tokenizer.h"

#include <filesystem>

#include "engine/core/error.h"
#include "engine/text/files/folder_settings.h"
#include "engine/text/files/pipeline_tokenizer.h"
#include "engine/text/files/vocabulary_files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

TokenizerParts read_tokenizer_json_file(const fs::path& path) {
  std::vector<std::string> warnings;
  const std::string name = printable_path(path);
  const JsonTree json = parse_json(read_tokenizer_file(path), name, {}, &warnings);
  TokenizerParts parts = read_tokenizer_json(*json, name);
  parts.warnings.insert(parts.warnings.begin(), warnings.begin(), warnings.end());
  return parts;
}

}  // namespace

std::shared_ptr<const Tokenizer> load_tokenizer(const fs::path& folder) {
  if (has_file(folder, "tokenizer.json")) return make_pipeline_tokenizer(read_tokenizer_json_file(folder / "tokenizer.json"));
  if (has_marian_files(folder)) return load_marian(folder);
  if (!sentence_piece_name(folder).empty()) return make_pipeline_tokenizer(read_sentence_piece(folder));
  if (has_file(folder, "vocab.txt")) return make_pipeline_tokenizer(read_vocab_txt(folder));
  if (has_file(folder, "vocab.json") || has_file(folder, "merges.txt")) return make_pipeline_tokenizer(read_vocab_and_merges(folder));
  throw Error({.kind = ErrorKind::input,
               .file = printable_path(folder),
               .problem = "the folder has no tokenizer",
               .expected = "tokenizer.json, or vocab.json and merges.txt, or vocab.txt, or a SentencePiece model such as tokenizer.model",
               .hint = "Download these files from the model's page too."});
}

}  // namespace headlight

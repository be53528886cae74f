// Finding a tokenizer's files in a folder.
#include <filesystem>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"
#include "engine/text/bpe.h"
#include "engine/text/pipeline_tokenizer.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

// Real ones reach about 35 MB (Gemma).
constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20U;

Json read_json(const fs::path& path, std::vector<std::string>& warnings) {
  return parse_json(read_file(path, kLargestFile), printable(path.native(), 4096), {}, &warnings);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

/// vocab.json and merges.txt have no settings beside them: they are GPT-2's, whose one special token is <|endoftext|>.
TokenizerParts read_gpt2_files(const fs::path& folder) {
  TokenizerParts parts;
  const fs::path vocabulary_path = folder / "vocab.json";
  const fs::path merges_path = folder / "merges.txt";
  const Json json = read_json(vocabulary_path, parts.warnings);
  Vocabulary vocabulary(JsonFields(json, printable(vocabulary_path.native(), 4096)), parts.warnings);
  const BpeMerges merges = read_merges(read_file(merges_path, kLargestFile), printable(merges_path.native(), 4096), parts.warnings);
  constexpr std::string_view kEndOfText = "<|endoftext|>";
  if (const std::optional<std::int64_t> id = vocabulary.id_of(kEndOfText)) {
    AddedToken end_of_text;
    end_of_text.id = *id;
    end_of_text.content = kEndOfText;
    end_of_text.is_special = true;
    parts.added_tokens.push_back(std::move(end_of_text));
  }
  bool adds_prefix_space = false;
  if (const fs::path config = folder / "tokenizer_config.json"; is_there(config)) {
    const Json settings = read_json(config, parts.warnings);
    adds_prefix_space = JsonFields(settings, printable(config.native(), 4096)).boolean_or("add_prefix_space", false);
  }
  parts.pre_tokenizer = make_byte_level({.adds_prefix_space = adds_prefix_space, .uses_pattern = true});
  parts.model = std::make_unique<BpeModel>(std::move(vocabulary), merges, BpeOptions{});
  parts.labels = LabelScheme::byte_level;
  return parts;
}

}  // namespace

std::shared_ptr<const Tokenizer> load_tokenizer(const fs::path& folder) {
  if (const fs::path path = folder / "tokenizer.json"; is_there(path)) {
    std::vector<std::string> warnings;
    const Json json = read_json(path, warnings);
    TokenizerParts parts = read_tokenizer_json(json, printable(path.native(), 4096));
    parts.warnings.insert(parts.warnings.begin(), warnings.begin(), warnings.end());
    return make_pipeline_tokenizer(std::move(parts));
  }
  if (is_there(folder / "vocab.json") || is_there(folder / "merges.txt")) return make_pipeline_tokenizer(read_gpt2_files(folder));
  throw Error({.kind = ErrorKind::input,
               .file = printable(folder.native(), 4096),
               .problem = "the folder has no tokenizer",
               .expected = "tokenizer.json, or vocab.json and merges.txt",
               .hint = "Download these files from the model's page too."});
}

}  // namespace headlight

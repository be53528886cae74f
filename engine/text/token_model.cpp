#include "engine/text/token_model.h"

#include <utility>

#include "engine/text/bpe.h"
#include "engine/text/part_table.h"
#include "engine/text/word_level.h"

namespace headlight {
namespace {

using ModelPointer = std::unique_ptr<const TokenModel>;
using Warnings = std::vector<std::string>&;

ModelPointer make_bpe(const JsonFields& fields, Warnings warnings) {
  BpeOptions options;
  options.unknown_token = fields.text_or("unk_token", "");
  options.continuing_prefix = fields.text_or("continuing_subword_prefix", "");
  options.end_suffix = fields.text_or("end_of_word_suffix", "");
  options.fuses_unknown = fields.boolean_or("fuse_unk", false);
  options.has_byte_fallback = fields.boolean_or("byte_fallback", false);
  options.ignores_merges = fields.boolean_or("ignore_merges", false);
  return std::make_unique<BpeModel>(Vocabulary(fields.object("vocab"), warnings), read_merges(fields), std::move(options));
}

ModelPointer make_word_level(const JsonFields& fields, Warnings warnings) {
  return std::make_unique<WordLevelModel>(Vocabulary(fields.object("vocab"), warnings), fields.text_or("unk_token", "<unk>"),
                                          fields.file());
}

struct ModelRow {
  std::string_view type;
  ModelPointer (*make)(const JsonFields& fields, Warnings warnings);
};
constexpr ModelRow kModels[] = {{"BPE", make_bpe}, {"WordLevel", make_word_level}};

/// As the reference guesses it where the type is missing.
std::string type_of(const JsonFields& model) {
  if (model.has("type")) return model.text("type");
  if (model.has("merges")) return "BPE";
  if (model.has("max_input_chars_per_word")) return "WordPiece";
  return model.has("unk_id") ? "Unigram" : "WordLevel";
}

}  // namespace

ModelPointer make_token_model(const JsonFields& model, Warnings warnings) {
  const std::string type = type_of(model);
  std::string supported;
  for (const ModelRow& row : kModels) {
    if (row.type == type) return row.make(model, warnings);
    supported += (supported.empty() ? "" : ", ") + std::string(row.type);
  }
  model.refuse("type", "the type is not supported", in_quotes(type), "one of " + supported);
}

}  // namespace headlight

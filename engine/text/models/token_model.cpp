#include "engine/text/models/token_model.h"

#include <fmt/core.h>

#include <cmath>
#include <utility>

#include "engine/text/models/bpe.h"
#include "engine/text/models/unigram.h"
#include "engine/text/models/word_level.h"
#include "engine/text/models/word_piece.h"
#include "engine/text/part_table.h"

namespace headlight {
namespace {

using ModelPointer = std::unique_ptr<const TokenModel>;
using Warnings = std::vector<std::string>&;

ModelPointer make_bpe(const JsonFields& fields, Warnings warnings) {
  if (const double dropout = fields.number_or("dropout", 0, 0, 1); dropout > 0) {
    warnings.push_back(fmt::format("{}: {}: merges are left out by chance in training; here all of them are applied", fields.file(),
                                   fields.path_of("dropout")));
  }
  BpeOptions options;
  options.unknown_token = fields.text_or("unk_token", "");
  options.continuing_prefix = fields.text_or("continuing_subword_prefix", "");
  options.end_suffix = fields.text_or("end_of_word_suffix", "");
  options.fuses_unknown = fields.boolean_or("fuse_unk", false);
  options.has_byte_fallback = fields.boolean_or("byte_fallback", false);
  options.ignores_merges = fields.boolean_or("ignore_merges", false);
  return std::make_unique<BpeModel>(Vocabulary(fields.object("vocab"), warnings), read_merges(fields), std::move(options), warnings);
}

ModelPointer make_word_level(const JsonFields& fields, Warnings warnings) {
  return std::make_unique<WordLevelModel>(Vocabulary(fields.object("vocab"), warnings), fields.text_or("unk_token", "<unk>"),
                                          fields.file());
}

/// The "vocab" of a Unigram model: [["token", score], …] by id.
ModelPointer make_unigram(const JsonFields& fields, Warnings warnings) {
  const Json& list = fields.array("vocab");
  std::vector<SentencePiece> pieces(list.size());
  std::vector<double> scores(list.size());
  for (std::size_t id = 0; id < list.size(); ++id) {
    const Json& item = list[id];
    const bool is_piece = item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_number();
    if (is_piece) scores[id] = item[1].get<double>();
    if (!is_piece || !std::isfinite(scores[id])) {
      fields.refuse("vocab", fmt::format("the piece {} is wrong", id), describe(item), R"(["token", score])");
    }
    pieces[id].text = item[0].get_ref<const std::string&>();
  }
  if (pieces.empty()) fields.refuse("vocab", "the vocabulary is empty");
  UnigramOptions options;
  if (fields.has("unk_id")) options.unknown.id = fields.integer("unk_id", 0, static_cast<std::int64_t>(pieces.size()) - 1);
  options.unknown.has_byte_fallback = fields.boolean_or("byte_fallback", false);
  return std::make_unique<UnigramModel>(std::move(pieces), std::move(scores), options, fields.file(), warnings);
}

ModelPointer make_word_piece(const JsonFields& fields, Warnings warnings) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 40U;
  WordPieceOptions options;
  options.unknown_token = fields.text_or("unk_token", options.unknown_token);
  options.continuing_prefix = fields.text_or("continuing_subword_prefix", options.continuing_prefix);
  options.longest_word = fields.integer_or("max_input_chars_per_word", options.longest_word, 0, kLongest);
  return std::make_unique<WordPieceModel>(Vocabulary(fields.object("vocab"), warnings), std::move(options), fields.file(),
                                          fields.path_of("unk_token"));
}

struct ModelRow {
  std::string_view type;
  ModelPointer (*make)(const JsonFields& fields, Warnings warnings);
};
constexpr ModelRow kModels[] = {
    {"BPE", make_bpe}, {"Unigram", make_unigram}, {"WordLevel", make_word_level}, {"WordPiece", make_word_piece}};

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

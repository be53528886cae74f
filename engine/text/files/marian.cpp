// Marian's files: SentencePiece models for either side cut the text, vocab.json numbers the pieces of both.
#include <utility>

#include "engine/core/error.h"
#include "engine/text/files/folder_settings.h"
#include "engine/text/files/sentence_piece_file.h"
#include "engine/text/files/vocabulary_files.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A model whose tokens have other ids than it gives them; those that have none are the unknown token.
class RenumberedModel final : public TokenModel {
 public:
  RenumberedModel(std::unique_ptr<const TokenModel> model, std::shared_ptr<const Vocabulary> vocabulary, std::int64_t unknown_id)
      : model_(std::move(model)), vocabulary_(std::move(vocabulary)), unknown_id_(unknown_id) {}

  void tokenize(std::string_view piece, ModelTokens& into) const override {
    const std::size_t first = into.tokens.size();
    model_->tokenize(piece, into);
    for (std::size_t at = first; at < into.tokens.size(); ++at) {
      ModelToken& token = into.tokens[at];
      token.id = vocabulary_->id_of(*model_->vocabulary().token_of(token.id)).value_or(unknown_id_);
    }
  }
  const Vocabulary& vocabulary() const override { return *vocabulary_; }
  std::string name() const override { return model_->name(); }

 private:
  std::unique_ptr<const TokenModel> model_;
  std::shared_ptr<const Vocabulary> vocabulary_;
  std::int64_t unknown_id_;
};

/// The language to translate into, such as ">>fr<<", is a token of its own.
std::vector<std::string> special_texts(const Vocabulary& vocabulary) {
  std::vector<std::string> texts = {"</s>", "<unk>", "<pad>"};
  vocabulary.for_each([&](const std::string& token, std::int64_t /*id*/) {
    if (token.size() > 4 && token.starts_with(">>") && token.ends_with("<<")) texts.push_back(token);
  });
  return texts;
}

TokenizerParts read_side(const fs::path& folder, const std::string& name, const FolderSettings& settings,
                         const std::shared_ptr<const Vocabulary>& vocabulary) {
  TokenizerParts parts;
  const std::string vocabulary_name = printable_path(folder / "vocab.json");
  parts.file = vocabulary_name;
  const SentencePieceFile file = read_sentence_piece_file(read_tokenizer_file(folder / name), printable_path(folder / name));
  const SpecialToken unknown = settings.special("unk_token", "<unk>", *vocabulary, vocabulary_name);
  const SpecialToken end = settings.special("eos_token", "</s>", *vocabulary, vocabulary_name);
  parts.model = std::make_unique<RenumberedModel>(make_sentence_piece_model(file, parts.warnings), vocabulary, unknown.id);
  parts.normalizer = make_sentence_piece_normalizer(file);
  parts.post_processor = make_template_processor({{}, {end}}, {{}, {}, {end}});
  parts.added_tokens = settings.added_tokens(*vocabulary, special_texts(*vocabulary));
  parts.decoder = make_sentence_piece_decoder(file.adds_dummy_prefix);
  parts.labels = LabelScheme::metaspace;
  return parts;
}

/// Each side has its own tokenizer; ids mean the same in both.
class MarianTokenizer final : public Tokenizer {
 public:
  MarianTokenizer(std::shared_ptr<const Tokenizer> source, std::shared_ptr<const Tokenizer> target, std::vector<std::string> warnings)
      : source_(std::move(source)), target_(std::move(target)), warnings_(std::move(warnings)) {
    for (const Tokenizer* side : {source_.get(), target_.get()}) {
      warnings_.insert(warnings_.end(), side->warnings().begin(), side->warnings().end());
    }
  }

  Encoding encode(std::string_view text, std::optional<std::string_view> text_pair, EncodeOptions options) const override {
    return (options.is_target ? target_ : source_)->encode(text, text_pair, options);
  }
  std::string decode(std::span<const std::int64_t> ids, bool skips_special) const override { return target_->decode(ids, skips_special); }
  std::optional<std::string> token_of(std::int64_t id) const override { return source_->token_of(id); }
  bool is_special(std::int64_t id) const override { return source_->is_special(id); }
  std::vector<NamedToken> tokens_from(std::int64_t first) const override { return source_->tokens_from(first); }
  std::string file() const override { return source_->file(); }
  TokenLabel label(const Token& token) const override { return source_->label(token); }
  std::string description() const override { return source_->description(); }
  const std::vector<std::string>& warnings() const override { return warnings_; }

 private:
  std::shared_ptr<const Tokenizer> source_;
  std::shared_ptr<const Tokenizer> target_;
  std::vector<std::string> warnings_;
};

}  // namespace

bool has_marian_files(const fs::path& folder) {
  return has_file(folder, "source.spm") && has_file(folder, "target.spm") && has_file(folder, "vocab.json");
}

std::shared_ptr<const Tokenizer> load_marian(const fs::path& folder) {
  std::vector<std::string> warnings;
  const std::string name = printable_path(folder / "vocab.json");
  const FolderSettings settings(folder, warnings);
  const JsonTree json = parse_json(read_tokenizer_file(folder / "vocab.json"), name, {}, &warnings);
  const auto vocabulary = std::make_shared<const Vocabulary>(JsonFields(*json, name), warnings);
  auto source = make_pipeline_tokenizer(read_side(folder, "source.spm", settings, vocabulary));
  auto target = make_pipeline_tokenizer(read_side(folder, "target.spm", settings, vocabulary));
  return std::make_shared<const MarianTokenizer>(std::move(source), std::move(target), std::move(warnings));
}

}  // namespace headlight

#include "engine/text/files/pipeline_tokenizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/core/error.h"
#include "engine/text/byte_tokens.h"
#include "engine/text/typed_text.h"
#include "engine/text/unicode/byte_level.h"

namespace headlight {
namespace {

/// Tokens of pieces seen before in one text: most words of a text are repetitions.
class PieceMemory {
 public:
  explicit PieceMemory(const TokenModel& model) : model_(model) {}

  /// Calls take(token) for each token of the piece. The piece's bytes must stay alive as long as the memory.
  template <typename Take>
  void for_each(std::string_view piece, Take take) {
    constexpr std::size_t kLongestKept = 64;
    if (piece.size() > kLongestKept) {
      ModelTokens fresh;
      model_.tokenize(piece, fresh);
      left_out_ += fresh.left_out;
      for (const ModelToken& token : fresh.tokens) take(token);
      return;
    }
    const auto [item, is_new] = known_.try_emplace(piece);
    Entry& entry = item->second;
    if (is_new) {
      entry.begin = store_.tokens.size();
      store_.left_out = 0;
      model_.tokenize(piece, store_);
      entry.end = store_.tokens.size();
      entry.left_out = store_.left_out;
    }
    left_out_ += entry.left_out;
    for (std::size_t at = entry.begin; at < entry.end; ++at) take(store_.tokens[at]);
  }
  std::size_t left_out() const { return left_out_; }

 private:
  struct Entry {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t left_out = 0;
  };
  const TokenModel& model_;
  std::unordered_map<std::string_view, Entry> known_;
  ModelTokens store_;
  std::size_t left_out_ = 0;
};

/// The typed characters of which a byte-level vocabulary lacks bytes: its unknown token stands for each of them.
class UnknownCharacters {
 public:
  void add(const std::string& text, ByteRange range) {
    const std::string_view character = std::string_view(text).substr(range.begin, range.end - range.begin);
    if (range.begin >= end_) ++count_;  // each of its bytes is a token
    end_ = std::max(end_, range.end);
    if (first_.empty()) first_ = character;
  }
  void note(const std::string& unknown, std::vector<std::string>& notices) const {
    if (count_ == 0) return;
    const std::string others = count_ == 1 ? std::string() : fmt::format(" and {} more", count_ - 1);
    notices.push_back(fmt::format("The model has no token for “{}”{}: its unknown token, “{}”, stands there.", printable(first_, 40),
                                  others, printable(unknown, 40)));
  }

 private:
  std::size_t count_ = 0;
  std::uint32_t end_ = 0;  // of the last one
  std::string first_;
};

class PipelineTokenizer final : public Tokenizer {
 public:
  explicit PipelineTokenizer(TokenizerParts parts)
      : parts_(std::move(parts)), added_(std::move(parts_.added_tokens), parts_.normalizer.get(), parts_.precedence) {
    if (parts_.labels == LabelScheme::byte_level) unknown_ = parts_.model->unknown_id();
  }

  Encoding encode(std::string_view text, std::optional<std::string_view> text_pair, EncodeOptions options) const override {
    Encoding encoding;
    encoding.text = take_typed_text(text, encoding.notices);
    if (text_pair) encoding.text_pair = take_typed_text(*text_pair, encoding.notices);
    std::vector<TokenPart> sentences;
    sentences.push_back(encode_sentence(encoding.text, 0, options, encoding.notices));
    if (text_pair) sentences.push_back(encode_sentence(encoding.text_pair, 1, options, encoding.notices));
    if (parts_.post_processor != nullptr) parts_.post_processor->apply(sentences, options.adds_special);
    for (TokenPart& part : sentences) {
      for (Token& token : part.tokens) {
        // Up to here the text of an added token included the blanks that it took with it, and that of an unknown one was what was typed:
        // ranges are trimmed by these. What is shown is the name of the id, as in convert_ids_to_tokens of Hugging Face's transformers.
        if (const AddedToken* added = added_.find(token.id)) {
          token.text = added->content;
          token.is_typed_special = added->is_special && !token.is_special;
        } else if (const std::string* name = parts_.model->vocabulary().token_of(token.id); name != nullptr && !token.is_special) {
          if (token.text != *name) token.text = *name;
        }
        encoding.tokens.push_back(std::move(token));
      }
    }
    return encoding;
  }

  std::string decode(std::span<const std::int64_t> ids, bool skips_special) const override {
    std::vector<std::string> tokens;
    for (const std::int64_t id : ids) {
      if (skips_special && is_special(id)) continue;
      const AddedToken* added = added_.find(id);
      // The decoder undoes what a normalizer wrote.
      if (added != nullptr) {
        tokens.push_back(added->searched);
      } else if (const std::string* token = parts_.model->vocabulary().token_of(id)) {
        tokens.push_back(*token);
      }
    }
    const bool has_decoder = parts_.decoder != nullptr;
    if (has_decoder && !tokens.empty()) tokens = parts_.decoder->apply(std::move(tokens));
    std::string text;
    for (const std::string& token : tokens) text += (text.empty() || has_decoder ? "" : " ") + token;
    return text;
  }

  std::optional<std::string> token_of(std::int64_t id) const override {
    if (const AddedToken* added = added_.find(id)) return added->content;
    const std::string* token = parts_.model->vocabulary().token_of(id);
    if (token == nullptr) return std::nullopt;
    return *token;
  }

  bool is_special(std::int64_t id) const override {
    const AddedToken* added = added_.find(id);
    return added != nullptr && added->is_special;
  }

  std::vector<NamedToken> tokens_from(std::int64_t first) const override {
    std::vector<NamedToken> tokens;
    for (const AddedToken& added : added_.all()) {
      if (added.id >= first) tokens.push_back({added.id, added.content, true});
    }
    parts_.model->vocabulary().for_each([&](const std::string& token, std::int64_t id) {
      if (id >= first && added_.find(id) == nullptr) tokens.push_back({id, token, false});
    });
    std::sort(tokens.begin(), tokens.end(), [](const NamedToken& a, const NamedToken& b) { return a.id < b.id; });
    return tokens;
  }

  TokenLabel label(const Token& token) const override {
    const bool is_plain = token.is_special || added_.find(token.id) != nullptr;
    return make_label(token.text, is_plain ? LabelScheme::plain : parts_.labels);
  }

  std::string description() const override {
    const std::string_view kind = parts_.labels == LabelScheme::byte_level ? "byte-level " : "";
    std::size_t tokens = parts_.model->vocabulary().size();
    for (const AddedToken& added : added_.all()) tokens += parts_.model->vocabulary().token_of(added.id) == nullptr ? 1 : 0;
    return fmt::format("{}{}, {} tokens", kind, parts_.model->name(), tokens);
  }

  std::string file() const override { return parts_.file; }
  const std::vector<std::string>& warnings() const override { return parts_.warnings; }

 private:
  TokenPart encode_sentence(const std::string& text, int sequence, EncodeOptions options, std::vector<std::string>& notices) const {
    TokenPart part;
    part.text = text;
    PieceList list = added_.split(AlignedText::of(text), parts_.normalizer.get(), options.reads_special_text);
    if (parts_.pre_tokenizer != nullptr) parts_.pre_tokenizer->apply(list);
    PieceMemory memory(*parts_.model);
    UnknownCharacters unknown;
    for (const Piece& piece : list.pieces) {
      const std::string_view bytes = list.bytes_of(piece);
      if (!piece.is_open()) {
        part.tokens.push_back({piece.added_token, std::string(bytes), list.text.origin_of(piece.range), sequence, false, sequence});
        continue;
      }
      memory.for_each(bytes, [&](const ModelToken& token) {
        const ByteRange range{piece.range.begin + token.range.begin, piece.range.begin + token.range.end};
        std::string token_text = token.is_unknown ? std::string(list.text.text, range.begin, range.end - range.begin)
                                                  : *parts_.model->vocabulary().token_of(token.id);
        if (stands_for_unknown(token, list.text.text, range)) unknown.add(text, list.text.origin_of(range));
        part.tokens.push_back({token.id, std::move(token_text), list.text.origin_of(range), sequence, false, sequence});
      });
    }
    if (unknown_) unknown.note(*parts_.model->vocabulary().token_of(*unknown_), notices);
    if (memory.left_out() > 0) {
      notices.push_back(fmt::format("{} characters are not in the tokenizer's vocabulary and were left out", memory.left_out()));
    }
    return part;
  }

  /// Whether it is the unknown token of a byte-level vocabulary and not what was typed: "?" may be both.
  bool stands_for_unknown(const ModelToken& token, std::string_view text, ByteRange range) const {
    if (!unknown_ || token.id != *unknown_) return false;
    return text.substr(range.begin, range.end - range.begin) != *parts_.model->vocabulary().token_of(token.id);
  }

  TokenizerParts parts_;
  AddedTokens added_;
  std::optional<std::int64_t> unknown_;  // of a byte-level vocabulary that has one
};

/// Whether a part, or one inside it, has the type.
bool has_type(const Json& part, std::string_view type) {
  if (part.is_array()) return std::any_of(part.begin(), part.end(), [&](const Json& item) { return has_type(item, type); });
  if (!part.is_object()) return false;
  const auto own = part.find("type");
  if (own != part.end() && own->is_string() && own->get_ref<const std::string&>() == type) return true;
  return std::any_of(part.begin(), part.end(), [&](const Json& item) { return has_type(item, type); });
}

/// Whether a part replaces the metaspace mark, as decoders of SentencePiece vocabularies do.
bool replaces_metaspace(const Json& part) {
  if (part.is_string()) return part.get_ref<const std::string&>() == "\xe2\x96\x81";
  if (!part.is_structured()) return false;
  return std::any_of(part.begin(), part.end(), replaces_metaspace);
}

LabelScheme choose_labels(const JsonFields& root) {
  const Json none;
  const Json& decoder = root.has("decoder") ? root.at("decoder") : none;
  const Json& cutter = root.has("pre_tokenizer") ? root.at("pre_tokenizer") : none;
  if (has_type(decoder, "ByteLevel") || has_type(cutter, "ByteLevel")) return LabelScheme::byte_level;
  if (has_type(decoder, "Metaspace") || has_type(cutter, "Metaspace") || replaces_metaspace(decoder)) return LabelScheme::metaspace;
  return LabelScheme::plain;
}

}  // namespace

std::shared_ptr<const Tokenizer> make_pipeline_tokenizer(TokenizerParts parts) {
  // A vocabulary with an unknown token may lack bytes by design: then a text is told of (UnknownCharacters), not the model.
  if (parts.labels == LabelScheme::byte_level && !parts.model->unknown_id()) {
    const Vocabulary& vocabulary = parts.model->vocabulary();
    note_missing_bytes(
        parts.file, [&](unsigned char byte) { return vocabulary.id_of(byte_to_character(byte)).has_value(); }, parts.warnings);
  }
  return std::make_shared<const PipelineTokenizer>(std::move(parts));
}

TokenizerParts read_tokenizer_json(const Json& json, const std::string& file) {
  const JsonFields root(json, file);
  if (root.text_or("version", "1.0") != "1.0") root.refuse("version", "the version is unknown", describe(root.at("version")), "\"1.0\"");
  const Json none;
  const auto part = [&](const std::string& key) -> const Json& { return root.has(key) ? root.at(key) : none; };
  TokenizerParts parts;
  parts.file = file;
  parts.normalizer = make_normalizer(part("normalizer"), file, "normalizer");
  parts.pre_tokenizer = make_pre_tokenizer(part("pre_tokenizer"), file, "pre_tokenizer");
  parts.model = make_token_model(root.object("model"), parts.warnings);
  parts.post_processor = make_post_processor(part("post_processor"), file, "post_processor");
  parts.decoder = make_decoder(part("decoder"), file, "decoder");
  parts.added_tokens = read_added_tokens(root, parts.model->vocabulary(), parts.warnings);
  parts.labels = choose_labels(root);
  return parts;
}

}  // namespace headlight

#include "engine/text/steps/post_processor.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/core/error.h"
#include "engine/text/part_table.h"
#include "engine/text/unicode/byte_level.h"
#include "engine/text/vocabulary.h"

namespace headlight {
namespace {

using PostProcessorPointer = std::unique_ptr<const PostProcessor>;

Token special_token(std::int64_t id, std::string text, int type_id) {
  return {id, std::move(text), {}, type_id, true, 0};
}

bool is_blank(char32_t value) {
  constexpr char32_t kByteLevelBlank = 0x120;  // "Ġ"
  return value == kByteLevelBlank || is_white_space(value);
}

std::uint32_t leading_blanks(std::string_view token) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < token.size(); ++count) {
    const CodePoint code_point = code_point_at(token, at);
    if (!is_blank(code_point.value)) break;
    at += code_point.bytes;
  }
  return count;
}

std::uint32_t trailing_blanks(std::string_view token) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < token.size();) {
    const CodePoint code_point = code_point_at(token, at);
    count = is_blank(code_point.value) ? count + 1 : 0;
    at += code_point.bytes;
  }
  return count;
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Takes the blanks of byte-level tokens out of their ranges, as Hugging Face's byte-level processing does. `adds_prefix_space`: a
/// single blank at the very start may be one that was added, and is left.
void trim_ranges(TokenPart& part, bool adds_prefix_space) {
  for (std::size_t at = 0; at < part.tokens.size(); ++at) {
    Token& token = part.tokens[at];
    std::uint32_t leading = leading_blanks(token.text);
    const bool is_first = at == 0 || token.bytes.begin == 0;
    if (is_first && adds_prefix_space && leading == 1) leading = 0;
    for (; leading > 0 && token.bytes.begin < token.bytes.end; --leading) {
      token.bytes.begin += code_point_at(part.text, token.bytes.begin).bytes;
    }
    for (std::uint32_t trailing = trailing_blanks(token.text); trailing > 0 && token.bytes.end > token.bytes.begin; --trailing) {
      do {
        --token.bytes.end;
      } while (is_continuation(part.text[token.bytes.end]));
    }
  }
}

class ByteLevelProcessor final : public PostProcessor {
 public:
  explicit ByteLevelProcessor(const JsonFields& fields)
      : trims_(fields.boolean_or("trim_offsets", true)), adds_prefix_space_(fields.boolean_or("add_prefix_space", true)) {}

  void apply(std::vector<TokenPart>& parts, bool /*adds_special*/) const override {
    for (TokenPart& part : parts) {
      if (trims_) trim_ranges(part, adds_prefix_space_);
    }
  }

 private:
  bool trims_;
  bool adds_prefix_space_;
};

/// The "sep" and "cls" of older post-processors: ["text", id].
Token read_token(const JsonFields& fields, const std::string& key) {
  const Json& value = fields.array(key);
  if (value.size() != 2 || !value[0].is_string() || !value[1].is_number_unsigned() || value[1] > Vocabulary::kHighestId) {
    fields.refuse(key, "the special token is wrong", describe(value), R"(["text", id])");
  }
  return special_token(value[1].get<std::int64_t>(), value[0].get<std::string>(), 0);
}

/// [CLS] A [SEP] with type id 0, and B [SEP] with type id 1 for a pair.
class BertProcessor final : public PostProcessor {
 public:
  explicit BertProcessor(const JsonFields& fields) : separator_(read_token(fields, "sep")), start_(read_token(fields, "cls")) {}

  void apply(std::vector<TokenPart>& parts, bool adds_special) const override {
    if (!adds_special) return;
    parts[0].tokens.insert(parts[0].tokens.begin(), start_);
    for (std::size_t at = 0; at < parts.size(); ++at) {
      Token separator = separator_;
      separator.type_id = at == 0 ? 0 : 1;
      parts[at].tokens.push_back(std::move(separator));
    }
  }

 private:
  Token separator_;
  Token start_;
};

/// <s> A </s>, and </s> B </s> for a pair; every type id is 0.
class RobertaProcessor final : public PostProcessor {
 public:
  explicit RobertaProcessor(const JsonFields& fields)
      : separator_(read_token(fields, "sep")),
        start_(read_token(fields, "cls")),
        trims_(fields.boolean_or("trim_offsets", true)),
        adds_prefix_space_(fields.boolean_or("add_prefix_space", true)) {}
  RobertaProcessor(Token start, Token separator)
      : separator_(std::move(separator)), start_(std::move(start)), trims_(true), adds_prefix_space_(false) {}

  void apply(std::vector<TokenPart>& parts, bool adds_special) const override {
    for (std::size_t at = 0; at < parts.size(); ++at) {
      std::vector<Token>& tokens = parts[at].tokens;
      if (trims_) trim_ranges(parts[at], adds_prefix_space_);
      for (Token& token : tokens) token.type_id = 0;
      if (!adds_special) continue;
      tokens.insert(tokens.begin(), at == 0 ? start_ : separator_);
      tokens.push_back(separator_);
    }
  }

 private:
  Token separator_;
  Token start_;
  bool trims_;
  bool adds_prefix_space_;
};

class TemplateProcessor final : public PostProcessor {
 public:
  explicit TemplateProcessor(const JsonFields& fields) : file_(fields.file()), field_(fields.path()) {
    read_special_tokens(fields);
    single_ = read_template(fields, "single", 1);
    pair_ = read_template(fields, "pair", 2);
  }
  TemplateProcessor(const TokenTemplate& single, const TokenTemplate& pair) : single_(pieces_of(single)), pair_(pieces_of(pair)) {}

  void apply(std::vector<TokenPart>& parts, bool adds_special) const override {
    if (parts.size() != 1 && parts.size() != 2) refuse_parts(parts.size());
    std::vector<TokenPart> result;
    for (const Piece& piece : parts.size() == 1 ? single_ : pair_) {
      if (!piece.special.empty() && !adds_special) continue;
      TokenPart& part = result.emplace_back();
      if (piece.special.empty()) {
        part = parts[piece.sequence];
      } else {
        part.tokens = piece.special;
      }
      for (Token& token : part.tokens) token.type_id = piece.type_id;
    }
    parts = std::move(result);
  }

 private:
  struct Piece {
    std::vector<Token> special;  // empty: a sentence
    std::size_t sequence = 0;
    int type_id = 0;
  };

  static std::vector<Piece> pieces_of(const TokenTemplate& parts) {
    std::vector<Piece> pieces;
    std::size_t sentences = 0;
    for (const TemplatePart& part : parts) {
      Piece& piece = pieces.emplace_back();
      piece.type_id = part.type_id;
      if (part.special) {
        piece.special.push_back(special_token(part.special->id, part.special->text, 0));
      } else {
        piece.sequence = sentences++;
      }
    }
    return pieces;
  }

  void read_special_tokens(const JsonFields& fields) {
    const JsonFields list = fields.object("special_tokens");
    for (const auto& [name, value] : list.value().items()) {
      const JsonFields entry(value, list.file(), list.path_of(name));
      const Json& ids = entry.array("ids");
      const Json& texts = entry.array("tokens");
      if (ids.empty() || ids.size() != texts.size())
        entry.refuse("ids", "there are not as many ids as tokens", describe(ids), describe(texts));
      for (std::size_t at = 0; at < ids.size(); ++at) {
        if (!ids[at].is_number_unsigned() || ids[at] > Vocabulary::kHighestId) entry.refuse("ids", "an id is wrong", describe(ids[at]));
        if (!texts[at].is_string()) entry.refuse("tokens", "a token is not a string", describe(texts[at]));
        special_[name].push_back(special_token(ids[at].get<std::int64_t>(), texts[at].get<std::string>(), 0));
      }
    }
  }

  std::vector<Piece> read_template(const JsonFields& fields, const std::string& key, std::size_t sentences) const {
    constexpr std::int64_t kHighestType = 1000;
    std::vector<Piece> pieces;
    for (const Json& value : fields.array(key)) {
      const JsonFields choice(value, fields.file(), fmt::format("{}[{}]", fields.path_of(key), pieces.size()));
      const bool is_special = choice.has("SpecialToken");
      const JsonFields entry = choice.object(is_special ? "SpecialToken" : "Sequence");
      const std::string id = entry.text("id");
      Piece piece;
      piece.type_id = static_cast<int>(entry.integer("type_id", 0, kHighestType));
      if (is_special) {
        const auto special = special_.find(id);
        if (special == special_.end()) entry.refuse("id", "the token is not among special_tokens", in_quotes(id));
        piece.special = special->second;
      } else {
        piece.sequence = id == "A" ? 0 : 1;
        const bool is_known = id == "A" || (id == "B" && sentences == 2);
        if (!is_known) entry.refuse("id", "there is no such sentence here", in_quotes(id), sentences == 2 ? "A or B" : "A");
      }
      pieces.push_back(std::move(piece));
    }
    return pieces;
  }

  [[noreturn]] void refuse_parts(std::size_t count) const {
    throw Error({.kind = ErrorKind::input,
                 .file = file_,
                 .field = field_,
                 .problem = "the template comes after a step that has already split the text; it must come first",
                 .found = fmt::format("{} parts", count),
                 .expected = "one, or two for a pair"});
  }

  std::string file_;
  std::string field_;
  std::map<std::string, std::vector<Token>> special_;
  std::vector<Piece> single_;
  std::vector<Piece> pair_;
};

class PostProcessorSequence final : public PostProcessor {
 public:
  explicit PostProcessorSequence(const JsonFields& fields) {
    const Json& list = fields.array("processors");
    for (std::size_t at = 0; at < list.size(); ++at) {
      const std::string path = fmt::format("{}[{}]", fields.path_of("processors"), at);
      PostProcessorPointer step = make_post_processor(list[at], fields.file(), path);
      if (step != nullptr) steps_.push_back(std::move(step));
    }
  }

  void apply(std::vector<TokenPart>& parts, bool adds_special) const override {
    for (const PostProcessorPointer& step : steps_) step->apply(parts, adds_special);
  }

 private:
  std::vector<PostProcessorPointer> steps_;
};

template <typename Class>
PostProcessorPointer make(const JsonFields& fields) {
  return std::make_unique<Class>(fields);
}

constexpr PartRow<PostProcessorPointer> kPostProcessors[] = {
    {"BertProcessing", make<BertProcessor>},         {"ByteLevel", make<ByteLevelProcessor>},
    {"RobertaProcessing", make<RobertaProcessor>},   {"Sequence", make<PostProcessorSequence>},
    {"TemplateProcessing", make<TemplateProcessor>},
};

}  // namespace

PostProcessorPointer make_post_processor(const Json& json, const std::string& file, const std::string& path) {
  return make_part<PostProcessorPointer>(json, file, path, kPostProcessors);
}

PostProcessorPointer make_roberta_processor(const SpecialToken& start, const SpecialToken& separator) {
  return std::make_unique<RobertaProcessor>(special_token(start.id, start.text, 0), special_token(separator.id, separator.text, 0));
}

PostProcessorPointer make_template_processor(const TokenTemplate& single, const TokenTemplate& pair) {
  return std::make_unique<TemplateProcessor>(single, pair);
}

PostProcessorPointer make_bert_processor(const SpecialToken& start, const SpecialToken& separator) {
  return make_template_processor({{start}, {}, {separator}}, {{start}, {}, {separator}, {std::nullopt, 1}, {separator, 1}});
}

}  // namespace headlight

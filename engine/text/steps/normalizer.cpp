#include "engine/text/steps/normalizer.h"

#include <fmt/core.h>

#include <utility>

#include "engine/text/part_table.h"
#include "engine/text/steps/bert_normalizer.h"
#include "engine/text/steps/charsmap.h"
#include "engine/text/unicode/byte_level.h"
#include "engine/text/unicode/character_sets.h"
#include "engine/text/unicode/pattern.h"
#include "engine/text/unicode/rewriting.h"
#include "engine/text/unicode/unicode_forms.h"

namespace headlight {
namespace {

using NormalizerPointer = std::unique_ptr<const Normalizer>;

/// A normalizer that is a function of the text alone.
template <AlignedText (*Apply)(const AlignedText&)>
class PlainNormalizer final : public Normalizer {
 public:
  AlignedText apply(AlignedText text) const override { return Apply(text); }
};

template <AlignedText (*Apply)(const AlignedText&)>
NormalizerPointer make_plain(const JsonFields& /*fields*/) {
  return std::make_unique<PlainNormalizer<Apply>>();
}

class UnicodeNormalizer final : public Normalizer {
 public:
  explicit UnicodeNormalizer(UnicodeForm form) : form_(form) {}
  AlignedText apply(AlignedText text) const override { return to_unicode_form(text, form_); }

 private:
  UnicodeForm form_;
};

template <UnicodeForm Form>
NormalizerPointer make_form(const JsonFields& /*fields*/) {
  return std::make_unique<UnicodeNormalizer>(Form);
}

AlignedText without_marks(const AlignedText& text) {
  return without(text, is_combining_mark);
}

/// SentencePiece's "nmt" rules.
AlignedText to_nmt(const AlignedText& text) {
  constexpr auto is_control = [](char32_t value) {
    return (value >= 1 && value <= 8) || value == 0xB || (value >= 0xE && value <= 0x1F) || value == 0x7F || value == 0x8F || value == 0x9F;
  };
  constexpr auto to_blank = [](char32_t value) {
    const bool is_blank = value == '\t' || value == '\n' || value == '\f' || value == '\r' || value == 0x1680 ||
                          (value >= 0x200B && value <= 0x200F) || value == 0x2028 || value == 0x2029 || value == 0x2581 ||
                          value == 0xFEFF || value == 0xFFFD;
    return is_blank ? U' ' : value;
  };
  return mapped(without(text, is_control), to_blank);
}

AlignedText to_byte_level(const AlignedText& text) {
  AlignedText result;
  append_byte_level(text, {0, static_cast<std::uint32_t>(text.text.size())}, result);
  return result;
}

class StripNormalizer final : public Normalizer {
 public:
  explicit StripNormalizer(const JsonFields& fields)
      : left_(fields.boolean_or("strip_left", true)), right_(fields.boolean_or("strip_right", true)) {}

  AlignedText apply(AlignedText text) const override {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool has_begun = !left_;
    for (std::uint32_t at = 0; at < text.text.size();) {
      const CodePoint code_point = code_point_at(text.text, at);
      const std::uint32_t next = at + code_point.bytes;
      const bool is_blank = is_white_space(code_point.value);
      if (!has_begun && is_blank) begin = next;
      has_begun = has_begun || !is_blank;
      if (!is_blank || !right_) end = next;
      at = next;
    }
    AlignedText result;
    if (begin < end) result.append(text, {begin, end});
    return result;
  }

 private:
  bool left_;
  bool right_;
};

class PrependNormalizer final : public Normalizer {
 public:
  explicit PrependNormalizer(const JsonFields& fields) : prefix_(fields.text("prepend")) {}

  AlignedText apply(AlignedText text) const override {
    if (text.text.empty()) return text;
    AlignedText result;
    result.append(prefix_, text.origin.front());
    result.append(text, {0, static_cast<std::uint32_t>(text.text.size())});
    return result;
  }

 private:
  std::string prefix_;
};

class ReplaceNormalizer final : public Normalizer {
 public:
  explicit ReplaceNormalizer(const JsonFields& fields)
      : pattern_(make_pattern(fields, "pattern")), content_(fields.text("content")), place_{fields.file(), fields.path()} {}

  AlignedText apply(AlignedText text) const override {
    const std::vector<ByteRange> matches = pattern_.find_all(text.text);
    if (!content_.empty()) refuse_growth(text, text.text.size() + matches.size() * content_.size(), place_.file, place_.field);
    AlignedText result;
    std::uint32_t last = 0;
    for (const ByteRange& match : matches) {
      result.append(text, {last, match.begin});
      ByteRange from;
      if (match.end > 0) {
        from = text.origin[match.end - 1];
      } else if (!text.origin.empty()) {
        from = {text.origin[0].begin, text.origin[0].begin};
      }
      result.append(content_, from);
      last = match.end;
    }
    result.append(text, {last, static_cast<std::uint32_t>(text.text.size())});
    return result;
  }

 private:
  Pattern pattern_;
  std::string content_;
  PatternPlace place_;
};

/// SentencePiece's table of replacements, as Hugging Face's tokenizers apply it: a grapheme of at most five bytes is looked up whole
/// (and replaced whole, even where the rule found is for its beginning), else each code point separately.
class PrecompiledNormalizer final : public Normalizer {
 public:
  explicit PrecompiledNormalizer(const JsonFields& fields)
      : place_{fields.file(), fields.path_of("precompiled_charsmap")},
        charsmap_(decode_base64(fields.text("precompiled_charsmap"), place_), place_) {}

  AlignedText apply(AlignedText text) const override {
    Rewriting rewriting{text, {}, 0};
    for (const ByteRange& grapheme : graphemes_of(text.text)) {
      constexpr std::uint32_t kLongestWhole = 5;
      if (grapheme.end - grapheme.begin <= kLongestWhole && replace(grapheme, rewriting)) continue;
      for (std::uint32_t at = grapheme.begin; at < grapheme.end;) {
        const CodePoint code_point = code_point_at(text.text, at);
        if (!replace({at, at + code_point.bytes}, rewriting)) rewriting.changes.push_back({code_point.value, 0});
        at += code_point.bytes;
      }
    }
    std::vector<RewrittenCodePoint> code_points;
    code_points.reserve(rewriting.changes.size());
    for (const Change& change : rewriting.changes) {
      code_points.push_back({change.value, change.grown > 0 ? 0U : static_cast<std::uint32_t>(1 - change.grown)});
    }
    return text.rewritten(code_points);
  }

 private:
  /// 1: added, 0: in place of an old code point, -N: and N more old ones are gone.
  struct Change {
    char32_t value = 0;
    int grown = 0;
  };
  struct Rewriting {
    const AlignedText& text;
    std::vector<Change> changes;
    std::size_t bytes = 0;  // of replacements
  };

  bool replace(ByteRange range, Rewriting& rewriting) const {
    const std::string_view old = std::string_view(rewriting.text.text).substr(range.begin, range.end - range.begin);
    const Charsmap::Match match = charsmap_.shortest(old);
    if (match.bytes == 0) return false;
    rewriting.bytes += match.replacement.size();
    refuse_growth(rewriting.text, rewriting.bytes, place_.file, place_.field);
    std::vector<Change>& changes = rewriting.changes;
    int grown = -static_cast<int>(code_point_index(old).back());
    for (std::size_t at = 0; at < match.replacement.size(); ++grown) {
      const CodePoint code_point = code_point_at(match.replacement, at);
      changes.push_back({code_point.value, 0});
      at += code_point.bytes;
    }
    for (std::size_t added = 0; grown > 0; --grown) changes[changes.size() - ++added].grown = 1;
    if (!changes.empty()) changes.back().grown += grown < 0 ? grown : 0;
    return true;
  }

  PatternPlace place_;
  Charsmap charsmap_;
};

class NormalizerSequence final : public Normalizer {
 public:
  explicit NormalizerSequence(std::vector<NormalizerPointer> steps) : steps_(std::move(steps)) {}
  explicit NormalizerSequence(const JsonFields& fields) {
    const Json& list = fields.array("normalizers");
    for (std::size_t at = 0; at < list.size(); ++at) {
      NormalizerPointer step = make_normalizer(list[at], fields.file(), fmt::format("{}[{}]", fields.path_of("normalizers"), at));
      if (step != nullptr) steps_.push_back(std::move(step));
    }
  }

  AlignedText apply(AlignedText text) const override {
    for (const NormalizerPointer& step : steps_) text = step->apply(std::move(text));
    return text;
  }

 private:
  std::vector<NormalizerPointer> steps_;
};

template <typename Class>
NormalizerPointer make(const JsonFields& fields) {
  return std::make_unique<Class>(fields);
}

NormalizerPointer make_bert_part(const JsonFields& fields) {
  BertNormalizerOptions options;
  options.cleans_text = fields.boolean_or("clean_text", true);
  options.surrounds_ideographs = fields.boolean_or("handle_chinese_chars", true);
  if (fields.has("strip_accents")) options.strips_accents = fields.boolean_or("strip_accents", true);
  options.lowercases = fields.boolean_or("lowercase", true);
  return make_bert_normalizer(options);
}

constexpr PartRow<NormalizerPointer> kNormalizers[] = {
    {"BertNormalizer", make_bert_part},
    {"ByteLevel", make_plain<to_byte_level>},
    {"Lowercase", make_plain<to_lower>},
    {"NFC", make_form<UnicodeForm::nfc>},
    {"NFD", make_form<UnicodeForm::nfd>},
    {"NFKC", make_form<UnicodeForm::nfkc>},
    {"NFKD", make_form<UnicodeForm::nfkd>},
    {"Nmt", make_plain<to_nmt>},
    {"Precompiled", make<PrecompiledNormalizer>},
    {"Prepend", make<PrependNormalizer>},
    {"Replace", make<ReplaceNormalizer>},
    {"Sequence", make<NormalizerSequence>},
    {"Strip", make<StripNormalizer>},
    {"StripAccents", make_plain<without_marks>},
};

}  // namespace

NormalizerPointer make_normalizer(const Json& json, const std::string& file, const std::string& path) {
  return make_part<NormalizerPointer>(json, file, path, kNormalizers);
}

NormalizerPointer make_unicode_normalizer(UnicodeForm form) {
  return std::make_unique<UnicodeNormalizer>(form);
}

NormalizerPointer make_normalizer_sequence(std::vector<NormalizerPointer> steps) {
  return std::make_unique<NormalizerSequence>(std::move(steps));
}

}  // namespace headlight

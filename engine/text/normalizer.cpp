#include "engine/text/normalizer.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include <utility>

#include "engine/core/error.h"
#include "engine/text/part_table.h"
#include "engine/text/pattern.h"
#include "engine/text/unicode_forms.h"

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

AlignedText to_nfc(const AlignedText& text) {
  return to_unicode_form(text, UnicodeForm::nfc);
}
AlignedText to_nfd(const AlignedText& text) {
  return to_unicode_form(text, UnicodeForm::nfd);
}
AlignedText to_nfkc(const AlignedText& text) {
  return to_unicode_form(text, UnicodeForm::nfkc);
}
AlignedText to_nfkd(const AlignedText& text) {
  return to_unicode_form(text, UnicodeForm::nfkd);
}

AlignedText to_lower(const AlignedText& text) {
  constexpr char32_t kCapitalIWithDot = 0x130;  // the one character whose lower case is two
  std::vector<RewrittenCodePoint> result;
  result.reserve(text.text.size());
  for (std::size_t at = 0; at < text.text.size();) {
    const CodePoint code_point = code_point_at(text.text, at);
    if (code_point.value == kCapitalIWithDot) {
      result.push_back({U'i', 1});
      result.push_back({0x307, 0});
    } else {
      result.push_back({static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code_point.value))), 1});
    }
    at += code_point.bytes;
  }
  return text.rewritten(result);
}

bool is_mark(char32_t value) {
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(value));
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ME;
}

AlignedText without_marks(const AlignedText& text) {
  AlignedText result;
  for (std::uint32_t at = 0; at < text.text.size();) {
    const CodePoint code_point = code_point_at(text.text, at);
    if (!is_mark(code_point.value)) result.append(text, {at, at + code_point.bytes});
    at += code_point.bytes;
  }
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
    refuse_growth(text, matches.size());
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
  // A chain of replacements can multiply a text a trillion times; real ones stay below tenfold.
  void refuse_growth(const AlignedText& text, std::size_t matches) const {
    if (text.text.empty()) return;
    const std::size_t typed = text.origin.back().end - text.origin.front().begin;
    const std::size_t largest = (std::size_t{1} << 20U) + 32 * typed;
    if (content_.empty() || text.text.size() + matches * content_.size() <= largest) return;
    throw Error({.kind = ErrorKind::input,
                 .file = place_.file,
                 .field = place_.field,
                 .problem = "the normalizer makes the text too long",
                 .found = fmt::format("{} replacements by {} bytes in {} bytes typed", matches, content_.size(), typed),
                 .expected = fmt::format("a text of at most {} bytes", largest)});
  }

  Pattern pattern_;
  std::string content_;
  PatternPlace place_;
};

class NormalizerSequence final : public Normalizer {
 public:
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

constexpr PartRow<NormalizerPointer> kNormalizers[] = {
    {"Lowercase", make_plain<to_lower>},  {"NFC", make_plain<to_nfc>},
    {"NFD", make_plain<to_nfd>},          {"NFKC", make_plain<to_nfkc>},
    {"NFKD", make_plain<to_nfkd>},        {"Prepend", make<PrependNormalizer>},
    {"Replace", make<ReplaceNormalizer>}, {"Sequence", make<NormalizerSequence>},
    {"Strip", make<StripNormalizer>},     {"StripAccents", make_plain<without_marks>},
};

}  // namespace

NormalizerPointer make_normalizer(const Json& json, const std::string& file, const std::string& path) {
  return make_part<NormalizerPointer>(json, file, path, kNormalizers);
}

}  // namespace headlight

#include "engine/text/steps/bert_normalizer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/text/unicode/character_sets.h"
#include "engine/text/unicode/rewriting.h"
#include "engine/text/unicode/unicode_forms.h"

namespace headlight {
namespace {

char32_t to_blank(char32_t value) {
  return is_white_space(value) ? U' ' : value;
}

bool is_ideograph(char32_t value) {
  constexpr std::pair<char32_t, char32_t> kBlocks[] = {{0x4E00, 0x9FFF},   {0x3400, 0x4DBF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B73F},
                                                       {0x2B740, 0x2B81F}, {0x2B920, 0x2CEAF}, {0xF900, 0xFAFF},   {0x2F800, 0x2FA1F}};
  return std::any_of(std::begin(kBlocks), std::end(kBlocks),
                     [&](const auto& block) { return value >= block.first && value <= block.second; });
}

/// The blank before an ideograph stands for it; the ideograph and the blank after it count as inserted, as in the reference.
AlignedText with_ideographs_apart(const AlignedText& text) {
  std::vector<RewrittenCodePoint> result;
  result.reserve(text.text.size());
  for (std::size_t at = 0; at < text.text.size();) {
    const CodePoint code_point = code_point_at(text.text, at);
    if (is_ideograph(code_point.value)) {
      result.insert(result.end(), {{U' ', 1}, {code_point.value, 0}, {U' ', 0}});
    } else {
      result.push_back({code_point.value, 1});
    }
    at += code_point.bytes;
  }
  return text.rewritten(result);
}

class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(BertNormalizerOptions options) : options_(options) {}

  AlignedText apply(AlignedText text) const override {
    if (options_.cleans_text) text = mapped(without(text, is_control), to_blank);
    if (options_.surrounds_ideographs) text = with_ideographs_apart(text);
    if (options_.strips_accents.value_or(options_.lowercases)) {
      text = without(to_unicode_form(text, UnicodeForm::nfd), is_nonspacing_mark);
    }
    return options_.lowercases ? to_lower(text) : text;
  }

 private:
  BertNormalizerOptions options_;
};

}  // namespace

std::unique_ptr<const Normalizer> make_bert_normalizer(BertNormalizerOptions options) {
  return std::make_unique<BertNormalizer>(options);
}

}  // namespace headlight

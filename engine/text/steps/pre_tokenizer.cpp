#include "engine/text/steps/pre_tokenizer.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/text/part_table.h"
#include "engine/text/steps/splitting.h"
#include "engine/text/unicode/byte_level.h"
#include "engine/text/unicode/character_sets.h"
#include "engine/text/unicode/pattern.h"
#include "engine/text/vocabulary.h"

namespace headlight {
namespace {

using PreTokenizerPointer = std::unique_ptr<const PreTokenizer>;

// github.com/openai/gpt-2/blob/master/src/encoder.py
constexpr const char* kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

Behavior read_behavior(const JsonFields& fields, std::optional<Behavior> fallback) {
  constexpr std::pair<std::string_view, Behavior> kNames[] = {{"Removed", Behavior::removed},
                                                              {"Isolated", Behavior::isolated},
                                                              {"MergedWithPrevious", Behavior::merged_with_previous},
                                                              {"MergedWithNext", Behavior::merged_with_next},
                                                              {"Contiguous", Behavior::contiguous}};
  if (fallback && !fields.has("behavior")) return *fallback;
  const std::string name = fields.text("behavior");
  for (const auto& [known, behavior] : kNames) {
    if (known == name) return behavior;
  }
  fields.refuse("behavior", "the behavior is unknown", in_quotes(name),
                "Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

/// Cuts at the matches of a pattern, or between them.
class PatternSplit final : public PreTokenizer {
 public:
  PatternSplit(Pattern pattern, Behavior behavior, bool is_inverted)
      : pattern_(std::move(pattern)), behavior_(behavior), is_inverted_(is_inverted) {}

  void apply(PieceList& list) const override {
    split_pieces(list, [&](std::string_view text) { return split_at(text, pattern_.find_all(text), behavior_, is_inverted_); });
  }

 private:
  Pattern pattern_;
  Behavior behavior_;
  bool is_inverted_;
};

/// Cuts at single characters of a class.
class CharacterSplit final : public PreTokenizer {
 public:
  CharacterSplit(bool (*is_delimiter)(char32_t), Behavior behavior) : is_delimiter_(is_delimiter), behavior_(behavior) {}

  void apply(PieceList& list) const override { split_at_characters(list, is_delimiter_, behavior_); }

 private:
  bool (*is_delimiter_)(char32_t);
  Behavior behavior_;
};

class ByteLevel final : public PreTokenizer {
 public:
  explicit ByteLevel(ByteLevelOptions options)
      : options_(std::move(options)),
        words_(Pattern::regex(options_.pattern.empty() ? kGpt2Pattern : options_.pattern, {"tokenizer.json", "pre_tokenizer"}),
               Behavior::isolated, false) {}

  void apply(PieceList& list) const override {
    if (options_.adds_prefix_space) rewrite_pieces(list, add_prefix_space);
    if (options_.uses_pattern) words_.apply(list);
    rewrite_pieces(list, append_byte_level);
  }

 private:
  static void add_prefix_space(const AlignedText& text, ByteRange range, AlignedText& into) {
    if (text.text[range.begin] != ' ') into.append(" ", text.origin[range.begin]);
    into.append(text, range);
  }

  ByteLevelOptions options_;
  PatternSplit words_;
};

/// BERT's words: between white space, punctuation apart.
class BertSplit final : public PreTokenizer {
 public:
  void apply(PieceList& list) const override {
    split_at_characters(list, is_white_space, Behavior::removed);
    split_at_characters(list, is_punctuation, Behavior::isolated);
  }
};

/// Runs of word characters, and runs of others: \w+|[^\w\s]+. Blanks are left out.
class WordSplit final : public PreTokenizer {
 public:
  void apply(PieceList& list) const override { split_pieces(list, runs_of); }

 private:
  enum class Kind : std::uint8_t { blank, word, other };

  static std::vector<Piece> runs_of(std::string_view text) {
    std::vector<Piece> runs;
    Kind last = Kind::blank;
    for (std::uint32_t at = 0; at < text.size();) {
      const CodePoint code_point = code_point_at(text, at);
      const char32_t value = code_point.value;
      const Kind kind = is_white_space(value) ? Kind::blank : is_word_character(value) ? Kind::word : Kind::other;
      if (kind != Kind::blank && kind != last) runs.push_back({{at, at}});
      at += code_point.bytes;
      if (kind != Kind::blank) runs.back().range.end = at;
      last = kind;
    }
    return runs;
  }
};

/// Writes blanks as a mark ("▁"), puts one before the text too, and cuts before each.
class Metaspace final : public PreTokenizer {
 public:
  explicit Metaspace(MetaspaceOptions options) : options_(std::move(options)), mark_(code_point_at(options_.mark, 0).value) {}

  void apply(PieceList& list) const override {
    rewrite_pieces(list, [&](const AlignedText& text, ByteRange range, AlignedText& into) { rewrite(text, range, into); });
    if (options_.splits)
      split_at_characters(
          list, [&](char32_t value) { return value == mark_; }, Behavior::merged_with_next);
  }

 private:
  void rewrite(const AlignedText& text, ByteRange range, AlignedText& into) const {
    const std::string_view piece = std::string_view(text.text).substr(range.begin, range.end - range.begin);
    const bool has_mark = piece.starts_with(' ') || piece.starts_with(options_.mark);
    const bool is_first = text.origin[range.begin].begin == 0;
    if (!has_mark &&
        (options_.prepends == MetaspaceOptions::Prepends::always || (options_.prepends == MetaspaceOptions::Prepends::first && is_first))) {
      into.append(options_.mark, text.origin[range.begin]);
    }
    for (std::uint32_t at = range.begin; at < range.end; ++at) {
      into.append(text.text[at] == ' ' ? std::string_view(options_.mark) : std::string_view(text.text).substr(at, 1), text.origin[at]);
    }
  }

  MetaspaceOptions options_;
  char32_t mark_;
};

/// Pieces of a fixed number of code points.
class FixedLength final : public PreTokenizer {
 public:
  explicit FixedLength(std::size_t length) : length_(length) {}

  void apply(PieceList& list) const override {
    split_pieces(list, [&](std::string_view text) {
      std::vector<Piece> pieces;
      std::size_t count = 0;
      for (std::uint32_t at = 0; at < text.size(); ++count) {
        if (count % length_ == 0) pieces.push_back({{at, at}});
        at += code_point_at(text, at).bytes;
        pieces.back().range.end = at;
      }
      return pieces;
    });
  }

 private:
  std::size_t length_;
};

class PreTokenizerSequence final : public PreTokenizer {
 public:
  explicit PreTokenizerSequence(const JsonFields& fields) {
    const Json& list = fields.array("pretokenizers");
    for (std::size_t at = 0; at < list.size(); ++at) {
      PreTokenizerPointer step = make_pre_tokenizer(list[at], fields.file(), fmt::format("{}[{}]", fields.path_of("pretokenizers"), at));
      if (step != nullptr) steps_.push_back(std::move(step));
    }
  }

  void apply(PieceList& list) const override {
    for (const PreTokenizerPointer& step : steps_) step->apply(list);
  }

 private:
  std::vector<PreTokenizerPointer> steps_;
};

PreTokenizerPointer make_byte_level_part(const JsonFields& fields) {
  return make_byte_level({fields.boolean_or("add_prefix_space", true), fields.boolean_or("use_regex", true), {}});
}
PreTokenizerPointer make_bert_words(const JsonFields& /*fields*/) {
  return std::make_unique<BertSplit>();
}
PreTokenizerPointer make_character_delimiter(const JsonFields& fields) {
  const std::string delimiter = fields.text("delimiter");
  if (code_point_index(delimiter).back() != 1) fields.refuse("delimiter", "the delimiter is wrong", in_quotes(delimiter), "one character");
  return std::make_unique<PatternSplit>(Pattern::literal(delimiter), Behavior::removed, false);
}
PreTokenizerPointer make_fixed_length(const JsonFields& fields) {
  return std::make_unique<FixedLength>(static_cast<std::size_t>(fields.integer_or("length", 5, 1, Vocabulary::kHighestId)));
}
PreTokenizerPointer make_metaspace_part(const JsonFields& fields) {
  return make_metaspace(read_metaspace(fields));
}
PreTokenizerPointer make_digits(const JsonFields& fields) {
  const bool is_individual = fields.boolean_or("individual_digits", false);
  return std::make_unique<CharacterSplit>(is_numeric, is_individual ? Behavior::isolated : Behavior::contiguous);
}
PreTokenizerPointer make_punctuation(const JsonFields& fields) {
  return std::make_unique<CharacterSplit>(is_punctuation, read_behavior(fields, Behavior::isolated));
}
PreTokenizerPointer make_sequence(const JsonFields& fields) {
  return std::make_unique<PreTokenizerSequence>(fields);
}
PreTokenizerPointer make_split(const JsonFields& fields) {
  return std::make_unique<PatternSplit>(make_pattern(fields, "pattern"), read_behavior(fields, std::nullopt),
                                        fields.boolean_or("invert", false));
}
PreTokenizerPointer make_whitespace(const JsonFields& /*fields*/) {
  return std::make_unique<WordSplit>();
}
PreTokenizerPointer make_whitespace_split(const JsonFields& /*fields*/) {
  return std::make_unique<CharacterSplit>(is_white_space, Behavior::removed);
}

constexpr PartRow<PreTokenizerPointer> kPreTokenizers[] = {
    {"BertPreTokenizer", make_bert_words},
    {"ByteLevel", make_byte_level_part},
    {"CharDelimiterSplit", make_character_delimiter},
    {"Digits", make_digits},
    {"FixedLength", make_fixed_length},
    {"Metaspace", make_metaspace_part},
    {"Punctuation", make_punctuation},
    {"Sequence", make_sequence},
    {"Split", make_split},
    {"Whitespace", make_whitespace},
    {"WhitespaceSplit", make_whitespace_split},
};

}  // namespace

PreTokenizerPointer make_pre_tokenizer(const Json& json, const std::string& file, const std::string& path) {
  return make_part<PreTokenizerPointer>(json, file, path, kPreTokenizers);
}

PreTokenizerPointer make_byte_level(ByteLevelOptions options) {
  return std::make_unique<ByteLevel>(std::move(options));
}

PreTokenizerPointer make_metaspace(MetaspaceOptions options) {
  return std::make_unique<Metaspace>(std::move(options));
}

PreTokenizerPointer make_bert_split() {
  return std::make_unique<BertSplit>();
}

MetaspaceOptions read_metaspace(const JsonFields& fields) {
  using Prepends = MetaspaceOptions::Prepends;
  constexpr std::pair<std::string_view, Prepends> kSchemes[] = {
      {"always", Prepends::always}, {"first", Prepends::first}, {"never", Prepends::never}};
  MetaspaceOptions options;
  options.mark = fields.text_or("replacement", options.mark);
  if (code_point_index(options.mark).back() != 1)
    fields.refuse("replacement", "the mark is wrong", in_quotes(options.mark), "one character");
  // Files from before 2024 have add_prefix_space alone.
  const bool adds = fields.boolean_or("add_prefix_space", true);
  const std::string scheme = fields.text_or("prepend_scheme", adds ? "always" : "never");
  const auto known = std::find_if(std::begin(kSchemes), std::end(kSchemes), [&](const auto& row) { return row.first == scheme; });
  if (known == std::end(kSchemes)) fields.refuse("prepend_scheme", "the scheme is unknown", in_quotes(scheme), "always, first or never");
  options.prepends = known->second;
  if (!adds && options.prepends != Prepends::never) {
    fields.refuse("add_prefix_space", "add_prefix_space and prepend_scheme contradict each other", "false and " + in_quotes(scheme));
  }
  options.splits = fields.boolean_or("split", true);
  return options;
}

}  // namespace headlight

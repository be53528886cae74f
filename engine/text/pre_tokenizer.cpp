#include "engine/text/pre_tokenizer.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/text/byte_level.h"
#include "engine/text/part_table.h"
#include "engine/text/pattern.h"

namespace headlight {
namespace {

using PreTokenizerPointer = std::unique_ptr<const PreTokenizer>;

// github.com/openai/gpt-2/blob/master/src/encoder.py
constexpr const char* kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// \w+|[^\w\s]+ with \w as Rust's regex has it: letters, marks, decimal digits, connectors, joiners and Other_Alphabetic symbols.
constexpr const char* kWordsPattern =
    R"([\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200C}\x{200D}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}]+)"
    R"(|[^\s\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200C}\x{200D}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}]+)";

/// What becomes of the delimiters that a pattern finds; names as in the files.
enum class Behavior : std::uint8_t { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct Cut {
  ByteRange range;
  bool is_delimiter = false;
};

std::vector<Piece> to_pieces(const std::vector<Cut>& cuts) {
  std::vector<Piece> pieces;
  pieces.reserve(cuts.size());
  for (const Cut& cut : cuts) pieces.push_back({cut.range});
  return pieces;
}

/// The whole text as delimiters and what lies between them.
std::vector<Cut> cover(std::string_view text, const std::vector<ByteRange>& delimiters) {
  std::vector<Cut> cuts;
  cuts.reserve(2 * delimiters.size() + 1);
  std::uint32_t last = 0;
  for (const ByteRange& delimiter : delimiters) {
    if (last != delimiter.begin) cuts.push_back({{last, delimiter.begin}, false});
    cuts.push_back({delimiter, true});
    last = delimiter.end;
  }
  const auto size = static_cast<std::uint32_t>(text.size());
  if (last != size) cuts.push_back({{last, size}, false});
  return cuts;
}

/// A delimiter joins its neighbour on the left, unless that neighbour is a delimiter too.
std::vector<Cut> merge_with_previous(const std::vector<Cut>& cuts) {
  std::vector<Cut> result;
  bool was_delimiter = false;
  for (const Cut& cut : cuts) {
    if (cut.is_delimiter && !was_delimiter && !result.empty()) {
      result.back().range.end = cut.range.end;
    } else {
      result.push_back(cut);
    }
    was_delimiter = cut.is_delimiter;
  }
  return result;
}

std::vector<Cut> merge_with_next(const std::vector<Cut>& cuts) {
  std::vector<Cut> result;
  bool was_delimiter = false;
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
    if (cut->is_delimiter && !was_delimiter && !result.empty()) {
      result.back().range.begin = cut->range.begin;
    } else {
      result.push_back(*cut);
    }
    was_delimiter = cut->is_delimiter;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<Cut> merge_runs(const std::vector<Cut>& cuts) {
  std::vector<Cut> result;
  for (const Cut& cut : cuts) {
    if (!result.empty() && result.back().is_delimiter == cut.is_delimiter) {
      result.back().range.end = cut.range.end;
    } else {
      result.push_back(cut);
    }
  }
  return result;
}

std::vector<Piece> arrange(std::vector<Cut> cuts, Behavior behavior) {
  switch (behavior) {
    case Behavior::isolated:
      return to_pieces(cuts);
    case Behavior::merged_with_previous:
      return to_pieces(merge_with_previous(cuts));
    case Behavior::merged_with_next:
      return to_pieces(merge_with_next(cuts));
    case Behavior::contiguous:
      return to_pieces(merge_runs(cuts));
    case Behavior::removed:
      break;
  }
  std::erase_if(cuts, [](const Cut& cut) { return cut.is_delimiter; });
  return to_pieces(cuts);
}

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
    split_pieces(list, [&](std::string_view text) {
      std::vector<Cut> cuts = cover(text, pattern_.find_all(text));
      for (Cut& cut : cuts) cut.is_delimiter = cut.is_delimiter != is_inverted_;
      return arrange(std::move(cuts), behavior_);
    });
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

  void apply(PieceList& list) const override {
    split_pieces(list, [&](std::string_view text) {
      std::vector<ByteRange> delimiters;
      for (std::uint32_t at = 0; at < text.size();) {
        const CodePoint code_point = code_point_at(text, at);
        if (is_delimiter_(code_point.value)) delimiters.push_back({at, at + code_point.bytes});
        at += code_point.bytes;
      }
      return arrange(cover(text, delimiters), behavior_);
    });
  }

 private:
  bool (*is_delimiter_)(char32_t);
  Behavior behavior_;
};

class ByteLevel final : public PreTokenizer {
 public:
  explicit ByteLevel(ByteLevelOptions options)
      : options_(options), words_(Pattern::regex(kGpt2Pattern, {"tokenizer.json", "pre_tokenizer"}), Behavior::isolated, false) {}

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

utf8proc_category_t category_of(char32_t value) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(value));
}

bool is_numeric(char32_t value) {
  const utf8proc_category_t category = category_of(value);
  return category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t value) {
  if (value < 0x80)
    return value > ' ' && value < 0x7F && !(value >= '0' && value <= '9') && !((value | 0x20U) >= 'a' && (value | 0x20U) <= 'z');
  const utf8proc_category_t category = category_of(value);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

PreTokenizerPointer make_byte_level_part(const JsonFields& fields) {
  return make_byte_level({fields.boolean_or("add_prefix_space", true), fields.boolean_or("use_regex", true)});
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
PreTokenizerPointer make_whitespace(const JsonFields& fields) {
  return std::make_unique<PatternSplit>(Pattern::regex(kWordsPattern, {fields.file(), fields.path()}), Behavior::removed, true);
}
PreTokenizerPointer make_whitespace_split(const JsonFields& /*fields*/) {
  return std::make_unique<CharacterSplit>(is_white_space, Behavior::removed);
}

constexpr PartRow<PreTokenizerPointer> kPreTokenizers[] = {
    {"ByteLevel", make_byte_level_part},
    {"Digits", make_digits},
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
  return std::make_unique<ByteLevel>(options);
}

}  // namespace headlight

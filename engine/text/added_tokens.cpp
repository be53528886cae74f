#include "engine/text/added_tokens.h"

#include <fmt/core.h>
#include <utf8proc.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

/// Where the code point before `end` starts.
std::uint32_t step_back(std::string_view text, std::uint32_t end) {
  do {
    --end;
  } while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
  return end;
}

bool is_word_character(char32_t value) {
  if (value == 0x200C || value == 0x200D) return true;
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(value));
  const bool is_letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
  const bool is_mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
  return is_letter || is_mark || category == UTF8PROC_CATEGORY_ND || category == UTF8PROC_CATEGORY_NL || category == UTF8PROC_CATEGORY_PC;
}

bool touches_word(std::string_view text, ByteRange range) {
  const bool before = range.begin > 0 && is_word_character(code_point_at(text, step_back(text, range.begin)).value);
  return before || (range.end < text.size() && is_word_character(code_point_at(text, range.end).value));
}

std::uint32_t blanks_begin(std::string_view text, std::uint32_t begin, std::uint32_t lowest) {
  while (begin > lowest) {
    const std::uint32_t before = step_back(text, begin);
    if (!is_white_space(code_point_at(text, before).value)) break;
    begin = before;
  }
  return begin;
}

std::uint32_t blanks_end(std::string_view text, std::uint32_t end) {
  while (end < text.size()) {
    const CodePoint code_point = code_point_at(text, end);
    if (!is_white_space(code_point.value)) break;
    end += code_point.bytes;
  }
  return end;
}

}  // namespace

const std::uint32_t* TextFinder::child_of(std::uint32_t node, unsigned char byte) const {
  const auto& children = nodes_[node].children;
  const auto item =
      std::lower_bound(children.begin(), children.end(), byte, [](const auto& child, unsigned char b) { return child.first < b; });
  return item != children.end() && item->first == byte ? &item->second : nullptr;
}

void TextFinder::add(std::string_view text, std::size_t value) {
  std::uint32_t node = 0;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (const std::uint32_t* child = child_of(node, byte)) {
      node = *child;
      continue;
    }
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    auto& children = nodes_[node].children;
    children.insert(std::upper_bound(children.begin(), children.end(), std::pair(byte, next)), {byte, next});
    nodes_.emplace_back();
    node = next;
  }
  nodes_[node].value = value;
}

std::vector<TextFinder::Match> TextFinder::find_all(std::string_view subject) const {
  std::vector<Match> matches;
  for (std::uint32_t begin = 0; begin < subject.size();) {
    Match longest;
    std::uint32_t node = 0;
    for (std::uint32_t at = begin; at < subject.size(); ++at) {
      const std::uint32_t* child = child_of(node, static_cast<unsigned char>(subject[at]));
      if (child == nullptr) break;
      node = *child;
      if (nodes_[node].value != kNone) longest = {{begin, at + 1}, nodes_[node].value};
    }
    if (longest.range.end > begin) matches.push_back(longest);
    begin = std::max(begin + 1, longest.range.end);
  }
  return matches;
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer) : tokens_(std::move(tokens)) {
  for (std::size_t at = 0; at < tokens_.size(); ++at) {
    const AddedToken& token = tokens_[at];
    by_id_.emplace(token.id, at);
    if (!token.is_normalized) {
      plain_.add(token.content, at);
      continue;
    }
    const AlignedText content = AlignedText::of(token.content);
    const std::string text = normalizer == nullptr ? content.text : normalizer->apply(content).text;
    if (!text.empty()) normalized_.add(text, at);
  }
}

PieceList AddedTokens::split(AlignedText text, const Normalizer* normalizer, bool finds_special) const {
  PieceList list;
  list.pieces.push_back({{0, static_cast<std::uint32_t>(text.text.size())}});
  list.text = std::move(text);
  split_pieces(list, [&](std::string_view bytes) { return cut(bytes, plain_, finds_special); });
  if (normalizer != nullptr) {
    rewrite_pieces(list, [&](const AlignedText& from, ByteRange range, AlignedText& into) {
      AlignedText piece;
      piece.append(from, range);
      const AlignedText result = normalizer->apply(std::move(piece));
      into.append(result, {0, static_cast<std::uint32_t>(result.text.size())});
    });
  }
  split_pieces(list, [&](std::string_view bytes) { return cut(bytes, normalized_, finds_special); });
  return list;
}

std::vector<Piece> AddedTokens::cut(std::string_view text, const TextFinder& finder, bool finds_special) const {
  std::vector<Piece> pieces;
  std::uint32_t last = 0;
  if (!finder.empty()) {
    for (const TextFinder::Match& match : finder.find_all(text)) {
      const AddedToken& token = tokens_[match.value];
      ByteRange range = match.range;
      if (token.is_special && !finds_special) continue;
      if (token.is_single_word && touches_word(text, range)) continue;
      if (token.strips_left) range.begin = blanks_begin(text, range.begin, last);
      if (token.strips_right) range.end = blanks_end(text, range.end);
      range.begin = std::max(range.begin, last);
      if (last < range.begin) pieces.push_back({{last, range.begin}});
      pieces.push_back({range, token.id});
      last = range.end;
    }
  }
  pieces.push_back({{last, static_cast<std::uint32_t>(text.size())}});
  return pieces;
}

const AddedToken* AddedTokens::find(std::int64_t id) const {
  const auto item = by_id_.find(id);
  return item == by_id_.end() ? nullptr : &tokens_[item->second];
}

std::vector<AddedToken> read_added_tokens(const JsonFields& root, const Vocabulary& vocabulary, std::vector<std::string>& warnings) {
  std::vector<AddedToken> tokens;
  if (!root.has("added_tokens")) return tokens;
  for (const Json& value : root.array("added_tokens")) {
    const JsonFields fields(value, root.file(), fmt::format("{}[{}]", root.path_of("added_tokens"), tokens.size()));
    AddedToken token;
    token.id = fields.integer("id", 0, Vocabulary::kHighestId);
    token.content = fields.text("content");
    if (token.content.empty()) fields.refuse("content", "the added token has no text");
    token.is_single_word = fields.boolean_or("single_word", false);
    token.strips_left = fields.boolean_or("lstrip", false);
    token.strips_right = fields.boolean_or("rstrip", false);
    token.is_special = fields.boolean_or("special", false);
    token.is_normalized = fields.boolean_or("normalized", !token.is_special);
    if (const std::optional<std::int64_t> known = vocabulary.id_of(token.content); known && *known != token.id) {
      warnings.push_back(fmt::format("{}: {}: the vocabulary has \"{}\" with the id {}, not {}; the vocabulary's is used", fields.file(),
                                     fields.path(), printable(token.content, 60), *known, token.id));
      token.id = *known;
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace headlight

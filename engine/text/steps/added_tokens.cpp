#include "engine/text/steps/added_tokens.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "engine/core/error.h"
#include "engine/text/unicode/character_sets.h"

namespace headlight {
namespace {

/// Where the code point before `end` starts.
std::uint32_t step_back(std::string_view text, std::uint32_t end) {
  do {
    --end;
  } while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U);
  return end;
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

/// The lengths of all texts that occur anywhere in the subject.
std::set<std::size_t> lengths_in(const ByteTrie& texts, std::string_view subject) {
  std::set<std::size_t> lengths;
  if (texts.empty()) return lengths;
  TrieSteps steps(subject.size(), "");
  for (std::size_t begin = 0; begin < subject.size(); ++begin) {
    std::uint32_t node = ByteTrie::kRoot;
    std::size_t end = begin;
    while (end < subject.size() && (node = texts.step(node, subject[end])) != ByteTrie::kNone) {
      ++end;
      if (texts.value_at(node) != ByteTrie::kNone) lengths.insert(end - begin);
    }
    steps.take(end - begin + 1);
  }
  return lengths;
}

AddedToken read_added_token(const JsonFields& fields) {
  AddedToken token;
  token.id = fields.integer("id", 0, Vocabulary::kHighestId);
  token.content = fields.text("content");
  if (token.content.empty()) fields.refuse("content", "the added token has no text");
  token.is_single_word = fields.boolean_or("single_word", false);
  token.strips_left = fields.boolean_or("lstrip", false);
  token.strips_right = fields.boolean_or("rstrip", false);
  token.is_special = fields.boolean_or("special", false);
  token.is_normalized = fields.boolean_or("normalized", !token.is_special);
  return token;
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer, Precedence precedence)
    : tokens_(std::move(tokens)), precedence_(precedence) {
  std::vector<ByteTrie::Item> plain, normalized;
  for (std::uint32_t at = 0; at < tokens_.size(); ++at) {
    AddedToken& token = tokens_[at];
    by_id_.emplace(token.id, at);
    const bool is_rewritten = token.is_normalized && normalizer != nullptr;
    token.searched = is_rewritten ? normalizer->apply(AlignedText::of(token.content)).text : token.content;
    (token.is_normalized ? normalized : plain).push_back({token.searched, at});
  }
  plain_ = make_contents(plain, precedence);
  normalized_ = make_contents(normalized, precedence);
}

AddedTokens::Contents AddedTokens::make_contents(const std::vector<ByteTrie::Item>& items, Precedence precedence) {
  Contents contents{ByteTrie(items, ""), {}};
  if (precedence == Precedence::leftmost) return contents;
  std::map<std::size_t, std::vector<ByteTrie::Item>, std::greater<>> groups;
  for (const ByteTrie::Item& item : items) groups[item.text.size()].push_back(item);
  for (auto& [length, group] : groups) contents.by_length.emplace_back(length, ByteTrie(std::move(group), ""));
  return contents;
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

/// The longest text at the leftmost place, then the same again from its end.
std::vector<AddedTokens::Match> AddedTokens::find_leftmost(const ByteTrie& texts, std::string_view subject) {
  std::vector<Match> matches;
  if (texts.empty()) return matches;
  TrieSteps steps(subject.size(), "");
  for (std::uint32_t begin = 0; begin < subject.size();) {
    const ByteTrie::Match longest = texts.longest(subject.substr(begin), steps);
    if (longest.bytes > 0) matches.push_back({{begin, begin + longest.bytes}, longest.value});
    begin += std::max(longest.bytes, 1U);
  }
  return matches;
}

/// Length by length, each from left to right in what the longer ones left.
std::vector<AddedTokens::Match> AddedTokens::find_longest(const Contents& contents, std::string_view subject, bool finds_special) const {
  std::vector<Match> found;
  const std::set<std::size_t> lengths = lengths_in(contents.all, subject);
  for (const auto& [length, texts] : contents.by_length) {
    if (!lengths.contains(length)) continue;
    TrieSteps steps(subject.size(), "");
    std::vector<Match> merged;
    std::uint32_t begin = 0;
    const auto search_up_to = [&, &trie = texts](std::uint32_t end) {  // clang 14 cannot capture a structured binding directly
      while (begin < end) {
        const ByteTrie::Match match = trie.longest(subject.substr(begin, end - begin), steps);
        const bool is_taken = match.bytes > 0 && (finds_special || !tokens_[match.value].is_special);
        if (is_taken) merged.push_back({{begin, begin + match.bytes}, match.value});
        begin += is_taken ? match.bytes : 1;
      }
    };
    for (const Match& match : found) {
      search_up_to(match.range.begin);
      merged.push_back(match);
      begin = match.range.end;
    }
    search_up_to(static_cast<std::uint32_t>(subject.size()));
    found = std::move(merged);
  }
  return found;
}

std::vector<Piece> AddedTokens::cut(std::string_view text, const Contents& contents, bool finds_special) const {
  std::vector<Piece> pieces;
  std::uint32_t last = 0;
  const bool takes_leftmost = precedence_ == Precedence::leftmost;
  for (const Match& match : takes_leftmost ? find_leftmost(contents.all, text) : find_longest(contents, text, finds_special)) {
    const AddedToken& token = tokens_[match.value];
    ByteRange range = match.range;
    if (token.is_special && !finds_special) continue;
    if (token.is_single_word && touches_word(text, range)) continue;
    // An earlier token may have taken blanks that are themselves a token: then both are kept, as in the reference.
    if (token.strips_left) range.begin = std::max(blanks_begin(text, range.begin, last), last);
    if (token.strips_right) range.end = blanks_end(text, range.end);
    if (range.begin >= range.end) continue;
    if (last < range.begin) pieces.push_back({{last, range.begin}});
    pieces.push_back({range, token.id});
    last = range.end;
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
  std::unordered_map<std::string, std::size_t> by_content;
  auto next_id = static_cast<std::int64_t>(vocabulary.size());
  std::size_t entry = 0;
  for (const Json& value : root.array("added_tokens")) {
    const JsonFields fields(value, root.file(), fmt::format("{}[{}]", root.path_of("added_tokens"), entry++));
    AddedToken token = read_added_token(fields);
    const auto [place, is_new] = by_content.emplace(token.content, tokens.size());
    if (!is_new) {
      token.id = tokens[place->second].id;
      tokens[place->second] = std::move(token);
      continue;
    }
    const std::optional<std::int64_t> known = vocabulary.id_of(token.content);
    const std::int64_t id = known ? *known : next_id++;
    if (id != token.id) {
      warnings.push_back(fmt::format("{}: {}: \"{}\" has the id {}{}, not {}", fields.file(), fields.path(), printable(token.content, 60),
                                     id, known ? " in the vocabulary" : ", the next one that is free", token.id));
      token.id = id;
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace headlight

#include "app/cli/options/question_option.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/cli/options/options.h"
#include "engine/core/error.h"
#include "engine/text/words.h"

namespace headlight {
namespace {

constexpr const char* kOption = "--which";
constexpr std::string_view kArrow = "->";

std::string pattern_ids() {
  std::string ids;
  for (const TargetPatternRow& row : target_patterns()) ids += (ids.empty() ? "" : ", ") + std::string(row.id);
  return ids;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// The tokens of a word, at each of its places. If the text has no such word, every token with this text, as in models of characters.
std::vector<TokenRange> places_of(const std::string& word, const Encoding& encoding) {
  std::vector<TokenRange> places;
  while (const auto next = tokens_of_word(encoding, word, static_cast<int>(places.size()) + 1)) places.push_back(*next);
  for (std::size_t token = 0; places.empty() && token < encoding.tokens.size(); ++token) {
    const Token& each = encoding.tokens[token];
    if (each.sequence == 0 && encoding.text.compare(each.bytes.begin, each.bytes.end - each.bytes.begin, word) == 0)
      places.push_back({static_cast<int>(token), static_cast<int>(token) + 1});
  }
  return places;
}

/// "follow -> horse": the queries of one word's tokens, the keys of the other's, each wherever it stands. What a mask forbids of it counts
/// for nothing.
std::vector<CellBlock> relation_cells(const std::string& text, const Encoding& encoding) {
  const std::size_t arrow = text.find(kArrow);
  if (arrow == std::string::npos) refuse_option(kOption, "this is not a relation", printable(text, 60), "WORD -> WORD");
  const std::string from = trimmed(text.substr(0, arrow)), to = trimmed(text.substr(arrow + kArrow.size()));
  if (from.empty() || to.empty()) refuse_option(kOption, "a relation needs two words", printable(text, 60), "WORD -> WORD");
  std::vector<CellBlock> cells;
  for (const TokenRange& query : places_of(from, encoding)) {
    for (const TokenRange& key : places_of(to, encoding)) cells.push_back({query.begin, query.end, key.begin, key.end, true});
  }
  if (cells.empty()) refuse_option(kOption, "the text has no such words", printable(text, 60), "words of the text, written as there");
  return cells;
}

HeadQuestion question_of_relations(const std::string& text, const Snapshot& run) {
  std::vector<CellBlock> cells;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    for (CellBlock& block : relation_cells(text.substr(begin, end - begin), *run.encoding)) cells.push_back(block);
    begin = end + 1;
  }
  return question_of_cells(std::move(cells), tokens_of(run, 0));
}

bool names_cells(const std::string& text) {
  return text.find(':') != std::string::npos && text.find_first_not_of("0123456789:,-* ") == std::string::npos;
}

}  // namespace

std::string question_help() {
  return fmt::format(
      "Which head does this? Ranks all heads by how much of their attention they give to the keys of a pattern,\n"
      "beside a uniform head and the best fixed offset. One of {};\n"
      "words of the text wherever they stand, \"follow -> horse\", several joined by ;; cells \"6:2,7:2-3\" (query:keys); or a mask text, "
      "\"k == q - 2\"",
      pattern_ids());
}

HeadQuestion parse_question(const std::string& text, const Snapshot& run) {
  if (trimmed(text).empty()) refuse_option(kOption, "the question is empty", {}, fmt::format("such as {}; see --help", pattern_ids()));
  const std::span<const TargetPatternRow> rows = target_patterns();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const TargetPatternRow& each) { return each.id == text; });
  if (row != rows.end()) return question_of(row->pattern);
  if (text.find(kArrow) != std::string::npos) return question_of_relations(text, run);
  if (names_cells(text)) return question_of_cells(parse_cells(text, true), tokens_of(run, 0));
  try {
    return question_of_mask(text);
  } catch (const Error& refusal) {
    refuse_option(kOption, refusal.detail().problem, "\"" + printable(text, 60) + "\"", refusal.detail().expected,
                  fmt::format("One of {}; words, \"follow -> horse\"; cells, \"6:2\"; or a mask text", pattern_ids()));
  }
}

}  // namespace headlight

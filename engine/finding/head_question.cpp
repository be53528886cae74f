#include "engine/finding/head_question.h"

#include <algorithm>
#include <array>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"
#include "engine/measures/measured_text.h"
#include "engine/text/words.h"

namespace headlight {
namespace {

/// The key that is so many tokens from every query.
void add_offset(Mask& targets, Index offset) {
  for (Index query = 0; query < targets.queries(); ++query) {
    const Index key = query + offset;
    if (key >= 0 && key < targets.keys()) targets.set(query, key, true);
  }
}

/// The key that is so many tokens after every earlier copy of a query.
void add_after_copies(const MapTokens& tokens, Mask& targets, Index offset) {
  const std::vector<Token> told = tokens.are_told_by_texts ? told_by_texts(tokens.keys.tokens) : tokens.keys.tokens;
  const MeasuredText text(told);
  for (Index query = 0; query < targets.queries(); ++query) {
    for (Index copy = text.copy_before(query); copy >= 0; copy = text.copy_before(copy)) {
      const Index key = copy + offset;
      if (key != query) targets.set(query, key, true);
    }
  }
}

void add_words(const MapTokens& tokens, Mask& targets) {
  const std::vector<std::uint32_t> words = words_of_tokens(tokens.keys);
  for (Index query = 0; query < targets.queries(); ++query) {
    const auto [begin, end] = std::equal_range(words.begin(), words.end(), words[static_cast<std::size_t>(query)]);
    for (Index key = begin - words.begin(); key < end - words.begin(); ++key) {
      if (key != query) targets.set(query, key, true);
    }
  }
}

void add_first(Mask& targets) {
  for (Index query = 0; query < targets.queries(); ++query) targets.set(query, 0, true);
}

constexpr const char* kOneToken = "The text has one token alone.";

constexpr std::array kPatterns{
    TargetPatternRow{TargetPattern::previous, "previous", "previous token", "Looks at the token just before.",
                     [](const MapTokens&, Mask& targets) { add_offset(targets, -1); }, kOneToken},
    TargetPatternRow{TargetPattern::self, "self", "itself", "Looks at its own token.",
                     [](const MapTokens&, Mask& targets) { add_offset(targets, 0); }, kOneToken},
    TargetPatternRow{TargetPattern::next, "next", "next token", "Looks at the token just after, where the mask lets it.",
                     [](const MapTokens&, Mask& targets) { add_offset(targets, 1); }, kOneToken},
    TargetPatternRow{TargetPattern::first, "first", "first token", "Looks at the first token of the text.",
                     [](const MapTokens&, Mask& targets) { add_first(targets); }, kOneToken},
    TargetPatternRow{TargetPattern::duplicate, "duplicate", "duplicate", "Looks at earlier copies of the same token.",
                     [](const MapTokens& tokens, Mask& targets) { add_after_copies(tokens, targets, 0); },
                     "No token comes twice in this text: none has an earlier copy.", TargetRemedy::repeat_text},
    TargetPatternRow{TargetPattern::induction, "induction", "induction",
                     "Looks at what came after earlier copies of the token: it copies what followed last time.",
                     [](const MapTokens& tokens, Mask& targets) { add_after_copies(tokens, targets, 1); },
                     "No token comes back later in this text: there is nothing to copy.", TargetRemedy::repeat_text},
    TargetPatternRow{TargetPattern::same_word, "same-word", "same word", "Looks at the other tokens of its own word.",
                     [](const MapTokens& tokens, Mask& targets) { add_words(tokens, targets); },
                     "Every word of this text is a single token.", TargetRemedy::long_word},
};
static_assert(has_row_of_each(kPatterns, &TargetPatternRow::pattern));

/// 0 or 1 by token, as the mask text `pair` asks. Special tokens belong to the sentence before them.
std::vector<int> sentences_of(const Encoding& text) {
  std::vector<int> sentences;
  for (const Token& token : text.tokens) {
    sentences.push_back(!token.is_special ? token.sequence : sentences.empty() ? 0 : sentences.back());
  }
  return sentences;
}

void add_cells(const std::vector<CellBlock>& cells, Mask& targets) {
  for (const CellBlock& block : cells) {
    const Index query_end = std::min<Index>(block.query_end, targets.queries()), key_end = std::min<Index>(block.key_end, targets.keys());
    for (Index query = std::max(0, block.query_begin); query < query_end; ++query) {
      for (Index key = std::max(0, block.key_begin); key < key_end; ++key) targets.set(query, key, block.is_allowed);
    }
  }
}

}  // namespace

MapTokens tokens_of(const Snapshot& run, int layer) {
  return {run.query_tokens(layer), run.key_tokens(layer), run.model->config.place(layer).stack,
          run.trace.layer(layer).given_mask.first_query, run.is_dump()};
}

std::span<const TargetPatternRow> target_patterns() {
  return kPatterns;
}

const TargetPatternRow& row_of(TargetPattern pattern) {
  return kPatterns[static_cast<std::size_t>(pattern)];
}

HeadQuestion question_of(TargetPattern pattern) {
  return {.kind = HeadQuestion::Kind::pattern, .pattern = pattern};
}

HeadQuestion question_of_mask(const std::string& mask) {
  const MaskText checked(mask);
  return {.kind = HeadQuestion::Kind::mask, .mask = mask};
}

HeadQuestion question_of_cells(std::vector<CellBlock> cells, const MapTokens& tokens) {
  const auto queries = static_cast<int>(tokens.queries.tokens.size()), keys = static_cast<int>(tokens.keys.tokens.size());
  for (CellBlock& block : cells) {  // as "*" of parse_cells has it
    block.query_end = std::min(block.query_end, queries);
    block.key_end = std::min(block.key_end, keys);
  }
  std::erase_if(cells, [](const CellBlock& block) { return block.query_begin >= block.query_end || block.key_begin >= block.key_end; });
  return {.kind = HeadQuestion::Kind::cells,
          .cells = std::move(cells),
          .text = tokens.queries.text,
          .tokens = std::ssize(tokens.queries.tokens),
          .stack = tokens.stack};
}

bool is_about(const HeadQuestion& question, const Encoding& text) {
  return question.kind != HeadQuestion::Kind::cells || (question.text == text.text && question.tokens == std::ssize(text.tokens));
}

std::optional<Mask> targets_of(const HeadQuestion& question, const MapTokens& tokens, const Watch& watch) {
  const Index queries = std::ssize(tokens.queries.tokens), keys = std::ssize(tokens.keys.tokens);
  Mask targets(queries, keys, false, watch);
  switch (question.kind) {
    case HeadQuestion::Kind::nothing:
      return std::nullopt;
    case HeadQuestion::Kind::cells:
      if (question.stack != tokens.stack || !is_about(question, tokens.queries)) return std::nullopt;
      add_cells(question.cells, targets);
      return targets;
    case HeadQuestion::Kind::pattern:
      if (!tokens.is_one_text()) return std::nullopt;
      row_of(question.pattern).add_targets(tokens, targets);
      return targets;
    case HeadQuestion::Kind::mask:
      break;
  }
  const bool is_pair = tokens.is_one_text() && !tokens.keys.text_pair.empty();
  const MaskContext context{queries, keys, is_pair ? sentences_of(tokens.keys) : std::vector<int>(), tokens.first_query};
  return MaskText(question.mask).cells(context, watch);
}

}  // namespace headlight

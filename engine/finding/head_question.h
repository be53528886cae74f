// Which head does this? A question is a target pattern D over the cells of a map: which keys each query ought to look at. A person paints its
// cells, frames a relation, chooses a pattern by name, or types it in the language of masks (engine/attention/mask.h).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"
#include "engine/snapshot.h"

namespace headlight {

/// Which keys are the targets of a query.
enum class TargetPattern : std::uint8_t {
  previous,   ///< the token before it
  self,       ///< itself
  next,       ///< the token after it
  first,      ///< the text's first token
  duplicate,  ///< earlier copies of it
  induction,  ///< the tokens just after earlier copies of it, itself left out
  same_word,  ///< the other tokens of its word
};

/// The tokens along a map's axes.
struct MapTokens {
  const Encoding& queries;
  const Encoding& keys;
  Stack stack = Stack::only;
  Index first_query = 0;           ///< the first query's position among the keys
  bool are_told_by_texts = false;  ///< tokens have no ids that say which are equal, as those of maps from files
  bool is_one_text() const { return &queries == &keys; }
};
MapTokens tokens_of(const Snapshot& run, int layer);

/// What would give a text such targets.
enum class TargetRemedy : std::uint8_t {
  none,
  repeat_text,  ///< the same words once more
  long_word,    ///< a word of several tokens
  wider_mask,   ///< a mask that allows more
};

struct TargetPatternRow {
  TargetPattern pattern;
  std::string_view id;                                          ///< in files and on the command line: "same-word"
  std::string_view title;                                       ///< on screen: "previous token"
  std::string_view meaning;                                     ///< a sentence for a newcomer
  void (*add_targets)(const MapTokens& tokens, Mask& targets);  ///< of one text
  std::string_view missing;                                     ///< a sentence: why a text has no targets
  TargetRemedy remedy = TargetRemedy::none;
};
/// In the order in which they are offered.
std::span<const TargetPatternRow> target_patterns();
const TargetPatternRow& row_of(TargetPattern pattern);

/// A value: it names no run, and is asked of any that has the tokens it counts.
struct HeadQuestion {
  enum class Kind : std::uint8_t { nothing, cells, pattern, mask };
  Kind kind = Kind::nothing;
  TargetPattern pattern = TargetPattern::previous;
  std::string mask = {};  ///< a mask text: a key is a target where it allows the cell
  /// In the order in which they were drawn: a relation is a block of queries and keys, a later block that is not `is_allowed` erases.
  std::vector<CellBlock> cells = {};
  std::string text = {};      ///< of the queries that the cells count, and
  Index tokens = 0;           ///< how many tokens it has
  Stack stack = Stack::only;  ///< of the maps on which the cells are drawn
  bool operator==(const HeadQuestion&) const = default;

  bool is_nothing() const { return kind == Kind::nothing; }
};

HeadQuestion question_of(TargetPattern pattern);
/// Throws Error (usage) for what is not a mask text.
HeadQuestion question_of_mask(const std::string& mask);
/// `tokens`: of the map on which the cells are drawn.
HeadQuestion question_of_cells(std::vector<CellBlock> cells, const MapTokens& tokens);

/// Its cells count the tokens of this text, or it has no cells.
bool is_about(const HeadQuestion& question, const Encoding& text);
/// D as cells of a layer's maps, 1 (allows) where a key is a target, masked or not; nullopt where the question has no meaning: cells of
/// another stack or text, patterns between two texts.
std::optional<Mask> targets_of(const HeadQuestion& question, const MapTokens& tokens, const Watch& watch = {});

/// Only what the kind needs: {"pattern": "previous"}.
Json to_json(const HeadQuestion& question);
/// A question that makes no sense is none.
HeadQuestion question_from_json(const Json& json);

}  // namespace headlight

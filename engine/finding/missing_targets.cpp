#include "engine/finding/missing_targets.h"

#include <algorithm>
#include <optional>
#include <set>

namespace headlight {
namespace {

/// What some layer of a run has of a question.
struct Found {
  bool has_meaning = false;  ///< its stack and its text are those that the question is of
  bool has_target = false;
  bool has_allowed = false;  ///< a target that a mask allows
};

bool has_any(const Mask& cells) {
  for (Index query = 0; query < cells.queries(); ++query) {
    if (cells.allowed_in_row(query) > 0) return true;
  }
  return false;
}

bool have_common(const Mask& a, const Mask& b) {
  for (Index query = 0; query < a.queries(); ++query) {
    const std::uint8_t *left = a.row(query), *right = b.row(query);
    for (Index key = 0; key < a.keys(); ++key) {
      if (left[key] != 0 && right[key] != 0) return true;
    }
  }
  return false;
}

Found found_in(const Snapshot& run, const HeadQuestion& question, const Watch& watch) {
  Found found;
  std::set<const Mask*> tried;  // layers and heads share masks
  for (int number = 0; number < run.layers() && !found.has_allowed; ++number) {
    watch.check();
    const MapTokens tokens = tokens_of(run, number);
    const std::optional<Mask> targets = targets_of(question, tokens, watch);
    if (!targets) continue;
    found.has_meaning = true;
    if (!has_any(*targets)) continue;
    found.has_target = true;
    for (const auto& rule : run.trace.layer(number).rules) {
      const bool is_new = tried.insert(rule.mask.get()).second;
      if (is_new && have_common(*targets, *rule.mask)) found.has_allowed = true;
    }
  }
  return found;
}

MissingTargets without_meaning(const HeadQuestion& question) {
  if (question.kind == HeadQuestion::Kind::cells) return {"The cells are of another text than these maps."};
  return {"This asks for tokens of one text, and the queries and keys of these maps are two texts."};
}

MissingTargets without_target(const HeadQuestion& question) {
  if (question.kind == HeadQuestion::Kind::mask) return {"The mask text allows no cell of these maps."};
  if (question.kind == HeadQuestion::Kind::cells) return {"None of these cells is in the maps: the text is shorter, or all were erased."};
  const TargetPatternRow& row = row_of(question.pattern);
  return {std::string(row.missing), row.remedy};
}

}  // namespace

MissingTargets missing_targets(const Snapshot& run, const HeadQuestion& question, const Watch& watch) {
  const Found found = found_in(run, question, watch);
  if (!found.has_meaning) return without_meaning(question);
  if (!found.has_target) return without_target(question);
  if (!found.has_allowed) {
    const bool is_ahead = question.kind == HeadQuestion::Kind::pattern && question.pattern == TargetPattern::next;
    return {is_ahead ? "The mask lets no token look at the one after it." : "The mask lets no query look at such a key.",
            TargetRemedy::wider_mask};
  }
  return {"No row that may look at two or more keys has such a key, so no head can be told from another by this."};
}

}  // namespace headlight

// Which logit a figure explains.
#pragma once

#include <optional>
#include <string>

#include "engine/attribution/logit_parts.h"
#include "engine/figure/effects/effects_request.h"

namespace headlight {

/// The logit that a target names in this run. Throws Error (usage) as watch_text; nothing where the target is not about one, or has no value.
std::optional<LogitQuestion> logit_of(const Target& target, const Snapshot& run);

/// Why a request names no logit of this run, as a sentence; empty: it names one. Throws Error (usage) for a token that the vocabulary does not
/// have.
std::string why_no_logit(const Snapshot& snapshot, const EffectsRequest& request);

/// The logit; of the likeliest token where none is named. Throws Error (usage): why_no_logit, and where that position's logits are not numbers;
/// Cancelled.
LogitQuestion asked_logit(const Snapshot& snapshot, const EffectsRequest& request, ThreadPool& pool, Progress& progress);

/// The words of a logit: "·gallops − ·gallop", and of its position: "·horse".
struct LogitWords {
  std::string token;
  std::string against;  ///< empty: nothing is subtracted
  std::string place;
  Index position = 0;
  bool is_next = true;  ///< the token comes after the place; else it is at it
  /// "“·gallops” − “·gallop”".
  std::string tokens() const;
  /// "after “·horse” (2)".
  std::string where() const;
};
LogitWords words_of(const Snapshot& snapshot, const LogitQuestion& question);

}  // namespace headlight

// What a baseline predicted at the positions of a page of predictions, token by token.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/figure/predictions/predictions.h"

namespace headlight {

struct PredictionChangesRequest {
  std::shared_ptr<const PredictionsFound> now;
  std::shared_ptr<const Snapshot> before;
  bool operator==(const PredictionChangesRequest&) const = default;
};

/// One token, as likely as it is now and as it was before: both computed, however unlikely.
struct TokenChange {
  LikelyToken now, before;
  std::string label;
  double change() const { return now.probability - before.probability; }
};

struct PositionChanges {
  std::vector<TokenChange> listed;    ///< now's likeliest, in their order
  std::vector<TokenChange> lost;      ///< the baseline's likeliest that are no longer listed, by their rank before
  std::optional<TokenChange> actual;  ///< the word that the present text has there
};

struct PredictionChanges {
  PredictionChangesRequest request;
  std::string problem;                     ///< why tokens cannot be compared: the vocabularies differ; empty: they can
  std::vector<PositionChanges> positions;  ///< one per prediction of the page; empty if there is a problem
  std::vector<std::string> tokens;         ///< PredictionsFound::tokens, "cat / horse" where the word before was another
};

/// Why two runs' predictions cannot be subtracted position by position, as a sentence; empty if they can, as far as can be seen without
/// computing. The same rule as for maps: the sizes must agree, the words need not.
std::string why_not_subtracted(const Snapshot& now, const Snapshot& before);

/// On any thread. Both runs predict tokens, and why_not_subtracted has no objection. Throws what predict_tokens throws.
PredictionChanges find_changes(const PredictionChangesRequest& request, ThreadPool& pool, Progress& progress);

}  // namespace headlight

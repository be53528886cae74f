// The parts of a logit as people read them: the largest by themselves in the order of the computation, and what is small joined by name, so
// that bars which run on from each other still end in the logit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/attribution/logit_parts.h"

namespace headlight {

/// One part, or several small ones.
struct LogitBar {
  std::string label;
  std::string help;
  double value = 0;
  std::optional<HeadId> head = {};  ///< whose part it is
};
/// Bars whose values add up to LogitParts::sum. `listed`: how many heads and feed-forward parts have a bar of their own at most.
std::vector<LogitBar> logit_bars(const Snapshot& run, const LogitParts& parts, std::size_t listed);

/// The head with the largest part, whatever its sign; none of a model without heads.
std::optional<HeadId> largest_head(const LogitParts& parts);

/// What a head takes from one source token, or from several small ones.
struct SourceShare {
  Index token = -1;  ///< −1: several
  std::size_t joined = 1;
  double weight = 0;  ///< of the position's row
  double adds = 0;    ///< to the logit
};
/// The largest by themselves, the largest first, and the rest as one. adds (attribute_sources) and weights [keys].
std::vector<SourceShare> source_shares(const std::vector<double>& adds, const std::vector<float>& weights, std::size_t listed);

}  // namespace headlight

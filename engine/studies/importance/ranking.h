// What importances of heads are good for: how alike two rankings are, and in which order heads can be removed (metrics 6.5).
#pragma once

#include <functional>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/targets/pruning_curves.h"

namespace headlight {

/// From 0; equal values have the mean of their ranks. Empty where one is not a number.
std::vector<double> ranks_of(const std::vector<double>& values);
/// Of what ranks_of gives.
double correlation_of_ranks(const std::vector<double>& a, const std::vector<double>& b);
/// Spearman's rank correlation: that of Pearson between ranks, equal values sharing the mean of theirs. NaN of fewer than two, where all values
/// of one side are equal, and where one is not a number. Both lists have one value for each thing.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

/// The order in which heads are removed, least important first; equal ones by layer and head. `kept_per_layer` heads of each layer stay to the
/// end and are not in it. heads and importance: one each.
std::vector<HeadId> removal_order(const std::vector<HeadId>& heads, const std::vector<double>& importance, int kept_per_layer);

/// One-shot: in an order that is found once. value(heads): the target without these heads.
std::vector<PruningStep> pruning_curve(const std::vector<HeadId>& order, const std::function<double(const std::vector<HeadId>&)>& value);
/// Exact: after each step the importance of every head that is left is found anew, without those that are gone, and the least important goes.
/// importance(removed, head): that of a head beside the removed ones.
std::vector<PruningStep> exact_pruning_curve(const std::vector<HeadId>& heads, int kept_per_layer,
                                             const std::function<double(const std::vector<HeadId>&, HeadId)>& importance,
                                             const std::function<double(const std::vector<HeadId>&)>& value);

}  // namespace headlight

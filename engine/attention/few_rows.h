// Attention of a few new queries, as when a text is typed on: keys and values are read once, as they lie in the rows of all heads, and nothing
// is laid out for products that only these queries would have.
#pragma once

#include "engine/attention/multi_head.h"

namespace headlight {

/// Whether there are few enough queries, and scores are dot products.
bool are_few_rows(const AttendingRows& rows, const MultiHeadSettings& settings);

/// attend_rows for these heads, with its bits, where are_few_rows. z [queries − first_query, all heads · d_value].
void attend_few_rows(const AttendingRows& rows, const MultiHeadSettings& settings, int first_head, int end_head, MatrixBlock z,
                     const HeadObserver& observer, const Watch& watch = {});

}  // namespace headlight

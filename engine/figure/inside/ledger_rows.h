// Which keys have a row of their own, and what is folded.
#pragma once

#include "engine/figure/inside/inside_figure.h"

namespace headlight {

/// How many rows there is room for, and what has to be among them.
struct RowWishes {
  std::size_t most = 16;
  Index chosen_key = 0;
  std::set<Index> opened;
  bool shows_masked = false;  ///< one row for each masked key too, if they fit
  Index most_keys = 0;        ///< that have rows though nobody opened them; 0: no limit but `most`
};
/// Every key is in exactly one row, in order; a sink comes first. As many keys as fit have rows: the chosen one, then those that were opened,
/// then by weight. There may be one or two rows more than `most` where masks are finely cut.
std::vector<LedgerRow> plan_rows(const Inside& inside, const RowWishes& wishes);

}  // namespace headlight

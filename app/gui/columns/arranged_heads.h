// Heads that a view orders, filters and tints by columns instead of setting them by layers.
#pragma once

#include <string>
#include <vector>

#include "app/gui/columns/shown_columns.h"

namespace headlight {

/// What an arrangement comes to in this frame.
struct ArrangedHeads {
  std::vector<HeadId> heads;         ///< those that its filters let through, in its order
  std::size_t all = 0;               ///< of how many
  const HeadColumn* sort = nullptr;  ///< null: by layer and head
  const HeadColumn* tint = nullptr;  ///< null: none
  ColumnSpread tints;                ///< of the tint, over all heads
  ShownColumns shown;                ///< keeps the columns
};

/// Asks for the columns that the arrangement needs.
ArrangedHeads arranged_heads(Panel& panel, const HeadArrangement& arrangement);
/// "ordered by spread, largest first · 12 of 32 heads shown"; empty: all heads are set by layers.
std::string arrangement_text(const ArrangedHeads& arranged, const HeadArrangement& arrangement);

inline bool is_arranged(const HeadArrangement& arrangement) {
  return arrangement != HeadArrangement{};
}
/// Arranges the Overview, and scrolls it to its top.
void arrange_overview(Panel& panel, HeadArrangement arrangement);

/// Columns that a view can be arranged by: those of questions and files, the usual measures, and those of the table.
struct ColumnName {
  std::string id, title;
};
std::vector<ColumnName> columns_to_arrange_by(const Panel& panel);

}  // namespace headlight

// What chance gives of the measures in the table: the same text through random weights, and its tokens shuffled.
#pragma once

#include <optional>
#include <string>

#include "app/gui/columns/shown_columns.h"

namespace headlight {

/// The columns with the baselines that were computed for them, where they are measured on the shown text. Small models are drawn at once; of
/// larger ones only once somebody asked (draw_chance_offer). Kept from frame to frame until either changes.
ShownColumns with_chance(Panel& panel, ShownColumns shown);
/// A button that asks for them, or how far they are; nothing where there are none to be had.
void draw_chance_offer(Panel& panel, const HeadColumn& column);
/// What this head has by chance, mean ± deviation over the draws, and the z that is made of them, or why there is none.
void draw_chance_of_head(const Look& look, const HeadColumn& column, const ColumnBaseline& chance, HeadId head, float row);

/// "0.124 ± 0.0310": the mean and the deviation that z is made of; without a deviation the mean alone.
std::string chance_text(const HeadColumn& column, const ColumnBaseline& chance, HeadId head);
/// Why a head has no z.
struct NoScore {
  const char* words;     ///< two or three: "one draw"
  const char* sentence;  ///< the same for a newcomer
};
/// nullopt: it has one.
std::optional<NoScore> why_no_z(const HeadColumn& column, const ColumnBaseline& chance, HeadId head);
/// In numbers that can be checked by hand, "(value − mean) / deviation = (0.998 − 0.124) / 0.031 = 28.2", or why there is no z.
std::string how_z_is_made(const HeadColumn& column, const ColumnBaseline& chance, HeadId head);
/// Why nothing was drawn by chance for a column, in a sentence; empty: it was, it will be, or nothing could be.
std::string why_no_chance(const Panel& panel, const HeadColumn& column);

}  // namespace headlight

// Where the groups of columns and the rows of a ledger are.
#pragma once

#include <array>

#include "engine/figure/inside/inside_figure.h"

namespace headlight {

inline constexpr float kRowsHeader = 38;  ///< of a group: its title and its formula
inline constexpr float kVectorRow = 46;   ///< q above the keys, and what columns are called
inline constexpr float kSumRow = 34;
inline constexpr float kBracket = 20;            ///< above the headings, where heads share keys and values
inline constexpr float kHatchUnderText = 0.15F;  ///< strength of its lines, so that text on them has a contrast of 4.5 : 1
inline constexpr float kLowArea = 300;           ///< areas below it do without what is not a number
inline constexpr float kOutputLine = 108;
inline constexpr float kPanelPadding = 12;  ///< of the raised panel, around the group's own width
inline constexpr float kScoreWidth = 56;    ///< of a number
inline constexpr float kSoftmax = 384;      ///< the columns of the softmax; narrower they do without one bar
inline constexpr float kLeastSoftmax = 248;

struct LedgerGroup {
  float left = 0, width = 0;
  bool is_shown = true;
  float right() const { return left + width; }
};

/// From left to right, by step. The first is the column of tokens.
struct LedgerColumns {
  std::array<LedgerGroup, kInsideSteps> groups;
  float cell = 0;           ///< width of a cell in the current group's unfolded vectors
  bool has_digits = false;  ///< it is wide enough for them
  float strip = 80;         ///< width of a folded vector
  bool has_bars = true;     ///< beside weights of a folded softmax
  const LedgerGroup& of(InsideStep step) const { return groups[static_cast<std::size_t>(step)]; }
};
/// What columns are there depends on the head: a soft-cap and a bias have some of their own.
LedgerColumns place_columns(const Inside& inside, InsideMoment moment, float left, float width);

/// The least width in which the columns of a step have room, without those of other steps and without digits in vectors.
float least_ledger_width(const Inside& inside, InsideStep step);

struct PlacedRow {
  LedgerRow row;
  float top = 0, height = 0;
  float middle() const { return top + height / 2; }
};
struct LedgerLines {
  float header = 0;   ///< top of the groups
  float vectors = 0;  ///< top of the line with q
  std::vector<PlacedRow> rows;
  float sums = 0;    ///< top of the line of sums
  float output = 0;  ///< top of the heads side by side; 0: there is no room for them
  float bottom = 0;  ///< of the current group's panel
};
/// `opens`: the chosen row has three lines.
LedgerLines place_lines(const InsideFigureRequest& request, Index chosen_key, bool opens, const Box& area);

}  // namespace headlight

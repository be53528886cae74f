// Measures: single numbers about a head's map, one row of a table each. Code that shows, sorts, writes or explains measures reads the rows
// and asks for none by name. A new measure is a new row and its function of a row of the map.
//
// Convention of every row: natural logarithm, 0 ln 0 = 0, no smoothing. R is the set of informative rows: those with at least two allowed
// keys that are not all zeros. A measure is the mean over R, or over the rows of R in which its function has a value; NaN where there is
// none ("undefined", shown as –).
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/core/matrix.h"

namespace headlight {

/// An informative row of a map as measures are given it, with what several of them need computed once.
struct MeasuredRow {
  /// Up to the last key that this query, or another of the rows that were computed with it, may attend to. Those behind have weight 0.
  Eigen::Ref<const RowVector> weights;
  const Mask& mask;
  Index query = 0;
  Index allowed = 0;                       ///< keys that the query may attend to: 2 or more
  float largest = 0;                       ///< NaN where a weight is
  double entropy = 0;                      ///< −Σ a ln a, in nats
  std::span<const CellBlock> frames = {};  ///< what a person asks about (ranking.h); empty: nothing
};

/// Where a measure is first shown. Each place also shows those of the places before it.
enum class MeasurePlace : std::uint8_t {
  pointer,     ///< under the pointer in Overview
  card,        ///< on the card of a head
  comparison,  ///< beside other heads
};

struct Measure {
  std::string_view id;       ///< in files: "mean_distance"
  std::string_view title;    ///< on screen: "mean distance"
  std::string_view unit;     ///< "tokens"; empty: a share or a ratio
  std::string_view formula;  ///< of one row
  std::string_view meaning;  ///< a sentence for a newcomer
  std::string_view source;
  double low = 0;
  double high = 1;              ///< infinity: it grows with the text, up to what `limit` says
  std::string_view limit = {};  ///< of an infinite `high`, by row
  std::string_view undefined;   ///< when there is no value
  bool needs_one_text = false;  ///< undefined where queries and keys count different texts
  MeasurePlace place = MeasurePlace::comparison;
  std::optional<double> (*of_row)(const MeasuredRow& row);  ///< nullopt: the row does not count
};

using Measures = std::span<const Measure>;
/// The program's measures, in the order in which they are shown.
Measures head_measures();

/// The row with this id. Throws std::out_of_range if the table has none, which is a bug.
const Measure& measure_of(Measures table, std::string_view id);

/// The measure of the numbers under the tiles of a grid, and of the note on heads that attend to all tokens alike.
inline constexpr std::string_view kEvenness = "normalised_entropy";

/// "0.62", "3.1e-6", "2.4" for tokens; "–" where it is undefined.
std::string measure_text(const Measure& measure, double value);

/// The values of a table's measures for one head.
struct MeasuredHead {
  Measures table = {};              ///< outlives the values
  std::vector<double> values = {};  ///< values[i] is that of table[i]
  /// As measure_of.
  double value(std::string_view id) const;
};

}  // namespace headlight

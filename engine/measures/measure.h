// Measures: single numbers about a head's map, one row of a table each. Code that shows, sorts, writes or explains measures reads the rows
// and asks for none by name. A new measure is a new row and its function of a row of the map.
//
// Convention of every row: natural logarithm, 0 ln 0 = 0, no smoothing. R is the set of informative rows: those with at least two allowed
// keys that are not all zeros. Each row of the map adds a value with a weight, mostly 1; a measure is Σ value / Σ weight over R, or over the
// rows of R in which its function has a value; NaN where there is none ("undefined", shown as –). Nothing but these two sums is kept of a
// map, so measures are gathered while its rows pass by (head_gauge.h).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/measures/measured_row.h"

namespace headlight {

/// Where a measure is first shown. Each place also shows those of the places before it; those of `list` only the list of all measures has.
enum class MeasurePlace : std::uint8_t {
  pointer,     ///< under the pointer in Overview
  card,        ///< on the card of a head
  comparison,  ///< beside other heads
  list,
};

/// Which rows count.
enum class MeasuredRows : std::uint8_t { informative, every };

/// What a measure needs besides the rows of one map and their mask; what has a parameter is named with it, "beyond-distance:8".
enum class MeasureNeed : std::uint8_t {
  nothing,
  tokens,    ///< which are equal
  distance,  ///< a parameter, in tokens
  offset,    ///< a parameter, key − query
  key,       ///< a parameter, a position
  keys,      ///< a parameter, a set of keys (key_set.h)
  spans,     ///< a parameter, "2-3/0-1": queries 2 and 3, keys 0 and 1
  outputs,   ///< what heads write into the stream: fed by HeadGauge::add_outputs
  // These have no function of a row (engine/studies/own_texts).
  several_texts,  ///< maps of several texts at once, and a parameter: of how many positions
  four_repeats,   ///< the model's run on 25 random tokens, four times over
  two_repeats,    ///< the model's run on 50 random tokens, twice over
  target,         ///< what the model predicts while the head is changed (engine/targets)
};
/// Whether it is of random tokens that are repeated: its n counts draws.
constexpr bool is_of_drawn_tokens(MeasureNeed need) {
  return need == MeasureNeed::four_repeats || need == MeasureNeed::two_repeats;
}
/// Whether its texts are not those that are given, one by one.
constexpr bool needs_own_texts(MeasureNeed need) {
  return is_of_drawn_tokens(need) || need == MeasureNeed::several_texts;
}

struct Measure {
  std::string_view id;            ///< in files and on the command line, lower-case words with hyphens: "mean-distance"; never changes
  std::string_view title;         ///< on screen: "mean distance"
  std::string_view unit = {};     ///< "tokens", "nats"; empty: a share or a ratio
  std::string_view formula = {};  ///< of one row
  std::string_view meaning;       ///< a sentence for a newcomer
  std::string_view source = {};
  double low = 0;                           ///< minus infinity: below `high` without a limit
  double high = 1;                          ///< infinity: it grows with the text, up to what `limit` says
  std::string_view limit = {};              ///< of an infinite `low` or `high`, by row
  std::string_view undefined = {};          ///< when there is no value
  std::string_view example_parameter = {};  ///< that the worked example is measured with
  std::string_view example_on = {};         ///< what its worked example is besides the map of worked_example.h; empty: that alone
  double example = std::numeric_limits<double>::quiet_NaN();  ///< its value on the worked example
  MeasureNeed need = MeasureNeed::nothing;
  bool is_change = false;       ///< it has a sign, and heads are ranked by its size
  bool needs_one_text = false;  ///< undefined where queries and keys count different texts
  bool is_mean = true;          ///< every row that counts weighs 1; else value and weight of a row both matter
  bool is_of_layer = false;     ///< divided by the mean of the heads of its layer
  MeasuredRows rows = MeasuredRows::informative;
  MeasurePlace place = MeasurePlace::list;
  std::string_view label = {};  ///< what a head with much of it is called (head_label.h); empty: it has no name
  double threshold = 0;         ///< the least value of such a head
  RowFunction of_row = {};      ///< null: it has none
};

using Measures = std::span<const Measure>;
/// All of the program's measures of one head, in the order in which they are listed; those of head_measures come first.
Measures all_measures();
/// Those that every picture comes with: the window shows them beside its maps.
Measures head_measures();

/// The row with this id. Throws std::out_of_range if the table has none, which is a bug.
const Measure& measure_of(Measures table, std::string_view id);

/// The measure of the numbers under the tiles of a grid, and of the note on heads that attend to all tokens alike.
inline constexpr std::string_view kEvenness = "normalised-entropy";
inline constexpr std::string_view kHiddenMass = "hidden-mass";

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();
inline constexpr std::string_view kNoRow = "no row may attend to two or more keys";

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

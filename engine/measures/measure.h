// Measures: single numbers about a head's map, one row of a table each. Code that shows, sorts, writes or explains measures reads the rows
// and asks for none by name. A new measure is a new row and its function of a row of the map.
//
// Convention of every row: natural logarithm, 0 ln 0 = 0, no smoothing. R is the set of informative rows: those with at least two allowed
// keys that are not all zeros. Each row of the map adds a value with a weight, mostly 1; a measure is Σ value / Σ weight over R, or over the
// rows of R in which its function has a value; NaN where there is none ("undefined", shown as –). Nothing but these two sums is kept of a
// map, so measures are gathered while its rows pass by (head_gauge.h).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/core/matrix.h"
#include "engine/kernels/instruction_set.h"
#include "engine/kernels/steady_functions.h"
#include "engine/measures/measured_text.h"

namespace headlight {

/// Tokens from `begin` up to, but not with, `end`.
struct TokenSpan {
  Index begin = 0, end = 0;
  bool contains(Index token) const { return token >= begin && token < end; }
  bool operator==(const TokenSpan&) const = default;
};

/// What some measures ask for besides the row (Measure::needs).
struct MeasureSettings {
  Index distance = 1;                      ///< d: mass on keys farther away than this
  Index offset = -1;                       ///< key − query
  Index key = 0;                           ///< a position
  KeySet keys = {};                        ///< which keys count
  TokenSpan queries = {}, span_keys = {};  ///< from which span to which
};

/// A row of a map as measures are given it, with what several of them need computed once.
struct MeasuredRow {
  /// Up to the last key that this query, or another of the rows that were computed with it, may attend to. Those behind have weight 0.
  Eigen::Ref<const RowVector> weights;
  const std::uint8_t* cells = nullptr;  ///< one for each weight: 1 where the query may attend
  Index query = 0;
  Index allowed = 0;  ///< keys that the query may attend to: 2 or more in an informative row
  float largest = 0;  ///< NaN where a weight is
  const MeasuredText* text = nullptr;
  const MeasureSettings* settings = nullptr;
  std::span<const std::uint8_t> chosen = {};  ///< [keys] 1: in MeasureSettings::keys
  std::span<const std::uint8_t> hidden = {};  ///< [keys] 1: taken out of the row before it was measured; empty: none

  /// False for positions outside the row.
  bool allows(Index key) const { return key >= 0 && key < weights.size() && cells[key] != 0; }
  bool hides(Index key) const { return key >= 0 && key < std::ssize(hidden) && hidden[static_cast<std::size_t>(key)] != 0; }
  /// −Σ a ln a, in nats.
  double entropy() const {
    if (std::isnan(known_entropy)) known_entropy = instruction_set().entropy(weights.data(), weights.size());
    return known_entropy;
  }
  /// ln |allowed keys|
  double log_allowed() const {
    if (std::isnan(known_log_allowed)) known_log_allowed = steady_log(static_cast<double>(allowed));
    return known_log_allowed;
  }
  mutable double known_entropy = std::numeric_limits<double>::quiet_NaN();  ///< once somebody asked
  mutable double known_log_allowed = std::numeric_limits<double>::quiet_NaN();
};

/// What a row adds to a measure.
struct RowValue {
  RowValue(double of_row, double with_weight = 1, Index at_key = -1)  // NOLINT(google-explicit-constructor): mostly a number alone
      : value(of_row), weight(with_weight), key(at_key) {}
  double value;
  double weight;
  Index key;  ///< the heaviest key that it counted; −1: the row's heaviest
};

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
  tokens,         ///< which are equal
  distance,       ///< a parameter, in tokens
  offset,         ///< a parameter, key − query
  key,            ///< a parameter, a position
  keys,           ///< a parameter, a set of keys (key_set.h)
  spans,          ///< a parameter, "2-3/0-1": queries 2 and 3, keys 0 and 1
  outputs,        ///< what heads write into the stream: fed by HeadGauge::add_outputs
  several_texts,  ///< maps of several texts at once: has no function of a row (engine/analysis/content_dependence.h)
  model,          ///< the whole model, run on tokens of its own: has no function of a row (engine/studies/repeated_tokens.h)
};

struct Measure {
  std::string_view id;            ///< in files and on the command line, lower-case words with hyphens: "mean-distance"; never changes
  std::string_view title;         ///< on screen: "mean distance"
  std::string_view unit = {};     ///< "tokens", "nats"; empty: a share or a ratio
  std::string_view formula = {};  ///< of one row
  std::string_view meaning;       ///< a sentence for a newcomer
  std::string_view source = {};
  double low = 0;                                             ///< minus infinity: below `high` without a limit
  double high = 1;                                            ///< infinity: it grows with the text, up to what `limit` says
  std::string_view limit = {};                                ///< of an infinite `low` or `high`, by row
  std::string_view undefined = {};                            ///< when there is no value
  std::string_view example_parameter = {};                    ///< that the worked example is measured with
  double example = std::numeric_limits<double>::quiet_NaN();  ///< its value on the worked example (worked_example.h); NaN: undefined there
  MeasureNeed need = MeasureNeed::nothing;
  bool needs_one_text = false;  ///< undefined where queries and keys count different texts
  bool is_mean = true;          ///< every row that counts weighs 1; else value and weight of a row both matter
  bool is_of_layer = false;     ///< divided by the mean of the heads of its layer
  MeasuredRows rows = MeasuredRows::informative;
  MeasurePlace place = MeasurePlace::list;
  std::string_view label = {};  ///< what a head with much of it is called (head_label.h); empty: it has no name
  double threshold = 0;         ///< the least value of such a head
  std::optional<RowValue> (*of_row)(const MeasuredRow& row) = nullptr;  ///< nullopt: the row does not count
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

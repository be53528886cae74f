// A column: one number of every head, with all that a person must know to read it. Tables, orders, tints and scatter plots take columns,
// wherever their numbers come from: the table of measures on a text or a corpus, a question ("which head does this?"), a file of one's own.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/measures/head_label.h"

namespace headlight {

/// A number for every head; NaN (undefined) where none was set.
class HeadNumbers {
 public:
  double of(HeadId head) const;
  void set(HeadId head, double value);
  bool is_empty() const { return by_layer_.empty(); }
  const std::vector<std::vector<double>>& by_layer() const { return by_layer_; }  ///< [layer][head], as far as they were set

 private:
  std::vector<std::vector<double>> by_layer_;  ///< [layer][head]
};

/// What the column is worth where there is nothing to find: "all keys alike", "random weights", "shuffled tokens".
struct ColumnBaseline {
  std::string name = {};
  bool is_of_shuffled = false;  ///< of tokens in another order
  double mean = 0;              ///< over all heads
  double deviation = std::numeric_limits<double>::quiet_NaN();
  int draws = 0;                            ///< 0: it is computed, and not drawn by chance
  HeadNumbers means = {}, deviations = {};  ///< of each head, where they are known
  /// (value − mean) / deviation of this head; NaN where it has none.
  double z_score(HeadId head, double value) const;
};

/// Where the numbers come from.
enum class ColumnOrigin : std::uint8_t { text, corpus, question, imported };

/// A value; shared between threads once made.
struct HeadColumn {
  std::string
      id;  ///< one of its kind in a table: a measure's as in files ("mean-distance"), "question:follow-horse", "scores.csv:retrieval"
  std::string title = {};                                 ///< of its heading, as short as it can be
  std::string unit = {};                                  ///< "tokens", "nats"; empty: a share, a ratio or a score
  std::string formula = {};                               ///< of one row of a map, or of the number
  std::string meaning = {};                               ///< a sentence for a newcomer
  std::string source = {};                                ///< paper
  std::string undefined = {};                             ///< when a head has no value
  double low = -std::numeric_limits<double>::infinity();  ///< the range that is stated; infinite: none is
  double high = std::numeric_limits<double>::infinity();
  std::string limit = {};  ///< of an infinite end, in words
  bool is_change = false;  ///< heads are ranked by the size of their values, whatever the sign
  ColumnOrigin origin = ColumnOrigin::text;
  std::string measured_on = {};  ///< "this text, 13 tokens", "corpus stories.txt", "imported scores.csv"
  std::string corpus = {};       ///< the file that the texts are from; empty: it is of one text, of drawn tokens, or not known
  std::int64_t texts = 0;        ///< n; 0: not known
  HeadNumbers values = {};
  HeadNumbers rows = {};    ///< queries that counted, where that is known
  HeadNumbers errors = {};  ///< standard errors over texts, where there are several
  std::vector<ColumnBaseline> baselines = {};
  /// Of a measure of the table: gives the worked example and what heads with much of it are called.
  std::optional<MeasureRequest> request = {};
  /// What heads are ranked by, the largest first; NaN: undefined.
  double rank_value(HeadId head) const;
};
using HeadColumns = std::vector<std::shared_ptr<const HeadColumn>>;

/// The column of a measure without its numbers: title, formula, meaning, range and source as the table has them.
HeadColumn column_of(const MeasureRequest& request);
/// "0.62", "3.1e-6", "2.4" for tokens; "–" where it is undefined.
std::string column_number(const HeadColumn& column, double value);
/// What the head is called for its value (head_label.h); nullopt: nothing.
std::optional<HeadLabel> label_of(const HeadColumn& column, HeadId head);
/// The column with this id; null: none of them.
const HeadColumn* find_column(const HeadColumns& columns, std::string_view id);

}  // namespace headlight

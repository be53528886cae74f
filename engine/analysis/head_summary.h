// What is kept of every head's map as its rows are computed: a small max-pooled picture, its sizes, and its measures (engine/measures/measure.h).
#pragma once

#include "engine/attention/multi_head.h"
#include "engine/measures/measure.h"

namespace headlight {

inline constexpr Index kPooledSide = 256;  ///< longest side of a pooled map

struct HeadSummary {
  SharedRows pooled;  ///< maxima of pool × pool cells; the weights themselves where pool is 1
  Index pool = 1;
  Index queries = 0, keys = 0;
  float largest = 0;         ///< largest weight of the map
  int masked_rows = 0;       ///< rows without an allowed key
  int informative_rows = 0;  ///< |R|, the rows that measures count
  MeasuredHead measured;
  /// What all rows down to each row of the picture add up to [rows of the picture, 3 + 2 · measures], for a text that begins with the same
  /// rows (HeadMeter).
  SharedRowsOf<double> sums;
  double value(std::string_view id) const { return measured.value(id); }
};

/// How a map is summarised.
struct MeterSettings {
  Measures table = head_measures();  ///< means over informative rows, of measures that need nothing but the row
  bool shares_text = true;           ///< queries and keys count the same text: else measures that need one text are undefined
};

/// Summarises a map from top to bottom as its rows are computed.
class HeadMeter {
 public:
  /// Of weights: the mask is theirs and outlives the meter.
  HeadMeter(const Mask& mask, const MeterSettings& settings);
  /// Of numbers whose rows do not all share out 1 (GivenSums::are_weights): the picture alone, and every measure is undefined.
  HeadMeter(Index queries, Index keys, const MeterSettings& settings);

  /// The first rows of the map are those of `before`, and so is the part of the mask that they see; may be called once, before add. Returns the
  /// row that add must begin with: at most `rows`, because a cell of the picture is made of several rows.
  Index begin_after(const HeadSummary& before, Index rows);
  /// The rows below those that were added before.
  void add(const HeadRows& rows, const Watch& watch = {});
  /// Once, after the last row.
  HeadSummary finish();

 private:
  void pool_row(Eigen::Ref<const RowVector> row);
  void pool_band();
  void measure_row(Index query, Eigen::Ref<const RowVector> row, double* numbers) const;
  double* sums_for_row();
  void add_up(const double* numbers, double* sums) const;
  void tell_sums(HeadSummary& summary) const;

  const Mask* mask_ = nullptr;
  Index queries_, keys_;
  MeterSettings settings_;
  Index pool_ = 1, first_ = 0, next_ = 0;  ///< first_: the row that adding began with
  const HeadSummary* before_ = nullptr;
  RowVector band_;                        ///< maxima of the rows of one row of the picture, and
  Index band_rows_ = 0, band_reach_ = 0;  ///< how many rows and keys they are of
  Matrix pooled_;                         ///< rows of the picture from that of first_ on
  SharedRowsOf<double>::Rows sums_;       ///< down to each of these rows of the picture
};

/// Every measure of `table` in one pass over the rows.
HeadSummary summarise_head(const Matrix& weights, const Mask& mask, const Watch& watch = {}, Measures table = head_measures());
/// For a map whose rows are not all weights (GivenSums::are_weights): the picture and its sizes; every measure is undefined.
HeadSummary summarise_numbers(const Matrix& numbers, const Watch& watch = {}, Measures table = head_measures());
/// For cross-attention: its queries and keys count different texts, so measures that need one text are undefined.
HeadSummary summarise_cross_head(const Matrix& weights, const Mask& mask, const Watch& watch = {}, Measures table = head_measures());

}  // namespace headlight

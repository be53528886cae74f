// Gathers measures of one head while the rows of its map pass by: nothing but sums is kept, whatever the size of the map.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/attention/head_rows.h"
#include "engine/measures/measure_request.h"

namespace headlight {

/// What a mask says of each of its rows: found once for all heads that share it.
class MaskRows {
 public:
  /// The mask outlives this.
  explicit MaskRows(const Mask& mask);
  const Mask& mask() const { return *mask_; }
  Index allowed(Index query) const { return rows_[static_cast<std::size_t>(query)].allowed; }
  /// ln |allowed keys|
  double log_allowed(Index query) const { return rows_[static_cast<std::size_t>(query)].log_allowed; }
  /// One past the last key that the query may attend to.
  Index reach(Index query) const { return rows_[static_cast<std::size_t>(query)].reach; }

 private:
  struct Row {
    Index allowed = 0, reach = 0;
    double log_allowed = 0;
  };
  const Mask* mask_;
  std::vector<Row> rows_;
};

/// The row of a map as measures see it, or nullopt: fully masked, or zeros alone, as masked rows of maps from files are.
std::optional<MeasuredRow> measured_row(const Mask& mask, Index query, const RowNumbers& weights);
/// The same up to the last key that the query itself may attend to: no measure counts those behind.
std::optional<MeasuredRow> measured_row(const MaskRows& masks, Index query, const RowNumbers& weights);

/// The keys of such a set in a text whose maps have so many keys.
HiddenKeys hidden_keys(const KeySet& set, const MeasuredText& text, Index keys);

/// What the masks of one text say of their rows, for all layers whose heads share them.
class KnownMaskRows {
 public:
  std::shared_ptr<const MaskRows> of(const std::shared_ptr<const Mask>& mask);

 private:
  std::map<std::shared_ptr<const Mask>, std::shared_ptr<const MaskRows>> known_;
};

/// Requests for one text: which keys each of them takes out or counts. Shared by all heads of the same axes.
class GaugePlan {
 public:
  /// `requests` and `text` outlive the plan.
  GaugePlan(const std::vector<MeasureRequest>& requests, const MeasuredText& text, Index keys);

  /// A request that has a function of a row, and a meaning for maps of this text.
  struct Asked {
    std::size_t number = 0;  ///< of the request
    const Measure* measure = nullptr;
    const MeasureSettings* settings = nullptr;
  };
  /// Requests that take out the same keys.
  struct Group {
    std::optional<HiddenKeys> hidden;  ///< nullopt: none are taken out
    std::vector<Asked> asked;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const MeasureRequest& request(std::size_t number) const { return requests_[number]; }
  const std::vector<std::uint8_t>& chosen(std::size_t number) const { return chosen_[number]; }
  std::size_t size() const { return requests_.size(); }
  const MeasuredText& text() const { return text_; }
  /// The requests that are of what heads write.
  const std::vector<std::size_t>& of_outputs() const { return of_outputs_; }
  bool needs_outputs() const { return !of_outputs_.empty(); }

 private:
  bool is_defined(const Measure& measure) const;

  const std::vector<MeasureRequest>& requests_;
  const MeasuredText& text_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::uint8_t>> chosen_;  ///< [request][key]
  std::vector<std::size_t> of_outputs_;
};

/// Thread contract: one thread at a time.
class HeadGauge {
 public:
  /// Both outlive the gauge. `keeps_cells`: best_cell is wanted.
  HeadGauge(const GaugePlan& plan, const Mask& mask, bool keeps_cells = false)
      : HeadGauge(plan, std::make_shared<const MaskRows>(mask), keeps_cells) {}
  HeadGauge(const GaugePlan& plan, std::shared_ptr<const MaskRows> masks, bool keeps_cells);

  /// The rows below those that were added before.
  void add(const HeadRows& rows);
  /// ‖z W_O‖ of the query, after all rows.
  void add_output(Index query, double norm);

  /// By request; NaN: undefined. Of measures that are of a layer, before they are divided (share_in_layer).
  double value(std::size_t request) const { return gathered_[request].sum.mean(); }
  /// Rows that counted.
  Index rows(std::size_t request) const { return gathered_[request].sum.rows; }
  const BestCell& best_cell(std::size_t request) const { return gathered_[request].best; }

 private:
  void find_rows(const HeadRows& rows, Index begin, Index end);
  void find_rest(const HiddenKeys& hidden);
  void add_rest(const MeasuredRow& whole, const HiddenKeys& hidden, float* weights);
  void measure(const GaugePlan::Group& group, std::span<const MeasuredRow> rows);

  const GaugePlan& plan_;
  std::shared_ptr<const MaskRows> masks_;
  Index at_once_;  ///< rows that are measured together, so that each measure is called once for all of them
  MeasureContext context_;
  std::vector<GatheredMeasure> gathered_;  ///< by request
  std::vector<bool> is_informative_;       ///< by query, where outputs are asked for
  std::vector<MeasuredRow> rows_, rest_;   ///< those that are measured now, whole and without hidden keys
  RowVector rest_weights_;                 ///< [at_once_ · keys]
};

/// Divides the values of measures that are of a layer by their mean over its heads: values[head][request].
void share_in_layer(const GaugePlan& plan, std::vector<std::vector<double>>& values);

}  // namespace headlight

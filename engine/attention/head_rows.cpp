#include "engine/attention/head_rows.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/kernels/product.h"

namespace headlight {
namespace {

constexpr Index kNumbersAtOnce = Index{1} << 16U;  // of a block: 256 KiB stay in the second cache from the scores to the sums
constexpr Index kFewestRows = 16, kMostRows = 256;

Index rows_at_once(Index keys) {
  return std::clamp(kNumbersAtOnce / std::max<Index>(1, keys) / kFewestRows * kFewestRows, kFewestRows, kMostRows);
}

/// Numbers by distance (ScoreParameters) as the map of some rows and keys sees them.
struct PartOfMap {
  Index first_query = 0, queries = 0, rows = 0, keys = 0;
  Index first_distance() const { return queries - first_query - rows; }
  Index distances() const { return rows + keys - 1; }

  RowVector by_distance(const RowVector& all) const {
    return all.size() == 0 ? all : RowVector(all.segment(first_distance(), distances()));
  }
};

ScoreParameters parameters_of(const ScoreParameters& all, const PartOfMap& part) {
  ScoreParameters some = all;
  if (all.distance_keys.size() > 0) some.distance_keys = all.distance_keys.middleRows(part.first_distance(), part.distances());
  some.distance_bias = part.by_distance(all.distance_bias);
  return some;
}

ScoreBias bias_of(const ScoreBias& all, const PartOfMap& part) {
  ScoreBias some;
  if (all.by_distance) some.by_distance = std::make_shared<const RowVector>(part.by_distance(*all.by_distance));
  if (all.by_cell) some.by_cell = std::make_shared<const Matrix>(all.by_cell->block(part.first_query, 0, part.rows, part.keys));
  return some;
}

}  // namespace

HeadRule rule_of_rows(const HeadRule& rule, Index first_query, Index rows) {
  const Mask& whole = *rule.mask;
  const PartOfMap part{first_query, whole.queries(), rows, whole.keys()};
  HeadRule some = rule;
  if (rule.parameters) some.parameters = std::make_shared<const ScoreParameters>(parameters_of(*rule.parameters, part));
  some.bias = bias_of(rule.bias, part);
  auto mask = std::make_shared<Mask>(rows, whole.keys(), false);
  for (Index row = 0; row < rows; ++row) std::copy_n(whole.row(first_query + row), whole.keys(), mask->row(row));
  some.mask = std::move(mask);
  if (rule.placed_weights) some.placed_weights = std::make_shared<const Matrix>(rule.placed_weights->middleRows(first_query, rows));
  return some;
}

void weigh_rows(MatrixBlock scores, const HeadRule& rule, Index first_query, const Watch& watch) {
  if (rule.placed_weights) {
    scores = rule.placed_weights->block(first_query, 0, scores.rows(), scores.cols());
    return;
  }
  if (rule.is_plain()) return weigh_plain_scores(scores, rule, first_query, watch);
  HeadRule part = rule;
  part.bias = bias_of(rule.bias, {first_query, rule.mask->queries(), scores.rows(), scores.cols()});
  adjust_scores(scores, part, watch);
  mask_scores(scores, *rule.mask, watch, first_query);
  weigh_scores(scores, rule, watch);
}

namespace {

/// What the weights of all blocks of a head need.
class WeightBlocks {
 public:
  WeightBlocks(const MatrixView& k, const HeadRule& rule, const Watch& watch)
      : k_(k), rule_(rule), watch_(watch), is_dot_(rule.score == ScoreKind::dot) {
    if (is_dot_) keys_ = Panels(panel_source(k, true));
  }

  void compute(const MatrixView& q, const PartOfMap& part, MatrixBlock weights) const {
    if (part.keys == 0) return;
    score(q, part, weights);
    weigh_rows(weights, rule_, part.first_query, watch_);
  }

 private:
  void score(const MatrixView& q, const PartOfMap& part, MatrixBlock scores) const {
    if (is_dot_) return multiply(q, keys_, scores, watch_);
    const ScoreParameters parameters = rule_.parameters ? parameters_of(*rule_.parameters, part) : ScoreParameters{};
    score_function(rule_.score).compute(q, k_.topRows(part.keys), parameters, scores, watch_);
  }

  MatrixView k_;
  const HeadRule& rule_;
  Watch watch_;
  bool is_dot_;
  Panels keys_;  // laid out once for all blocks
};

/// Calls use(first row of q, weights) for every block of rows of q, from top to bottom.
template <typename Use>
void for_each_block(const MatrixView& q, const MatrixView& k, const HeadRule& rule, Index first_query, const Watch& watch, const Use& use) {
  const WeightBlocks blocks(k, rule, watch);
  const Index at_once = std::min(q.rows(), rows_at_once(k.rows()));
  Matrix memory(at_once, k.rows());
  for (Index begin = 0; begin < q.rows(); begin += at_once) {
    const Index rows = std::min(at_once, q.rows() - begin), query = first_query + begin;
    const PartOfMap part{query, rule.mask->queries(), rows, reach_of(*rule.mask, query, rows)};
    Eigen::Map<Matrix, 0, Eigen::OuterStride<>> weights(memory.data(), rows, part.keys, Eigen::OuterStride<>(part.keys));
    blocks.compute(q.middleRows(begin, rows), part, weights);
    use(begin, weights);
  }
}

}  // namespace

void attend_rows(const MatrixView& q, const MatrixView& k, const MatrixView& v, const HeadRule& rule, Index first_query, MatrixBlock z,
                 const UseRows& use, const Watch& watch) {
  const Panels values(panel_source(v, false));
  for_each_block(q, k, rule, first_query, watch, [&](Index begin, const MatrixView& weights) {
    MatrixBlock mixed = z.middleRows(begin, weights.rows());
    if (weights.cols() == 0) {
      mixed.setZero();
    } else {
      multiply(weights, values, mixed, watch);
      finish_mix(weights, v.topRows(weights.cols()), mixed, watch);
    }
    if (use) use({first_query + begin, weights});
  });
}

void weigh_head_rows(const MatrixView& q, const MatrixView& k, const HeadRule& rule, const UseRows& use, const Watch& watch) {
  for_each_block(q, k, rule, 0, watch, [&](Index begin, const MatrixView& weights) { use({begin, weights}); });
}

}  // namespace headlight

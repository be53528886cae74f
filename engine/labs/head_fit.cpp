#include "engine/labs/head_fit.h"

#include <fmt/core.h>

#include <cmath>

#include "engine/attention/positions.h"
#include "engine/core/error.h"
#include "engine/forward/block.h"
#include "engine/kernels/product.h"

namespace headlight {
namespace {

constexpr int kHalvings = 30;
constexpr float kFirstRate = 1, kGrowth = 2;

[[noreturn]] void refuse(std::string problem, std::string found = {}, std::string expected = {}) {
  throw Error({.kind = ErrorKind::usage,
               .field = "drawn_map",
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

void check(const Model& model, const LayerTrace& layer, const TargetMap& target) {
  const HeadRule& rule = layer.rule(target.head.head);
  if (model.config.place(target.head.layer).stack == Stack::cross)
    refuse("cross-attention cannot be trained: choose a head of self-attention");
  if (rule.score != ScoreKind::dot) refuse("only dot-product scores can be trained", std::string(score_function(rule.score).name), "dot");
  const Index d_head = layer.q.cols() / layer.heads;
  if (layer.k.cols() != model.parameters.layer(target.head.layer).k.weight.cols() || layer.k.cols() / layer.kv_heads != d_head) {
    refuse("repeated or averaged key/value heads cannot be trained");
  }
  const Mask& mask = *rule.mask;
  if (target.wanted.rows() == mask.queries() && target.wanted.cols() == mask.keys()) return;
  refuse("the map to learn has a different size", fmt::format("{} × {}", target.wanted.rows(), target.wanted.cols()),
         fmt::format("{} × {}", mask.queries(), mask.keys()));
}

/// Makes rows sum to 1 over allowed keys, or to 0 where nothing is wanted; returns how many rows are wanted.
Index settle(Matrix& wanted, const Mask& mask) {
  Index rows = 0;
  for (Index query = 0; query < wanted.rows(); ++query) {
    for (Index key = 0; key < wanted.cols(); ++key) {
      if (!mask.allows(query, key) || !(wanted(query, key) > 0.0F)) wanted(query, key) = 0.0F;
    }
    const float sum = wanted.row(query).sum();
    if (sum > 0.0F) wanted.row(query) /= sum;
    rows += sum > 0.0F ? 1 : 0;
  }
  return rows;
}

/// The head alone: its input, its columns of both projections, and the weights they result in.
class FittedHead {
 public:
  FittedHead(const Model& model, const LayerTrace& layer, const TargetMap& target)
      : config_(model.config), rule_(layer.rule(target.head.head)), wanted_(target.wanted) {
    const LayerParameters& parameters = model.parameters.layer(target.head.layer);
    const bool is_norm_before = config_.norm.place == NormPlace::before;
    x_ = is_norm_before ? normalise(*layer.resid_pre.whole(), parameters.norm_1) : *layer.resid_pre.whole();
    d_head_ = layer.q.cols() / layer.heads;
    q_column_ = target.head.head * d_head_;
    k_column_ = kv_head_of(target.head.head, layer.heads, layer.kv_heads) * d_head_;
    q_ = columns_of(parameters.q, q_column_);
    k_ = columns_of(parameters.k, k_column_);
    rows_ = settle(wanted_, *rule_.mask);
    if (rows_ == 0) refuse("no row of the map to learn asks for a key that the mask allows");
  }

  struct Gradient {
    Matrix q, k;  // [d_model, d_head]
  };

  double loss() { return loss_of(q_.weight, k_.weight, weights_); }

  /// The gradient of the loss, at the weights of the last call of loss or step.
  Gradient gradient() const {
    const Matrix q = rows_of(q_, q_.weight), k = rows_of(k_, k_.weight);
    Matrix by_score = weights_;
    for (Index query = 0; query < by_score.rows(); ++query) {
      const bool is_wanted = wanted_.row(query).sum() > 0.0F;
      by_score.row(query) =
          is_wanted ? RowVector((by_score.row(query) - wanted_.row(query)) / static_cast<float>(rows_)) : RowVector::Zero(by_score.cols());
    }
    if (rule_.softcap > 0.0F) {  // d c·tanh(s / c) / ds = 1 − tanh²(s / c)
      Matrix scaled(q.rows(), k.rows());
      multiply_transposed(q, k, scaled);
      by_score.array() *= 1.0F - (scaled.array() * (rule_.factor / rule_.softcap)).tanh().square();
    }
    by_score *= rule_.factor;
    Matrix by_q = by_score * k, by_k = by_score.transpose() * q;
    turn(by_q, true);
    turn(by_k, true);
    return {x_.transpose() * by_q, x_.transpose() * by_k};
  }

  /// Steps down the gradient by `rate` or, where that is too far, by less. False: no step length lowers the loss.
  bool step(const Gradient& gradient, double& loss, float& rate) {
    for (int halving = 0; halving < kHalvings; ++halving, rate /= 2) {
      const Matrix q = q_.weight - rate * gradient.q, k = k_.weight - rate * gradient.k;
      Matrix weights;
      const double next = loss_of(q, k, weights);
      if (!(next < loss)) continue;
      q_.weight = q;
      k_.weight = k;
      weights_ = std::move(weights);
      loss = next;
      rate *= kGrowth;
      return true;
    }
    return false;
  }

  ParameterEdit q_edit(int layer) const { return edit(layer, "q", q_column_, q_.weight); }
  ParameterEdit k_edit(int layer) const { return edit(layer, "k", k_column_, k_.weight); }
  const Matrix& weights() const { return weights_; }

 private:
  /// One of the head's two projections: its columns of the weight and the bias.
  struct Side {
    Matrix weight;  // [d_model, d_head]
    RowVector bias;
  };

  Side columns_of(const Linear& joined, Index column) const {
    Side own{joined.weight.to_matrix().middleCols(column, d_head_), {}};
    if (joined.bias.size() > 0) own.bias = joined.bias.segment(column, d_head_);
    return own;
  }

  Matrix rows_of(const Side& side, const Matrix& weight) const {
    Matrix rows(x_.rows(), d_head_);
    multiply(x_, weight, rows);
    if (side.bias.size() > 0) rows.rowwise() += side.bias;
    turn(rows, false);
    return rows;
  }

  void turn(Matrix& rows, bool is_back) const {
    if (config_.positions.kind == PositionKind::rotary) rotate_positions(rows, 1, config_.positions.rotary, 0, is_back);
  }

  double loss_of(const Matrix& q, const Matrix& k, Matrix& weights) const {
    weights = compute_maps(rows_of(q_, q), rows_of(k_, k), rule_).weights;
    double sum = 0;
    for (Index at = 0; at < wanted_.size(); ++at) {
      const double wanted = double{wanted_.data()[at]};
      if (wanted > 0) sum -= wanted * std::log(std::max(double{weights.data()[at]}, 1e-300));
    }
    return sum / static_cast<double>(rows_);
  }

  static ParameterEdit edit(int layer, std::string_view name, Index column, const Matrix& weight) {
    return {.tensor = fmt::format("layer.{}.{}.weight", layer, name),
            .row = 0,
            .column = static_cast<int>(column),
            .rows = static_cast<int>(weight.rows()),
            .columns = static_cast<int>(weight.cols()),
            .values = std::vector<float>(weight.data(), weight.data() + weight.size())};
  }

  const ModelConfig& config_;
  const HeadRule& rule_;
  Matrix wanted_, x_, weights_;
  Side q_, k_;
  Index d_head_ = 0, q_column_ = 0, k_column_ = 0, rows_ = 0;
};

}  // namespace

std::vector<HeadFit> fit_head_at(const Model& model, const LayerTrace& layer, const TargetMap& target, std::span<const int> counts,
                                 Progress& progress) {
  check(model, layer, target);
  FittedHead head(model, layer, target);
  double loss = head.loss();
  std::vector<double> losses{loss};
  float rate = kFirstRate;
  bool is_falling = true;
  std::vector<HeadFit> fits;
  for (const int count : counts) {
    while (is_falling && std::ssize(losses) <= count) {
      progress.step(static_cast<double>(losses.size() - 1) / counts.back(), "training the head");
      is_falling = head.step(head.gradient(), loss, rate);
      if (is_falling) losses.push_back(loss);
    }
    fits.push_back({losses, head.q_edit(target.head.layer), head.k_edit(target.head.layer), head.weights()});
  }
  return fits;
}

HeadFit fit_head(const Model& model, const LayerTrace& layer, const TargetMap& target, int steps, Progress& progress) {
  return fit_head_at(model, layer, target, {&steps, 1}, progress).front();
}

}  // namespace headlight

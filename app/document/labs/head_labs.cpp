// Labs of one head: three attempts, mask conventions, scale, dropout.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/labs/lab_runs.h"
#include "engine/core/random.h"
#include "engine/figure/axes.h"
#include "engine/labs/dropout.h"

namespace headlight {
namespace {

/// A sandbox has one of its own; other models, whose figures say nothing of it, have the usual one.
std::uint64_t seed_of(const Snapshot& snapshot) {
  const ModelChoice& model = snapshot.query.model;
  return model.name == "sandbox" ? model.sandbox.seed : ModelChoice().sandbox.seed;
}

Matrix random_matrix(Index rows, Index columns, std::uint64_t seed, std::string_view name, float factor) {
  RandomStream stream(seed, name);
  Matrix matrix(rows, columns);
  for (float& value : matrix.reshaped<Eigen::RowMajor>()) value = stream.next_normal() * factor;
  return matrix;
}

/// Matrices that keep the size of what they embed: numbers of variance 1 / D.
std::vector<AttemptMatrices> attempt_matrices(const AttemptsFound& sizes, int heads, std::uint64_t seed) {
  const auto factor = static_cast<float>(1.0 / std::sqrt(static_cast<double>(sizes.d_model)));
  std::vector<AttemptMatrices> matrices;
  for (int head = 0; head < heads; ++head) {
    const auto draw = [&](std::string_view name, Index columns) {
      return random_matrix(sizes.d_model, columns, seed, fmt::format("attempt.{}.{}", head, name), factor);
    };
    matrices.push_back({draw("w", sizes.d_head), draw("q", sizes.d_head), draw("k", sizes.d_head), draw("v", sizes.d_value)});
  }
  return matrices;
}

/// The embedded vectors of the first of the text's own tokens, each scaled to length √D.
Matrix take_own_tokens(const Snapshot& snapshot, AttemptsFound& found) {
  const SharedRows::SharedMatrix whole = snapshot.trace.embedded.whole();
  const Matrix& embedded = *whole;
  const auto root = static_cast<float>(std::sqrt(static_cast<double>(embedded.cols())));
  Matrix vectors(std::min(kAttemptTokens, embedded.rows()), embedded.cols());
  for (Index position = 0; position < embedded.rows(); ++position) {
    const Token& token = snapshot.encoding->tokens[static_cast<std::size_t>(position)];
    if (token.is_special) {
      ++found.added_tokens;
      continue;
    }
    if (found.all_tokens++ >= kAttemptTokens) continue;
    const float length = embedded.row(position).stableNorm();
    vectors.row(found.tokens++) = embedded.row(position) * (length > 0.0F ? root / length : 0.0F);
    found.labels.push_back(axis_label(snapshot.label(*snapshot.encoding, token)));
    found.positions.push_back(position);
  }
  return vectors.topRows(found.tokens);
}

/// The row of the head being looked at: the pinned query's, else the middle one, of which a causal mask leaves out a half.
void take_row(const LabRequest& request, FillsFound& found, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  const HeadMaps maps = snapshot.maps(request.head, progress);
  const Index last = maps.weights.rows() - 1;
  const Index query = std::clamp(request.query.value_or(last / 2), Index{0}, last);
  found.keys = labels_of(snapshot, snapshot.key_tokens(request.head.layer), maps.weights.cols());
  found.position = query;
  found.query = labels_of(snapshot, snapshot.query_tokens(request.head.layer), query + 1).back();
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    found.scores.push_back(static_cast<double>(maps.final_score(query, key)));
    found.is_allowed.push_back(maps.mask->allows(query, key));
  }
  found.sink = snapshot.trace.layer(request.head.layer).rule(request.head.head).sink;
}

bool is_near(const FillsFound::Row& row, const FillsFound::Row& ours) {
  for (std::size_t precision = 0; precision < ours.weights.size(); ++precision) {
    for (std::size_t key = 0; key < ours.weights[precision].size(); ++key) {
      const double distance = std::abs(row.weights[precision][key] - ours.weights[precision][key]);
      if (!(distance <= kFillRounding)) return false;  // NaN is close to nothing
    }
  }
  return true;
}

/// Copies row by row: touching new memory takes time.
Matrix copy_of(const Matrix& scores, Progress& progress) {
  Matrix copy(scores.rows(), scores.cols());
  for (Index query = 0; query < scores.rows(); ++query) {
    progress.check();
    copy.row(query) = scores.row(query);
  }
  return copy;
}

/// Variance of the allowed pairs' scores, and the mean Jacobian norm of the rows that may attend to something.
ScoreSpread spread_of_head(Matrix scores, const Mask& mask, Progress& progress) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (Index query = 0; query < scores.rows(); ++query) {
    progress.check();
    for (Index key = 0; key < scores.cols(); ++key) {
      if (!mask.allows(query, key)) continue;
      const auto score = static_cast<double>(scores(query, key));
      sum += score;
      squares += score * score;
      ++count;
    }
  }
  if (count == 0) return {std::nan(""), std::nan("")};
  const double mean = sum / count;
  ScoreSpread spread{.variance = squares / count - mean * mean};
  softmax_rows(scores, mask, {}, progress);
  double rows = 0;
  for (Index query = 0; query < scores.rows(); ++query) {
    progress.check();
    if (mask.allowed_in_row(query) == 0) continue;
    spread.jacobian_norm += softmax_jacobian_norm(scores.row(query));
    ++rows;
  }
  spread.jacobian_norm /= rows;
  return spread;
}

/// The mean of many small samples: with few keys the slope of the softmax is large enough to be seen falling.
ScaleSample mean_sample(Index d_head, std::uint64_t seed) {
  ScaleSample mean;
  const auto add = [](ScoreSpread& to, const ScoreSpread& each) {
    to.variance += each.variance / kScaleDraws;
    to.jacobian_norm += each.jacobian_norm / kScaleDraws;
  };
  for (int draw = 0; draw < kScaleDraws; ++draw) {
    const ScaleSample sample = sample_scale(d_head, kScaleTokens, seed + static_cast<std::uint64_t>(draw));
    add(mean.unscaled, sample.unscaled);
    add(mean.scaled, sample.scaled);
  }
  return mean;
}

/// What a head does to its scores besides multiplying q and k.
std::vector<std::string> beside_products(const HeadRule& rule) {
  std::vector<std::string> parts;
  if (rule.score != ScoreKind::dot) parts.push_back(fmt::format("{} scores", score_function(rule.score).name));
  if (rule.softcap > 0) parts.push_back(fmt::format("soft-cap {:g}", rule.softcap));
  if (!rule.bias.is_empty()) parts.emplace_back("position bias");
  if (rule.sink) parts.push_back(fmt::format("sink {:g}", *rule.sink));
  return parts;
}

/// Counts the weights that dropout set to zero and that were not zero before.
Index count_dropped(const DroppedWeights& sample) {
  return ((sample.before.array() != 0.0F) && (sample.after.array() == 0.0F)).count();
}

}  // namespace

AttemptsFound run_attempts(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  AttemptsFound found;
  const Matrix vectors = take_own_tokens(snapshot, found);
  found.d_model = snapshot.trace.embedded.cols();
  found.d_head = found.d_value = head_width(snapshot, 0);
  if (found.tokens == 0) return found;
  const std::vector<AttemptMatrices> matrices = attempt_matrices(found, request.settings.attempt_heads, seed_of(snapshot));
  for (const AttemptForm& form : attempt_forms()) {
    progress.step(static_cast<double>(found.columns.size()) / 4, form.name);
    ConcatenatedHeads run = run_attempt_heads(form.attempt, vectors, matrices, request.settings.includes_self);
    AttemptsFound::Column column{.attempt = form.attempt, .heads = {}};
    column.concatenated_width = run.output.cols();
    column.scale_width = form.q == nullptr ? found.d_model : found.d_head;
    for (AttemptResult& head : run.heads) {
      column.output_width = head.output.cols();
      scale_scores(head.maps.scores, head.maps.factor);
      column.heads.push_back({signed_picture_of(std::move(head.maps.scores), head.maps.mask),
                              picture_of(std::move(head.maps.weights), head.maps.mask), head.asymmetry});
    }
    found.columns.push_back(std::move(column));
  }
  return found;
}

FillsFound run_fills(const LabRequest& request, Progress& progress) {
  FillsFound found;
  if (request.settings.is_all_masked) {
    found.keys = {"1", "2", "3"};
    found.scores = {1, 2, 3};
    found.is_allowed = {false, false, false};
  } else {
    take_row(request, found, progress);
  }
  for (const FillConvention& convention : fill_conventions()) {
    FillsFound::Row row{convention, {}};
    for (const Precision precision : {Precision::float16, Precision::float32, Precision::float64}) {
      row.weights[static_cast<std::size_t>(precision)] = fill_weights(convention, found.scores, found.is_allowed, precision, found.sink);
    }
    found.rows.push_back(std::move(row));
  }
  for (const FillsFound::Row& row : found.rows) found.all_agree = found.all_agree && is_near(row, found.rows.back());
  return found;
}

ScalingFound run_scaling(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  ScalingFound found;
  for (const Index d_head : {4, 16, 64, 256}) {
    progress.step(static_cast<double>(found.rows.size()) / 5, "random scores");
    found.rows.push_back({d_head, mean_sample(d_head, seed_of(snapshot))});
  }
  const LayerTrace& layer = snapshot.trace.layer(request.head.layer);
  const HeadRule& rule = layer.rule(request.head.head);
  found.own.d_head = head_width(snapshot, request.head.layer);
  found.left_out = beside_products(rule);
  Matrix q_copy, k_copy;
  const MatrixView q = head_columns(layer.q, layer.heads, request.head.head, q_copy);
  const MatrixView k = head_columns(layer.k, layer.kv_heads, kv_head_of(request.head.head, layer.heads, layer.kv_heads), k_copy);
  Matrix products;
  compute_scores(q, k, {}, products, progress);
  found.own.sample.unscaled = spread_of_head(copy_of(products, progress), *rule.mask, progress);
  scale_scores(products, static_cast<float>(1.0 / std::sqrt(static_cast<double>(found.own.d_head))), progress);
  found.own.sample.scaled = spread_of_head(std::move(products), *rule.mask, progress);
  return found;
}

DropoutFound run_dropout(const LabRequest& request, Progress& progress) {
  const Snapshot& snapshot = *request.snapshot;
  const HeadMaps maps = snapshot.maps(request.head, progress);
  const auto sample = [&](int number) {
    const DropoutSettings settings{request.settings.dropout, true, static_cast<std::uint64_t>(number)};
    return drop_weights(maps.weights, settings, fmt::format("lab.dropout.{}.{}", request.head.layer, request.head.head), progress);
  };
  Matrix mean(maps.weights.rows(), maps.weights.cols());
  for (int number = 1; number <= kDropoutSamples; ++number) {
    progress.step(static_cast<double>(number) / kDropoutSamples, "samples of dropout");
    const Matrix after = sample(number).after;
    for (Index query = 0; query < mean.rows(); ++query) {
      progress.check();
      if (number == 1) mean.row(query).setZero();
      mean.row(query) += after.row(query) / static_cast<float>(kDropoutSamples);
    }
  }
  DroppedWeights dropped = sample(request.settings.dropout_seed);
  DropoutFound found;
  found.weights = (dropped.before.array() != 0.0F).count();
  found.dropped = count_dropped(dropped);
  for (const Matrix* each : std::initializer_list<const Matrix*>{&dropped.before, &dropped.after, &mean}) {
    if (each->size() > 0) found.largest = std::max(found.largest, each->maxCoeff());
  }
  const Eigen::VectorXd sums = mean.cast<double>().rowwise().sum();
  found.sums_mean.assign(sums.begin(), sums.end());
  found.before = picture_of(std::move(dropped.before), maps.mask);
  found.after = picture_of(std::move(dropped.after), maps.mask);
  found.mean = picture_of(std::move(mean), maps.mask);
  found.sums_before = std::move(dropped.row_sums_before);
  found.sums_after = std::move(dropped.row_sums_after);
  found.queries = labels_of(snapshot, snapshot.query_tokens(request.head.layer), maps.weights.rows());
  found.keys = labels_of(snapshot, snapshot.key_tokens(request.head.layer), maps.weights.cols());
  found.titles = axis_titles(snapshot, request.head.layer);
  return found;
}

}  // namespace headlight

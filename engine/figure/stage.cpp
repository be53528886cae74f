#include "engine/figure/stage.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/enumeration.h"
#include "engine/figure/figures.h"
#include "engine/figure/pictures.h"

namespace headlight {
namespace {

const LayerTrace& layer_of(const Snapshot& snapshot, HeadId head) {
  return snapshot.trace.layer(head.layer);
}

/// Scaled, capped and biased: what goes into the softmax, before the mask.
Matrix final_scores(const HeadMaps& maps) {
  if (maps.final_scores.size() > 0) return maps.final_scores;
  return maps.scores * maps.factor;
}

Matrix mask_values(const Mask& mask, float allowed, float forbidden) {
  Matrix values(mask.queries(), mask.keys());
  for (Index query = 0; query < mask.queries(); ++query) {
    for (Index key = 0; key < mask.keys(); ++key) values(query, key) = mask.allows(query, key) ? allowed : forbidden;
  }
  return values;
}

/// W_O of a layer; empty of a block without it.
Matrix output_matrix(const Snapshot& run, int layer) {
  return run.query.block.has_output_projection ? run.model->parameters.layer(layer).o.weight.to_matrix() : Matrix();
}

/// ‖v · W_O‖ of every key [keys], W_O the head's own rows of the layer's `output`; where that is empty ‖v‖. Empty where the values are not
/// known. Costs a product of d_head² numbers for each key, whatever the width of the model. v: [keys, d_value], the head's own.
RowVector output_lengths(const Matrix& output, int head, const MatrixView& v) {
  const Index width = v.cols();
  if (width == 0) return {};
  if (output.size() == 0) return v.rowwise().norm().transpose();
  // ‖v·W‖² = v·(W·Wᵀ)·vᵀ: the model's width is summed over once for all keys.
  const Eigen::MatrixXd wide = output.middleRows(head * width, width).cast<double>(), values = v.cast<double>();
  const Eigen::MatrixXd squares = (values * (wide * wide.transpose())).cwiseProduct(values);
  return squares.rowwise().sum().cwiseMax(0.0).cwiseSqrt().transpose().cast<float>();
}

/// Weights times a length of each key; NaN where lengths are not known.
Matrix weighted(const HeadMaps& maps, const RowVector& lengths) {
  if (lengths.size() == 0) return Matrix::Constant(maps.weights.rows(), maps.weights.cols(), std::numeric_limits<float>::quiet_NaN());
  return (maps.weights.array().rowwise() * lengths.array()).matrix();
}

/// Of the keys that a query may attend to; 1 where all are 0.
float longest_allowed(const Mask& mask, Index query, const RowVector& lengths) {
  float longest = 0;
  for (Index key = 0; key < lengths.size(); ++key) {
    if (mask.allows(query, key)) longest = std::max(longest, lengths[key]);
  }
  return longest > 0 ? longest : 1;
}

/// weight · ‖v‖ / the longest v of the allowed keys.
Matrix value_shares(const HeadMaps& maps) {
  Matrix shares = weighted(maps, maps.value_norms);
  for (Index query = 0; query < shares.rows() && maps.value_norms.size() > 0; ++query)
    shares.row(query) /= longest_allowed(*maps.mask, query, maps.value_norms);
  return shares;
}

/// Rows of weights times lengths, and of blocks of cells the largest.
class SmallMap {
 public:
  SmallMap(const HeadSummary& summary, const Mask& mask, RowVector lengths, Stage stage)
      : mask_(mask),
        lengths_(std::move(lengths)),
        stage_(stage),
        pool_(summary.pool),
        values_(Matrix::Zero((summary.queries + pool_ - 1) / pool_, (summary.keys + pool_ - 1) / pool_)) {}

  void add(const HeadRows& rows) {
    for (Index row = 0; row < rows.weights.rows(); ++row) {
      const Index query = rows.first_query + row;
      const float divisor = stage_ == Stage::value_share ? longest_allowed(mask_, query, lengths_) : 1;
      for (Index key = 0; key < rows.weights.cols(); ++key) {
        float& cell = values_(query / pool_, key / pool_);
        const float value = rows.weights(row, key) * lengths_[key] / divisor;
        if (!(value <= cell)) cell = value;  // NaN stays visible
      }
    }
  }
  Matrix values() { return std::move(values_); }

 private:
  const Mask& mask_;
  RowVector lengths_;
  Stage stage_;
  Index pool_;
  Matrix values_;
};

float largest_of(const MapPicture& picture) {
  if (picture.rows() == 0 || picture.columns() == 0) return 0;
  const float value = picture.value(0, static_cast<float>(picture.rows()), 0, static_cast<float>(picture.columns()));
  return std::isfinite(value) ? value : 0;
}

std::shared_ptr<const MapPicture> picture_of_lengths(const HeadMaps& maps, Matrix values) {
  return std::make_shared<MapPicture>(std::move(values), 1, maps.mask->queries(), maps.mask->keys(), maps.mask, false);
}

/// Nothing of a head whose values are not known.
Matrix mixed_values(const HeadMaps& maps) {
  Matrix z(maps.weights.rows(), maps.v.cols());
  if (z.size() > 0) mix_values(maps.weights, maps.v, z);
  return z;
}

/// A picture of z: rows in which nothing may be attended to are hatched, as in every other stage.
std::shared_ptr<const MapPicture> picture_of_z(const HeadMaps& maps) {
  Matrix z = mixed_values(maps);
  const Index rows = z.rows(), columns = z.cols();
  std::shared_ptr<Mask> mask;
  for (Index query = 0; query < rows; ++query) {
    if (!maps.is_row_masked[static_cast<std::size_t>(query)]) continue;
    if (!mask) mask = std::make_shared<Mask>(rows, columns, true);
    for (Index number = 0; number < columns; ++number) mask->set(query, number, false);
  }
  return std::make_shared<MapPicture>(std::move(z), 1, rows, columns, std::move(mask), true);
}

/// "÷ √8, soft-cap 30, position bias": what lies between scores and what goes into the softmax.
std::string steps_text(const Snapshot& snapshot, HeadId head, bool has_later_steps) {
  const HeadRule& rule = layer_of(snapshot, head).rule(head.head);
  std::string text = scale_label(snapshot, head);
  if (text.empty()) text = "not scaled";
  if (has_later_steps && rule.softcap > 0) text += fmt::format(", soft-cap {:g}", rule.softcap);
  if (has_later_steps && !rule.bias.is_empty()) text += ", position bias";
  return text;
}

}  // namespace

const StageRow& row_of(Stage stage) {
  static_assert(kStageRows.size() == count_of<Stage>(), "every stage is offered");
  return *std::find_if(kStageRows.begin(), kStageRows.end(), [&](const StageRow& row) { return row.stage == stage; });
}

std::string_view name_of(Stage stage) {
  return row_of(stage).name;
}

std::string stage_names() {
  std::string names;
  for (const StageRow& row : kStageRows) names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

bool has_stage(const Snapshot& snapshot, Stage stage) {
  return stage == Stage::weights || !snapshot.is_dump();
}

Index columns_of(const Snapshot& snapshot, int layer, Stage stage) {
  if (row_of(stage).columns == MapColumns::keys) return snapshot.keys(layer);
  const LayerTrace& trace = snapshot.trace.layer(layer);
  return trace.v.cols() / std::max(1, trace.kv_heads);
}

bool is_of_lengths(Stage stage) {
  return stage == Stage::value_weights || stage == Stage::value_share || stage == Stage::norm_weights;
}

std::vector<Matrix> small_stage_values(const Snapshot& run, int layer, Stage stage, ThreadPool& pool, const Watch& watch) {
  const LayerTrace& trace = run.trace.layer(layer);
  const Matrix output = stage == Stage::norm_weights ? output_matrix(run, layer) : Matrix();
  std::vector<Matrix> values(static_cast<std::size_t>(run.heads(layer)));
  pool.for_each(std::ssize(values), [&](Index number) {
    const auto head = static_cast<int>(number);
    Matrix copy;
    const MatrixView v = head_columns(trace.v, trace.kv_heads, kv_head_of(head, trace.heads, trace.kv_heads), copy);
    const RowVector lengths = stage == Stage::norm_weights ? output_lengths(output, head, v) : RowVector(v.rowwise().norm().transpose());
    SmallMap map(run.summary({layer, head}), trace.mask(head), lengths, stage);
    pass_head(
        trace, head, [&](const HeadRows& rows) { map.add(rows); }, watch);
    values[static_cast<std::size_t>(number)] = map.values();
  });
  return values;
}

std::shared_ptr<const MapPicture> StagedMaps::of(HeadId head) const {
  const auto layer = static_cast<std::size_t>(head.layer), place = static_cast<std::size_t>(head.head);
  return layer < maps.size() && place < maps[layer].size() ? maps[layer][place] : nullptr;
}

void add_staged_layer(const Snapshot& run, StagedMaps& maps, ThreadPool& pool, const Watch& watch) {
  const int layer = static_cast<int>(maps.maps.size());
  std::vector<Matrix> values = small_stage_values(run, layer, maps.stage, pool, watch);
  std::vector<std::shared_ptr<const MapPicture>> heads;
  for (const HeadId head : run.heads_of_layer(layer)) {
    const HeadSummary& summary = run.summary(head);
    heads.push_back(std::make_shared<const MapPicture>(std::move(values[static_cast<std::size_t>(head.head)]), summary.pool,
                                                       summary.queries, summary.keys, run.trace.layer(layer).rule(head.head).mask, false));
  }
  maps.maps.push_back(std::move(heads));
}

StagedMaps make_staged_maps(const Snapshot& run, Stage stage, ThreadPool& pool, const Watch& watch) {
  StagedMaps maps{stage, {}};
  while (static_cast<int>(maps.maps.size()) < run.layers()) add_staged_layer(run, maps, pool, watch);
  return maps;
}

ColourScale scale_of_staged(const Style& style, const StagedMaps& maps) {
  const MapPicture* highest = nullptr;
  float largest = 0;  // of the highest
  for (const auto& layer : maps.maps) {
    for (const auto& each : layer) {
      const float value = largest_of(*each);
      if (highest == nullptr || value > largest) highest = each.get(), largest = value;
    }
  }
  if (highest != nullptr) return scale_of_stage(style, maps.stage, *highest);
  return scale_of_stage(style, maps.stage, MapPicture(Matrix::Zero(1, 1), 1, 1, 1, nullptr, false));
}

Matrix stage_values(const Snapshot& run, HeadId head, const HeadMaps& maps, Stage stage) {
  switch (stage) {
    case Stage::weights:
      return maps.weights;
    case Stage::scores:
      return maps.scores;
    case Stage::scaled:
      return maps.scores * maps.factor;
    case Stage::mask:
      return mask_values(*maps.mask, 1, 0);
    case Stage::value_weights:
      return weighted(maps, maps.value_norms);
    case Stage::value_share:
      return value_shares(maps);
    case Stage::norm_weights:
      return weighted(maps,
                      maps.v.cols() == 0 ? RowVector() : output_lengths(output_matrix(run, head.layer), head.head, MatrixView(maps.v)));
    case Stage::z:
      return mixed_values(maps);
    case Stage::masked:
      break;
  }
  // Not by adding −∞: a score of +∞ would become NaN.
  const Matrix mask = mask_values(*maps.mask, 1, 0);
  return (mask.array() > 0).select(final_scores(maps), -std::numeric_limits<float>::infinity());
}

std::shared_ptr<const MapPicture> make_stage_picture(const Snapshot& run, HeadId head, const HeadMaps& maps, Stage stage) {
  if (stage == Stage::weights) return picture_of_maps(maps);
  if (stage == Stage::z) return picture_of_z(maps);
  const Index queries = maps.mask->queries(), keys = maps.mask->keys();
  if (is_of_lengths(stage)) return picture_of_lengths(maps, stage_values(run, head, maps, stage));
  if (stage == Stage::mask) return std::make_shared<MapPicture>(Matrix::Ones(queries, keys), 1, queries, keys, maps.mask, false);
  Matrix values = stage == Stage::masked ? final_scores(maps) : stage_values(run, head, maps, stage);
  return std::make_shared<MapPicture>(std::move(values), 1, queries, keys, stage == Stage::masked ? maps.mask : nullptr, true);
}

std::vector<MixedPart> parts_of_z(const HeadMaps& maps, Index query, Index number) {
  std::vector<MixedPart> parts;
  for (Index key = 0; key < maps.weights.cols(); ++key) {
    if (const float weight = maps.weights(query, key); weight != 0) parts.push_back({key, weight, maps.v(key, number)});
  }
  const auto size = [](const MixedPart& part) {  // NaN has no order
    return std::isnan(part.product()) ? std::numeric_limits<float>::infinity() : std::abs(part.product());
  };
  std::stable_sort(parts.begin(), parts.end(), [&](const MixedPart& a, const MixedPart& b) { return size(a) > size(b); });
  return parts;
}

RowVector row_of_z(const HeadMaps& maps, Index query) {
  Matrix z(1, maps.v.cols());
  const Matrix weights = maps.weights.row(query);
  if (z.size() > 0) mix_values(weights, maps.v, z);
  return z.row(0);
}

ColourScale scale_of_stage(const Style& style, Stage stage, const MapPicture& picture) {
  if (is_of_lengths(stage)) {  // from 0 to a round number
    ColourScale scale = scale_of_difference(style, picture);
    scale.map = style.map;
    scale.low = 0;
    return scale;
  }
  if (stage != Stage::mask) return scale_of_difference(style, picture);
  // Allowed cells of a mask are all alike: one calm colour of the theme, away from both ends of its map.
  constexpr float kHigh = 1.6F;  // above the 1 of allowed cells
  return {.map = ColourMap::blues, .is_dark = style.theme == Theme::dark, .kind = ScaleKind::linear, .low = 0, .high = kHigh};
}

std::string stage_text(const Snapshot& snapshot, HeadId head, Stage stage) {
  const HeadRule& rule = layer_of(snapshot, head).rule(head.head);
  const std::string_view function = score_function(rule.score).name;
  switch (stage) {
    case Stage::weights:
      return rule.sink ? fmt::format("a sink of score {:g} takes its share of every row", *rule.sink) : std::string();
    case Stage::value_weights:
    case Stage::value_share:
    case Stage::norm_weights:
      return staged_text(snapshot, stage);
    case Stage::z:
      return snapshot.query.mask_reach == MaskReach::this_head && !snapshot.query.mask.rules.empty()
                 ? "z = Σ weight · v of this map; the layer passes on the z without the edited mask"
                 : "z = Σ weight · v: what the head hands to W_O, number by number";
    case Stage::scores:
      return fmt::format("{} scores, before scale and mask", function);
    case Stage::scaled:
      return fmt::format("{} scores {}, before the mask", function, steps_text(snapshot, head, false));
    case Stage::mask:
      return "filled: may attend, hatched: may not";
    case Stage::masked:
      return fmt::format("{} scores {}, of the keys that may be attended to", function, steps_text(snapshot, head, true));
  }
  return {};
}

std::string staged_text(const Snapshot& snapshot, Stage stage) {
  if (stage == Stage::value_weights) return "derived: weight · ‖v‖, each weight times the length of its key's value";
  if (stage == Stage::value_share) return "derived: weight · ‖v‖ / the longest v that the query may see; rows sum to at most 1";
  return snapshot.query.block.has_output_projection
             ? "derived: ‖weight · v·W_O‖, the length of what each key adds to the head's output (Kobayashi et al. 2020)"
             : "derived: weight · ‖v‖, as W_O is left out";
}

std::string scale_label(float factor, bool is_scaled, float temperature, Index d_head) {
  if (factor == 1) return {};
  const float expected = (is_scaled ? 1 / std::sqrt(static_cast<float>(d_head)) : 1.0F) / temperature;
  if (std::abs(factor - expected) > 1e-5F * expected) return fmt::format("× {:.4g}", factor);
  std::string label = is_scaled ? fmt::format("÷ √{}", d_head) : std::string();
  if (temperature != 1) label += fmt::format("{}÷ {:.2f}", label.empty() ? "" : " ", temperature);
  return label;
}

std::string scale_label(const Snapshot& snapshot, HeadId head) {
  const LayerTrace& layer = layer_of(snapshot, head);
  const HeadRule& rule = layer.rule(head.head);
  const ScoreSettings& settings = snapshot.query.score;
  const bool is_scaled = settings.is_scaled && score_function(rule.score).is_scaled;
  return scale_label(rule.factor, is_scaled, settings.temperature, layer.q.cols() / std::max(1, layer.heads));
}

}  // namespace headlight

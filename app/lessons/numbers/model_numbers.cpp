// Live numbers of a layer, of its parts, and of what the model predicts.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/lessons/numbers/number_functions.h"
#include "app/work/labs.h"
#include "engine/analysis/prediction.h"
#include "engine/core/error.h"
#include "engine/figure/predictions/predictions.h"
#include "engine/forward/block.h"
#include "engine/inside/inside.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

double count(Index number) {
  return static_cast<double>(number);
}

double length_of(const RowVector& row) {
  return row.cast<double>().norm();
}

const LayerTrace& layer_of(const NumberAsked& asked) {
  check_head({asked.number.head.layer, 0}, *asked.run);
  return asked.run->trace.layer(asked.number.head.layer);
}

/// Of the layer as it was run.
CostFound::Own sizes_of(const NumberAsked& asked) {
  layer_of(asked);
  return run_costs({.settings = {}, .snapshot = asked.run, .head = {asked.number.head.layer, 0}, .query = {}}).own;
}

/// A token's way through a layer, seen from head 0: what is read here is the same for all heads.
Inside inside_layer(const NumberAsked& asked) {
  const int layer = asked.number.head.layer;
  return look_inside(*asked.run, {layer, 0}, row_of_word(asked.number.places[0], *asked.run, layer), asked.pool, asked.progress);
}

RowVector row_of(const SharedRows& rows, Index row) {
  return rows.middle_rows(row, 1).row(0);
}

NumberReading no_number(const char* reason) {
  return {.value = std::nan(""), .word = {}, .reason = reason};
}

constexpr const char* kPostNorm = "this model normalises after adding to the stream, so what one part adds cannot be recovered";

}  // namespace

NumberReading read_all_products(const NumberAsked& asked) {
  const LayerTrace& layer = layer_of(asked);
  const int number = asked.number.head.layer;
  const Matrix q = layer.q.middle_rows(row_of_word(asked.number.places[0], *asked.run, number), 1);
  const Matrix k = layer.k.middle_rows(tokens_at(asked.number.places[1], *asked.run, asked.run->key_tokens(number)).last, 1);
  double sum = 0;
  for (int head = 0; head < layer.heads; ++head) {
    const MatrixView q_of_head = head_columns(q, layer.heads, head);
    const MatrixView k_of_head = head_columns(k, layer.kv_heads, kv_head_of(head, layer.heads, layer.kv_heads));
    sum += q_of_head.row(0).cast<double>().dot(k_of_head.row(0).cast<double>());
  }
  return {.value = sum};
}

NumberReading read_target_value(const NumberAsked& asked) {
  const TargetValue found = target_of(asked.number.target, *asked.run, nullptr, asked.pool, asked.progress);
  return {.value = found.value, .word = {}, .reason = found.reason};
}

NumberReading read_next(const NumberAsked& asked) {
  const Snapshot& run = *asked.run;
  const Encoding& text = predicted_text(run);
  const PredictionSpan span{tokens_at(asked.number.places[0], run, text).last, 1, 1};
  const std::vector<Prediction> found =
      predict_tokens(*run.model, *run.trace.final_hidden.whole(), text.tokens, span, asked.pool, asked.progress);
  if (found.front().likeliest.empty()) return no_number("its logits are not numbers");
  const LikelyToken& likeliest = found.front().likeliest.front();
  std::string word = run.model->tokenizer->decode(std::array{likeliest.id}, false);
  word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
  return {.value = likeliest.probability, .word = word.empty() ? "␣" : word};
}

NumberReading read_parameters(const NumberAsked& asked) {
  return {.value = static_cast<double>(sizes_of(asked).parameters)};
}
NumberReading read_layers(const NumberAsked& asked) {
  return {.value = count(asked.run->layers())};
}
NumberReading read_heads(const NumberAsked& asked) {
  return {.value = count(sizes_of(asked).heads)};
}
NumberReading read_kv_heads(const NumberAsked& asked) {
  return {.value = count(sizes_of(asked).kv_heads)};
}
NumberReading read_d_model(const NumberAsked& asked) {
  return {.value = count(asked.run->model->config.d_model)};
}
NumberReading read_d_head(const NumberAsked& asked) {
  return {.value = count(sizes_of(asked).d_head)};
}
NumberReading read_joined_width(const NumberAsked& asked) {
  return {.value = count(layer_of(asked).z.cols())};
}
NumberReading read_tokens(const NumberAsked& asked) {
  return {.value = count(asked.run->tokens())};
}
NumberReading read_cache(const NumberAsked& asked) {
  const LayerTrace& layer = layer_of(asked);
  return {.value = count(layer.k.cols() + layer.v.cols())};
}

NumberReading read_stream(const NumberAsked& asked) {
  const LayerTrace& layer = layer_of(asked);
  return {.value = length_of(row_of(layer.resid_pre, row_of_word(asked.number.places[0], *asked.run, asked.number.head.layer)))};
}

NumberReading read_attention_part(const NumberAsked& asked) {
  return {.value = length_of(inside_layer(asked).output.output)};
}

NumberReading read_after_attention(const NumberAsked& asked) {
  return {.value = length_of(inside_layer(asked).output.sum)};
}

NumberReading read_feed_forward_part(const NumberAsked& asked) {
  const Inside inside = inside_layer(asked);
  if (inside.output.is_normed_after) return no_number(kPostNorm);
  const RowVector after = row_of(layer_of(asked).resid_post, inside.query);
  const bool is_added = asked.run->query.block.has_feed_forward_skip || asked.run->model->config.feed_forward.is_parallel;
  return {.value = length_of(is_added ? RowVector(after - inside.output.sum) : after)};
}

NumberReading read_normed_mean(const NumberAsked& asked) {
  return {.value = inside_layer(asked).asking.x.cast<double>().mean()};
}

NumberReading read_normed_spread(const NumberAsked& asked) {
  const auto x = inside_layer(asked).asking.x.cast<double>().eval();
  return {.value = std::sqrt((x.array() - x.mean()).square().mean())};
}

NumberReading read_gelu(const NumberAsked& asked) {
  RowVector x(1);
  x(0) = static_cast<float>(asked.number.number);
  apply_activation(Activation::gelu_erf, x);
  return {.value = static_cast<double>(x(0))};
}

}  // namespace headlight

#include "engine/studies/importance/text_effects.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/forward/finish_layer.h"
#include "engine/interventions/placed_map.h"

namespace headlight {
namespace {

/// Keeps what every layer leaves behind; what layers share is not copied.
class KeepingVisitor final : public LayerVisitor {
 public:
  void begin_layer(int /*layer*/, const LayerMasks& /*masks*/) override {}
  void add_rows(int /*head*/, const HeadRows& /*rows*/) override {}
  void end_layer(int /*layer*/, const LayerTrace& trace) override { layers.push_back(trace); }
  std::vector<LayerTrace> layers;
};

std::vector<LayerTrace> layers_of(const EffectPlan& plan, const TokenStage& tokens, ThreadPool& pool, const Watch& watch) {
  KeepingVisitor visitor;
  plan.run().run(tokens, pool, &visitor, watch);
  return std::move(visitor.layers);
}

}  // namespace

EffectPlan::EffectPlan(PassingRun run, const Query& query, Target target) : run_(std::move(run)), target_(std::move(target)) {
  if (query.mask_reach == MaskReach::this_head && !query.mask.rules.empty()) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "mask reach",
                 .problem = "the mask acts on its own maps only, so heads pass on something else than what they show",
                 .hint = "Let the mask act on later layers too: --mask-reach whole-model"});
  }
  check_target_tokens(target_, model());
}

EffectPlan::EffectPlan(std::shared_ptr<const Model> model, const Query& query, Target target)
    : EffectPlan(PassingRun(std::move(model), query), query, std::move(target)) {}

EffectPlan::EffectPlan(std::shared_ptr<const Model> model, const Query& query, Target target, OtherRuns& others, ThreadPool& pool,
                       Progress& progress)
    : EffectPlan(PassingRun(std::move(model), query, others, pool, progress), query, std::move(target)) {}

HeadOutputs outputs_of(const EffectPlan& plan, const TokenStage& tokens, ThreadPool& pool, const Watch& watch) {
  HeadOutputs outputs;
  for (const LayerTrace& layer : layers_of(plan, tokens, pool, watch)) outputs.push_back(layer.z);
  return outputs;
}

TextEffects::TextEffects(const EffectPlan& plan, const TokenStage& tokens, ThreadPool& pool, const Watch& watch,
                         std::optional<std::int64_t> next)
    : plan_(plan), pool_(pool), watch_(watch) {
  const Encoding& predicted = tokens.decoder_encoding ? *tokens.decoder_encoding : *tokens.encoding;
  watched_ = watch_text(plan.target(), {plan.model(), predicted.tokens, next});
  if (!watched_.problem.empty()) return;
  layers_ = layers_of(plan, tokens, pool, watch);
  final_hidden_ = SharedRows(apply_final_norm(plan.model(), *layers_.back().resid_post.whole(), pool, watch));
  unchanged_ = value_of(watched_, plan.model(), {final_hidden_, &final_hidden_}, pool, watch);
}

double TextEffects::value(SharedRows resid) const {
  const SharedRows hidden(apply_final_norm(plan_.model(), *resid.whole(), pool_, watch_));
  return value_of(watched_, plan_.model(), {hidden, target_row(watched_.target.kind).needs_unedited ? &final_hidden_ : nullptr}, pool_,
                  watch_);
}

double TextEffects::continue_after(int layer, Matrix&& resid_post, std::span<const HeadId> also_off) {
  const ModelConfig& config = plan_.model().config;
  const int encoder_layers = config.is_encoder_decoder() ? config.stacks.encoder_layers : 0;
  SharedRows resid(std::move(resid_post));
  std::optional<Matrix> memory;
  const auto end_encoder = [&](int ended, const SharedRows& last) {
    if (ended + 1 == encoder_layers) memory = make_memory(plan_.model(), *last.whole(), pool_, watch_);
  };
  if (layer >= encoder_layers && encoder_layers > 0) {
    end_encoder(encoder_layers - 1, layers_[static_cast<std::size_t>(encoder_layers - 1)].resid_post);
  } else {
    end_encoder(layer, resid);
  }
  std::vector<std::shared_ptr<const LayerTrace>> run;  // the layers above, where maps are taken from them
  const LayersBelow below = [&](int number) -> const LayerTrace& {
    return number <= layer ? layers_[static_cast<std::size_t>(number)] : *run[static_cast<std::size_t>(number - layer - 1)];
  };
  for (int above = layer + 1; above < config.layers; ++above) {
    const LayerTrace& before = layers_[static_cast<std::size_t>(above)];
    if (encoder_layers > 0 && above == encoder_layers) resid = before.resid_pre;  // the decoder's own text
    LayerRequest request = plan_.request(above);
    for (const HeadId& head : also_off) {  // the last edit counts
      if (head.layer == above) request.edits.push_back({.kind = InterventionKind::off, .heads = {head.head}});
    }
    LayerInput input{stream_after_edits(request.edits, above, resid), memory ? &*memory : nullptr, masks_of(before)};
    if (plan_.run().keeps_layers()) input.below = below;
    const std::shared_ptr<const LayerTrace> trace = run_layer(plan_.model(), above, request, input, pool_, {}, watch_);
    if (plan_.run().keeps_layers()) run.push_back(trace);
    resid = trace->resid_post;
    end_encoder(above, resid);
  }
  return value(std::move(resid));
}

Index TextEffects::watched_position() const {
  return watched_.rows.size() == 1 && !plan_.model().config.is_encoder_decoder() ? watched_.rows.front() : -1;
}

Matrix TextEffects::output(HeadId head) const {
  const LayerTrace& layer = layers_.at(static_cast<std::size_t>(head.layer));
  Matrix copy;
  return head_columns(layer.z, layer.heads, head.head, copy);
}

double TextEffects::with_stream(int layer, const Matrix& stream) {
  return continue_after(layer - 1, Matrix(stream), {});
}

Matrix TextEffects::output_with(HeadId head, const Matrix& weights) const {
  const LayerTrace& layer = layers_.at(static_cast<std::size_t>(head.layer));
  Matrix copy, z(weights.rows(), layer.v.cols() / layer.kv_heads);
  mix_values(weights, head_columns(layer.v, layer.kv_heads, kv_head_of(head.head, layer.heads, layer.kv_heads), copy), z, watch_);
  return z;
}

Matrix TextEffects::output_with(HeadId head, InterventionKind map) const {
  const bool needs_one_axis = map == InterventionKind::previous || map == InterventionKind::self;
  if (needs_one_axis && plan_.model().config.place(head.layer).stack == Stack::cross) return {};
  const LayerTrace& layer = layers_.at(static_cast<std::size_t>(head.layer));
  return output_with(head, placed_map(map, layer.mask(head.head), rebuild_head(layer, head.head, watch_).weights));
}

double TextEffects::with(HeadId head, const Matrix& z) {
  Matrix changed = *layers_.at(static_cast<std::size_t>(head.layer)).z.whole();
  changed.middleCols(head.head * z.cols(), z.cols()) = z;
  return with_outputs(head.layer, changed);
}

double TextEffects::with_outputs(int layer, const Matrix& z) {
  const SharedRows::SharedMatrix resid_pre = layers_.at(static_cast<std::size_t>(layer)).resid_pre.whole();
  return continue_after(layer, finish_layer(plan_.model(), layer, plan_.request(layer), *resid_pre, z, pool_, watch_), {});
}

double TextEffects::gated(HeadId head, float factor) {
  return with(head, factor == 0 ? Matrix(Matrix::Zero(output(head).rows(), output(head).cols())) : Matrix(output(head) * factor));
}

double TextEffects::gate_gradient(HeadId head) {
  constexpr float kStep = 1e-2F;  // smaller ones lose digits in float32, larger ones the slope
  const float above = 1 + kStep, below = 1 - kStep;
  return std::abs(gated(head, above) - gated(head, below)) / (static_cast<double>(above) - static_cast<double>(below));
}

double TextEffects::without(std::span<const HeadId> heads) {
  if (heads.empty()) return unchanged_;
  const int lowest = std::min_element(heads.begin(), heads.end())->layer;
  const LayerTrace& layer = layers_.at(static_cast<std::size_t>(lowest));
  Matrix changed = *layer.z.whole();
  const Index width = changed.cols() / layer.heads;
  for (const HeadId& head : heads) {
    if (head.layer == lowest) changed.middleCols(head.head * width, width).setZero();
  }
  const SharedRows::SharedMatrix resid_pre = layer.resid_pre.whole();
  return continue_after(lowest, finish_layer(plan_.model(), lowest, plan_.request(lowest), *resid_pre, changed, pool_, watch_), heads);
}

}  // namespace headlight

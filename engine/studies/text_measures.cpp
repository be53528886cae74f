#include "engine/studies/text_measures.h"

#include <optional>

namespace headlight {
namespace {

const std::vector<Token>& key_tokens_of(const ModelConfig& config, int layer, const Encoding& text, const Encoding* decoder) {
  return config.place(layer).stack == Stack::decoder ? decoder->tokens : text.tokens;
}

class MeasuringVisitor final : public LayerVisitor {
 public:
  MeasuringVisitor(const ModelConfig& config, const TokenStage& tokens, const std::vector<MeasureRequest>& requests,
                   const std::vector<OutputNorms>& norms, bool keeps_cells)
      : config_(config), tokens_(tokens), requests_(requests), norms_(norms), keeps_cells_(keeps_cells) {}

  void begin_layer(int layer, const LayerMasks& masks) override {
    const Stack stack = config_.place(layer).stack;
    if (!plan_ || stack != stack_) {
      const std::vector<Token>& keys = key_tokens_of(config_, layer, *tokens_.encoding, tokens_.decoder_encoding.get());
      plan_.reset();
      text_.emplace(keys, stack != Stack::cross);
      plan_.emplace(requests_, *text_, std::ssize(keys));
      stack_ = stack;
    }
    gauge_.emplace(*plan_, masks, known_masks_, keeps_cells_);
  }
  void add_rows(int head, const HeadRows& rows) override { gauge_->add(head, rows); }
  void end_layer(int layer, const LayerTrace& trace) override {
    if (!norms_.empty()) gauge_->add_outputs(trace, norms_[static_cast<std::size_t>(layer)]);
    append_values(values_, layer, *gauge_, requests_.size(), keeps_cells_);
  }
  std::vector<HeadValues> take() { return std::move(values_); }

 private:
  const ModelConfig& config_;
  const TokenStage& tokens_;
  const std::vector<MeasureRequest>& requests_;
  const std::vector<OutputNorms>& norms_;
  bool keeps_cells_;
  Stack stack_ = Stack::only;
  std::optional<MeasuredText> text_;
  std::optional<GaugePlan> plan_;
  KnownMaskRows known_masks_;
  std::optional<LayerGauge> gauge_;
  std::vector<HeadValues> values_;
};

}  // namespace

std::vector<OutputNorms> output_norms(const PassingRun& run, const std::vector<MeasureRequest>& requests) {
  std::vector<OutputNorms> norms;
  if (!needs_outputs(requests)) return norms;
  for (int layer = 0; layer < run.model().config.layers; ++layer)
    norms.emplace_back(run.model().parameters.layer(layer).o.weight, run.heads(layer));
  return norms;
}

std::vector<HeadValues> measure_text_heads(const PassingRun& run, const TokenStage& tokens, const std::vector<MeasureRequest>& requests,
                                           const std::vector<OutputNorms>& norms, bool keeps_cells, ThreadPool& pool, const Watch& watch) {
  MeasuringVisitor visitor(run.model().config, tokens, requests, norms, keeps_cells);
  run.run(tokens, pool, &visitor, watch);
  return visitor.take();
}

namespace {

class BothVisitors final : public LayerVisitor {
 public:
  BothVisitors(LayerVisitor& first, LayerVisitor& second) : first_(first), second_(second) {}
  void begin_layer(int layer, const LayerMasks& masks) override {
    first_.begin_layer(layer, masks);
    second_.begin_layer(layer, masks);
  }
  void add_rows(int head, const HeadRows& rows) override {
    first_.add_rows(head, rows);
    second_.add_rows(head, rows);
  }
  void end_layer(int layer, const LayerTrace& trace) override {
    first_.end_layer(layer, trace);
    second_.end_layer(layer, trace);
  }

 private:
  LayerVisitor &first_, &second_;
};

}  // namespace

MeasuredRun measure_text_heads_beside(LayerVisitor& beside, const PassingRun& run, const TokenStage& tokens,
                                      const std::vector<MeasureRequest>& requests, const std::vector<OutputNorms>& norms, ThreadPool& pool,
                                      const Watch& watch) {
  MeasuringVisitor measuring(run.model().config, tokens, requests, norms, true);
  BothVisitors both(measuring, beside);
  SharedRows stream = run.run(tokens, pool, &both, watch);
  return {measuring.take(), std::move(stream)};
}

}  // namespace headlight

#include "engine/studies/text_measures.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace headlight {
namespace {

const std::vector<Token>& key_tokens_of(const ModelConfig& config, int layer, const Encoding& text, const Encoding* decoder) {
  return config.place(layer).stack == Stack::decoder ? decoder->tokens : text.tokens;
}

void append_values(std::vector<HeadValues>& all, int layer, const LayerGauge& gauge, std::size_t requests, bool keeps_cells) {
  const std::vector<std::vector<double>> values = gauge.values();
  for (int head = 0; head < gauge.heads(); ++head) {
    HeadValues& found = all.emplace_back(HeadValues{{layer, head}, values[static_cast<std::size_t>(head)], {}, {}});
    for (std::size_t request = 0; request < requests; ++request) {
      found.rows.push_back(gauge.head(head).rows(request));
      if (keeps_cells) found.cells.push_back(gauge.head(head).best_cell(request));
    }
  }
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
    gauge_.emplace(*plan_, masks, keeps_cells_);
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
  std::optional<LayerGauge> gauge_;
  std::vector<HeadValues> values_;
};

bool needs_outputs(const std::vector<MeasureRequest>& requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [](const MeasureRequest& request) { return request.measure->need == MeasureNeed::outputs; });
}

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

std::vector<HeadValues> measure_snapshot_layer(const Snapshot& snapshot, int layer, const std::vector<MeasureRequest>& requests,
                                               bool keeps_cells, const Watch& watch) {
  std::vector<HeadValues> found;
  const LayerTrace& trace = snapshot.trace.layer(layer);
  const Encoding& keys = snapshot.key_tokens(layer);
  const std::vector<Token> tokens = trace.given.empty() ? keys.tokens : told_by_texts(keys.tokens);
  const MeasuredText text(tokens, &snapshot.query_tokens(layer) == &keys);
  const GaugePlan plan(requests, text, std::ssize(keys.tokens));
  LayerGauge gauge(plan, masks_of(trace), keeps_cells);
  for (int head = 0; head < gauge.heads(); ++head) {
    const bool is_given = !trace.given.empty();
    if (is_given && !trace.given[static_cast<std::size_t>(head)].sums.are_weights()) continue;
    gauge.add(head, {0, snapshot.maps({layer, head}, watch).weights});
  }
  if (trace.given.empty() && needs_outputs(requests)) {
    gauge.add_outputs(trace, OutputNorms(snapshot.model->parameters.layer(layer).o.weight, trace.heads));
  }
  append_values(found, layer, gauge, requests.size(), keeps_cells);
  return found;
}

std::vector<HeadValues> measure_snapshot(const Snapshot& snapshot, const std::vector<MeasureRequest>& requests, bool keeps_cells,
                                         Progress& progress) {
  std::vector<HeadValues> all;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    progress.step(static_cast<double>(layer) / snapshot.layers(), "measuring heads");
    std::vector<HeadValues> found = measure_snapshot_layer(snapshot, layer, requests, keeps_cells, progress);
    all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return all;
}

}  // namespace headlight

#include "engine/pipeline/stages/early_layers.h"

#include <algorithm>
#include <utility>

#include "engine/forward/surgery.h"
#include "engine/interventions/intervention.h"

namespace headlight {
namespace {

/// Says nothing of how far it is: what reads the model does.
class QuietProgress final : public Progress {
 public:
  explicit QuietProgress(Progress& whole) : whole_(whole) {}
  void step(double, std::string_view) override { whole_.check(); }
  void check() override { whole_.check(); }

 private:
  Progress& whole_;
};

}  // namespace

void LayersShown::after_layer(const Stages& stages, const std::vector<LayerRequest>& requests) {
  constexpr std::chrono::milliseconds kMoment{200};  // a run that is over by then shows itself
  const auto now = std::chrono::steady_clock::now();
  if (!show_ || now - last_ < kMoment) return;
  last_ = now;
  show_(stages.take_part(query_, requests));
}

EarlyLayers::EarlyLayers(const Query& query, const std::shared_ptr<const Model>& model, TokenKey key)
    : query_(query), requests_(requests_of_layers(query, *model)) {
  memo_.model = model;
  memo_.tokens = make_tokens(*model, query, std::move(key));
}

void EarlyLayers::compute(int layers, ThreadPool& pool, Measures measures, LayersShown& shown, StageClock& clock, Progress& progress) {
  QuietProgress quiet(progress);
  Stages stages(memo_, pool, measures);
  stages.keep_embedding(quiet);
  clock.note("embedding");
  stages.keep_first_layers(requests_, static_cast<std::size_t>(layers), clock, quiet, [&] { shown.after_layer(stages, requests_); });
}

bool can_begin_early(const ModelConfig& config, const std::vector<LayerRequest>& requests) {
  return !config.is_encoder_decoder() && std::none_of(requests.begin(), requests.end(), needs_more_than_its_layer);
}

}  // namespace headlight

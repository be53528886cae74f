#include "engine/pipeline/stages/run_estimate.h"

#include <algorithm>
#include <chrono>

namespace headlight {
namespace {

/// Beside its two products a cell has its scale, its exponential and its share in the measures of its head: as multiply-adds.
constexpr double kWorkOfCell = 24;
/// What a pass reaches of the speed of one large product: norms, sums and additions go through memory.
constexpr double kShareOfSpeed = 0.8;

double cells_of_weights(const LayerParameters& layer) {
  double cells = 0;
  for (const Linear* linear : {&layer.q, &layer.k, &layer.v, &layer.o, &layer.ff_in, &layer.ff_out, &layer.ff_gate})
    cells += static_cast<double>(linear->weight.rows()) * static_cast<double>(linear->weight.cols());
  return cells;
}

}  // namespace

double work_of_layers(const Model& model, const std::vector<LayerRequest>& requests, TokenCounts tokens, std::size_t first,
                      std::size_t end) {
  double work = 0;
  for (std::size_t layer = first; layer < end; ++layer) {
    const auto number = static_cast<int>(layer);
    const MapSize map = map_size(model.config, number, tokens);
    const HeadCounts& counts = requests[layer].counts;
    const bool is_half = model.config.reads_one_way() && requests[layer].mask.rules.empty() && map.queries == map.keys;
    const double cells = map.cells() * counts.heads * (is_half ? 0.5 : 1);
    work += map.queries * cells_of_weights(model.parameters.layer(number)) + cells * (2.0 * counts.d_head + kWorkOfCell);
  }
  return work;
}

double speed_of_machine(ThreadPool& pool, const Watch& watch) {
  using Clock = std::chrono::steady_clock;
  constexpr Index kRows = 1024, kWidth = 768;
  const Matrix rows = Matrix::Ones(kRows, kWidth);
  const Linear weights{Weights(Matrix(Matrix::Ones(kWidth, kWidth))), {}};
  double fastest = 0;
  for (int round = 0; round < 3; ++round) {
    const Clock::time_point begin = Clock::now();
    apply_linear(rows, weights, pool, false, watch);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    fastest = std::max(fastest, static_cast<double>(kRows * kWidth * kWidth) / std::max(seconds, 1e-9));
  }
  return kShareOfSpeed * fastest;
}

}  // namespace headlight

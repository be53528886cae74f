#include "engine/model/sandbox.h"

#include <fmt/core.h>

#include <cmath>

#include "engine/core/checked.h"
#include "engine/core/error.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

constexpr int kLearnedPositions = 1024;
constexpr std::uint64_t kMostParameters = std::uint64_t{1} << 30U;

// Scales that keep maps uneven in every layer (tests/model/sandbox_test.cpp measures them). The input of every projection is
// normalised, so q and k have this standard deviation and scaled scores its square. What a block adds must stay small beside the
// tokens' own vectors, or after a few layers all tokens look alike and every map turns flat.
const double kQueryKeyDeviation = std::sqrt(2.0);
constexpr double kBranchGain = 1.0;  // divided by √layers

Matrix random_matrix(std::uint64_t seed, const std::string& name, Index rows, Index columns, double deviation) {
  RandomStream stream(seed, name);
  Matrix matrix(rows, columns);
  const auto scale = static_cast<float>(deviation);
  for (float& value : matrix.reshaped<Eigen::RowMajor>()) value = stream.next_normal() * scale;
  return matrix;
}

/// Outputs have standard deviation `gain` where inputs have 1.
Linear random_linear(std::uint64_t seed, const std::string& name, Index in, Index out, double gain) {
  return {random_matrix(seed, name, in, out, gain / std::sqrt(static_cast<double>(in))), {}};
}

LayerNorm plain_norm(Index width) {
  return {RowVector::Ones(width), RowVector::Zero(width)};
}

LayerParameters random_layer(const ModelConfig& config, std::uint64_t seed, int layer) {
  const auto linear = [&](std::string_view part, Index in, Index out, double gain) {
    return random_linear(seed, fmt::format("layer.{}.{}", layer, part), in, out, gain);
  };
  const Index width = config.d_model;
  const double branch_gain = kBranchGain / std::sqrt(static_cast<double>(config.layers));
  return {.norm_1 = plain_norm(width),
          .q = linear("q", width, width, kQueryKeyDeviation),
          .k = linear("k", width, width, kQueryKeyDeviation),
          .v = linear("v", width, width, 1.0),
          .o = linear("o", width, width, branch_gain),
          .norm_2 = plain_norm(width),
          .ff_in = linear("ff_in", width, config.d_ff, 1.0),
          .ff_out = linear("ff_out", config.d_ff, width, branch_gain)};
}

ModelConfig sandbox_config(const SandboxSpec& spec) {
  check_head_count(spec.d_model, spec.heads);
  ModelConfig config;
  config.family = "sandbox";
  config.layers = spec.layers;
  config.d_model = spec.d_model;
  config.heads = spec.heads;
  config.d_head = spec.d_model / spec.heads;
  config.d_ff = 4 * spec.d_model;
  config.max_positions = spec.positions == PositionKind::learned ? kLearnedPositions : 0;
  config.is_causal = spec.is_causal;
  config.positions = spec.positions;
  return config;
}

/// 12 · d_model² in every layer, refused before anything is allocated.
void check_parameter_count(const SandboxSpec& spec) {
  const auto width = static_cast<std::uint64_t>(spec.d_model);
  const auto square = checked_multiply(width, width);
  const auto layer = square ? checked_multiply(*square, 12) : std::nullopt;
  const auto total = layer ? checked_multiply(*layer, static_cast<std::uint64_t>(spec.layers)) : std::nullopt;
  if (total && *total <= kMostParameters) return;
  throw Error({.kind = ErrorKind::limit,
               .field = "sandbox",
               .problem = fmt::format("{} layers of d_model {} hold too many parameters", spec.layers, spec.d_model),
               .found = total ? std::to_string(*total) : "more than 2^64",
               .expected = fmt::format("at most {}", kMostParameters)});
}

void check_sandbox_size(std::string_view name, int size, int largest) {
  if (size >= 1 && size <= largest) return;
  throw Error({.kind = ErrorKind::usage,
               .field = std::string(name),
               .problem = "size out of range",
               .found = std::to_string(size),
               .expected = fmt::format("1 to {}", largest)});
}

}  // namespace

std::shared_ptr<const Model> make_sandbox(const SandboxSpec& spec) {
  SilentProgress progress;
  return make_sandbox(spec, progress);
}

std::shared_ptr<const Model> make_sandbox(const SandboxSpec& spec, Progress& progress) {
  check_sandbox_size("layers", spec.layers, 10'000);
  check_sandbox_size("d_model", spec.d_model, 1 << 20);
  check_parameter_count(spec);

  auto model = std::make_shared<Model>();
  model->name = "sandbox";
  model->source = fmt::format("random weights, seed {}", spec.seed);
  model->is_random = true;
  model->config = sandbox_config(spec);
  model->parameters.embedding = HashedEmbedding{spec.seed};
  if (spec.positions == PositionKind::learned) {
    model->parameters.positions = random_matrix(spec.seed, "positions", kLearnedPositions, spec.d_model, 1.0);
  }
  for (int layer = 0; layer < spec.layers; ++layer) {
    progress.step(static_cast<double>(layer) / spec.layers, "drawing random weights");
    model->parameters.layers.push_back(random_layer(model->config, spec.seed, layer));
  }
  model->parameters.final_norm = plain_norm(spec.d_model);
  model->tokenizer = make_sandbox_tokenizer(spec.unit);
  return model;
}

}  // namespace headlight

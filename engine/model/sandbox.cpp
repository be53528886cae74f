#include "engine/model/sandbox.h"

#include <fmt/core.h>

#include <atomic>
#include <cmath>

#include "engine/core/checked.h"
#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

constexpr int kLearnedPositions = 1024;
constexpr std::uint64_t kMostParameters = std::uint64_t{1} << 30U;

// Scales that keep maps uneven in every layer (tests/model/sandbox_test.cpp measures them). The input of every projection is
// normalised, so q and k have this standard deviation and scaled scores its square. What a block adds must stay small beside the
// tokens' own vectors, or after a few layers all tokens look alike and every map turns flat.
const double kQueryKeyDeviation = std::sqrt(2.0);
constexpr double kBranchGain = 1.0;      // divided by √layers
constexpr double kBiasShare = 0.5;       // standard deviation of drawn biases, beside that of what the projection makes of its input
constexpr Index kFarthestDistance = 16;  // of relative scores; farther ones share its vector (Shaw et al. 2018, arXiv 1803.02155)

/// Numbers of mean 0 and variance 1.
float next_number(RandomStream& stream, WeightDistribution distribution) {
  static constexpr float kUniformReach = 1.7320508F;  // √3
  if (distribution == WeightDistribution::normal) return stream.next_normal();
  return (2 * stream.next_uniform() - 1) * kUniformReach;
}

/// What all random tensors of one sandbox have in common.
class Drawing {
 public:
  Drawing(const SandboxSpec& spec, const Watch& watch) : spec_(spec), watch_(watch) {}

  Matrix matrix(const std::string& name, Index rows, Index columns, double deviation) const {
    RandomStream stream(spec_.seed, name);
    Matrix matrix(rows, columns);
    const auto scale = static_cast<float>(deviation);
    for (Index row = 0; row < rows; ++row) {
      watch_.check();
      for (float& value : matrix.row(row)) value = next_number(stream, spec_.distribution) * scale;
    }
    return matrix;
  }
  /// Outputs have standard deviation `gain` where inputs have 1.
  Linear linear(const std::string& name, Index in, Index out, double gain) const {
    return {matrix(name, in, out, gain / std::sqrt(static_cast<double>(in))), {}};
  }
  /// q, k, v or o: with the biases that the spec asks for.
  Linear projection(const std::string& name, Index in, Index out, double gain) const {
    Linear projection = linear(name, in, out, gain);
    if (spec_.biases == SandboxBiases::zero) projection.bias = RowVector::Zero(out);
    if (spec_.biases == SandboxBiases::random) projection.bias = vector(name + ".bias", out, kBiasShare * gain);
    return projection;
  }
  RowVector vector(const std::string& name, Index size, double deviation) const { return matrix(name, 1, size, deviation).row(0); }

 private:
  const SandboxSpec& spec_;
  const Watch& watch_;
};

Norm plain_norm(NormKind kind, Index width) {
  if (kind == NormKind::none) return {};
  return {RowVector::Ones(width), kind == NormKind::layer_norm ? RowVector::Zero(width) : RowVector(), kind};
}

LayerParameters random_layer(const ModelConfig& config, const SandboxSpec& spec, int layer, const Watch& watch) {
  const Drawing draw(spec, watch);
  const auto name = [&](std::string_view part) { return fmt::format("layer.{}.{}", layer, part); };
  const Index width = config.d_model;
  const Index kv_width = Index{config.heads.kv_count} * config.heads.d_head;
  const double branch_gain = kBranchGain / std::sqrt(static_cast<double>(config.layers));
  const double query_gain = kQueryKeyDeviation * static_cast<double>(spec.gain);
  LayerParameters parameters;
  parameters.norm_1 = plain_norm(spec.norm, width);
  parameters.q = draw.projection(name("q"), width, width, query_gain);
  parameters.k = draw.projection(name("k"), width, kv_width, query_gain);
  parameters.v = draw.projection(name("v"), width, kv_width, 1.0);
  parameters.o = draw.projection(name("o"), width, width, branch_gain);
  parameters.additive = draw.vector(name("additive"), width, 1.0);
  parameters.distance_keys = draw.matrix(name("distance_keys"), 2 * kFarthestDistance + 1, width, 0.5);
  parameters.distance_query = draw.vector(name("distance_query"), width, 0.5);
  if (config.place(layer).stack == Stack::decoder) return parameters;
  parameters.norm_2 = plain_norm(spec.norm, width);
  parameters.ff_in = draw.linear(name("ff_in"), width, config.feed_forward.d_ff, 1.0);
  parameters.ff_out = draw.linear(name("ff_out"), config.feed_forward.d_ff, width, branch_gain);
  return parameters;
}

/// 4 · d_model² and 2 · d_model · d_ff in every layer, refused before anything is allocated.
void check_parameter_count(const SandboxSpec& spec) {
  const auto width = static_cast<std::uint64_t>(spec.d_model);
  const auto inner = spec.d_ff == 0 ? 4 * width : static_cast<std::uint64_t>(spec.d_ff);
  const auto layers = static_cast<std::uint64_t>(spec.layers) * (spec.kind == SandboxKind::encoder_decoder ? 3 : 1);
  const auto layer = checked_multiply(width, 4 * width + 2 * inner);  // no overflow inside: both are below 2^25
  const auto total = layer ? checked_multiply(*layer, layers) : std::nullopt;
  if (total && *total <= kMostParameters) {
    return require_memory(static_cast<double>(*total) * sizeof(float), allowed_memory(),
                          {.field = "sandbox",
                           .problem = fmt::format("{} layers of d_model {} need more memory than allowed", spec.layers, spec.d_model),
                           .hint = "Choose fewer layers or a smaller d_model."});
  }
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

[[noreturn]] void refuse_gain(float gain) {
  throw Error({.kind = ErrorKind::usage,
               .field = "gain",
               .problem = "gain out of range",
               .found = fmt::format("{}", gain),
               .expected = "0 to 100"});
}

}  // namespace

ModelConfig sandbox_config(const SandboxSpec& spec) {
  check_head_count(spec.d_model, spec.heads);
  ModelConfig config;
  config.family = "sandbox";
  config.stacks.encoder_layers = spec.kind == SandboxKind::encoder_decoder ? spec.layers : 0;
  config.layers = spec.kind == SandboxKind::encoder_decoder ? 3 * spec.layers : spec.layers;
  config.d_model = spec.d_model;
  config.heads.count = spec.heads;
  config.heads.kv_count = spec.kv_heads == 0 ? spec.heads : spec.kv_heads;
  check_kv_heads(config.heads.count, config.heads.kv_count);
  config.heads.d_head = spec.d_model / spec.heads;
  config.feed_forward.d_ff = spec.d_ff == 0 ? 4 * spec.d_model : spec.d_ff;
  config.positions.most = spec.positions == PositionKind::learned ? kLearnedPositions : 0;
  config.mask.is_causal = spec.kind != SandboxKind::bidirectional;
  config.positions.kind = spec.positions;
  config.positions.rotary = spec.rotary;
  config.norm = {.kind = spec.norm, .place = spec.norm_place};
  config.feed_forward.activation = spec.activation;
  check_rotary(config);
  return config;
}

std::shared_ptr<const Model> make_sandbox(const SandboxSpec& spec) {
  SilentProgress progress;
  ThreadPool alone(1);
  return make_sandbox(spec, alone, progress);
}

std::shared_ptr<const Model> make_sandbox(const SandboxSpec& spec, ThreadPool& pool, Progress& progress) {
  check_sandbox_size("layers", spec.layers, 10'000);
  check_sandbox_size("d_model", spec.d_model, 1 << 20);
  if (spec.d_ff != 0) check_sandbox_size("d_ff", spec.d_ff, 1 << 24);
  if (!(spec.gain >= 0.0F && spec.gain <= 100.0F)) refuse_gain(spec.gain);
  check_parameter_count(spec);

  auto model = std::make_shared<Model>();
  model->name = "sandbox";
  model->source = fmt::format("random weights, seed {}", spec.seed);
  model->is_random = true;
  model->config = sandbox_config(spec);
  model->parameters.embedding.tokens = HashedEmbedding{spec.seed};
  if (spec.positions == PositionKind::learned) {
    model->parameters.embedding.positions = Drawing(spec, progress).matrix("positions", kLearnedPositions, spec.d_model, 1.0);
  }
  if (spec.positions == PositionKind::t5_buckets) {
    model->parameters.distance_buckets =
        Drawing(spec, progress).matrix("distance_buckets", model->config.positions.t5.buckets, spec.heads, 1.0);
  }
  const int layers = model->config.layers;
  model->parameters.layers.resize(static_cast<std::size_t>(layers));
  std::atomic<int> done = 0;
  pool.for_each(layers, [&](Index layer) {
    progress.step(static_cast<double>(done) / layers, "drawing random weights");
    model->parameters.layers[static_cast<std::size_t>(layer)] = random_layer(model->config, spec, static_cast<int>(layer), progress);
    ++done;
  });
  const NormKind last_norm = spec.norm_place == NormPlace::before ? spec.norm : NormKind::none;
  model->parameters.final_norm = plain_norm(last_norm, spec.d_model);
  if (model->config.is_encoder_decoder()) model->parameters.encoder_norm = plain_norm(last_norm, spec.d_model);
  for (const ParameterEdit& edit : spec.edits) apply_edit(model->parameters, edit);
  model->tokenizer = make_sandbox_tokenizer(spec.unit);
  return model;
}

}  // namespace headlight

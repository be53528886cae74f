#include "app/gui/rails/sandbox_kit.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

#include "app/document/names.h"
#include "app/gui/panel/panel.h"

namespace headlight {
namespace {

void draw_kv_heads(const Look& look, SandboxSpec& spec) {
  const Row row = begin_row(look, "Drawn k/v heads",
                            "For how many key/value heads the random k and v projections are drawn. Fewer than heads: grouped-query "
                            "attention (Ainslie et al. 2023, arXiv 2305.13245); 1: multi-query.");
  std::vector<int> divisors{0};
  for (int count = 1; count < spec.heads; ++count) {
    if (spec.heads % count == 0) divisors.push_back(count);
  }
  const auto label = [](int count) { return count == 0 ? std::string("one per head") : std::to_string(count); };
  offer_numbers(look, row, "Drawn k/v heads", std::move(divisors), spec, &SandboxSpec::kv_heads, label);
}

void draw_feed_forward(const Look& look, SandboxSpec& spec) {
  const int width = spec.d_model;
  const Row row = begin_row(look, "Width d_ff", "Inner width of the feed-forward part.");
  const auto label = [&](int d_ff) { return d_ff == 0 ? fmt::format("4 · d_model · {}", 4 * width) : std::to_string(d_ff); };
  offer_numbers(look, row, "d_ff", {0, width, 2 * width, 3 * width, 8 * width}, spec, &SandboxSpec::d_ff, label);
  const std::array<Choice, 4> activations{
      Choice{"gelu-tanh", "x · Φ(x), with Φ approximated by tanh. Hendrycks and Gimpel 2016, arXiv 1606.08415."},
      Choice{"gelu-erf", "x · Φ(x). Hendrycks and Gimpel 2016, arXiv 1606.08415."}, Choice{"relu", "max(x, 0)."},
      Choice{"silu", "x · σ(x). Hendrycks and Gimpel 2016, arXiv 1606.08415, section 3.2."}};
  int chosen = static_cast<int>(spec.activation);
  const Row activation = begin_row(look, "Activation", "What bends the feed-forward part: without it, two matrices would be one.");
  if (drop_down(look, activation, "Activation", activations, chosen)) spec.activation = static_cast<Activation>(chosen);
}

void draw_norm(const Look& look, SandboxSpec& spec) {
  const std::array<Choice, 3> norms{Choice{"layer norm", "(x − mean) / √(variance + ε). Ba et al. 2016, arXiv 1607.06450."},
                                    Choice{"rms norm", "x / √(mean of x² + ε). Zhang and Sennrich 2019, arXiv 1910.07467."},
                                    Choice{"none", "x as it is: its length grows from layer to layer, and scores with it."}};
  int chosen = static_cast<int>(spec.norm);
  if (drop_down(look, begin_row(look, "Norm", "What keeps token vectors at one length."), "Norm", norms, chosen))
    spec.norm = static_cast<NormKind>(chosen);
  const std::array<std::string, 2> places{"before", "after"};
  int place = static_cast<int>(spec.norm_place);
  const Row row = begin_row(look, "Norm place",
                            "before: x + f(norm(x)), as in GPT-2. after: norm(x + f(x)), as in Vaswani et al. 2017, arXiv 1706.03762.");
  if (segmented(look, row, "Norm place", places, place)) spec.norm_place = static_cast<NormPlace>(place);
}

void draw_rotary_dimensions(const Look& look, SandboxSpec& spec) {
  const int d_head = spec.d_model / std::max(1, spec.heads);
  std::vector<int> values{0};
  std::vector<std::string> labels{fmt::format("all · {}", d_head)};
  int chosen = 0;
  for (int dimensions = 2; dimensions <= d_head; dimensions *= 2) {
    if (dimensions == spec.rotary.dimensions) chosen = static_cast<int>(values.size());
    values.push_back(dimensions);
    labels.push_back(std::to_string(dimensions));
  }
  if (chosen == 0 && spec.rotary.dimensions != 0) {
    chosen = static_cast<int>(values.size());
    values.push_back(spec.rotary.dimensions);
    labels.push_back(std::to_string(spec.rotary.dimensions));
  }
  const Row row = begin_row(look, "Turned numbers", "How many of a head's numbers are turned, in pairs; the others know no place.");
  if (drop_down(look, row, "Rotary dimensions", labels, chosen)) spec.rotary.dimensions = values[static_cast<std::size_t>(chosen)];
}

void draw_theta(const Look& look, RotarySettings& rotary) {
  std::vector<double> values{100, 1'000, 10'000, 100'000, 500'000, 1'000'000, rotary.theta};
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::string> labels;
  labels.reserve(values.size());
  for (const double value : values) labels.push_back(fmt::format("{}", value));
  auto chosen = static_cast<int>(std::find(values.begin(), values.end(), rotary.theta) - values.begin());
  const Row row = begin_row(look, "Base θ", "Pair i turns by position · θ^(−2i/d): the larger, the slower the slowest pair.");
  if (drop_down(look, row, "Theta", labels, chosen)) rotary.theta = values[static_cast<std::size_t>(chosen)];
}

void draw_rotary(const Look& look, SandboxSpec& spec) {
  draw_rotary_dimensions(look, spec);
  RotarySettings& rotary = spec.rotary;
  draw_theta(look, rotary);
  const std::array<Choice, 4> kinds{
      Choice{"none", "Frequencies as they are."}, Choice{"linear", "All frequencies ÷ factor. Chen et al. 2023, arXiv 2306.15595."},
      Choice{"llama3", "Long waves are stretched, short ones kept. Grattafiori et al. 2024, arXiv 2407.21783."},
      Choice{"yarn", "Pairs that turn seldom are stretched, and scores sharpened. Peng et al. 2023, arXiv 2309.00071."}};
  int chosen = static_cast<int>(rotary.scaling.kind);
  const Row scaling = begin_row(look, "Stretched", "How frequencies are stretched for texts longer than those of training.");
  if (drop_down(look, scaling, "Rotary scaling", kinds, chosen)) {
    rotary.scaling.kind = static_cast<RotaryScaling::Kind>(chosen);
    constexpr double kFirstFactor = 4;
    if (chosen != 0 && rotary.scaling.factor == 1) rotary.scaling.factor = kFirstFactor;
  }
  if (rotary.scaling.kind == RotaryScaling::Kind::none) return;
  auto factor = static_cast<float>(rotary.scaling.factor);
  const Row row = begin_row(look, "Factor", "How many times longer the texts may be. 1: nothing is stretched.");
  if (slider(look, row, "Rotary factor", factor, 1, 32, 4, fmt::format("{:.3g}", rotary.scaling.factor)))
    rotary.scaling.factor = static_cast<double>(std::round(factor));
}

void draw_biases(const Look& look, SandboxSpec& spec) {
  const std::array<std::string, 3> kinds{"none", "zero", "random"};
  int kind = static_cast<int>(spec.biases);
  const Row row = begin_row(
      look, "Biases", "Of q, k, v and W_O. zero: they are there and can be edited. random: drawn beside the other numbers, which stay.");
  if (segmented(look, row, "Biases", kinds, kind)) spec.biases = static_cast<SandboxBiases>(kind);
}

void draw_weights(const Look& look, SandboxSpec& spec) {
  const std::array<std::string, 2> distributions{"normal", "uniform"};
  int distribution = static_cast<int>(spec.distribution);
  const Row row =
      begin_row(look, "Weights", "How the random weights are spread: a bell, or evenly between two ends. Both have the same variance.");
  if (segmented(look, row, "Weights", distributions, distribution)) spec.distribution = static_cast<WeightDistribution>(distribution);
  const Row gain = begin_row(look, "Gain", "q and k are multiplied by it: above 1 sharper maps, below 1 flatter ones. Double click: 1.");
  if (slider(look, gain, "Gain", spec.gain, 0, 4, 1, fmt::format("{:.2f}", spec.gain))) spec.gain = std::round(spec.gain * 20) / 20;
}

}  // namespace

int advanced_changes(const SandboxSpec& spec) {
  const SandboxSpec plain;
  int changes = 0;
  for (const bool is_changed :
       {spec.kv_heads != plain.kv_heads, spec.d_ff != plain.d_ff, spec.norm != plain.norm, spec.norm_place != plain.norm_place,
        spec.activation != plain.activation, spec.distribution != plain.distribution, spec.gain != plain.gain, spec.biases != plain.biases,
        spec.positions == PositionKind::rotary && spec.rotary != plain.rotary}) {
    changes += static_cast<int>(is_changed);
  }
  return changes;
}

void draw_sandbox_kit(Panel& panel) {
  const Look& look = panel.look;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  if (spec.positions == PositionKind::rotary) draw_rotary(look, spec);
  draw_kv_heads(look, spec);
  draw_norm(look, spec);
  draw_feed_forward(look, spec);
  draw_weights(look, spec);
  draw_biases(look, spec);
}

}  // namespace headlight

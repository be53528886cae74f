#include "app/document/fields/sandbox_fields.h"

#include <fmt/core.h>

#include <array>

#include "app/document/fields/rotary_fields.h"
#include "engine/attention/positions.h"

namespace headlight {
namespace {

using Spec = SandboxSpec;

constexpr double kMostParts = 1'000'000;  // layers, heads, widths: anything above is a damaged file
constexpr double kWidestInside = 1 << 24;
constexpr double kMostLayersOffered = 24;

// --- What older documents hold instead --------------------------------------------------------------------------------------------

/// Before there were three kinds, documents said whether the sandbox is causal.
void read_is_causal(const JsonFields& json, Spec& spec) {
  spec.kind = json.boolean_or("is_causal", true) ? SandboxKind::causal : SandboxKind::bidirectional;
}

// --- Lists of numbers ----------------------------------------------------------------------------------------------------------------

std::vector<double> widths(const Spec& /*spec*/) {
  return {8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768};
}

std::vector<double> key_head_counts(const Spec& spec) {
  std::vector<double> counts{0};
  for (int count = 1; count < spec.heads; ++count) {
    if (spec.heads % count == 0) counts.push_back(count);
  }
  return counts;
}

std::vector<double> inner_widths(const Spec& spec) {
  std::vector<double> inner;
  for (const int times : {0, 1, 2, 3, 8}) inner.push_back(times * spec.d_model);
  return inner;
}

// --- How numbers are written -----------------------------------------------------------------------------------------------------------

std::string key_heads_text(const Spec& spec, double count) {
  return count == 0 ? fmt::format("all · {}", spec.heads) : fmt::format("{}", count);
}

std::string inner_width_text(const Spec& spec, double d_ff) {
  return d_ff == 0 ? fmt::format("4 · d_model · {}", 4 * spec.d_model) : fmt::format("{}", d_ff);
}

std::string gain_text(const Spec& /*spec*/, double gain) {
  return fmt::format("{:.2f}", gain);
}

// --- How enumerators are written and explained ---------------------------------------------------------------------------------------

constexpr std::array kKindFlags{
    FlagOption{"causal", "--causal", "Each token sees itself and the tokens before it (default)"},
    FlagOption{"bidirectional", "--bidirectional", "Every token sees every other one"},
    FlagOption{"encoder-decoder", "--encoder-decoder", "A decoder that reads --decoder-text attends to an encoder that reads the text"}};

constexpr std::array kKindWords{
    ChoiceWords{"causal", nullptr, "Each token sees itself and the tokens before it, as in GPT."},
    ChoiceWords{"bidirectional", nullptr, "Every token sees every other one, as in BERT."},
    ChoiceWords{"encoder-decoder", nullptr, "One stack reads the text; a second one writes and attends to the first, as in T5."}};

constexpr std::array kNormWords{
    ChoiceWords{"layer-norm", "layer norm", "(x − mean) / √(variance + ε). Ba et al. 2016, arXiv 1607.06450."},
    ChoiceWords{"rms-norm", "rms norm", "x / √(mean of x² + ε). Zhang and Sennrich 2019, arXiv 1910.07467."},
    ChoiceWords{"none", nullptr, "x unchanged: vectors grow longer from layer to layer, and scores with them."}};

constexpr std::array kActivationWords{
    ChoiceWords{"gelu-tanh", nullptr, "x · Φ(x), with Φ approximated by tanh. Hendrycks and Gimpel 2016, arXiv 1606.08415."},
    ChoiceWords{"gelu-erf", nullptr, "x · Φ(x). Hendrycks and Gimpel 2016, arXiv 1606.08415."}, ChoiceWords{"relu", nullptr, "max(x, 0)."},
    ChoiceWords{"silu", nullptr, "x · σ(x). Hendrycks and Gimpel 2016, arXiv 1606.08415, section 3.2."}};

std::string explain_position(std::string_view name) {
  const PositionMethod& method = position_method(from_name<PositionKind>(name).value_or(PositionKind::none));
  return fmt::format("{}. {}.", method.formula, method.source);
}

// --- The rows, in the order in which the history names changes -------------------------------------------------------------------------

constexpr std::array kSizes{
    Field<Spec>{.json = "layers",
                .value = access<Spec, &Spec::layers>(),
                .low = 1,
                .high = kMostParts,
                .words = {"layers"},
                .option = {.name = "--layers", .help = "Layers", .place = 1},
                .control = {.kind = ControlKind::steps,
                            .label = "Layers",
                            .help = "How many blocks the model stacks.",
                            .low = 1,
                            .high = kMostLayersOffered,
                            .place = 1}},
    Field<Spec>{.json = "d_model",
                .value = access<Spec, &Spec::d_model>(),
                .low = 1,
                .high = kMostParts,
                .words = {"d_model"},
                .option = {.name = "--d-model", .help = "Width of a token's vector", .place = 2},
                .control = {.kind = ControlKind::list,
                            .label = "Width d_model",
                            .help = "Numbers per token in the residual stream. Only widths that the head count divides are offered.",
                            .name = "Width",
                            .offered = widths,
                            .must_fit = true,
                            .place = 2}},
    // Options, control and words of the head count belong to the query, since loaded models have them too.
    Field<Spec>{.json = "heads", .value = access<Spec, &Spec::heads>(), .low = 1, .high = kMostParts},
    Field<Spec>{.json = "positions",
                .value = access<Spec, &Spec::positions>(),
                .words = {"positions"},
                .option = {.name = "--positions", .help = "Position encoding", .place = 4},
                .control = {.kind = ControlKind::list,
                            .label = "Positions",
                            .help = "How attention knows the order of the tokens. Point at a name to see its formula.",
                            .explain = explain_position,
                            .must_fit = true,
                            .place = 4}},
    Field<Spec>{.json = "kind",
                .value = access<Spec, &Spec::kind>(),
                .read_older = read_is_causal,
                .words = {"model"},
                .option = {.flags = kKindFlags, .place = 5},
                .control = {.kind = ControlKind::list,
                            .label = "Kind",
                            .help = "Which model is built: who may attend to whom, and how many stacks of layers there are.",
                            .choices = kKindWords,
                            .place = 3}},
    Field<Spec>{.json = "d_ff",
                .value = access<Spec, &Spec::d_ff>(),
                .low = 0,
                .high = kWidestInside,
                .is_advanced = true,
                .words = {"d_ff"},
                .option = {.name = "--d-ff", .help = "Inner width of the feed-forward part", .place = 6},
                .control = {.kind = ControlKind::list,
                            .label = "Width d_ff",
                            .help = "Inner width of the feed-forward part.",
                            .name = "d_ff",
                            .offered = inner_widths,
                            .text = inner_width_text,
                            .must_fit = true,
                            .place = 14}},
    // The option belongs to the query, as for the head count.
    Field<Spec>{.json = "kv_heads",
                .value = access<Spec, &Spec::kv_heads>(),
                .low = 0,
                .high = kMostParts,
                .is_advanced = true,
                .words = {"key/value heads"},
                .control = {.kind = ControlKind::list,
                            .label = "K/V heads of weights",
                            .help = "How many key/value heads the random k and v projections have. Fewer than heads: grouped-query "
                                    "attention (Ainslie et al. 2023, arXiv 2305.13245); 1: multi-query.",
                            .offered = key_head_counts,
                            .text = key_heads_text,
                            .must_fit = true,
                            .place = 11}},
};

constexpr std::array kParts{
    Field<Spec>{.json = "norm",
                .value = access<Spec, &Spec::norm>(),
                .is_advanced = true,
                .words = {"norm"},
                .option = {.name = "--norm", .help = "Kind of norm", .place = 7},
                .control = {.kind = ControlKind::list,
                            .label = "Norm",
                            .help = "Keeps token vectors at a comparable length.",
                            .choices = kNormWords,
                            .place = 12}},
    Field<Spec>{
        .json = "norm_place",
        .value = access<Spec, &Spec::norm_place>(),
        .is_advanced = true,
        .words = {"norm place"},
        .option = {.name = "--norm-place", .help = "Whether the norm comes before or after each part of a block", .place = 8},
        .control = {.kind = ControlKind::segments,
                    .label = "Norm place",
                    .help = "before: x + f(norm(x)), as in GPT-2. after: norm(x + f(x)), as in Vaswani et al. 2017, arXiv 1706.03762.",
                    .place = 13}},
    Field<Spec>{.json = "activation",
                .value = access<Spec, &Spec::activation>(),
                .is_advanced = true,
                .words = {"activation"},
                .option = {.name = "--activation", .help = "Feed-forward activation", .place = 9},
                .control = {.kind = ControlKind::list,
                            .label = "Activation",
                            .help = "The nonlinearity of the feed-forward part: without it, its two matrices would act as one.",
                            .choices = kActivationWords,
                            .place = 15}},
};

constexpr std::array kWeights{
    Field<Spec>{.json = "distribution",
                .value = access<Spec, &Spec::distribution>(),
                .is_advanced = true,
                .words = {"weights"},
                .option = {.name = "--distribution", .help = "Distribution of the random weights", .place = 13},
                .control = {.kind = ControlKind::segments,
                            .label = "Weights",
                            .help = "Distribution of the random weights: normal, or uniform with the same variance.",
                            .place = 16}},
    Field<Spec>{.json = "gain",
                .value = access<Spec, &Spec::gain>(),
                .low = 0,
                .high = 100,
                .is_advanced = true,
                .words = {"gain"},
                .option = {.name = "--gain",
                           .help = "Multiplies q and k: above 1 makes maps sharper",
                           .has_range = true,
                           .low = 0,
                           .high = 100,
                           .place = 15},
                .control = {.kind = ControlKind::slider,
                            .label = "Gain",
                            .help = "Multiplies q and k: above 1 makes maps sharper, below 1 flatter. Double-click: 1.",
                            .low = 0,
                            .high = 4,
                            .home = 1,
                            .parts = 20,
                            .text = gain_text,
                            .place = 17}},
    Field<Spec>{
        .json = "biases",
        .value = access<Spec, &Spec::biases>(),
        .is_advanced = true,
        .words = {"biases"},
        .option = {.name = "--biases", .help = "Biases of q, k, v and the output projection", .place = 14},
        .control = {.kind = ControlKind::segments,
                    .label = "Biases",
                    .help = "Biases of q, k, v and W_O. zero: present, so that they can be edited. random: drawn as well; the other "
                            "weights stay the same.",
                    .place = 18}},
    Field<Spec>{.json = "unit",
                .value = access<Spec, &Spec::unit>(),
                .words = {"tokens"},
                .option = {.name = "--unit", .help = "What a token is", .is_of_text = true, .place = 16},
                .control = {.kind = ControlKind::segments,
                            .label = "Tokens",
                            .help = "What a token is: a word, or one byte of the UTF-8 text.",
                            .place = 5}},
    Field<Spec>{.json = "seed",
                .value = access<Spec, &Spec::seed>(),
                .words = {"seed"},
                .option = {.name = "--seed", .help = "Seed of the random weights", .place = 3},
                .control = {.kind = ControlKind::seed,
                            .label = "Seed",
                            .help = "The random weights come from this number: the same seed, the same weights on every machine.",
                            .name = "New seed",
                            .place = 6}},
};

/// All rows one after the other.
template <std::size_t... counts>
constexpr auto joined(const std::array<Field<Spec>, counts>&... parts) {
  std::array<Field<Spec>, (counts + ...)> rows{};
  std::size_t place = 0;
  (std::for_each(parts.begin(), parts.end(), [&](const Field<Spec>& row) { rows[place++] = row; }), ...);
  return rows;
}
constexpr auto kSandboxRows = joined(kSizes, rotary::kFields, kParts, kWeights);

}  // namespace

std::span<const Field<SandboxSpec>> sandbox_fields() {
  return kSandboxRows;
}

}  // namespace headlight

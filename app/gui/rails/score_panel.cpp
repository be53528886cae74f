#include <fmt/core.h>

#include <array>
#include <cmath>

#include "app/gui/kit/formula.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"
#include "engine/attention/score.h"

namespace headlight {
namespace {

constexpr float kFirstCap = 30;  // visible, and near what trained models use
constexpr float kFirstSink = 0;  // as much as a key of score 0
constexpr float kLargestCap = 50, kLargestSink = 10;

ScoreKind own_kind(const Panel& panel) {
  const ModelConfig* config = panel.config();
  return config == nullptr ? ScoreKind::dot : config->scores.kind;
}

/// A loaded model holds the parameters of its own score function only; the sandbox those of all.
bool has_parameters_for(const Panel& panel, ScoreKind kind) {
  if (!score_function(kind).has_parameters || panel.is_sandbox()) return true;
  if (panel.config() == nullptr || panel.snapshot->model->parameters.layers.empty()) return false;
  const LayerParameters& layer = panel.snapshot->model->parameters.layers.front();
  return kind == ScoreKind::additive ? layer.additive.size() > 0 : layer.distance_keys.size() > 0;
}

Choice choice_of(const Panel& panel, const ScoreFunction& function) {
  Choice choice{std::string(function.name), fmt::format("{}. {}", formula_in_models(function.formula), function.source), true};
  choice.is_enabled = has_parameters_for(panel, function.kind);
  if (!choice.is_enabled) choice.help += ". This model does not have the parameters that it needs; the sandbox does.";
  return choice;
}

/// The score function; the first entry is the way back to the model's own.
void draw_function(Panel& panel, ScoreKind kind) {
  const Look& look = panel.look;
  std::optional<ScoreKind>& chosen_kind = panel.draft.query.score.kind;
  std::vector<Choice> choices{{fmt::format("model's own · {}", score_function(own_kind(panel)).name), "The model's own setting."}};
  int chosen = 0;
  for (const ScoreFunction& function : score_functions()) {
    if (chosen_kind == function.kind) chosen = static_cast<int>(choices.size());
    choices.push_back(choice_of(panel, function));
  }
  const std::string_view formula = formula_in_models(score_function(kind).formula);
  const std::string help = fmt::format("How well a query matches a key, as a number, before scale and mask: {}.", formula);
  const Row row = begin_row(look, "Function", help.c_str());
  if (drop_down(look, row, "Score function", choices, chosen)) {
    chosen_kind = chosen == 0 ? std::nullopt : std::optional(score_functions()[static_cast<std::size_t>(chosen - 1)].kind);
  }
  if (!chosen_kind) return;  // the model's own says its formula where it is pointed at
  formula_lines(look, look.colours.text_second, formula);
  gap(look, kInside);
}

void draw_scale(Panel& panel, ScoreKind kind) {
  const Look& look = panel.look;
  const ModelConfig* config = panel.config();
  constexpr const char* kHelp =
      "Divide the score by the root of the head's width. Without it, wide heads attend to almost one key only. It belongs to scores that "
      "are sums over that width: dot and relative.";
  const bool is_models_own = config == nullptr || config->scores.is_scaled;
  if (score_function(kind).is_scaled && is_models_own) {
    on_off(look, begin_row(look, "Scaled by √d_head", kHelp), "Scaled", panel.draft.query.score.is_scaled);
    return;
  }
  const Row row = begin_row(look, "Scaled", kHelp);
  const std::string reason = is_models_own ? fmt::format("not with {}", score_function(kind).name) : "not in this model";
  draw_text(look, row.right, row.middle(), Type::body, look.colours.text_second, reason, AlignX::right);
}

void draw_temperature(Panel& panel) {
  const Look& look = panel.look;
  ScoreSettings& score = panel.draft.query.score;
  // The slider runs over powers of ten, 0.1 … 10, and rests at 1.
  float power = std::log10(score.temperature);
  const Row row =
      begin_row(look, "Temperature", "Scores are divided by it before the softmax: below 1 sharper, above 1 flatter. Double click: 1.");
  if (slider(look, row, "Temperature", power, -1, 1, 0, fmt::format("{:.2f}", score.temperature))) {
    constexpr float kRest = 0.04F;
    score.temperature = std::abs(power) < kRest ? 1.0F : std::round(std::pow(10.0F, power) * 100) / 100;
  }
}

void draw_softcap(Panel& panel) {
  const Look& look = panel.look;
  std::optional<float>& softcap = panel.draft.query.score.softcap;
  const float own = panel.config() == nullptr ? 0 : panel.config()->scores.softcap;
  const std::array<Choice, 3> choices{
      Choice{own > 0 ? fmt::format("model's own · {:g}", own) : "model's own · off", "The model's own setting."},
      Choice{"off", "Scores as they are."}, Choice{"on", "c · tanh(score / c): scores stay within ±c. Gemma Team 2024, arXiv 2408.00118."}};
  int chosen = !softcap ? 0 : *softcap == 0 ? 1 : 2;
  const Row row = begin_row(look, "Soft-cap", "c · tanh(score / c) after the scale: no score leaves ±c, so no key can win by far.");
  if (drop_down(look, row, "Soft-cap", choices, chosen)) {
    softcap = chosen == 0 ? std::nullopt : std::optional(chosen == 1 ? 0.0F : own > 0 ? own : kFirstCap);
  }
  if (!softcap || *softcap == 0) return;
  float cap = *softcap;
  const Row value = begin_row(look, "Cap c", "Scores stay within ±c. Double click: 30.");
  if (slider(look, value, "Cap", cap, 0.5F, kLargestCap, kFirstCap, fmt::format("{:.1f}", *softcap))) softcap = std::round(cap * 2) / 2;
}

void draw_sink(Panel& panel) {
  const Look& look = panel.look;
  std::optional<float>& sink = panel.draft.query.score.sink;
  const bool has_own = panel.config() != nullptr && !panel.snapshot->model->parameters.layers.empty() &&
                       panel.snapshot->model->parameters.layers.front().sinks.size() > 0;
  const std::array<Choice, 2> choices{Choice{has_own ? "model's own · trained" : "model's own · off", "The model's own setting."},
                                      Choice{"on", "A score without a key, the same for every head. gpt-oss, arXiv 2508.10925."}};
  int chosen = sink ? 1 : 0;
  const Row row = begin_row(look, "Sink",
                            "A score that belongs to no key: it takes its share of every row and mixes in no value, so a head can attend "
                            "to nothing. Rows then sum to less than 1.");
  if (drop_down(look, row, "Sink", choices, chosen)) sink = chosen == 0 ? std::nullopt : std::optional(kFirstSink);
  if (!sink) return;
  float score = *sink;
  const Row value =
      begin_row(look, "Sink's score", "Compared with the keys' scores: the higher, the less is left for keys. Double click: 0.");
  if (slider(look, value, "Sink score", score, -kLargestSink, kLargestSink, kFirstSink, number_text(static_cast<double>(*sink), 1)))
    sink = std::round(score * 2) / 2;
}

}  // namespace

void draw_score_panel(Panel& panel) {
  if (!section(panel.look, "Score", panel.view.rails.folded)) return;
  const ScoreKind kind = panel.draft.query.score.kind.value_or(own_kind(panel));
  draw_function(panel, kind);
  draw_scale(panel, kind);
  draw_temperature(panel);
  draw_softcap(panel);
  draw_sink(panel);
}

}  // namespace headlight

// The sandbox as a construction kit. What does not go together is not offered, or offered with the reason.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/document/names.h"
#include "app/gui/panel/draft_model.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"
#include "app/gui/rails/sandbox_kit.h"
#include "engine/attention/positions.h"

namespace headlight {
namespace {

constexpr int kMostLayers = 24;

/// The next seed of a press on "new": spread out, and the same every time.
std::uint64_t next_seed(std::uint64_t seed) {
  return (seed * 6364136223846793005ULL + 1442695040888963407ULL) >> 48U;
}

void draw_width(Panel& panel) {
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  const Row row =
      begin_row(panel.look, "Width d_model", "Numbers per token in the residual stream. Offered are those that the heads divide.");
  const auto label = [](int width) { return std::to_string(width); };
  offer_numbers(panel.look, row, "Width", {8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768}, spec, &SandboxSpec::d_model, label);
}

void draw_kind(Panel& panel) {
  const Look& look = panel.look;
  SandboxKind& kind = panel.draft.query.model.sandbox.kind;
  const std::vector<Choice> choices{{"causal", "A query sees itself and what came before, as in GPT."},
                                    {"bidirectional", "Every query sees every key, as in BERT."},
                                    {"encoder-decoder", "One stack reads, another one writes and looks at the first, as in T5."}};
  int chosen = static_cast<int>(kind);
  const Row row = begin_row(look, "Kind", "Which model is built: who may attend to whom, and how many stacks of layers there are.");
  if (drop_down(look, row, "Kind", choices, chosen)) kind = static_cast<SandboxKind>(chosen);
}

void draw_positions(Panel& panel) {
  const Look& look = panel.look;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  std::vector<Choice> choices;
  int chosen = 0;
  for (const PositionMethod& method : position_methods()) {
    SandboxSpec changed = spec;
    changed.positions = method.kind;
    const std::string problem = problem_of(changed);
    if (method.kind == spec.positions) chosen = static_cast<int>(choices.size());
    choices.push_back({std::string(method.name), fmt::format("{}. {}. {}", method.formula, method.source, problem), problem.empty()});
  }
  const Row row = begin_row(look, "Positions", "How attention knows where tokens stand. Point at a name to see its formula.");
  if (drop_down(look, row, "Positions", choices, chosen)) spec.positions = position_methods()[static_cast<std::size_t>(chosen)].kind;
}

void draw_seed(Panel& panel) {
  const Look& look = panel.look;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  const Row row = begin_row(look, "Seed", "The random weights come from this number: the same seed, the same weights on every machine.");
  const float width = button_width(look, "New seed");
  const float height = look.px(kControl);
  if (quiet_button(look, "New seed", {row.right - width, std::round(row.middle() - height / 2)}, {width, height}))
    spec.seed = next_seed(spec.seed);
  draw_text(look, row.right - width - look.px(12), row.middle(), Type::number, look.colours.text, std::to_string(spec.seed), AlignX::right);
}

}  // namespace

void draw_sandbox_panel(Panel& panel) {
  if (!panel.is_sandbox()) return;
  const Look& look = panel.look;
  if (!section(look, "Sandbox", panel.view.folded)) return;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  stepper(look, begin_row(look, "Layers", "How many blocks stand one after the other."), "Layers", spec.layers, 1, kMostLayers);
  draw_width(panel);
  draw_kind(panel);
  draw_positions(panel);
  const std::array<std::string, 2> units{"words", "bytes"};
  int unit = spec.unit == SandboxUnit::words ? 0 : 1;
  if (segmented(look, begin_row(look, "Tokens", "What a token is: a word, or a byte of its UTF-8 form."), "Tokens", units, unit)) {
    spec.unit = unit == 0 ? SandboxUnit::words : SandboxUnit::bytes;
  }
  draw_seed(panel);
  const int changed = advanced_changes(spec);
  const std::string note = changed == 0 ? std::string() : fmt::format("{} changed", changed);
  if (fold_row(look, "More", "More", panel.view.folded, note)) draw_sandbox_kit(panel);
}

}  // namespace headlight

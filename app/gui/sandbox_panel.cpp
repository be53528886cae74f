#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/gui/panel.h"
#include "app/session/names.h"

namespace headlight {
namespace {

constexpr int kMostLayers = 24;

/// The next seed of a press on "new": spread out, and the same every time.
std::uint64_t next_seed(std::uint64_t seed) {
  return (seed * 6364136223846793005ULL + 1442695040888963407ULL) >> 48U;
}

void draw_width(Panel& panel) {
  const Look& look = panel.look;
  SandboxSpec& spec = panel.draft.query.model.sandbox;
  std::vector<int> widths;
  std::vector<std::string> labels;
  int chosen = -1;
  for (const int width : {8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, spec.d_model}) {
    if (width % spec.heads != 0 || std::find(widths.begin(), widths.end(), width) != widths.end()) continue;
    if (width == spec.d_model) chosen = static_cast<int>(widths.size());
    widths.push_back(width);
    labels.push_back(std::to_string(width));
  }
  const Row row =
      begin_row(look, "Width d_model", "Numbers per token in the residual stream. Offered are those that the head count divides.");
  if (widths.empty()) return;
  if (drop_down(look, row, "Width", labels, chosen)) spec.d_model = widths[static_cast<std::size_t>(chosen)];
}

void draw_positions(Panel& panel) {
  const Look& look = panel.look;
  PositionKind& positions = panel.draft.query.model.sandbox.positions;
  std::vector<std::string> labels;
  int chosen = 0;
  for (const PositionKind kind : kAllOf<PositionKind>) {
    if (kind == positions) chosen = static_cast<int>(labels.size());
    labels.emplace_back(name_of(kind));
  }
  const Row row = begin_row(look, "Positions", "What is added to a token's vector to tell where it stands.");
  if (drop_down(look, row, "Positions", labels, chosen)) positions = kAllOf<PositionKind>[static_cast<std::size_t>(chosen)];
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
  draw_positions(panel);
  const std::array<std::string, 2> units{"words", "bytes"};
  int unit = spec.unit == SandboxUnit::words ? 0 : 1;
  if (segmented(look, begin_row(look, "Tokens", "What a token is: a word, or a byte of its UTF-8 form."), "Tokens", units, unit)) {
    spec.unit = unit == 0 ? SandboxUnit::words : SandboxUnit::bytes;
  }
  bool is_causal = spec.kind == SandboxKind::causal;
  if (on_off(look, begin_row(look, "Causal model", "The model's own mask: a query sees itself and what came before."), "Causal model",
             is_causal)) {
    spec.kind = is_causal ? SandboxKind::causal : SandboxKind::bidirectional;
  }
  draw_seed(panel);
}

}  // namespace headlight

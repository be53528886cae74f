// The inspector beside Output: what is watched, before and after the edits; and the head under the pointer.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/watching/target_here.h"

namespace headlight {
namespace {

struct KindChoice {
  TargetKind kind;
  const char* label;
  const char* help;
};
constexpr std::array kKinds{
    KindChoice{TargetKind::loss, "loss", "Mean −ln p of the text's own words: how surprising the whole text is."},
    KindChoice{TargetKind::logit, "logit", "The logit of a word at one position, or the difference of two: click a word in Predictions."},
    KindChoice{TargetKind::prob, "p", "The probability of a word at one position."},
    KindChoice{TargetKind::kl, "KL", "How far all predictions are from those of the run without edits, in nats."},
};

/// Another kind of the same question, as far as it has one.
void choose_kind(Panel& panel, TargetKind kind) {
  Target& target = panel.draft.target;
  if (kind == TargetKind::loss || kind == TargetKind::kl) {
    target = {};
    target.kind = kind;
    return;
  }
  if (target.kind == TargetKind::logit || target.kind == TargetKind::prob) {
    target.kind = kind;
    if (kind == TargetKind::prob) target.other.clear(), target.is_other_quoted = false;
    return;
  }
  const std::optional<LogitInFocus> logit = logit_in_focus(panel);
  if (!logit) return;
  watch_token(panel.draft, *panel.snapshot, logit->question.position, logit->question.token);
  target.kind = kind;
}

void draw_kinds(Panel& panel) {
  const Row row = begin_row(panel.look, "Watch", "The number that is watched while heads are edited.");
  std::vector<Choice> choices;
  int chosen = -1;
  for (std::size_t place = 0; place < kKinds.size(); ++place) {
    choices.push_back({kKinds[place].label, kKinds[place].help});
    if (kKinds[place].kind == panel.draft.target.kind) chosen = static_cast<int>(place);
  }
  if (segmented(panel.look, row, "Watch", choices, chosen)) choose_kind(panel, kKinds[static_cast<std::size_t>(chosen)].kind);
}

/// Three numbers side by side, in frames.
void draw_tiles(const Look& look, const TargetFound& found) {
  struct Tile {
    const char* name;
    std::string text;
    Colour colour;
  };
  std::vector<Tile> tiles;
  if (found.before) {
    tiles.push_back({"before", target_number(found.before->value), look.colours.text_second});
    tiles.push_back({"after", target_number(found.now.value), look.colours.text});
    const std::optional<double> change = found.change();
    tiles.push_back({"Δ", change ? target_change(*change) : "–", look.colours.accent});
  } else {
    tiles.push_back({"now", target_number(found.now.value), look.colours.text});
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float space = look.px(kUnit), height = look.px(48), room = ImGui::GetContentRegionAvail().x;
  const float width = std::min((room - 2 * space) / 3, look.px(112));
  float x = at.x;
  for (const Tile& tile : tiles) {
    outline(look, {x, at.y}, {x + width, at.y + height}, look.colours.line);
    draw_text(look, x + look.px(kUnit), at.y + look.px(14), Type::caption, look.colours.text_second, tile.name);
    draw_text(look, x + look.px(kUnit), at.y + look.px(33), Type::number, tile.colour, tile.text);
    name_area(std::string("Target ") + tile.name, {x, at.y, width, height});
    x += width + space;
  }
  ImGui::Dummy({room, height});
}

/// The head under the pointer, else the chosen one.
HeadId head_in_focus(const Panel& panel) {
  return panel.view.output.pointed.value_or(inspected_head(panel).head);
}

}  // namespace

void draw_target_section(Panel& panel, bool is_dense) {
  const Look& look = panel.look;
  text_line(look, Type::heading, look.colours.text_second, "Target");
  gap(look, kInside);
  const std::shared_ptr<const TargetFound> found = target_here(panel);
  paragraph(look, Type::strong, look.colours.text, describe_target(panel.draft.target));
  draw_kinds(panel);
  gap(look, kInside);
  if (found) {
    if (!found->now.reason.empty()) {
      paragraph(look, Type::body, look.colours.text_second, as_sentence(found->now.reason));
    } else {
      draw_tiles(look, *found);
    }
  }
  gap(look, kUnit);
  if (is_dense) return;
  const bool can_append = predicted_place(panel.snapshot->model->config) == PredictedPlace::next;
  paragraph(
      look, Type::caption, look.colours.text_second,
      std::string("Shown in every view once it is chosen or something is edited. Click a word in Predictions to watch it, shift+click to "
                  "subtract it") +
          (can_append ? ", + writes it after the text." : "."));
  if (panel.draft.target == Target{}) return;
  gap(look, kInside);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  constexpr const char* kReset = "Watch the loss again";
  if (quiet_button(look, kReset, at, {button_width(look, kReset), look.px(kControl)})) panel.draft.target = {};
  ImGui::Dummy({1, look.px(kControl)});
}

void draw_effect_of_head(Panel& panel, bool /*is_dense*/) {
  const Look& look = panel.look;
  const HeadId head = head_in_focus(panel);
  const Effects& effects = panel.context.session.effects();
  text_line(look, Type::heading, look.colours.text_second,
            fmt::format("Head {}{}", short_name(*panel.snapshot, head), panel.view.output.pointed ? ", under the pointer" : ""));
  gap(look, kInside);
  bool has_any = false;
  if (const std::shared_ptr<const SweepFound> sweep = effects.known_sweep(); sweep && sweep->request.run == panel.snapshot) {
    const auto place = static_cast<std::size_t>(std::find(sweep->heads.begin(), sweep->heads.end(), head) - sweep->heads.begin());
    for (const SweepValues& kind : sweep->kinds) {
      if (place >= kind.values.size()) continue;
      const SweepRow& row = row_of(kind.kind);
      const double value = kind.values[place];
      number_row(look, row.label, row.is_gradient() ? target_number(value) : target_change(value), row.title.data());
      if (row.kind == panel.view.output.sweep && !row.is_gradient())
        number_row(look, "target would be", target_number(sweep->unchanged + value));
      has_any = true;
    }
  }
  if (const std::shared_ptr<const PartsFound> parts = effects.known_parts(); parts && parts->request.run == panel.snapshot) {
    number_row(look, "its direct part", target_change(parts->parts.value({PartKind::head, head.layer, head.head})),
               "What it writes straight to the logit, before later parts change anything.");
    has_any = true;
  }
  if (!has_any) {
    paragraph(look, Type::body, look.colours.text_second, "Heads shows what changing it does, Parts what it writes to the logit.");
    return;
  }
  paragraph(look, Type::caption, look.colours.text_second, "One text: a hint, not a finding.");
}

}  // namespace headlight

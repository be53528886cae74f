// The inspector beside Output: what is watched, before and after the edits; and the head under the pointer.
#include <fmt/core.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/views/output/shown_effects.h"
#include "app/gui/watching/target_here.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/targets/watched.h"

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
  if (is_of_logit(target.kind)) {
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

/// Another position for a target of one: the one that is watched now, or the usual one of every text.
void choose_position(Panel& panel) {
  Target& target = panel.draft.target;
  if (target_row(target.kind).most_tokens == 0) return;
  const std::optional<Index> usual = usual_position_here(panel);
  const Index here = target.first ? Index{*target.first} : usual.value_or(0);
  const bool is_next = predicted_place(panel.snapshot->model->config) == PredictedPlace::next;
  const std::vector<Choice> choices{
      {is_next ? "last" : "mask",
       is_next ? "The last token, also when the text grows and in every text of a file." : "The first mask, also in every text of a file."},
      {fmt::format("@{}", here), "This position, whatever the text. A click on a word in Predictions sets it."}};
  int chosen = target.first ? 1 : 0;
  const Row row = begin_row(panel.look, "At", "At which position the prediction is watched; it counts from 0.");
  if (!segmented(panel.look, row, "Target at", choices, chosen)) return;
  target.first = chosen == 1 ? std::optional(static_cast<int>(here)) : std::nullopt;
}

/// What is wrong with a typed target, as the engine says it; empty: nothing.
std::string problem_of_typed(const Panel& panel, const std::string& text) {
  try {
    check_target_tokens(parse_target(text), *panel.snapshot->model);
  } catch (const Error& error) {
    return as_sentence(error.what());
  }
  return {};
}

/// The target in the words of the command line, for what the lists do not offer. Enter, or leaving the box, watches what can be read; what
/// cannot stays with the reason until it is mended, or given up by Esc.
void draw_typed(Panel& panel) {
  constexpr const char* kName = "Typed target";
  constexpr const char* kHelp =
      "Any target, also a word that no list shows: logit:is-are is the logit of is less that of are, prob:is@5 the probability of is at "
      "position 5; loss and kl. Enter watches it, Esc goes back to the target before.";
  constexpr float kBoxLeft = 64;
  const Look& look = panel.look;
  Target& target = panel.draft.target;
  TypedTarget& typed = panel.view.output.typed_target;
  const TypedTarget in_force{to_text(target), target};
  const bool has_keyboard = ImGui::GetActiveID() == ImGui::GetID("##Typed target");
  const bool is_given_up = has_keyboard && ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (is_given_up) ImGui::ClearActiveID();
  if (is_given_up || typed.beside != target || (!has_keyboard && typed.text.empty())) typed = in_force;
  const Row row = begin_row(look, "Or type", kHelp);
  const float left = row.left + look.px(kBoxLeft);
  text_box(look, kName, "logit:is-are", typed.text, {left, row.top + look.px(2)}, row.right - left);
  select_all_when_entered();  // what is typed replaces the target
  const bool is_entered = ImGui::IsItemDeactivatedAfterEdit() && !is_given_up;
  if (!has_keyboard) hint(look, kHelp);
  if (is_given_up) typed = in_force;  // leaving the box would have kept the typed text
  if (typed == in_force || typed.text.empty()) return;
  const std::string problem = problem_of_typed(panel, typed.text);
  if (problem.empty()) {
    if (is_entered) target = parse_target(typed.text);
    if (!has_keyboard) typed = in_force;
    return;
  }
  const ImVec2 top = ImGui::GetCursorScreenPos();
  paragraph(look, Type::caption, look.colours.bad, problem + fmt::format(" Still watched: {}.", in_force.text));
  name_area("Typed target problem", {top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - top.y});
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

/// What changing a head does over the texts that the page Heads shows; null: it shows this text.
std::shared_ptr<const ShownEffects> effects_over_texts(const Panel& panel) {
  const OutputPage& page = panel.view.output;
  const std::shared_ptr<const MeasuredCorpus>& corpus = panel.context.session.corpora().shown();
  const bool is_of_corpus = corpus && page.kept.source == corpus->stored;  // it was not closed
  const bool is_shown = is_of_corpus && page.page == OutputPage::Page::heads && page.is_over_texts && page.kept.run == panel.snapshot;
  return is_shown && page.kept.shown && !page.kept.shown->unchanged ? page.kept.shown : nullptr;
}

void draw_means_of_head(const Look& look, const ShownEffects& effects, HeadId head) {
  const auto place = static_cast<std::size_t>(std::find(effects.heads.begin(), effects.heads.end(), head) - effects.heads.begin());
  if (effects.column().row->is_by_position())
    return paragraph(look, Type::body, look.colours.text_second, "Patches by layer and position say nothing about single heads.");
  if (place == effects.heads.size()) return;
  for (const EffectColumn& column : effects.columns) {
    const double value = column.values[place], error = column.errors[place];
    const std::string mean = column.row->is_gradient() ? target_number(value) : target_change(value);
    number_row(look, column.row->label, std::isfinite(error) ? fmt::format("{} ± {}", mean, target_number(error)) : mean,
               column.row->title.data());
  }
  paragraph(look, Type::caption, look.colours.text_second, fmt::format("Mean over {} texts ± its standard error.", grouped(effects.texts)));
}

}  // namespace

void draw_target_section(Panel& panel, bool is_dense) {
  const Look& look = panel.look;
  text_line(look, Type::heading, look.colours.text_second, "Target");
  gap(look, kInside);
  const std::shared_ptr<const TargetFound> found = target_here(panel);
  paragraph(look, Type::strong, look.colours.text, describe_target(panel.draft.target));
  draw_kinds(panel);
  choose_position(panel);
  draw_typed(panel);
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
                  "subtract it; type a word that is not listed") +
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
  if (const auto means = effects_over_texts(panel)) return draw_means_of_head(look, *means, head);
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

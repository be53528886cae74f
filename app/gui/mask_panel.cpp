#include <fmt/core.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "app/gui/mask_edits.h"
#include "app/gui/panel.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr int kFirstWindow = 4;  // short enough to be seen in a sentence

bool is_model_causal(const Panel& panel) {
  if (panel.is_sandbox()) return panel.draft.query.model.sandbox.kind == SandboxKind::causal;
  return panel.config() == nullptr || panel.config()->is_causal;
}

/// Switches for the terms people know. `none` stands alone; the others add up.
void draw_presets(Panel& panel, const Scope& scope, const std::string& text) {
  const Look& look = panel.look;
  MaskEdits& edits = panel.draft.query.mask;
  MaskTerms terms = split_terms(text);
  const std::array<std::string, 4> labels{"none", "causal", "window", "no self"};
  const bool is_none = terms == MaskTerms{};
  Row row = begin_row(look, "");
  row.help =
      "Who may attend to whom. none: everyone. causal: to itself and what came before. window: only nearby. no self: not to itself. "
      "Several add up.";
  switch (segmented_many(look, row, "Mask", labels, {is_none, terms.is_causal, terms.window.has_value(), terms.excludes_self})) {
    case 0:
      terms = {};
      break;
    case 1:
      terms.is_causal = !terms.is_causal;
      break;
    case 2:
      terms.window = terms.window ? std::nullopt : std::optional(kFirstWindow);
      break;
    case 3:
      terms.excludes_self = !terms.excludes_self;
      break;
    default:
      break;
  }
  if (terms.window) {
    int width = *terms.window;
    if (stepper(look, begin_row(look, "Window", "A query sees keys closer than this many tokens."), "Window", width, 1, 999))
      terms.window = width;
  }
  if (terms == split_terms(text)) return;
  set_text(edits, scope, to_text(terms), is_model_causal(panel));
  panel.view.mask_entry = {};
}

/// The mask language as typed. Only a text without a fault reaches the document; the fault is explained while it is typed.
void draw_text_form(Panel& panel, const Scope& scope, const std::string& text) {
  const Look& look = panel.look;
  MaskEntry& entry = panel.view.mask_entry;
  const bool has_keyboard = ImGui::GetActiveID() == ImGui::GetID("##Mask text");
  if (!has_keyboard && (entry.problem.empty() || entry.text.empty())) entry = {text, {}};
  const Row row = begin_row(look, "");
  ImGui::PushFont(look.fonts.mono, look.points(Type::number) * look.scale);
  const bool has_changed =
      text_box(look, "Mask text", "causal + window:8", entry.text, {row.left, row.top + look.px(2)}, row.right - row.left);
  ImGui::PopFont();
  if (!has_keyboard) {
    hint(look,
         "Terms joined by + keep what every term allows: none, causal, window:8, prefix:5, padding:6, blocks:4, pair, no-self, or a "
         "comparison of "
         "q, k, n such as k % 2 == 0.");
  }
  if (has_changed) {
    entry.problem.clear();
    try {
      const MaskText checked(entry.text);
      set_text(panel.draft.query.mask, scope, entry.text, is_model_causal(panel));
    } catch (const Error& refusal) {
      entry.problem = as_sentence(fmt::format("{}; expected {}", refusal.detail().problem, refusal.detail().expected));
    }
  }
  if (!entry.problem.empty()) paragraph(look, Type::caption, look.colours.bad, entry.problem);
}

void draw_brush(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  const std::array<std::string, 5> brushes{"off", "cell", "row", "col", "rect"};
  int brush = static_cast<int>(view.brush);
  if (segmented(look, begin_row(look, "Brush", "Paint on the map of the Head view with the left button."), "Brush", brushes, brush)) {
    view.brush = static_cast<Brush>(brush);
    if (view.brush != Brush::off && view.view == View::overview) view.view = View::head;
  }
  if (view.brush == Brush::off) return;
  const std::array<std::string, 2> values{"deny", "allow"};
  int value = view.brush_allows ? 1 : 0;
  if (segmented(look, begin_row(look, "Paints", "What the brush does to cells: keys that a query may not, or may, attend to."), "Paints",
                values, value)) {
    view.brush_allows = value == 1;
  }
}

void draw_edit_count(Panel& panel) {
  const Look& look = panel.look;
  const MaskEdits& edits = panel.draft.query.mask;
  const bool is_painted = std::any_of(edits.rules.begin(), edits.rules.end(), [](const MaskRule& rule) { return !rule.strokes.empty(); });
  const bool is_written = std::any_of(edits.rules.begin(), edits.rules.end(), [](const MaskRule& rule) { return !rule.text.empty(); });
  const Row row = begin_row(look, "", nullptr, 32);
  std::string count = "the model's own mask";
  if (is_painted || is_written) count = !is_painted ? "edited" : !is_written ? "painted" : "edited and painted";
  draw_text(look, row.left, row.middle(), Type::caption, look.colours.text_second, count);
  const float width = button_width(look, "Clear edits");
  const float height = look.px(kControl);
  const ImVec2 at{row.right - width, std::round(row.middle() - height / 2)};
  const bool is_cleared = quiet_button(look, "Clear edits", at, {width, height}, !edits.rules.empty());
  hint(look, "Back to the model's own mask, everywhere.");
  if (is_cleared) {
    panel.draft.query.mask = {};
    panel.view.mask_entry = {};
  }
}

}  // namespace

void draw_mask_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Mask", panel.view.folded)) return;
  const Scope scope = scope_at(panel.view.edit_scope, panel.view.head);
  const std::string text = text_in_force(panel.draft.query.mask, scope, is_model_causal(panel));
  draw_presets(panel, scope, text);
  draw_text_form(panel, scope, text);
  const std::array<std::string, 3> scopes{"all heads", "this layer", "this head"};
  int kind = static_cast<int>(panel.view.edit_scope);
  const Row row = begin_row(look, "Applies to", "What mask edits and brush strokes change from now on.");
  if (drop_down(look, row, "Applies to", scopes, kind)) {
    panel.view.edit_scope = static_cast<Scope::Kind>(kind);
    panel.view.mask_entry = {};
  }
  draw_brush(panel);
  draw_edit_count(panel);
}

}  // namespace headlight

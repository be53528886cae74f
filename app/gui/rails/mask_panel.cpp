#include <fmt/core.h>
#include <imgui_internal.h>

#include <array>

#include "app/document/mask_edits.h"
#include "app/document/wording.h"
#include "app/gui/commands/mask_presets.h"
#include "app/gui/kit/items.h"
#include "app/gui/panel/draft_model.h"
#include "app/gui/panel/panel.h"
#include "app/gui/rails/rails.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

struct NumberRow {
  const char* label;
  const char* help;
  std::optional<int> MaskTerms::*number;
};
constexpr std::array<NumberRow, 4> kNumberRows{
    {{"Window", "A query sees keys closer than this many tokens.", &MaskTerms::window},
     {"Prefix", "This many tokens at the start see each other; the others see what came before.", &MaskTerms::prefix},
     {"Padding", "Only this many keys, from the first, may be attended to; the others count as padding.", &MaskTerms::padding},
     {"Blocks", "A query sees only the keys of its own block of this many tokens.", &MaskTerms::blocks}}};

constexpr std::size_t kInFirstRow = 4;

/// Switches for the usual terms, in two rows.
void draw_presets(Panel& panel) {
  const std::span<const MaskPreset> presets = mask_presets();
  constexpr std::array kHelp{
      "Who may attend to whom. none: everyone. causal: to itself and what came before. window: only nearby. no self: not to itself. "
      "Several add up.",
      "prefix: causal, but the first tokens see each other. padding: only the first keys. blocks: only its own block. pair: only its own "
      "sentence, where a second one is given. Several add up."};
  for (const std::size_t part : {0U, 1U}) {
    const auto shown = part == 0 ? presets.first(kInFirstRow) : presets.subspan(kInFirstRow);
    std::vector<std::string> labels;
    std::vector<bool> is_on;
    for (const MaskPreset& preset : shown) {
      labels.emplace_back(preset.label);
      is_on.push_back(is_preset_on(panel, preset));
    }
    Row row = begin_row(panel.look, "");
    row.help = kHelp[part];
    const int pressed = segmented_many(panel.look, row, "Mask", labels, is_on);
    if (pressed >= 0) press_preset(panel, shown[static_cast<std::size_t>(pressed)]);
  }
}

/// The numbers of the terms that have one.
void draw_numbers(Panel& panel, const Scope& scope) {
  const MaskTerms before = split_terms(mask_text_of(panel, scope));
  MaskTerms terms = before;
  for (const NumberRow& row : kNumberRows) {
    std::optional<int>& number = terms.*row.number;
    if (number) stepper(panel.look, begin_row(panel.look, row.label, row.help), row.label, *number, 1, 9999);
  }
  if (terms == before) return;
  tell_mask(panel, scope, to_text(terms));
  panel.view.rails.mask_entry = {};
}

/// Why a typed text is not a mask; empty if it is one. An empty text means no edit.
std::string problem_of_text(const std::string& typed) {
  if (typed.find_first_not_of(' ') == std::string::npos) return {};
  try {
    const MaskText checked(typed);
  } catch (const Error& refusal) {
    return as_sentence(fmt::format("{}; expected {}", refusal.detail().problem, refusal.detail().expected));
  }
  return {};
}

/// The mask language as typed. A fault is explained while it is typed; Enter, or leaving the box, hands a text without one to the document,
/// and Esc brings back what is in force.
void draw_text_form(Panel& panel, const Scope& scope, const std::string& text) {
  const Look& look = panel.look;
  MaskEntry& entry = panel.view.rails.mask_entry;
  const bool has_keyboard = ImGui::GetActiveID() == ImGui::GetID("##Mask text");
  const bool is_given_up = has_keyboard && ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (is_given_up) ImGui::ClearActiveID();
  const MaskEntry in_force{text, {}, scope};
  if (is_given_up || entry.scope != scope || (!has_keyboard && entry.problem.empty())) entry = in_force;
  const Row row = begin_row(look, "");
  ImGui::PushFont(look.fonts.mono, look.points(Type::number) * look.scale);
  const bool has_changed = text_box(look, "Mask text", panel.is_dump() ? "the file's own" : "the model's own", entry.text,
                                    {row.left, row.top + look.px(2)}, row.right - row.left);
  const bool is_entered = ImGui::IsItemDeactivatedAfterEdit() && !is_given_up;
  ImGui::PopFont();
  if (!has_keyboard) {
    hint(look,
         "Terms joined by + keep what every term allows: none, causal, window:8, left:2, right:1, prefix:5, padding:6, blocks:4, "
         "pair, no-self, or a comparison of q, k, n (the number of keys) such as k <= q && k != 0. Enter applies it, Esc leaves it as it "
         "was; an empty text removes the edit.");
  }
  if (is_given_up) entry = in_force;  // leaving the box would have kept the typed text
  if (has_changed && !is_given_up) entry.problem = problem_of_text(entry.text);
  if (is_entered && entry.problem.empty()) {
    const bool is_blank = entry.text.find_first_not_of(' ') == std::string::npos;
    tell_mask(panel, scope, is_blank ? std::string() : entry.text);
    entry = {};
  }
  if (entry.problem.empty()) return;
  paragraph(look, Type::caption, look.colours.bad, entry.problem + fmt::format(" Still in force: {}.", printable(text, 200)));
}

void draw_brush(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  const std::array<std::string, 5> brushes{"off", "cell", "row", "col", "rect"};
  int brush = static_cast<int>(view.painting.brush);
  if (segmented(look, begin_row(look, "Brush", "Paint on the map of the Head view with the left button."), "Brush", brushes, brush)) {
    view.painting.brush = static_cast<Brush>(brush);
    if (view.painting.brush != Brush::off && view.view == View::overview) view.view = View::head;
  }
  if (view.painting.brush == Brush::off) return;
  const bool is_asking = view.finding.drawing != FindingPage::Drawing::off;
  if (is_asking || view.drawn_map.is_painted) {
    const Row row = begin_row(look, "Paints",
                              is_asking ? "The brush draws what all heads are ranked by (see Which head?), not a mask."
                                        : "The brush draws the map you want (see Train a head), not a mask.");
    draw_text(look, row.right, row.middle(), Type::body, look.colours.text_second, is_asking ? "see Which head?" : "see Train a head",
              AlignX::right);
    return;
  }
  const std::array<std::string, 2> values{"deny", "allow"};
  int value = view.painting.allows ? 1 : 0;
  if (segmented(look, begin_row(look, "Paints", "What the brush does to cells: keys that a query may not, or may, attend to."), "Paints",
                values, value)) {
    view.painting.allows = value == 1;
  }
}

/// Warns when an edited mask lets tokens see what comes after them.
void draw_sight_ahead(Panel& panel) {
  SightAhead& sight = panel.caches.sight_ahead;
  if (!panel.has_picture()) return;
  if (sight.snapshot != panel.snapshot) sight = {panel.snapshot, opens_sight_ahead(*panel.snapshot)};
  if (!sight.is_opened) return;
  const bool is_decoder = panel.snapshot->model->config.is_encoder_decoder();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  paragraph(panel.look, Type::caption, panel.look.colours.query,
            is_decoder ? "No longer causal: the decoder's tokens see what comes after them."
                       : "No longer causal: tokens see what comes after them.");
  name_area("Sight ahead", {from.x, from.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - from.y});
}

void draw_scope(Panel& panel, Stack stack) {
  const Look& look = panel.look;
  const ScopeChoices scopes = scope_choices(stack, true);
  int chosen = scopes.place_of(panel.view.painting.scope);
  const Row row =
      begin_row(look, "Applies to",
                stack == Stack::only ? "What mask edits and brush strokes change from now on."
                                     : "What mask edits change from now on. Brush strokes and mask files stay in the stack that is "
                                       "looked at: the maps of another have other tokens.");
  if (!drop_down(look, row, "Applies to", scopes.labels, chosen)) return;
  panel.view.painting.scope = scopes.kinds[static_cast<std::size_t>(chosen)];
  panel.view.rails.mask_entry = {};
}

/// Two labelled modes. The second is about the maps that "applies to" names: one head's, or those of several.
void draw_effect(Panel& panel, const Scope& scope) {
  const Look& look = panel.look;
  MaskReach& reach = panel.draft.query.mask_reach;
  const std::string narrow = scope.kind == Scope::Kind::head ? "this map only" : "these maps only";
  const std::array<Choice, 2> effects{
      Choice{"later layers too", "Later layers read the edited maps, as if the model worked like this."},
      Choice{narrow, "The maps are shown as edited, but the model continues with its own mask: no other head changes."}};
  int chosen = static_cast<int>(reach);
  const Row row = begin_row(look, "Mask acts on", "Whether later layers see the edited maps. One choice for all mask edits.");
  if (drop_down(look, row, "Mask acts on", effects, chosen)) reach = static_cast<MaskReach>(chosen);
}

/// "window:4", "brush", "none + brush".
std::string rule_text(const MaskRule& rule) {
  if (rule.text.empty()) return "brush";
  return printable(rule.text, 200) + (rule.strokes.empty() ? "" : " + brush");
}

/// All rules, including those of heads that are not being looked at.
void draw_rules(Panel& panel, const ModelConfig& config) {
  const Look& look = panel.look;
  std::vector<MaskRule>& rules = panel.draft.query.mask.rules;
  if (rules.empty()) return;
  constexpr std::size_t kShown = 6;
  text_line(look, Type::caption, look.colours.text_second, "Masks in force");
  std::optional<std::size_t> cleared;
  for (std::size_t i = 0; i < std::min(rules.size(), kShown); ++i) {
    const std::string name = scope_name(rules[i].scope, config);
    const std::string text = rule_text(rules[i]);
    const std::string whole = fmt::format("{}: {}", name, text);
    const Row row = begin_row(look, elided(look, Type::body, name, look.px(130)), whole.c_str(), kNumberRow);
    const float right = row.right - look.px(kControl - 4);
    draw_text(look, right, row.middle(), Type::number, look.colours.text, elided(look, Type::number, text, right - row.control_left),
              AlignX::right);
    ImGui::PushID(static_cast<int>(i));  // a document may hold two rules of one scope
    if (close_button(look, ("Clear mask of " + name).c_str(), {row.right - look.px(kUnit), row.middle()})) cleared = i;
    hint(look, "Remove this edit.");
    ImGui::PopID();
  }
  if (rules.size() > kShown) text_line(look, Type::caption, look.colours.text_second, fmt::format("and {} more", rules.size() - kShown));
  if (!cleared) return;
  rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(*cleared));
  panel.view.rails.mask_entry = {};
}

void draw_files_and_clear(Panel& panel) {
  const Look& look = panel.look;
  MaskEdits& edits = panel.draft.query.mask;
  const Row row = begin_row(look, "", nullptr, 32);
  const float height = look.px(kControl);
  const float top = std::round(row.middle() - height / 2);
  const float file = button_width(look, "Mask file…"), clear = button_width(look, "Clear edits");
  if (quiet_button(look, "Mask file…", {row.left, top}, {file, height}, panel.has_picture())) panel.view.dialogs.mask_file = true;
  hint(look, "Read a mask from a file, or write this head's to one: .npy, .txt (rows of 0 and 1) or .png (white: may attend).");
  const bool is_cleared = quiet_button(look, "Clear edits", {row.right - clear, top}, {clear, height}, !edits.rules.empty());
  hint(look, edits.rules.empty() ? "This is the model's own mask." : "Go back to the model's own mask everywhere.");
  if (!is_cleared) return;
  edits = {};
  panel.view.rails.mask_entry = {};
}

std::string origin_text(GivenMask::Origin origin) {
  switch (origin) {
    case GivenMask::Origin::assumed:
      return "Causal is assumed: no query gives weight to a later token, and the file names no mask. Press none if every key was allowed.";
    case GivenMask::Origin::unknown:
      return "The file names no mask, so every key counts as allowed. ";
    case GivenMask::Origin::text:
      return "This is the mask that the file names. ";
    case GivenMask::Origin::cells:
      return "The file has its own mask, cell by cell. ";
    case GivenMask::Origin::edited:
      break;
  }
  return {};
}

/// Where the mask under maps from a file comes from, and what it does there.
void draw_dump_mask(Panel& panel) {
  const GivenMask::Origin origin = given_mask(panel).origin;
  const bool is_assumed = origin == GivenMask::Origin::assumed;
  std::string text = origin_text(origin);
  if (!is_assumed) text += "The mask says which keys the measures count. The maps stay as the file has them.";
  paragraph(panel.look, Type::caption, is_assumed ? panel.look.colours.query : panel.look.colours.text_second, text);
}

}  // namespace

void draw_mask_panel(Panel& panel) {
  const Look& look = panel.look;
  if (!section(look, "Mask", panel.view.rails.folded)) return;
  const Stack stack = stack_of(panel, panel.view.head.layer);
  draw_presets(panel);
  const Scope scope = mask_scope(panel);
  draw_numbers(panel, scope);
  draw_text_form(panel, scope, mask_text_of(panel, scope));
  draw_sight_ahead(panel);
  draw_scope(panel, stack);
  if (panel.is_dump()) {
    draw_dump_mask(panel);
  } else {
    draw_effect(panel, scope);
    draw_brush(panel);
  }
  if (panel.has_picture()) draw_rules(panel, draft_config(panel).value_or(panel.snapshot->model->config));
  draw_files_and_clear(panel);
}

}  // namespace headlight

#include "app/gui/commands/mask_presets.h"

#include <array>

#include "app/document/mask_edits.h"
#include "app/gui/panel/draft_model.h"

namespace headlight {
namespace {

// What presets begin with: small enough to show in a short sentence.
constexpr int kFirstNumber = 4;

void turn(std::optional<int>& number) {
  number = number ? std::nullopt : std::optional(kFirstNumber);
}

template <std::optional<int> MaskTerms::*number>
bool has_number(const MaskTerms& terms) {
  return (terms.*number).has_value();
}
template <std::optional<int> MaskTerms::*number>
void turn_number(MaskTerms& terms) {
  turn(terms.*number);
}

void turn_causal(MaskTerms& terms) {
  terms.is_causal = !terms.is_causal;
  if (terms.is_causal) terms.prefix.reset();  // a prefix under a causal mask is a causal mask
}

void turn_prefix(MaskTerms& terms) {
  turn(terms.prefix);
  if (terms.prefix) terms.is_causal = false;
}

constexpr std::array kPresets{
    MaskPreset{"none", [](const MaskTerms& terms) { return terms == MaskTerms{}; }, [](MaskTerms& terms) { terms = {}; }},
    MaskPreset{"causal", [](const MaskTerms& terms) { return terms.is_causal; }, turn_causal},
    MaskPreset{"window", has_number<&MaskTerms::window>, turn_number<&MaskTerms::window>},
    MaskPreset{"no self", [](const MaskTerms& terms) { return terms.excludes_self; },
               [](MaskTerms& terms) { terms.excludes_self = !terms.excludes_self; }},
    MaskPreset{"prefix", has_number<&MaskTerms::prefix>, turn_prefix},
    MaskPreset{"padding", has_number<&MaskTerms::padding>, turn_number<&MaskTerms::padding>},
    MaskPreset{"blocks", has_number<&MaskTerms::blocks>, turn_number<&MaskTerms::blocks>},
    MaskPreset{"pair", [](const MaskTerms& terms) { return terms.is_pair; }, [](MaskTerms& terms) { terms.is_pair = !terms.is_pair; }},
};

/// Whether the mask is a guess from the maps that nobody has confirmed.
bool is_mask_assumed(const Panel& panel) {
  return panel.is_dump() && given_mask(panel).origin == GivenMask::Origin::assumed;
}

}  // namespace

std::span<const MaskPreset> mask_presets() {
  return kPresets;
}

const GivenMask& given_mask(const Panel& panel) {
  return panel.snapshot->trace.layer(panel.view.head.layer).given_mask;
}

Scope mask_scope(const Panel& panel) {
  return scope_at(panel.view.painting.scope, panel.view.head, stack_of(panel, panel.view.head.layer));
}

std::string mask_text_of(const Panel& panel, const Scope& scope) {
  const int layer = panel.view.head.layer;
  const bool has_cells = panel.is_dump() && given_mask(panel).origin == GivenMask::Origin::cells;
  return text_in_force(panel.draft.query.mask, scope, has_cells ? std::string() : own_mask_of(panel, layer), stack_of(panel, layer));
}

void tell_mask(Panel& panel, const Scope& scope, const std::string& text) {
  const int layer = panel.view.head.layer;
  const bool is_same_everywhere = scope.kind != Scope::Kind::all || stack_of(panel, layer) == Stack::only;
  const bool can_be_no_edit = is_same_everywhere && !is_mask_assumed(panel);
  set_text(panel.draft.query.mask, scope, text, can_be_no_edit ? own_mask_of(panel, layer) : std::string());
}

bool is_preset_on(const Panel& panel, const MaskPreset& preset) {
  const std::string text = mask_text_of(panel, mask_scope(panel));
  const MaskTerms terms = split_terms(text);
  return preset.is_on(terms) && (!text.empty() || terms != MaskTerms{});
}

void press_preset(Panel& panel, const MaskPreset& preset) {
  const Scope scope = mask_scope(panel);
  MaskTerms terms = split_terms(mask_text_of(panel, scope));
  const bool is_confirmed = is_mask_assumed(panel) && preset.press == turn_causal;
  if (!is_confirmed) preset.press(terms);
  tell_mask(panel, scope, to_text(terms));
  panel.view.rails.mask_entry = {};
}

}  // namespace headlight

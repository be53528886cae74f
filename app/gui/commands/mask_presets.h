// The usual terms of a mask, as switches: in the Mask panel and in the palette.
#pragma once

#include <span>

#include "app/gui/panel/panel.h"

namespace headlight {

/// A switch for one term. `none` excludes the others, which add up.
struct MaskPreset {
  const char* label;
  bool (*is_on)(const MaskTerms& terms);
  void (*press)(MaskTerms& terms);
};
std::span<const MaskPreset> mask_presets();

/// Presses the switch for the scope that the Mask panel names. A mask that is a guess from the maps is confirmed by it.
void press_preset(Panel& panel, const MaskPreset& preset);
/// What the switches show: whether there is a text in force, a file's own cells have none, and its terms.
bool is_preset_on(const Panel& panel, const MaskPreset& preset);

/// Where the mask of the layer being looked at comes from, of maps from a file.
const GivenMask& given_mask(const Panel& panel);
/// The scope that the Mask panel names, and the text that decides its mask; empty if that is a file's mask of cells.
Scope mask_scope(const Panel& panel);
std::string mask_text_of(const Panel& panel, const Scope& scope);
/// Sets the text of a scope. The model's own mask is not an edit, unless it confirms a guess. Stacks have different masks of their own, so
/// no text for all of them is the model's own.
void tell_mask(Panel& panel, const Scope& scope, const std::string& text);

}  // namespace headlight

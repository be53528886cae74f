// Edits of the mask as values: what the mask panel and the brush do to a document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/view_state.h"

namespace headlight {

/// Terms of a mask text that have a switch of their own; what is left is kept as it is.
struct MaskTerms {
  bool is_causal = false;
  bool excludes_self = false;
  bool is_pair = false;
  std::optional<int> window, prefix, padding, blocks;
  std::vector<std::string> others;
  bool operator==(const MaskTerms&) const = default;
};
MaskTerms split_terms(std::string_view text);
std::string to_text(const MaskTerms& terms);

/// The scope of new edits: what the panel's "applies to" says, about the head being looked at.
Scope scope_at(Scope::Kind kind, HeadId head);

/// The text that decides the mask of a scope: of the most specific rule that has one, else the model's own.
std::string text_in_force(const MaskEdits& edits, const Scope& scope, std::string_view own_mask);
/// Tells a scope its text. For all heads the model's own mask is told by an empty text, so that saying it twice is no edit.
void set_text(MaskEdits& edits, const Scope& scope, const std::string& text, std::string_view own_mask);

std::size_t stroke_count(const MaskEdits& edits, const Scope& scope);
/// Takes a scope's strokes (and nothing else) away.
void clear_strokes(MaskEdits& edits, const Scope& scope);

/// A stroke from its last cell to `cell`: the brush paints every cell on the way; a rectangle is drawn anew from its anchor.
void paint_stroke(MaskEdits& edits, Stroke& stroke, Brush brush, bool allows, Cell cell);

}  // namespace headlight

// Edits of the mask as values: what the mask panel and the brush do to a document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/mask.h"
#include "engine/figure/figures.h"
#include "engine/snapshot.h"

namespace headlight {

enum class Brush : std::uint8_t { off, cell, row, column, rectangle };

/// A brush stroke whose button is still held.
struct Stroke {
  Scope scope;
  std::size_t first_block = 0;  ///< strokes of the scope's rule before this one
  Cell anchor, last;
};

/// The mask text as it is being typed; only a text without a problem reaches the document, once it is entered.
struct MaskEntry {
  std::string text;
  std::string problem;
  Scope scope;  ///< the scope that it is typed for
};

/// Terms of a mask text that have a switch of their own; the rest is kept as it is.
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

/// The scope of new edits: what the panel's "applies to" says, about the head being looked at, whose layer belongs to `stack`. In a
/// model with one stack that stack is all heads.
Scope scope_at(Scope::Kind kind, HeadId head, Stack stack);
/// The same for strokes and files: they count the tokens of one map, so they stay within the stack that has maps of that shape.
Scope stroke_scope_at(Scope::Kind kind, HeadId head, Stack stack);

/// What "applies to" offers. `texts`: for mask texts, which can also be for every stack of an encoder–decoder model.
struct ScopeChoices {
  std::vector<Scope::Kind> kinds;
  std::vector<std::string> labels;
  int place_of(Scope::Kind kind) const;  ///< 0 for a kind that is not offered
};
ScopeChoices scope_choices(Stack stack, bool texts);
/// "all heads", "all cross heads", "cross 0", "cross 0, head 3".
std::string scope_name(const Scope& scope, const ModelConfig& config);

/// The rule of a scope; if there is none, a new empty one after all others.
MaskRule& rule_for(MaskEdits& edits, const Scope& scope);

/// The text that decides the mask of a scope: of the most specific rule that has one, else the model's own.
/// `stack`: that of the layer or head that the scope names.
std::string text_in_force(const MaskEdits& edits, const Scope& scope, std::string_view own_mask, Stack stack = Stack::only);
/// Sets the text of a scope; empty: none of its own. For all heads, or those of a stack, the model's own mask is stored as an empty text,
/// so that setting it again is not an edit.
void set_text(MaskEdits& edits, const Scope& scope, const std::string& text, std::string_view own_mask);

std::size_t stroke_count(const MaskEdits& edits, const Scope& scope);
/// Removes a scope's strokes, and nothing else.
void clear_strokes(MaskEdits& edits, const Scope& scope);

/// Whether a mask of the picture lets a token see what comes after it where the model's own mask does not. Looks at every cell.
bool opens_sight_ahead(const Snapshot& snapshot);

/// A stroke from its last cell to `cell`: the brush paints every cell on the way; a rectangle is drawn anew from its anchor.
void paint_stroke(MaskEdits& edits, Stroke& stroke, Brush brush, bool allows, Cell cell);

}  // namespace headlight

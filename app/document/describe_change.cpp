#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/document/fields/names.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"
#include "app/document/history.h"
#include "app/document/subjects.h"
#include "engine/dumps/dump_tensors.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr std::size_t kMostNamed = 3;  // further changes are only counted
using Parts = std::vector<std::string>;

template <typename Number>
void add_number(Parts& parts, std::string_view what, Number before, Number after) {
  if (before != after) parts.push_back(fmt::format("{} {} → {}", what, before, after));
}

template <typename Enum>
void add_name(Parts& parts, std::string_view what, Enum before, Enum after) {
  if (before != after) parts.push_back(fmt::format("{}: {}", what, name_of(after)));
}

/// What is in `after` and not in `before`.
template <typename Item>
std::vector<Item> added(const std::vector<Item>& before, const std::vector<Item>& after) {
  std::vector<Item> result;
  for (const Item& item : after) {
    if (std::find(before.begin(), before.end(), item) == before.end()) result.push_back(item);
  }
  return result;
}

/// "layer 3", or "cross 0" in an encoder-decoder sandbox. A document does not know the stacks of a loaded model.
std::string layer_text(const ModelChoice& model, int layer) {
  ModelConfig config;
  const int depth = model.sandbox.layers;
  const bool has_stacks = model.name == "sandbox" && model.sandbox.kind == SandboxKind::encoder_decoder && layer < 3 * depth;
  if (has_stacks) config.stacks.encoder_layers = depth;
  const LayerPlace place = config.place(layer);
  return fmt::format("{} {}", name_of(place.stack), place.number);
}

void add_heads(Parts& parts, std::string_view what, const ModelChoice& model, const std::vector<HeadId>& heads) {
  if (heads.empty()) return;
  if (heads.size() == 1 && is_dump_name(model.name)) {  // its layers have the file's own numbers, which a document does not know
    parts.push_back(fmt::format("{} a head", what));
    return;
  }
  parts.push_back(heads.size() == 1 ? fmt::format("{} {} head {}", what, layer_text(model, heads[0].layer), heads[0].head)
                                    : fmt::format("{} {} heads", what, heads.size()));
}

/// The chosen head count; 0: the loaded model's own, which a document does not know.
int head_count(const Query& query) {
  if (query.heads) return *query.heads;
  return query.model.name == "sandbox" ? query.model.sandbox.heads : 0;
}

void add_model(Parts& parts, const Query& before, const Query& after) {
  if (before.model.name != after.model.name) {
    parts.push_back("model: " + short_model_name(after.model.name));
    return;
  }
  if (before.item != after.item) parts.push_back(after.item ? fmt::format("item {}", *after.item) : "first axis: layers");
  add_changes(parts, before.model.sandbox, after.model.sandbox, sandbox_fields());
  const int old_heads = head_count(before);
  const int new_heads = head_count(after);
  if (old_heads == new_heads) return;
  if (new_heads == 0) {
    parts.emplace_back("heads: the model's own");
  } else {
    parts.push_back(old_heads == 0 ? fmt::format("heads → {}", new_heads) : fmt::format("heads {} → {}", old_heads, new_heads));
  }
}

/// Parameters that were set by hand, or by gradient steps towards the drawn map.
void add_parameters(Parts& parts, const Document& before, const Document& after) {
  const std::vector<ParameterEdit>& edits = after.query.model.sandbox.edits;
  if (edits == before.query.model.sandbox.edits) return;
  const int steps = after.drawn_map.training_steps - before.drawn_map.training_steps;
  if (edits.empty()) {
    parts.emplace_back("weights reset");
  } else if (steps > 0) {
    parts.push_back(fmt::format("trained {} step{}", steps, steps == 1 ? "" : "s"));
  } else {
    parts.emplace_back("parameters edited");
  }
}

std::string where_text(const ModelChoice& model, const Scope& scope) {
  switch (scope.kind) {
    case Scope::Kind::all:
      return "";
    case Scope::Kind::stack:
      return fmt::format(" in all {} heads", name_of(scope.stack));
    case Scope::Kind::layer:
      return " in " + layer_text(model, scope.where.layer);
    case Scope::Kind::head:
      return fmt::format(" in {} head {}", layer_text(model, scope.where.layer), scope.where.head);
  }
  return "";
}

/// "mask row 8", "allow 3 cells"; of strokes that do both, what was done with the brush.
std::string strokes_text(const std::vector<CellBlock>& strokes, std::size_t from) {
  const bool allows = strokes[from].is_allowed;
  const bool is_mixed = std::any_of(strokes.begin() + static_cast<std::ptrdiff_t>(from), strokes.end(),
                                    [&](const CellBlock& block) { return block.is_allowed != allows; });
  const char* const what = is_mixed ? "brush:" : allows ? "allow" : "mask";
  std::set<std::pair<int, int>> cells;
  for (std::size_t stroke = from; stroke < strokes.size(); ++stroke) {
    const CellBlock& block = strokes[stroke];
    const bool is_one_query = block.query_end - block.query_begin == 1;
    const bool is_one_key = block.key_end - block.key_begin == 1;
    if (is_one_query && is_one_key) {
      cells.emplace(block.query_begin, block.key_begin);
    } else if (from + 1 < strokes.size()) {
      return fmt::format("{} {} areas", what, strokes.size() - from);
    } else if (is_one_query) {
      return fmt::format("{} row {}", what, block.query_begin);
    } else if (is_one_key) {
      return fmt::format("{} column {}", what, block.key_begin);
    } else {
      return fmt::format("{} a rectangle", what);
    }
  }
  return cells.size() == 1 ? fmt::format("{} 1 cell", what) : fmt::format("{} {} cells", what, cells.size());
}

MaskRule rule_of(const MaskEdits& edits, const Scope& scope) {
  const auto rule = std::find_if(edits.rules.begin(), edits.rules.end(), [&](const MaskRule& each) { return each.scope == scope; });
  return rule == edits.rules.end() ? MaskRule{scope, {}, {}} : *rule;
}

void add_rule(Parts& parts, const ModelChoice& model, const MaskRule& before, const MaskRule& after) {
  const std::string where = where_text(model, after.scope);
  if (before.text != after.text) parts.push_back(fmt::format("mask: {}{}", after.text.empty() ? "the model's own" : after.text, where));
  if (before.strokes == after.strokes) return;
  const bool is_longer =
      after.strokes.size() > before.strokes.size() && std::equal(before.strokes.begin(), before.strokes.end(), after.strokes.begin());
  const std::string strokes = is_longer               ? strokes_text(after.strokes, before.strokes.size())
                              : after.strokes.empty() ? "brush: cleared"
                                                      : "brush: changed";
  parts.push_back(strokes + where);
}

void add_mask(Parts& parts, const ModelChoice& model, const MaskEdits& before, const MaskEdits& after) {
  if (before == after) return;
  std::vector<Scope> scopes;
  for (const MaskEdits* edits : {&before, &after}) {
    for (const MaskRule& rule : edits->rules) {
      if (std::find(scopes.begin(), scopes.end(), rule.scope) == scopes.end()) scopes.push_back(rule.scope);
    }
  }
  const std::size_t parts_before = parts.size();
  for (const Scope& scope : scopes) add_rule(parts, model, rule_of(before, scope), rule_of(after, scope));
  if (parts.size() == parts_before) parts.emplace_back("mask");  // same rules in another order
}

template <typename Value>
void add_optional(Parts& parts, std::string_view what, const std::optional<Value>& before, const std::optional<Value>& after) {
  if (before != after) parts.push_back(after ? fmt::format("{}: {}", what, *after) : fmt::format("{}: the model's own", what));
}

void add_score(Parts& parts, const ScoreSettings& before, const ScoreSettings& after) {
  if (before.is_scaled != after.is_scaled) parts.emplace_back(after.is_scaled ? "scale: on" : "scale: off");
  add_number(parts, "temperature", before.temperature, after.temperature);
  if (before.kind != after.kind) parts.push_back(fmt::format("score: {}", after.kind ? name_of(*after.kind) : "the model's own"));
  add_optional(parts, "soft-cap", before.softcap, after.softcap);
  add_optional(parts, "sink", before.sink, after.sink);
}

void add_switch(Parts& parts, std::string_view what, bool before, bool after) {
  if (before != after) parts.push_back(fmt::format("{}: {}", what, after ? "on" : "off"));
}

void add_block(Parts& parts, const BlockSwitches& before, const BlockSwitches& after) {
  add_switch(parts, "skip around attention", before.has_attention_skip, after.has_attention_skip);
  add_switch(parts, "skip around feed-forward", before.has_feed_forward_skip, after.has_feed_forward_skip);
  add_switch(parts, "output projection", before.has_output_projection, after.has_output_projection);
  add_switch(parts, "biases", before.has_biases, after.has_biases);
}

void add_interventions(Parts& parts, const std::vector<Intervention>& before, const std::vector<Intervention>& after) {
  for (const Intervention& each : added(before, after)) parts.push_back(describe_intervention(each));
  for (const Intervention& each : added(after, before)) parts.push_back("no longer " + describe_intervention(each));
}

/// Texts that were added or closed, which one is focused, and the baseline.
void add_subjects(Parts& parts, const Document& before, const Document& after) {
  const std::size_t parts_before = parts.size();
  for (const int text : texts_of(after)) {
    if (text_number(before, text) == 0) parts.push_back(subject_name(after, text) + " added");
  }
  for (const int text : texts_of(before)) {
    if (text_number(after, text) == 0) parts.push_back(subject_name(before, text) + " closed");
  }
  const bool has_same_texts = parts.size() == parts_before;
  if (has_same_texts && before.focused != after.focused) parts.push_back("go to " + subject_name(after, after.focused));
  for (const Subject& other : after.others) {
    const Query* query = query_of(before, other.id);
    if (query && !other.is_frozen && *query != other.query) parts.push_back(subject_name(after, other.id) + " edited");
  }
  const Query* old_baseline = before.baseline ? query_of(before, *before.baseline) : nullptr;
  const Query* new_baseline = after.baseline ? query_of(after, *after.baseline) : nullptr;
  if (new_baseline && (!old_baseline || *old_baseline != *new_baseline)) parts.emplace_back("baseline set");
  if (old_baseline && !new_baseline) parts.emplace_back("baseline cleared");
}

void add_pins(Parts& parts, std::string_view what, const Document& document, const std::vector<Pin>& pins) {
  if (pins.empty()) return;
  std::vector<HeadId> heads;
  for (const Pin& pin : pins) heads.push_back(pin.head);
  const Query* query = query_of(document, pins[0].subject);
  add_heads(parts, what, query ? query->model : document.query.model, heads);
  const bool names_text = pins.size() == 1 && texts_of(document).size() > 1 && text_number(document, pins[0].subject) > 0;
  if (names_text) parts.back() += " of " + subject_name(document, pins[0].subject);
}

/// The pins of a text that was closed went with it: they are not named.
void add_pins(Parts& parts, const Document& before, const Document& after) {
  const std::vector<Pin> pinned = added(before.pins, after.pins);
  std::vector<Pin> unpinned = added(after.pins, before.pins);
  std::erase_if(unpinned, [&](const Pin& pin) { return text_number(before, pin.subject) > 0 && text_number(after, pin.subject) == 0; });
  const bool is_moved = pinned.size() == 1 && unpinned.size() == 1 && pinned[0].head == unpinned[0].head;
  if (is_moved && is_frozen(after, pinned[0].subject) && !is_frozen(before, unpinned[0].subject))
    return add_pins(parts, "freeze", before, unpinned);
  if (is_moved && is_frozen(before, unpinned[0].subject)) return add_pins(parts, "unfreeze", after, pinned);
  add_pins(parts, "pin", after, pinned);
  add_pins(parts, "unpin", before, unpinned);
}

/// `before` with the text focused that is focused in `after`, so that the two can be compared; a new text is taken from `after`.
Document with_same_focus(Document before, const Document& after) {
  focus(before, after.focused);
  if (before.focused == after.focused) return before;
  before.query = after.query;
  before.drawn_map = after.drawn_map;
  return before;
}

}  // namespace

std::string describe_change(const Document& old, const Document& after) {
  Parts parts;
  add_subjects(parts, old, after);
  const Document before = with_same_focus(old, after);
  const Query& old_query = before.query;
  const Query& new_query = after.query;
  add_model(parts, old_query, new_query);
  add_parameters(parts, before, after);
  if (old_query.text != new_query.text) parts.emplace_back("text");
  if (old_query.text_pair != new_query.text_pair) parts.emplace_back(new_query.text_pair ? "second sentence" : "no second sentence");
  if (old_query.decoder_text != new_query.decoder_text) parts.emplace_back("decoder's text");
  if (old_query.reads_special_text != new_query.reads_special_text) {
    parts.emplace_back(new_query.reads_special_text ? "typed <…>: special" : "typed <…>: plain text");
  }
  if (old_query.ids != new_query.ids) parts.emplace_back("ids");
  add_optional(parts, "key/value heads", old_query.kv_heads, new_query.kv_heads);
  add_mask(parts, new_query.model, old_query.mask, new_query.mask);
  add_name(parts, "masks act on", old_query.mask_reach, new_query.mask_reach);
  add_score(parts, old_query.score, new_query.score);
  add_block(parts, old_query.block, new_query.block);
  add_heads(parts, "switch off", new_query.model, added(old_query.switched_off, new_query.switched_off));
  add_heads(parts, "switch on", new_query.model, added(new_query.switched_off, old_query.switched_off));
  add_interventions(parts, old_query.interventions, new_query.interventions);
  if (old.target != after.target) parts.push_back("watch the " + describe_target(after.target));
  add_changes(parts, before.style, after.style, style_fields());
  add_pins(parts, old, after);
  if (before.drawn_map.strokes != after.drawn_map.strokes || before.drawn_map.head != after.drawn_map.head)
    parts.emplace_back(after.drawn_map.strokes.empty() ? "drawing: cleared" : "drawing: changed");
  if (parts.empty()) return old == after ? "nothing" : "order";
  if (parts.size() > kMostNamed) return fmt::format("{} changes", parts.size());
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : ", ").append(part);
  return text;
}

}  // namespace headlight

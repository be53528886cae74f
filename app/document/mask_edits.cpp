#include "app/document/mask_edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <set>

namespace headlight {
namespace {

constexpr int kEveryCell = std::numeric_limits<int>::max();  // a whole row stays whole when the text grows

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The presets that take a number, and where it is kept.
struct NumberedTerm {
  std::string_view name;
  std::optional<int> MaskTerms::*number;
};
constexpr std::array<NumberedTerm, 4> kNumberedTerms{
    {{"window:", &MaskTerms::window}, {"prefix:", &MaskTerms::prefix}, {"padding:", &MaskTerms::padding}, {"blocks:", &MaskTerms::blocks}}};

std::optional<int> number_behind(std::string_view term, std::string_view name) {
  if (!term.starts_with(name)) return std::nullopt;
  term.remove_prefix(name.size());
  int number = 0;
  const auto [end, failure] = std::from_chars(term.data(), term.data() + term.size(), number);
  if (failure != std::errc() || end != term.data() + term.size()) return std::nullopt;
  return number;
}

/// A second term of a kind has no switch and stays as it is written.
bool take_numbered(MaskTerms& terms, std::string_view term) {
  for (const NumberedTerm& numbered : kNumberedTerms) {
    const std::optional<int> number = number_behind(term, numbered.name);
    if (!number || terms.*numbered.number) continue;
    terms.*numbered.number = number;
    return true;
  }
  return false;
}

MaskRule* find_rule(MaskEdits& edits, const Scope& scope) {
  const auto rule = std::find_if(edits.rules.begin(), edits.rules.end(), [&](const MaskRule& each) { return each.scope == scope; });
  return rule == edits.rules.end() ? nullptr : &*rule;
}

void drop_empty_rules(MaskEdits& edits) {
  std::erase_if(edits.rules, [](const MaskRule& rule) { return rule.text.empty() && rule.strokes.empty(); });
}

CellBlock block_of(Brush brush, bool allows, Cell anchor, Cell cell) {
  const auto query = static_cast<int>(cell.query);
  const auto key = static_cast<int>(cell.key);
  switch (brush) {
    case Brush::row:
      return {query, query + 1, 0, kEveryCell, allows};
    case Brush::column:
      return {0, kEveryCell, key, key + 1, allows};
    case Brush::rectangle: {
      const auto from_query = static_cast<int>(anchor.query);
      const auto from_key = static_cast<int>(anchor.key);
      return {std::min(from_query, query), std::max(from_query, query) + 1, std::min(from_key, key), std::max(from_key, key) + 1, allows};
    }
    case Brush::off:
    case Brush::cell:
      break;
  }
  return {query, query + 1, key, key + 1, allows};
}

/// Adds a block unless the stroke has it already.
void add_block(std::vector<CellBlock>& strokes, std::size_t first, const CellBlock& block) {
  const auto begin = strokes.begin() + static_cast<std::ptrdiff_t>(std::min(first, strokes.size()));
  if (std::find(begin, strokes.end(), block) == strokes.end()) strokes.push_back(block);
}

}  // namespace

MaskRule& rule_for(MaskEdits& edits, const Scope& scope) {
  if (MaskRule* rule = find_rule(edits, scope)) return *rule;
  return edits.rules.emplace_back(MaskRule{scope, {}, {}});
}

MaskTerms split_terms(std::string_view text) {
  MaskTerms terms;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('+'), text.size());
    const std::string_view term = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (term == "causal") {
      terms.is_causal = true;
    } else if (term == "no-self") {
      terms.excludes_self = true;
    } else if (term == "pair") {
      terms.is_pair = true;
    } else if (!take_numbered(terms, term) && !term.empty() && term != "none") {
      terms.others.emplace_back(term);
    }
  }
  return terms;
}

std::string to_text(const MaskTerms& terms) {
  std::vector<std::string> parts;
  if (terms.is_causal) parts.emplace_back("causal");
  for (const NumberedTerm& numbered : kNumberedTerms) {
    if (terms.*numbered.number) parts.push_back(std::string(numbered.name) + std::to_string(*(terms.*numbered.number)));
  }
  if (terms.is_pair) parts.emplace_back("pair");
  if (terms.excludes_self) parts.emplace_back("no-self");
  parts.insert(parts.end(), terms.others.begin(), terms.others.end());
  if (parts.empty()) return "none";
  std::string text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) text += " + " + parts[i];
  return text;
}

Scope scope_at(Scope::Kind kind, HeadId head, Stack stack) {
  switch (kind) {
    case Scope::Kind::all:
      return {};
    case Scope::Kind::stack:
      return stack == Stack::only ? Scope{} : Scope{kind, {}, stack};
    case Scope::Kind::layer:
      return {kind, {head.layer, 0}};
    case Scope::Kind::head:
      return {kind, head};
  }
  return {};
}

Scope stroke_scope_at(Scope::Kind kind, HeadId head, Stack stack) {
  return scope_at(kind == Scope::Kind::all ? Scope::Kind::stack : kind, head, stack);
}

int ScopeChoices::place_of(Scope::Kind kind) const {
  const auto place = std::find(kinds.begin(), kinds.end(), kind);
  return place == kinds.end() ? 0 : static_cast<int>(place - kinds.begin());
}

ScopeChoices scope_choices(Stack stack, bool texts) {
  const std::string widest = stack == Stack::only ? "all heads" : fmt::format("all {} heads", name_of(stack));
  ScopeChoices choices{{Scope::Kind::stack, Scope::Kind::layer, Scope::Kind::head}, {widest, "this layer", "this head"}};
  if (stack == Stack::only || !texts) return choices;
  choices.kinds.push_back(Scope::Kind::all);
  choices.labels.emplace_back("every stack");
  return choices;
}

std::string scope_name(const Scope& scope, const ModelConfig& config) {
  const LayerPlace place = config.place(scope.where.layer);
  switch (scope.kind) {
    case Scope::Kind::all:
      return config.is_encoder_decoder() ? "every stack" : "all heads";
    case Scope::Kind::stack:
      return fmt::format("all {} heads", name_of(scope.stack));
    case Scope::Kind::layer:
      return fmt::format("{} {}", name_of(place.stack), place.number);
    case Scope::Kind::head:
      return fmt::format("{} {}, head {}", name_of(place.stack), place.number, scope.where.head);
  }
  return {};
}

std::string text_in_force(const MaskEdits& edits, const Scope& scope, std::string_view own_mask, Stack stack) {
  std::string text(own_mask);
  Scope::Kind told_by = Scope::Kind::all;
  for (const MaskRule& rule : edits.rules) {
    const bool is_wider = rule.scope.kind < scope.kind && rule.scope.contains(scope.where, stack);
    if (!(is_wider || rule.scope == scope) || rule.text.empty() || rule.scope.kind < told_by) continue;
    text = rule.text;
    told_by = rule.scope.kind;
  }
  return text;
}

void set_text(MaskEdits& edits, const Scope& scope, const std::string& text, std::string_view own_mask) {
  const bool is_wide = scope.kind == Scope::Kind::all || scope.kind == Scope::Kind::stack;
  const bool is_told_otherwise = scope.kind == Scope::Kind::stack && !text_in_force(edits, {}, "").empty();
  const bool is_models_own = is_wide && text == own_mask && !is_told_otherwise;
  rule_for(edits, scope).text = is_models_own ? "" : text;
  drop_empty_rules(edits);
}

std::size_t stroke_count(const MaskEdits& edits, const Scope& scope) {
  for (const MaskRule& rule : edits.rules) {
    if (rule.scope == scope) return rule.strokes.size();
  }
  return 0;
}

void clear_strokes(MaskEdits& edits, const Scope& scope) {
  if (MaskRule* rule = find_rule(edits, scope)) rule->strokes.clear();
  drop_empty_rules(edits);
}

bool opens_sight_ahead(const Snapshot& snapshot) {
  if (snapshot.is_dump() || snapshot.query.mask.rules.empty()) return false;
  const ModelConfig& config = snapshot.model->config;
  std::set<const Mask*> seen;  // heads share masks
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    if (!split_terms(config.own_mask(layer)).is_causal) continue;
    for (int head = 0; head < snapshot.heads(layer); ++head) {
      const Mask& mask = snapshot.trace.layer(layer).mask(head);
      if (!seen.insert(&mask).second) continue;
      for (Index query = 0; query < mask.queries() && query + 1 < mask.keys(); ++query) {
        const std::uint8_t* row = mask.row(query);
        if (std::find(row + query + 1, row + mask.keys(), std::uint8_t{1}) != row + mask.keys()) return true;
      }
    }
  }
  return false;
}

void paint_stroke(MaskEdits& edits, Stroke& stroke, Brush brush, bool allows, Cell cell) {
  std::vector<CellBlock>& strokes = rule_for(edits, stroke.scope).strokes;
  if (brush == Brush::rectangle) {
    strokes.resize(std::min(strokes.size(), stroke.first_block));
    strokes.push_back(block_of(brush, allows, stroke.anchor, cell));
    stroke.last = cell;
    return;
  }
  // A fast pointer skips cells between two frames: paint all on the line between them.
  const Index query_steps = cell.query - stroke.last.query;
  const Index key_steps = cell.key - stroke.last.key;
  const Index steps = std::max<Index>(1, std::max(std::abs(query_steps), std::abs(key_steps)));
  for (Index step = 0; step <= steps; ++step) {
    const Cell at{stroke.last.query + query_steps * step / steps, stroke.last.key + key_steps * step / steps};
    add_block(strokes, stroke.first_block, block_of(brush, allows, stroke.anchor, at));
  }
  stroke.last = cell;
}

}  // namespace headlight

#include "app/gui/mask_edits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

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

/// A second term of a kind has no switch: it stays as it is written.
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

MaskRule& rule_for(MaskEdits& edits, const Scope& scope) {
  if (MaskRule* rule = find_rule(edits, scope)) return *rule;
  edits.rules.push_back({scope, {}, {}});
  return edits.rules.back();
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

Scope scope_at(Scope::Kind kind, HeadId head) {
  switch (kind) {
    case Scope::Kind::all:
      return {};
    case Scope::Kind::layer:
      return {kind, {head.layer, 0}};
    case Scope::Kind::head:
      return {kind, head};
  }
  return {};
}

std::string text_in_force(const MaskEdits& edits, const Scope& scope, std::string_view own_mask) {
  std::string text(own_mask);
  Scope::Kind told_by = Scope::Kind::all;
  for (const MaskRule& rule : edits.rules) {
    const bool concerns = rule.scope.kind == Scope::Kind::all || rule.scope == scope ||
                          (rule.scope.kind == Scope::Kind::layer && scope.kind == Scope::Kind::head && rule.scope.contains(scope.where));
    if (!concerns || rule.text.empty() || rule.scope.kind < told_by) continue;
    text = rule.text;
    told_by = rule.scope.kind;
  }
  return text;
}

void set_text(MaskEdits& edits, const Scope& scope, const std::string& text, std::string_view own_mask) {
  const bool is_models_own = scope.kind == Scope::Kind::all && text == own_mask;
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

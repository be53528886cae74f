#include "app/gui/selection/explained.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/wording.h"
#include "app/gui/panel/cell_steps.h"
#include "app/gui/panel/cell_words.h"
#include "app/gui/panel/focus.h"
#include "app/gui/selection/pictured_copying.h"
#include "engine/inside/numbers.h"

namespace headlight {
namespace {

using Spans = std::vector<Span>;

/// What the sentences are made of.
struct Told {
  const Palette& colours;
  const Snapshot& run;
  HeadId head;
  const HeadMaps& maps;
  const TokenNames &queries, &keys;
  Span plain(std::string text) const { return {std::move(text), colours.text}; }
  Span query(Index token) const { return {"“" + queries[token] + "”", colours.query}; }
  Span key(Index token) const { return {"“" + keys[token] + "”", colours.key}; }
};

/// “it” at 8 gives 80 % of its attention to “animal” at 1, then 12 % to “street”.
Spans row_told(const Told& told, Index query) {
  Spans spans{told.query(query)};
  if (told.maps.is_row_masked[static_cast<std::size_t>(query)]) {
    spans.push_back(told.plain(fmt::format(" (position {}) may attend to nothing here: every key is masked.", query)));
    return spans;
  }
  const std::string problem = told.run.is_dump() ? row_problem(told.maps, query) : std::string();
  if (!problem.empty()) {
    spans.push_back(told.plain(fmt::format(" (position {}) has a row that {}: its numbers are not attention weights.", query, problem)));
    return spans;
  }
  const std::vector<Index> keys = largest_keys(told.maps, query, 3);
  if (keys.empty()) {
    spans.push_back(told.plain(fmt::format(" (position {}) gives attention to no token.", query)));
    return spans;
  }
  spans.push_back(told.plain(fmt::format(" (position {}) gives ", query)));
  for (const Index key : keys) {
    const std::string share = percent_text(static_cast<double>(told.maps.weights(query, key)));
    spans.push_back(told.plain(fmt::format("{} to ", share)));
    spans.push_back(told.key(key));
    spans.push_back(told.plain(fmt::format(" ({}){}", key, key == keys.back() ? "." : ", ")));
  }
  return spans;
}

/// Number 5 of the z of “it” (8) is −0.482: “animal” (1) adds 0.8 × −0.53, …
Spans number_told(const Told& told, VectorNumber at) {
  constexpr std::size_t kMost = 3;
  const auto number = [](float value) { return score_text(value); };
  const float z = row_of_z(told.maps, at.query)(at.number);
  const std::vector<MixedPart> parts = parts_of_z(told.maps, at.query, at.number);
  Spans spans{told.plain(fmt::format("Number {} of the z of ", at.number)), told.query(at.query),
              told.plain(fmt::format(" ({}) is {}", at.query, number(z)))};
  for (std::size_t i = 0; i < std::min(kMost, parts.size()); ++i) {
    spans.push_back(told.plain(i == 0 ? ": " : ", "));
    spans.push_back(told.key(parts[i].key));
    spans.push_back(told.plain(
        fmt::format(" ({}) adds {} × {}", parts[i].key, weight_text(static_cast<double>(parts[i].weight)), number(parts[i].value))));
  }
  spans.push_back(told.plain(parts.size() > kMost ? fmt::format(", and {} more keys the rest.", parts.size() - kMost) : "."));
  return spans;
}

/// As a key, “animal” (1) receives 1.32 in all from the 9 queries that may look at it …
Spans column_told(const Told& told, Index key) {
  const Received received = received_by(told.maps, key);
  const std::string from = received.queries == 1
                               ? "the one query that may look at it, which has 1 to give"
                               : fmt::format("the {} queries that may look at it, each of which has 1 to give", received.queries);
  Spans spans{told.plain("As a key, "), told.key(key),
              told.plain(fmt::format(" ({}) receives {} in all from {}.", key, weight_text(received.sum), from))};
  Index most = 0;
  for (Index query = 1; query < told.maps.weights.rows(); ++query) {
    if (told.maps.weights(query, key) > told.maps.weights(most, key)) most = query;
  }
  if (!(told.maps.weights(most, key) > 0)) return spans;
  spans.push_back(told.plain(" Most comes from "));
  spans.push_back(told.query(most));
  spans.push_back(told.plain(fmt::format(" ({}): {}.", most, percent_text(static_cast<double>(told.maps.weights(most, key))))));
  return spans;
}

/// What the rows of a head have in common, by its measures; those that are undefined are left out.
Spans head_told(const Palette& colours, const Snapshot& run, HeadId head) {
  const HeadSummary& summary = run.summary(head);
  const auto value = [&](std::string_view id) { return summary.value(id); };
  Spans spans{{head_title(run, head), colours.text, Type::strong}};
  if (std::isnan(value("effective-tokens"))) {
    spans.push_back({": its rows are not attention weights, so no measure has a value.", colours.text});
    return spans;
  }
  spans.push_back({fmt::format(": a query spreads its attention over {:.1f} tokens on average, and its strongest key gets {}.",
                               value("effective-tokens"), percent_text(value("confidence"))),
                   colours.text});
  const auto add = [&](std::string_view id, const char* text) {
    if (!std::isnan(value(id))) spans.push_back({fmt::format(fmt::runtime(text), percent_text(value(id))), colours.text});
  };
  add("previous-token", " {} goes to the token just before,");
  add("first-token", " {} to the first token of the text;");
  if (!std::isnan(value("mean-distance"))) {
    spans.push_back({fmt::format(" the keys are {:.1f} tokens away on average.", value("mean-distance")), colours.text});
  }
  return spans;
}

/// “it” 8 → “animal” 1: A is 0.12, B is 0.3, A − B is −0.18.
Spans numbers_told(const Palette& colours, const PicturedNumbers& numbers, Cell cell) {
  std::string text = pictured_place_text(numbers, cell.query, cell.key) + ": ";
  const MapPicture& shown = *numbers.columns.back().picture;
  if (shown.mask() && !shown.mask()->allows(cell.query, cell.key)) return {{text + "the mask leaves this cell out.", colours.text}};
  for (std::size_t i = 0; i < numbers.columns.size(); ++i) {
    const auto row = static_cast<float>(cell.query), column = static_cast<float>(cell.key);
    const std::string name = numbers.columns.size() > 1 ? numbers.columns[i].name + " is " : std::string();
    text += (i == 0 ? "" : ", ") + name + score_text(numbers.columns[i].picture->value(row, row + 1, column, column + 1));
  }
  return {{text + ".", colours.text}};
}

}  // namespace

std::vector<std::vector<Span>> explained(const Panel& panel, const MenuTarget& target) {
  const Palette& colours = panel.look.colours;
  if (target.pictured) return {numbers_told(colours, *target.pictured, {*target.query, *target.key})};
  const Snapshot& run = run_of(target.head, *panel.snapshot);
  const HeadId head = target.head.head;
  if (!run.contains(head)) return {{{"This head is not part of the picture any more.", colours.text}}};
  if (target.kind == MenuKind::head) return {head_told(colours, run, head)};
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, target.head);
  if (!maps) return {{{"Making the maps …", colours.text_second}}};
  Pictures& pictures = panel.caches.pictures;
  const Told told{
      colours, run, head, *maps, pictures.names(run, run.query_tokens(head.layer)), pictures.names(run, run.key_tokens(head.layer))};
  const auto is_inside = [](std::optional<Index> token, Index count) { return !token || *token < count; };
  if (!is_inside(target.query, maps->weights.rows()) || !is_inside(target.key, maps->weights.cols())) {
    return {{{"The text is another one by now.", colours.text}}};
  }
  if (target.kind == MenuKind::cell) {
    const bool is_assumed = run.trace.layer(head.layer).given_mask.origin == GivenMask::Origin::assumed;
    Spans cell = words_of_cell(colours, *maps, {*target.query, *target.key}, told.queries, told.keys, is_assumed);
    for (Span& span : cell) {
      if (span.colour == colours.text_second) span.colour = colours.text;
    }
    return {cell, column_told(told, *target.key)};
  }
  std::vector<Spans> paragraphs;
  if (target.kind == MenuKind::number && target.number < maps->v.cols())
    paragraphs.push_back(number_told(told, {*target.query, target.number}));
  if (target.query) paragraphs.push_back(row_told(told, *target.query));
  if (target.key) paragraphs.push_back(column_told(told, *target.key));
  return paragraphs;
}

}  // namespace headlight

#include "engine/explain/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/core/numbers.h"
#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

using Kind = Wording::Kind;

/// A token's name: with its position where the name alone does not tell which token is meant.
std::string quoted(const std::vector<std::string>& names, Index token) {
  const std::string& name = names[static_cast<std::size_t>(token)];
  const bool is_counted = shows_positions(std::ssize(names)) || std::count(names.begin(), names.end(), name) > 1;
  return "“" + name + "”" + (is_counted ? fmt::format("\u00A0({})", token) : "");
}

/// Puts an explanation together.
struct Telling {
  const ExplainedHead& head;
  Explanation said = {};

  void plain(std::string_view text) { said.push_back({Kind::plain, std::string(text)}); }
  void query(Index token) { said.push_back({Kind::query, quoted(*head.queries, token)}); }
  void key(Index token) { said.push_back({Kind::key, quoted(*head.keys, token)}); }
};

bool is_allowed(const HeadMaps& maps, Index query, Index key) {
  return maps.mask == nullptr || maps.mask->allows(query, key);
}

std::string share(const HeadMaps& maps, Index query, Index key) {
  return percent_text(static_cast<double>(maps.weights(query, key)));
}

Index allowed_keys(const HeadMaps& maps, Index query) {
  return maps.mask == nullptr ? maps.weights.cols() : maps.mask->allowed_in_row(query);
}

/// The weights are the softmax of the scores: nothing else was put in their place.
bool has_scores(const ExplainedHead& head) {
  return head.rule != nullptr && head.rule->placed_weights == nullptr && head.maps.scores.size() > 0;
}

/// The share that a key would get if the query might look at every key.
std::string unmasked_share(const ExplainedHead& head, Cell cell) {
  Matrix row(1, head.maps.weights.cols());
  for (Index key = 0; key < row.cols(); ++key) row(0, key) = head.maps.final_score(cell.query, key);
  weigh_scores(row, *head.rule);
  return percent_text(static_cast<double>(row(0, cell.key)));
}

bool hides_keys(const ExplainedHead& head, Index query) {
  return allowed_keys(head.maps, query) < head.maps.weights.cols();
}

/// All keys that the query may look at get the same, to within a hundredth.
bool is_even(const ExplainedHead& head, Index query) {
  constexpr float kAlike = 0.01F;
  float least = 2, most = 0;
  for (Index key = 0; key < head.maps.weights.cols(); ++key) {
    if (!is_allowed(head.maps, query, key)) continue;
    least = std::min(least, head.maps.weights(query, key));
    most = std::max(most, head.maps.weights(query, key));
  }
  return most > 0 && most - least <= kAlike * most;
}

/// A row that is fully masked, or whose numbers are not attention weights: says so. Returns whether it is one.
bool tell_odd_row(Telling& telling, Index query) {
  const HeadMaps& maps = telling.head.maps;
  if (maps.is_row_masked[static_cast<std::size_t>(query)]) {
    telling.query(query);
    telling.plain(" may look at no token at all: the mask forbids every key, so all weights of its row are 0");
    return true;
  }
  const bool is_given = telling.head.rule == nullptr;
  const std::string problem = is_given ? row_problem(maps, query) : maps.weights.row(query).array().isNaN().any() ? "holds NaN" : "";
  if (problem.empty()) return false;
  telling.plain("The row of ");
  telling.query(query);
  telling.plain(fmt::format(" {}: its numbers are not attention weights", problem));
  return true;
}

/// A row with one allowed key, or whose keys all get the same. Returns whether it is one.
bool tell_even_row(Telling& telling, Index query) {
  const ExplainedHead& head = telling.head;
  const Index allowed = allowed_keys(head.maps, query);
  if (allowed == 0 || !is_even(head, query)) return false;
  const Index key = largest_keys(head.maps, query, 1).front();
  const std::string each = share(head.maps, query, key);
  telling.query(query);
  if (allowed == 1) {
    telling.plain(" may look at only one token, ");
    telling.key(key);
    telling.plain(fmt::format(", which gets {} of {}’s attention", each, head.name));
  } else {
    telling.plain(
        fmt::format(" looks equally at all {} tokens that it may look at: each gets {} of {}’s attention", allowed, each, head.name));
  }
  return true;
}

void tell_masked_cell(Telling& telling, Cell cell) {
  const ExplainedHead& head = telling.head;
  telling.query(cell.query);
  telling.plain(head.is_mask_assumed ? " gives no attention to " : " may not look at ");
  telling.key(cell.key);
  if (head.is_mask_assumed) return telling.plain(": a causal mask is assumed");
  const std::string name = head.mask.empty()       ? "the mask"
                           : head.mask == "causal" ? "the causal mask"
                                                   : fmt::format("the mask ({})", head.mask);
  telling.plain(fmt::format(": {} forbids it", name));
  if (head.maps.weights(cell.query, cell.key) != 0) {
    return telling.plain(fmt::format(", yet the file gives it {}", share(head.maps, cell.query, cell.key)));
  }
  telling.plain(has_scores(head) ? " and puts −∞ in place of its score, so its weight is 0" : ", so its weight is 0");
}

void tell_cell(Telling& telling, Cell cell) {
  const ExplainedHead& head = telling.head;
  telling.query(cell.query);
  telling.plain(fmt::format(" gives {} of {}’s attention to ", share(head.maps, cell.query, cell.key), head.name));
  telling.key(cell.key);
}

/// The largest key of the row; where the cell is the largest, the next.
void tell_rest(Telling& telling, Cell cell) {
  const HeadMaps& maps = telling.head.maps;
  const std::vector<Index> largest = largest_keys(maps, cell.query, 2);
  if (largest.empty()) return;
  if (largest.front() != cell.key) {
    telling.plain("; ");
    telling.key(largest.front());
    telling.plain(fmt::format(" gets the most, {}", share(maps, cell.query, largest.front())));
  } else if (largest.size() > 1) {
    telling.plain(fmt::format(", then {} to ", share(maps, cell.query, largest[1])));
    telling.key(largest[1]);
  }
}

/// What the sink of the head takes, and that the first token may be one.
void tell_sinks(Telling& telling, Cell cell) {
  constexpr float kMuch = 0.3F;  // Gu et al. 2024, arXiv 2410.10781: from there on they count a head's first token as a sink
  const HeadMaps& maps = telling.head.maps;
  if (const HeadRule* rule = telling.head.rule; rule != nullptr && rule->sink && rule->placed_weights == nullptr) {
    const double left = maps.weights.row(cell.query).cast<double>().sum();
    telling.plain(fmt::format(" The head’s sink takes {} of the row, and no token gets that.", percent_text(1 - left)));
  }
  const std::vector<Index> largest = largest_keys(maps, cell.query, 1);
  const bool is_sink = telling.head.is_one_text && cell.key == 0 && cell.query > 0 && !largest.empty() && largest.front() == 0 &&
                       maps.weights(cell.query, 0) >= kMuch && allowed_keys(maps, cell.query) > 1 && !is_even(telling.head, cell.query);
  if (!is_sink) return;
  telling.plain(" ");
  telling.key(0);
  telling.plain(" is the first token: what it gets is often attention that has no better place to go (a sink).");
}

}  // namespace

std::string text_of(const Explanation& explanation) {
  std::string text;
  for (const Wording& each : explanation) text += each.text;
  return text;
}

ExplainedHead explained_head(const Snapshot& run, HeadId head, const HeadMaps& maps, AxisLabels queries, AxisLabels keys) {
  const LayerTrace& layer = run.trace.layer(head.layer);
  return {.maps = maps,
          .queries = std::move(queries),
          .keys = std::move(keys),
          .name = "head " + flow_name(run, head),
          .rule = run.is_dump() ? nullptr : &layer.rule(head.head),
          .mask = run.query.mask.rules.empty() && !run.is_dump() ? run.own_mask(head.layer) : "",
          .is_mask_assumed = layer.given_mask.origin == GivenMask::Origin::assumed,
          .is_one_text = &run.query_tokens(head.layer) == &run.key_tokens(head.layer)};
}

Explanation explain_cell(const ExplainedHead& head, Cell cell) {
  Telling telling{head};
  const bool is_forbidden = !is_allowed(head.maps, cell.query, cell.key);
  const bool is_odd = tell_odd_row(telling, cell.query), is_empty = head.maps.is_row_masked[static_cast<std::size_t>(cell.query)];
  if (!is_odd && is_forbidden) {
    tell_masked_cell(telling, cell);
  } else if (!is_odd && !tell_even_row(telling, cell.query)) {
    tell_cell(telling, cell);
    tell_rest(telling, cell);
  }
  if (has_scores(head) && hides_keys(head, cell.query) && (!is_odd || is_empty)) {
    const std::string would = unmasked_share(head, cell);
    telling.plain("; without the mask ");
    telling.key(cell.key);
    telling.plain(fmt::format(" would get {}", would));
  }
  telling.plain(".");
  if (!is_odd && !is_forbidden) tell_sinks(telling, cell);
  return std::move(telling.said);
}

Explanation explain_row(const ExplainedHead& head, Index query) {
  Telling telling{head};
  if (!tell_odd_row(telling, query) && !tell_even_row(telling, query)) {
    const std::vector<Index> keys = largest_keys(head.maps, query, 3);
    telling.query(query);
    telling.plain(keys.empty() ? " gives attention to no token" : " gives ");
    for (const Index key : keys) {
      const bool is_first = key == keys.front();
      telling.plain(fmt::format("{}{} {}to ",
                                is_first             ? ""
                                : key == keys.back() ? " and "
                                                     : ", ",
                                share(head.maps, query, key), is_first ? "of " + head.name + "’s attention " : ""));
      telling.key(key);
    }
  }
  telling.plain(".");
  return std::move(telling.said);
}

Explanation explain_key(const ExplainedHead& head, Index key) {
  Telling telling{head};
  const Received received = received_by(head.maps, key);
  telling.plain("As a key, ");
  telling.key(key);
  if (received.queries == 0) {
    telling.plain(" receives nothing: no query may look at it.");
    return std::move(telling.said);
  }
  const std::string from = received.queries == 1
                               ? "the one query that may look at it, which has 1 to give"
                               : fmt::format("the {} queries that may look at it, each of which has 1 to give", received.queries);
  telling.plain(fmt::format(" receives {} in all from {}.", weight_text(received.sum), from));
  Index most = 0;
  for (Index query = 1; query < head.maps.weights.rows(); ++query) {
    if (head.maps.weights(query, key) > head.maps.weights(most, key)) most = query;
  }
  if (!(head.maps.weights(most, key) > 0)) return std::move(telling.said);
  telling.plain(" Most comes from ");
  telling.query(most);
  telling.plain(fmt::format(": {}.", weight_text(head.maps.weights(most, key))));
  return std::move(telling.said);
}

Explanation explain_change(const ExplainedHead& now, const HeadMaps& before, Cell cell, const std::string& since) {
  Telling telling{now};
  const std::optional<Cell> most = most_changed_in_row(before.weights, now.maps.weights, cell.query);
  if (!most) {
    telling.plain(fmt::format("{} the row was the same.", since));
    return std::move(telling.said);
  }
  telling.plain(fmt::format("{} ", since));
  telling.key(cell.key);
  telling.plain(fmt::format(" got {}, now {}", share(before, cell.query, cell.key), share(now.maps, cell.query, cell.key)));
  if (most->key != cell.key) {
    telling.plain("; ");
    telling.key(most->key);
    telling.plain(
        fmt::format(" changed most, from {} to {}", share(before, cell.query, most->key), share(now.maps, cell.query, most->key)));
  }
  telling.plain(".");
  return std::move(telling.said);
}

Explanation explain_changes(const ExplainedHead& now, const HeadMaps& before, const std::string& since) {
  Telling telling{now};
  const std::optional<Cell> most = most_changed(before.weights, now.maps.weights);
  if (!most) {
    telling.plain(fmt::format("{} this map was the same.", since));
    return std::move(telling.said);
  }
  telling.plain(fmt::format("{} this map was different. It changed most where ", since));
  telling.query(most->query);
  telling.plain(" looks at ");
  telling.key(most->key);
  telling.plain(fmt::format(": from {} to {}.", share(before, most->query, most->key), share(now.maps, most->query, most->key)));
  return std::move(telling.said);
}

namespace {

/// What differs between the small pictures of two runs' maps.
struct Differences {
  int heads = 0, changed = 0;
  bool is_exact = true;  ///< every cell is a weight, not the largest of several
  HeadId head;           ///< whose map changed most, and where
  Cell cell;
  float before = 0, now = 0;
};

void add_differences(HeadId head, const HeadSummary& before, const HeadSummary& now, Differences& found) {
  ++found.heads;
  found.is_exact = found.is_exact && now.pool == 1;
  const SharedRows::SharedMatrix was = before.pooled.whole(), is = now.pooled.whole();
  if (was == is || *was == *is) return;
  ++found.changed;
  const std::optional<Cell> most = found.is_exact ? most_changed(*was, *is) : std::nullopt;
  if (!most) return;
  const float from = (*was)(most->query, most->key), to = (*is)(most->query, most->key);
  if (std::abs(to - from) > std::abs(found.now - found.before)) found.head = head, found.cell = *most, found.before = from, found.now = to;
}

bool have_same_maps(const Snapshot& now, const Snapshot& before, int layer) {
  return layer < before.layers() && now.heads(layer) == before.heads(layer) &&
         now.query_tokens(layer).tokens == before.query_tokens(layer).tokens &&
         now.key_tokens(layer).tokens == before.key_tokens(layer).tokens;
}

}  // namespace

Explanation explain_edits(const Snapshot& now, const Snapshot& before) {
  for (int layer = 0; layer < now.layers(); ++layer) {
    if (!have_same_maps(now, before, layer)) return {};
  }
  Differences found;
  for (const HeadId head : now.all_heads()) add_differences(head, before.summary(head), now.summary(head), found);
  if (found.changed == 0) return {{Kind::plain, "Before the edits all maps were the same."}};
  const std::string count = fmt::format("{} of {} maps", found.changed, found.heads);
  if (!found.is_exact) return {{Kind::plain, fmt::format("The edits changed at least {}.", count)}};
  const int layer = found.head.layer;
  const AxisLabels queries = axis_labels(now, now.query_tokens(layer)), keys = axis_labels(now, now.key_tokens(layer));
  const auto percent = [](float weight) { return percent_text(static_cast<double>(weight)); };
  return {{Kind::plain, fmt::format("The edits changed {}, most that of head {}, where ", count, flow_name(now, found.head))},
          {Kind::query, quoted(*queries, found.cell.query)},
          {Kind::plain, " looks at "},
          {Kind::key, quoted(*keys, found.cell.key)},
          {Kind::plain, fmt::format(": from {} to {}.", percent(found.before), percent(found.now))}};
}

}  // namespace headlight

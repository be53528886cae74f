#include "app/document/labs/lab_words.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr std::size_t kMostSumRows = 24;
constexpr int kFewDigits = 2;           ///< where room is short; a leading zero is left out as well
constexpr std::size_t kListedKeys = 4;  ///< a row of more keys is summarised

std::string fill_number(double weight, int digits) {
  if (std::isnan(weight)) return "NaN";
  std::string text = fmt::format("{:.{}f}", weight, digits);
  if (digits == kFewDigits && text.starts_with("0.")) text.erase(0, 1);
  return text;
}

/// All weights if they are few, else the totals of the masked and of the allowed keys.
std::string fill_cell(const FillsFound& found, const std::vector<double>& weights, int digits) {
  std::string text;
  if (weights.size() <= kListedKeys) {
    for (const double weight : weights) text.append(text.empty() ? "" : " ").append(fill_number(weight, digits));
    return text;
  }
  double masked = 0;
  double allowed = 0;
  for (std::size_t key = 0; key < weights.size(); ++key) (found.is_allowed[key] ? allowed : masked) += weights[key];
  return fmt::format("{} | {}", fill_number(masked, 3), fill_number(allowed, 3));
}

/// Every weight of a row in float32, shown under the pointer.
std::string fill_help(const FillsFound& found, const FillsFound::Row& row) {
  constexpr std::size_t kMost = 24;
  std::string text = fmt::format("{} ({}), in float32: ", row.convention.name, row.convention.seen_in);
  for (std::size_t key = 0; key < std::min(kMost, found.keys.size()); ++key) {
    text += fmt::format("{}{} {}{}", key == 0 ? "" : ", ", found.keys[key], fill_number(row.weights[1][key], 3),
                        found.is_allowed[key] ? "" : " (masked)");
  }
  return found.keys.size() > kMost ? text + " …" : text;
}

std::string spread_number(double value) {
  if (std::isnan(value)) return "–";
  return fmt::format("{:.{}f}", value, value >= 100 ? 1 : 3);
}

SheetTable::Row scale_row(std::string name, const ScalingFound::Row& row, bool is_own) {
  return {{std::move(name), spread_number(row.sample.unscaled.variance), spread_number(row.sample.scaled.variance),
           spread_number(row.sample.unscaled.jacobian_norm), spread_number(row.sample.scaled.jacobian_norm)},
          {},
          is_own};
}

/// "0.82 … 1.24"
std::string range_of_sums(const std::vector<double>& sums) {
  if (sums.empty()) return "–";
  const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
  return fmt::format("{:.2f} … {:.2f}", *least, *most);
}

std::string mean_of_sums(const std::vector<double>& sums) {
  if (sums.empty()) return "–";
  return fmt::format("{:.3f}", std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(sums.size()));
}

std::string flops_text(double operations) {
  if (operations >= 1e9) return fmt::format("{:.2f} G", operations / 1e9);
  return operations >= 1e6 ? fmt::format("{:.2f} M", operations / 1e6) : fmt::format("{:.1f} k", operations / 1e3);
}

std::string cache_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes / 1e9);
  return bytes >= 1e6 ? fmt::format("{:.2f} MB", bytes / 1e6) : fmt::format("{:.1f} kB", bytes / 1e3);
}

/// With fewer digits where there is less room.
std::string row_text(const std::vector<double>& row, bool has_room) {
  std::string text;
  for (const double weight : row) {
    if (!text.empty()) text += has_room ? "  " : " ";
    text += fmt::format("{:.{}f}", weight, has_room ? 3 : 2);
  }
  return text;
}

}  // namespace

Asymmetry widest_asymmetry(const AttemptsFound::Column& column) {
  Asymmetry widest;
  for (const AttemptsFound::Head& head : column.heads) {
    widest.scores = std::max(widest.scores, head.asymmetry.scores);
    widest.relative_scores = std::max(widest.relative_scores, head.asymmetry.relative_scores);
    widest.weights = std::max(widest.weights, head.asymmetry.weights);
  }
  return widest;
}

std::string asymmetry_text(float value) {
  return value == 0 ? "0" : weight_text(static_cast<double>(value));
}

std::string output_width_text(const AttemptsFound::Column& column) {
  if (column.heads.size() == 1) return std::to_string(column.output_width);
  return fmt::format("{} × {} = {}", column.heads.size(), column.output_width, column.concatenated_width);
}

float largest_of(const AttemptsFound& found, std::shared_ptr<const MapPicture> AttemptsFound::Head::*kind) {
  float largest = 0;
  const auto tokens = static_cast<float>(found.tokens);
  for (const AttemptsFound::Column& column : found.columns) {
    for (const AttemptsFound::Head& head : column.heads) {
      const float value = std::abs((head.*kind)->value(0, tokens, 0, tokens));
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
  }
  return largest;
}

std::string attempts_note(const AttemptsFound& found, int heads) {
  std::string note;
  if (found.added_tokens > 0) note += fmt::format("Without the {} that the tokenizer adds. ", found.added_tokens == 1 ? "token" : "tokens");
  if (found.tokens < found.all_tokens) note += fmt::format("The first {} of {} tokens. ", found.tokens, found.all_tokens);
  if (found.tokens == 1) note += "A single token has no other to attend to: its row is all zeros (∅) unless a token may look at itself. ";
  if (heads > 1) note += "Vanilla has no matrices, so its heads are all alike.";
  return note;
}

SheetTable fills_table(const FillsFound& found, bool has_room) {
  SheetTable table{{"convention · seen in", "float16", "float32", "float64"}, {}, 150};
  for (const FillsFound::Row& each : found.rows) {
    SheetTable::Row line{{std::string(each.convention.name)},
                         std::string(each.convention.seen_in),
                         each.convention.step == FillStep::exclude,
                         fill_help(found, each)};
    for (const std::vector<double>& weights : each.weights) line.cells.push_back(fill_cell(found, weights, has_room ? 3 : kFewDigits));
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::vector<std::string> fills_notes(const FillsFound& found, const LabRequest& shown, bool has_hints) {
  std::vector<std::string> notes;
  const auto masked = static_cast<std::size_t>(std::count(found.is_allowed.begin(), found.is_allowed.end(), false));
  const std::size_t keys = found.keys.size();
  if (found.query.empty()) {
    notes.emplace_back("Scores 1, 2, 3, no key allowed: the weights of the three keys.");
  } else {
    const bool has_position = shows_positions(shown.snapshot->queries(shown.head.layer));
    const std::string position = has_position ? fmt::format(" {}", found.position) : std::string();
    notes.push_back(fmt::format("Head {}, query “{}”{}: {} keys, {} masked{}", short_name(*shown.snapshot, shown.head), found.query,
                                position, keys, masked,
                                keys <= kListedKeys ? "."
                                : has_hints         ? ". Each cell: what masked | allowed keys get together; point at a row for each key."
                                                    : ". Each cell: what masked | allowed keys get together."));
  }
  if (found.sink) {
    notes.push_back(
        fmt::format("This head has a sink of score {:g}: it competes with the keys in every row below and takes its share.", *found.sink));
  }
  if (masked == 0) {
    notes.emplace_back("No key of this row is masked, so all conventions agree.");
    if (has_hints) notes.back() += " Pin another query in the strip below, or mask some keys.";
  } else if (found.all_agree) {
    notes.emplace_back(
        "All conventions agree on this row: while one key is allowed, a masked key gets 0 from each. They differ only where no key is "
        "left, as in “1, 2, 3 all masked”.");
  }
  return notes;
}

SheetTable scaling_table(const ScalingFound& found, const LabRequest& shown) {
  SheetTable table{{"width d of q and k", "variance of q·k", "of q·k / √d", "slope of softmax", "with √d"}, {}, 150};
  for (const ScalingFound::Row& row : found.rows) table.rows.push_back(scale_row(fmt::format("random, d = {}", row.d_head), row, false));
  table.rows.push_back(
      scale_row(fmt::format("head {}, d = {}", short_name(*shown.snapshot, shown.head), found.own.d_head), found.own, true));
  return table;
}

std::string scaling_note(const ScalingFound& found) {
  return fmt::format(
      "Random rows: the mean of {} samples of {} queries and keys. The head’s own row: q·k of the pairs that its mask allows{}.",
      kScaleDraws, kScaleTokens, found.left_out.empty() ? "" : fmt::format(", without its {}", fmt::join(found.left_out, ", ")));
}

std::string dropout_note(const DropoutFound& found, const LabRequest& shown) {
  const double share = found.weights > 0 ? static_cast<double>(found.dropped) / static_cast<double>(found.weights) : 0;
  return fmt::format("This sample drops {} of {} weights: {:.3f}, with p = {:.2f}.", grouped(found.dropped), grouped(found.weights), share,
                     shown.settings.dropout);
}

SheetTable row_sums_table(const DropoutFound& found) {
  SheetTable table{{"sum of each row", "before", "after", fmt::format("mean of {}", kDropoutSamples)}, {}, 120};
  const auto add = [&](const char* name, std::string (*text_of)(const std::vector<double>&)) {
    table.rows.push_back({{name, text_of(found.sums_before), text_of(found.sums_after), text_of(found.sums_mean)}, {}, true});
  };
  add("all rows", range_of_sums);
  add("their mean", mean_of_sums);
  const std::size_t shown = std::min(kMostSumRows, found.sums_before.size());
  for (std::size_t row = 0; row < shown; ++row) {
    table.rows.push_back({{fmt::format("{}  {}", row, found.queries[row]), fmt::format("{:.3f}", found.sums_before[row]),
                           fmt::format("{:.3f}", found.sums_after[row]), fmt::format("{:.3f}", found.sums_mean[row])}});
  }
  return table;
}

std::string row_sums_note(const DropoutFound& found) {
  const std::size_t rows = found.sums_before.size();
  return rows > kMostSumRows ? fmt::format("The first {} of {} rows.", kMostSumRows, rows) : std::string();
}

SheetTable cost_table(const CostFound& found, bool is_fixed) {
  SheetTable table{{"heads", "width of a head", "parameters", "operations", "cache"}, {}, 80};
  for (const CostFound::Row& row : found.rows) {
    const std::optional<CostFound::Cost>& cost = is_fixed ? row.fixed : row.shared;
    const bool is_own = row.heads == found.own.heads && (is_fixed || found.own.shares_width());
    SheetTable::Row line{{std::to_string(row.heads), "–", "–", "–", "–"}, {}, is_own};
    if (cost) {
      line.cells = {std::to_string(row.heads), std::to_string(cost->sizes.d_head), grouped(cost->parameters), flops_text(cost->flops),
                    cache_text(cost->cache_bytes)};
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

std::vector<std::string> cost_notes(const CostFound& found, const LabRequest& shown) {
  const CostFound::Own& own = found.own;
  return {fmt::format("{}: d_model {}, {} {} wide, {} · {} parameters{}", shown.snapshot->layer_name(shown.head.layer), own.d_model,
                      counted(own.heads, "head"), own.d_head, counted(own.kv_heads, "key/value head"), grouped(own.parameters),
                      own.bias_parameters > 0 ? fmt::format(", {} of them biases", grouped(own.bias_parameters)) : ", no biases"),
          fmt::format("Operations and cache (float32) for {} queries and {} keys.", found.queries, found.keys)};
}

SheetTable toy_table(const ToyFound& found, bool has_room) {
  SheetTable table{{"head", "item 0, query 0", "item 1, query 0"}, {}, 50};
  for (std::size_t head = 0; head < kToyHeads; ++head) {
    table.rows.push_back(
        {{std::to_string(head), row_text(found.first_rows[0][head], has_room), row_text(found.first_rows[1][head], has_room)}});
  }
  return table;
}

std::string toy_item_text(const LabRequest& shown, std::size_t item) {
  return fmt::format("item {} · {} of {} keys valid", item, shown.settings.toy_lengths[item], kToyKeys);
}

std::string toy_note(const ToyFound& found) {
  return fmt::format("Output [{}, {}, {}] · {} parameters · largest difference between two output rows {:.2g}", found.output_shape[0],
                     found.output_shape[1], found.output_shape[2], grouped(found.parameters), found.widest_output_gap);
}

std::string strips_note(const ConcatenationFound& found, const LabRequest& shown) {
  std::string text = fmt::format("{} · ", shown.snapshot->layer_name(shown.head.layer));
  switch (shown.settings.step) {
    case LayerStep::inputs:
      text += found.is_one_tensor ? "One tensor, read three times: for queries, for keys and for values."
                                  : "Queries are read from the decoder, keys and values from the encoder's output.";
      break;
    case LayerStep::projections:
      text += fmt::format("Head h owns {} columns of Q", found.head_width);
      text += found.kv_heads < found.heads ? fmt::format("; {} heads share each key/value head.", found.heads / found.kv_heads)
                                           : ", of K and of V, and nothing else.";
      break;
    case LayerStep::joined:
      text += fmt::format("{} heads × {} = {} columns", found.heads, found.head_width, found.joined_width);
      text += shown.snapshot->query.block.has_output_projection
                  ? fmt::format("; W_O mixes all of them into each of {} numbers.", found.output_width)
                  : ", joined and not mixed: the output projection is off.";
      break;
  }
  if (found.tokens > kStripTokens) text += fmt::format(" The first {} of {} tokens.", kStripTokens, found.tokens);
  return text;
}

int framed_block(const ConcatenationFound& found, const ConcatenationFound::Strip& strip, HeadId head) {
  return strip.blocks == 1 ? -1 : head.head * strip.blocks / found.heads;
}

}  // namespace headlight

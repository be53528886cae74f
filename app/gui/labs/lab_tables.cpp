// The labs that are shown as tables: mask conventions, the scale, and what heads cost.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/labs/lab_page.h"

namespace headlight {
namespace {

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

/// Every weight of a row in float32, for the tooltip.
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

LabTable::Row scale_row(std::string name, const ScalingFound::Row& row, bool is_own) {
  return {{std::move(name), spread_number(row.sample.unscaled.variance), spread_number(row.sample.scaled.variance),
           spread_number(row.sample.unscaled.jacobian_norm), spread_number(row.sample.scaled.jacobian_norm)},
          {},
          is_own};
}

std::string flops_text(double operations) {
  if (operations >= 1e9) return fmt::format("{:.2f} G", operations / 1e9);
  return operations >= 1e6 ? fmt::format("{:.2f} M", operations / 1e6) : fmt::format("{:.1f} k", operations / 1e3);
}

std::string cache_text(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes / 1e9);
  return bytes >= 1e6 ? fmt::format("{:.2f} MB", bytes / 1e6) : fmt::format("{:.1f} kB", bytes / 1e3);
}

LabTable cost_table(const CostFound& found, bool is_fixed) {
  LabTable table{{"heads", "width of a head", "parameters", "operations", "cache"}, {}, 80};
  for (const CostFound::Row& row : found.rows) {
    const std::optional<CostFound::Cost>& cost = is_fixed ? row.fixed : row.shared;
    const bool is_own = row.heads == found.own.heads && (is_fixed || found.own.shares_width());
    LabTable::Row line{{std::to_string(row.heads), "–", "–", "–", "–"}, {}, is_own};
    if (cost) {
      line.cells = {std::to_string(row.heads), std::to_string(cost->sizes.d_head), grouped(cost->parameters), flops_text(cost->flops),
                    cache_text(cost->cache_bytes)};
    }
    table.rows.push_back(std::move(line));
  }
  return table;
}

/// They show the layer's own values until another is chosen, and again when its own value is chosen.
void draw_cost_controls(LabPage& page, const CostFound& found) {
  const Look& look = page.look;
  LabSettings& settings = page.panel.view.labs;
  const bool own_bias = found.own.bias_parameters > 0;
  bool has_bias = settings.has_bias.value_or(own_bias);
  if (on_off(look, page.control_row("Bias", "Biases of the q, k, v and output layers: those of this layer, or all four where it has none."),
             "Bias", has_bias)) {
    settings.has_bias = has_bias == own_bias ? std::nullopt : std::optional(has_bias);
  }
  const int own_group = found.own.heads_per_kv_head;
  std::vector<int> sizes{1, 2, 4};
  const int wanted = settings.heads_per_kv_head.value_or(own_group);
  for (const int more : {own_group, wanted}) {
    if (more != 0 && std::find(sizes.begin(), sizes.end(), more) == sizes.end()) sizes.push_back(more);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.push_back(0);
  std::vector<std::string> names;
  for (const int size : sizes) names.push_back(size == 0 ? "all" : size == 1 ? "1 head" : std::to_string(size));
  auto chosen = static_cast<int>(std::find(sizes.begin(), sizes.end(), wanted) - sizes.begin());
  if (segmented(
          look,
          page.control_row("A key/value head serves",
                           "Grouped-query attention: several heads read the same keys and values. Fewer key/value heads, smaller cache."),
          "Group", names, chosen)) {
    const int size = sizes[static_cast<std::size_t>(chosen)];
    settings.heads_per_kv_head = size == own_group ? std::nullopt : std::optional(size);
  }
}

}  // namespace

void draw_fills_lab(LabPage& page, const FillsFound* found) {
  const Look& look = page.look;
  LabSettings& settings = page.panel.view.labs;
  page.heading("Mask conventions",
               "How programs leave a key out of a row, and what becomes of the row. Most write a very low number over the score; what that "
               "does depends on the precision. Headlight leaves masked keys out of the sum.");
  const std::array<std::string, 2> rows{"1, 2, 3 all masked", "this head’s row"};
  int row = settings.is_all_masked ? 0 : 1;
  if (segmented(
          look,
          page.control_row(
              "Row",
              "Three scores without an allowed key, or the pinned query’s row of the head being looked at (the middle one without a pin)."),
          "Row", rows, row)) {
    settings.is_all_masked = row == 0;
  }
  if (found == nullptr) return draw_waiting(page);
  const auto masked = static_cast<std::size_t>(std::count(found->is_allowed.begin(), found->is_allowed.end(), false));
  const std::size_t keys = found->keys.size();
  if (found->query.empty()) {
    page.caption("Scores 1, 2, 3, no key allowed: the weights of the three keys.");
  } else {
    const bool has_position = shows_positions(page.shown->snapshot->queries(page.shown->head.layer));
    const std::string position = has_position ? fmt::format(" {}", found->position) : std::string();
    page.caption(fmt::format(
        "Head {}, query “{}”{}: {} keys, {} masked{}", short_name(*page.shown->snapshot, page.shown->head), found->query, position, keys,
        masked, keys > kListedKeys ? ". Each cell: what masked | allowed keys get together; point at a row for each key." : "."));
  }
  if (found->sink) {
    page.caption(
        fmt::format("This head has a sink of score {:g}: it competes with the keys in every row below and takes its share.", *found->sink));
  }
  if (masked == 0) {
    page.caption("No key of this row is masked, so all conventions agree. Pin another query in the strip below, or mask some keys.");
  } else if (found->all_agree) {
    page.caption(
        "All conventions agree on this row: while one key is allowed, a masked key gets 0 from each. They differ only where no key is "
        "left, as in "
        "“1, 2, 3 all masked”.");
  }
  gap(look, kUnit);
  const int digits = page.width() > look.px(640) ? 3 : kFewDigits;
  LabTable table{{"convention · seen in", "float16", "float32", "float64"}, {}, 150};
  for (const FillsFound::Row& each : found->rows) {
    LabTable::Row line{{std::string(each.convention.name)},
                       std::string(each.convention.seen_in),
                       each.convention.step == FillStep::exclude,
                       fill_help(*found, each)};
    for (const std::vector<double>& weights : each.weights) line.cells.push_back(fill_cell(*found, weights, digits));
    table.rows.push_back(std::move(line));
  }
  draw_lab_table(page, "Convention", table);
}

void draw_scaling_lab(LabPage& page, const ScalingFound* found) {
  page.heading(
      "Why scores are divided by √d",
      "If the numbers in q and k are independent with variance 1, q·k has variance d. Large scores push the softmax to one key, where "
      "its slope (the Jacobian’s norm) is nearly 0 and nothing is learned. Dividing by √d keeps the variance at 1 for any width.");
  if (found == nullptr) return draw_waiting(page);
  LabTable table{{"width d of q and k", "variance of q·k", "of q·k / √d", "slope of softmax", "with √d"}, {}, 150};
  for (const ScalingFound::Row& row : found->rows) table.rows.push_back(scale_row(fmt::format("random, d = {}", row.d_head), row, false));
  table.rows.push_back(
      scale_row(fmt::format("head {}, d = {}", short_name(*page.shown->snapshot, page.shown->head), found->own.d_head), found->own, true));
  draw_lab_table(page, "Scale", table);
  page.caption(fmt::format(
      "Random rows: the mean of {} samples of {} queries and keys. The head’s own row: q·k of the pairs that its mask allows{}.",
      kScaleDraws, kScaleTokens, found->left_out.empty() ? "" : fmt::format(", without its {}", fmt::join(found->left_out, ", "))));
}

void draw_cost_lab(LabPage& page, const CostFound* found) {
  const Look& look = page.look;
  page.heading(
      "What heads cost",
      "The attention layer being looked at, by the number of its heads. Heads that share d_model cost the same however many there are; "
      "heads of a fixed width each cost parameters, operations and cache.");
  if (found == nullptr) return draw_waiting(page);
  draw_cost_controls(page, *found);
  const CostFound::Own& own = found->own;
  page.caption(fmt::format("{}: d_model {}, {} heads {} wide, {} key/value heads · {} parameters{}",
                           page.shown->snapshot->layer_name(page.shown->head.layer), own.d_model, own.heads, own.d_head, own.kv_heads,
                           grouped(own.parameters),
                           own.bias_parameters > 0 ? fmt::format(", {} of them biases", grouped(own.bias_parameters)) : ", no biases"));
  page.caption(fmt::format("Operations and cache (float32) for {} queries and {} keys.", found->queries, found->keys));
  gap(look, 12);
  text_line(look, Type::strong, look.colours.text, "Width d_model / heads");
  draw_lab_table(page, "Shared width", cost_table(*found, false));
  gap(look, kUnit);
  text_line(look, Type::strong, look.colours.text, fmt::format("Fixed width, {} as in this layer", own.d_head));
  draw_lab_table(page, "Fixed width", cost_table(*found, true));
}

}  // namespace headlight

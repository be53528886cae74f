// Labs as figures: their maps, their tables, and the numbers of the tables.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "app/document/labs/lab_words.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

AxisLabels shared(const std::vector<std::string>& labels) {
  return std::make_shared<const std::vector<std::string>>(labels);
}

std::string title_of(const char* lab, const LabRequest& request) {
  return fmt::format("{} · {}", lab, name_of_head(*request.snapshot, request.head));
}

void add_note(Sheet& sheet, std::string note) {
  if (!note.empty()) sheet.notes.push_back(std::move(note));
}

/// Numbers that need every digit.
NamedNumbers exact_numbers(std::string name, std::vector<std::string> rows, std::vector<std::string> columns, std::vector<double> values) {
  return {std::move(name), std::move(rows), std::move(columns), {}, std::move(values)};
}

/// The weights of the first query in every head.
SheetTable first_rows_table(const ToyFound& found, std::size_t item) {
  SheetTable table{{fmt::format("item {}, query 0", item)}, {}, 90};
  for (int key = 0; key < kToyKeys; ++key) table.headings.push_back(fmt::format("key {}", key));
  for (std::size_t head = 0; head < kToyHeads; ++head) {
    SheetTable::Row& row = table.rows.emplace_back();
    row.cells.push_back(fmt::format("head {}", head));
    for (const double weight : found.first_rows[item][head]) row.cells.push_back(fmt::format("{:.3f}", weight));
  }
  return table;
}

NamedNumbers cost_numbers(const CostFound& found, bool is_fixed) {
  std::vector<std::string> rows;
  std::vector<double> values;
  for (const CostFound::Row& row : found.rows) {
    const std::optional<CostFound::Cost>& cost = is_fixed ? row.fixed : row.shared;
    if (!cost) continue;
    rows.push_back(fmt::format("{} heads", row.heads));
    values.insert(values.end(), {static_cast<double>(row.heads), static_cast<double>(cost->sizes.d_head),
                                 static_cast<double>(cost->parameters), cost->flops, cost->cache_bytes});
  }
  return exact_numbers(is_fixed ? "fixed width" : "shared width", std::move(rows),
                       {"heads", "width of a head", "parameters", "operations", "cache bytes"}, std::move(values));
}

}  // namespace

Sheet attempts_sheet(const LabRequest& request, const AttemptsFound& found) {
  Sheet sheet{.title = "three attempts at a head"};
  if (found.tokens == 0) {
    sheet.notes.emplace_back("The text has only special tokens; type a word.");
    return sheet;
  }
  SheetMaps maps{.per_line = 4, .side = 180};
  SheetTable table{
      {"attempt", "‖S\u00A0−\u00A0Sᵀ‖ / ‖S‖", "max |S\u00A0−\u00A0Sᵀ|", "max |A\u00A0−\u00A0Aᵀ|", "scale 1/√d", "output width"}, {}, 150};
  const float scores = largest_of(found, &AttemptsFound::Head::scores), weights = largest_of(found, &AttemptsFound::Head::weights);
  const AxisLabels labels = shared(found.labels);
  std::vector<double> numbers;
  std::vector<std::string> names;
  for (const AttemptsFound::Column& column : found.columns) {
    const AttemptForm& form = attempt_form(column.attempt);
    const std::string name(form.name);
    for (std::size_t head = 0; head < column.heads.size(); ++head) {
      const std::string of = column.heads.size() == 1 ? name : fmt::format("{} {}", name, head);
      const bool is_last = &column == &found.columns.back() && head + 1 == column.heads.size();
      maps.maps.push_back({.name = of + " scores",
                           .title = of + ": S / √d",
                           .picture = column.heads[head].scores,
                           .high = scores,
                           .queries = labels,
                           .keys = labels,
                           .has_bar = is_last,
                           .masked = std::numeric_limits<float>::quiet_NaN()});
      maps.maps.push_back({.name = of + " weights",
                           .title = of + ": A",
                           .picture = column.heads[head].weights,
                           .high = weights,
                           .queries = labels,
                           .keys = labels,
                           .has_bar = is_last});
    }
    const Asymmetry asymmetry = widest_asymmetry(column);
    table.rows.push_back({{name, fmt::format("{:.2f}", asymmetry.relative_scores), asymmetry_text(asymmetry.scores),
                           asymmetry_text(asymmetry.weights), fmt::format("1/√{}", column.scale_width), output_width_text(column)},
                          {},
                          false,
                          {},
                          {std::string(form.weights_formula), output_formula(form, request.settings.includes_self)}});
    names.push_back(name);
    numbers.insert(numbers.end(), {static_cast<double>(asymmetry.relative_scores), static_cast<double>(asymmetry.scores),
                                   static_cast<double>(asymmetry.weights), static_cast<double>(column.scale_width),
                                   static_cast<double>(column.concatenated_width)});
  }
  sheet.notes.push_back(
      fmt::format("Random matrices: shapes and symmetry, not meaning · {} · one scale for all scores, one for all weights.",
                  request.settings.includes_self ? "a token may look at itself" : "a token does not look at itself"));
  add_note(sheet, attempts_note(found, request.settings.attempt_heads));
  sheet.parts = {std::move(maps), std::move(table)};
  sheet.of_tables = {exact_numbers("asymmetry", std::move(names),
                                   {"scores, relative", "scores", "weights", "d under the root", "output width"}, std::move(numbers))};
  return sheet;
}

Sheet fills_sheet(const LabRequest& request, const FillsFound& found) {
  Sheet sheet{.title = found.query.empty() ? "mask conventions" : title_of("mask conventions", request),
              .notes = fills_notes(found, request, false),
              .parts = {fills_table(found, false)},
              .of_tables = {}};
  constexpr std::array kPrecisions{"float16", "float32", "float64"};
  for (std::size_t precision = 0; precision < kPrecisions.size(); ++precision) {
    NamedNumbers numbers = exact_numbers(kPrecisions[precision], {}, found.keys, {});
    for (const FillsFound::Row& row : found.rows) {
      numbers.rows.emplace_back(row.convention.name);
      numbers.exact.insert(numbers.exact.end(), row.weights[precision].begin(), row.weights[precision].end());
    }
    sheet.of_tables.push_back(std::move(numbers));
  }
  return sheet;
}

Sheet scaling_sheet(const LabRequest& request, const ScalingFound& found) {
  Sheet sheet{.title = title_of("why scores are divided by √d", request),
              .notes = {scaling_note(found)},
              .parts = {scaling_table(found, request)},
              .of_tables = {}};
  NamedNumbers numbers = exact_numbers("spread", {}, {"d", "variance of q·k", "of q·k / √d", "slope of softmax", "with √d"}, {});
  const auto add = [&](std::string name, const ScalingFound::Row& row) {
    numbers.rows.push_back(std::move(name));
    numbers.exact.insert(numbers.exact.end(), {static_cast<double>(row.d_head), row.sample.unscaled.variance, row.sample.scaled.variance,
                                               row.sample.unscaled.jacobian_norm, row.sample.scaled.jacobian_norm});
  };
  for (const ScalingFound::Row& row : found.rows) add(fmt::format("random, d = {}", row.d_head), row);
  add("head " + short_name_of_head(*request.snapshot, request.head), found.own);
  sheet.of_tables = {std::move(numbers)};
  return sheet;
}

Sheet dropout_sheet(const LabRequest& request, const DropoutFound& found) {
  Sheet sheet{.title = title_of("dropout", request), .notes = {dropout_note(found, request)}};
  sheet.notes.emplace_back("Sampled on purpose, never used by the model.");
  add_note(sheet, row_sums_note(found));
  SheetMaps maps{.per_line = 3, .side = 240};
  const AxisLabels queries = shared(found.queries), keys = shared(found.keys);
  const auto add = [&](const char* name, std::string title, const std::shared_ptr<const MapPicture>& picture) {
    maps.maps.push_back({.name = name,
                         .title = std::move(title),
                         .picture = picture,
                         .high = found.largest,
                         .queries = queries,
                         .keys = keys,
                         .titles = found.titles});
  };
  add("before", "Before", found.before);
  add("after", fmt::format("After, sample {}", request.settings.dropout_seed), found.after);
  add("mean", fmt::format("Mean of {}", kDropoutSamples), found.mean);
  maps.maps.back().has_bar = true;
  sheet.parts = {std::move(maps), row_sums_table(found)};
  NamedNumbers sums = exact_numbers("row sums", found.queries, {"before", "after", "mean"}, {});
  for (std::size_t row = 0; row < found.sums_before.size(); ++row)
    sums.exact.insert(sums.exact.end(), {found.sums_before[row], found.sums_after[row], found.sums_mean[row]});
  sheet.of_tables = {std::move(sums)};
  return sheet;
}

Sheet cost_sheet(const LabRequest& request, const CostFound& found) {
  SheetTable shared_width = cost_table(found, false), fixed_width = cost_table(found, true);
  shared_width.heading = "Width d_model / heads";
  fixed_width.heading = fmt::format("Fixed width, {} as in this layer", found.own.d_head);
  Sheet sheet{.title = "what heads cost · " + request.snapshot->layer_name(request.head.layer),
              .notes = cost_notes(found, request),
              .parts = {std::move(shared_width), std::move(fixed_width)},
              .of_tables = {cost_numbers(found, false), cost_numbers(found, true)}};
  const int group = found.heads_per_kv_head;
  sheet.notes.push_back(fmt::format("{} biases; a key/value head serves {}.", found.has_bias ? "With" : "Without",
                                    group == 0   ? "all heads"
                                    : group == 1 ? "one head"
                                                 : fmt::format("{} heads", group)));
  return sheet;
}

Sheet toy_sheet(const LabRequest& request, const ToyFound& found) {
  Sheet sheet{.title = "toy run of multi-head attention",
              .notes = {"Dive into Deep Learning, section 10.3: 2 items, 4 queries, 6 keys, width 100, 5 heads, no bias.",
                        request.settings.is_toy_random ? "Random inputs." : "All inputs are 1.", toy_note(found) + "."}};
  for (std::size_t item = 0; item < kToyItems; ++item) {
    SheetMaps maps{.heading = toy_item_text(request, item), .maps = {}, .per_line = kToyHeads, .side = 96};
    for (std::size_t head = 0; head < kToyHeads; ++head)
      maps.maps.push_back({.name = fmt::format("item {} head {}", item, head),
                           .title = fmt::format("head {}", head),
                           .picture = found.maps[item][head],
                           .high = 1});
    maps.maps.back().has_bar = item + 1 == kToyItems;
    sheet.parts.emplace_back(std::move(maps));
  }
  for (std::size_t item = 0; item < kToyItems; ++item) sheet.parts.emplace_back(first_rows_table(found, item));
  return sheet;
}

Sheet concatenation_sheet(const LabRequest& request, const ConcatenationFound& found) {
  Sheet sheet{.title = title_of("concatenation", request), .notes = {strips_note(found, request)}};
  SheetMaps maps{};
  for (const ConcatenationFound::Strip& strip : found.strips) {
    maps.maps.push_back({.name = strip.name,
                         .title = fmt::format("{} · {} × {}", strip.title, strip.values->rows(), strip.values->columns()),
                         .picture = strip.values,
                         .high = strip.largest,
                         .queries = shared(strip.rows),
                         .blocks = strip.blocks,
                         .framed = framed_block(found, strip, request.head),
                         .places = strip.columns});
  }
  sheet.parts = {std::move(maps)};
  return sheet;
}

Sheet circuits_sheet(const LabRequest& request, const CircuitsFound& found) {
  Sheet sheet{.title = title_of("circuits", request)};
  const auto add = [&](const char* heading, const char* name, SheetTable table, const TokenCircuit& circuit) {
    table.heading = heading;
    NamedNumbers numbers = exact_numbers(name, {}, {"from id", "to id", "score"}, {});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const TokenPair& pair = circuit.largest[row];
      numbers.rows.push_back(table.rows[row].cells.front());
      numbers.exact.insert(numbers.exact.end(),
                           {static_cast<double>(pair.from), static_cast<double>(pair.to), static_cast<double>(pair.score)});
    }
    sheet.parts.emplace_back(std::move(table));
    sheet.of_tables.push_back(std::move(numbers));
  };
  if (const std::string why = why_no_qk(found); !why.empty()) {
    add_note(sheet, "QK: " + why);
  } else {
    add("QK: which token looks for which", "QK", qk_table(found), found.circuits.qk);
    add_note(sheet, qk_note(found));
  }
  if (const std::string why = why_no_ov(found); !why.empty()) {
    add_note(sheet, "OV: " + why);
  } else {
    add("OV: which token becomes likelier where one is attended to", "OV", ov_table(found), found.circuits.ov);
    add_note(sheet, ov_note(found));
  }
  if (found.circuits.why_no_ov.empty()) add_note(sheet, copying_note(found));
  if (!found.circuits.why_no_composition.empty()) {
    add_note(sheet, found.circuits.why_no_composition);
    return sheet;
  }
  SheetTable table = compositions_table(found, request);
  table.heading = "Composition: which heads it reads from, and which read from it";
  NamedNumbers numbers = exact_numbers("composition", {}, {"q", "k", "v"}, {});
  for (const SheetTable::Row& row : table.rows) numbers.rows.push_back(row.cells.front());
  for (const auto& [each, reads] : listed_compositions(found, request.head))
    numbers.exact.insert(numbers.exact.end(), {each.q, each.k, each.v});
  sheet.parts.emplace_back(std::move(table));
  sheet.of_tables.push_back(std::move(numbers));
  add_note(sheet, "Composition: " + compositions_note(found));
  return sheet;
}

Sheet effective_sheet(const LabRequest& request, const EffectiveFound& found) {
  Sheet sheet{.title = title_of("effective attention", request)};
  if (!found.problem.empty()) {
    sheet.notes = {found.problem};
    return sheet;
  }
  sheet.notes = effective_notes(found, request, false);
  sheet.notes.push_back(effective_rows_note(found));
  const AxisLabels queries = shared(found.queries), keys = shared(found.keys);
  SheetMaps maps{.per_line = 2, .side = 300};
  const auto add = [&](const char* name, const char* title, const std::shared_ptr<const MapPicture>& picture, float high) {
    maps.maps.push_back({.name = name,
                         .title = title,
                         .picture = picture,
                         .high = high,
                         .queries = queries,
                         .keys = keys,
                         .titles = found.titles,
                         .has_bar = true});
  };
  add("weights", "Weights", found.weights, found.largest);
  add("effective", "Effective weights", found.effective, found.farthest);
  sheet.parts = {std::move(maps), effective_table(found)};
  NamedNumbers rows = exact_numbers("rows", found.queries, {"keys", "rank of T", "rank of [T, 1]", "sum of effective weights"}, {});
  for (const EffectiveRow& row : found.rows)
    rows.exact.insert(rows.exact.end(),
                      {static_cast<double>(row.allowed), static_cast<double>(row.rank), static_cast<double>(row.rank_with_ones), row.sum});
  sheet.of_tables = {std::move(rows)};
  return sheet;
}

}  // namespace headlight

#include "engine/measures/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "engine/core/numbers.h"
#include "engine/kernels/steady_functions.h"
#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

/// Less than this is not found as the difference of two nearly equal sums, which would be all that it rests on.
constexpr double kLeastDifference = 0.25;

bool is_known_from_whole(const MeasuredRow& row) {
  return row.whole != nullptr && row.left >= kLeastDifference;
}

/// Calls use(weight) for the weights that were taken out of a row.
template <typename Use>
void for_hidden_weights(const MeasuredRow& row, const Use& use) {
  for (const Index key : row.hidden->positions) {
    if (key >= row.weights.size()) break;
    use(static_cast<double>(row.whole->weights[key]));
  }
}

/// Of what is left of rows, without going through them once more: −Σ (a / L) ln (a / L) = −Σ a ln a / L + ln L over the keys that are left,
/// whose weights sum to L. Of all rows that are measured at once, since several logarithms beside each other take as long as one.
void find_entropies_of_rest(std::span<const MeasuredRow> rows) {
  std::vector<double> logs;
  for (const MeasuredRow& row : rows) {
    if (!is_known_from_whole(row)) continue;
    logs.push_back(row.left);
    for_hidden_weights(row, [&](double weight) { logs.push_back(weight > 0 ? weight : 1); });
  }
  row_instructions().logs(logs.data(), std::ssize(logs));
  auto log = logs.begin();
  for (const MeasuredRow& row : rows) {
    if (!is_known_from_whole(row)) continue;
    const double log_of_left = *log++;
    double entropy = row.whole->entropy();
    for_hidden_weights(row, [&](double weight) { entropy += weight * *log++; });
    row.known.entropy = std::max(0.0, entropy / row.left + log_of_left);
  }
}

void find_entropies(std::span<const MeasuredRow> rows) {
  for (const MeasuredRow& row : rows) row.known.entropy = row_instructions().entropy(row.weights.data(), row.weights.size());
}

constexpr std::size_t kKnownLogs = 1025;

std::array<double, kKnownLogs> find_logs() {
  std::array<double, kKnownLogs> logs{};
  for (std::size_t count = 0; count < kKnownLogs; ++count) logs[count] = steady_log(static_cast<double>(count));
  return logs;
}

bool is_shown(const Measure& measure) {
  return measure.place != MeasurePlace::list;
}

std::vector<Measure> join_tables() {
  std::vector<Measure> all;
  for (const Measures part : {shape_measures(), position_measures(), pattern_measures(), other_measures()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::stable_partition(all.begin(), all.end(), is_shown);
  return all;
}

}  // namespace

double log_of_count(Index count) {
  static const std::array<double, kKnownLogs> kLogs = find_logs();
  return count >= 0 && count < std::ssize(kLogs) ? kLogs[static_cast<std::size_t>(count)] : steady_log(static_cast<double>(count));
}

void MeasuredRow::find_entropy() const {
  if (is_known_from_whole(*this)) return find_entropies_of_rest({context->rows, context->row_count});
  const bool is_among_rows = context != nullptr && whole == nullptr && this >= context->rows && this < context->rows + context->row_count;
  find_entropies(is_among_rows ? std::span(context->rows, context->row_count) : std::span(this, 1));
}

/// Of all rows that are measured at once, as find_entropies_of_rest.
void MeasuredRow::find_exp_of_entropy() const {
  std::vector<double> powers;
  const std::span<const MeasuredRow> rows = context == nullptr ? std::span(this, 1) : std::span(context->rows, context->row_count);
  for (const MeasuredRow& row : rows) powers.push_back(row.entropy());
  row_instructions().exps(powers.data(), std::ssize(powers));
  for (std::size_t at = 0; at < rows.size(); ++at) rows[at].known.exp_of_entropy = powers[at];
}

void MeasuredRow::find_mass() const {
  known.mass = row_instructions().totals(weights.data(), weights.size()).mass;
}

void MeasuredRow::find_mass_between() const {
  const std::array<Index, 2> ends = {0, query};
  known.mass_between = mass_without(std::span(ends).first(query == 0 ? 1 : 2));
}

void MeasuredRow::find_log_allowed() const {
  known.log_allowed = log_of_count(allowed);
}

void MeasuredRow::find_strongest_key() const {
  known.strongest_key = std::find(weights.data(), weights.data() + weights.size(), largest) - weights.data();
}

double MeasuredRow::mass_without(std::span<const Index> positions) const {
  double taken = 0;
  for (const Index key : positions) taken += key < weights.size() ? static_cast<double>(weights[key]) : 0.0;
  if (const double rest = mass() - taken; !(rest < kLeastDifference)) return rest;
  double sum = 0;
  Index begin = 0;
  const auto add_up_to = [&](Index end) {
    if (end > begin) sum += row_instructions().totals(weights.data() + begin, end - begin).mass;
  };
  for (const Index key : positions) {
    add_up_to(std::min(key, weights.size()));
    begin = key + 1;
  }
  add_up_to(weights.size());
  return sum;
}

void GatheredMeasure::keep(const MeasuredRow& row, const RowValue& value) {
  const Index key = value.key >= 0 ? value.key : row.strongest_key();
  if (key < row.weights.size()) best = {row.query, key, row.weights[key], value.value};
}

Measures all_measures() {
  static const std::vector<Measure> kAll = join_tables();
  return kAll;
}

Measures head_measures() {
  static const auto kShown = static_cast<std::size_t>(std::count_if(all_measures().begin(), all_measures().end(), is_shown));
  return all_measures().first(kShown);
}

std::string measure_text(const Measure& measure, double value) {
  return measure.unit == "tokens" ? number_text(value, 1) : weight_text(value);
}

const Measure& measure_of(Measures table, std::string_view id) {
  const auto row = std::find_if(table.begin(), table.end(), [&](const Measure& measure) { return measure.id == id; });
  if (row == table.end()) throw std::out_of_range(fmt::format("unknown measure {}", id));
  return *row;
}

double MeasuredHead::value(std::string_view id) const {
  return values[static_cast<std::size_t>(&measure_of(table, id) - table.data())];
}

}  // namespace headlight

#include "engine/measures/head_gauge.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "engine/kernels/steady_functions.h"

namespace headlight {
namespace {

/// In eight sums that are added up at the end, always in this order.
double sum_of(const float* numbers, Index count) {
  constexpr Index kLanes = 8;
  std::array<double, kLanes> lanes{};
  Index at = 0;
  for (; at + kLanes <= count; at += kLanes) {
    for (Index lane = 0; lane < kLanes; ++lane) lanes[static_cast<std::size_t>(lane)] += static_cast<double>(numbers[at + lane]);
  }
  for (; at < count; ++at) lanes[0] += static_cast<double>(numbers[at]);
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

/// Of what is left of a row, without going through it once more: −Σ (a / L) ln (a / L) = −Σ a ln a / L + ln L over the keys that are left,
/// whose weights sum to L. NaN where little is left: then the difference of two nearly equal sums would be all that it rests on.
double entropy_of_rest(const MeasuredRow& whole, const std::vector<Index>& hidden_keys, double left) {
  constexpr double kLeastLeft = 0.25;
  if (!(left >= kLeastLeft)) return std::numeric_limits<double>::quiet_NaN();
  double entropy = whole.entropy();
  for (const Index key : hidden_keys) {
    if (key >= whole.weights.size()) break;
    const auto weight = static_cast<double>(whole.weights[key]);
    if (weight > 0) entropy += weight * steady_log(weight);
  }
  return std::max(0.0, entropy / left + steady_log(left));
}

std::vector<std::uint8_t> flags_of(const std::vector<Index>& positions, Index keys) {
  std::vector<std::uint8_t> flags(static_cast<std::size_t>(keys), 0);
  for (const Index key : positions) {
    if (key < keys) flags[static_cast<std::size_t>(key)] = 1;
  }
  return flags;
}

}  // namespace

MaskRows::MaskRows(const Mask& mask) : mask_(&mask), rows_(static_cast<std::size_t>(mask.queries())) {
  for (Index query = 0; query < mask.queries(); ++query) {
    const Index reach = reach_of(mask, query, 1);
    const Index allowed = mask.allowed_in_row(query, reach);
    rows_[static_cast<std::size_t>(query)] = {allowed, reach, steady_log(static_cast<double>(std::max<Index>(allowed, 1)))};
  }
}

namespace {

std::optional<MeasuredRow> row_of(const Mask& mask, Index query, Index allowed, const Eigen::Ref<const RowVector>& weights) {
  const float largest = instruction_set().largest(weights.data(), weights.size());  // NaN of a row that holds NaN
  if (largest == 0) return std::nullopt;
  return MeasuredRow{.weights = weights, .cells = mask.row(query), .query = query, .allowed = allowed, .largest = largest};
}

}  // namespace

std::optional<MeasuredRow> measured_row(const Mask& mask, Index query, Eigen::Ref<const RowVector> weights) {
  if (weights.size() == 0) return std::nullopt;
  const Index allowed = mask.allowed_in_row(query, weights.size());  // past its reach no key is allowed
  return allowed == 0 ? std::nullopt : row_of(mask, query, allowed, weights);
}

std::optional<MeasuredRow> measured_row(const MaskRows& masks, Index query, Eigen::Ref<const RowVector> weights) {
  const Index allowed = masks.allowed(query);
  if (allowed == 0 || weights.size() == 0) return std::nullopt;
  std::optional<MeasuredRow> row = row_of(masks.mask(), query, allowed, weights.head(std::min(weights.size(), masks.reach(query))));
  if (row) row->known_log_allowed = masks.log_allowed(query);
  return row;
}

GaugePlan::GaugePlan(const std::vector<MeasureRequest>& requests, const MeasuredText& text, Index keys)
    : requests_(requests), text_(text), chosen_(requests.size()) {
  std::vector<std::optional<KeySet>> sets;
  for (std::size_t number = 0; number < requests.size(); ++number) {
    const MeasureRequest& request = requests[number];
    needs_outputs_ = needs_outputs_ || request.measure->need == MeasureNeed::outputs;
    if (request.measure->need == MeasureNeed::keys) chosen_[number] = flags_of(text.keys_of(request.settings.keys, keys), keys);
    const auto known = std::find(sets.begin(), sets.end(), request.without);
    const auto place = static_cast<std::size_t>(known - sets.begin());
    if (known == sets.end()) {
      sets.push_back(request.without);
      Group& group = groups_.emplace_back();
      if (request.without) group.hidden_keys = text.keys_of(*request.without, keys);
      if (request.without) group.hidden = flags_of(group.hidden_keys, keys);
    }
    if (is_defined(*request.measure)) groups_[place].asked.push_back({number, request.measure, &request.settings});
  }
}

bool GaugePlan::is_defined(const Measure& measure) const {
  if (measure.of_row == nullptr || (measure.needs_one_text && !text_.shares_axis())) return false;
  return measure.need != MeasureNeed::tokens || text_.has_tokens();
}

HeadGauge::HeadGauge(const GaugePlan& plan, std::shared_ptr<const MaskRows> masks, bool keeps_cells)
    : plan_(plan), masks_(std::move(masks)), keeps_cells_(keeps_cells), sums_(plan.size()), best_(plan.size()) {
  const Index keys = masks_->mask().keys();
  const auto hides = [](const GaugePlan::Group& group) { return !group.hidden.empty(); };
  if (std::any_of(plan.groups().begin(), plan.groups().end(), hides)) {
    rest_.resize(keys);
    rest_cells_.resize(static_cast<std::size_t>(keys));
  }
  if (plan.needs_outputs()) is_informative_.assign(static_cast<std::size_t>(masks_->mask().queries()), false);
}

void HeadGauge::add(const HeadRows& rows) {
  for (Index at = 0; at < rows.weights.rows(); ++at) {
    std::optional<MeasuredRow> row = measured_row(*masks_, rows.first_query + at, rows.weights.row(at));
    if (!row) continue;
    row->text = &plan_.text();
    if (!is_informative_.empty() && row->allowed >= 2) is_informative_[static_cast<std::size_t>(row->query)] = true;
    for (const GaugePlan::Group& group : plan_.groups()) {
      if (group.hidden.empty()) {
        measure_group(group, *row);
      } else {
        measure_rest(group, *row);
      }
    }
  }
}

void HeadGauge::measure_rest(const GaugePlan::Group& group, const MeasuredRow& whole) {
  constexpr double kLeastRest = 1e-6;
  const Index reach = whole.weights.size();
  std::copy_n(whole.weights.data(), reach, rest_.data());
  std::memcpy(rest_cells_.data(), whole.cells, static_cast<std::size_t>(reach));
  Index allowed = whole.allowed;
  float largest_hidden = 0;
  for (const Index key : group.hidden_keys) {
    if (key >= reach) break;
    allowed -= whole.cells[key];
    largest_hidden = std::max(largest_hidden, rest_[key]);
    rest_[key] = 0;
    rest_cells_[static_cast<std::size_t>(key)] = 0;
  }
  const double left = sum_of(rest_.data(), reach);
  if (allowed == 0 || left <= kLeastRest) return;  // NaN goes on, and makes NaN of what counts it
  const auto scale = static_cast<float>(1 / left);
  rest_.head(reach) *= scale;
  MeasuredRow row{.weights = rest_.head(reach), .cells = rest_cells_.data(), .query = whole.query, .allowed = allowed};
  // Products are rounded in the order of their factors, so that the largest weight is still the largest.
  row.largest = largest_hidden < whole.largest ? whole.largest * scale : instruction_set().largest(rest_.data(), reach);
  row.known_entropy = entropy_of_rest(whole, group.hidden_keys, left);
  row.text = whole.text;
  row.hidden = group.hidden;
  measure_group(group, row);
}

void HeadGauge::measure_group(const GaugePlan::Group& group, MeasuredRow& row) {
  for (const GaugePlan::Asked& asked : group.asked) {
    if (row.allowed < 2 && asked.measure->rows == MeasuredRows::informative) continue;
    row.settings = asked.settings;
    row.chosen = plan_.chosen(asked.number);
    const std::optional<RowValue> value = asked.measure->of_row(row);
    if (!value) continue;
    sums_[asked.number].add(*value);
    if (keeps_cells_) keep_cell(asked.number, row, *value);
  }
}

void HeadGauge::keep_cell(std::size_t request, const MeasuredRow& row, const RowValue& value) {
  BestCell& best = best_[request];
  if (best.query >= 0 && !(value.value > best.value)) return;
  const float* const begin = row.weights.data();
  const Index key = value.key >= 0 ? value.key : std::find(begin, begin + row.weights.size(), row.largest) - begin;
  if (key >= row.weights.size()) return;
  best = {row.query, key, row.weights[key], value.value};
}

void HeadGauge::add_output(Index query, double norm) {
  if (!is_informative_[static_cast<std::size_t>(query)]) return;
  for (std::size_t number = 0; number < plan_.size(); ++number) {
    if (plan_.request(number).measure->need != MeasureNeed::outputs) continue;
    sums_[number].add(norm);
    BestCell& best = best_[number];
    if (keeps_cells_ && (best.query < 0 || norm > best.value)) best = {query, query, 0, norm};
  }
}

void share_in_layer(const GaugePlan& plan, std::vector<std::vector<double>>& values) {
  for (std::size_t number = 0; number < plan.size(); ++number) {
    if (!plan.request(number).measure->is_of_layer) continue;
    double sum = 0;
    Index heads = 0;
    for (const std::vector<double>& of_head : values) {
      if (!std::isfinite(of_head[number])) continue;
      sum += of_head[number];
      ++heads;
    }
    const double mean = sum / static_cast<double>(heads);  // NaN of none
    for (std::vector<double>& of_head : values) of_head[number] = mean > 0 ? of_head[number] / mean : std::nan("");
  }
}

}  // namespace headlight

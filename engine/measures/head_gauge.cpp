#include "engine/measures/head_gauge.h"

#include <algorithm>
#include <cmath>

#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

/// Few enough for their weights to stay in the nearest cache, however long they are.
Index rows_at_once(Index keys) {
  constexpr Index kMostRows = 16, kNumbers = 4096;
  return std::clamp(kNumbers / std::max<Index>(1, keys), Index{1}, kMostRows);
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
    rows_[static_cast<std::size_t>(query)] = {allowed, reach, log_of_count(std::max<Index>(allowed, 1))};
  }
}

std::shared_ptr<const MaskRows> KnownMaskRows::of(const std::shared_ptr<const Mask>& mask) {
  std::shared_ptr<const MaskRows>& rows = known_[mask];
  if (!rows) rows = std::make_shared<const MaskRows>(*mask);
  return rows;
}

namespace {

std::optional<MeasuredRow> row_of(const Mask& mask, Index query, Index allowed, const RowNumbers& weights) {
  const RowTotals totals = row_instructions().totals(weights.data(), weights.size());
  if (totals.largest == 0) return std::nullopt;
  MeasuredRow row{.weights = weights, .cells = mask.row(query), .query = query, .allowed = allowed, .largest = totals.largest};
  row.known.mass = totals.mass;
  return row;
}

}  // namespace

std::optional<MeasuredRow> measured_row(const Mask& mask, Index query, const RowNumbers& weights) {
  if (weights.size() == 0) return std::nullopt;
  const Index allowed = mask.allowed_in_row(query, weights.size());  // past its reach no key is allowed
  return allowed == 0 ? std::nullopt : row_of(mask, query, allowed, weights);
}

std::optional<MeasuredRow> measured_row(const MaskRows& masks, Index query, const RowNumbers& weights) {
  const Index allowed = masks.allowed(query);
  if (allowed == 0 || weights.size() == 0) return std::nullopt;
  const RowNumbers seen(weights.data(), std::min(weights.size(), masks.reach(query)));
  std::optional<MeasuredRow> row = row_of(masks.mask(), query, allowed, seen);
  if (row) row->known.log_allowed = masks.log_allowed(query);
  return row;
}

HiddenKeys hidden_keys(const KeySet& set, const MeasuredText& text, Index keys) {
  std::vector<Index> positions = text.keys_of(set, keys);
  std::vector<std::uint8_t> flags = flags_of(positions, keys);
  return {std::move(positions), std::move(flags)};
}

GaugePlan::GaugePlan(const std::vector<MeasureRequest>& requests, const MeasuredText& text, Index keys)
    : requests_(requests), text_(text), chosen_(requests.size()) {
  std::vector<std::optional<KeySet>> sets;
  for (std::size_t number = 0; number < requests.size(); ++number) {
    const MeasureRequest& request = requests[number];
    if (request.measure->need == MeasureNeed::outputs) of_outputs_.push_back(number);
    if (request.measure->need == MeasureNeed::keys) chosen_[number] = flags_of(text.keys_of(request.settings.keys, keys), keys);
    const auto known = std::find(sets.begin(), sets.end(), request.without);
    const auto place = static_cast<std::size_t>(known - sets.begin());
    if (known == sets.end()) {
      sets.push_back(request.without);
      Group& group = groups_.emplace_back();
      if (request.without) group.hidden = hidden_keys(*request.without, text, keys);
    }
    if (is_defined(*request.measure)) groups_[place].asked.push_back({number, request.measure, &request.settings});
  }
}

bool GaugePlan::is_defined(const Measure& measure) const {
  if (measure.of_row == nullptr || (measure.needs_one_text && !text_.shares_axis())) return false;
  return measure.need != MeasureNeed::tokens || text_.has_tokens();
}

HeadGauge::HeadGauge(const GaugePlan& plan, std::shared_ptr<const MaskRows> masks, bool keeps_cells)
    : plan_(plan),
      masks_(std::move(masks)),
      at_once_(rows_at_once(masks_->mask().keys())),
      context_{.text = &plan.text()},
      gathered_(plan.size(), GatheredMeasure{.keeps_best = keeps_cells}) {
  if (plan.needs_outputs()) is_informative_.assign(static_cast<std::size_t>(masks_->mask().queries()), false);
}

void HeadGauge::add(const HeadRows& rows) {
  for (Index begin = 0; begin < rows.weights.rows(); begin += at_once_) {
    find_rows(rows, begin, std::min(begin + at_once_, rows.weights.rows()));
    for (const GaugePlan::Group& group : plan_.groups()) {
      if (group.hidden) find_rest(*group.hidden);
      measure(group, group.hidden ? rest_ : rows_);
    }
  }
}

void HeadGauge::find_rows(const HeadRows& rows, Index begin, Index end) {
  rows_.clear();
  rows_.reserve(static_cast<std::size_t>(at_once_));  // here and not before: heads are made by one thread, and measured by several
  for (Index at = begin; at < end; ++at) {
    std::optional<MeasuredRow> row = measured_row(*masks_, rows.first_query + at, numbers_of_row(rows.weights, at));
    if (!row) continue;
    row->context = &context_;
    if (!is_informative_.empty() && row->allowed >= 2) is_informative_[static_cast<std::size_t>(row->query)] = true;
    rows_.push_back(*row);
  }
}

void HeadGauge::find_rest(const HiddenKeys& hidden) {
  const Index keys = masks_->mask().keys();
  rest_.clear();
  rest_.reserve(static_cast<std::size_t>(at_once_));
  if (rest_weights_.size() == 0) rest_weights_.resize(at_once_ * keys);
  for (const MeasuredRow& whole : rows_) add_rest(whole, hidden, rest_weights_.data() + std::ssize(rest_) * keys);
}

void HeadGauge::add_rest(const MeasuredRow& whole, const HiddenKeys& hidden, float* weights) {
  const double left = whole.mass_without(hidden.positions);
  if (left <= kLeastRest) return;  // NaN goes on, and makes NaN of what counts it
  const auto scale = static_cast<float>(1 / left);
  const Index reach = whole.weights.size();
  row_instructions().scale(whole.weights.data(), reach, scale, weights);
  Index allowed = whole.allowed;
  float largest_hidden = 0;
  for (const Index key : hidden.positions) {
    if (key >= reach) break;
    allowed -= whole.cells[key];
    largest_hidden = std::max(largest_hidden, whole.weights[key]);
    weights[key] = 0;
  }
  if (allowed == 0) return;
  MeasuredRow& row = rest_.emplace_back(
      MeasuredRow{.weights = RowNumbers(weights, reach), .cells = whole.cells, .query = whole.query, .allowed = allowed});
  // Products are rounded in the order of their factors, so that the largest weight is still the largest.
  row.largest = largest_hidden < whole.largest ? whole.largest * scale : row_instructions().totals(weights, reach).largest;
  row.context = whole.context;
  row.hidden = &hidden;
  row.whole = &whole;
  row.left = left;
}

void HeadGauge::measure(const GaugePlan::Group& group, std::span<const MeasuredRow> rows) {
  context_.rows = rows.data();
  context_.row_count = rows.size();
  for (const GaugePlan::Asked& asked : group.asked) {
    context_.settings = asked.settings;
    context_.chosen = plan_.chosen(asked.number);
    asked.measure->of_row.add(rows, asked.measure->rows == MeasuredRows::informative ? 2 : 1, gathered_[asked.number]);
  }
}

void HeadGauge::add_output(Index query, double norm) {
  if (!is_informative_[static_cast<std::size_t>(query)]) return;
  for (const std::size_t number : plan_.of_outputs()) {
    GatheredMeasure& gathered = gathered_[number];
    gathered.sum.add(norm);
    if (gathered.keeps_best && gathered.is_best(norm)) gathered.best = {query, query, 0, norm};
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

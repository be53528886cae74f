#include "engine/measures/columns/head_column.h"

#include <algorithm>
#include <cmath>

#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double HeadNumbers::of(HeadId head) const {
  if (head.layer < 0 || head.layer >= std::ssize(by_layer_)) return kNone;
  const std::vector<double>& layer = by_layer_[static_cast<std::size_t>(head.layer)];
  return head.head >= 0 && head.head < std::ssize(layer) ? layer[static_cast<std::size_t>(head.head)] : kNone;
}

void HeadNumbers::set(HeadId head, double value) {
  const auto layer = static_cast<std::size_t>(head.layer), place = static_cast<std::size_t>(head.head);
  if (layer >= by_layer_.size()) by_layer_.resize(layer + 1);
  if (place >= by_layer_[layer].size()) by_layer_[layer].resize(place + 1, kNone);
  by_layer_[layer][place] = value;
}

double ColumnBaseline::z_score(HeadId head, double value) const {
  const double of_head = deviations.of(head);
  return of_head > 0 ? (value - means.of(head)) / of_head : kNone;
}

double HeadColumn::rank_value(HeadId head) const {
  return is_change ? std::abs(values.of(head)) : values.of(head);
}

HeadColumn column_of(const MeasureRequest& request) {
  const Measure& measure = *request.measure;
  return {.id = request.id,
          .title = title_of(request),
          .unit = std::string(measure.unit),
          .formula = std::string(measure.formula),
          .meaning = std::string(measure.meaning),
          .source = std::string(measure.source),
          .undefined = std::string(measure.undefined),
          .low = measure.low,
          .high = measure.high,
          .limit = std::string(measure.limit),
          .is_change = measure.is_change,
          .request = request};
}

std::string column_number(const HeadColumn& column, double value) {
  constexpr double kLarge = 1000;
  if (column.request) return measure_text(*column.request->measure, value);
  if (column.unit == "tokens") return number_text(value, 1);
  return std::abs(value) >= kLarge ? number_text(value, 0) : weight_text(value);
}

std::optional<HeadLabel> label_of(const HeadColumn& column, HeadId head) {
  if (!column.request) return std::nullopt;
  const double rows = column.rows.of(head);
  std::optional<HeadLabel> label =
      label_of(*column.request, column.values.of(head), column.texts, std::isnan(rows) ? 0 : static_cast<Index>(rows));
  if (label) label->of = column.corpus;
  return label;
}

const HeadColumn* find_column(const HeadColumns& columns, std::string_view id) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column->id == id; });
  return found == columns.end() ? nullptr : found->get();
}

}  // namespace headlight

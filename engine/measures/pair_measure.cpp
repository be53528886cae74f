#include "engine/measures/pair_measure.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <stdexcept>

#include "engine/kernels/steady_functions.h"

namespace headlight {
namespace {

double half_divergence(double of, double mean) {
  return of > 0 ? 0.5 * of * steady_log(of / mean) : 0.0;
}

std::optional<double> jensen_shannon(const RowPair& pair) {
  double sum = 0;
  for (Index key = 0; key < pair.a.size(); ++key) {
    const double a = static_cast<double>(pair.a[key]), b = static_cast<double>(pair.b[key]), mean = (a + b) / 2;
    sum += half_divergence(a, mean) + half_divergence(b, mean);
  }
  return std::max(sum, 0.0);
}

/// Their code lets every key have some weight, those that the mask forbids too.
std::optional<double> smoothed_jensen_shannon(const RowPair& pair) {
  constexpr double kKept = 0.999, kShared = 0.001;
  const double even = kShared / static_cast<double>(pair.a.size());
  double sum = 0;
  for (Index key = 0; key < pair.a.size(); ++key) {
    const double a = kKept * static_cast<double>(pair.a[key]) + even, b = kKept * static_cast<double>(pair.b[key]) + even;
    sum += half_divergence(a, (a + b) / 2) + half_divergence(b, (a + b) / 2);
  }
  return std::max(sum, 0.0);
}

std::optional<double> kullback_leibler(const RowPair& pair) {
  constexpr double kLogOfZero = -40;
  const auto log_of = [](double weight) { return weight > 0 ? steady_log(weight) : kLogOfZero; };
  double sum = 0;
  for (Index key = 0; key < pair.a.size(); ++key) {
    const double a = static_cast<double>(pair.a[key]), b = static_cast<double>(pair.b[key]);
    if (a > 0) sum += a * (log_of(a) - log_of(b));
  }
  return sum;
}

double dot(const RowVector& a, const RowVector& b) {
  double sum = 0;
  for (Index at = 0; at < a.size(); ++at) sum += static_cast<double>(a[at]) * static_cast<double>(b[at]);
  return sum;
}

std::optional<double> attention_agreement(const RowPair& pair) {
  return dot(pair.a, pair.b);
}

std::optional<double> output_agreement(const RowPair& pair) {
  const double a = dot(pair.output_a, pair.output_a), b = dot(pair.output_b, pair.output_b);
  if (a == 0 || b == 0) return std::nullopt;
  return std::clamp(dot(pair.output_a, pair.output_b) / (std::sqrt(a) * std::sqrt(b)), -1.0, 1.0);
}

constexpr std::array kPairRows{
    PairMeasure{.id = "jensen-shannon",
                .title = "Jensen–Shannon divergence",
                .unit = "nats",
                .formula = "½ Σ a ln(a/m) + ½ Σ b ln(b/m), m = (a + b) / 2",
                .meaning = "0: two heads look at the same keys. ln 2: at no key in common.",
                .source = "Clark et al. 2019, arXiv 1906.04341, without their smoothing, as a mean over rows",
                .high = std::numbers::ln2,
                .undefined = kNoRow,
                .example = 0.020470,
                .of_rows = jensen_shannon},
    PairMeasure{
        .id = "jensen-shannon-smoothed",
        .title = "Jensen–Shannon divergence, smoothed (Clark)",
        .unit = "nats",
        .formula = "½ Σ a ln(a/m) + ½ Σ b ln(b/m), a and b as 0.999 a + 0.001 / |keys|, m = (a + b) / 2",
        .meaning = "The divergence with some weight on every key, masked ones too, over all rows: to compare with their numbers alone.",
        .source = "Clark et al. 2019, arXiv 1906.04341, head_distances.py, as a mean over rows in place of their sum",
        .high = std::numbers::ln2,
        .undefined = "the map has no row",
        .example = 0.015321,
        .rows = MeasuredRows::every,
        .of_rows = smoothed_jensen_shannon},
    PairMeasure{.id = "kullback-leibler",
                .title = "Kullback–Leibler divergence",
                .unit = "nats",
                .formula = "Σ a ln(a/b), with ln 0 = −40",
                .meaning = "How surprised somebody is by the first head who expects the second; −40 stands for ln 0.",
                .source = "Michel et al. 2019, arXiv 1905.10650, in their code: to reproduce their numbers alone",
                .high = kUnbounded,
                .undefined = kNoRow,
                .example = 0.082427,
                .is_symmetric = false,
                .of_rows = kullback_leibler},
    PairMeasure{
        .id = "attention-agreement",
        .title = "agreement of attention",
        .unit = "",
        .formula = "Σ a b",
        .meaning = "1: both heads give all attention to the same key. 0: no key in common. The mean over all pairs of a layer is its own.",
        .source = "Li et al. 2018, arXiv 1810.10183, who call it disagreement, by row",
        .undefined = kNoRow,
        .example = 0.361111,
        .of_rows = attention_agreement},
    PairMeasure{.id = "output-agreement",
                .title = "agreement of outputs",
                .unit = "",
                .formula = "z · z′ / (‖z‖ ‖z′‖)",
                .meaning = "1: two heads mix the same values in the same direction. −1: in the opposite one. Outputs of zero are left out.",
                .source = "Li et al. 2018, arXiv 1810.10183",
                .low = -1,
                .undefined = "no row may attend to two or more keys, only the maps are known, or every output is zero",
                .example = 0.929281,
                .needs_outputs = true,
                .of_rows = output_agreement},
};

}  // namespace

std::span<const PairMeasure> pair_measures() {
  return kPairRows;
}

const PairMeasure& pair_measure_of(std::string_view id) {
  const auto row = std::find_if(kPairRows.begin(), kPairRows.end(), [&](const PairMeasure& measure) { return measure.id == id; });
  if (row == kPairRows.end()) throw std::out_of_range("unknown measure of pairs " + std::string(id));
  return *row;
}

void PairGauge::add(const RowPair& pair) {
  if (measure_->needs_outputs && pair.output_a.size() == 0) return;
  const std::optional<double> value = measure_->of_rows(pair);
  if (value) sum_.add(*value);
  skipped_ += value ? 0 : 1;
}

double compare_maps(const PairMeasure& measure, const Mask& mask, const MatrixView& a, const MatrixView& b, const MatrixView& output_a,
                    const MatrixView& output_b) {
  PairGauge gauge(measure);
  const bool has_outputs = output_a.size() > 0;
  const RowVector none;
  for (Index query = 0; query < a.rows(); ++query) {
    const auto row = measured_row(mask, query, numbers_of_row(a, query)), other = measured_row(mask, query, numbers_of_row(b, query));
    const Index least = measure.rows == MeasuredRows::informative ? 2 : 1;
    if (!row || !other || row->allowed < least) continue;
    if (has_outputs) {
      gauge.add({a.row(query), b.row(query), output_a.row(query), output_b.row(query)});
    } else {
      gauge.add({a.row(query), b.row(query), none, none});
    }
  }
  return gauge.value();
}

}  // namespace headlight

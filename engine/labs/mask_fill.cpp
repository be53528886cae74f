#include "engine/labs/mask_fill.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include "engine/attention/head.h"

namespace headlight {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

constexpr std::array<FillConvention, 9> kFillConventions = {{
    {"replace by −∞", "labml.ai; TransformerLens before it clears NaN", FillStep::replace, -kNoBound, false},
    {"replace by −1e6", "Dive into Deep Learning", FillStep::replace, -1e6, false},
    {"replace by −1e9", "older labml.ai", FillStep::replace, -1e9, false},
    {"replace by −1e10", "JAX tutorials", FillStep::replace, -1e10, false},
    {"replace by −9e15", "UvA deep learning tutorials", FillStep::replace, -9e15, false},
    {"add −10000", "old BERT code", FillStep::add, -10000, false},
    {"add −1e9", "older Hugging Face and Voita code", FillStep::add, -1e9, false},
    {"replace by −∞, then NaN to 0", "TransformerLens; PyTorch's fused attention", FillStep::replace, -kNoBound, true},
    {"left out of the sum", "Headlight", FillStep::exclude, 0, false},
}};

template <typename Number>
struct Sums {
  using Type = Number;
};
template <>
struct Sums<Eigen::half> {
  using Type = float;
};

template <typename Number>
std::vector<double> textbook_softmax(const std::vector<Number>& scores) {
  using Wide = typename Sums<Number>::Type;
  Wide largest = -std::numeric_limits<Wide>::infinity();
  for (const Number score : scores) largest = std::max(largest, static_cast<Wide>(score));
  Wide sum = 0;
  for (const Number score : scores) sum += std::exp(static_cast<Wide>(score) - largest);
  std::vector<double> weights;
  for (const Number score : scores) {
    const Wide weight = std::exp(static_cast<Wide>(score) - largest) / sum;
    weights.push_back(static_cast<double>(static_cast<Number>(weight)));
  }
  return weights;
}

template <typename Number>
std::vector<double> engine_softmax(const std::vector<Number>& scores, const std::vector<bool>& is_allowed, std::optional<float> sink) {
  const auto keys = static_cast<Index>(scores.size());
  Matrix row(1, keys);
  Mask mask(1, keys, false);
  for (Index key = 0; key < keys; ++key) {
    row(0, key) = static_cast<float>(scores[static_cast<std::size_t>(key)]);
    mask.set(0, key, is_allowed[static_cast<std::size_t>(key)]);
  }
  softmax_rows(row, mask, sink);
  std::vector<double> weights;
  for (const float weight : row.reshaped()) weights.push_back(static_cast<double>(static_cast<Number>(weight)));
  return weights;
}

template <typename Number>
std::vector<double> weights_in(const FillConvention& convention, std::span<const double> scores, const std::vector<bool>& is_allowed,
                               std::optional<float> sink) {
  std::vector<Number> filled;
  for (const double score : scores) filled.push_back(static_cast<Number>(score));
  if (convention.step == FillStep::exclude) return engine_softmax(filled, is_allowed, sink);

  const auto value = static_cast<Number>(convention.value);
  for (std::size_t key = 0; key < filled.size(); ++key) {
    if (!is_allowed[key]) filled[key] = convention.step == FillStep::add ? static_cast<Number>(filled[key] + value) : value;
  }
  if (sink) filled.push_back(static_cast<Number>(*sink));
  std::vector<double> weights = textbook_softmax(filled);
  weights.resize(scores.size());
  if (convention.clears_nan)
    std::replace_if(
        weights.begin(), weights.end(), [](double weight) { return std::isnan(weight); }, 0.0);
  return weights;
}

}  // namespace

std::span<const FillConvention> fill_conventions() {
  return kFillConventions;
}

std::vector<double> fill_weights(const FillConvention& convention, std::span<const double> scores, const std::vector<bool>& is_allowed,
                                 Precision precision, std::optional<float> sink) {
  assert(scores.size() == is_allowed.size());
  switch (precision) {
    case Precision::float16:
      return weights_in<Eigen::half>(convention, scores, is_allowed, sink);
    case Precision::float32:
      return weights_in<float>(convention, scores, is_allowed, sink);
    case Precision::float64:
      break;
  }
  return weights_in<double>(convention, scores, is_allowed, sink);
}

}  // namespace headlight

#include "engine/attention/positions.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "engine/core/enumeration.h"
#include "engine/kernels/steady_functions.h"

namespace headlight {
namespace {

constexpr std::array<PositionMethod, 6> kPositionMethods = {{
    {PositionKind::none, "none", PositionPlace::nowhere, "x", "Haviv et al. 2022, arXiv 2203.16634"},
    {PositionKind::learned, "learned", PositionPlace::embedding, "x + P[position]", "Gehring et al. 2017, arXiv 1705.03122"},
    {PositionKind::sinusoidal, "sinusoidal", PositionPlace::embedding, "x + sin, cos(position / 10000^(2i/d))",
     "Vaswani et al. 2017, arXiv 1706.03762, section 3.5"},
    {PositionKind::rotary, "rotary", PositionPlace::queries_and_keys, "pairs of q and k turned by position · θ^(−2i/d)",
     "Su et al. 2021, arXiv 2104.09864"},
    {PositionKind::alibi, "alibi", PositionPlace::scores, "score − slope · |query − key|", "Press et al. 2022, arXiv 2108.12409"},
    {PositionKind::t5_buckets, "t5", PositionPlace::scores, "score + b[bucket(key − query)]", "Raffel et al. 2020, arXiv 1910.10683"},
}};
static_assert(has_row_of_each(kPositionMethods, &PositionMethod::kind));

constexpr double kTurn = 2 * std::numbers::pi;

// Frequencies are rounded where the published code rounds: one unit in the last place turns a pair by 5e-5 at position 1,000, and where
// maps are sharp that is more than they may be off.

/// Llama 3.1: long waves are stretched, short ones kept, those between mixed (Grattafiori et al. 2024, arXiv 2407.21783).
float stretch_as_llama3(float frequency, const RotaryScaling& scaling) {
  const auto factor = static_cast<float>(scaling.factor), trained = static_cast<float>(scaling.original_positions);
  const auto low = static_cast<float>(scaling.low_frequency_factor), high = static_cast<float>(scaling.high_frequency_factor);
  const float wave = static_cast<float>(kTurn) / frequency;
  const float kept = (trained / wave - low) / (high - low);  // by how often the wave turns within the texts of training
  if (kept >= 1) return frequency;
  if (kept <= 0) return frequency / factor;
  return (1 - kept) * frequency / factor + kept * frequency;
}

/// YaRN (Peng et al. 2023, arXiv 2309.00071, section 3.2): pairs that turn often are kept, those that turn seldom stretched.
class YarnRamp {
 public:
  YarnRamp(const RotarySettings& rotary, int dimensions) {
    const auto pair_that_turns = [&](double times) {
      return dimensions * steady_log(rotary.scaling.original_positions / (times * kTurn)) / (2 * steady_log(rotary.theta));
    };
    const double low = pair_that_turns(rotary.scaling.beta_fast), high = pair_that_turns(rotary.scaling.beta_slow);
    const bool is_whole = rotary.scaling.has_whole_ramp;
    low_ = std::max(is_whole ? std::floor(low) : low, 0.0);
    high_ = std::min(is_whole ? std::ceil(high) : high, dimensions - 1.0);
    if (low_ == high_) high_ += 0.001;
  }
  float stretched_share(Index pair) const {
    return std::clamp((static_cast<float>(pair) - static_cast<float>(low_)) / static_cast<float>(high_ - low_), 0.0F, 1.0F);
  }

 private:
  double low_ = 0, high_ = 0;
};

/// θ^(2 · pair / dimensions): the tokens of one radian.
float radian_of(double theta, Index pair, int dimensions) {
  const float exponent = static_cast<float>(2 * pair) / static_cast<float>(dimensions);
  return static_cast<float>(steady_power(theta, static_cast<double>(exponent)));
}

/// Dynamic NTK: beyond the texts of training, the base grows with the text (bloc97 and emozilla on Reddit's LocalLLaMA, 2023).
double theta_of_text(const RotarySettings& rotary, int dimensions, double tokens) {
  const RotaryScaling& scaling = rotary.scaling;
  if (scaling.kind != RotaryScaling::Kind::dynamic || tokens <= scaling.original_positions || dimensions <= 2) return rotary.theta;
  const double longer = scaling.factor * tokens / scaling.original_positions - (scaling.factor - 1);
  return rotary.theta * steady_power(longer, dimensions / (dimensions - 2.0));
}

}  // namespace

std::span<const PositionMethod> position_methods() {
  return kPositionMethods;
}

const PositionMethod& position_method(PositionKind kind) {
  return kPositionMethods[static_cast<std::size_t>(kind)];
}

void add_sinusoids(Matrix& x, bool is_split, const Watch& watch, Index first_position) {
  const auto width = static_cast<double>(x.cols());
  const Index sines = (x.cols() + 1) / 2;
  for (Index column = 0; column < x.cols(); ++column) {
    watch.check();
    const bool is_sine = is_split ? column < sines : column % 2 == 0;
    const Index pair = !is_split ? column / 2 : is_sine ? column : column - sines;
    const double frequency = steady_power(10000.0, -2.0 * static_cast<double>(pair) / width);
    for (Index row = 0; row < x.rows(); ++row) {
      const double angle = static_cast<double>(first_position + row) * frequency;
      x(row, column) += static_cast<float>(is_sine ? steady_sin(angle) : steady_cos(angle));
    }
  }
}

Eigen::VectorXf rotary_frequencies(const RotarySettings& rotary, int d_head, Index tokens) {
  const int dimensions = rotary.dimensions == 0 ? d_head : rotary.dimensions;
  Eigen::VectorXf frequencies(dimensions / 2);
  const RotaryScaling& scaling = rotary.scaling;
  const std::vector<double>& factors =
      static_cast<double>(tokens) > scaling.original_positions ? scaling.long_factors : scaling.short_factors;
  const double theta = theta_of_text(rotary, dimensions, static_cast<double>(tokens));
  const auto factor = static_cast<float>(scaling.factor);
  const YarnRamp ramp(rotary, dimensions);
  for (Index pair = 0; pair < frequencies.size(); ++pair) {
    const float radian = radian_of(theta, pair, dimensions), plain = 1 / radian;
    switch (scaling.kind) {
      case RotaryScaling::Kind::none:
      case RotaryScaling::Kind::dynamic:
        frequencies[pair] = plain;
        break;
      case RotaryScaling::Kind::linear:  // Chen et al. 2023, arXiv 2306.15595
        frequencies[pair] = plain / factor;
        break;
      case RotaryScaling::Kind::llama3:
        frequencies[pair] = stretch_as_llama3(plain, scaling);
        break;
      case RotaryScaling::Kind::yarn: {
        const float share = ramp.stretched_share(pair);
        frequencies[pair] = 1 / (factor * radian) * share + plain * (1 - share);
        break;
      }
      case RotaryScaling::Kind::longrope:  // Ding et al. 2024, arXiv 2402.13753
        frequencies[pair] = 1 / (static_cast<float>(factors[static_cast<std::size_t>(pair)]) * radian);
        break;
    }
  }
  return frequencies;
}

double rotary_amplitude(const RotaryScaling& scaling) {
  using Kind = RotaryScaling::Kind;
  if (scaling.kind != Kind::yarn && scaling.kind != Kind::longrope) return 1;
  if (scaling.attention_factor > 0) return scaling.attention_factor;
  if (scaling.factor <= 1) return 1;
  if (scaling.kind == Kind::yarn) return 0.1 * steady_log(scaling.factor) + 1;
  return std::sqrt(1 + steady_log(scaling.factor) / steady_log(scaling.original_positions));
}

Rotations::Rotations(const RotarySettings& rotary, Index d_head, const TurnedRows& rows, bool is_back, ThreadPool& pool, const Watch& watch)
    : is_interleaved_(rotary.is_interleaved) {
  const Eigen::VectorXf frequencies = rotary_frequencies(rotary, static_cast<int>(d_head), rows.tokens);
  const double amplitude = rotary_amplitude(rotary.scaling), direction = is_back ? -1 : 1;
  assert(2 * frequencies.size() <= d_head);
  cosines_.resize(rows.count, frequencies.size());
  sines_.resize(rows.count, frequencies.size());
  for_rows(rows.count, pool, [&](Index begin, Index count) {
    for (Index token = begin; token < begin + count; ++token) {
      watch.check();
      for (Index pair = 0; pair < frequencies.size(); ++pair) {
        const double angle = direction * static_cast<double>(static_cast<float>(rows.first + token) * frequencies[pair]);
        cosines_(token, pair) = static_cast<float>(amplitude * steady_cos(angle));
        sines_(token, pair) = static_cast<float>(amplitude * steady_sin(angle));
      }
    }
  });
}

void Rotations::turn(Matrix& x, int heads, ThreadPool& pool, const Watch& watch) const {
  const Index d_head = x.cols() / heads, pairs = cosines_.cols();
  const Index step = is_interleaved_ ? 2 : 1, distance = is_interleaved_ ? 1 : pairs;
  for_rows(x.rows(), pool, [&](Index begin, Index count) {
    for (Index token = begin; token < begin + count; ++token) {
      watch.check();
      const float* cosines = cosines_.row(token).data();
      const float* sines = sines_.row(token).data();
      for (Index head = 0; head < heads; ++head) {
        float* numbers = x.row(token).data() + head * d_head;
        for (Index pair = 0; pair < pairs; ++pair) {
          float& first = numbers[step * pair];
          float& second = numbers[step * pair + distance];
          const float turned = first * cosines[pair] - second * sines[pair];
          second = second * cosines[pair] + first * sines[pair];
          first = turned;
        }
      }
    }
  });
}

void rotate_positions(Matrix& x, int heads, const RotarySettings& rotary, Index first_position, bool is_back, const Watch& watch) {
  ThreadPool alone(1);
  Rotations(rotary, x.cols() / heads, {first_position, x.rows(), first_position + x.rows()}, is_back, alone, watch)
      .turn(x, heads, alone, watch);
}

RowVector alibi_slopes(int heads) {
  int power = 1;
  while (2 * power <= heads) power *= 2;
  RowVector slopes(heads);
  for (int head = 0; head < heads; ++head) {
    const bool is_extra = head >= power;
    const double exponent = is_extra ? -4.0 * (2 * (head - power) + 1) / power : -8.0 * (head + 1) / power;
    slopes[head] = static_cast<float>(steady_power(2, exponent));
  }
  return slopes;
}

RowVector alibi_by_distance(float slope, Index queries, Index keys) {
  RowVector bias(queries + keys - 1);
  for (Index at = 0; at < bias.size(); ++at) bias[at] = -slope * static_cast<float>(std::abs(at - (queries - 1)));
  return bias;
}

int t5_bucket(Index distance, bool is_bidirectional, const T5Buckets& settings) {
  const int buckets = is_bidirectional ? settings.buckets / 2 : settings.buckets;
  const int first = is_bidirectional && distance > 0 ? buckets : 0;
  const Index far = is_bidirectional ? std::abs(distance) : std::max<Index>(-distance, 0);
  const int exact = buckets / 2;
  if (far < exact) return first + static_cast<int>(far);
  const double ratio = steady_log(static_cast<double>(far) / exact) / steady_log(static_cast<double>(settings.farthest) / exact);
  return first + std::min(exact + static_cast<int>(ratio * (buckets - exact)), buckets - 1);
}

RowVector t5_by_distance(const Matrix& table, int head, bool is_bidirectional, const T5Buckets& settings, Index queries, Index keys) {
  RowVector bias(queries + keys - 1);
  for (Index at = 0; at < bias.size(); ++at) bias[at] = table(t5_bucket(at - (queries - 1), is_bidirectional, settings), head);
  return bias;
}

}  // namespace headlight

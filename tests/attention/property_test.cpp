// Laws of attention over random combinations of shapes and options, against plain loops in double precision. A failing combination is made
// small and printed as code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/attention/positions.h"
#include "tests/attention/attention_case.h"
#include "tests/attention/collect_maps.h"
#include "tests/attention/slow_attention.h"
#include "tests/attention/slow_positions.h"
#include "tests/kernels/random_matrix.h"

namespace headlight {
namespace {

using testing::AttentionCase;
using testing::CasePosition;
using testing::random_matrix;
using testing::SlowHead;

constexpr double kRounding = 0x1p-24;  // of one float32 operation, relative

struct AttentionInput {
  Projected projected;  // before positions
  MultiHeadSettings settings;
  double factor = 1;  // 1/√d_head · 1/temperature before it is rounded
};

class CaseNumbers {
 public:
  explicit CaseNumbers(const AttentionCase& one) : one_(one) {}
  Matrix matrix(std::string_view name, Index rows, Index columns) const {
    return random_matrix(fmt::format("{}.{}", one_.seed, name), rows, columns);
  }
  RowVector row(std::string_view name, Index columns) const { return matrix(name, 1, columns).row(0); }
  RandomStream stream(std::string_view name) const { return {one_.seed, name}; }

 private:
  const AttentionCase& one_;
};

Mask make_mask(const AttentionCase& one, int head, const CaseNumbers& numbers) {
  Mask mask = MaskText(one.mask).cells({one.queries, one.keys, {}});
  RandomStream random = numbers.stream(fmt::format("mask.{}", head));
  const auto below = [&](int bound) { return static_cast<int>(random.next() % static_cast<std::uint64_t>(bound)); };
  const auto paint = [&](const CellBlock& block) {
    for (int query = block.query_begin; query < block.query_end; ++query) {
      for (int key = block.key_begin; key < block.key_end; ++key) mask.set(query, key, block.is_allowed);
    }
  };
  for (int stroke = 0; stroke < one.strokes; ++stroke) {
    const int query = below(one.queries), key = below(one.keys);
    paint({query, query + 1 + below(one.queries - query), key, key + 1 + below(one.keys - key), below(2) == 1});
  }
  for (int query = 0; query < one.queries; ++query) {
    for (int key = 0; key < one.keys; ++key) {
      if (below(100) < one.forbidden_percent) mask.set(query, key, false);
    }
  }
  for (int row = 0; row < one.masked_rows; ++row) {
    const int query = below(one.queries);
    paint({query, query + 1, 0, one.keys, false});
  }
  return mask;
}

constexpr T5Buckets kBuckets{.buckets = 8, .farthest = 11};

bool is_rotary(const AttentionCase& one) {
  return one.position == CasePosition::rotary || one.position == CasePosition::rotary_interleaved;
}

RotarySettings rotary_settings(const AttentionCase& one) {
  return {.dimensions = one.d_head / 2 * 2, .is_interleaved = one.position == CasePosition::rotary_interleaved};
}

Matrix bucket_table(const AttentionCase& one, const CaseNumbers& numbers) {
  return numbers.matrix("buckets", kBuckets.buckets, one.heads());
}

/// What positions add to a head's scores by distance, as the engine makes it.
std::shared_ptr<const RowVector> position_bias(const AttentionCase& one, int head, const CaseNumbers& numbers) {
  const auto shared = [](const RowVector& bias) { return std::make_shared<const RowVector>(bias); };
  if (one.position == CasePosition::alibi) return shared(alibi_by_distance(alibi_slopes(one.heads())[head], one.queries, one.keys));
  const bool is_bidirectional = one.position == CasePosition::t5_bidirectional;
  if (!is_bidirectional && one.position != CasePosition::t5_causal) return nullptr;
  return shared(t5_by_distance(bucket_table(one, numbers), head, is_bidirectional, kBuckets, one.queries, one.keys));
}

/// The same rule with the position's bias cell by cell, from the slow formulas.
HeadRule slow_rule(const AttentionCase& one, int head, HeadRule rule) {
  if (!rule.bias.by_distance) return rule;
  Matrix cells = rule.bias.by_cell ? *rule.bias.by_cell : Matrix::Zero(one.queries, one.keys);
  const Matrix table = bucket_table(one, CaseNumbers(one));
  const double slope = testing::slow_slopes(one.heads())[static_cast<std::size_t>(head)];
  for (int query = 0; query < one.queries; ++query) {
    for (int key = 0; key < one.keys; ++key) {
      const int distance = key - query;
      const bool is_bidirectional = one.position == CasePosition::t5_bidirectional;
      const double bias =
          one.position == CasePosition::alibi
              ? -slope * std::abs(distance)
              : static_cast<double>(table(testing::slow_bucket(distance, is_bidirectional, kBuckets.buckets, kBuckets.farthest), head));
      cells(query, key) += static_cast<float>(bias);
    }
  }
  rule.bias = {.by_distance = nullptr, .by_cell = std::make_shared<const Matrix>(cells)};
  return rule;
}

HeadRule make_rule(const AttentionCase& one, int head, double factor, const CaseNumbers& numbers) {
  const int distances = one.queries + one.keys - 1;
  const auto name = [&](std::string_view part) { return fmt::format("{}.{}", part, head); };
  HeadRule rule{.score = one.score, .factor = static_cast<float>(factor), .softcap = one.softcap};
  rule.parameters =
      std::make_shared<const ScoreParameters>(ScoreParameters{.additive = numbers.row(name("additive"), one.d_head),
                                                              .distance_keys = numbers.matrix(name("R"), distances, one.d_head),
                                                              .key_bias = numbers.row(name("key_bias"), one.d_head),
                                                              .distance_bias = numbers.row(name("S"), distances)});
  if (one.has_cell_bias) {
    Matrix bias = numbers.matrix(name("bias"), one.queries, one.keys);
    RandomStream random = numbers.stream(name("minus_infinity"));
    for (int cell = 0; cell < one.minus_infinities; ++cell) {
      bias.data()[random.next() % static_cast<std::uint64_t>(bias.size())] = -std::numeric_limits<float>::infinity();
    }
    rule.bias.by_cell = std::make_shared<const Matrix>(bias);
  }
  rule.bias.by_distance = position_bias(one, head, numbers);
  if (one.has_sink) rule.sink = 2 * numbers.row(name("sink"), 1)[0];
  rule.mask = std::make_shared<const Mask>(make_mask(one, head, numbers));
  return rule;
}

AttentionInput make_input(const AttentionCase& one) {
  const CaseNumbers numbers(one);
  AttentionInput input;
  input.factor = (one.is_scaled ? 1 / std::sqrt(static_cast<double>(one.d_head)) : 1.0) / static_cast<double>(one.temperature);
  input.projected = {.q = numbers.matrix("q", one.queries, one.heads() * one.d_head),
                     .k = numbers.matrix("k", one.keys, one.kv_heads * one.d_head),
                     .v = numbers.matrix("v", one.keys, one.kv_heads * one.d_value)};
  input.settings.kv_heads = one.kv_heads;
  for (int head = 0; head < one.heads(); ++head) input.settings.rules.push_back(make_rule(one, head, input.factor, numbers));
  return input;
}

/// How q and k reach the heads: turned where positions are rotary.
Projected with_positions(const AttentionCase& one, Projected projected) {
  if (!is_rotary(one) || one.d_head < 2) return projected;
  rotate_positions(projected.q, one.heads(), rotary_settings(one));
  rotate_positions(projected.k, one.kv_heads, rotary_settings(one));
  return projected;
}

double largest_length(const Matrix& rows) {
  return rows.size() == 0 ? 0.0 : static_cast<double>(rows.rowwise().norm().maxCoeff());
}

/// A turned number is off by up to 3 roundings of its pair's length, however small it is itself: a score by that times the length of what
/// the vector is multiplied by. This is what to add to the score's absolute terms, before its factor.
double rotation_magnitude(const Matrix& q, const Matrix& k, const HeadRule& rule) {
  const double q_length = largest_length(q), k_length = largest_length(k);
  switch (rule.score) {
    case ScoreKind::cosine:
      return 1;
    case ScoreKind::additive:
      return largest_length(rule.parameters->additive) * (q_length + k_length);
    case ScoreKind::relative:
      return q_length * (k_length + largest_length(rule.parameters->distance_keys)) + largest_length(rule.parameters->key_bias) * k_length;
    case ScoreKind::dot:
      break;
  }
  return q_length * k_length;
}

/// How far a weight may be from the slow one. A score is a sum of at most 2·d_head + 3 products, then scaled, capped and biased: it is off
/// by at most (2·d_head + 16) roundings of its absolute terms (M), and the subtraction of the largest by 2 more. A weight is e^s / Σ e^s,
/// so off, relative to itself (≤ 1), by twice that, and by one rounding per key of the sum and some for exp and the division.
double weight_tolerance(const AttentionCase& one, double magnitude) {
  return kRounding * (2 * (2 * one.d_head + 18) * magnitude + one.keys + 8);
}

/// z is Σ weight · v with weights of sum ≤ 1: off by as much as the weights and one rounding per key, times the largest |v|.
double z_tolerance(const AttentionCase& one, double magnitude, const Matrix& v) {
  return static_cast<double>(v.cwiseAbs().maxCoeff()) * (weight_tolerance(one, magnitude) + kRounding * (one.keys + 4));
}

/// Does something to a head's weights before they are looked at: a planted failure.
using Spoil = std::function<void(const AttentionCase& one, Matrix& weights)>;

/// The laws a row must keep by itself; what it breaks, or empty.
std::string broken_row_law(const Matrix& weights, Index query, const HeadRule& rule, const testing::Row& slow, bool is_flagged) {
  bool has_key = false;
  double sum = 0, slow_sum = 0;
  for (Index key = 0; key < weights.cols(); ++key) {
    const bool is_forbidden = !rule.mask->allows(query, key) || (rule.bias.by_cell && std::isinf((*rule.bias.by_cell)(query, key)));
    const float weight = weights(query, key);
    if (is_forbidden && weight != 0.0F) return fmt::format("forbidden key {} has weight {}", key, weight);
    if (!(weight >= 0.0F && weight <= 1.00001F)) return fmt::format("key {} has weight {}", key, weight);
    has_key = has_key || !is_forbidden;
    sum += static_cast<double>(weight);
    slow_sum += slow[static_cast<std::size_t>(key)];
  }
  if (!has_key && (sum != 0 || !is_flagged)) return fmt::format("without an allowed key the sum is {}, flagged: {}", sum, is_flagged);
  if (has_key && is_flagged && slow_sum > 1e-30) return "flagged as masked though keys are allowed";
  const double expected = !has_key ? 0.0 : rule.sink ? slow_sum : 1.0;  // less the sink's share
  return std::abs(sum - expected) <= 1e-5 ? "" : fmt::format("the weights sum to {} instead of {}", sum, expected);
}

struct Checked {
  std::string broken;        // empty: every law holds
  double nearest_bound = 0;  // largest error, as a share of its tolerance
};

Matrix columns(const Matrix& joined, int number, int width) {
  return joined.middleCols(number * width, width);
}

SlowHead slow_opinion(const AttentionCase& one, const AttentionInput& input, int head) {
  const int kv_head = head / one.heads_per_kv;
  const Matrix q = columns(input.projected.q, head, one.d_head), k = columns(input.projected.k, kv_head, one.d_head);
  const HeadRule rule = slow_rule(one, head, input.settings.rules[static_cast<std::size_t>(head)]);
  const auto turned = [&](const Matrix& x) {
    const RotarySettings rotary = rotary_settings(one);
    const auto dimensions = static_cast<std::size_t>(is_rotary(one) ? rotary.dimensions : 0);
    return testing::slow_rotate(testing::to_table(x), dimensions, rotary.is_interleaved);
  };
  const testing::Table v = testing::to_table(columns(input.projected.v, kv_head, one.d_value));
  SlowHead slow = testing::slow_head(turned(q), turned(k), v, rule, input.factor);
  if (is_rotary(one)) slow.magnitude += rotation_magnitude(q, k, rule) * input.factor;
  return slow;
}

void check_head(const AttentionCase& one, const AttentionInput& input, const Projected& projected, int head, const Matrix& weights,
                const Matrix& z, Checked& checked) {
  const HeadRule& rule = input.settings.rules[static_cast<std::size_t>(head)];
  const int kv_head = head / one.heads_per_kv;
  const Matrix v = columns(projected.v, kv_head, one.d_value);
  const SlowHead slow = slow_opinion(one, input, head);
  const auto fail = [&](const std::string& what) {
    if (checked.broken.empty()) checked.broken = fmt::format("head {}: {}", head, what);
  };

  const HeadMaps maps = compute_maps(columns(projected.q, head, one.d_head), columns(projected.k, kv_head, one.d_head), rule);
  for (Index query = 0; query < one.queries; ++query) {
    const auto at = static_cast<std::size_t>(query);
    const std::string broken = broken_row_law(weights, query, rule, slow.weights[at], maps.is_row_masked[at]);
    if (!broken.empty()) fail(fmt::format("query {}: {}", query, broken));
  }
  if (maps.weights != weights) fail("the weights differ from those of compute_maps");

  const auto compare = [&](const char* what, double difference, double tolerance) {
    if (!(difference <= tolerance))
      fail(fmt::format("{} differ from the slow opinion by {:.2e}, more than {:.2e}", what, difference, tolerance));
    checked.nearest_bound = std::max(checked.nearest_bound, difference / tolerance);
  };
  compare("weights", testing::largest_difference(slow.weights, weights), weight_tolerance(one, slow.magnitude));
  compare("z", testing::largest_difference(slow.z, z.middleCols(head * one.d_value, one.d_value)), z_tolerance(one, slow.magnitude, v));
}

Checked check(const AttentionCase& one, const Spoil& spoil = {}) {
  const AttentionInput input = make_input(one);
  const Projected projected = with_positions(one, input.projected);
  ThreadPool pool(1);
  std::vector<Matrix> weights;
  const HeadObserver observer = testing::collect_maps(weights, one.heads(), projected.q.rows(), projected.k.rows());
  const Matrix z = attend_heads(projected, input.settings, pool, observer);
  for (Matrix& map : weights) {
    if (spoil) spoil(one, map);
  }
  Checked checked;
  for (int head = 0; head < one.heads(); ++head)
    check_head(one, input, projected, head, weights[static_cast<std::size_t>(head)], z, checked);
  return checked;
}

/// What to print of a failing case.
std::string small_failure(const AttentionCase& failing, const Spoil& spoil = {}) {
  const AttentionCase small = testing::shrink(failing, [&](const AttentionCase& one) { return !check(one, spoil).broken.empty(); });
  return fmt::format("{};  // {}", to_code(small), check(small, spoil).broken);
}

// Seeds D1, D6, S3-5, S3-8 and S2-1: rows sum to 1, or 1 less the sink's share, or are zeros and flagged; forbidden weights are exactly 0;
// weights and z are those of plain loops in double precision, for d_value other than d_head too.
TEST(AttentionProperties, HoldForTenThousandRandomCombinations) {
  double nearest_bound = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    const AttentionCase one = testing::random_case(seed);
    const Checked checked = check(one);
    ASSERT_EQ(checked.broken, "") << to_code(one) << "\nmade small: " << small_failure(one);
    nearest_bound = std::max(nearest_bound, checked.nearest_bound);
  }
  std::printf("largest error: %.3f of its tolerance\n", nearest_bound);
  EXPECT_GT(nearest_bound, 0.01) << "the tolerance is too wide to notice anything";
}

/// Every option must really be met, or the laws above say less than they seem to.
TEST(AttentionProperties, RandomCombinationsMeetEveryOption) {
  std::vector<int> scores(score_functions().size()), positions(std::size(testing::kCasePositions));
  int sinks = 0, caps = 0, biases = 0, infinities = 0, groups = 0, masked_rows = 0, crosswise = 0, widths = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const AttentionCase one = testing::random_case(seed);
    ++scores[static_cast<std::size_t>(one.score)];
    ++positions[static_cast<std::size_t>(one.position)];
    sinks += one.has_sink;
    caps += one.softcap > 0;
    biases += one.has_cell_bias;
    infinities += one.minus_infinities > 0;
    groups += one.heads_per_kv > 1 && one.kv_heads > 1;
    crosswise += one.queries != one.keys;
    widths += one.d_head != one.d_value;
    for (const HeadRule& rule : make_input(one).settings.rules) {
      for (Index query = 0; query < one.queries; ++query) masked_rows += rule.mask->allowed_in_row(query) == 0;
    }
  }
  for (const int count : scores) EXPECT_GT(count, 150);
  for (const int count : positions) EXPECT_GT(count, 100);
  for (const int count : {sinks, caps, biases, infinities, groups, masked_rows, crosswise, widths}) EXPECT_GT(count, 100);
}

/// A planted failure that needs a sink, four keys and two queries: nothing else may be left of the case.
TEST(Shrinking, LeavesOnlyWhatTheFailureNeeds) {
  const auto fails = [](const AttentionCase& one) { return one.has_sink && one.keys >= 4 && one.queries >= 2; };
  int found = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AttentionCase one = testing::random_case(seed);
    if (!fails(one)) continue;
    ++found;
    EXPECT_EQ(to_code(shrink(one, fails)), fmt::format("AttentionCase{{.seed = {}, .queries = 2, .keys = 4, .has_sink = true}}", seed));
  }
  EXPECT_GT(found, 10);
}

/// The whole way: weights spoiled where there is a soft-cap and a third key are found, made small and printed.
TEST(Shrinking, FindsAPlantedFaultAndPrintsItSmallAsCode) {
  const Spoil spoil = [](const AttentionCase& one, Matrix& weights) {
    if (one.softcap > 0 && one.keys >= 3) weights(0, 2) += 0.01F;
  };
  std::uint64_t seed = 0;
  while (check(testing::random_case(seed), spoil).broken.empty()) ++seed;
  EXPECT_EQ(check(testing::random_case(seed)).broken, "") << "without the fault nothing is wrong";
  const float softcap = testing::random_case(seed).softcap;
  const std::string printed = small_failure(testing::random_case(seed), spoil);
  const std::string expected = fmt::format("AttentionCase{{.seed = {}, .keys = 3, .softcap = {}}};  // head 0: query 0: ", seed, softcap);
  EXPECT_EQ(printed.substr(0, expected.size()), expected);
}

TEST(Shrinking, TheSmallestCaseHasNothingSmaller) {
  EXPECT_TRUE(testing::smaller_cases(AttentionCase{}).empty());
  EXPECT_EQ(to_code(AttentionCase{}), "AttentionCase{.seed = 1}");
  EXPECT_EQ(check(AttentionCase{}).broken, "");
}

}  // namespace
}  // namespace headlight

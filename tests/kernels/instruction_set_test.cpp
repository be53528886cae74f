// Every instruction set gives the same bits, and functions of numbers keep their stated errors.
#include "engine/kernels/instruction_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/core/random.h"
#include "engine/kernels/steady_functions.h"

namespace headlight {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Those that this machine can run; the portable one is always among them.
std::vector<const InstructionSet*> runnable() {
  std::vector<const InstructionSet*> sets;
  for (const InstructionSet* set : {&kPortableInstructions, &kAvx2Instructions, &kAvx512Instructions}) {
    if (set->is_supported()) sets.push_back(set);
  }
  return sets;
}

std::vector<float> random_numbers(std::size_t count, float scale) {
  RandomStream stream(1, "lanes");
  std::vector<float> numbers(count);
  for (float& number : numbers) number = scale * stream.next_normal();
  return numbers;
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& numbers) {
  std::vector<std::uint32_t> bits;
  for (const float number : numbers) bits.push_back(std::isnan(number) ? 0x7FC00000U : std::bit_cast<std::uint32_t>(number));
  return bits;
}

/// Numbers of every size and sign: each step-th of all floats, and those that are none.
std::vector<float> floats_of_every_size(std::uint32_t step) {
  std::vector<float> numbers = {0.0F, -0.0F, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()};
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32U; bits += step) {
    const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (std::isfinite(number)) numbers.push_back(number);
  }
  return numbers;
}

constexpr LaneFunction kFunctions[] = {LaneFunction::exp,       LaneFunction::log,  LaneFunction::tanh,
                                       LaneFunction::erf,       LaneFunction::relu, LaneFunction::gelu_erf,
                                       LaneFunction::gelu_tanh, LaneFunction::silu, LaneFunction::gelu_quick};

TEST(InstructionSets, FunctionsOfNumbersHaveEqualBits) {
  const std::vector<float> all = floats_of_every_size(9973);
  for (const LaneFunction function : kFunctions) {
    std::vector<float> expected = all;
    kPortableInstructions.apply(function, expected.data(), std::ssize(expected));
    for (const InstructionSet* set : runnable()) {
      std::vector<float> found = all;
      set->apply(function, found.data(), std::ssize(found));
      EXPECT_EQ(bits_of(found), bits_of(expected)) << set->name << ", function " << static_cast<int>(function);
    }
  }
}

TEST(InstructionSets, AFinishedRowHasTheBitsOfItsSteps) {
  for (const std::size_t count : {1U, 16U, 47U, 48U}) {
    const std::vector<float> row = random_numbers(count, 2), bias = random_numbers(count, 1), factor = random_numbers(count, 3),
                             stream = random_numbers(count, 4);
    for (const LaneFunction function : kFunctions) {
      if (function == LaneFunction::log) continue;  // not of negative numbers
      std::vector<float> steps = row;
      for (std::size_t at = 0; at < count; ++at) steps[at] += bias[at];
      kPortableInstructions.apply(function, steps.data(), std::ssize(steps));
      for (std::size_t at = 0; at < count; ++at) steps[at] *= factor[at];
      for (std::size_t at = 0; at < count; ++at) steps[at] += stream[at];
      for (const InstructionSet* set : runnable()) {
        std::vector<float> at_once = row;
        set->finish({at_once.data(), std::ssize(at_once), bias.data(), &function, factor.data(), stream.data()});
        EXPECT_EQ(bits_of(at_once), bits_of(steps)) << set->name << ", function " << static_cast<int>(function);
      }
    }
  }
}

TEST(InstructionSets, ANumberAloneIsThatAmongMany) {
  const std::vector<float> many = random_numbers(53, 3);
  for (const InstructionSet* set : runnable()) {
    for (const LaneFunction function : kFunctions) {
      std::vector<float> together = many, alone = many;
      set->apply(function, together.data(), std::ssize(together));
      for (float& number : alone) set->apply(function, &number, 1);
      EXPECT_EQ(alone, together) << set->name;
    }
  }
}

TEST(InstructionSets, RowsHaveEqualBits) {
  for (std::size_t count : {1U, 2U, 15U, 16U, 17U, 64U, 100U, 515U}) {
    const std::vector<float> row = random_numbers(count, 2), gain = random_numbers(count, 1), bias = random_numbers(count, 0.1F);
    std::vector<std::uint8_t> allowed(count + 16, 1);
    for (std::size_t at = 1; at < count; at += 3) allowed[at] = 0;
    const auto run = [&](const InstructionSet& set) {
      std::vector<float> weights = row, normal(count), plain(count);
      set.mask(weights.data(), allowed.data(), std::ssize(weights));
      std::vector<float> with_sink = weights;
      EXPECT_TRUE(set.softmax({.numbers = weights.data(), .count = std::ssize(weights)}));
      EXPECT_TRUE(set.softmax({.numbers = with_sink.data(), .count = std::ssize(weights), .has_sink = true, .sink = 1}));
      set.normalise({row.data(), gain.data(), bias.data(), normal.data(), std::ssize(row), 1e-5F, true});
      set.normalise({row.data(), gain.data(), nullptr, plain.data(), std::ssize(row), 1e-6F, false});
      for (const std::vector<float>* more : {&with_sink, &normal, &plain}) weights.insert(weights.end(), more->begin(), more->end());
      return bits_of(weights);
    };
    const auto expected = run(kPortableInstructions);
    for (const InstructionSet* set : runnable()) EXPECT_EQ(run(*set), expected) << set->name << ", " << count << " numbers";
  }
}

TEST(InstructionSets, MeasuresOfARowHaveEqualBitsAndZerosAtItsEndChangeNothing) {
  for (std::size_t count : {1U, 2U, 15U, 16U, 17U, 64U, 100U, 515U}) {
    std::vector<float> weights = random_numbers(count, 2);
    ASSERT_TRUE(kPortableInstructions.softmax({.numbers = weights.data(), .count = std::ssize(weights)}));
    weights.resize(count + 37);
    double entropy = 0, distance = 0;
    for (std::size_t key = 0; key < count; ++key) {
      const double weight = static_cast<double>(weights[key]);
      entropy -= weight * std::log(weight);
      distance += weight * std::abs(static_cast<double>(key) - 7);
    }
    const double expected = kPortableInstructions.entropy(weights.data(), std::ssize(weights));
    EXPECT_NEAR(expected, entropy, 1e-6 * std::max(1.0, entropy));
    EXPECT_NEAR(kPortableInstructions.distance(weights.data(), std::ssize(weights), 7), distance, 1e-6 * std::max(1.0, distance));
    for (const InstructionSet* set : runnable()) {
      for (const std::size_t length : {count, count + 1, count + 37}) {
        const auto keys = static_cast<std::int64_t>(length);
        EXPECT_EQ(set->entropy(weights.data(), keys), expected) << set->name;
        EXPECT_EQ(set->distance(weights.data(), keys, 7), kPortableInstructions.distance(weights.data(), keys, 7)) << set->name;
        EXPECT_EQ(set->distance(weights.data(), keys, 7), set->distance(weights.data(), std::ssize(weights), 7)) << set->name;
      }
    }
  }
}

TEST(InstructionSets, TotalsOfARowAreThoseOfItsNumbers) {
  for (std::size_t count : {1U, 2U, 15U, 16U, 17U, 64U, 100U, 515U}) {
    std::vector<float> weights = random_numbers(count, 2);
    ASSERT_TRUE(kPortableInstructions.softmax({.numbers = weights.data(), .count = std::ssize(weights)}));
    const float bound = weights[count / 2];
    double mass = 0, heavy = 0;
    std::int64_t heavy_count = 0;
    for (const float weight : weights) {
      mass += static_cast<double>(weight);
      heavy += weight >= bound ? static_cast<double>(weight) : 0.0;
      heavy_count += weight >= bound ? 1 : 0;
    }
    for (const InstructionSet* set : runnable()) {
      const RowTotals totals = set->totals(weights.data(), std::ssize(weights));
      const HeavyWeights found = set->heavy(weights.data(), std::ssize(weights), bound);
      EXPECT_EQ(totals.largest, *std::max_element(weights.begin(), weights.end())) << set->name;
      EXPECT_NEAR(totals.mass, mass, 1e-15);
      EXPECT_EQ(totals.mass, kPortableInstructions.totals(weights.data(), std::ssize(weights)).mass) << set->name;
      EXPECT_EQ(found.count, heavy_count) << set->name;
      EXPECT_NEAR(found.mass, heavy, 1e-15);
      EXPECT_EQ(found.mass, kPortableInstructions.heavy(weights.data(), std::ssize(weights), bound).mass) << set->name;
      EXPECT_EQ(set->heavy(weights.data(), std::ssize(weights), 0).mass, totals.mass) << set->name << ": all weights";
      std::vector<float> scaled(count + 1, 7);
      set->scale(weights.data(), std::ssize(weights), 3, scaled.data());
      for (std::size_t at = 0; at < count; ++at) EXPECT_EQ(scaled[at], weights[at] * 3);
      EXPECT_EQ(scaled[count], 7) << "nothing is written behind the row";
      for (std::size_t place = 0; place < count; ++place) {
        std::vector<float> other = weights;
        other[place] = std::numeric_limits<float>::quiet_NaN();
        EXPECT_TRUE(std::isnan(set->totals(other.data(), std::ssize(other)).largest)) << set->name << ", " << place << " of " << count;
      }
    }
  }
}

TEST(InstructionSets, LogarithmsAndPowersAreThoseOfTheSteadyFunctions) {
  RandomStream random(5, "logs");
  std::vector<double> numbers = {
      1, 0.5, 2, std::numbers::sqrt2 / 2, std::numbers::sqrt2, 1e-300, 1e300, std::numeric_limits<double>::min()};
  for (int draw = 0; draw < 1001; ++draw) numbers.push_back(std::exp(200 * static_cast<double>(random.next_normal())));
  std::erase_if(numbers, [](double number) { return !std::isnormal(number); });
  for (const InstructionSet* set : runnable()) {
    std::vector<double> logs = numbers;
    set->logs(logs.data(), std::ssize(logs));
    for (std::size_t at = 0; at < logs.size(); ++at) EXPECT_EQ(logs[at], steady_log(numbers[at])) << set->name << ", " << numbers[at];
    std::vector<double> exponents = {0, -0.0, 1, 700, -700, std::nan(""), 0.5, -0.5};
    exponents.insert(exponents.end(), logs.begin(), logs.end());
    for (double& exponent : exponents) exponent = std::clamp(exponent, -700.0, 700.0);
    std::vector<double> powers = exponents;
    set->exps(powers.data(), std::ssize(powers));
    for (std::size_t at = 0; at < powers.size(); ++at) {
      const bool is_nan = std::isnan(exponents[at]);
      EXPECT_TRUE(is_nan ? std::isnan(powers[at]) : powers[at] == steady_exp(exponents[at])) << set->name << ", " << exponents[at];
    }
  }
}

TEST(InstructionSets, QuadraticFormsHaveEqualBits) {
  for (const std::size_t width : {1U, 15U, 16U, 24U, 64U, 100U}) {
    const std::size_t stride = (width + 15) / 16 * 16;
    const std::vector<float> numbers = random_numbers(width * width, 1), z = random_numbers(width, 1);
    std::vector<double> matrix(width * stride, 0.0);
    for (std::size_t row = 0; row < width; ++row) {
      for (std::size_t column = 0; column <= row; ++column) {
        matrix[row * stride + column] = matrix[column * stride + row] = static_cast<double>(numbers[row * width + column]);
      }
    }
    double expected = 0;
    for (std::size_t row = 0; row < width; ++row) {
      double part = 0;
      for (std::size_t column = 0; column < width; ++column) part += matrix[row * stride + column] * static_cast<double>(z[column]);
      expected += part * static_cast<double>(z[row]);
    }
    for (const InstructionSet* set : runnable()) {
      const QuadraticForm form{matrix.data(), static_cast<std::int64_t>(width), static_cast<std::int64_t>(stride), z.data()};
      EXPECT_EQ(set->quadratic(form), expected) << set->name << ", width " << width;
    }
  }
}

TEST(InstructionSets, TheLargestOfARowIsNanWhereANumberIs) {
  for (std::size_t count : {1U, 15U, 16U, 33U}) {
    std::vector<float> row = random_numbers(count, 3);
    const float largest = *std::max_element(row.begin(), row.end());
    for (const InstructionSet* set : runnable()) {
      EXPECT_EQ(set->largest(row.data(), std::ssize(row)), largest) << set->name;
      EXPECT_EQ(set->largest(row.data(), 0), -kInfinity);
      for (const float odd : {kInfinity, -kInfinity}) {
        std::vector<float> other = row;
        other[count / 2] = odd;
        EXPECT_EQ(set->largest(other.data(), std::ssize(other)), *std::max_element(other.begin(), other.end())) << set->name;
      }
      for (std::size_t place = 0; place < count; ++place) {
        std::vector<float> other = row;
        other[place] = std::numeric_limits<float>::quiet_NaN();
        EXPECT_TRUE(std::isnan(set->largest(other.data(), std::ssize(other)))) << set->name << ", " << place << " of " << count;
      }
    }
  }
}

TEST(InstructionSets, FactorAndMaskInsideTheSoftmaxAreThoseBeforeIt) {
  for (std::size_t count : {1U, 15U, 16U, 17U, 100U}) {
    const std::vector<float> scores = random_numbers(count, 20);
    std::vector<std::uint8_t> allowed(count + 16, 1);
    for (std::size_t at = 1; at < count; at += 3) allowed[at] = 0;
    for (const InstructionSet* set : runnable()) {
      for (const float factor : {0.125F, -0.3F}) {
        std::vector<float> steps = scores, at_once = scores;
        for (float& number : steps) number *= factor;
        set->mask(steps.data(), allowed.data(), std::ssize(steps));
        EXPECT_TRUE(set->softmax({.numbers = steps.data(), .count = std::ssize(steps)}));
        EXPECT_TRUE(set->softmax({at_once.data(), std::ssize(at_once), factor, allowed.data()}));
        EXPECT_EQ(bits_of(at_once), bits_of(steps)) << set->name << ", " << count << " numbers";
      }
    }
  }
}

/// The chain of a product, number by number.
float chain(const float* a, const float* b, std::int64_t step, std::int64_t count, float sum) {
  for (std::int64_t k = 0; k < count; ++k) sum = std::fma(a[k], b[k * step], sum);
  return sum;
}

TEST(InstructionSets, ProductsWithRowsAsTheyLieAreTheChainOfPanels) {
  constexpr std::int64_t kStride = 150;
  for (const std::int64_t count : {1, 15, 16, 17, 50}) {
    const std::vector<float> rows = random_numbers(static_cast<std::size_t>(count * kStride), 1);
    for (const std::int64_t width : {1, 15, 16, 17, 64, 67, 130}) {
      const std::vector<float> a = random_numbers(static_cast<std::size_t>(std::max(width, count)), 1);
      for (const InstructionSet* set : runnable()) {
        std::vector<float> products(static_cast<std::size_t>(count)), sums(static_cast<std::size_t>(width), 0.5F);
        set->multiply_rows({a.data(), rows.data(), kStride, count, width, products.data()});
        set->add_rows({a.data(), rows.data(), kStride, count, width, sums.data()});
        for (std::int64_t row = 0; row < count; ++row) {
          ASSERT_EQ(products[static_cast<std::size_t>(row)], chain(a.data(), rows.data() + row * kStride, 1, width, 0)) << set->name;
        }
        for (std::int64_t column = 0; column < width; ++column) {
          ASSERT_EQ(sums[static_cast<std::size_t>(column)], chain(a.data(), rows.data() + column, kStride, count, 0.5F)) << set->name;
        }
      }
    }
  }
}

TEST(InstructionSets, ARowThatHasNoFiniteLargestNumberIsLeftAlone) {
  for (const float odd : {kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (const InstructionSet* set : runnable()) {
      for (std::size_t place : {0U, 18U, 19U}) {
        std::vector<float> row(20, 1);
        row[place] = odd;
        const std::vector<float> before = row;
        EXPECT_FALSE(set->softmax({.numbers = row.data(), .count = 20}));
        EXPECT_EQ(bits_of(row), bits_of(before));
      }
      std::vector<float> masked(20, -kInfinity);
      EXPECT_FALSE(set->softmax({.numbers = masked.data(), .count = 20}));
    }
  }
}

std::vector<float> product_with(const InstructionSet& set, PanelType type, const PanelProduct& like, const std::vector<float>& a,
                                const void* panel) {
  std::vector<float> out(static_cast<std::size_t>(like.rows * like.columns), 0.25F);
  PanelProduct product = like;
  product.a = a.data();
  product.a_stride = like.depth;
  product.panel = panel;
  product.out = out.data();
  product.out_stride = like.columns;
  set.multiply[static_cast<std::size_t>(type)](product);
  return out;
}

TEST(InstructionSets, ProductsHaveEqualBitsInEveryTypeOfPanel) {
  constexpr std::int64_t kDepth = 70;
  const std::vector<float> floats = random_numbers(kDepth * 48, 1);
  std::vector<std::uint16_t> halves;
  for (const float number : floats) halves.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16U));
  for (std::uint16_t& half : halves) half &= 0xBFFFU;  // no infinities as float16
  for (const std::int64_t rows : {1, 2, 5, 6, 7, 8, 9, 12, 17}) {
    const std::vector<float> a = random_numbers(static_cast<std::size_t>(rows * kDepth), 1);
    for (const std::int64_t width : {16, 32, 48}) {
      for (const std::int64_t missing : {0, 3, 15}) {
        for (const bool adds : {false, true}) {
          const PanelProduct like{.rows = rows, .depth = kDepth, .width = width, .columns = width - missing, .adds = adds};
          for (const PanelType type : {PanelType::float32, PanelType::bfloat16, PanelType::float16}) {
            const void* panel = type == PanelType::float32 ? static_cast<const void*>(floats.data()) : halves.data();
            const auto expected = bits_of(product_with(kPortableInstructions, type, like, a, panel));
            for (const InstructionSet* set : runnable()) {
              ASSERT_EQ(bits_of(product_with(*set, type, like, a, panel)), expected)
                  << set->name << ", " << rows << " rows, width " << width;
            }
          }
        }
      }
    }
  }
}

/// Distance in units of the last place of the exact result.
double ulps(float found, double exact) {
  if (static_cast<double>(found) == exact || (std::isinf(found) && std::abs(exact) > std::numeric_limits<float>::max())) return 0;
  const int power = std::max(std::ilogb(exact), std::numeric_limits<float>::min_exponent - 1);
  return std::abs(static_cast<double>(found) - exact) / std::ldexp(1.0, power - 23);
}

struct Bound {
  LaneFunction function;
  double (*exact)(double);
  double ulps;
};

TEST(InstructionSets, FunctionsKeepTheirStatedErrors) {
  const Bound bounds[] = {{LaneFunction::exp, [](double x) { return std::exp(x); }, 1.0},
                          {LaneFunction::log, [](double x) { return std::log(x); }, 1.0},
                          {LaneFunction::tanh, [](double x) { return std::tanh(x); }, 2.0},
                          {LaneFunction::erf, [](double x) { return std::erf(x); }, 2.0}};
  const std::vector<float> all = floats_of_every_size(1013);
  const auto of_normal_numbers = [&](float number) { return std::isnormal(number) && number > 0; };
  for (const Bound& bound : bounds) {
    std::vector<float> found = all;
    instruction_set().apply(bound.function, found.data(), std::ssize(found));
    double worst = 0;
    float where = 0;
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (bound.function == LaneFunction::log && !of_normal_numbers(all[at])) continue;
      if (std::isnan(all[at])) {
        EXPECT_TRUE(std::isnan(found[at]));
        continue;
      }
      const double exact = bound.exact(static_cast<double>(all[at]));
      if (std::isinf(exact)) continue;  // ∞ of ∞
      const double error = ulps(found[at], exact);
      if (error > worst) worst = error, where = all[at];
    }
    EXPECT_LE(worst, bound.ulps) << "function " << static_cast<int>(bound.function) << " of " << where;
    RecordProperty("ulps of function " + std::to_string(static_cast<int>(bound.function)), std::to_string(worst));
  }
}

}  // namespace
}  // namespace headlight

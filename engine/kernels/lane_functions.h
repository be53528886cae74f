// Functions of numbers and of rows for one instruction set, written in lanes.
#pragma once

#include "engine/kernels/instruction_set.h"

namespace headlight {
namespace {

template <typename Set>
struct LaneFunctions {
  using Lanes = typename Set::Lanes;
  static constexpr std::int64_t kLane = 16;
  static constexpr float kInfinity = __builtin_inff();

  static Lanes polynomial(Lanes, Lanes sum) { return sum; }
  /// From the highest power down.
  template <typename... Rest>
  static Lanes polynomial(Lanes x, Lanes sum, float next, Rest... rest) {
    return polynomial(x, Set::multiply_add(sum, x, Set::all(next)), rest...);
  }

  /// e^x = 2^n · e^r with |r| ≤ ln 2 / 2. The polynomial is Cephes's (Moshier, expf). 2^n in two factors, so that the smallest numbers
  /// are rounded once and beyond the range there are 0 and ∞.
  static Lanes exp(Lanes x) {
    constexpr float kRounder = 12582912;  // 1.5 · 2^23: adding it rounds to whole numbers
    const Lanes rounder = Set::all(kRounder);
    x = Set::smaller(Set::all(100), Set::larger(Set::all(-110), x));
    const Lanes n = Set::subtract(Set::multiply_add(x, Set::all(1.44269504088896341F), rounder), rounder);
    Lanes r = Set::multiply_add(n, Set::all(-0.693359375F), x);
    r = Set::multiply_add(n, Set::all(2.12194440e-4F), r);
    const Lanes rest =
        polynomial(r, Set::all(1.9875691500E-4F), 1.3981999507E-3F, 8.3334519073E-3F, 4.1665795894E-2F, 1.6666665459E-1F, 5.0000001201E-1F);
    const Lanes power = Set::add(Set::multiply_add(rest, Set::multiply(r, r), r), Set::all(1));
    const Lanes half = Set::subtract(Set::multiply_add(n, Set::all(0.5F), rounder), rounder);
    return Set::multiply(Set::multiply(power, Set::power_of_two(half)), Set::power_of_two(Set::subtract(n, half)));
  }

  /// ln x = ln m + n ln 2 with m from √½ to √2 (Cephes, logf).
  static Lanes log(Lanes x) {
    const Lanes one = Set::all(1), whole = Set::mantissa(x), root = Set::all(0.707106781186547524F);
    const Lanes n = Set::subtract(Set::power(x), Set::if_less(whole, root, one, Set::zero()));
    const Lanes m = Set::subtract(Set::if_less(whole, root, Set::add(whole, whole), whole), one);
    const Lanes square = Set::multiply(m, m);
    const Lanes rest = polynomial(m, Set::all(7.0376836292E-2F), -1.1514610310E-1F, 1.1676998740E-1F, -1.2420140846E-1F, 1.4249322787E-1F,
                                  -1.6668057665E-1F, 2.0000714765E-1F, -2.4999993993E-1F, 3.3333331174E-1F);
    Lanes tail = Set::multiply_add(n, Set::all(-2.12194440e-4F), Set::multiply(Set::multiply(rest, m), square));
    tail = Set::multiply_add(square, Set::all(-0.5F), tail);
    return Set::multiply_add(n, Set::all(0.693359375F), Set::add(m, tail));
  }

  static Lanes negative(Lanes x) { return Set::multiply(x, Set::all(-1)); }
  static Lanes magnitude(Lanes x) { return Set::if_less(x, Set::zero(), negative(x), x); }

  /// An odd polynomial near 0 (Cephes, tanhf), else 1 − 2 / (e^2|x| + 1).
  static Lanes tanh(Lanes x) {
    const Lanes size = magnitude(x), square = Set::multiply(x, x);
    const Lanes odd =
        polynomial(square, Set::all(-5.70498872745E-3F), 2.06390887954E-2F, -5.37397155531E-2F, 1.33314422036E-1F, -3.33332819422E-1F);
    const Lanes small = Set::multiply_add(Set::multiply(odd, square), x, x);
    const Lanes grown = exp(Set::add(size, size));
    const Lanes large = Set::subtract(Set::all(1), Set::divide(Set::all(2), Set::add(grown, Set::all(1))));
    return Set::if_less(size, Set::all(0.625F), small, Set::if_less(x, Set::zero(), negative(large), large));
  }

  /// Up to 1 an odd polynomial, above 1 − e^(−x²) · p(1 / (|x| + 1)); both fitted, to errors of 1.3e-9 and 8.5e-10.
  static Lanes erf(Lanes x) {
    const Lanes size = magnitude(x), square = Set::multiply(x, x), one = Set::all(1);
    const Lanes rest = polynomial(square, Set::all(7.853818719e-05F), -8.010180715e-04F, 5.188326216e-03F, -2.685381116e-02F,
                                  1.128358513e-01F, -3.761262582e-01F, 1.283791671e-01F);
    const Lanes small = Set::multiply_add(x, rest, x);
    const Lanes tail = polynomial(Set::divide(one, Set::add(size, one)), Set::all(4.399270331e-01F), -9.735095437e-01F, 4.121422301e-01F,
                                  5.764899667e-01F, 5.565302120e-01F, 7.748287059e-04F);
    const Lanes large = Set::subtract(one, Set::multiply(exp(negative(square)), tail));
    return Set::if_less(size, one, small, Set::if_less(x, Set::zero(), negative(large), large));
  }

  /// x / (1 + e^y)
  static Lanes gated(Lanes x, Lanes y) { return Set::divide(x, Set::add(Set::all(1), exp(y))); }

  static Lanes gelu_erf(Lanes x) {
    const Lanes half = Set::multiply(x, Set::all(0.5F));
    return Set::multiply(half, Set::add(Set::all(1), erf(Set::multiply(x, Set::all(0.707106781186547524F)))));
  }
  /// (1 + tanh u) / 2 = 1 / (1 + e^(−2u)), u = √(2/π) (x + 0.044715 x³)
  static Lanes gelu_tanh(Lanes x) {
    const Lanes cube = Set::multiply(Set::multiply(x, x), x);
    return gated(x, Set::multiply(Set::multiply_add(cube, Set::all(0.044715F), x), Set::all(-1.59576912160573071F)));
  }

  template <typename Function>
  static void change(float* numbers, std::int64_t count, const Function& function) {
    std::int64_t at = 0;
    for (; at + kLane <= count; at += kLane) Set::store(numbers + at, function(Set::load(numbers + at)));
    if (at < count) Set::store_part(numbers + at, count - at, function(Set::load_part(numbers + at, count - at, 0)));
  }

  /// Calls use(the function, of lanes).
  template <typename Use>
  static void with(LaneFunction function, const Use& use) {
    switch (function) {
      case LaneFunction::exp:
        return use([](Lanes x) { return exp(x); });
      case LaneFunction::log:
        return use([](Lanes x) { return log(x); });
      case LaneFunction::tanh:
        return use([](Lanes x) { return tanh(x); });
      case LaneFunction::erf:
        return use([](Lanes x) { return erf(x); });
      case LaneFunction::relu:
        return use([](Lanes x) { return Set::larger(x, Set::zero()); });
      case LaneFunction::gelu_erf:
        return use([](Lanes x) { return gelu_erf(x); });
      case LaneFunction::gelu_tanh:
        return use([](Lanes x) { return gelu_tanh(x); });
      case LaneFunction::silu:
        return use([](Lanes x) { return gated(x, negative(x)); });
      case LaneFunction::gelu_quick:
        return use([](Lanes x) { return gated(x, Set::multiply(x, Set::all(-1.702F))); });
    }
  }

  static void apply(LaneFunction function, float* numbers, std::int64_t count) {
    with(function, [&](const auto& of_lanes) { change(numbers, count, of_lanes); });
  }

  /// Calls use(numbers, at, how many) for sixteen numbers at a time; what is missing at the end is `rest`.
  template <typename Use>
  static void for_lanes(const float* numbers, std::int64_t count, float rest, const Use& use) {
    std::int64_t at = 0;
    for (; at + kLane <= count; at += kLane) use(Set::load(numbers + at), at, kLane);
    if (at < count) use(Set::load_part(numbers + at, count - at, rest), at, count - at);
  }
  static void store_some(float* to, std::int64_t count, Lanes a) {
    if (count == kLane) {
      Set::store(to, a);
    } else {
      Set::store_part(to, count, a);
    }
  }

  static Lanes load_some(const float* from, std::int64_t count) {
    return count == kLane ? Set::load(from) : Set::load_part(from, count, 0);
  }

  template <typename Function>
  static void finish_with(const FinishRow& row, const Function& function) {
    for_lanes(row.numbers, row.count, 0, [&](Lanes x, std::int64_t at, std::int64_t count) {
      if (row.bias != nullptr) x = Set::add(x, load_some(row.bias + at, count));
      x = function(x);
      if (row.factor != nullptr) x = Set::multiply(x, load_some(row.factor + at, count));
      if (row.stream != nullptr) x = Set::add(x, load_some(row.stream + at, count));
      store_some(row.numbers + at, count, x);
    });
  }
  static void finish(const FinishRow& row) {
    if (row.function == nullptr) return finish_with(row, [](Lanes x) { return x; });
    with(*row.function, [&](const auto& of_lanes) { finish_with(row, of_lanes); });
  }

  /// Of the lanes, halved until one is left: the same tree in every instruction set.
  template <typename Number, typename Join>
  static Number fold(Number* lanes, const Join& join) {
    for (int half = 8; half > 0; half /= 2) {
      for (int at = 0; at < half; ++at) lanes[at] = join(lanes[at], lanes[at + half]);
    }
    return lanes[0];
  }

  static void mask(float* numbers, const std::uint8_t* allowed, std::int64_t count) {
    const Lanes never = Set::all(-kInfinity);
    std::int64_t at = 0;
    for (; at + kLane <= count; at += kLane) Set::store(numbers + at, Set::if_allowed(allowed + at, Set::load(numbers + at), never));
    for (; at < count; ++at) numbers[at] = allowed[at] != 0 ? numbers[at] : -kInfinity;
  }

  /// −∞ in the lanes beyond `count`, and where allowed is 0; null: all are allowed.
  static Lanes masked(const std::uint8_t* allowed, std::int64_t count, Lanes x) {
    if (count == kLane) return allowed == nullptr ? x : Set::if_allowed(allowed, x, Set::all(-kInfinity));
    std::uint8_t some[kLane] = {};
    for (std::int64_t at = 0; at < count; ++at) some[at] = allowed == nullptr ? 1 : allowed[at];
    return Set::if_allowed(some, x, Set::all(-kInfinity));
  }

  /// Applies factor and mask. Returns whether all numbers can be subtracted from the largest: it is finite and none is NaN.
  static bool find_largest(const SoftmaxRow& row, float& largest) {
    const Lanes factor = Set::all(row.factor);
    const bool changes = row.factor != 1 || row.allowed != nullptr;
    Lanes most = Set::all(-kInfinity), odd = Set::zero();  // odd: 0 · x is NaN for ∞ and NaN; −∞ is allowed
    for_lanes(row.numbers, row.count, -kInfinity, [&](Lanes x, std::int64_t at, std::int64_t count) {
      if (changes) {
        x = masked(row.allowed == nullptr ? nullptr : row.allowed + at, count, Set::multiply(x, factor));
        store_some(row.numbers + at, count, x);
      }
      most = Set::larger(most, x);
      odd = Set::multiply_add(Set::larger(Set::zero(), x), Set::zero(), odd);
    });
    float lanes[kLane], odds[kLane];
    Set::store(lanes, most);
    Set::store(odds, odd);
    largest = fold(lanes, [](float a, float b) { return a > b ? a : b; });
    const float all = fold(odds, [](float a, float b) { return a + b; });
    return all == 0 && largest > -kInfinity;
  }

  static bool softmax(const SoftmaxRow& row) {
    float largest = 0;
    if (!find_largest(row, largest)) return false;
    if (row.has_sink && row.sink > largest) largest = row.sink;
    const Lanes top = Set::all(largest);
    Lanes sums = Set::zero();
    for_lanes(row.numbers, row.count, -kInfinity, [&](Lanes x, std::int64_t at, std::int64_t count) {
      const Lanes power = exp(Set::subtract(x, top));
      sums = Set::add(sums, power);
      store_some(row.numbers + at, count, power);
    });
    float lanes[kLane];
    Set::store(lanes, sums);
    float total = fold(lanes, [](float a, float b) { return a + b; });
    if (row.has_sink) {
      Set::store(lanes, exp(Set::all(row.sink - largest)));
      total += lanes[0];
    }
    const Lanes whole = Set::all(total);
    change(row.numbers, row.count, [&](Lanes x) { return Set::divide(x, whole); });
    return true;
  }

  static float largest(const float* numbers, std::int64_t count) {
    Lanes most = Set::all(-kInfinity), odd = Set::zero();  // odd: NaN stays NaN, and nothing else becomes it
    for_lanes(numbers, count, -kInfinity, [&](Lanes x, std::int64_t, std::int64_t) {
      most = Set::larger(most, x);
      odd = Set::add(odd, Set::multiply(Set::larger(Set::all(-1), Set::smaller(Set::all(1), x)), Set::zero()));
    });
    float lanes[kLane], odds[kLane];
    Set::store(lanes, most);
    Set::store(odds, odd);
    const float found = fold(lanes, [](float a, float b) { return a > b ? a : b; });
    const float all = fold(odds, [](float a, float b) { return a + b; });
    return all == 0 ? found : __builtin_nanf("");
  }

  static double entropy(const float* weights, std::int64_t count) {
    const Lanes tiny = Set::all(1.17549435e-38F);  // the smallest normal number: inside the logarithm of 0
    typename Set::Doubles sums = Set::no_doubles();
    for_lanes(weights, count, 0,
              [&](Lanes x, std::int64_t, std::int64_t) { Set::add_doubles(sums, Set::multiply(x, log(Set::larger(tiny, x)))); });
    return 0 - Set::sum(sums);  // 0, not −0, where one key has all
  }

  /// A sum with NaN is NaN.
  static RowTotals totals(const float* weights, std::int64_t count) {
    Lanes most = Set::all(-kInfinity);
    typename Set::Doubles sums = Set::no_doubles();
    const auto add = [&](Lanes x, Lanes compared) {
      most = Set::larger(most, compared);
      Set::add_doubles(sums, x);
    };
    std::int64_t at = 0;
    for (; at + kLane <= count; at += kLane) {
      const Lanes x = Set::load(weights + at);
      add(x, x);
    }
    if (at < count) add(Set::load_part(weights + at, count - at, 0), Set::load_part(weights + at, count - at, -kInfinity));
    const double mass = Set::sum(sums);
    return {mass == mass ? Set::largest(most) : __builtin_nanf(""), mass};
  }

  static HeavyWeights heavy(const float* weights, std::int64_t count, float bound) {
    const Lanes least = Set::all(bound), zero = Set::zero(), one = Set::all(1);
    typename Set::Doubles sums = Set::no_doubles();
    Lanes counts = Set::zero();
    for_lanes(weights, count, -1, [&](Lanes x, std::int64_t, std::int64_t) {
      Set::add_doubles(sums, Set::if_less(x, least, zero, x));
      counts = Set::add(counts, Set::if_less(x, least, zero, one));  // exact: a row of 2^28 keys has 2^24 in a lane
    });
    typename Set::Doubles all = Set::no_doubles();
    Set::add_doubles(all, counts);
    return {static_cast<std::int64_t>(Set::sum(all)), Set::sum(sums)};
  }

  static void scale(const float* numbers, std::int64_t count, float factor, float* out) {
    const Lanes all = Set::all(factor);
    for_lanes(numbers, count, 0, [&](Lanes x, std::int64_t at, std::int64_t some) { store_some(out + at, some, Set::multiply(x, all)); });
  }

  static constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;  // ln 2, the first part of 32 bits

  /// square · (1/term + square · (1/(term + 2) + …)) down to term 3
  template <int term>
  [[gnu::always_inline]] static double log_series(double square, double sum) {
    if constexpr (term < 3) {
      return sum;
    } else {
      return log_series<term - 2>(square, square * (1.0 / term + sum));
    }
  }

  /// steady_log without a branch, so that a compiler makes lanes of it.
  static void logs(double* numbers, std::int64_t count) {
    constexpr std::uint64_t kRoot = 0x3FE6A09E667F3BCD, kRounder = 0x4338000000000000;  // √½, and 1.5 · 2^52
    for (std::int64_t at = 0; at < count; ++at) {
      const auto bits = __builtin_bit_cast(std::uint64_t, numbers[at]);
      const auto power = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits - kRoot) >> 52);
      const auto mantissa = __builtin_bit_cast(double, bits - (power << 52));
      const double times = __builtin_bit_cast(double, kRounder + power) - 0x1.8p52;
      const double s = (mantissa - 1) / (mantissa + 1);
      const double sum = log_series<25>(s * s, 0);
      numbers[at] = times * kLn2High + (2 * s + (2 * s * sum + times * kLn2Low));
    }
  }

  static constexpr double reciprocal_factorial(int of) { return of == 0 ? 1 : reciprocal_factorial(of - 1) / of; }
  /// sum · x^(term + 1) and the terms of Taylor's sum below.
  template <int term>
  [[gnu::always_inline]] static double exp_series(double x, double sum) {
    if constexpr (term < 0) {
      return sum;
    } else {
      return exp_series<term - 1>(x, sum * x + reciprocal_factorial(term));
    }
  }

  /// steady_exp likewise.
  static void exps(double* numbers, std::int64_t count) {
    constexpr double kRounder = 0x1.8p52, kLog2OfE = 0x1.71547652b82fep+0;
    constexpr std::uint64_t kBias = 1023;
    for (std::int64_t at = 0; at < count; ++at) {
      const double x = numbers[at], rounded = x * kLog2OfE + kRounder, power = rounded - kRounder;
      const double rest = (x - power * kLn2High) - power * kLn2Low;
      const auto factor = __builtin_bit_cast(double, (__builtin_bit_cast(std::uint64_t, rounded) + kBias) << 52);
      numbers[at] = exp_series<14>(rest, reciprocal_factorial(15)) * factor;
    }
  }

  /// Sixteen or thirty-two rows of the matrix at a time, which are its columns: each of them is one chain, in the order of the columns.
  static double quadratic(const QuadraticForm& form) {
    double sum = 0;
    std::int64_t begin = 0;
    for (; begin + kLane < form.width; begin += 2 * kLane) sum = add_rows_of_form<2>(form, begin, sum);
    return begin < form.width ? add_rows_of_form<1>(form, begin, sum) : sum;
  }
  template <int kParts>
  static double add_rows_of_form(const QuadraticForm& form, std::int64_t begin, double sum) {
    typename Set::Doubles sums[kParts];
    for (auto& part : sums) part = Set::no_doubles();
    for (std::int64_t column = 0; column < form.width; ++column) {
      const double* const from = form.matrix + column * form.stride + begin;
      for (int part = 0; part < kParts; ++part) Set::add_products(sums[part], from + part * kLane, static_cast<double>(form.z[column]));
    }
    double parts[kParts * kLane];
    for (int part = 0; part < kParts; ++part) Set::store_doubles(parts + part * kLane, sums[part]);
    for (std::int64_t row = begin; row < form.width && row < begin + kParts * kLane; ++row) {
      sum += parts[row - begin] * static_cast<double>(form.z[row]);
    }
    return sum;
  }

  static double distance(const float* weights, std::int64_t count, float query) {
    float numbers[kLane];
    for (int at = 0; at < kLane; ++at) numbers[at] = static_cast<float>(at);
    const Lanes first = Set::subtract(Set::load(numbers), Set::all(query));
    typename Set::Doubles sums = Set::no_doubles();
    for_lanes(weights, count, 0, [&](Lanes x, std::int64_t at, std::int64_t) {
      Set::add_doubles(sums, Set::multiply(x, magnitude(Set::add(first, Set::all(static_cast<float>(at))))));
    });
    return Set::sum(sums);
  }

  /// Mean and mean of squares in double precision: their rounding would move and scale the whole row.
  static void normalise(const NormRow& row) {
    float mean = 0;
    if (row.centres) {
      typename Set::Doubles sums = Set::no_doubles();
      for_lanes(row.x, row.count, 0, [&](Lanes x, std::int64_t, std::int64_t) { Set::add_doubles(sums, x); });
      mean = static_cast<float>(Set::sum(sums) / static_cast<double>(row.count));
    }
    const Lanes middle = Set::all(mean);
    typename Set::Doubles squares = Set::no_doubles();
    for_lanes(row.x, row.count, mean, [&](Lanes x, std::int64_t, std::int64_t) { Set::add_squares(squares, Set::subtract(x, middle)); });
    const float variance = static_cast<float>(Set::sum(squares) / static_cast<double>(row.count));
    const Lanes scale = Set::all(1.0F / __builtin_sqrtf(variance + row.epsilon));
    for_lanes(row.x, row.count, 0, [&](Lanes x, std::int64_t at, std::int64_t count) {
      Lanes y = Set::multiply(Set::multiply(Set::subtract(x, middle), scale), load_some(row.gain + at, count));
      if (row.bias != nullptr) y = Set::add(y, load_some(row.bias + at, count));
      store_some(row.y + at, count, y);
    });
  }
};

}  // namespace
}  // namespace headlight

// Sixteen floats, for any processor. What a function of lanes does is defined here; lanes_avx2.h and lanes_avx512.h give the same bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace headlight {
namespace {

struct Portable {
  struct Lanes {
    float numbers[16];
  };
  struct Doubles {
    double numbers[16];
  };
  static constexpr int kTileRows = 4;   ///< of a tile of the product
  static constexpr int kTileParts = 1;  ///< sixteen columns each: its width

  static Lanes zero() { return all(0); }
  static Lanes all(float number) {
    return of([&](int) { return number; });
  }
  static Lanes load(const float* from) {
    return of([&](int at) { return from[at]; });
  }
  /// The first `count` numbers; `rest` in the other lanes. Reads no further.
  static Lanes load_part(const float* from, std::int64_t count, float rest) {
    return of([&](int at) { return at < count ? from[at] : rest; });
  }
  static void store(float* to, const Lanes& a) { store_part(to, 16, a); }
  static void store_part(float* to, std::int64_t count, const Lanes& a) {
    for (std::int64_t at = 0; at < count; ++at) to[at] = a.numbers[at];
  }
  static Lanes load_bfloat16(const std::uint16_t* from) {
    return of([&](int at) { return from_bits(static_cast<std::uint32_t>(from[at]) << 16U); });
  }
  static Lanes load_half(const std::uint16_t* from) {
    return of([&](int at) { return from_half(from[at]); });
  }

  static Lanes add(const Lanes& a, const Lanes& b) {
    return of([&](int at) { return a.numbers[at] + b.numbers[at]; });
  }
  static Lanes subtract(const Lanes& a, const Lanes& b) {
    return of([&](int at) { return a.numbers[at] - b.numbers[at]; });
  }
  static Lanes multiply(const Lanes& a, const Lanes& b) {
    return of([&](int at) { return a.numbers[at] * b.numbers[at]; });
  }
  static Lanes divide(const Lanes& a, const Lanes& b) {
    return of([&](int at) { return a.numbers[at] / b.numbers[at]; });
  }
  /// a · b + c, rounded once.
  static Lanes multiply_add(const Lanes& a, const Lanes& b, const Lanes& c) {
    return of([&](int at) { return std::fma(a.numbers[at], b.numbers[at], c.numbers[at]); });
  }
  /// The second where either is NaN.
  static Lanes larger(const Lanes& a, const Lanes& b) {
    return of([&](int at) { return a.numbers[at] > b.numbers[at] ? a.numbers[at] : b.numbers[at]; });
  }
  static Lanes smaller(const Lanes& a, const Lanes& b) {
    return of([&](int at) { return a.numbers[at] < b.numbers[at] ? a.numbers[at] : b.numbers[at]; });
  }
  /// a < b ? then : otherwise; otherwise where either is NaN.
  static Lanes if_less(const Lanes& a, const Lanes& b, const Lanes& then, const Lanes& otherwise) {
    return of([&](int at) { return a.numbers[at] < b.numbers[at] ? then.numbers[at] : otherwise.numbers[at]; });
  }
  /// allowed[lane] != 0 ? then : otherwise. Reads sixteen bytes.
  static Lanes if_allowed(const std::uint8_t* allowed, const Lanes& then, const Lanes& otherwise) {
    return of([&](int at) { return allowed[at] != 0 ? then.numbers[at] : otherwise.numbers[at]; });
  }
  /// 2^whole, of whole numbers from −126 to 127; anything for NaN.
  static Lanes power_of_two(const Lanes& whole) {
    return of([&](int at) {
      if (!(whole.numbers[at] == whole.numbers[at])) return 0.0F;
      const auto power = static_cast<std::int32_t>(whole.numbers[at]) + 127;
      return from_bits(static_cast<std::uint32_t>(power) << 23U);
    });
  }

  /// Sixteen lanes as a square: rows become columns.
  static void transpose(Lanes* square) {
    for (int row = 0; row < 16; ++row) {
      for (int column = 0; column < row; ++column) {
        const float number = square[row].numbers[column];
        square[row].numbers[column] = square[column].numbers[row];
        square[column].numbers[row] = number;
      }
    }
  }
  /// Of a normal number above 0: the two parts whose product it is, mantissa from 0.5 to 1 and power of two.
  static Lanes mantissa(const Lanes& a) {
    return of([&](int at) { return from_bits((to_bits(a.numbers[at]) & 0x7FFFFFU) | 0x3F000000U); });
  }
  static Lanes power(const Lanes& a) {
    return of([&](int at) { return static_cast<float>(static_cast<std::int32_t>(to_bits(a.numbers[at]) >> 23U) - 126); });
  }

  /// Sums in double precision, lane by lane.
  static Doubles no_doubles() { return {}; }
  static void add_doubles(Doubles& sums, const Lanes& a) {
    for (int at = 0; at < 16; ++at) sums.numbers[at] += static_cast<double>(a.numbers[at]);
  }
  /// The square of a float is exact in double precision, so one rounding is all there is, fused or not.
  static void add_squares(Doubles& sums, const Lanes& a) {
    for (int at = 0; at < 16; ++at) {
      const auto number = static_cast<double>(a.numbers[at]);
      sums.numbers[at] += number * number;
    }
  }
  /// Products are rounded before they are added.
  static void add_products(Doubles& sums, const double* numbers, double factor) {
    for (int at = 0; at < 16; ++at) {
      const double product = numbers[at] * factor;
      sums.numbers[at] += product;
    }
  }
  static void store_doubles(double* to, const Doubles& a) { std::memcpy(to, a.numbers, sizeof(a.numbers)); }
  /// The second half is added to the first until one number is left.
  static double sum(Doubles a) {
    for (int half = 8; half > 0; half /= 2) {
      for (int at = 0; at < half; ++at) a.numbers[at] += a.numbers[at + half];
    }
    return a.numbers[0];
  }
  /// Of lanes without NaN.
  static float largest(const Lanes& a) {
    float most = a.numbers[0];
    for (int at = 1; at < 16; ++at) most = a.numbers[at] > most ? a.numbers[at] : most;
    return most;
  }

 private:
  template <typename Number>
  static Lanes of(const Number& number) {
    Lanes lanes;
    for (int at = 0; at < 16; ++at) lanes.numbers[at] = number(at);
    return lanes;
  }
  static float from_bits(std::uint32_t bits) {
    float number = 0;
    std::memcpy(&number, &bits, sizeof(number));
    return number;
  }
  static std::uint32_t to_bits(float number) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
  }
  static float from_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U, power = (half >> 10U) & 31U, digits = half & 0x3FFU;
    if (power == 31) return from_bits(sign | 0x7F800000U | (digits != 0 ? 0x400000U : 0U) | digits << 13U);  // a NaN becomes a quiet one
    if (power != 0) return from_bits(sign | (power + 112U) << 23U | digits << 13U);
    const float small = static_cast<float>(digits) * 0x1p-24F;
    return sign != 0 ? -small : small;
  }
};

}  // namespace
}  // namespace headlight

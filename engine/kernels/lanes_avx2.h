// Sixteen floats in two AVX2 registers. The functions are those of lanes_portable.h, which says what each does.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace headlight {
namespace {

struct Avx2 {
  struct Lanes {
    __m256 low, high;
  };
  struct Doubles {
    __m256d parts[4];
  };
  static constexpr int kTileRows = 6;
  static constexpr int kTileParts = 1;  ///< 6 · 2 sums, 2 numbers of the panel and one of a: 15 of 16 registers

  static Lanes zero() { return {_mm256_setzero_ps(), _mm256_setzero_ps()}; }
  static Lanes all(float number) { return {_mm256_set1_ps(number), _mm256_set1_ps(number)}; }
  static Lanes load(const float* from) { return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)}; }
  static Lanes load_part(const float* from, std::int64_t count, float rest) {
    float numbers[16];
    for (int at = 0; at < 16; ++at) numbers[at] = at < count ? from[at] : rest;
    return load(numbers);
  }
  static void store(float* to, Lanes a) {
    _mm256_storeu_ps(to, a.low);
    _mm256_storeu_ps(to + 8, a.high);
  }
  static void store_part(float* to, std::int64_t count, Lanes a) {
    float numbers[16];
    store(numbers, a);
    for (std::int64_t at = 0; at < count; ++at) to[at] = numbers[at];
  }
  static Lanes load_bfloat16(const std::uint16_t* from) {
    const auto widen = [](const std::uint16_t* eight) {
      const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(eight)));
      return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
    };
    return {widen(from), widen(from + 8)};
  }
  static Lanes load_half(const std::uint16_t* from) {
    const auto widen = [](const std::uint16_t* eight) { return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(eight))); };
    return {widen(from), widen(from + 8)};
  }

  static Lanes add(Lanes a, Lanes b) { return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)}; }
  static Lanes subtract(Lanes a, Lanes b) { return {_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)}; }
  static Lanes multiply(Lanes a, Lanes b) { return {_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)}; }
  static Lanes divide(Lanes a, Lanes b) { return {_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high)}; }
  static Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
    return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
  }
  static Lanes larger(Lanes a, Lanes b) { return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)}; }
  static Lanes smaller(Lanes a, Lanes b) { return {_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high)}; }
  static Lanes if_less(Lanes a, Lanes b, Lanes then, Lanes otherwise) {
    return {_mm256_blendv_ps(otherwise.low, then.low, _mm256_cmp_ps(a.low, b.low, _CMP_LT_OQ)),
            _mm256_blendv_ps(otherwise.high, then.high, _mm256_cmp_ps(a.high, b.high, _CMP_LT_OQ))};
  }
  static Lanes if_allowed(const std::uint8_t* allowed, Lanes then, Lanes otherwise) {
    const auto choose = [](const std::uint8_t* eight, __m256 a, __m256 b) {
      const __m256i wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(eight)));
      const __m256i is_zero = _mm256_cmpeq_epi32(wide, _mm256_setzero_si256());
      return _mm256_blendv_ps(a, b, _mm256_castsi256_ps(is_zero));
    };
    return {choose(allowed, then.low, otherwise.low), choose(allowed + 8, then.high, otherwise.high)};
  }
  static Lanes power_of_two(Lanes whole) {
    const auto raise = [](__m256 a) {
      return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(a), _mm256_set1_epi32(127)), 23));
    };
    return {raise(whole.low), raise(whole.high)};
  }

  /// In four squares of eight.
  static void transpose(Lanes* square) {
    __m256 quarters[4][8];
    for (int i = 0; i < 8; ++i) {
      quarters[0][i] = square[i].low;
      quarters[1][i] = square[i].high;
      quarters[2][i] = square[i + 8].low;
      quarters[3][i] = square[i + 8].high;
    }
    for (auto& quarter : quarters) transpose_eight(quarter);
    for (int i = 0; i < 8; ++i) {
      square[i] = {quarters[0][i], quarters[2][i]};
      square[i + 8] = {quarters[1][i], quarters[3][i]};
    }
  }
  static Lanes mantissa(Lanes a) {
    const auto of = [](__m256 x) {
      return _mm256_or_ps(_mm256_and_ps(x, _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFF))), _mm256_set1_ps(0.5F));
    };
    return {of(a.low), of(a.high)};
  }
  static Lanes power(Lanes a) {
    const auto of = [](__m256 x) {
      return _mm256_cvtepi32_ps(_mm256_sub_epi32(_mm256_srli_epi32(_mm256_castps_si256(x), 23), _mm256_set1_epi32(126)));
    };
    return {of(a.low), of(a.high)};
  }

  static Doubles no_doubles() { return {{_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()}}; }
  static void add_doubles(Doubles& sums, Lanes a) {
    const Doubles wide = widen(a);
    for (int part = 0; part < 4; ++part) sums.parts[part] = _mm256_add_pd(sums.parts[part], wide.parts[part]);
  }
  static void add_squares(Doubles& sums, Lanes a) {
    const Doubles wide = widen(a);
    for (int part = 0; part < 4; ++part) sums.parts[part] = _mm256_fmadd_pd(wide.parts[part], wide.parts[part], sums.parts[part]);
  }
  static void add_products(Doubles& sums, const double* numbers, double factor) {
    const __m256d all = _mm256_set1_pd(factor);
    for (int part = 0; part < 4; ++part) {
      sums.parts[part] = _mm256_add_pd(sums.parts[part], _mm256_mul_pd(_mm256_loadu_pd(numbers + 4 * part), all));
    }
  }
  static void store_doubles(double* to, const Doubles& a) {
    for (int part = 0; part < 4; ++part) _mm256_storeu_pd(to + 4 * part, a.parts[part]);
  }
  static double sum(const Doubles& a) {
    const __m256d four = _mm256_add_pd(_mm256_add_pd(a.parts[0], a.parts[2]), _mm256_add_pd(a.parts[1], a.parts[3]));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
  }
  static float largest(Lanes a) {
    const __m256 eight = _mm256_max_ps(a.low, a.high);
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
  }

 private:
  static void transpose_eight(__m256* square) {
    __m256 other[8];
    for (int i = 0; i < 8; i += 2) {
      other[i] = _mm256_unpacklo_ps(square[i], square[i + 1]);
      other[i + 1] = _mm256_unpackhi_ps(square[i], square[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
      for (int j = 0; j < 2; ++j) {
        square[i + 2 * j] = _mm256_shuffle_ps(other[i + j], other[i + j + 2], 0x44);
        square[i + 2 * j + 1] = _mm256_shuffle_ps(other[i + j], other[i + j + 2], 0xEE);
      }
    }
    for (int j = 0; j < 4; ++j) {
      other[j] = _mm256_permute2f128_ps(square[j], square[j + 4], 0x20);
      other[j + 4] = _mm256_permute2f128_ps(square[j], square[j + 4], 0x31);
    }
    for (int j = 0; j < 8; ++j) square[j] = other[j];
  }
  static Doubles widen(Lanes a) {
    return {{_mm256_cvtps_pd(_mm256_castps256_ps128(a.low)), _mm256_cvtps_pd(_mm256_extractf128_ps(a.low, 1)),
             _mm256_cvtps_pd(_mm256_castps256_ps128(a.high)), _mm256_cvtps_pd(_mm256_extractf128_ps(a.high, 1))}};
  }
};

}  // namespace
}  // namespace headlight

// Sixteen floats in one AVX-512 register. The functions are those of lanes_portable.h, which says what each does.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace headlight {
namespace {

struct Avx512 {
  using Lanes = __m512;
  struct Doubles {
    __m512d low, high;
  };
  static constexpr int kTileRows = 8;
  static constexpr int kTileParts = 3;  ///< 8 · 3 sums, 3 numbers of the panel and one of a: 28 of 32 registers

  static Lanes zero() { return _mm512_setzero_ps(); }
  static Lanes all(float number) { return _mm512_set1_ps(number); }
  static Lanes load(const float* from) { return _mm512_loadu_ps(from); }
  static Lanes load_part(const float* from, std::int64_t count, float rest) {
    return _mm512_mask_loadu_ps(_mm512_set1_ps(rest), part(count), from);
  }
  static void store(float* to, Lanes a) { _mm512_storeu_ps(to, a); }
  static void store_part(float* to, std::int64_t count, Lanes a) { _mm512_mask_storeu_ps(to, part(count), a); }
  static Lanes load_bfloat16(const std::uint16_t* from) {
    const __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    return _mm512_castsi512_ps(_mm512_slli_epi32(wide, 16));
  }
  static Lanes load_half(const std::uint16_t* from) { return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))); }

  static Lanes add(Lanes a, Lanes b) { return _mm512_add_ps(a, b); }
  static Lanes subtract(Lanes a, Lanes b) { return _mm512_sub_ps(a, b); }
  static Lanes multiply(Lanes a, Lanes b) { return _mm512_mul_ps(a, b); }
  static Lanes divide(Lanes a, Lanes b) { return _mm512_div_ps(a, b); }
  static Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return _mm512_fmadd_ps(a, b, c); }
  static Lanes larger(Lanes a, Lanes b) { return _mm512_max_ps(a, b); }
  static Lanes smaller(Lanes a, Lanes b) { return _mm512_min_ps(a, b); }
  static Lanes if_less(Lanes a, Lanes b, Lanes then, Lanes otherwise) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), otherwise, then);
  }
  static Lanes if_allowed(const std::uint8_t* allowed, Lanes then, Lanes otherwise) {
    const __m512i wide = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(allowed)));
    return _mm512_mask_blend_ps(_mm512_test_epi32_mask(wide, wide), otherwise, then);
  }
  static Lanes power_of_two(Lanes whole) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(_mm512_cvtps_epi32(whole), _mm512_set1_epi32(127)), 23));
  }

  /// By pairs of numbers, of pairs, of quarters and of halves.
  static void transpose(Lanes* square) {
    Lanes other[16];
    for (int i = 0; i < 16; i += 2) {
      other[i] = _mm512_unpacklo_ps(square[i], square[i + 1]);
      other[i + 1] = _mm512_unpackhi_ps(square[i], square[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
      for (int j = 0; j < 2; ++j) {
        const __m512d a = _mm512_castps_pd(other[i + j]), b = _mm512_castps_pd(other[i + j + 2]);
        square[i + 2 * j] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b));
        square[i + 2 * j + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, b));
      }
    }
    for (int i = 0; i < 16; i += 8) {
      for (int j = 0; j < 4; ++j) {
        other[i + j] = _mm512_shuffle_f32x4(square[i + j], square[i + j + 4], 0x88);
        other[i + j + 4] = _mm512_shuffle_f32x4(square[i + j], square[i + j + 4], 0xDD);
      }
    }
    for (int j = 0; j < 8; ++j) {
      square[j] = _mm512_shuffle_f32x4(other[j], other[j + 8], 0x88);
      square[j + 8] = _mm512_shuffle_f32x4(other[j], other[j + 8], 0xDD);
    }
  }
  static Lanes mantissa(Lanes a) {
    const __m512i digits = _mm512_and_si512(_mm512_castps_si512(a), _mm512_set1_epi32(0x7FFFFF));
    return _mm512_castsi512_ps(_mm512_or_si512(digits, _mm512_set1_epi32(0x3F000000)));
  }
  static Lanes power(Lanes a) {
    return _mm512_cvtepi32_ps(_mm512_sub_epi32(_mm512_srli_epi32(_mm512_castps_si512(a), 23), _mm512_set1_epi32(126)));
  }

  static Doubles no_doubles() { return {_mm512_setzero_pd(), _mm512_setzero_pd()}; }
  static void add_doubles(Doubles& sums, Lanes a) {
    const Doubles wide = widen(a);
    sums = {_mm512_add_pd(sums.low, wide.low), _mm512_add_pd(sums.high, wide.high)};
  }
  static void add_squares(Doubles& sums, Lanes a) {
    const Doubles wide = widen(a);
    sums = {_mm512_fmadd_pd(wide.low, wide.low, sums.low), _mm512_fmadd_pd(wide.high, wide.high, sums.high)};
  }
  static void add_products(Doubles& sums, const double* numbers, double factor) {
    const __m512d all = _mm512_set1_pd(factor);
    sums = {_mm512_add_pd(sums.low, _mm512_mul_pd(_mm512_loadu_pd(numbers), all)),
            _mm512_add_pd(sums.high, _mm512_mul_pd(_mm512_loadu_pd(numbers + 8), all))};
  }
  static void store_doubles(double* to, const Doubles& a) {
    _mm512_storeu_pd(to, a.low);
    _mm512_storeu_pd(to + 8, a.high);
  }
  static double sum(const Doubles& a) {
    const __m512d eight = _mm512_add_pd(a.low, a.high);
    const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd(eight, 1));
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
  }
  static float largest(Lanes a) {
    const __m256 high = _mm512_castps512_ps256(_mm512_shuffle_f32x4(a, a, 0xEE));
    const __m256 eight = _mm256_max_ps(_mm512_castps512_ps256(a), high);
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
  }

 private:
  static __mmask16 part(std::int64_t count) { return static_cast<__mmask16>((1U << static_cast<unsigned>(count)) - 1); }
  static Doubles widen(Lanes a) {
    const __m256 high = _mm512_castps512_ps256(_mm512_shuffle_f32x4(a, a, 0xEE));
    return {_mm512_cvtps_pd(_mm512_castps512_ps256(a)), _mm512_cvtps_pd(high)};
  }
};

}  // namespace
}  // namespace headlight

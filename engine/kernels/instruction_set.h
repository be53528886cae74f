// The loops that take the time, once for each instruction set. All of them give the same bits: every output of a product is one chain of
// fused multiply-adds in the order of k, sums over a row are made in sixteen lanes and added up in one order, and exp and its kin are
// made of the same additions and products in all. So a figure can be checked on another machine, and a corpus shared out among several.
// Why not a library: they choose the order of their sums by the sizes and the machine (oneDNN, OpenBLAS, Eigen).
//
// Included by files that are compiled for one instruction set each: no inline function of a library may be written out there, or the linker
// may choose it for a machine that cannot run it. So there are pointers here, and neither matrices nor strings.
#pragma once

#include <cstdint>

namespace headlight {

/// One panel of a product: out = a · panel, or out += a · panel where the chain goes on. a [rows, depth]; panel [depth, width] without
/// gaps, width 16, 32 or 48; out [rows, columns], columns at most width.
struct PanelProduct {
  const float* a = nullptr;
  std::int64_t a_stride = 0;  ///< numbers from one row to the next
  std::int64_t rows = 0, depth = 0;
  const void* panel = nullptr;
  std::int64_t width = 0;
  float* out = nullptr;
  std::int64_t out_stride = 0;
  std::int64_t columns = 0;
  bool adds = false;
  const char* next = nullptr;  ///< memory that is read after this panel, to be fetched meanwhile; null: none
};

/// The products of a row with several rows that are not laid out in panels: out[i] = a · rows[i], by the chain of PanelProduct.
struct RowProducts {
  const float* a = nullptr;     ///< [depth]
  const float* rows = nullptr;  ///< [count, depth]
  std::int64_t stride = 0;      ///< numbers from one of them to the next
  std::int64_t count = 0, depth = 0;
  float* out = nullptr;  ///< [count]
};

/// out += Σ weights[i] · rows[i], by the same chain.
struct RowSum {
  const float* weights = nullptr;  ///< [count]
  const float* rows = nullptr;     ///< [count, columns]
  std::int64_t stride = 0;
  std::int64_t count = 0, columns = 0;
  float* out = nullptr;  ///< [columns]
};

/// How a panel's numbers are stored.
enum class PanelType : std::uint8_t { float32, bfloat16, float16 };

/// A row's softmax, in place: of numbers · factor, −∞ where `allowed` is 0. Sink: as in softmax_rows.
struct SoftmaxRow {
  float* numbers = nullptr;
  std::int64_t count = 0;
  float factor = 1;
  const std::uint8_t* allowed = nullptr;  ///< null: all are
  bool has_sink = false;
  float sink = 0;
};

/// What is known of a row of weights when each has been looked at once.
struct RowTotals {
  float largest = 0;  ///< NaN where a weight is
  double mass = 0;    ///< Σ a
};

/// The weights of a row that are no less than a bound.
struct HeavyWeights {
  std::int64_t count = 0;
  double mass = 0;
};

/// z G zᵀ in double precision. G [width, width] is symmetric; its rows lie `stride` numbers apart, which is a multiple of sixteen.
struct QuadraticForm {
  const double* matrix = nullptr;
  std::int64_t width = 0, stride = 0;
  const float* z = nullptr;  ///< [width]
};

/// gain · (x − mean) · scale + bias; without `centres` mean is 0.
struct NormRow {
  const float* x = nullptr;
  const float* gain = nullptr;
  const float* bias = nullptr;  ///< null: none
  float* y = nullptr;
  std::int64_t count = 0;
  float epsilon = 0;
  bool centres = false;
};

enum class LaneFunction : std::uint8_t { exp, log, tanh, erf, relu, gelu_erf, gelu_tanh, silu, gelu_quick };

/// What is done to some numbers of a product while they are in the nearest cache, in this order; null: nothing.
struct FinishRow {
  float* numbers = nullptr;
  std::int64_t count = 0;
  const float* bias = nullptr;  ///< added
  const LaneFunction* function = nullptr;
  const float* factor = nullptr;
  const float* stream = nullptr;  ///< added
};

struct InstructionSet {
  const char* name;
  bool (*is_supported)();                            ///< by this processor
  void (*multiply[3])(const PanelProduct& product);  ///< by PanelType
  void (*multiply_rows)(const RowProducts& product);
  void (*add_rows)(const RowSum& sum);
  /// In place. Errors in units in the last place: exp 1 (and gradual to the smallest number), log 1, tanh 2, erf 2. log: of normal numbers
  /// above 0 alone.
  void (*apply)(LaneFunction function, float* numbers, std::int64_t count);
  void (*finish)(const FinishRow& row);
  /// −∞ where allowed is 0.
  void (*mask)(float* numbers, const std::uint8_t* allowed, std::int64_t count);
  /// False: the largest number is not finite; factor and mask are applied, and nothing else.
  bool (*softmax)(const SoftmaxRow& row);
  /// NaN where one of the numbers is; −∞ of none.
  float (*largest)(const float* numbers, std::int64_t count);
  /// Of a row of weights from 0 to 1, in double precision: −Σ a ln a with 0 ln 0 = 0, and Σ a · |position − query|, positions counted from 0.
  /// Zeros at the end of a row change nothing.
  double (*entropy)(const float* weights, std::int64_t count);
  double (*distance)(const float* weights, std::int64_t count, float query);
  RowTotals (*totals)(const float* weights, std::int64_t count);
  HeavyWeights (*heavy)(const float* weights, std::int64_t count, float bound);
  /// out = numbers · factor
  void (*scale)(const float* numbers, std::int64_t count, float factor, float* out);
  /// ln of each in place, with the bits of steady_log (steady_functions.h): of normal numbers above 0 alone.
  void (*logs)(double* numbers, std::int64_t count);
  /// Likewise e to the power of each, with the bits of steady_exp: up to 700 either way, or NaN.
  void (*exps)(double* numbers, std::int64_t count);
  double (*quadratic)(const QuadraticForm& form);
  void (*normalise)(const NormRow& row);
  /// For measuring the machine: fused multiply-adds that wait for nothing, and how many operations that were; and the sum of some numbers (in
  /// multiples of 64). What comes out is of no use but to be used, so that a compiler leaves nothing out.
  double (*multiply_add_chains)(std::int64_t rounds, float& used);
  float (*read)(const float* numbers, std::int64_t count);
};

/// The one that is used: the widest that this processor has, or what the environment variable HEADLIGHT_INSTRUCTIONS names.
const InstructionSet& instruction_set();

extern const InstructionSet kAvx512Instructions, kAvx2Instructions, kPortableInstructions;

}  // namespace headlight

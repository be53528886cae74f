// Whether the rows of a map from a file are attention weights: what they sum to, and how far from 1 rounding alone can bring that.
// Each function asks its watch row by row, and throws Cancelled.
#pragma once

#include "engine/formats/tensors/tensor.h"
#include "engine/forward/trace.h"

namespace headlight {

/// How far the sum of a row of `keys` weights may lie from 1 when each was computed in float32 and then rounded to `type`:
///
///     tolerance = max(0.001, u + keys · (s / 2 + 2^-24))
///
/// A weight w is stored with an error of at most u·w, or of s/2 where it is subnormal: u is half the distance between 1 and the next number,
/// s the smallest number above 0 (float16: u = 2^-11, s = 2^-24; bfloat16: u = 2^-8, s far below anything seen; float32: u = 2^-24). Weights
/// sum to 1, so all relative errors together are at most u, whatever the length; the absolute ones add up. 2^-24 for each key is what a
/// float32 softmax may lose when it sums the row. 0.001 has always been allowed: maps computed in half precision and saved as float32.
double sum_tolerance(DType type, Index keys);

/// bfloat16 where every number of the map fits it: NumPy and JSON have no such type, so such maps are stored as float32. Else `type`.
DType rounding_type(const Matrix& map, DType type, const Watch& watch = {});

/// Counts the rows that are not attention weights, by the tolerance of rounding_type.
GivenSums sums_of(const Matrix& map, DType type, const Watch& watch = {});

/// Cells that hold weight, or NaN, though the mask forbids them.
std::int64_t count_forbidden(const Matrix& map, const Mask& mask, const Watch& watch = {});

}  // namespace headlight

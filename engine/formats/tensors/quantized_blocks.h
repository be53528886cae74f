// GGUF's quantized types: weights in blocks of 32 or 256, each with its own scales. The layouts and formulas are those of ggml
// (github.com/ggml-org/ggml, MIT): ggml-common.h describes the blocks, ggml-quants.c the reference functions.
//
// With q the stored whole number and d, m the block's half-precision scale and offset:
//   Q8_0  34 bytes, 32 weights   d·q, q of 8 bits with sign
//   Q4_0  18 bytes, 32 weights   d·(q − 8)
//   Q4_1  20 bytes, 32 weights   d·q + m
//   Q5_0  22 bytes, 32 weights   d·(q − 16), the fifth bits stored apart
//   Q5_1  24 bytes, 32 weights   d·q + m
//   Q4_K 144 bytes, 256 weights  d·s·q − m·t; s, t of 6 bits for each 32 weights
//   Q5_K 176 bytes, 256 weights  the same with five bits
//   Q6_K 210 bytes, 256 weights  d·s·(q − 32); s of 8 bits with sign for each 16 weights
//   Q2_K  84 bytes, 256 weights  d·s·q − m·t; s, t of 4 bits for each 16 weights
//   Q3_K 110 bytes, 256 weights  d·(s − 32)·(q − 4), the third bits stored apart; s of 6 bits for each 16 weights
// and with v, a table of sixteen numbers, denser near zero:
//   IQ4_NL 18 bytes, 32 weights  d·v(q)
//   IQ4_XS 136 bytes, 256 weights  d·(s − 32)·v(q); s of 6 bits for each 32 weights
#pragma once

#include <cstddef>
#include <span>

#include "engine/formats/tensors/tensor.h"

namespace headlight {

/// Whole blocks of one of the types above. `bytes` holds what `into` needs, and need not be aligned.
void convert_blocks(DType type, std::span<const std::byte> bytes, std::span<float> into);

}  // namespace headlight

// The parts of the table of families, one for each source file.
#pragma once

#include <array>
#include <span>

#include "engine/model/families/families.h"

namespace headlight {

std::span<const FamilyRow> decoder_families();          ///< GPT-2, GPT-Neo, GPT-NeoX, OPT, Phi
std::span<const FamilyRow> llama_families();            ///< Llama and those that share its layout
std::span<const FamilyRow> encoder_families();          ///< BERT and its relatives
std::span<const FamilyRow> encoder_decoder_families();  ///< T5, BART, Marian

/// Two tables as one, for layouts that share rows.
template <std::size_t of_a, std::size_t of_b>
constexpr std::array<TensorRow, of_a + of_b> joined_tables(const std::array<TensorRow, of_a>& a, const std::array<TensorRow, of_b>& b) {
  std::array<TensorRow, of_a + of_b> rows{};
  std::size_t at = 0;
  for (const TensorRow& row : a) rows[at++] = row;
  for (const TensorRow& row : b) rows[at++] = row;
  return rows;
}

}  // namespace headlight

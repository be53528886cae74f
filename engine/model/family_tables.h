// The parts of the table of families, one for each source file.
#pragma once

#include <span>

#include "engine/model/families.h"

namespace headlight {

std::span<const FamilyRow> decoder_families();          ///< GPT-2, GPT-Neo, GPT-NeoX, OPT, Phi
std::span<const FamilyRow> llama_families();            ///< Llama and those that share its layout
std::span<const FamilyRow> encoder_families();          ///< BERT and its relatives
std::span<const FamilyRow> encoder_decoder_families();  ///< T5, BART, Marian

/// GPT-2 as GGUF stores it: every weight [out, in].
const FamilyRow& gpt2_by_rows();

}  // namespace headlight

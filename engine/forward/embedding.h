// From tokens to what the first layer reads, and what one token's vector is made of.
#pragma once

#include <vector>

#include "engine/core/progress.h"
#include "engine/model/model.h"

namespace headlight {

/// Token vectors plus sentence types and positions of the tokens from `first` on, [tokens − first, d_model]. is_decoder: by the decoder's own table and positions, where an
/// encoder–decoder model has some. Throws Error (input) for an id outside the table, or a token past the last position.
Matrix embed(const Model& model, const std::vector<Token>& tokens, bool is_decoder = false, const Watch& watch = {}, Index first = 0);

/// One token's vector as a sum: token + type + position + bias, each [width] and empty where the model has none; then the norm; then the
/// projection, where one comes last. Gives what `embed` gives, up to rounding.
struct EmbeddedToken {
  RowVector token;                     ///< its row of the table times the model's factor, projected where the projection comes first
  RowVector type;                      ///< of its sentence
  RowVector position;                  ///< learned or sinusoidal
  RowVector bias;                      ///< of a projection that comes first
  const Norm* norm = nullptr;          ///< of the model
  const Linear* projection = nullptr;  ///< of the model; null: none comes last
};
/// Of token `at` of the text. Throws like embed.
EmbeddedToken split_embedding(const Model& model, const std::vector<Token>& tokens, bool is_decoder, Index at);

}  // namespace headlight

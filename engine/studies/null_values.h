// What a measure is worth where there is nothing to find: on a model whose weights are random, or on a text whose tokens were shuffled.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/studies/text_measures.h"

namespace headlight {

enum class NullKind : std::uint8_t {
  random_weights,   ///< the numbers of every weight matrix of every layer in another order: their sizes stay
  shuffled_tokens,  ///< the tokens of the text in another order; special tokens that the tokenizer added stay where they are
};

/// The same model with the weights of its layers shuffled.
std::shared_ptr<const Model> with_random_weights(const Model& model, std::uint64_t seed);
/// The query's tokens in another order, as ids.
Query with_shuffled_tokens(const Model& model, const Query& query, std::uint64_t seed);

/// Of one head and one request: its value beside what chance gives.
struct NullValue {
  double value = 0;
  double mean = 0, deviation = 0;  ///< of the draws; NaN where undefined
  int draws = 0;                   ///< in which it had a value
  /// (value − mean) / deviation; NaN without a deviation.
  double z_score() const;
};

/// [head in the order of layers][request], of `draws` draws from seeds seed, seed + 1, … Throws Error as Pipeline::run does; or Cancelled.
std::vector<std::vector<NullValue>> null_values(std::shared_ptr<const Model> model, const Query& query,
                                                const std::vector<MeasureRequest>& requests, NullKind kind, int draws, std::uint64_t seed,
                                                ThreadPool& pool, Progress& progress);

}  // namespace headlight

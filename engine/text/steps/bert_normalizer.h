// BERT's way of cleaning a text: github.com/google-research/bert, tokenization.py, in the order of Hugging Face's BertNormalizer.
#pragma once

#include "engine/text/steps/normalizer.h"

namespace headlight {

struct BertNormalizerOptions {
  bool cleans_text = true;             ///< control characters go, every white space becomes a blank
  bool surrounds_ideographs = true;    ///< with blanks, so that each is a word
  std::optional<bool> strips_accents;  ///< where unset, as `lowercases`
  bool lowercases = true;
};
std::unique_ptr<const Normalizer> make_bert_normalizer(BertNormalizerOptions options);

}  // namespace headlight

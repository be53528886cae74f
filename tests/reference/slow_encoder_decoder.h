// The second opinion on encoder–decoder models, in double precision with plain loops.
#pragma once

#include "tests/reference/slow_attention.h"

namespace headlight::testing {

/// Whether a head's query may attend to a key.
using LayerAllows = std::function<bool(int layer, int head, int query, int key)>;

/// One pre-LayerNorm block; keys and values come from `memory` where there is one. Without a feed-forward part it ends after the attention.
inline void add_slow_layer(SlowRun& run, const Model& model, int layer, const Table& resid_pre, const Table* memory, int heads,
                           const LayerAllows& allows) {
  const auto epsilon = static_cast<double>(model.config.norm.epsilon);
  const double factor = 1 / std::sqrt(static_cast<double>(model.config.d_model) / heads);
  const LayerParameters& p = model.parameters.layer(layer);
  const Table normed = slow_norm(resid_pre, p.norm_1, epsilon);
  const Table& source = memory != nullptr ? *memory : normed;
  const auto layer_allows = [&](int head, int query, int key) { return allows(layer, head, query, key); };
  const SlowAttention attention = slow_multi_head(normed, source, source, p.q, p.k, p.v, p.o, heads, factor, layer_allows);
  Table x = slow_sum(resid_pre, attention.output);
  if (p.ff_in.weight.size() > 0) {
    Table inner = slow_linear(slow_norm(x, p.norm_2, epsilon), p.ff_in);
    for (Row& row : inner) {
      for (double& value : row) value = slow_activation(model.config.feed_forward.activation, value);
    }
    x = slow_sum(x, slow_linear(inner, p.ff_out));
  }
  run.weights.push_back(attention.weights);
  run.resid_post.push_back(x);
}

struct SlowPair {
  SlowRun run;   // all layers in a row: the encoder's, then self-attention and cross-attention of the decoder in turn
  Table memory;  // what cross-attention reads
};

/// Vaswani et al. 2017, section 3.2.3: cross-attention's queries come from the decoder, its keys and values from the encoder's output.
inline SlowPair slow_encoder_decoder(const Model& model, const Table& embedded, const Table& decoder_embedded, int encoder_layers,
                                     int heads, const LayerAllows& allows) {
  SlowPair pair;
  const auto epsilon = static_cast<double>(model.config.norm.epsilon);
  Table x = embedded;
  for (int layer = 0; layer < encoder_layers; ++layer) {
    add_slow_layer(pair.run, model, layer, x, nullptr, heads, allows);
    x = pair.run.resid_post.back();
  }
  pair.memory = slow_norm(x, model.parameters.encoder_norm, epsilon);
  x = decoder_embedded;
  for (int layer = encoder_layers; layer < model.config.layers; ++layer) {
    const bool is_cross = (layer - encoder_layers) % 2 == 1;
    add_slow_layer(pair.run, model, layer, x, is_cross ? &pair.memory : nullptr, heads, allows);
    x = pair.run.resid_post.back();
  }
  pair.run.final_hidden = slow_norm(x, model.parameters.final_norm, epsilon);
  return pair;
}

}  // namespace headlight::testing

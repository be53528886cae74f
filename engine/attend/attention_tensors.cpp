#include "engine/attend/attention_tensors.h"

#include <array>

namespace headlight {
namespace {

using Tensors = AttentionTensors;

constexpr std::array<AttentionTensorName, 28> kAttentionTensorNames = {{
    {"x", &Tensors::x, "[batch, tokens, width]: query, key and value in one"},
    {"query", &Tensors::query, "[batch, queries, width]"},
    {"key", &Tensors::key, "[batch, keys, width]"},
    {"value", &Tensors::value, "[batch, keys, width]"},
    {"q", &Tensors::q, "[batch, heads, queries, d_head], projected already"},
    {"k", &Tensors::k, "[batch, kv_heads, keys, d_head], projected already"},
    {"v", &Tensors::v, "[batch, kv_heads, keys, d_value], projected already"},
    {"q.weight", &Tensors::q_weight, "[heads * d_head, width]"},
    {"q.bias", &Tensors::q_bias, "[heads * d_head]"},
    {"k.weight", &Tensors::k_weight, "[kv_heads * d_head, width]"},
    {"k.bias", &Tensors::k_bias, "[kv_heads * d_head]"},
    {"v.weight", &Tensors::v_weight, "[kv_heads * d_value, width]"},
    {"v.bias", &Tensors::v_bias, "[kv_heads * d_value]"},
    {"o.weight", &Tensors::o_weight, "[out, heads * d_value]"},
    {"o.bias", &Tensors::o_bias, "[out]"},
    {"past_key", &Tensors::past_key, "[batch, kv_heads, past, d_head]"},
    {"past_value", &Tensors::past_value, "[batch, kv_heads, past, d_value]"},
    {"mask", &Tensors::mask, "[queries, keys], [batch, queries, keys] or [batch, heads, queries, keys]; axes may be 1"},
    {"valid_lens", &Tensors::valid_lens, "[batch] or [batch, queries]"},
    {"nonpad_kv_seqlen", &Tensors::nonpad_kv_seqlen, "[batch]"},
    {"additive.w_v", &Tensors::additive_vector, "[hidden], for additive scores"},
    {"additive.W_q", &Tensors::additive_query, "[hidden, d_head]"},
    {"additive.W_k", &Tensors::additive_key, "[hidden, d_head]"},
    {"relative_bias", &Tensors::relative_bias, "[heads, queries + keys - 1], added after the scaling"},
    {"distance_keys", &Tensors::distance_keys, "[heads, queries + keys - 1, d_head], for relative scores"},
    {"key_bias", &Tensors::key_bias, "[heads, d_head], for relative scores"},
    {"distance_bias", &Tensors::distance_bias, "[heads, queries + keys - 1], for relative scores"},
    {"sinks", &Tensors::sinks, "[heads], scores without a key"},
}};

}  // namespace

std::span<const AttentionTensorName> attention_tensor_names() {
  return kAttentionTensorNames;
}

}  // namespace headlight

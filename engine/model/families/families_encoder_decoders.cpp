// Encoder–decoder models: T5, BART, Marian. Each layer of the decoder becomes two: self-attention, then cross-attention with feed-forward.
#include <cmath>

#include "engine/model/families/family_config.h"
#include "engine/model/families/family_stores.h"
#include "engine/model/families/family_tables.h"

namespace headlight {
namespace encoder_decoder_layouts {
namespace {

using enum Axis;
using store::L;
using P = Parameters;

constexpr std::string_view kShared = "shared.weight", kDecoderTable = "decoder.embed_tokens.weight";
constexpr Stack kEncoder = Stack::encoder, kDecoder = Stack::decoder, kCross = Stack::cross;

void set_stacks(FileConfig& file, int decoder_layers) {
  file.sizes.stacks.encoder_layers = file.sizes.layers;
  file.sizes.layers += 2 * decoder_layers;
}

std::int64_t read_start(const JsonFields& fields, std::int64_t fallback) {
  const std::int64_t padding = fields.integer_or("pad_token_id", fallback, 0, kMostRows);
  return fields.integer_or("decoder_start_token_id", padding, 0, kMostRows);
}

// T5 (Raffel et al. 2020, arXiv 1910.10683): scores are not divided, positions are a bias by bucket of distance.

constexpr KeySpelling kT5Others[] = {
    {"num_layers", "num_hidden_layers"}, {"d_model", "hidden_size"}, {"num_heads", "num_attention_heads"}, {"d_kv", "head_dim"}};
constexpr ConfigKeys kT5Keys{.layers = "num_layers",
                             .d_model = "d_model",
                             .heads = "num_heads",
                             .d_head = "d_kv",
                             .d_ff = "d_ff",
                             .positions = {},
                             .epsilon = "layer_norm_epsilon",
                             .usual_epsilon = 1e-6,
                             .activation = {},
                             .others = kT5Others};

/// projection: "feed_forward_proj" where the config has none.
FileConfig read_t5_layout(const JsonFields& fields, const std::string& projection_fallback) {
  FileConfig file = read_sizes(fields, kT5Keys, "");
  ModelConfig& sizes = file.sizes;
  set_stacks(file, read_size_or(fields, "num_decoder_layers", sizes.layers, kMostLayers));
  sizes.norm.kind = NormKind::rms_norm;
  sizes.scores.is_scaled = false;
  sizes.positions.kind = PositionKind::t5_buckets;
  sizes.positions.t5.buckets = read_size_or(fields, "relative_attention_num_buckets", 32, kMostRows);
  sizes.positions.t5.farthest = read_size_or(fields, "relative_attention_max_distance", 128, kMostRows);
  const std::string projection = fields.text_or("feed_forward_proj", projection_fallback);
  const bool is_gated = fields.boolean_or("is_gated_act", projection.starts_with("gated-"));
  file.set(Part::gate, is_gated);
  file.set(Part::no_gate, !is_gated);
  const std::string last = projection.substr(projection.rfind('-') + 1);
  sizes.feed_forward.activation = read_activation(fields, "dense_act_fn", projection == "gated-gelu" ? "gelu_new" : last);
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  file.may_lack_head = true;
  file.set(Part::own_tables_if_stored, true);
  sizes.stacks.decoder_start = read_start(fields, 0);
  return file;
}

/// Where the output head is the embedding table, the last hidden state is divided by √d_model. Files saved by transformers 5 call all
/// heads tied, and have a field of their own for it.
FileConfig read_t5(const JsonFields& fields) {
  FileConfig file = read_t5_layout(fields, "relu");
  ModelConfig& sizes = file.sizes;
  if (fields.boolean_or("scale_decoder_outputs", file.is_tied)) sizes.logits.scale = 1 / std::sqrt(static_cast<float>(sizes.d_model));
  return file;
}

/// mT5 (Xue et al. 2021, arXiv 2010.11934) never divides it.
FileConfig read_mt5(const JsonFields& fields) {
  return read_t5_layout(fields, "gated-gelu");
}

constexpr TensorRow kT5Tensors[] = {
    {"shared.weight", {vocabulary, d_model}, store::table},
    {"encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {buckets, heads}, store::buckets},
    {"encoder.block.{}.layer.0.layer_norm.weight", {d_model}, store::gain<&L::norm_1>, Part::always, kEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.q.weight", {q_width, d_model}, store::weight<&L::q>, Part::always, kEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.k.weight", {kv_width, d_model}, store::weight<&L::k>, Part::always, kEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.v.weight", {kv_width, d_model}, store::weight<&L::v>, Part::always, kEncoder},
    {"encoder.block.{}.layer.0.SelfAttention.o.weight", {d_model, q_width}, store::weight<&L::o>, Part::always, kEncoder},
    {"encoder.block.{}.layer.1.layer_norm.weight", {d_model}, store::gain<&L::norm_2>, Part::always, kEncoder},
    {"encoder.block.{}.layer.1.DenseReluDense.wi.weight", {d_ff, d_model}, store::weight<&L::ff_in>, Part::no_gate, kEncoder},
    {"encoder.block.{}.layer.1.DenseReluDense.wi_0.weight", {d_ff, d_model}, store::weight<&L::ff_gate>, Part::gate, kEncoder},
    {"encoder.block.{}.layer.1.DenseReluDense.wi_1.weight", {d_ff, d_model}, store::weight<&L::ff_in>, Part::gate, kEncoder},
    {"encoder.block.{}.layer.1.DenseReluDense.wo.weight", {d_model, d_ff}, store::weight<&L::ff_out>, Part::always, kEncoder},
    {"encoder.final_layer_norm.weight", {d_model}, store::gain<&P::encoder_norm>},
    {"decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", {buckets, heads}, store::decoder_buckets},
    {"decoder.block.{}.layer.0.layer_norm.weight", {d_model}, store::gain<&L::norm_1>, Part::always, kDecoder},
    {"decoder.block.{}.layer.0.SelfAttention.q.weight", {q_width, d_model}, store::weight<&L::q>, Part::always, kDecoder},
    {"decoder.block.{}.layer.0.SelfAttention.k.weight", {kv_width, d_model}, store::weight<&L::k>, Part::always, kDecoder},
    {"decoder.block.{}.layer.0.SelfAttention.v.weight", {kv_width, d_model}, store::weight<&L::v>, Part::always, kDecoder},
    {"decoder.block.{}.layer.0.SelfAttention.o.weight", {d_model, q_width}, store::weight<&L::o>, Part::always, kDecoder},
    {"decoder.block.{}.layer.1.layer_norm.weight", {d_model}, store::gain<&L::norm_1>, Part::always, kCross},
    {"decoder.block.{}.layer.1.EncDecAttention.q.weight", {q_width, d_model}, store::weight<&L::q>, Part::always, kCross},
    {"decoder.block.{}.layer.1.EncDecAttention.k.weight", {kv_width, d_model}, store::weight<&L::k>, Part::always, kCross},
    {"decoder.block.{}.layer.1.EncDecAttention.v.weight", {kv_width, d_model}, store::weight<&L::v>, Part::always, kCross},
    {"decoder.block.{}.layer.1.EncDecAttention.o.weight", {d_model, q_width}, store::weight<&L::o>, Part::always, kCross},
    {"decoder.block.{}.layer.2.layer_norm.weight", {d_model}, store::gain<&L::norm_2>, Part::always, kCross},
    {"decoder.block.{}.layer.2.DenseReluDense.wi.weight", {d_ff, d_model}, store::weight<&L::ff_in>, Part::no_gate, kCross},
    {"decoder.block.{}.layer.2.DenseReluDense.wi_0.weight", {d_ff, d_model}, store::weight<&L::ff_gate>, Part::gate, kCross},
    {"decoder.block.{}.layer.2.DenseReluDense.wi_1.weight", {d_ff, d_model}, store::weight<&L::ff_in>, Part::gate, kCross},
    {"decoder.block.{}.layer.2.DenseReluDense.wo.weight", {d_model, d_ff}, store::weight<&L::ff_out>, Part::always, kCross},
    {"decoder.final_layer_norm.weight", {d_model}, store::gain<&P::final_norm>},
    {"lm_head.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, kShared},
    {"encoder.embed_tokens.weight", {vocabulary, d_model}, store::own_table, Part::own_tables_if_stored, Stack::only, kShared},
    {"decoder.embed_tokens.weight", {vocabulary, d_model}, store::own_decoder_table, Part::own_tables_if_stored, Stack::only, kShared},
};
constexpr std::string_view kT5Ignored[] = {"decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"};

// BART (Lewis et al. 2020, arXiv 1910.13461): learned positions, norms after each part.

constexpr KeySpelling kBartOthers[] = {
    {"encoder_layers", "num_hidden_layers"}, {"d_model", "hidden_size"}, {"encoder_attention_heads", "num_attention_heads"}};
constexpr ConfigKeys kBartKeys{.layers = "encoder_layers",
                               .d_model = "d_model",
                               .heads = "encoder_attention_heads",
                               .d_ff = "encoder_ffn_dim",
                               .epsilon = {},
                               .activation = "activation_function",
                               .others = kBartOthers};

FileConfig read_pair(const JsonFields& fields) {
  FileConfig file = read_sizes(fields, kBartKeys, "gelu");
  ModelConfig& sizes = file.sizes;
  set_stacks(file, read_size_or(fields, "decoder_layers", sizes.layers, kMostLayers));
  const int decoder_heads = read_size_or(fields, "decoder_attention_heads", sizes.heads.count, kWidest);
  check_heads_divide(fields, "decoder_attention_heads", decoder_heads, file.keys.d_model, sizes.d_model);
  sizes.stacks.decoder_heads = decoder_heads == sizes.heads.count ? 0 : decoder_heads;
  file.decoder_d_ff = read_size_or(fields, "decoder_ffn_dim", sizes.feed_forward.d_ff, kWidestInner);
  sizes.norm.place = NormPlace::after;
  if (fields.boolean_or("scale_embedding", false)) sizes.embedding_scale = std::sqrt(static_cast<float>(sizes.d_model));
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  return file;
}

FileConfig read_bart(const JsonFields& fields) {
  FileConfig file = read_pair(fields);
  file.set(Part::own_tables_if_stored, true);
  file.position_offset = 2;
  file.sizes.stacks.decoder_start = read_start(fields, 2);
  if (fields.has("eos_token_id") && !fields.has("decoder_start_token_id")) {
    file.sizes.stacks.decoder_start = fields.integer("eos_token_id", 0, kMostRows);
  }
  return file;
}

/// Marian (Junczys-Dowmunt et al. 2018, arXiv 1804.00344): positions by sines and cosines, no norm after the embedding.
FileConfig read_marian(const JsonFields& fields) {
  FileConfig file = read_pair(fields);
  file.sizes.positions.kind = PositionKind::sinusoidal;
  file.sizes.positions.has_split_sinusoids = true;
  file.decoder_vocabulary = read_size_or(fields, "decoder_vocab_size", file.sizes.vocabulary, kMostRows);
  const bool is_shared = fields.boolean_or("share_encoder_decoder_embeddings", true);
  file.set(Part::shared_table, is_shared);
  file.set(Part::own_tables_if_stored, is_shared);
  file.set(Part::own_tables, !is_shared);
  file.sizes.stacks.decoder_start = read_start(fields, 0);
  return file;
}

constexpr TensorRow kBartTables[] = {
    {"shared.weight", {vocabulary, d_model}, store::table_of_both},
    {"encoder.embed_positions.weight", {positions, d_model}, store::positions},
    {"encoder.layernorm_embedding.weight", {d_model}, store::embedding_gain},
    {"encoder.layernorm_embedding.bias", {d_model}, store::embedding_shift},
    {"decoder.embed_positions.weight", {positions, d_model}, store::positions<store::decoder>},
    {"decoder.layernorm_embedding.weight", {d_model}, store::embedding_gain<store::decoder>},
    {"decoder.layernorm_embedding.bias", {d_model}, store::embedding_shift<store::decoder>},
    {"final_logits_bias", {one, vocabulary}, store::prediction_bias, Part::logits},
    {"lm_head.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, kShared},
    {"encoder.embed_tokens.weight", {vocabulary, d_model}, store::own_table, Part::own_tables_if_stored, Stack::only, kShared},
    {"decoder.embed_tokens.weight", {vocabulary, d_model}, store::own_decoder_table, Part::own_tables_if_stored, Stack::only, kShared},
};
constexpr TensorRow kMarianTables[] = {
    {"shared.weight", {vocabulary, d_model}, store::table_of_both, Part::shared_table},
    {"encoder.embed_positions.weight", {positions, d_model}, store::positions, Part::if_stored},
    {"decoder.embed_positions.weight", {positions, d_model}, store::positions<store::decoder>, Part::if_stored},
    {"encoder.embed_tokens.weight", {vocabulary, d_model}, store::table, Part::own_tables},
    {"decoder.embed_tokens.weight", {decoder_vocabulary, d_model}, store::table<store::decoder>, Part::own_tables},
    {"final_logits_bias", {one, decoder_vocabulary}, store::prediction_bias, Part::logits},
    {"lm_head.weight", {decoder_vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, kDecoderTable},
    {"encoder.embed_tokens.weight", {vocabulary, d_model}, store::own_table, Part::own_tables_if_stored, Stack::only, kShared},
    {kDecoderTable, {vocabulary, d_model}, store::own_decoder_table, Part::own_tables_if_stored, Stack::only, kShared},
};
constexpr TensorRow kPairLayers[] = {
    {"encoder.layers.{}.self_attn.q_proj.weight", {q_width, d_model}, store::weight<&L::q>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn.q_proj.bias", {q_width}, store::bias<&L::q>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn.k_proj.weight", {kv_width, d_model}, store::weight<&L::k>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn.k_proj.bias", {kv_width}, store::bias<&L::k>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn.v_proj.weight", {kv_width, d_model}, store::weight<&L::v>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn.v_proj.bias", {kv_width}, store::bias<&L::v>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn.out_proj.weight", {d_model, q_width}, store::weight<&L::o>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn.out_proj.bias", {d_model}, store::bias<&L::o>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn_layer_norm.weight", {d_model}, store::gain<&L::norm_1>, Part::always, kEncoder},
    {"encoder.layers.{}.self_attn_layer_norm.bias", {d_model}, store::shift<&L::norm_1>, Part::always, kEncoder},
    {"encoder.layers.{}.fc1.weight", {d_ff, d_model}, store::weight<&L::ff_in>, Part::always, kEncoder},
    {"encoder.layers.{}.fc1.bias", {d_ff}, store::bias<&L::ff_in>, Part::always, kEncoder},
    {"encoder.layers.{}.fc2.weight", {d_model, d_ff}, store::weight<&L::ff_out>, Part::always, kEncoder},
    {"encoder.layers.{}.fc2.bias", {d_model}, store::bias<&L::ff_out>, Part::always, kEncoder},
    {"encoder.layers.{}.final_layer_norm.weight", {d_model}, store::gain<&L::norm_2>, Part::always, kEncoder},
    {"encoder.layers.{}.final_layer_norm.bias", {d_model}, store::shift<&L::norm_2>, Part::always, kEncoder},
    {"decoder.layers.{}.self_attn.q_proj.weight", {q_width, d_model}, store::weight<&L::q>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn.q_proj.bias", {q_width}, store::bias<&L::q>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn.k_proj.weight", {kv_width, d_model}, store::weight<&L::k>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn.k_proj.bias", {kv_width}, store::bias<&L::k>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn.v_proj.weight", {kv_width, d_model}, store::weight<&L::v>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn.v_proj.bias", {kv_width}, store::bias<&L::v>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn.out_proj.weight", {d_model, q_width}, store::weight<&L::o>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn.out_proj.bias", {d_model}, store::bias<&L::o>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn_layer_norm.weight", {d_model}, store::gain<&L::norm_1>, Part::always, kDecoder},
    {"decoder.layers.{}.self_attn_layer_norm.bias", {d_model}, store::shift<&L::norm_1>, Part::always, kDecoder},
    {"decoder.layers.{}.encoder_attn.q_proj.weight", {q_width, d_model}, store::weight<&L::q>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn.q_proj.bias", {q_width}, store::bias<&L::q>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn.k_proj.weight", {kv_width, d_model}, store::weight<&L::k>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn.k_proj.bias", {kv_width}, store::bias<&L::k>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn.v_proj.weight", {kv_width, d_model}, store::weight<&L::v>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn.v_proj.bias", {kv_width}, store::bias<&L::v>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn.out_proj.weight", {d_model, q_width}, store::weight<&L::o>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn.out_proj.bias", {d_model}, store::bias<&L::o>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn_layer_norm.weight", {d_model}, store::gain<&L::norm_1>, Part::always, kCross},
    {"decoder.layers.{}.encoder_attn_layer_norm.bias", {d_model}, store::shift<&L::norm_1>, Part::always, kCross},
    {"decoder.layers.{}.fc1.weight", {decoder_d_ff, d_model}, store::weight<&L::ff_in>, Part::always, kCross},
    {"decoder.layers.{}.fc1.bias", {decoder_d_ff}, store::bias<&L::ff_in>, Part::always, kCross},
    {"decoder.layers.{}.fc2.weight", {d_model, decoder_d_ff}, store::weight<&L::ff_out>, Part::always, kCross},
    {"decoder.layers.{}.fc2.bias", {d_model}, store::bias<&L::ff_out>, Part::always, kCross},
    {"decoder.layers.{}.final_layer_norm.weight", {d_model}, store::gain<&L::norm_2>, Part::always, kCross},
    {"decoder.layers.{}.final_layer_norm.bias", {d_model}, store::shift<&L::norm_2>, Part::always, kCross},
};

constexpr auto kBartTensors = joined_tables(std::to_array(kBartTables), std::to_array(kPairLayers));
constexpr auto kMarianTensors = joined_tables(std::to_array(kMarianTables), std::to_array(kPairLayers));
constexpr std::string_view kPairPrefixes[] = {"model."};

constexpr FamilyRow kRows[] = {
    {"t5", "T5", read_t5, {}, kT5Tensors, kT5Ignored},
    {"mt5", "mT5", read_mt5, {}, kT5Tensors, kT5Ignored},
    {"bart", "BART", read_bart, kPairPrefixes, kBartTensors, {}},
    {"marian", "Marian", read_marian, kPairPrefixes, kMarianTensors, {}},
};

}  // namespace
}  // namespace encoder_decoder_layouts

std::span<const FamilyRow> encoder_decoder_families() {
  return encoder_decoder_layouts::kRows;
}

}  // namespace headlight

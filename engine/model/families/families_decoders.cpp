// Decoders with layouts of their own: GPT-2, GPT-Neo, GPT-NeoX, OPT, Phi.
#include <cmath>

#include "engine/model/families/family_config.h"
#include "engine/model/families/family_stores.h"
#include "engine/model/families/family_tables.h"

namespace headlight {
namespace decoder_layouts {
namespace {

using enum Axis;
using store::L;
using P = Parameters;

// GPT-2 (Radford et al. 2019). Its Conv1D layers store weights as [in, out], as we do.

constexpr KeySpelling kGpt2Others[] = {{"n_layer", "num_hidden_layers"},
                                       {"n_embd", "hidden_size"},
                                       {"n_head", "num_attention_heads"},
                                       {"n_positions", "max_position_embeddings"},
                                       {"n_positions", "n_ctx"}};  // before 2020
constexpr ConfigKeys kGpt2Keys{.layers = "n_layer",
                               .d_model = "n_embd",
                               .heads = "n_head",
                               .d_ff = "n_inner",
                               .positions = "n_positions",
                               .epsilon = "layer_norm_epsilon",
                               .activation = "activation_function",
                               .others = kGpt2Others};

FileConfig read_gpt2(const JsonFields& fields) {
  FileConfig file = read_sizes(fields, kGpt2Keys, "gelu_new");
  ModelConfig& sizes = file.sizes;
  sizes.positions.most = read_size(fields, file.keys.positions, kMostRows);
  sizes.scores.is_scaled = fields.boolean_or("scale_attn_weights", true);
  sizes.scores.is_scaled_by_layer = fields.boolean_or("scale_attn_by_inverse_layer_idx", false);
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  return file;
}

constexpr TensorRow kGpt2Tensors[] = {
    {"wte.weight", {vocabulary, d_model}, store::table},
    {"wpe.weight", {positions, d_model}, store::positions},
    {"h.{}.ln_1.weight", {d_model}, store::gain<&L::norm_1>},
    {"h.{}.ln_1.bias", {d_model}, store::shift<&L::norm_1>},
    {"h.{}.attn.c_attn.weight", {d_model, qkv_width}, store::joined_conv1d},
    {"h.{}.attn.c_attn.bias", {qkv_width}, store::joined_bias},
    {"h.{}.attn.c_proj.weight", {d_model, d_model}, store::conv1d<&L::o>},
    {"h.{}.attn.c_proj.bias", {d_model}, store::bias<&L::o>},
    {"h.{}.ln_2.weight", {d_model}, store::gain<&L::norm_2>},
    {"h.{}.ln_2.bias", {d_model}, store::shift<&L::norm_2>},
    {"h.{}.mlp.c_fc.weight", {d_model, d_ff}, store::conv1d<&L::ff_in>},
    {"h.{}.mlp.c_fc.bias", {d_ff}, store::bias<&L::ff_in>},
    {"h.{}.mlp.c_proj.weight", {d_ff, d_model}, store::conv1d<&L::ff_out>},
    {"h.{}.mlp.c_proj.bias", {d_model}, store::bias<&L::ff_out>},
    {"ln_f.weight", {d_model}, store::gain<&P::final_norm>},
    {"ln_f.bias", {d_model}, store::shift<&P::final_norm>},
    {"lm_head.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, "wte.weight"},
};
constexpr std::string_view kGpt2Prefixes[] = {"transformer."};
constexpr std::string_view kGpt2Ignored[] = {"h.{}.attn.bias", "h.{}.attn.masked_bias"};

// GPT-Neo (Black et al. 2021): layers alternate between seeing everything and the last few tokens; scores are not divided.

constexpr KeySpelling kGptNeoOthers[] = {{"num_layers", "num_hidden_layers"}, {"num_heads", "num_attention_heads"}};
constexpr ConfigKeys kGptNeoKeys{.layers = "num_layers",
                                 .heads = "num_heads",
                                 .epsilon = "layer_norm_epsilon",
                                 .activation = "activation_function",
                                 .others = kGptNeoOthers};

/// "attention_types": [[["global", "local"], 12]], or the list that it expands to.
std::vector<std::string> read_gpt_neo_layers(const JsonFields& fields, int layers) {
  std::vector<std::string> kinds;
  const auto refuse = [&](const std::string& key) {
    fields.refuse(key, "not one of \"global\" and \"local\" for each layer", describe(fields.at(key)));
  };
  const auto add = [&](const std::string& key, const Json& kind) {
    if (kind != "global" && kind != "local") refuse(key);
    kinds.push_back(kind.get<std::string>());
  };
  const std::string key = fields.has("attention_layers") ? "attention_layers" : "attention_types";
  for (const Json& entry : fields.array(key)) {
    if (entry.is_string()) {
      add(key, entry);
      continue;
    }
    const bool is_run = entry.is_array() && entry.size() == 2 && entry[0].is_array() && entry[1].is_number_unsigned() &&
                        entry[1].get<std::uint64_t>() <= static_cast<std::uint64_t>(layers);
    if (!is_run) refuse(key);
    for (std::uint64_t times = 0; times < entry[1].get<std::uint64_t>(); ++times) {
      for (const Json& kind : entry[0]) add(key, kind);
    }
  }
  if (std::ssize(kinds) != layers) refuse(key);
  return kinds;
}

FileConfig read_gpt_neo(const JsonFields& fields) {
  FileConfig file = read_sizes(fields, kGptNeoKeys, "gelu_new");
  file.sizes.scores.is_scaled = false;
  file.sizes.mask.is_causal = true;  // its code has its own masks, and never reads is_causal
  const int window = read_size_or(fields, "window_size", 256, kMostRows);
  std::vector<int> windows;
  for (const std::string& kind : read_gpt_neo_layers(fields, file.sizes.layers)) windows.push_back(kind == "local" ? window : 0);
  set_windows(file.sizes, std::move(windows));
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  return file;
}

constexpr TensorRow kGptNeoTensors[] = {
    {"wte.weight", {vocabulary, d_model}, store::table},
    {"wpe.weight", {positions, d_model}, store::positions},
    {"h.{}.ln_1.weight", {d_model}, store::gain<&L::norm_1>},
    {"h.{}.ln_1.bias", {d_model}, store::shift<&L::norm_1>},
    {"h.{}.attn.attention.q_proj.weight", {q_width, d_model}, store::weight<&L::q>},
    {"h.{}.attn.attention.k_proj.weight", {kv_width, d_model}, store::weight<&L::k>},
    {"h.{}.attn.attention.v_proj.weight", {kv_width, d_model}, store::weight<&L::v>},
    {"h.{}.attn.attention.out_proj.weight", {d_model, q_width}, store::weight<&L::o>},
    {"h.{}.attn.attention.out_proj.bias", {d_model}, store::bias<&L::o>},
    {"h.{}.ln_2.weight", {d_model}, store::gain<&L::norm_2>},
    {"h.{}.ln_2.bias", {d_model}, store::shift<&L::norm_2>},
    {"h.{}.mlp.c_fc.weight", {d_ff, d_model}, store::weight<&L::ff_in>},
    {"h.{}.mlp.c_fc.bias", {d_ff}, store::bias<&L::ff_in>},
    {"h.{}.mlp.c_proj.weight", {d_model, d_ff}, store::weight<&L::ff_out>},
    {"h.{}.mlp.c_proj.bias", {d_model}, store::bias<&L::ff_out>},
    {"ln_f.weight", {d_model}, store::gain<&P::final_norm>},
    {"ln_f.bias", {d_model}, store::shift<&P::final_norm>},
    {"lm_head.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, "wte.weight"},
};
constexpr std::string_view kGptNeoIgnored[] = {"h.{}.attn.attention.bias", "h.{}.attn.attention.masked_bias"};

// GPT-NeoX and Pythia (Black et al. 2022, arXiv 2204.06745): attention and feed-forward side by side, partial rotary positions.

constexpr ConfigKeys kGptNeoxKeys{};

FileConfig read_gpt_neox(const JsonFields& fields) {
  FileConfig file = read_sizes(fields, kGptNeoxKeys, "gelu");
  file.sizes.positions.kind = PositionKind::rotary;
  file.sizes.positions.rotary = read_rotary(fields, file.sizes, {.share = 0.25, .theta_key = "rotary_emb_base", .share_key = "rotary_pct"});
  file.sizes.feed_forward.is_parallel = fields.boolean_or("use_parallel_residual", true);
  file.is_tied = fields.boolean_or("tie_word_embeddings", false);
  file.set(Part::qkv_bias, fields.boolean_or("attention_bias", true));
  return file;
}

constexpr TensorRow kGptNeoxTensors[] = {
    {"embed_in.weight", {vocabulary, d_model}, store::table},
    {"layers.{}.input_layernorm.weight", {d_model}, store::gain<&L::norm_1>},
    {"layers.{}.input_layernorm.bias", {d_model}, store::shift<&L::norm_1>},
    {"layers.{}.attention.query_key_value.weight", {qkv_width, d_model}, store::joined_by_head},
    {"layers.{}.attention.query_key_value.bias", {qkv_width}, store::joined_bias_by_head, Part::qkv_bias},
    {"layers.{}.attention.dense.weight", {d_model, q_width}, store::weight<&L::o>},
    {"layers.{}.attention.dense.bias", {d_model}, store::bias<&L::o>, Part::qkv_bias},
    {"layers.{}.post_attention_layernorm.weight", {d_model}, store::gain<&L::norm_2>},
    {"layers.{}.post_attention_layernorm.bias", {d_model}, store::shift<&L::norm_2>},
    {"layers.{}.mlp.dense_h_to_4h.weight", {d_ff, d_model}, store::weight<&L::ff_in>},
    {"layers.{}.mlp.dense_h_to_4h.bias", {d_ff}, store::bias<&L::ff_in>},
    {"layers.{}.mlp.dense_4h_to_h.weight", {d_model, d_ff}, store::weight<&L::ff_out>},
    {"layers.{}.mlp.dense_4h_to_h.bias", {d_model}, store::bias<&L::ff_out>},
    {"final_layer_norm.weight", {d_model}, store::gain<&P::final_norm>},
    {"final_layer_norm.bias", {d_model}, store::shift<&P::final_norm>},
    {"embed_out.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, "embed_in.weight"},
};
constexpr std::string_view kGptNeoxPrefixes[] = {"gpt_neox."};
constexpr std::string_view kGptNeoxIgnored[] = {"layers.{}.attention.bias", "layers.{}.attention.masked_bias",
                                                "layers.{}.attention.rotary_emb.inv_freq"};

// OPT (Zhang et al. 2022, arXiv 2205.01068). The second smallest (350m) has its norms after each part and a narrower table.

constexpr ConfigKeys kOptKeys{.d_ff = "ffn_dim", .epsilon = {}, .activation = "activation_function"};

FileConfig read_opt(const JsonFields& fields) {
  FileConfig file = read_sizes(fields, kOptKeys, "relu");
  file.position_offset = 2;
  const bool is_norm_before = fields.boolean_or("do_layer_norm_before", true);
  file.sizes.norm.place = is_norm_before ? NormPlace::before : NormPlace::after;
  file.d_embedding = read_size_or(fields, "word_embed_proj_dim", file.sizes.d_model, kWidest);
  file.set(Part::projection, file.d_embedding != file.sizes.d_model);
  const bool has_biases = fields.boolean_or("enable_bias", true);
  for (const Part part : {Part::qkv_bias, Part::o_bias, Part::ff_bias}) file.set(part, has_biases);
  if (!fields.boolean_or("layer_norm_elementwise_affine", true)) {
    fields.refuse("layer_norm_elementwise_affine", "norms without learned parameters are not supported", "false", "true");
  }
  file.set(Part::final_norm, is_norm_before && !fields.boolean_or("_remove_final_layer_norm", false));
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  return file;
}

constexpr TensorRow kOptTensors[] = {
    {"decoder.embed_tokens.weight", {vocabulary, d_embedding}, store::table},
    {"decoder.project_in.weight", {d_model, d_embedding}, store::embedding_projection, Part::projection},
    {"decoder.embed_positions.weight", {positions, d_model}, store::positions},
    {"decoder.layers.{}.self_attn_layer_norm.weight", {d_model}, store::gain<&L::norm_1>},
    {"decoder.layers.{}.self_attn_layer_norm.bias", {d_model}, store::shift<&L::norm_1>},
    {"decoder.layers.{}.self_attn.q_proj.weight", {q_width, d_model}, store::weight<&L::q>},
    {"decoder.layers.{}.self_attn.q_proj.bias", {q_width}, store::bias<&L::q>, Part::qkv_bias},
    {"decoder.layers.{}.self_attn.k_proj.weight", {kv_width, d_model}, store::weight<&L::k>},
    {"decoder.layers.{}.self_attn.k_proj.bias", {kv_width}, store::bias<&L::k>, Part::qkv_bias},
    {"decoder.layers.{}.self_attn.v_proj.weight", {kv_width, d_model}, store::weight<&L::v>},
    {"decoder.layers.{}.self_attn.v_proj.bias", {kv_width}, store::bias<&L::v>, Part::qkv_bias},
    {"decoder.layers.{}.self_attn.out_proj.weight", {d_model, q_width}, store::weight<&L::o>},
    {"decoder.layers.{}.self_attn.out_proj.bias", {d_model}, store::bias<&L::o>, Part::o_bias},
    {"decoder.layers.{}.final_layer_norm.weight", {d_model}, store::gain<&L::norm_2>},
    {"decoder.layers.{}.final_layer_norm.bias", {d_model}, store::shift<&L::norm_2>},
    {"decoder.layers.{}.fc1.weight", {d_ff, d_model}, store::weight<&L::ff_in>},
    {"decoder.layers.{}.fc1.bias", {d_ff}, store::bias<&L::ff_in>, Part::ff_bias},
    {"decoder.layers.{}.fc2.weight", {d_model, d_ff}, store::weight<&L::ff_out>},
    {"decoder.layers.{}.fc2.bias", {d_model}, store::bias<&L::ff_out>, Part::ff_bias},
    {"decoder.final_layer_norm.weight", {d_model}, store::gain<&P::final_norm>, Part::final_norm},
    {"decoder.final_layer_norm.bias", {d_model}, store::shift<&P::final_norm>, Part::final_norm},
    {"decoder.project_out.weight", {d_embedding, d_model}, store::final_projection, Part::projection},
    {"lm_head.weight", {vocabulary, d_embedding}, store::prediction_table, Part::own_logits, Stack::only, "decoder.embed_tokens.weight"},
};
constexpr std::string_view kModelPrefix[] = {"model."};

// Phi-1, Phi-1.5 and Phi-2 (Li et al. 2023, arXiv 2309.05463): one norm for attention and feed-forward side by side.

constexpr ConfigKeys kPhiKeys{.kv_heads = "num_key_value_heads", .d_head = "head_dim"};

FileConfig read_phi(const JsonFields& fields) {
  FileConfig file = read_sizes(fields, kPhiKeys, "gelu_new");
  file.sizes.positions.kind = PositionKind::rotary;
  file.sizes.positions.rotary = read_rotary(fields, file.sizes, {.share = 0.5, .share_key = "partial_rotary_factor"});
  file.sizes.feed_forward.is_parallel = true;
  const bool has_norms = fields.boolean_or("qk_layernorm", false);
  file.sizes.scores.query_key_norm = has_norms ? QueryKeyNorm::each_head : QueryKeyNorm::none;
  file.set(Part::query_key_norm, has_norms);
  file.is_tied = fields.boolean_or("tie_word_embeddings", false);
  return file;
}

constexpr TensorRow kPhiTensors[] = {
    {"embed_tokens.weight", {vocabulary, d_model}, store::table},
    {"layers.{}.input_layernorm.weight", {d_model}, store::gain_of_both},
    {"layers.{}.input_layernorm.bias", {d_model}, store::shift_of_both},
    {"layers.{}.self_attn.q_proj.weight", {q_width, d_model}, store::weight<&L::q>},
    {"layers.{}.self_attn.q_proj.bias", {q_width}, store::bias<&L::q>},
    {"layers.{}.self_attn.k_proj.weight", {kv_width, d_model}, store::weight<&L::k>},
    {"layers.{}.self_attn.k_proj.bias", {kv_width}, store::bias<&L::k>},
    {"layers.{}.self_attn.v_proj.weight", {kv_width, d_model}, store::weight<&L::v>},
    {"layers.{}.self_attn.v_proj.bias", {kv_width}, store::bias<&L::v>},
    {"layers.{}.self_attn.q_layernorm.weight", {d_head}, store::gain<&L::q_norm>, Part::query_key_norm},
    {"layers.{}.self_attn.q_layernorm.bias", {d_head}, store::shift<&L::q_norm>, Part::query_key_norm},
    {"layers.{}.self_attn.k_layernorm.weight", {d_head}, store::gain<&L::k_norm>, Part::query_key_norm},
    {"layers.{}.self_attn.k_layernorm.bias", {d_head}, store::shift<&L::k_norm>, Part::query_key_norm},
    {"layers.{}.self_attn.dense.weight", {d_model, q_width}, store::weight<&L::o>},
    {"layers.{}.self_attn.dense.bias", {d_model}, store::bias<&L::o>},
    {"layers.{}.mlp.fc1.weight", {d_ff, d_model}, store::weight<&L::ff_in>},
    {"layers.{}.mlp.fc1.bias", {d_ff}, store::bias<&L::ff_in>},
    {"layers.{}.mlp.fc2.weight", {d_model, d_ff}, store::weight<&L::ff_out>},
    {"layers.{}.mlp.fc2.bias", {d_model}, store::bias<&L::ff_out>},
    {"final_layernorm.weight", {d_model}, store::gain<&P::final_norm>},
    {"final_layernorm.bias", {d_model}, store::shift<&P::final_norm>},
    {"lm_head.weight", {vocabulary, d_model}, store::prediction_table, Part::own_logits, Stack::only, "embed_tokens.weight"},
    {"lm_head.bias", {vocabulary}, store::prediction_bias, Part::logits},
};
constexpr std::string_view kRotaryIgnored[] = {"layers.{}.self_attn.rotary_emb.inv_freq"};

constexpr FamilyRow kRows[] = {
    {"gpt2", "GPT-2", read_gpt2, kGpt2Prefixes, kGpt2Tensors, kGpt2Ignored},
    {"gpt_neo", "GPT-Neo", read_gpt_neo, kGpt2Prefixes, kGptNeoTensors, kGptNeoIgnored},
    {"gpt_neox", "GPT-NeoX", read_gpt_neox, kGptNeoxPrefixes, kGptNeoxTensors, kGptNeoxIgnored},
    {"opt", "OPT", read_opt, kModelPrefix, kOptTensors, {}},
    {"phi", "Phi", read_phi, kModelPrefix, kPhiTensors, kRotaryIgnored},
};

}  // namespace
}  // namespace decoder_layouts

std::span<const FamilyRow> decoder_families() {
  return decoder_layouts::kRows;
}

}  // namespace headlight

// Decoders of Llama's layout: rotary positions, gated feed-forward, grouped heads. They differ in norms, biases and windows.
#include <fmt/core.h>

#include <cmath>

#include "engine/model/families/family_config.h"
#include "engine/model/families/family_stores.h"
#include "engine/model/families/family_tables.h"

namespace headlight {
namespace llama_layout {
namespace {

using enum Axis;
using store::L;
using P = Parameters;

constexpr ConfigKeys kKeys{.kv_heads = "num_key_value_heads", .d_head = "head_dim", .epsilon = "rms_norm_eps", .usual_epsilon = 1e-6};
constexpr ConfigKeys kOlmo2Keys{.kv_heads = "num_key_value_heads", .d_head = "head_dim", .epsilon = "rms_norm_eps"};  // and Phi-3
constexpr ConfigKeys kGemmaKeys{.kv_heads = "num_key_value_heads", .d_head = "head_dim", .epsilon = "rms_norm_eps", .usual_epsilon = 1e-6};
constexpr ConfigKeys kGemma2Keys{.kv_heads = "num_key_value_heads",
                                 .d_head = "head_dim",
                                 .epsilon = "rms_norm_eps",
                                 .usual_epsilon = 1e-6,
                                 .activation = "hidden_activation"};
constexpr ConfigKeys kStableLmKeys{.kv_heads = "num_key_value_heads"};

FileConfig read_common(const JsonFields& fields, const ConfigKeys& keys, std::string_view activation) {
  FileConfig file = read_sizes(fields, keys, activation);
  file.sizes.norm.kind = NormKind::rms_norm;
  file.sizes.positions.kind = PositionKind::rotary;
  const bool has_biases = fields.boolean_or("attention_bias", false);
  file.set(Part::qkv_bias, has_biases);
  file.set(Part::o_bias, fields.boolean_or(std::string(kGgufOutputBias), has_biases));
  file.set(Part::ff_bias, fields.boolean_or("mlp_bias", false));
  file.is_tied = fields.boolean_or("tie_word_embeddings", false);
  return file;
}

/// A window in every layer, where the config has one.
void read_window(const JsonFields& fields, int fallback, ModelConfig& sizes) {
  const int window = is_absent(fields, "sliding_window") ? fallback : read_size_or(fields, "sliding_window", 0, kMostRows);
  set_windows(sizes, std::vector<int>(static_cast<std::size_t>(sizes.layers), window));
}

/// Llama 1 to 3.2 (Touvron et al. 2023, arXiv 2302.13971; Grattafiori et al. 2024, arXiv 2407.21783), SmolLM.
FileConfig read_llama(const JsonFields& fields, const ConfigKeys& keys) {
  FileConfig file = read_common(fields, keys, "silu");
  file.sizes.positions.rotary = read_rotary(fields, file.sizes, {});
  return file;
}
FileConfig read_llama(const JsonFields& fields) {
  return read_llama(fields, kKeys);
}

/// Mistral (Jiang et al. 2023, arXiv 2310.06825).
FileConfig read_mistral(const JsonFields& fields) {
  FileConfig file = read_llama(fields);
  for (const Part part : {Part::qkv_bias, Part::o_bias, Part::ff_bias}) file.set(part, false);
  const int window = is_absent(fields, "sliding_window") ? 4096 : read_size_or(fields, "sliding_window", 0, kMostRows);
  if (auto windows = read_layer_types(fields, file.sizes.layers, window)) {  // as in Ministral, which transformers takes it for
    set_windows(file.sizes, *std::move(windows));
  } else {
    read_window(fields, 4096, file.sizes);
  }
  return file;
}

/// Qwen's windows: by layer_types or, in older files without it, in the layers from max_window_layers on. That is how the configuration
/// class of transformers 4.56 and 5 fills layer_types, and how 4.48 called its flash attention. With its other kernels (eager, SDPA) 4.48
/// put the window into the one mask of all layers, even the first max_window_layers; we do not.
void read_qwen_windows(const JsonFields& fields, ModelConfig& sizes) {
  if (!fields.boolean_or("use_sliding_window", false)) return;
  const int window = is_absent(fields, "sliding_window") ? 4096 : read_size_or(fields, "sliding_window", 0, kMostRows);
  const auto first = fields.integer_or("max_window_layers", 28, 0, kMostLayers);
  std::vector<int> windows(static_cast<std::size_t>(sizes.layers), 0);
  for (std::int64_t layer = first; layer < sizes.layers; ++layer) windows[static_cast<std::size_t>(layer)] = window;
  set_windows(sizes, read_layer_types(fields, sizes.layers, window).value_or(std::move(windows)));
}

/// Qwen2 and Qwen2.5 (Yang et al. 2024, arXiv 2407.10671): biases on q, k and v only.
FileConfig read_qwen2(const JsonFields& fields) {
  FileConfig file = read_llama(fields);
  file.set(Part::qkv_bias, true);
  file.set(Part::o_bias, false);
  file.set(Part::ff_bias, false);
  read_qwen_windows(fields, file.sizes);
  return file;
}

/// Qwen3 (Yang et al. 2025, arXiv 2505.09388): norms on q and k of each head.
FileConfig read_qwen3(const JsonFields& fields) {
  FileConfig file = read_llama(fields);
  file.set(Part::ff_bias, false);
  file.set(Part::query_key_norm, true);
  file.sizes.scores.query_key_norm = QueryKeyNorm::each_head;
  read_qwen_windows(fields, file.sizes);
  return file;
}

/// OLMo 2 (OLMo Team 2024, arXiv 2501.00656): norms after each part, and on q and k as a whole.
FileConfig read_olmo2(const JsonFields& fields) {
  FileConfig file = read_llama(fields, kOlmo2Keys);
  file.set(Part::ff_bias, false);
  file.sizes.scores.query_key_norm = QueryKeyNorm::all_heads;
  return file;
}

FileConfig read_gemma_layout(const JsonFields& fields, const ConfigKeys& keys) {
  FileConfig file = read_common(fields, keys, "gelu_pytorch_tanh");
  file.sizes.embedding_scale = std::sqrt(static_cast<float>(file.sizes.d_model));
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  return file;
}

/// Gemma (Gemma Team 2024, arXiv 2403.08295): token vectors times √d_model, gains stored as distance from 1. Its first files say gelu;
/// transformers 4 took that for its tanh form, transformers 5 takes it at its word.
FileConfig read_gemma(const JsonFields& fields) {
  FileConfig file = read_gemma_layout(fields, kGemmaKeys);
  if (!fields.has("head_dim")) file.sizes.heads.d_head = 256;
  file.sizes.positions.rotary = read_rotary(fields, file.sizes, {});
  if (fields.text_or("hidden_act", "") == "gelu") {
    file.notices.push_back(
        fmt::format("{}: hidden_act is gelu, and the exact gelu is used, as in transformers 5; transformers 4 used its tanh form here. For "
                    "that, set hidden_act to gelu_pytorch_tanh.",
                    fields.file()));
  }
  return file;
}

/// A cap that is there unless the config says null.
float read_cap(const JsonFields& fields, const std::string& key, double fallback) {
  return static_cast<float>(is_absent(fields, key) ? fallback : fields.number_or(key, 0, 0, 1e9));
}

/// Gemma 3's published code reads this cap but does not apply it.
void note_unused_cap(const JsonFields& fields, const std::string& key, std::vector<std::string>& notices) {
  if (const float cap = read_cap(fields, key, 0); cap > 0)
    notices.push_back(fmt::format("{}: {} {} is not applied: the published model leaves it out.", fields.file(), key, cap));
}

/// Gemma 2 (Gemma Team 2024, arXiv 2408.00118): norms around each part, capped scores, every second layer with a window.
FileConfig read_gemma2(const JsonFields& fields) {
  FileConfig file = read_gemma_layout(fields, kGemma2Keys);
  ModelConfig& sizes = file.sizes;
  sizes.positions.rotary = read_rotary(fields, sizes, {});
  sizes.scores.softcap = read_cap(fields, "attn_logit_softcapping", 50);
  sizes.logits.softcap = read_cap(fields, "final_logit_softcapping", 30);
  sizes.scores.divisor = std::sqrt(fields.number_or("query_pre_attn_scalar", 256, 1e-9, 1e9));
  const int window = read_size_or(fields, "sliding_window", 4096, kMostRows);
  std::vector<int> windows;
  for (int layer = 0; layer < sizes.layers; ++layer) windows.push_back(layer % 2 == 0 ? window : 0);
  set_windows(sizes, read_layer_types(fields, sizes.layers, window).value_or(std::move(windows)));
  return file;
}

/// Gemma 3 (Gemma Team 2025, arXiv 2503.19786): norms on q and k, five layers with a window and one without, each kind with its own
/// rotary frequencies.
FileConfig read_gemma3_text(const JsonFields& fields) {
  FileConfig file = read_gemma_layout(fields, kGemma2Keys);
  ModelConfig& sizes = file.sizes;
  file.set(Part::query_key_norm, true);
  sizes.scores.query_key_norm = QueryKeyNorm::each_head;
  note_unused_cap(fields, "attn_logit_softcapping", file.notices);
  sizes.logits.softcap = read_cap(fields, "final_logit_softcapping", 0);
  sizes.scores.divisor = std::sqrt(fields.number_or("query_pre_attn_scalar", 256, 1e-9, 1e9));
  const bool is_bidirectional = fields.boolean_or("use_bidirectional_attention", false);
  const int stated = read_size_or(fields, "sliding_window", 4096, kMostRows);
  const int window = is_bidirectional ? stated / 2 + 1 : stated;  // half of it on either side
  const auto pattern = static_cast<int>(
      fields.integer_or("sliding_window_pattern", fields.integer_or("_sliding_window_pattern", 6, 1, kMostLayers), 1, kMostLayers));
  std::vector<int> windows;
  for (int layer = 0; layer < sizes.layers; ++layer) windows.push_back((layer + 1) % pattern != 0 ? window : 0);
  set_windows(sizes, read_layer_types(fields, sizes.layers, window).value_or(std::move(windows)));
  if (is_bidirectional) sizes.mask.is_causal = false;
  sizes.positions.rotary = read_rotary(fields, sizes, {.theta = 1'000'000, .kind = "full_attention"});
  RotarySettings local;
  if (fields.has("rope_parameters") && fields.object("rope_parameters").has("sliding_attention")) {
    local = read_rotary(fields, sizes, {.kind = "sliding_attention"});
  } else {
    local.theta = fields.number_or("rope_local_base_freq", 10000, 1, 1e12);
    local.dimensions = sizes.heads.d_head;
  }
  sizes.positions.window_rotary = local;
  return file;
}

/// The model that also reads images: its text part, whose config leaves out what is as in the smallest model.
FileConfig read_gemma3(const JsonFields& fields) {
  const JsonFields text = fields.object("text_config");
  Json whole = text.value();
  const Json defaults = {{"vocab_size", 262208},    {"hidden_size", 2304},      {"intermediate_size", 9216},
                         {"num_hidden_layers", 26}, {"num_attention_heads", 8}, {"num_key_value_heads", 4},
                         {"head_dim", 256},         {"rms_norm_eps", 1e-6},     {"max_position_embeddings", 131072}};
  for (const auto& [key, value] : defaults.items()) {
    if (!whole.contains(key)) whole[key] = value;
  }
  const JsonFields own(whole, fields.file(), "text_config");
  FileConfig file = read_gemma3_text(own);
  note_unused_cap(own, "final_logit_softcapping", file.notices);
  file.sizes.logits.softcap = 0;
  file.sizes.has_logits = claims_language_head(fields);
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);  // the whole model's own field, which its text part does not decide
  if (own.boolean_or("use_bidirectional_attention", false) && !file.sizes.mask.is_causal) {
    file.sizes.mask.is_causal = read_is_causal(own);  // this class halves the windows, and its mask stays causal all the same
    if (file.sizes.mask.is_causal) {
      file.notices.push_back(fmt::format(
          "{}: use_bidirectional_attention is true, but the mask stays causal, as in the code of the model with images.", own.file()));
    }
  }
  return file;
}

/// Phi-3 (Abdin et al. 2024, arXiv 2404.14219): q, k and v in one tensor, gate and inner projection in one.
FileConfig read_phi3(const JsonFields& fields) {
  FileConfig file = read_common(fields, kOlmo2Keys, "silu");
  file.sizes.positions.rotary = read_rotary(
      fields, file.sizes,
      {.share_key = "partial_rotary_factor", .usual_original_positions = 4096, .is_yarn_longrope = true});  // as its first files call it
  read_window(fields, 0, file.sizes);
  return file;
}

/// StableLM (Bellagente et al. 2024, arXiv 2402.17834): LayerNorm, a quarter of each head rotated.
FileConfig read_stablelm(const JsonFields& fields) {
  FileConfig file = read_common(fields, kStableLmKeys, "silu");
  ModelConfig& sizes = file.sizes;
  sizes.norm.kind = NormKind::layer_norm;
  sizes.positions.rotary = read_rotary(fields, sizes, {.share = 0.25, .share_key = "partial_rotary_factor"});
  sizes.feed_forward.is_parallel = fields.boolean_or("use_parallel_residual", false);
  const bool has_norms = fields.boolean_or("qk_layernorm", false);
  sizes.scores.query_key_norm = has_norms ? QueryKeyNorm::each_head : QueryKeyNorm::none;
  file.set(Part::query_key_norm, has_norms);
  file.set(Part::second_norm, !sizes.feed_forward.is_parallel);
  file.set(Part::norms, sizes.feed_forward.is_parallel);
  file.set(Part::qkv_bias, fields.boolean_or("use_qkv_bias", false));
  file.set(Part::o_bias, false);
  return file;
}

// The rows that all share.
constexpr TensorRow kTable{"embed_tokens.weight", {vocabulary, d_model}, store::table};
constexpr TensorRow kQ{"layers.{}.self_attn.q_proj.weight", {q_width, d_model}, store::weight<&L::q>};
constexpr TensorRow kQBias{"layers.{}.self_attn.q_proj.bias", {q_width}, store::bias<&L::q>, Part::qkv_bias};
constexpr TensorRow kK{"layers.{}.self_attn.k_proj.weight", {kv_width, d_model}, store::weight<&L::k>};
constexpr TensorRow kKBias{"layers.{}.self_attn.k_proj.bias", {kv_width}, store::bias<&L::k>, Part::qkv_bias};
constexpr TensorRow kV{"layers.{}.self_attn.v_proj.weight", {kv_width, d_model}, store::weight<&L::v>};
constexpr TensorRow kVBias{"layers.{}.self_attn.v_proj.bias", {kv_width}, store::bias<&L::v>, Part::qkv_bias};
constexpr TensorRow kO{"layers.{}.self_attn.o_proj.weight", {d_model, q_width}, store::weight<&L::o>};
constexpr TensorRow kOBias{"layers.{}.self_attn.o_proj.bias", {d_model}, store::bias<&L::o>, Part::o_bias};
constexpr TensorRow kGate{"layers.{}.mlp.gate_proj.weight", {d_ff, d_model}, store::weight<&L::ff_gate>};
constexpr TensorRow kGateBias{"layers.{}.mlp.gate_proj.bias", {d_ff}, store::bias<&L::ff_gate>, Part::ff_bias};
constexpr TensorRow kUp{"layers.{}.mlp.up_proj.weight", {d_ff, d_model}, store::weight<&L::ff_in>};
constexpr TensorRow kUpBias{"layers.{}.mlp.up_proj.bias", {d_ff}, store::bias<&L::ff_in>, Part::ff_bias};
constexpr TensorRow kDown{"layers.{}.mlp.down_proj.weight", {d_model, d_ff}, store::weight<&L::ff_out>};
constexpr TensorRow kDownBias{"layers.{}.mlp.down_proj.bias", {d_model}, store::bias<&L::ff_out>, Part::ff_bias};
constexpr TensorRow kNorm1{"layers.{}.input_layernorm.weight", {d_model}, store::gain<&L::norm_1>};
constexpr TensorRow kNorm2{"layers.{}.post_attention_layernorm.weight", {d_model}, store::gain<&L::norm_2>};
constexpr TensorRow kFinalNorm{"norm.weight", {d_model}, store::gain<&P::final_norm>};
constexpr TensorRow kLogits{"lm_head.weight", {vocabulary, d_model}, store::prediction_table,
                            Part::own_logits, Stack::only,           "embed_tokens.weight"};

/// What Llama, Gemma, OLMo 2 and StableLM have in common; a model's config leaves out the parts that it does not have.
constexpr std::array kShared = {kTable, kQ, kQBias, kK, kKBias, kV, kVBias, kO, kOBias, kGate, kUp, kDown, kLogits};

constexpr auto kLlamaTensors = joined_tables(
    kShared, std::to_array<TensorRow>({kNorm1,
                                       kNorm2,
                                       kGateBias,
                                       kUpBias,
                                       kDownBias,
                                       kFinalNorm,
                                       {"layers.{}.self_attn.q_norm.weight", {d_head}, store::gain<&L::q_norm>, Part::query_key_norm},
                                       {"layers.{}.self_attn.k_norm.weight", {d_head}, store::gain<&L::k_norm>, Part::query_key_norm}}));

constexpr auto kOlmo2Tensors = joined_tables(
    kShared, std::to_array<TensorRow>({{"layers.{}.self_attn.q_norm.weight", {q_width}, store::gain<&L::q_norm>},
                                       {"layers.{}.self_attn.k_norm.weight", {kv_width}, store::gain<&L::k_norm>},
                                       {"layers.{}.post_attention_layernorm.weight", {d_model}, store::gain<&L::branch_norm_1>},
                                       {"layers.{}.post_feedforward_layernorm.weight", {d_model}, store::gain<&L::branch_norm_2>},
                                       kFinalNorm}));

constexpr TensorRow kGemmaNorm1{"layers.{}.input_layernorm.weight", {d_model}, store::gain_from_one<&L::norm_1>};
constexpr TensorRow kGemmaFinalNorm{"norm.weight", {d_model}, store::gain_from_one<&P::final_norm>};

constexpr auto kGemmaTensors = joined_tables(
    kShared,
    std::to_array<TensorRow>(
        {kGemmaNorm1, {"layers.{}.post_attention_layernorm.weight", {d_model}, store::gain_from_one<&L::norm_2>}, kGemmaFinalNorm}));

constexpr auto kGemma2Tensors = joined_tables(
    kShared,
    std::to_array<TensorRow>({kGemmaNorm1,
                              {"layers.{}.self_attn.q_norm.weight", {d_head}, store::gain_from_one<&L::q_norm>, Part::query_key_norm},
                              {"layers.{}.self_attn.k_norm.weight", {d_head}, store::gain_from_one<&L::k_norm>, Part::query_key_norm},
                              {"layers.{}.post_attention_layernorm.weight", {d_model}, store::gain_from_one<&L::branch_norm_1>},
                              {"layers.{}.pre_feedforward_layernorm.weight", {d_model}, store::gain_from_one<&L::norm_2>},
                              {"layers.{}.post_feedforward_layernorm.weight", {d_model}, store::gain_from_one<&L::branch_norm_2>},
                              kGemmaFinalNorm}));

constexpr TensorRow kPhi3Tensors[] = {
    kTable, kNorm1,     {"layers.{}.self_attn.qkv_proj.weight", {qkv_width, d_model}, store::joined_rows},
    kO,     kNorm2,     {"layers.{}.mlp.gate_up_proj.weight", {gate_up_width, d_model}, store::gate_and_up},
    kDown,  kFinalNorm, kLogits};

constexpr auto kStableLmTensors = joined_tables(
    kShared,
    std::to_array<TensorRow>(
        {{"layers.{}.input_layernorm.weight", {d_model}, store::gain<&L::norm_1>, Part::second_norm},
         {"layers.{}.input_layernorm.bias", {d_model}, store::shift<&L::norm_1>, Part::second_norm},
         {"layers.{}.input_layernorm.weight", {d_model}, store::gain_of_both, Part::norms},
         {"layers.{}.input_layernorm.bias", {d_model}, store::shift_of_both, Part::norms},
         {"layers.{}.self_attn.q_layernorm.norms.{head}.weight", {d_head}, store::gain_of_head<&L::q_norm>, Part::query_key_norm},
         {"layers.{}.self_attn.k_layernorm.norms.{kv_head}.weight", {d_head}, store::gain_of_head<&L::k_norm>, Part::query_key_norm},
         {"layers.{}.post_attention_layernorm.weight", {d_model}, store::gain<&L::norm_2>, Part::second_norm},
         {"layers.{}.post_attention_layernorm.bias", {d_model}, store::shift<&L::norm_2>, Part::second_norm},
         kFinalNorm,
         {"norm.bias", {d_model}, store::shift<&P::final_norm>}}));

constexpr std::string_view kPrefixes[] = {"model.", "language_model.model.", "model.language_model.", "language_model."};
constexpr std::string_view kIgnored[] = {"layers.{}.self_attn.rotary_emb.inv_freq", "rotary_emb.inv_freq"};

constexpr FamilyRow kRows[] = {
    {"llama", "Llama", read_llama, kPrefixes, kLlamaTensors, kIgnored},
    {"mistral", "Mistral", read_mistral, kPrefixes, kLlamaTensors, kIgnored},
    {"qwen2", "Qwen2", read_qwen2, kPrefixes, kLlamaTensors, kIgnored},
    {"qwen3", "Qwen3", read_qwen3, kPrefixes, kLlamaTensors, kIgnored},
    {"gemma", "Gemma", read_gemma, kPrefixes, kGemmaTensors, kIgnored},
    {"gemma2", "Gemma 2", read_gemma2, kPrefixes, kGemma2Tensors, kIgnored},
    {"gemma3_text", "Gemma 3", read_gemma3_text, kPrefixes, kGemma2Tensors, kIgnored},
    {"gemma3", "Gemma 3", read_gemma3, kPrefixes, kGemma2Tensors, kIgnored},
    {"phi3", "Phi-3", read_phi3, kPrefixes, kPhi3Tensors, kIgnored},
    {"olmo2", "OLMo 2", read_olmo2, kPrefixes, kOlmo2Tensors, kIgnored},
    {"stablelm", "StableLM", read_stablelm, kPrefixes, kStableLmTensors, kIgnored},
};

}  // namespace
}  // namespace llama_layout

std::span<const FamilyRow> llama_families() {
  return llama_layout::kRows;
}

}  // namespace headlight

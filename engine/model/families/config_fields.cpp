#include "engine/model/families/config_fields.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/formats/file_names.h"

namespace headlight {
namespace {

using enum FieldUse;

constexpr std::string_view kTraining = "training only", kOtherTask = "about heads for other tasks, which are named where a file has them",
                           kGeneration = "about generating text, not reading it", kOrigin = "says where the file comes from",
                           kPositionsInFile = "the positions are stored in the file", kOtherMask = "the code of this family has no decoder",
                           kWholeHeads = "this family rotates whole heads", kPictures = "about images, which are not read";

constexpr FieldGroup kAll[] = {
    {used, "model_type architectures vocab_size tie_word_embeddings is_causal auto_map quantization_config compression_config"},
    {no_effect,
     "transformers_version _name_or_path name_or_path _commit_hash finetuning_task tokenizer_class transformers.js_config "
     "is_llama_config unsloth_version unsloth_fixed",
     kOrigin},
    {no_effect,
     "attention_dropout hidden_dropout classifier_dropout dropout layerdrop resid_pdrop embd_pdrop attn_pdrop resid_dropout "
     "embed_dropout hidden_dropout_prob attention_probs_dropout_prob classifier_dropout_prob dropout_rate activation_dropout "
     "encoder_layerdrop decoder_layerdrop qa_dropout seq_classif_dropout classif_dropout summary_first_dropout "
     "summary_last_dropout initializer_range init_std initializer_factor gradient_checkpointing",
     kTraining},
    {no_effect,
     "id2label label2id num_labels _num_labels problem_type summary_type summary_use_proj summary_activation "
     "summary_proj_to_labels pooler_fc_size pooler_num_attention_heads pooler_num_fc_layers pooler_size_per_head pooler_type "
     "directionality",
     kOtherTask},
    {no_effect,
     "bos_token_id eos_token_id pad_token_id sep_token_id cls_token_id mask_token_id unk_token_id decoder_start_token_id "
     "forced_bos_token_id forced_eos_token_id use_cache cache_implementation output_past prefix task_specific_params "
     "max_length min_length do_sample early_stopping num_beams num_beam_groups diversity_penalty temperature top_k top_p "
     "typical_p repetition_penalty length_penalty no_repeat_ngram_size encoder_no_repeat_ngram_size bad_words_ids "
     "num_return_sequences output_scores return_dict_in_generate remove_invalid_values exponential_decay_length_penalty "
     "suppress_tokens begin_suppress_tokens epsilon_cutoff eta_cutoff encoder_repetition_penalty "
     "force_bos_token_to_be_generated max_sequence_length max_new_tokens assistant_confidence_threshold assistant_lookbehind "
     "num_assistant_tokens num_assistant_tokens_schedule target_lookbehind",
     kGeneration},
    {no_effect,
     "torch_dtype dtype chunk_size_feed_forward return_dict output_hidden_states output_attentions torchscript use_bfloat16 "
     "pretraining_tp attn_implementation _attn_implementation _attn_implementation_autoset _attn_implementation_internal "
     "_experts_implementation_internal experts_implementation _flash_attn_2_enabled reorder_and_upcast_attn",
     "how the numbers are computed and handed out, not what they are"},
    {no_effect, "cross_attention_hidden_size is_encoder_decoder", "the model_type says it"},
    {noted, "add_cross_attention", "a decoder's attention to an encoder's output needs one; only its own text is read", "false"},
    {noted, "tie_encoder_decoder", "the tensors are taken as the file has them", "false"},
    {noted, "pruned_heads", "the projections are split into all heads", "{}"},
    {no_effect, "is_decoder", "the model_type says it"},
    {noted, "rope_interleaved", "a head's two halves are rotated against each other", "false"},
    {noted, "use_mrope", "positions count along the text", "false"},
};

constexpr FieldGroup kGpt2[] = {{used,
                                 "n_positions n_ctx n_embd n_layer n_head n_inner activation_function layer_norm_epsilon "
                                 "scale_attn_weights scale_attn_by_inverse_layer_idx hidden_size max_position_embeddings "
                                 "num_attention_heads num_hidden_layers"}};
constexpr FieldGroup kGptNeo[] = {{used,
                                   "max_position_embeddings hidden_size num_layers attention_types attention_layers num_heads "
                                   "intermediate_size window_size activation_function layer_norm_epsilon num_attention_heads "
                                   "num_hidden_layers"},
                                  {noted, "is_causal", "its code masks later tokens whatever the field says", "true"}};
constexpr FieldGroup kGptNeox[] = {{used,
                                    "hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act "
                                    "max_position_embeddings layer_norm_eps use_parallel_residual rope_parameters rope_scaling "
                                    "rotary_emb_base rotary_pct attention_bias original_max_position_embeddings"},
                                   {noted, "rope_theta", "the field of this family is rotary_emb_base", "10000"},
                                   {noted, "partial_rotary_factor", "the field of this family is rotary_pct", "0.25"}};
constexpr FieldGroup kOpt[] = {{used,
                                "hidden_size num_hidden_layers ffn_dim max_position_embeddings do_layer_norm_before "
                                "_remove_final_layer_norm word_embed_proj_dim num_attention_heads activation_function enable_bias "
                                "layer_norm_elementwise_affine"}};
constexpr std::string_view kLlamaUsed =
    "hidden_size intermediate_size num_hidden_layers num_attention_heads num_key_value_heads hidden_act max_position_embeddings "
    "rms_norm_eps "
    "rope_parameters rope_scaling rope_theta head_dim original_max_position_embeddings";
constexpr FieldGroup kWhole{noted, "partial_rotary_factor", kWholeHeads, "1.0"};
constexpr FieldGroup kPhi[] = {{used, kLlamaUsed}, {used, "layer_norm_eps qk_layernorm partial_rotary_factor"}};
constexpr FieldGroup kLlama[] = {{used, kLlamaUsed}, {used, "attention_bias mlp_bias"}, kWhole};
constexpr FieldGroup kMistral[] = {{used, kLlamaUsed}, {used, "sliding_window layer_types"}, kWhole};
constexpr FieldGroup kQwen2[] = {{used, kLlamaUsed}, {used, "use_sliding_window sliding_window max_window_layers layer_types"}, kWhole};
constexpr FieldGroup kQwen3[] = {
    {used, kLlamaUsed}, {used, "attention_bias use_sliding_window sliding_window max_window_layers layer_types"}, kWhole};
constexpr FieldGroup kGemmaBidirectional{noted, "use_bidirectional_attention",
                                         "the mask stays causal, as in the eager attention of transformers", "false"};
constexpr FieldGroup kGemma[] = {{used, kLlamaUsed},
                                 {used, "attention_bias"},
                                 {noted, "hidden_activation", "transformers 5 goes by hidden_act alone here", "\"gelu_pytorch_tanh\""},
                                 kGemmaBidirectional,
                                 kWhole};
constexpr FieldGroup kGemma2Act{noted, "hidden_act", "the field of this family is hidden_activation", "\"gelu_pytorch_tanh\""};
constexpr std::string_view kGemma2Used =
    "hidden_activation attention_bias query_pre_attn_scalar sliding_window layer_types final_logit_softcapping attn_logit_softcapping";
constexpr FieldGroup kGemma2[] = {kGemma2Act, {used, kLlamaUsed}, {used, kGemma2Used}, kGemmaBidirectional, kWhole};
constexpr FieldGroup kGemma3Text[] = {
    kGemma2Act,
    {used, kLlamaUsed},
    {used, kGemma2Used},
    {used, "use_bidirectional_attention sliding_window_pattern _sliding_window_pattern rope_local_base_freq"},
    kWhole};
constexpr FieldGroup kGemma3[] = {
    {used, "text_config"},
    {no_effect,
     "vision_config mm_tokens_per_image boi_token_index eoi_token_index image_token_index boi_token_id eoi_token_id "
     "image_token_id",
     kPictures}};
constexpr FieldGroup kPhi3[] = {{used, kLlamaUsed},
                                {used, "partial_rotary_factor sliding_window"},
                                {noted, "layer_types", "the window is that of all layers"},
                                {noted, "attention_bias mlp_bias", "the projections of this family have none", "false"}};
constexpr FieldGroup kOlmo2[] = {{used, kLlamaUsed}, {used, "attention_bias"}, kWhole};
constexpr FieldGroup kStableLm[] = {
    {used,
     "hidden_size intermediate_size num_hidden_layers num_attention_heads num_key_value_heads hidden_act max_position_embeddings "
     "layer_norm_eps rope_parameters rope_scaling rope_theta partial_rotary_factor original_max_position_embeddings use_qkv_bias "
     "qk_layernorm use_parallel_residual"}};
constexpr std::string_view kBertUsed =
    "hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act max_position_embeddings type_vocab_size layer_norm_eps "
    "position_embedding_type";
constexpr FieldGroup kNoDecoder{noted, "is_decoder", kOtherMask, "false"};
constexpr FieldGroup kBothWays{no_effect, "is_causal", kOtherMask};  // where it is true, the config's reader adds the note
constexpr FieldGroup kBert[] = {{used, kBertUsed}, {used, "is_decoder"}};
constexpr FieldGroup kRoberta[] = {{used, kBertUsed}, {used, "is_decoder pad_token_id"}};
constexpr FieldGroup kElectra[] = {{used, kBertUsed}, {used, "is_decoder embedding_size"}};
constexpr FieldGroup kAlbert[] = {
    {used, kBertUsed},
    {used, "embedding_size num_hidden_groups inner_group_num"},
    {no_effect, "down_scale_factor gap_size net_structure_type num_memory_blocks layers_to_keep", "no code has read it for years"},
    kBothWays,
    kNoDecoder};
constexpr FieldGroup kDistilBert[] = {
    {used,
     "n_layers n_heads dim hidden_dim activation max_position_embeddings hidden_size num_attention_heads num_hidden_layers "
     "position_embedding_type"},
    {no_effect, "sinusoidal_pos_embds", kPositionsInFile},
    {no_effect, "tie_weights_", "tie_word_embeddings says it"},
    {noted, "layer_norm_eps", "this family's code uses 1e-12", "1e-12"},
    kBothWays,
    kNoDecoder};
constexpr std::string_view kT5Used =
    "d_model d_kv d_ff num_layers num_decoder_layers num_heads relative_attention_num_buckets relative_attention_max_distance "
    "layer_norm_epsilon feed_forward_proj dense_act_fn is_gated_act hidden_size num_attention_heads num_hidden_layers head_dim "
    "pad_token_id "
    "decoder_start_token_id";
constexpr FieldGroup kPairNotes{no_effect, "is_decoder n_positions", "encoder and decoder are known by their tensors"};
constexpr FieldGroup kT5[] = {{used, kT5Used}, {used, "scale_decoder_outputs"}, kPairNotes};
constexpr FieldGroup kMt5[] = {
    {used, kT5Used}, {no_effect, "scale_decoder_outputs", "the code of this family never scales them"}, kPairNotes};
constexpr std::string_view kBartUsed =
    "max_position_embeddings encoder_layers encoder_ffn_dim encoder_attention_heads decoder_layers decoder_ffn_dim decoder_attention_heads "
    "activation_function d_model scale_embedding pad_token_id eos_token_id decoder_start_token_id hidden_size num_attention_heads "
    "num_hidden_layers";
constexpr FieldGroup kPairOld{no_effect, "extra_pos_embeddings save_step", "the tensors say it"};
constexpr FieldGroup kPairUnlike{noted, "normalize_before add_final_layer_norm add_bias_logits",
                                 "the code of this family has no such variant", "false"};
constexpr FieldGroup kBart[] = {{used, kBartUsed},
                                kPairNotes,
                                kPairOld,
                                kPairUnlike,
                                {noted, "static_position_embeddings", "positions are learned in this family", "false"},
                                {noted, "normalize_embedding", "the embedding is normalised in this family", "true"}};
constexpr FieldGroup kMarian[] = {{used, kBartUsed},
                                  {used, "decoder_vocab_size share_encoder_decoder_embeddings"},
                                  kPairNotes,
                                  kPairOld,
                                  kPairUnlike,
                                  {noted, "static_position_embeddings", "positions are sines and cosines in this family", "true"},
                                  {noted, "normalize_embedding", "the embedding is not normalised in this family", "false"}};

struct FamilyFields {
  std::string_view model_type;
  std::span<const FieldGroup> groups;
};
constexpr FamilyFields kFamilies[] = {{"gpt2", kGpt2},         {"gpt_neo", kGptNeo},
                                      {"gpt_neox", kGptNeox},  {"opt", kOpt},
                                      {"phi", kPhi},           {"llama", kLlama},
                                      {"mistral", kMistral},   {"qwen2", kQwen2},
                                      {"qwen3", kQwen3},       {"gemma", kGemma},
                                      {"gemma2", kGemma2},     {"gemma3_text", kGemma3Text},
                                      {"gemma3", kGemma3},     {"phi3", kPhi3},
                                      {"olmo2", kOlmo2},       {"stablelm", kStableLm},
                                      {"bert", kBert},         {"distilbert", kDistilBert},
                                      {"roberta", kRoberta},   {"xlm-roberta", kRoberta},
                                      {"camembert", kRoberta}, {"albert", kAlbert},
                                      {"electra", kElectra},   {"t5", kT5},
                                      {"mt5", kMt5},           {"bart", kBart},
                                      {"marian", kMarian}};

bool holds(std::string_view names, std::string_view name) {
  for (std::size_t at = names.find(name); at != std::string_view::npos; at = names.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || names[at - 1] == ' ') && (end == names.size() || names[end] == ' ')) return true;
  }
  return false;
}

const FieldGroup* find_in(std::span<const FieldGroup> groups, std::string_view name) {
  const auto group = std::find_if(groups.begin(), groups.end(), [&](const FieldGroup& each) { return holds(each.names, name); });
  return group == groups.end() ? nullptr : &*group;
}

void note_value(const JsonFields& config, const std::string& name, const FieldGroup& group, std::vector<std::string>& notices) {
  const Json& value = config.at(name);
  if (!group.usual.empty() && value == Json::parse(group.usual)) return;
  notices.push_back(
      fmt::format("{}: {} is {}, which is not applied: {}.", config.file(), config.path_of(name), describe(value), group.why));
}

/// The share of a head that is rotated may be among the rotary settings as well.
void note_rotary_share(const JsonFields& config, std::string_view model_type, std::vector<std::string>& notices) {
  const std::string share = "partial_rotary_factor";
  const FieldGroup* group = find_field(model_type, share);
  if (!group || group->use != noted || group->why != kWholeHeads) return;
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    if (!config.has(key) || !config.at(key).is_object()) continue;
    const JsonFields settings = config.object(key);
    if (settings.has(share)) note_value(settings, share, *group, notices);
  }
}

/// "AutoModel": "modeling_x.XModel" and the like.
void note_own_code(const JsonFields& config, std::vector<std::string>& notices) {
  if (!config.has("auto_map")) return;
  std::vector<std::string> names;
  if (const Json& map = config.at("auto_map"); map.is_object()) {
    for (const auto& [key, name] : map.items()) {
      if (name.is_string()) names.push_back(name.get<std::string>());
    }
  }
  notices.push_back(fmt::format(
      "{}: auto_map says that the model comes with code of its own ({}), which is not run: it is computed as the "
      "{} of transformers. Where that code differs, so do the maps.",
      config.file(), names.empty() ? describe(config.at("auto_map")) : name_list(names), printable(config.text_or("model_type", ""), 60)));
}

}  // namespace

std::span<const FieldGroup> fields_of_family(std::string_view model_type) {
  const auto family =
      std::find_if(std::begin(kFamilies), std::end(kFamilies), [&](const FamilyFields& each) { return each.model_type == model_type; });
  return family == std::end(kFamilies) ? std::span<const FieldGroup>() : family->groups;
}

std::span<const FieldGroup> fields_of_all() {
  return kAll;
}

const FieldGroup* find_field(std::string_view model_type, std::string_view name) {
  if (const FieldGroup* group = find_in(fields_of_family(model_type), name)) return group;
  return find_in(kAll, name);
}

void note_fields(const JsonFields& config, std::string_view model_type, std::vector<std::string>& notices) {
  note_own_code(config, notices);
  std::vector<std::string> unknown;
  for (const auto& [name, value] : config.value().items()) {
    if (value.is_null()) continue;
    const FieldGroup* group = find_field(model_type, name);
    if (!group) unknown.push_back(config.path_of(name));
    if (group && group->use == noted) note_value(config, name, *group, notices);
  }
  note_rotary_share(config, model_type, notices);
  if (unknown.empty()) return;
  notices.push_back(fmt::format("{}: {} and not applied: {}.", config.file(),
                                unknown.size() == 1 ? "1 field is unknown" : fmt::format("{} fields are unknown", unknown.size()),
                                name_list(unknown)));
}

}  // namespace headlight

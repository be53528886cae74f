#include "engine/model/files/gguf_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "engine/core/error.h"
#include "engine/formats/tensors/read_tensor.h"
#include "engine/model/families/family_config.h"

namespace headlight {
namespace {

constexpr std::int64_t kLargestSize = 0x7FFFFFFF;

struct TensorName {
  std::string_view gguf, hugging_face;  // without ".weight" or ".bias"; "{}" stands for the layer
  bool has_permuted_rows = false;
  bool is_transposed = false;
};

// gguf-py/gguf/tensor_mapping.py of llama.cpp has the names; its conversion scripts permute and transpose.
constexpr std::array<TensorName, 14> kLlamaNames = {{{"token_embd", "model.embed_tokens"},
                                                     {"output_norm", "model.norm"},
                                                     {"output", "lm_head"},
                                                     {"blk.{}.attn_norm", "model.layers.{}.input_layernorm"},
                                                     {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj", true},
                                                     {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj", true},
                                                     {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
                                                     {"blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm"},
                                                     {"blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm"},
                                                     {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
                                                     {"blk.{}.ffn_norm", "model.layers.{}.post_attention_layernorm"},
                                                     {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
                                                     {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
                                                     {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"}}};

// Norms after the parts, not before them.
constexpr std::array<TensorName, 14> kOlmo2Names = {{{"token_embd", "model.embed_tokens"},
                                                     {"output_norm", "model.norm"},
                                                     {"output", "lm_head"},
                                                     {"blk.{}.attn_q", "model.layers.{}.self_attn.q_proj"},
                                                     {"blk.{}.attn_k", "model.layers.{}.self_attn.k_proj"},
                                                     {"blk.{}.attn_v", "model.layers.{}.self_attn.v_proj"},
                                                     {"blk.{}.attn_q_norm", "model.layers.{}.self_attn.q_norm"},
                                                     {"blk.{}.attn_k_norm", "model.layers.{}.self_attn.k_norm"},
                                                     {"blk.{}.attn_output", "model.layers.{}.self_attn.o_proj"},
                                                     {"blk.{}.post_attention_norm", "model.layers.{}.post_attention_layernorm"},
                                                     {"blk.{}.ffn_gate", "model.layers.{}.mlp.gate_proj"},
                                                     {"blk.{}.ffn_up", "model.layers.{}.mlp.up_proj"},
                                                     {"blk.{}.ffn_down", "model.layers.{}.mlp.down_proj"},
                                                     {"blk.{}.post_ffw_norm", "model.layers.{}.post_feedforward_layernorm"}}};

constexpr std::array<TensorName, 10> kGpt2Names = {{{"token_embd", "transformer.wte"},
                                                    {"position_embd", "transformer.wpe"},
                                                    {"output_norm", "transformer.ln_f"},
                                                    {"output", "lm_head"},
                                                    {"blk.{}.attn_norm", "transformer.h.{}.ln_1"},
                                                    {"blk.{}.attn_qkv", "transformer.h.{}.attn.c_attn", false, true},
                                                    {"blk.{}.attn_output", "transformer.h.{}.attn.c_proj", false, true},
                                                    {"blk.{}.ffn_norm", "transformer.h.{}.ln_2"},
                                                    {"blk.{}.ffn_up", "transformer.h.{}.mlp.c_fc", false, true},
                                                    {"blk.{}.ffn_down", "transformer.h.{}.mlp.c_proj", false, true}}};

constexpr const char* kRopeFrequencies = "rope_freqs.weight";

/// Sizes under the names of both formats.
struct SizeName {
  std::string_view gguf;  // after "llama."
  const char* hugging_face;
};

void copy_sizes(const GgufFile& file, const std::string& architecture, std::span<const SizeName> names, Json& config) {
  for (const SizeName& name : names) {
    config[name.hugging_face] = file.integer(fmt::format("{}.{}", architecture, name.gguf), 1, kLargestSize);
  }
}

const TensorInfo& find_tensor(const GgufFile& file, std::string_view name) {
  if (const TensorInfo* tensor = file.find(name)) return *tensor;
  throw Error({.kind = ErrorKind::input,
               .file = file.name(),
               .field = "tensor " + std::string(name),
               .problem = "the tensor is missing",
               .found = fmt::format("{} tensors", file.tensors().size()),
               .hint = "The file may hold only a part of a model, such as its tokenizer."});
}

/// What depends on which tensors are there.
void read_tables(const GgufFile& file, Json& config) {
  const TensorInfo& embedding = find_tensor(file, "token_embd.weight");
  if (embedding.shape.size() != 2) {
    throw Error({.kind = ErrorKind::input,
                 .file = file.name(),
                 .field = "tensor token_embd.weight",
                 .offset = embedding.begin,
                 .problem = "the token table is not a matrix",
                 .found = "shape " + shape_text(embedding.shape)});
  }
  config["vocab_size"] = embedding.shape[0];
  config["tie_word_embeddings"] = file.find("output.weight") == nullptr;
}

Json gpt2_config(const GgufFile& file, const std::string&) {
  constexpr std::array<SizeName, 5> kSizes = {{{"context_length", "n_positions"},
                                               {"embedding_length", "n_embd"},
                                               {"block_count", "n_layer"},
                                               {"feed_forward_length", "n_inner"},
                                               {"attention.head_count", "n_head"}}};
  Json config = {{"model_type", "gpt2"}, {"activation_function", "gelu_new"}};
  copy_sizes(file, "gpt2", kSizes, config);
  config["layer_norm_epsilon"] = file.number("gpt2.attention.layer_norm_epsilon");
  return config;
}

/// Llama 3's rule, where the divisors follow it with the numbers of Llama 3.1 to 3.3 and any factor, which is the largest divisor.
Json llama3_rule(const std::vector<float>& divisors, double theta) {
  constexpr double kLow = 1, kHigh = 4, kOriginal = 8192;
  const double factor = *std::max_element(divisors.begin(), divisors.end());
  if (factor < 1) return nullptr;
  for (std::size_t at = 0; at < divisors.size(); ++at) {
    const double wavelength = 2 * std::numbers::pi * std::pow(theta, static_cast<double>(at) / static_cast<double>(divisors.size()));
    const double smooth = std::clamp((kOriginal / wavelength - kLow) / (kHigh - kLow), 0.0, 1.0);
    const double expected = 1 / ((1 - smooth) / factor + smooth);
    if (std::abs(divisors[at] - expected) > 1e-5 * expected) return nullptr;
  }
  return {{"rope_type", "llama3"},
          {"factor", factor},
          {"low_freq_factor", kLow},
          {"high_freq_factor", kHigh},
          {"original_max_position_embeddings", static_cast<std::int64_t>(kOriginal)}};
}

/// Llama 3's stretching comes as a tensor of divisors of the frequencies; config.json has the numbers that it was made from. Divisors of
/// any other rule are taken as they are.
Json divided_frequencies(const GgufFile& file, const TensorInfo& tensor, double theta) {
  const std::vector<float> divisors = read_floats(file.reader(), tensor).values;
  for (const float divisor : divisors) {
    if (divisor > 0 && std::isfinite(divisor)) continue;
    throw Error({.kind = ErrorKind::input,
                 .file = file.name(),
                 .field = std::string("tensor ") + kRopeFrequencies,
                 .offset = tensor.begin,
                 .problem = "these are not divisors of rotary frequencies",
                 .found = std::to_string(divisor),
                 .expected = "numbers above 0"});
  }
  if (const Json rule = llama3_rule(divisors, theta); !rule.is_null()) return rule;
  return {{"rope_type", "longrope"}, {"factor", 1.0}, {"attention_factor", 1.0}, {"short_factor", divisors}, {"long_factor", divisors}};
}

Json yarn_scaling(const GgufFile& file, const std::string& prefix, double factor, std::int64_t positions) {
  Json scaling = {{"rope_type", "yarn"}, {"factor", factor}};
  scaling["original_max_position_embeddings"] = file.integer_or(prefix + "original_context_length", positions, 1, kLargestSize);
  const double attention = file.number_or(prefix + "attn_factor", 1);
  if (attention != 1) scaling["attention_factor"] = attention * (0.1 * std::log(std::max(factor, 1.0)) + 1);
  return scaling;
}

/// Null where nothing is stretched. What a file leaves out is as in llama.cpp (llama-model.cpp, load_hparams): a factor without a type is a
/// linear one.
Json rope_scaling(const GgufFile& file, const std::string& architecture, double theta, std::int64_t positions) {
  const std::string prefix = architecture + ".rope.scaling.";
  const std::string kind = file.text_or(prefix + "type", "linear");
  if (kind != "none" && kind != "linear" && kind != "yarn") {
    file.refuse(prefix + "type", "this scaling of rotary positions is not supported", in_quotes(kind), "none, linear or yarn");
  }
  const bool has_new_key = file.has(prefix + "factor");
  const double stated = file.number_or(has_new_key ? prefix + "factor" : architecture + ".rope.scale_linear", 1);
  const double factor = kind == "none" || stated == 0 ? 1 : stated;
  if (kind != "yarn" && file.number_or(prefix + "attn_factor", 1) != 1) {
    file.refuse(prefix + "attn_factor", "a factor of cos and sin is supported with yarn only", in_quotes(kind), "yarn");
  }
  if (const TensorInfo* tensor = file.find(kRopeFrequencies)) {
    if (factor != 1) file.refuse(prefix + "factor", fmt::format("rotary positions are scaled twice: {} is there too", kRopeFrequencies));
    return divided_frequencies(file, *tensor, theta);
  }
  if (kind == "yarn") return yarn_scaling(file, prefix, factor, positions);
  if (factor == 1) return nullptr;
  return {{"rope_type", "linear"}, {"factor", factor}};
}

void read_head_width(const GgufFile& file, const std::string& architecture, Json& config) {
  const auto width = config["hidden_size"].get<std::int64_t>();
  const auto heads = config["num_attention_heads"].get<std::int64_t>();
  const std::string key = architecture + ".attention.key_length";
  if (!file.has(key) && width % heads != 0) {
    file.refuse(architecture + ".attention.head_count", fmt::format("{} heads do not divide embedding_length {}", heads, width));
  }
  const std::int64_t head_width = file.integer_or(key, width / heads, 1, kLargestSize);
  const std::string value_key = architecture + ".attention.value_length";
  if (file.integer_or(value_key, head_width, 1, kLargestSize) != head_width) {
    file.refuse(value_key, "values of a different width than keys are not supported",
                std::to_string(file.integer(value_key, 1, kLargestSize)), std::to_string(head_width));
  }
  config["head_dim"] = head_width;
  const std::int64_t turned = file.integer_or(architecture + ".rope.dimension_count", head_width, 1, kLargestSize);
  if (turned != head_width) config[std::string(kGgufTurned)] = turned;
}

Json llama_config(const GgufFile& file, const std::string& architecture) {
  constexpr std::array<SizeName, 5> kSizes = {{{"context_length", "max_position_embeddings"},
                                               {"embedding_length", "hidden_size"},
                                               {"block_count", "num_hidden_layers"},
                                               {"feed_forward_length", "intermediate_size"},
                                               {"attention.head_count", "num_attention_heads"}}};
  Json config = {{"model_type", architecture}, {"hidden_act", "silu"}};
  copy_sizes(file, architecture, kSizes, config);
  const auto key = [&](std::string_view name) { return fmt::format("{}.{}", architecture, name); };
  if (file.integer_or(key("expert_count"), 0, 0, kLargestSize) > 0) {
    file.refuse(key("expert_count"), "mixture-of-experts models are not supported");
  }
  if (!file.boolean_or(key("attention.causal"), true)) {
    file.refuse(key("attention.causal"), "a model of this kind without a causal mask is not supported", "false", "true");
  }
  const auto heads = config["num_attention_heads"].get<std::int64_t>();
  config["num_key_value_heads"] = file.integer_or(key("attention.head_count_kv"), heads, 1, kLargestSize);
  config["rms_norm_eps"] = file.number(key("attention.layer_norm_rms_epsilon"));
  const double theta = file.number_or(key("rope.freq_base"), 10000);
  config["rope_theta"] = theta;
  read_head_width(file, architecture, config);
  const auto positions = config["max_position_embeddings"].get<std::int64_t>();
  if (const Json scaling = rope_scaling(file, architecture, theta, positions); !scaling.is_null()) config["rope_scaling"] = scaling;
  config["attention_bias"] = file.find("blk.0.attn_q.bias") != nullptr;
  config[std::string(kGgufOutputBias)] = file.find("blk.0.attn_output.bias") != nullptr;
  config["mlp_bias"] = file.find("blk.0.ffn_down.bias") != nullptr;
  return config;
}

/// OLMo 3 has the same architecture, with windows.
Json olmo2_config(const GgufFile& file, const std::string& architecture) {
  const std::string window = architecture + ".attention.sliding_window";
  if (file.integer_or(window, 0, 0, kLargestSize) > 0) file.refuse(window, "OLMo 3's windows are not supported");
  return llama_config(file, architecture);
}

/// The layer's number where `name` is `pattern` with a number for "{}"; "" where the pattern has none.
std::optional<std::string_view> match(std::string_view pattern, std::string_view name) {
  const std::size_t hole = pattern.find("{}");
  if (hole == std::string_view::npos) return pattern == name ? std::optional(std::string_view()) : std::nullopt;
  const std::string_view head = pattern.substr(0, hole), tail = pattern.substr(hole + 2);
  if (name.size() <= head.size() + tail.size() || !name.starts_with(head) || !name.ends_with(tail)) return std::nullopt;
  const std::string_view number = name.substr(head.size(), name.size() - head.size() - tail.size());
  const bool is_number = std::all_of(number.begin(), number.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
  return is_number ? std::optional(number) : std::nullopt;
}

GgufTensor translate(const TensorInfo& info, std::span<const TensorName> names) {
  const std::string_view full = info.name;
  const std::size_t dot = full.rfind('.');
  const std::string_view stem = full.substr(0, dot);
  const std::string_view kind = dot == std::string_view::npos ? std::string_view() : full.substr(dot);
  if (kind == ".weight" || kind == ".bias") {
    for (const TensorName& name : names) {
      const std::optional<std::string_view> layer = match(name.gguf, stem);
      if (!layer) continue;
      std::string translated(name.hugging_face);
      if (const std::size_t hole = translated.find("{}"); hole != std::string::npos) translated.replace(hole, 2, *layer);
      return {translated.append(kind), info, name.has_permuted_rows, name.is_transposed && kind == ".weight"};
    }
  }
  return {info.name, info, false, false};
}

void check_is_whole_model(const GgufFile& file) {
  const std::string kind = file.text_or("general.type", "model");
  if (kind != "model") file.refuse("general.type", "the file does not hold a whole model", in_quotes(kind), "\"model\"");
  const std::int64_t parts = file.integer_or("split.count", 1, 0, kLargestSize);
  if (parts <= 1) return;
  file.refuse("split.count", fmt::format("the model is in {} files, of which this is one", parts), {}, {},
              "Join them first: llama-gguf-split --merge FIRST_FILE WHOLE.gguf");
}

/// Mistral and Qwen may have a sliding window, but their converters write none, and llama.cpp reads none of these architectures. Models
/// that call themselves Llama or Qwen have none, or have it switched off.
void note_window(const GgufFile& file, const std::string& architecture, std::vector<std::string>& notices) {
  const std::string key = architecture + ".attention.sliding_window";
  if (const std::int64_t window = file.integer_or(key, 0, 0, kLargestSize); window > 0) {
    notices.push_back(
        fmt::format("{}: {} is {}, which is not applied, as in llama.cpp: every token sees all before it.", file.name(), key, window));
    return;
  }
  std::string name = file.text_or("general.name", "") + " " + file.text_or("general.basename", "");
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (name.find("llama") != std::string::npos || name.find("qwen") != std::string::npos) return;
  notices.push_back(fmt::format(
      "{}: a GGUF file of this architecture ({}) cannot say whether the model has a sliding window (the first Mistral 7B has one of "
      "4096 tokens). If it has, longer texts are shown without it; add it with --mask \"causal + window:4096\".",
      file.name(), architecture));
}

struct Layout {
  std::string_view architecture;
  std::string_view label;
  Json (*config)(const GgufFile& file, const std::string& architecture);  // its model_type is the architecture
  std::span<const TensorName> names;
  bool has_permuted_rows = false;  // the names marked so
  bool may_hide_window = false;
};
constexpr Layout kLayouts[] = {{"llama", "llama (Mistral too)", llama_config, kLlamaNames, true, true},
                               {"qwen2", "qwen2", llama_config, kLlamaNames, false, true},
                               {"qwen3", "qwen3", llama_config, kLlamaNames, false, true},
                               {"olmo2", "olmo2", olmo2_config, kOlmo2Names},
                               {"gpt2", "gpt2", gpt2_config, kGpt2Names}};

const Layout& find_layout(const GgufFile& file) {
  constexpr const char* kArchitecture = "general.architecture";
  const std::string architecture = file.text(kArchitecture);
  std::string known;
  for (const Layout& layout : kLayouts) {
    if (layout.architecture == architecture) return layout;
    known.append(known.empty() ? "" : ", ").append(layout.label);
  }
  file.refuse(kArchitecture, "this kind of model is not supported in GGUF files", in_quotes(architecture), "one of: " + known,
              "Open the model's folder with safetensors instead.");
}

}  // namespace

GgufModel read_gguf_model(const GgufFile& file) {
  const Layout& layout = find_layout(file);
  check_is_whole_model(file);
  GgufModel model;
  model.config = layout.config(file, std::string(layout.architecture));
  read_tables(file, model.config);
  if (layout.may_hide_window) note_window(file, std::string(layout.architecture), model.notices);
  for (const TensorInfo& info : file.tensors()) {
    if (info.name == kRopeFrequencies) continue;  // read above
    model.tensors.push_back(translate(info, layout.names));
    if (!layout.has_permuted_rows) model.tensors.back().has_permuted_rows = false;
  }
  return model;
}

}  // namespace headlight

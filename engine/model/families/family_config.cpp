#include "engine/model/families/family_config.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace headlight {
namespace {

struct ActivationRow {
  std::string_view name;
  Activation activation;
};

constexpr std::array<ActivationRow, 10> kActivations = {{{"gelu_new", Activation::gelu_tanh},
                                                         {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                         {"gelu_fast", Activation::gelu_tanh},
                                                         {"gelu_accurate", Activation::gelu_tanh},
                                                         {"gelu", Activation::gelu_erf},
                                                         {"gelu_python", Activation::gelu_erf},
                                                         {"quick_gelu", Activation::gelu_quick},
                                                         {"relu", Activation::relu},
                                                         {"silu", Activation::silu},
                                                         {"swish", Activation::silu}}};

constexpr std::array<std::string_view, 6> kLanguageHeads = {"ForCausalLM",    "LMHeadModel", "ForMaskedLM",
                                                            "ForPreTraining", "MTModel",     "ForConditionalGeneration"};

constexpr double kMost = 1e9;  ///< of the numbers that stretch rotary positions

struct ScalingRow {
  std::string_view name;
  RotaryScaling::Kind kind;
};
constexpr std::array<ScalingRow, 7> kScalings = {{{"default", RotaryScaling::Kind::none},
                                                  {"dynamic", RotaryScaling::Kind::dynamic},
                                                  {"linear", RotaryScaling::Kind::linear},
                                                  {"llama3", RotaryScaling::Kind::llama3},
                                                  {"yarn", RotaryScaling::Kind::yarn},
                                                  {"longrope", RotaryScaling::Kind::longrope},
                                                  {"su", RotaryScaling::Kind::longrope}}};

RotaryScaling::Kind read_scaling_kind(const JsonFields& fields, const RotaryKeys& keys) {
  const std::string name = fields.text_or("rope_type", fields.text_or("type", "default"));
  std::string known;
  for (const ScalingRow& row : kScalings) {
    if (row.name == name) return keys.is_yarn_longrope && row.kind == RotaryScaling::Kind::yarn ? RotaryScaling::Kind::longrope : row.kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  }
  fields.refuse("rope_type", "this scaling of rotary positions is not supported", in_quotes(name), "one of " + known);
}

std::vector<double> read_factors(const JsonFields& fields, const std::string& key, std::size_t pairs) {
  std::vector<double> factors;
  for (const Json& factor : fields.array(key)) {
    if (!factor.is_number() || !(factor.get<double>() > 0)) fields.refuse(key, "not a list of numbers above 0", describe(factor));
    factors.push_back(factor.get<double>());
  }
  if (factors.size() != pairs)
    fields.refuse(key, "not one factor for each pair of a head", fmt::format("{}", factors.size()), fmt::format("{}", pairs));
  return factors;
}

/// YaRN's factor of cos and sin; where a config has both scales of DeepSeek (arXiv 2405.04434), their ratio. 0: none given.
double read_attention_factor(const JsonFields& fields, double factor) {
  const double given = fields.number_or("attention_factor", 0, 0, kMost);
  const double scale = fields.number_or("mscale", 0, 0, kMost), scale_of_all = fields.number_or("mscale_all_dim", 0, 0, kMost);
  if (given > 0 || scale == 0 || scale_of_all == 0 || factor <= 1) return given;
  return (0.1 * scale * std::log(factor) + 1) / (0.1 * scale_of_all * std::log(factor) + 1);
}

/// The length of the training texts: config.json's own field wins over that of the settings, except where each kind of layer has settings.
double read_original_positions(const JsonFields& fields, const JsonFields& config, const RotaryKeys& keys, double longest) {
  const std::string key = "original_max_position_embeddings";
  const double own = fields.number_or(key, keys.usual_original_positions > 0 ? keys.usual_original_positions : longest, 1, kMost);
  const double usual = keys.usual_original_positions > 0 ? keys.usual_original_positions : own;
  return keys.kind.empty() ? config.number_or(key, usual, 1, kMost) : own;
}

RotaryScaling read_scaling(const JsonFields& fields, const JsonFields& config, const ModelConfig& sizes, const RotaryKeys& keys,
                           int dimensions) {
  RotaryScaling scaling;
  scaling.kind = read_scaling_kind(fields, keys);
  if (scaling.kind == RotaryScaling::Kind::none) return scaling;
  const bool is_dynamic = scaling.kind == RotaryScaling::Kind::dynamic;  // grows from max_position_embeddings, whatever else there is
  const double longest = std::max(sizes.positions.most, 1);
  scaling.original_positions = is_dynamic ? longest : read_original_positions(fields, config, keys, longest);
  scaling.factor = fields.number_or("factor", std::max(1.0, longest / scaling.original_positions), 1, kMost);
  scaling.low_frequency_factor = fields.number_or("low_freq_factor", scaling.low_frequency_factor, 0, kMost);
  scaling.high_frequency_factor = fields.number_or("high_freq_factor", scaling.high_frequency_factor, 0, kMost);
  scaling.beta_fast = fields.number_or("beta_fast", scaling.beta_fast, 0, kMost);
  scaling.beta_slow = fields.number_or("beta_slow", scaling.beta_slow, 0, kMost);
  scaling.has_whole_ramp =
      !keys.kind.empty() || fields.boolean_or("truncate", true);  // settings by kind of layer: as transformers, never off
  scaling.attention_factor = read_attention_factor(fields, scaling.factor);
  if (scaling.kind == RotaryScaling::Kind::longrope) {
    scaling.short_factors = read_factors(fields, "short_factor", static_cast<std::size_t>(dimensions / 2));
    scaling.long_factors = read_factors(fields, "long_factor", static_cast<std::size_t>(dimensions / 2));
  }
  return scaling;
}

/// Where the rotary settings are: by kind of layer, for all layers, or (before transformers 5) rope_scaling.
JsonFields rotary_fields(const JsonFields& fields, const std::string& kind) {
  const bool has_scaling = fields.has("rope_scaling") && !fields.object("rope_scaling").value().empty();
  const bool goes_by_kind = !kind.empty() && fields.has("rope_parameters");
  if (has_scaling && !goes_by_kind) return fields.object("rope_scaling");
  if (!fields.has("rope_parameters")) return fields;
  const JsonFields all = fields.object("rope_parameters");
  return !kind.empty() && all.has(kind) ? all.object(kind) : all;
}

ConfigKeys as_spelled(const JsonFields& fields, const ConfigKeys& keys) {
  ConfigKeys spelled = keys;
  for (std::string_view* key : {&spelled.layers, &spelled.d_model, &spelled.heads, &spelled.kv_heads, &spelled.d_head, &spelled.d_ff,
                                &spelled.positions, &spelled.epsilon, &spelled.activation}) {
    *key = spelling_of(fields, keys, *key);
  }
  return spelled;
}

}  // namespace

std::string_view spelling_of(const JsonFields& fields, const ConfigKeys& keys, std::string_view key) {
  if (!is_absent(fields, std::string(key))) return key;
  for (const KeySpelling& spelling : keys.others) {
    if (spelling.own == key && !is_absent(fields, std::string(spelling.other))) return spelling.other;
  }
  return key;
}

int read_size(const JsonFields& fields, std::string_view key, std::int64_t highest) {
  return static_cast<int>(fields.integer(std::string(key), 1, highest));
}

int read_size_or(const JsonFields& fields, std::string_view key, int fallback, std::int64_t highest) {
  return !key.empty() && fields.has(std::string(key)) ? read_size(fields, key, highest) : fallback;
}

bool is_absent(const JsonFields& fields, const std::string& key) {
  return !fields.value().contains(key);
}

Activation read_activation(const JsonFields& fields, const std::string& key, const std::string& fallback) {
  const std::string name = fields.text_or(key, fallback);
  std::string known;
  for (const ActivationRow& row : kActivations) {
    if (row.name == name) return row.activation;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  }
  throw Error({.kind = ErrorKind::input,
               .file = fields.file(),
               .field = key,
               .problem = "this activation function is not supported",
               .found = fmt::format("\"{}\"", printable(name, 60)),
               .expected = "one of " + known});
}

float read_epsilon(const JsonFields& fields, const std::string& key, double fallback, std::vector<std::string>& notices) {
  const double epsilon = fields.number_or(key, fallback, 0.0, 1.0);
  if (epsilon == 0.0) notices.push_back(fmt::format("{}: {} is 0: a token vector of equal numbers divides by zero.", fields.file(), key));
  return static_cast<float>(epsilon);
}

void check_heads_divide(const JsonFields& fields, std::string_view heads_key, int heads, std::string_view width_key, int width) {
  if (width % heads == 0) return;
  throw Error({.kind = ErrorKind::input,
               .file = fields.file(),
               .field = std::string(heads_key),
               .problem = fmt::format("{} heads do not divide {} {}", heads, width_key, width)});
}

bool read_is_causal(const JsonFields& fields) {
  return is_absent(fields, "is_causal") || fields.boolean_or("is_causal", false);
}

bool claims_language_head(const JsonFields& fields) {
  if (!fields.has("architectures") || !fields.at("architectures").is_array()) return true;
  const Json& names = fields.at("architectures");
  return names.empty() || std::any_of(names.begin(), names.end(), [](const Json& name) {
           return name.is_string() && std::any_of(kLanguageHeads.begin(), kLanguageHeads.end(), [&](std::string_view head) {
                    return name.get_ref<const std::string&>().ends_with(head);
                  });
         });
}

FileConfig read_sizes(const JsonFields& fields, const ConfigKeys& family_keys, std::string_view activation) {
  FileConfig file;
  file.keys = as_spelled(fields, family_keys);
  const ConfigKeys& keys = file.keys;
  ModelConfig& sizes = file.sizes;
  sizes.layers = read_size(fields, keys.layers, kMostLayers);
  sizes.d_model = read_size(fields, keys.d_model, kWidest);
  sizes.heads.count = read_size(fields, keys.heads, kWidest);
  const bool has_own_width = !keys.d_head.empty() && fields.has(std::string(keys.d_head));
  if (!has_own_width) check_heads_divide(fields, keys.heads, sizes.heads.count, keys.d_model, sizes.d_model);
  sizes.heads.d_head = has_own_width ? read_size(fields, keys.d_head, kWidest) : sizes.d_model / sizes.heads.count;
  sizes.heads.kv_count = read_size_or(fields, keys.kv_heads, sizes.heads.count, kWidest);
  if (sizes.heads.count % sizes.heads.kv_count != 0) {
    fields.refuse(std::string(keys.kv_heads), "heads cannot share key/value heads evenly", std::to_string(sizes.heads.kv_count),
                  fmt::format("a divisor of {} {}", keys.heads, sizes.heads.count));
  }
  sizes.feed_forward.d_ff = read_size_or(fields, keys.d_ff, 4 * sizes.d_model, kWidestInner);
  sizes.vocabulary = read_size(fields, "vocab_size", kMostRows);
  sizes.positions.most = read_size_or(fields, keys.positions, 0, kMostRows);
  if (!keys.activation.empty())
    sizes.feed_forward.activation = read_activation(fields, std::string(keys.activation), std::string(activation));
  if (!keys.epsilon.empty()) sizes.norm.epsilon = read_epsilon(fields, std::string(keys.epsilon), keys.usual_epsilon, file.notices);
  sizes.has_logits = claims_language_head(fields);
  sizes.mask.is_causal = read_is_causal(fields);
  file.d_embedding = sizes.d_model;
  return file;
}

RotarySettings read_rotary(const JsonFields& fields, const ModelConfig& sizes, const RotaryKeys& keys) {
  const JsonFields own = rotary_fields(fields, std::string(keys.kind));
  constexpr double kLargestTheta = 1e12;
  RotarySettings rotary;
  rotary.theta = fields.number_or(std::string(keys.theta_key), keys.theta, 1, kLargestTheta);
  rotary.theta = own.number_or("rope_theta", rotary.theta, 1, kLargestTheta);
  rotary.dimensions = sizes.heads.d_head;
  if (!keys.share_key.empty()) {
    const double share = fields.number_or(std::string(keys.share_key), keys.share, 0, 1);
    rotary.dimensions = static_cast<int>(sizes.heads.d_head * own.number_or("partial_rotary_factor", share, 0, 1));
  }
  rotary.dimensions = read_size_or(fields, kGgufTurned, rotary.dimensions, sizes.heads.d_head);
  const bool has_settings = fields.has("rope_parameters") || fields.has("rope_scaling");
  if (has_settings) rotary.scaling = read_scaling(own, fields, sizes, keys, rotary.dimensions);
  return rotary;
}

std::optional<std::vector<int>> read_layer_types(const JsonFields& fields, int layers, int window) {
  if (!fields.has("layer_types")) return std::nullopt;
  std::vector<int> windows;
  for (const Json& type : fields.array("layer_types")) {
    const std::string name = type.is_string() ? type.get<std::string>() : "";
    if (name != "full_attention" && name != "sliding_attention") {
      fields.refuse("layer_types", "this kind of attention is not supported", describe(type), "full_attention or sliding_attention");
    }
    windows.push_back(name == "sliding_attention" ? window : 0);
  }
  if (std::ssize(windows) != layers) {
    fields.refuse("layer_types", "not one entry for each layer", fmt::format("{}", windows.size()), fmt::format("{}", layers));
  }
  return windows;
}

void set_windows(ModelConfig& sizes, std::vector<int> windows) {
  for (int& window : windows) window += window > 0 && !sizes.mask.is_causal ? 1 : 0;
  const bool is_same = std::adjacent_find(windows.begin(), windows.end(), std::not_equal_to<>()) == windows.end();
  sizes.mask.window = is_same && !windows.empty() ? windows.front() : 0;
  sizes.mask.windows = is_same ? std::vector<int>() : std::move(windows);
}

}  // namespace headlight

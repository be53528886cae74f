#include "engine/model/families.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"

namespace headlight {
namespace {

// Limits on what config.json may say, so that products of two of them stay far from overflow.
constexpr std::int64_t kMostLayers = 10'000;
constexpr std::int64_t kWidest = 1 << 20;
constexpr std::int64_t kWidestInner = 1 << 24;
constexpr std::int64_t kMostRows = 1 << 28;

int read_size(const JsonFields& fields, const std::string& key, std::int64_t highest) {
  return static_cast<int>(fields.integer(key, 1, highest));
}

void check_heads_divide(const JsonFields& fields, const std::string& heads_key, int heads, const std::string& width_key, int width) {
  if (width % heads == 0) return;
  throw Error({.kind = ErrorKind::input,
               .file = fields.file(),
               .field = heads_key,
               .problem = fmt::format("{} heads do not divide {} {}", heads, width_key, width)});
}

float read_epsilon(const JsonFields& fields, const std::string& key, std::vector<std::string>& notices) {
  const double epsilon = fields.number_or(key, 1e-5, 0.0, 1.0);
  if (epsilon == 0.0) notices.push_back(fmt::format("{}: {} is 0: a token vector of equal numbers divides by zero.", fields.file(), key));
  return static_cast<float>(epsilon);
}

struct ActivationRow {
  std::string_view name;
  Activation activation;
};

constexpr std::array<ActivationRow, 4> kActivations = {{{"gelu_new", Activation::gelu_tanh},
                                                        {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                        {"gelu", Activation::gelu_erf},
                                                        {"relu", Activation::relu}}};

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

/// Checkpoints of a bare model ("GPT2Model") have no language-model head; those that do not say are taken to have one.
bool has_language_head(const JsonFields& fields, std::string_view architecture) {
  if (!fields.has("architectures")) return true;
  const Json& names = fields.at("architectures");
  return std::none_of(names.begin(), names.end(), [&](const Json& name) { return name.is_string() && name == architecture; });
}

// Where a tensor goes.

template <Norm LayerParameters::*norm>
void store_gain(Parameters& parameters, std::size_t layer, Matrix&& tensor) {
  (parameters.layers[layer].*norm).gain = tensor.row(0);
}
template <Norm LayerParameters::*norm>
void store_shift(Parameters& parameters, std::size_t layer, Matrix&& tensor) {
  (parameters.layers[layer].*norm).bias = tensor.row(0);
}
template <Linear LayerParameters::*linear>
void store_weight(Parameters& parameters, std::size_t layer, Matrix&& tensor) {
  (parameters.layers[layer].*linear).weight = std::move(tensor);
}
template <Linear LayerParameters::*linear>
void store_bias(Parameters& parameters, std::size_t layer, Matrix&& tensor) {
  (parameters.layers[layer].*linear).bias = tensor.row(0);
}

/// One matrix [in, 3 · out]: q, k and v side by side.
void store_joined_weight(Parameters& parameters, std::size_t layer, Matrix&& tensor) {
  LayerParameters& to = parameters.layers[layer];
  const Index width = tensor.cols() / 3;
  to.q.weight = tensor.leftCols(width);
  to.k.weight = tensor.middleCols(width, width);
  to.v.weight = tensor.rightCols(width);
}
void store_joined_bias(Parameters& parameters, std::size_t layer, Matrix&& tensor) {
  LayerParameters& to = parameters.layers[layer];
  const Index width = tensor.cols() / 3;
  to.q.bias = tensor.row(0).head(width);
  to.k.bias = tensor.row(0).segment(width, width);
  to.v.bias = tensor.row(0).tail(width);
}

void store_embedding(Parameters& parameters, std::size_t, Matrix&& tensor) {
  parameters.embedding = std::move(tensor);
}
void store_positions(Parameters& parameters, std::size_t, Matrix&& tensor) {
  parameters.positions = std::move(tensor);
}
void store_unembedding(Parameters& parameters, std::size_t, Matrix&& tensor) {
  parameters.unembedding = std::move(tensor);
}
void store_final_gain(Parameters& parameters, std::size_t, Matrix&& tensor) {
  parameters.final_norm.gain = tensor.row(0);
}
void store_final_shift(Parameters& parameters, std::size_t, Matrix&& tensor) {
  parameters.final_norm.bias = tensor.row(0);
}

// GPT-2 (Radford et al. 2019). Its Conv1D layers store weights as [in, out], as we do.

FileConfig read_gpt2_config(const JsonFields& fields) {
  FileConfig file;
  ModelConfig& sizes = file.sizes;
  sizes.family = "GPT-2";
  sizes.layers = read_size(fields, "n_layer", kMostLayers);
  sizes.d_model = read_size(fields, "n_embd", kWidest);
  sizes.heads = read_size(fields, "n_head", kWidest);
  check_heads_divide(fields, "n_head", sizes.heads, "n_embd", sizes.d_model);
  sizes.kv_heads = sizes.heads;
  sizes.d_head = sizes.d_model / sizes.heads;
  sizes.d_ff = fields.has("n_inner") ? read_size(fields, "n_inner", kWidestInner) : 4 * sizes.d_model;
  sizes.vocabulary = read_size(fields, "vocab_size", kMostRows);
  sizes.max_positions = read_size(fields, !fields.has("n_positions") && fields.has("n_ctx") ? "n_ctx" : "n_positions", kMostRows);
  sizes.activation = read_activation(fields, "activation_function", "gelu_new");
  sizes.norm_epsilon = read_epsilon(fields, "layer_norm_epsilon", file.notices);
  sizes.scales_scores = fields.boolean_or("scale_attn_weights", true);
  sizes.scales_by_inverse_layer = fields.boolean_or("scale_attn_by_inverse_layer_idx", false);
  sizes.has_logits = has_language_head(fields, "GPT2Model");
  file.is_tied = fields.boolean_or("tie_word_embeddings", true);
  return file;
}

constexpr Extent kGpt2Width{"n_embd", &ModelConfig::d_model};
constexpr Extent kGpt2Joined{"n_embd", &ModelConfig::d_model, 3};
constexpr Extent kGpt2Inner{"n_inner", &ModelConfig::d_ff};
constexpr Extent kGpt2Vocabulary{"vocab_size", &ModelConfig::vocabulary};
constexpr Extent kGpt2Positions{"n_positions", &ModelConfig::max_positions};

using L = LayerParameters;
constexpr std::array<TensorRow, 17> kGpt2Tensors = {{
    {"wte.weight", {kGpt2Vocabulary, kGpt2Width}, store_embedding},
    {"wpe.weight", {kGpt2Positions, kGpt2Width}, store_positions},
    {"h.{}.ln_1.weight", {kGpt2Width}, store_gain<&L::norm_1>},
    {"h.{}.ln_1.bias", {kGpt2Width}, store_shift<&L::norm_1>},
    {"h.{}.attn.c_attn.weight", {kGpt2Width, kGpt2Joined}, store_joined_weight},
    {"h.{}.attn.c_attn.bias", {kGpt2Joined}, store_joined_bias},
    {"h.{}.attn.c_proj.weight", {kGpt2Width, kGpt2Width}, store_weight<&L::o>},
    {"h.{}.attn.c_proj.bias", {kGpt2Width}, store_bias<&L::o>},
    {"h.{}.ln_2.weight", {kGpt2Width}, store_gain<&L::norm_2>},
    {"h.{}.ln_2.bias", {kGpt2Width}, store_shift<&L::norm_2>},
    {"h.{}.mlp.c_fc.weight", {kGpt2Width, kGpt2Inner}, store_weight<&L::ff_in>},
    {"h.{}.mlp.c_fc.bias", {kGpt2Inner}, store_bias<&L::ff_in>},
    {"h.{}.mlp.c_proj.weight", {kGpt2Inner, kGpt2Width}, store_weight<&L::ff_out>},
    {"h.{}.mlp.c_proj.bias", {kGpt2Width}, store_bias<&L::ff_out>},
    {"ln_f.weight", {kGpt2Width}, store_final_gain},
    {"ln_f.bias", {kGpt2Width}, store_final_shift},
    {"lm_head.weight", {kGpt2Vocabulary, kGpt2Width}, store_unembedding, TensorRow::Need::untied},
}};

constexpr std::array<std::string_view, 1> kGpt2Prefixes = {"transformer."};
constexpr std::array<std::string_view, 3> kGpt2Ignored = {"h.{}.attn.bias", "h.{}.attn.masked_bias", "lm_head.weight"};

constexpr std::array<FamilyRow, 1> kFamilies = {{
    {"gpt2", read_gpt2_config, kGpt2Prefixes, kGpt2Tensors, kGpt2Ignored},
}};

}  // namespace

const FamilyRow& find_family(const JsonFields& config) {
  const std::string type = config.text("model_type");
  std::string known;
  for (const FamilyRow& row : kFamilies) {
    if (row.model_type == type) return row;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.model_type);
  }
  throw Error({.kind = ErrorKind::input,
               .file = config.file(),
               .field = "model_type",
               .problem = "this kind of model is not supported yet",
               .found = fmt::format("\"{}\"", printable(type, 60)),
               .expected = "one of: " + known});
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  const std::size_t hole = pattern.find("{}");
  if (hole == std::string_view::npos) return pattern == name;
  const std::string_view head = pattern.substr(0, hole);
  const std::string_view tail = pattern.substr(hole + 2);
  if (name.size() <= head.size() + tail.size() || !name.starts_with(head) || !name.ends_with(tail)) return false;
  const std::string_view number = name.substr(head.size(), name.size() - head.size() - tail.size());
  return std::all_of(number.begin(), number.end(), [](char digit) { return digit >= '0' && digit <= '9'; });
}

}  // namespace headlight

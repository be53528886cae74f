#include "engine/attend/tensor_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"

namespace headlight {
namespace {

using Tensors = AttentionTensors;
using Options = TensorAttentionOptions;
using Shape = std::vector<std::int64_t>;

const Tensors::Part kAbsent;

[[noreturn]] void refuse_choice(std::string field, std::string problem, std::string found = {}, std::string expected = {},
                                std::string hint = {}) {
  throw Error({.kind = ErrorKind::usage,
               .field = std::move(field),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

void expect_shape(std::string_view name, const FloatTensor& tensor, const Shape& expected, const std::string& meaning) {
  if (tensor.shape == expected) return;
  refuse_tensor(name, "the shape does not fit", shape_text(tensor.shape), fmt::format("{} ({})", shape_text(expected), meaning));
}

/// No NaN, no ∞, no empty axis. The numbers of masks and lengths are checked where they are read.
void check_numbers(const Tensors& tensors) {
  for (const AttentionTensorName& row : attention_tensor_names()) {
    const Tensors::Part& part = tensors.*row.part;
    const bool may_be_empty = row.part == &Tensors::past_key || row.part == &Tensors::past_value;  // the first step has no past yet
    if (!part || (may_be_empty && part->values.empty())) continue;
    if (part->values.empty()) refuse_tensor(row.name, "an axis has size 0", shape_text(part->shape), std::string(row.meaning));
    const bool is_mask = row.part == &Tensors::mask || row.part == &Tensors::valid_lens || row.part == &Tensors::nonpad_kv_seqlen;
    if (!is_mask) check_finite(row.name, *part);
  }
}

struct Inputs {
  TokenTensor query, key, value;
};

/// "q, mask", or "none of them": the tensors that are there, of those that an attention reads.
std::string names_of(const Tensors& tensors) {
  std::string names;
  for (const AttentionTensorName& row : attention_tensor_names()) {
    if (tensors.*row.part) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return names.empty() ? "none of them" : names;
}

[[noreturn]] void refuse_inputs(const Tensors& tensors, std::string field, std::string problem) {
  throw Error({.kind = ErrorKind::input,
               .field = std::move(field),
               .problem = std::move(problem),
               .found = names_of(tensors),
               .expected = "query, key and value, or x for all three, or q, k and v that are already projected"});
}

[[noreturn]] void refuse_missing(std::string_view name, std::string_view why, std::string expected) {
  throw Error({.kind = ErrorKind::input,
               .field = fmt::format("tensor {}", name),
               .problem = fmt::format("is missing: {}", why),
               .expected = std::move(expected)});
}

TokenTensor own_input(const Tensors& t, const char* name, const Tensors::Part& part, TensorLayout layout) {
  if (!part) refuse_inputs(t, fmt::format("tensor {}", name), "is missing");
  return {name, *part, layout};
}

/// q, k and v: projected already, so they have an axis of heads.
TokenTensor split_input(const Tensors& t, const char* name, const Tensors::Part& part, TensorLayout layout) {
  if (part && part->shape.size() == 3) {
    refuse_tensor(name, "there is no axis of heads", shape_text(part->shape), "4 axes",
                  "Name the tensors query, key and value when they are not split into heads");
  }
  return own_input(t, name, part, layout);
}

/// One of three forms: x; query, key and value; q, k and v.
Inputs choose_inputs(const Tensors& t, TensorLayout layout) {
  const bool has_own = t.query || t.key || t.value, has_split = t.q || t.k || t.v;
  if (int{t.x.has_value()} + int{has_own} + int{has_split} > 1) refuse_inputs(t, "tensors", "the inputs are given in more than one form");
  if (t.x) {
    const TokenTensor x("x", *t.x, layout);
    return {x, x, x};
  }
  if (has_own) return {own_input(t, "query", t.query, layout), own_input(t, "key", t.key, layout), own_input(t, "value", t.value, layout)};
  if (has_split) return {split_input(t, "q", t.q, layout), split_input(t, "k", t.k, layout), split_input(t, "v", t.v, layout)};
  refuse_inputs(t, "tensors", "there is nothing to compute attention from");
}

void check_same_lengths(const Inputs& inputs) {
  const auto& [query, key, value] = inputs;
  for (const TokenTensor* other : {&key, &value}) {
    if (other->batch() == query.batch()) continue;
    refuse_tensor(other->name(), "the number of items differs", fmt::format("{} in {}", other->batch(), shape_text(other->shape())),
                  fmt::format("{}, as in {} {}", query.batch(), query.name(), shape_text(query.shape())));
  }
  if (value.tokens() == key.tokens()) return;
  refuse_tensor(value.name(), "the number of tokens differs", fmt::format("{} in {}", value.tokens(), shape_text(value.shape())),
                fmt::format("{}, as in {} {}: every key has its value", key.tokens(), key.name(), shape_text(key.shape())));
}

Projection input_projection(const char* name, const Tensors::Part& weight, const Tensors::Part& bias, const TokenTensor& x, bool has_bias) {
  if (x.is_split() && (weight || bias)) {
    refuse_tensor(fmt::format("{}.{}", name, weight ? "weight" : "bias"), "there is nothing to project",
                  fmt::format("{} {}, split into heads", x.name(), shape_text(x.shape())), "an input that has not been projected yet");
  }
  return make_projection(name, weight, has_bias ? bias : kAbsent, x.width(), fmt::format("{} is {} wide", x.name(), x.width()));
}

/// How many heads an input is split into, or is to be split into.
Index head_count_of(const TokenTensor& input, const std::optional<int>& wanted, const char* option, std::optional<Index> otherwise) {
  if (input.is_split()) {
    if (wanted && *wanted != input.heads()) {
      refuse_choice(option, fmt::format("{} {} is split into {} heads already", input.name(), shape_text(input.shape()), input.heads()),
                    fmt::format("{}", *wanted), fmt::format("{}, or no number", input.heads()));
    }
    return input.heads();
  }
  if (!wanted && !otherwise) refuse_choice(option, "into how many heads?", {}, "a number that divides the width, such as --heads 8");
  const Index heads = wanted ? *wanted : *otherwise;
  if (heads < 1) refuse_choice(option, "not a number of heads", fmt::format("{}", heads), "1 or more");
  return heads;
}

/// The head counts and widths of a plan.
struct HeadSizes {
  Index heads, kv_heads, d_head, d_key, d_value;
};

Index projected_width(const Projection& projection, const TokenTensor& input, Index heads, const char* option) {
  if (input.is_split()) return input.width();
  return width_per_head(
      projection.width_for(input.width()), heads, option,
      projection.has_weight ? fmt::format("rows of {}.weight", projection.name) : fmt::format("columns of {}", input.name()));
}

HeadSizes decide_heads(const Inputs& inputs, const Projection& q, const Projection& k, const Projection& v, const Options& options) {
  const auto& [query, key, value] = inputs;
  HeadSizes sizes{};
  sizes.heads = head_count_of(query, options.heads, "heads", {});
  sizes.kv_heads = head_count_of(key, options.kv_heads, "kv_heads", sizes.heads);
  const Index of_values = head_count_of(value, options.kv_heads, "kv_heads", sizes.kv_heads);
  if (of_values != sizes.kv_heads) {
    refuse_tensor(value.name(), "the number of heads differs", fmt::format("{} in {}", of_values, shape_text(value.shape())),
                  fmt::format("{}, as in {} {}", sizes.kv_heads, key.name(), shape_text(key.shape())));
  }
  if (sizes.heads % sizes.kv_heads != 0 && key.is_split()) {
    refuse_tensor(key.name(), "the heads of the queries cannot share these evenly",
                  fmt::format("{} heads in {}", sizes.kv_heads, shape_text(key.shape())),
                  fmt::format("a number of heads that divides {}, as {} {} has", sizes.heads, query.name(), shape_text(query.shape())));
  }
  if (sizes.heads % sizes.kv_heads != 0) {
    refuse_choice("kv_heads", fmt::format("{} heads cannot share {} key/value heads evenly", sizes.heads, sizes.kv_heads), {},
                  fmt::format("a number that divides {}", sizes.heads));
  }
  const char* of_keys = options.kv_heads ? "kv_heads" : "heads";
  sizes.d_head = projected_width(q, query, sizes.heads, "heads");
  sizes.d_key = projected_width(k, key, sizes.kv_heads, of_keys);
  sizes.d_value = projected_width(v, value, sizes.kv_heads, of_keys);
  return sizes;
}

/// Only additive scores compare queries and keys of different widths (Dive into Deep Learning, section 10.2).
void check_key_width(const HeadSizes& sizes, const Inputs& inputs, const Projection& k, const Tensors& tensors, const Options& options) {
  const bool may_differ = options.score == ScoreKind::additive && tensors.additive_query && tensors.additive_key;
  if (sizes.d_key == sizes.d_head || may_differ) return;
  const Index width = sizes.d_key * sizes.kv_heads, sharing = width / sizes.d_head;
  const bool could_share =
      !options.kv_heads && !inputs.key.is_split() && sharing > 0 && width % sizes.d_head == 0 && sizes.heads % sharing == 0;
  refuse_tensor(k.has_weight ? "k.weight" : inputs.key.name(), "keys and queries differ in width per head",
                fmt::format("{} ({} in {} heads)", sizes.d_key, width, sizes.kv_heads),
                fmt::format("{}, as the queries have ({} in {} heads)", sizes.d_head, sizes.d_head * sizes.heads, sizes.heads),
                could_share ? fmt::format("If heads share keys and values: --kv-heads {}", sharing) : "");
}

/// past_key and past_value: [batch, kv_heads, past, width], of the widths of k and v.
std::optional<TokenTensor> read_past(const char* name, const Tensors::Part& part, const HeadSizes& sizes, Index width, Index batch,
                                     const Options& options) {
  if (!part) return std::nullopt;
  const bool is_batch_first = options.layout == TensorLayout::batch_first;
  const std::size_t token_axis = is_batch_first ? 2 : 0;
  Shape expected = is_batch_first ? Shape{batch, sizes.kv_heads, 0, width} : Shape{0, batch, sizes.kv_heads, width};
  if (part->shape.size() == 4) expected[token_axis] = part->shape[token_axis];
  if (part->shape == expected) return part->values.empty() ? std::nullopt : std::optional(TokenTensor(name, *part, options.layout));
  refuse_tensor(name, "the shape does not fit", shape_text(part->shape),
                is_batch_first ? fmt::format("[{}, {}, past, {}] (batch, kv_heads, tokens, width)", batch, sizes.kv_heads, width)
                               : fmt::format("[past, {}, {}, {}] (tokens, batch, kv_heads, width)", batch, sizes.kv_heads, width));
}

Index check_past(const std::optional<TokenTensor>& key, const std::optional<TokenTensor>& value) {
  if (!key && !value) return 0;
  if (!key || !value) {
    refuse_missing(key ? "past_value" : "past_key", "past_key and past_value come together", "[batch, kv_heads, past, width]");
  }
  if (key->tokens() != value->tokens()) {
    refuse_tensor("past_value", "the number of tokens differs", fmt::format("{} in {}", value->tokens(), shape_text(value->shape())),
                  fmt::format("{}, as in past_key {}", key->tokens(), shape_text(key->shape())));
  }
  return key->tokens();
}

/// The tensors that the score function needs, and those that would go unused.
void check_score_tensors(const Tensors& t, const Options& options, const AttentionSizes& sizes, const HeadSizes& heads,
                         std::vector<std::string>& notes) {
  const Index distances = sizes.queries + sizes.keys - 1;
  const std::string per_distance = "heads, queries + keys - 1";
  if (t.sinks) expect_shape("sinks", *t.sinks, {sizes.heads}, "heads");
  if (t.sinks && options.sink) notes.emplace_back("sinks is not used: --sink gives all heads one");
  if (t.relative_bias) expect_shape("relative_bias", *t.relative_bias, {sizes.heads, distances}, per_distance);
  if (options.score == ScoreKind::relative) {
    if (t.distance_keys) expect_shape("distance_keys", *t.distance_keys, {sizes.heads, distances, heads.d_head}, per_distance + ", d_head");
    if (t.key_bias) expect_shape("key_bias", *t.key_bias, {sizes.heads, heads.d_head}, "heads, d_head");
    if (t.distance_bias) expect_shape("distance_bias", *t.distance_bias, {sizes.heads, distances}, per_distance);
  } else if (t.distance_keys || t.key_bias || t.distance_bias) {
    notes.emplace_back("distance_keys, key_bias and distance_bias are not used: they belong to --score relative");
  }
  if (options.score != ScoreKind::additive) {
    if (t.additive_vector) notes.emplace_back("additive.w_v is not used: it belongs to --score additive");
    return;
  }
  if (!t.additive_vector) refuse_missing("additive.w_v", "additive scores need it", "[hidden]");
  if (t.additive_query.has_value() != t.additive_key.has_value()) {
    refuse_missing(t.additive_query ? "additive.W_k" : "additive.W_q", "additive.W_q and additive.W_k come together", "[hidden, d_head]");
  }
  const Index hidden = t.additive_query && !t.additive_query->shape.empty() ? t.additive_query->shape[0] : heads.d_head;
  if (t.additive_query) {
    expect_shape("additive.W_q", *t.additive_query, {hidden, heads.d_head}, "hidden, d_head of the queries");
    expect_shape("additive.W_k", *t.additive_key, {hidden, heads.d_key}, "hidden, d_head of the keys");
  }
  expect_shape("additive.w_v", *t.additive_vector, {hidden}, t.additive_query ? "rows of additive.W_q" : "d_head");
}

std::optional<Linear> additive_linear(const Tensors::Part& weight, const Options& options) {
  if (!weight || options.score != ScoreKind::additive) return std::nullopt;
  return Linear{Matrix(Eigen::Map<const Matrix>(weight->values.data(), weight->shape[0], weight->shape[1]).transpose()), {}};
}

/// 1/√d_head where a score is a sum over d_head products; cosines and additive scores do not grow with it.
float scale_of(const Options& options, Index d_head) {
  if (options.softcap < 0 || !std::isfinite(options.softcap)) {
    refuse_choice("softcap", "not a soft-cap", fmt::format("{}", options.softcap), "0 (none) or a positive number");
  }
  if (options.sink && !std::isfinite(*options.sink)) refuse_choice("sink", "not a score", fmt::format("{}", *options.sink), "a number");
  if (options.scale) {
    if (!std::isfinite(*options.scale)) refuse_choice("scale", "not a factor", fmt::format("{}", *options.scale), "a number");
    return *options.scale;
  }
  const bool is_product = options.score == ScoreKind::dot || options.score == ScoreKind::relative;
  return is_product ? 1.0F / std::sqrt(static_cast<float>(d_head)) : 1.0F;
}

/// Maps, what passes through the heads, and the output. In double, which cannot overflow here.
void check_memory(const AttentionSizes& sizes, const HeadSizes& heads, Index output_width, const Options& options) {
  const auto count = [](Index number) { return static_cast<double>(number); };
  const double maps = count(sizes.heads) * count(sizes.queries) * count(sizes.keys) * (options.stage ? 2 : 1);
  const double of_queries = count(sizes.queries) * (count(sizes.heads) * count(heads.d_head + heads.d_value) + count(output_width));
  const double of_keys = count(sizes.keys) * count(heads.kv_heads) * count(heads.d_key + heads.d_value);
  const double bytes = count(sizes.batch) * (maps + of_queries + of_keys) * sizeof(float);
  require_memory(bytes, allowed_memory(),
                 {.field = "attention",
                  .problem = "maps and output would be too large",
                  .found = fmt::format("for maps {} and an output {} wide",
                                       shape_text({sizes.batch, sizes.heads, sizes.queries, sizes.keys}), output_width),
                  .hint = "Use fewer tokens, or one item at a time"});
}

MaskSources mask_sources(const Tensors& t, const Options& options, Index past) {
  std::optional<Index> first = options.first_position;
  if (!first && past > 0) first = past;
  return {.text = options.mask_text,
          .first_position = first,
          .mask = t.mask,
          .is_float = t.is_mask_float,
          .meaning = options.mask_meaning,
          .valid_lens = t.valid_lens,
          .nonpad_kv_seqlen = t.nonpad_kv_seqlen};
}

}  // namespace

Matrix Projection::apply(Matrix x, ThreadPool& pool) const {
  if (has_weight) return apply_linear(x, linear, pool);
  if (linear.bias.size() > 0) x.rowwise() += linear.bias;
  return x;
}

Projection make_projection(const std::string& name, const Tensors::Part& weight, const Tensors::Part& bias, Index in,
                           const std::string& of_input) {
  Projection projection{.name = name, .has_weight = weight.has_value()};
  if (weight) {
    const Shape& shape = weight->shape;
    if (shape.size() != 2) refuse_tensor(name + ".weight", "wrong number of axes", shape_text(shape), "[out, in]");
    if (shape[1] != in) {
      refuse_tensor(name + ".weight", "the shape does not fit", shape_text(shape), fmt::format("[out, {}] ({})", in, of_input),
                    shape[0] == in ? "Weights are [out, in], as PyTorch keeps them: transpose it" : "");
    }
    projection.linear.weight = Matrix(Eigen::Map<const Matrix>(weight->values.data(), shape[0], in).transpose());
  }
  if (bias) {
    expect_shape(name + ".bias", *bias, {projection.width_for(in)}, weight ? "rows of " + name + ".weight" : of_input);
    projection.linear.bias = Eigen::Map<const RowVector>(bias->values.data(), std::ssize(bias->values));
  }
  return projection;
}

Index width_per_head(Index width, Index heads, const std::string& option, const std::string& what) {
  if (heads >= 1 && width % heads == 0) return width / heads;
  refuse_choice(option, fmt::format("{} heads do not divide the {} {}", heads, width, what), {}, {}, "Nothing is rounded");
}

TensorPlan plan_attention(const Tensors& tensors, const Options& options) {
  check_numbers(tensors);
  const Inputs inputs = choose_inputs(tensors, options.layout);
  check_same_lengths(inputs);
  const bool has_bias = options.has_bias, has_o = options.has_output_projection;
  const Projection q = input_projection("q", tensors.q_weight, tensors.q_bias, inputs.query, has_bias);
  const Projection k = input_projection("k", tensors.k_weight, tensors.k_bias, inputs.key, has_bias);
  const Projection v = input_projection("v", tensors.v_weight, tensors.v_bias, inputs.value, has_bias);
  const HeadSizes heads = decide_heads(inputs, q, k, v, options);
  check_key_width(heads, inputs, k, tensors, options);
  const Projection o =
      make_projection("o", has_o ? tensors.o_weight : kAbsent, has_o && has_bias ? tensors.o_bias : kAbsent, heads.heads * heads.d_value,
                      fmt::format("{} heads of width {} are joined", heads.heads, heads.d_value));

  const Index batch = inputs.query.batch();
  const auto past_key = read_past("past_key", tensors.past_key, heads, heads.d_key, batch, options);
  const auto past_value = read_past("past_value", tensors.past_value, heads, heads.d_value, batch, options);
  const Index past = check_past(past_key, past_value);
  const AttentionSizes sizes = {batch, heads.heads, inputs.query.tokens(), past + inputs.key.tokens()};
  check_memory(sizes, heads, o.width_for(heads.heads * heads.d_value), options);

  std::vector<std::string> notes;
  if (!has_bias) notes.emplace_back("biases are left out, as asked");
  if (!q.has_weight && !k.has_weight && !v.has_weight && !inputs.query.is_split()) {
    notes.emplace_back("no q.weight, k.weight and v.weight: the inputs are used as they are");
  }
  if (!has_o) notes.emplace_back("the output projection is left out, as asked: the output is the joined heads");
  check_score_tensors(tensors, options, sizes, heads, notes);
  TensorMasks masks(mask_sources(tensors, options, past), options.layout, sizes);
  notes.insert(notes.end(), masks.notes().begin(), masks.notes().end());
  return {.query = inputs.query,
          .key = inputs.key,
          .value = inputs.value,
          .past_key = past_key,
          .past_value = past_value,
          .q = q,
          .k = k,
          .v = v,
          .o = o,
          .additive_query = additive_linear(tensors.additive_query, options),
          .additive_key = additive_linear(tensors.additive_key, options),
          .sizes = sizes,
          .kv_heads = heads.kv_heads,
          .d_head = heads.d_head,
          .d_key = heads.d_key,
          .d_value = heads.d_value,
          .scale = scale_of(options, heads.d_head),
          .masks = std::move(masks),
          .notes = std::move(notes)};
}

}  // namespace headlight

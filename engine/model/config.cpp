#include "engine/model/config.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/enumeration.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

std::string divisors(int number) {
  std::string list;
  for (int divisor = 1; divisor <= number; ++divisor) {
    if (number % divisor == 0) list += fmt::format("{}{}", list.empty() ? "" : ", ", divisor);
  }
  return list;
}

void check_size(std::string_view name, int size, int lowest) {
  if (size >= lowest) return;
  throw Error({.kind = ErrorKind::usage,
               .field = std::string(name),
               .problem = "size out of range",
               .found = std::to_string(size),
               .expected = fmt::format("{} or more", lowest)});
}

}  // namespace

void check_head_count(int d_model, int heads) {
  check_size("d_model", d_model, 1);
  if (heads >= 1 && d_model % heads == 0) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "heads",
               .problem = fmt::format("{} heads do not divide d_model {}", heads, d_model),
               .hint = fmt::format("Possible head counts: {}.", divisors(d_model))});
}

void check_kv_heads(int heads, int kv_heads) {
  check_size("kv_heads", kv_heads, 1);
  if (heads % kv_heads == 0) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "kv_heads",
               .problem = fmt::format("{} heads cannot share {} key/value heads evenly", heads, kv_heads),
               .hint = fmt::format("Possible counts: {}.", divisors(heads))});
}

void check_rotary(const ModelConfig& config) {
  if (config.positions.kind != PositionKind::rotary) return;
  const RotarySettings& rotary = config.positions.rotary;
  const int dimensions = rotary.dimensions == 0 ? config.heads.d_head : rotary.dimensions;
  if (dimensions < 2 || dimensions % 2 != 0 || dimensions > config.heads.d_head) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "rotary",
                 .problem = "rotary positions rotate pairs of a head's dimensions",
                 .found = fmt::format("{} dimensions of a head of width {}", dimensions, config.heads.d_head),
                 .expected = fmt::format("an even number from 2 to {}", config.heads.d_head)});
  }
  const bool is_sound =
      rotary.theta > 1 && std::isfinite(rotary.theta) && rotary.scaling.factor >= 1 && std::isfinite(rotary.scaling.factor);
  if (is_sound) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "rotary",
               .problem = "these frequency settings are out of range",
               .found = fmt::format("theta {}, factor {}", rotary.theta, rotary.scaling.factor),
               .expected = "theta above 1, factor at least 1"});
}

std::string_view name_of(Stack stack) {
  static constexpr Names<Stack> kNames{"layer", "encoder", "decoder", "cross"};
  return kNames[stack];
}

LayerPlace ModelConfig::place(int layer) const {
  if (!stacks.places.empty()) return stacks.places[static_cast<std::size_t>(layer)];
  if (!is_encoder_decoder()) return {Stack::only, layer};
  if (layer < stacks.encoder_layers) return {Stack::encoder, layer};
  const int after = layer - stacks.encoder_layers;
  return {after % 2 == 0 ? Stack::decoder : Stack::cross, after / 2};
}

bool ModelConfig::has_decoder_keys() const {
  if (is_encoder_decoder()) return true;
  const auto holds = [&](Stack stack) {
    return std::any_of(stacks.places.begin(), stacks.places.end(), [&](const LayerPlace& place) { return place.stack == stack; });
  };
  return holds(Stack::decoder) && (holds(Stack::encoder) || holds(Stack::cross));
}

std::optional<int> ModelConfig::layer_at(LayerPlace wanted) const {
  for (int layer = 0; layer < layers; ++layer) {
    if (place(layer) == wanted) return layer;
  }
  return std::nullopt;
}

std::string ModelConfig::layers_text() const {
  std::array<int, 4> counts{};
  for (int layer = 0; layer < layers; ++layer) ++counts[static_cast<std::size_t>(place(layer).stack)];
  std::string text;
  for (const Stack stack : {Stack::encoder, Stack::decoder, Stack::cross}) {
    const int count = counts[static_cast<std::size_t>(stack)];
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : " + ", count, name_of(stack));
  }
  if (text.empty()) text = std::to_string(layers);
  return text + (layers == 1 ? " layer" : " layers");
}

std::string ModelConfig::own_mask(int layer) const {
  const Stack stack = place(layer).stack;
  if (stack != Stack::only && stack != Stack::decoder) return "none";
  const int reach = window_of(layer);
  if (!mask.is_causal) return reach > 0 ? fmt::format("window:{}", reach) : "none";
  return reach > 0 ? fmt::format("causal + window:{}", reach) : "causal";
}

int ModelConfig::window_of(int layer) const {
  return mask.windows.empty() ? mask.window : mask.windows[static_cast<std::size_t>(layer)];
}

int ModelConfig::heads_of(int layer) const {
  if (!heads.counts.empty()) return heads.counts[static_cast<std::size_t>(layer)];
  const Stack stack = place(layer).stack;
  const bool is_decoder = stack == Stack::decoder || stack == Stack::cross;
  return is_decoder && stacks.decoder_heads > 0 ? stacks.decoder_heads : heads.count;
}

const RotarySettings& ModelConfig::rotary_of(int layer) const {
  return positions.window_rotary && window_of(layer) > 0 ? *positions.window_rotary : positions.rotary;
}

void check_config(const ModelConfig& config) {
  check_size("layers", config.layers, 1);
  check_size("d_ff", config.feed_forward.d_ff, 1);
  check_size("vocabulary", config.vocabulary, 0);
  check_size("max_positions", config.positions.most, config.positions.kind == PositionKind::learned ? 1 : 0);
  check_size("d_model", config.d_model, 1);
  check_size("heads", config.heads.count, 1);
  check_size("d_head", config.heads.d_head, 1);
  check_kv_heads(config.heads.count, config.heads.kv_count);
  check_rotary(config);
}

}  // namespace headlight

#include "engine/model/config.h"

#include <fmt/core.h>

#include <string_view>

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

void check_config(const ModelConfig& config) {
  check_size("layers", config.layers, 1);
  check_size("d_ff", config.d_ff, 1);
  check_size("vocabulary", config.vocabulary, 0);
  check_size("max_positions", config.max_positions, config.positions == PositionKind::learned ? 1 : 0);
  check_head_count(config.d_model, config.heads);
  if (config.heads * config.d_head == config.d_model) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "d_head",
               .problem = "the heads' widths do not add up to d_model",
               .found = fmt::format("{} heads of width {}", config.heads, config.d_head),
               .expected = fmt::format("d_model {}", config.d_model)});
}

}  // namespace headlight

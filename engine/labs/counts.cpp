#include "engine/labs/counts.h"

#include <fmt/core.h>

#include <string_view>

#include "engine/core/error.h"
#include "engine/model/config.h"

namespace headlight {
namespace {

constexpr std::int64_t kLargestWidth = 1 << 20;
constexpr std::int64_t kMostHeads = 1 << 16;

void check_range(std::string_view name, std::int64_t size, std::int64_t largest) {
  if (size >= 1 && size <= largest) return;
  throw Error({.kind = ErrorKind::usage,
               .field = std::string(name),
               .problem = "the size is out of range",
               .found = std::to_string(size),
               .expected = fmt::format("1 to {}", largest)});
}

std::int64_t kv_heads_of(const AttentionWidths& sizes) {
  return sizes.kv_heads == 0 ? sizes.heads : sizes.kv_heads;
}

void check_sizes(const AttentionWidths& sizes) {
  check_range("d_model", sizes.d_model, kLargestWidth);
  check_range("heads", sizes.heads, kMostHeads);
  check_range("d_head", sizes.d_head, kLargestWidth);
  check_range("kv_heads", kv_heads_of(sizes), sizes.heads);
  if (sizes.heads % kv_heads_of(sizes) != 0) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "kv_heads",
                 .problem = "heads cannot be grouped evenly",
                 .found = fmt::format("{} heads and {} key/value heads", sizes.heads, sizes.kv_heads),
                 .expected = "a number that divides the heads"});
  }
}

std::int64_t linear_parameters(std::int64_t in, std::int64_t out, bool has_bias) {
  return in * out + (has_bias ? out : 0);
}

double product_flops(std::int64_t rows, std::int64_t in, std::int64_t out) {
  return 2.0 * static_cast<double>(rows) * static_cast<double>(in) * static_cast<double>(out);
}

}  // namespace

AttentionParameters count_parameters(const AttentionWidths& sizes) {
  check_sizes(sizes);
  const std::int64_t q_width = sizes.heads * sizes.d_head, kv_width = kv_heads_of(sizes) * sizes.d_head;
  return {.q = linear_parameters(sizes.d_model, q_width, sizes.has_bias),
          .k = linear_parameters(sizes.d_model, kv_width, sizes.has_bias),
          .v = linear_parameters(sizes.d_model, kv_width, sizes.has_bias),
          .o = linear_parameters(q_width, sizes.d_model, sizes.has_bias)};
}

std::int64_t count_layer_parameters(const AttentionWidths& sizes, std::int64_t d_ff) {
  check_range("d_ff", d_ff, kLargestWidth);
  return count_parameters(sizes).total() + linear_parameters(sizes.d_model, d_ff, sizes.has_bias) +
         linear_parameters(d_ff, sizes.d_model, sizes.has_bias) + 4 * sizes.d_model;
}

HeadCountCost cost_of_heads(std::int64_t d_model, std::int64_t heads, std::int64_t fixed_d_head, bool has_bias) {
  check_range("d_model", d_model, kLargestWidth);
  check_range("heads", heads, kMostHeads);
  check_head_count(static_cast<int>(d_model), static_cast<int>(heads));
  return {.shared_width = {.d_model = d_model, .heads = heads, .d_head = d_model / heads, .has_bias = has_bias},
          .fixed_width = {.d_model = d_model, .heads = heads, .d_head = fixed_d_head, .has_bias = has_bias}};
}

AttentionFlops count_flops(const AttentionWidths& sizes, std::int64_t queries, std::int64_t keys) {
  check_sizes(sizes);
  const std::int64_t q_width = sizes.heads * sizes.d_head, kv_width = kv_heads_of(sizes) * sizes.d_head;
  const double heads = static_cast<double>(sizes.heads);
  return {.projections = product_flops(queries, sizes.d_model, q_width) + 2 * product_flops(keys, sizes.d_model, kv_width),
          .scores = heads * product_flops(queries, sizes.d_head, keys),
          .mix = heads * product_flops(queries, keys, sizes.d_head),
          .output = product_flops(queries, q_width, sizes.d_model)};
}

double count_layer_flops(const AttentionWidths& sizes, std::int64_t d_ff, std::int64_t tokens) {
  return count_flops(sizes, tokens, tokens).total() + 2 * product_flops(tokens, sizes.d_model, d_ff);
}

double count_cache_bytes(const AttentionWidths& sizes, std::int64_t tokens, int bytes_per_number) {
  check_sizes(sizes);
  return 2.0 * static_cast<double>(tokens) * static_cast<double>(kv_heads_of(sizes) * sizes.d_head) * bytes_per_number;
}

}  // namespace headlight

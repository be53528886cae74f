#include "engine/model/families/families.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/model/families/family_tables.h"

namespace headlight {
namespace {

struct Length {
  std::int64_t value = 0;
  std::string origin;
};

Length length_and_origin(const FileConfig& file, Axis axis) {
  const ModelConfig& sizes = file.sizes;
  const ConfigKeys& keys = file.keys;
  const auto of = [](std::string_view key, std::int64_t size, std::int64_t value) {
    return Length{value, fmt::format("{} {}", key, size)};
  };
  const auto same = [&](std::string_view key, std::int64_t size) { return of(key, size, size); };
  const std::int64_t q = std::int64_t{sizes.heads.count} * sizes.heads.d_head, kv = std::int64_t{sizes.heads.kv_count} * sizes.heads.d_head;
  const bool has_plain_heads = q == sizes.d_model;
  const std::string_view head_key = keys.d_head.empty() ? std::string_view("head width") : keys.d_head;
  const auto heads = [&](std::string_view key, int count) {
    return fmt::format("{} {} × {} {}", key, count, head_key, sizes.heads.d_head);
  };
  switch (axis) {
    case Axis::none:
      break;
    case Axis::one:
      return {1, "1"};
    case Axis::d_model:
      return same(keys.d_model, sizes.d_model);
    case Axis::d_embedding:
      return same(file.d_embedding == sizes.d_model ? keys.d_model : std::string_view("embedding_size"), file.d_embedding);
    case Axis::q_width:
      return has_plain_heads ? same(keys.d_model, sizes.d_model) : Length{q, heads(keys.heads, sizes.heads.count)};
    case Axis::kv_width:
      if (kv == sizes.d_model) return same(keys.d_model, sizes.d_model);
      return {kv, heads(keys.kv_heads.empty() ? keys.heads : keys.kv_heads, sizes.heads.kv_count)};
    case Axis::qkv_width:
      if (kv == sizes.d_model && has_plain_heads) return of(keys.d_model, sizes.d_model, 3 * q);
      return {q + 2 * kv, heads(keys.heads, sizes.heads.count)};
    case Axis::d_head:
      return same(head_key, sizes.heads.d_head);
    case Axis::heads:
      return same(keys.heads, sizes.heads.count);
    case Axis::d_ff:
      return same(keys.d_ff, sizes.feed_forward.d_ff);
    case Axis::gate_up_width:
      return of(keys.d_ff, sizes.feed_forward.d_ff, 2 * std::int64_t{sizes.feed_forward.d_ff});
    case Axis::decoder_d_ff:
      return same("decoder_ffn_dim", file.decoder_d_ff);
    case Axis::vocabulary:
      return same("vocab_size", sizes.vocabulary);
    case Axis::decoder_vocabulary:
      return same("decoder_vocab_size", file.decoder_vocabulary);
    case Axis::types:
      return same("type_vocab_size", file.types);
    case Axis::positions:
      return of(keys.positions, sizes.positions.most, std::int64_t{sizes.positions.most} + file.position_offset);
    case Axis::buckets:
      return same("relative_attention_num_buckets", sizes.positions.t5.buckets);
  }
  return {};
}

/// Whether `name` agrees with `pattern` up to its first hole, and has a number there; moves both past it.
bool skip_number(std::string_view& pattern, std::string_view& name) {
  const std::size_t hole = pattern.find("{}");
  if (hole == std::string_view::npos || !name.starts_with(pattern.substr(0, hole))) return false;
  pattern.remove_prefix(hole + 2);
  name.remove_prefix(hole);
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  name.remove_prefix(digits);
  return digits > 0;
}

std::vector<FamilyRow> all_families() {
  std::vector<FamilyRow> rows;
  for (const auto part : {decoder_families(), llama_families(), encoder_families(), encoder_decoder_families()}) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

}  // namespace

std::int64_t length_of(const FileConfig& file, Axis axis) {
  return length_and_origin(file, axis).value;
}

std::string origin_of(const FileConfig& file, Axis axis) {
  return length_and_origin(file, axis).origin;
}

std::span<const FamilyRow> families() {
  static const std::vector<FamilyRow> kFamilies = all_families();
  return kFamilies;
}

const FamilyRow& find_family(const JsonFields& config) {
  const std::string type = config.text("model_type");
  std::string known;
  for (const FamilyRow& row : families()) {
    if (row.model_type == type) return row;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.model_type);
  }
  throw Error({.kind = ErrorKind::input,
               .file = config.file(),
               .field = "model_type",
               .problem = "this kind of model is not supported",
               .found = fmt::format("\"{}\"", printable(type, 60)),
               .expected = "one of: " + known});
}

FileConfig read_family_config(const FamilyRow& family, const JsonFields& fields) {
  FileConfig file = family.read_config(fields);
  file.sizes.family = family.label;
  return file;
}

bool matches_pattern(std::string_view pattern, std::string_view name) {
  while (pattern.find("{}") != std::string_view::npos) {
    if (!skip_number(pattern, name)) return false;
  }
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace headlight

#include "app/cli/attend/attend_tensors.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/formats/file_kind.h"

namespace headlight {
namespace {

using Tensors = AttentionTensors;
using Member = Tensors::Part Tensors::*;

/// Another name of one part, or of three that follow one another in the rows: as torch.nn.MultiheadAttention saves them, and as the
/// layers of Hugging Face's models do.
struct Spelling {
  std::string_view name;
  std::array<Member, 3> parts = {};
};
constexpr std::array<Spelling, 18> kSpellings = {{
    {"w_v", {&Tensors::additive_vector}},
    {"in_proj_weight", {&Tensors::q_weight, &Tensors::k_weight, &Tensors::v_weight}},
    {"in_proj_bias", {&Tensors::q_bias, &Tensors::k_bias, &Tensors::v_bias}},
    {"q_proj_weight", {&Tensors::q_weight}},
    {"k_proj_weight", {&Tensors::k_weight}},
    {"v_proj_weight", {&Tensors::v_weight}},
    {"q_proj.weight", {&Tensors::q_weight}},
    {"k_proj.weight", {&Tensors::k_weight}},
    {"v_proj.weight", {&Tensors::v_weight}},
    {"o_proj.weight", {&Tensors::o_weight}},
    {"out_proj.weight", {&Tensors::o_weight}},
    {"q_proj.bias", {&Tensors::q_bias}},
    {"k_proj.bias", {&Tensors::k_bias}},
    {"v_proj.bias", {&Tensors::v_bias}},
    {"o_proj.bias", {&Tensors::o_bias}},
    {"out_proj.bias", {&Tensors::o_bias}},
    {"in_proj.weight", {&Tensors::q_weight, &Tensors::k_weight, &Tensors::v_weight}},
    {"in_proj.bias", {&Tensors::q_bias, &Tensors::k_bias, &Tensors::v_bias}},
}};

/// Saved by PyTorch's layer with add_bias_kv: leaving them out would change the result.
constexpr std::array<std::string_view, 2> kKeyWithoutToken = {"bias_k", "bias_v"};

bool is_float(DType type) {
  return type == DType::f64 || type == DType::f32 || type == DType::f16 || type == DType::bf16;
}

/// Masks and lengths may be stored as anything that has numbers.
bool may_be_whole(Member part) {
  return part == &Tensors::mask || part == &Tensors::valid_lens || part == &Tensors::nonpad_kv_seqlen;
}

std::string_view name_of(Member part) {
  const auto rows = attention_tensor_names();
  return std::find_if(rows.begin(), rows.end(), [&](const AttentionTensorName& row) { return row.part == part; })->name;
}

/// The parts that a tensor of this name is or holds; none for a name that is not ours.
std::vector<Member> parts_of(std::string_view name) {
  for (const AttentionTensorName& row : attention_tensor_names()) {
    if (row.name == name) return {row.part};
  }
  const auto spelling = std::find_if(kSpellings.begin(), kSpellings.end(), [&](const Spelling& each) { return each.name == name; });
  if (spelling == kSpellings.end()) return {};
  const auto end = std::find(spelling->parts.begin(), spelling->parts.end(), nullptr);
  return {spelling->parts.begin(), end};
}

[[noreturn]] void refuse_tensor(const SafetensorsFile& file, const TensorInfo& info, std::string problem, std::string found = {},
                                std::string expected = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = file.name(),
               .field = "tensor " + printable(info.name),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

/// A name that looks like one of ours but is not one is a slip that would silently change the result.
void refuse_near_names(const SafetensorsFile& file, const TensorInfo& tensor) {
  constexpr std::size_t kPrefixSize = 2;  // "q.", "k.", "v.", "o."
  const std::string prefix = tensor.name.find('.') + 1 == kPrefixSize ? tensor.name.substr(0, kPrefixSize) : "";
  std::vector<std::string_view> alike;
  for (const AttentionTensorName& row : attention_tensor_names()) {
    const bool has_prefix = !prefix.empty() && row.name.starts_with(prefix);
    if (has_prefix || lower_case(std::string(row.name)) == lower_case(tensor.name)) alike.push_back(row.name);
  }
  if (!alike.empty()) refuse_tensor(file, tensor, "there is no such part", {}, fmt::format("{}", fmt::join(alike, ", ")));
  if (std::find(kKeyWithoutToken.begin(), kKeyWithoutToken.end(), tensor.name) != kKeyWithoutToken.end()) {
    refuse_tensor(file, tensor, "a key and a value without a token (add_bias_kv) cannot be computed here");
  }
}

void check_type(const SafetensorsFile& file, const TensorInfo& info, Member part) {
  if (is_float(info.dtype) || may_be_whole(part)) return;
  refuse_tensor(file, info, "the type does not fit", info.dtype_name, "F32, F16, BF16 or F64");
}

/// Refuses before anything is read. `bytes`: as float32, of the tensors so far.
void check_total(const SafetensorsFile& file, const TensorInfo& info, std::uint64_t& bytes) {
  const std::uint64_t bits = static_cast<std::uint64_t>(std::max(dtype_row(info.dtype).bits, 8));
  bytes += (info.end - info.begin) / (bits / 8) * sizeof(float);  // a file has fewer than 2^61 bytes
  require_memory(static_cast<double>(bytes), allowed_memory(),
                 {.file = file.name(), .problem = "the tensors are too large", .found = "as float32"});
}

/// Part number `at` of `count` that follow one another in the rows.
FloatTensor rows_of_part(const FloatTensor& whole, std::size_t at, std::size_t count) {
  FloatTensor part{whole.shape, {}};
  part.shape[0] /= static_cast<std::int64_t>(count);
  const auto size = static_cast<std::ptrdiff_t>(whole.values.size() / count);
  const auto begin = whole.values.begin() + static_cast<std::ptrdiff_t>(at) * size;
  part.values.assign(begin, begin + size);
  return part;
}

void load_tensor(const SafetensorsFile& file, const TensorInfo& info, const std::vector<Member>& parts, AttentionTensors& tensors) {
  if (parts.size() > 1 && (info.shape.empty() || info.shape[0] % std::ssize(parts) != 0)) {
    refuse_tensor(file, info, "queries, keys and values do not have the same number of rows", shape_text(info.shape),
                  fmt::format("a first axis that {} divides", parts.size()));
  }
  for (const Member part : parts) {
    if (tensors.*part) refuse_tensor(file, info, fmt::format("the file holds {} as well, which is the same", name_of(part)));
  }
  FloatTensor whole = file.read_floats(info);
  if (parts.size() == 1) {
    tensors.*parts.front() = std::move(whole);
  } else {
    for (std::size_t at = 0; at < parts.size(); ++at) tensors.*parts[at] = rows_of_part(whole, at, parts.size());
  }
}

}  // namespace

LoadedTensors load_attention_tensors(const SafetensorsFile& file) {
  LoadedTensors loaded;
  std::uint64_t bytes = 0;
  for (const TensorInfo& info : file.tensors()) {
    const std::vector<Member> parts = parts_of(info.name);
    if (parts.empty()) {
      refuse_near_names(file, info);
      const auto& compared = kComparedTensors;
      if (std::find(compared.begin(), compared.end(), info.name) == compared.end()) loaded.unused.push_back(printable(info.name));
      continue;
    }
    check_type(file, info, parts.front());
    check_total(file, info, bytes);
    load_tensor(file, info, parts, loaded.tensors);
    if (parts.front() == &Tensors::mask) loaded.tensors.is_mask_float = is_float(info.dtype);
    const bool is_converted = info.dtype != DType::f32 && !may_be_whole(parts.front());
    const std::string meaning = parts.size() == 1 ? std::string() : fmt::format(", the rows of {} parts", parts.size());
    loaded.lines.push_back(fmt::format("{}: {} {}{}{}", info.name, shape_text(info.shape), info.dtype_name, meaning,
                                       is_converted ? ", computed as float32" : ""));
  }
  return loaded;
}

}  // namespace headlight

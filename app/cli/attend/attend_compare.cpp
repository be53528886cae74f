#include "app/cli/attend/attend_compare.h"

#include <fmt/core.h>

#include <cmath>

namespace headlight {
namespace {

using Shape = std::vector<std::int64_t>;

/// Brings maps from [query, key, batch, head], as sequence-first code keeps them, into our order.
FloatTensor from_sequence_first(const FloatTensor& maps) {
  const std::int64_t queries = maps.shape[0], keys = maps.shape[1], batch = maps.shape[2], heads = maps.shape[3];
  FloatTensor result = make_tensor({batch, heads, queries, keys});
  for (std::int64_t row = 0; row < queries * keys; ++row) {
    for (std::int64_t map = 0; map < batch * heads; ++map) {
      result.values[static_cast<std::size_t>(map * queries * keys + row)] =
          maps.values[static_cast<std::size_t>(row * batch * heads + map)];
    }
  }
  return result;
}

/// The largest difference so far, and where it is.
struct Largest {
  double difference = 0;
  std::size_t place = 0;
  void add(float theirs, float ours, std::size_t at) {
    const double found = theirs == ours ? 0.0 : std::abs(double{theirs} - double{ours});
    if (std::isnan(difference) || found <= difference) return;  // a NaN that is found counts as the largest
    difference = found;
    place = at;
  }
  bool is_within(float tolerance) const { return difference <= static_cast<double>(tolerance); }
};

/// The head that a number belongs to; 0 for an output, whose numbers are those of all heads together.
std::size_t head_of(const std::string& name, const TensorAttention& result, std::size_t at) {
  if (name == "output") return 0;
  const auto heads = static_cast<std::size_t>(result.sizes.heads);
  if (name == "z") return at % (heads * static_cast<std::size_t>(result.d_value)) / static_cast<std::size_t>(result.d_value);
  return at / static_cast<std::size_t>(result.sizes.queries * result.sizes.keys) % heads;
}

void compare(const FloatTensor& theirs, const ComparedTensor& ours, const TensorAttention& result, float tolerance,
             Comparison& comparison) {
  const std::string& name = ours.name;
  const Shape& shape = ours.ours->shape;
  const bool has_heads = name != "output";
  std::vector<Largest> heads(has_heads ? static_cast<std::size_t>(result.sizes.heads) : 1);
  Largest all;
  for (std::size_t at = 0; at < ours.ours->values.size(); ++at) {
    const float a = theirs.values[at], b = ours.ours->values[at];
    all.add(a, b, at);
    heads[head_of(name, result, at)].add(a, b, at);
  }
  const bool agrees = all.is_within(tolerance);
  comparison.lines.push_back(fmt::format("{} in the file: largest difference {:.1e} at {}{}", name, all.difference,
                                         place_text(shape, all.place), agrees ? "" : fmt::format(", more than {:g}", tolerance)));
  if (agrees) return;
  comparison.differing.push_back(name);
  for (std::size_t head = 0; has_heads && head < heads.size(); ++head) {
    const Largest& one = heads[head];
    comparison.lines.push_back(one.is_within(tolerance) ? fmt::format("  head {} agrees, largest difference {:.1e}", head, one.difference)
                                                        : fmt::format("  head {} differs, largest difference {:.1e} at {}", head,
                                                                      one.difference, place_text(shape, one.place)));
  }
}

}  // namespace

Comparison compare_with_file(const SafetensorsFile& file, const std::vector<ComparedTensor>& ours, const TensorAttention& result,
                             TensorLayout layout, float tolerance) {
  Comparison comparison;
  for (const ComparedTensor& tensor : ours) {
    const TensorInfo* recorded = file.find(tensor.name);
    if (recorded == nullptr) continue;
    const Shape& shape = tensor.ours->shape;
    const bool may_be_turned = tensor.name == "attention" || tensor.name == "scores";
    const bool is_sequence_first =
        may_be_turned && layout == TensorLayout::sequence_first && recorded->shape == Shape{shape[2], shape[3], shape[0], shape[1]};
    if (recorded->shape != shape && !is_sequence_first) {
      comparison.lines.push_back(
          fmt::format("{} in the file: {} is not {}, not compared", tensor.name, shape_text(recorded->shape), shape_text(shape)));
      comparison.differing.push_back(tensor.name);
      continue;
    }
    FloatTensor theirs = file.read_floats(*recorded);
    if (is_sequence_first) theirs = from_sequence_first(theirs);
    compare(theirs, tensor, result, tolerance, comparison);
  }
  return comparison;
}

}  // namespace headlight

#include "engine/dumps/dump_masks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/dumps/dump_sums.h"

namespace headlight {
namespace {

/// Added to a score this leaves no weight in float32.
constexpr float kForbids = -1e4F;
/// What a mask of cells is called where the file has no mask, but steps.
constexpr const char* kOfSteps = "of the steps";

[[noreturn]] void refuse_mask(const DumpFile& file, const std::string& name, std::string problem, std::string found, std::string expected,
                              std::string hint = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = file.file,
               .field = printable(name),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected),
               .hint = std::move(hint)});
}

bool is_self_attention(Stack stack) {
  return stack == Stack::only || stack == Stack::decoder;
}

/// The narrowest name first. What names no stack is for a text's attention to itself, not for an encoder or for cross-attention.
const DumpTensor* find_mask(const DumpFile& file, const LayerPlace& place) {
  const std::string stack = place.stack == Stack::only ? std::string() : fmt::format("{}.", name_of(place.stack));
  std::vector<std::string> names = {fmt::format("{}mask.{}", stack, place.number), stack + "mask"};
  if (place.stack == Stack::decoder) names.insert(names.end(), {fmt::format("mask.{}", place.number), "mask"});
  for (const std::string& name : names) {
    const auto found = std::find_if(file.masks.begin(), file.masks.end(), [&](const DumpTensor& mask) { return mask.name == name; });
    if (found != file.masks.end()) return &*found;
  }
  return nullptr;
}

const std::string* find_text(const DumpFile& file, Stack stack) {
  const auto of_stack = file.mask_texts.find(fmt::format("headlight.mask.{}", name_of(stack)));
  if (stack != Stack::only && of_stack != file.mask_texts.end()) return &of_stack->second;
  const auto of_all = file.mask_texts.find("headlight.mask");
  return is_self_attention(stack) && of_all != file.mask_texts.end() ? &of_all->second : nullptr;
}

bool is_float(DType type) {
  return type == DType::f64 || type == DType::f32 || type == DType::f16 || type == DType::bf16;
}

/// One number for each cell of the tensor: 1 may attend.
std::vector<std::uint8_t> allowed_cells(const DumpFile& file, const DumpTensor& mask, const Watch& watch) {
  const std::vector<float>& values = mask.values;
  const bool is_binary = std::all_of(values.begin(), values.end(), [](float value) { return value == 0 || value == 1; });
  const bool has_one = std::find(values.begin(), values.end(), 1.0F) != values.end();
  const bool is_added = !is_binary || (!has_one && is_float(mask.type));
  std::vector<std::uint8_t> allowed;
  allowed.reserve(values.size());
  constexpr std::size_t kCellsAtOnce = 1U << 16U;
  for (const float value : values) {
    if (allowed.size() % kCellsAtOnce == 0) watch.check();
    if (std::isnan(value) || value == std::numeric_limits<float>::infinity() || (!is_binary && !is_float(mask.type))) {
      refuse_mask(file, mask.name, "holds a number that a mask cannot have", fmt::format("{}", value),
                  "0 and 1 (1 may attend), or floats that are added to scores (-inf forbids)");
    }
    allowed.push_back(is_added ? value > kForbids : value == 1);
  }
  return allowed;
}

/// [batch, heads, query, key] of a mask of two to four axes.
std::array<std::int64_t, 4> mask_sides(const DumpFile& file, const DumpTensor& mask, const LayerMaps& maps, int batch) {
  const auto refuse_shape = [&](const char* problem) {
    refuse_mask(file, mask.name, problem, "shape " + shape_text(mask.shape),
                fmt::format("[{1}, {2}] (query, key) or [{0}, {1}, {2}] (heads, query, key)", maps.heads, maps.queries, maps.keys));
  };
  if (mask.shape.size() < 2 || mask.shape.size() > 4) refuse_shape("a mask needs two to four axes");
  std::array<std::int64_t, 4> sides = {1, 1, 1, 1};
  std::copy_backward(mask.shape.begin(), mask.shape.end(), sides.end());
  const bool is_by_item = mask.shape.size() == 3 && maps.batch > 1 && sides[1] == maps.batch && sides[1] != maps.heads;
  if (is_by_item) std::swap(sides[0], sides[1]);  // [batch, query, key]
  const bool fits = (sides[1] == 1 || sides[1] == maps.heads) && sides[2] == maps.queries && sides[3] == maps.keys;
  if (!fits) refuse_shape("the mask does not fit the maps");
  if (sides[0] != 1 && batch >= sides[0]) refuse_shape("the mask has no such item");
  if (sides[0] != 1 && maps.batch == 1) refuse_shape("the mask has several items, the maps have one");
  return sides;
}

LayerMasks masks_of_tensor(const DumpFile& file, const DumpTensor& tensor, const LayerMaps& maps, int item, const Watch& watch) {
  const std::array<std::int64_t, 4> sides = mask_sides(file, tensor, maps, item);
  const std::vector<std::uint8_t> allowed = allowed_cells(file, tensor, watch);
  const std::int64_t first_map = sides[0] == 1 ? 0 : item * sides[1];
  LayerMasks masks;
  for (std::int64_t head = 0; head < maps.heads; ++head) {
    if (head > 0 && sides[1] == 1) {
      masks.push_back(masks.front());
      continue;
    }
    Mask mask(maps.queries, maps.keys, true, watch);
    auto next = allowed.begin() + static_cast<std::ptrdiff_t>((first_map + head) * maps.queries * maps.keys);
    for (Index query = 0; query < maps.queries; ++query) {
      watch.check();
      for (Index key = 0; key < maps.keys; ++key) mask.set(query, key, *next++ != 0);
    }
    masks.push_back(std::make_shared<const Mask>(std::move(mask)));
  }
  return masks;
}

MaskContext context_of(const LayerTrace& layer) {
  const Mask& mask = layer.mask(0);
  return {mask.queries(), mask.keys(), {}, layer.given_mask.first_query};
}

Mask mask_of_text(const DumpFile& file, const std::string& text, const MaskContext& context, const Watch& watch) {
  try {
    return MaskText(text).cells(context, watch);
  } catch (const Error& refusal) {
    ErrorDetail detail = refusal.detail();
    detail.kind = ErrorKind::input;
    detail.file = file.file;
    detail.field = "headlight.mask";
    throw Error(std::move(detail));
  }
}

/// Every weight above the diagonal is exactly 0, and there is at least one.
bool looks_causal(const LayerTrace& layer, const Watch& watch) {
  const Index first = layer.given_mask.first_query;
  bool has_cell = false;
  for (const GivenMap& map : layer.given) {
    const Matrix& weights = map.weights();
    for (Index query = 0; query < weights.rows(); ++query) {
      watch.check();
      for (Index key = first + query + 1; key < weights.cols(); ++key) {
        if (weights(query, key) != 0.0F) return false;
        has_cell = true;
      }
    }
  }
  return has_cell;
}

/// The rows of each step see the keys that there were then.
Mask mask_of_steps(const DumpFile& file, const LayerMaps& maps, const Watch& watch) {
  Mask mask(maps.queries, maps.keys, true, watch);
  Index query = 0;
  for (const DumpStep& step : file.steps) {
    watch.check();
    for (std::int64_t row = 0; row < step.queries; ++row, ++query) {
      for (Index key = step.keys; key < maps.keys; ++key) mask.set(query, key, false);
    }
  }
  return mask;
}

/// Whether the rows of a map are those of the file's steps.
bool is_of_steps(const DumpFile& file, const LayerMaps& maps) {
  std::int64_t queries = 0;
  for (const DumpStep& step : file.steps) queries += step.queries;
  return !file.steps.empty() && queries == maps.queries && file.steps.back().keys == maps.keys;
}

void set_masks(LayerTrace& layer, const LayerMasks& masks) {
  for (std::size_t head = 0; head < masks.size(); ++head) layer.rules[head].mask = masks[head];
}

}  // namespace

void give_masks(LayerTrace& layer, const LayerMaps& maps, const DumpFile& file, std::optional<int> item, bool is_one_text,
                const Watch& watch) {
  GivenMask& given = layer.given_mask;
  const Stack stack = maps.place.stack;
  if (is_self_attention(stack) && is_one_text && maps.queries < maps.keys) given.first_query = maps.keys - maps.queries;
  const auto all_heads = [&](Mask mask) { return LayerMasks(layer.rules.size(), std::make_shared<const Mask>(std::move(mask))); };
  if (const DumpTensor* tensor = find_mask(file, maps.place)) {
    given.origin = GivenMask::Origin::cells;
    given.text = "of the file";
    set_masks(layer, masks_of_tensor(file, *tensor, maps, item.value_or(0), watch));
  } else if (const std::string* text = find_text(file, stack)) {
    given.origin = GivenMask::Origin::text;
    given.text = *text;
    set_masks(layer, all_heads(mask_of_text(file, *text, context_of(layer), watch)));
  } else if (is_self_attention(stack) && is_one_text && looks_causal(layer, watch)) {
    given.origin = GivenMask::Origin::assumed;
    given.text = "causal";
    set_masks(layer, all_heads(MaskText(given.text).cells(context_of(layer), watch)));
  } else if (is_self_attention(stack) && is_of_steps(file, maps)) {
    given.origin = GivenMask::Origin::cells;
    given.text = kOfSteps;
    set_masks(layer, all_heads(mask_of_steps(file, maps, watch)));
  }
  for (GivenMap& map : layer.given) {
    const auto head = static_cast<int>(&map - layer.given.data());
    map.sums.forbidden_cells = count_forbidden(map.weights(), layer.mask(head), watch);
  }
}

std::string describe_mask(const GivenMask& mask) {
  switch (mask.origin) {
    case GivenMask::Origin::text:
      return printable(mask.text, 200) + ", as the file says (headlight.mask)";
    case GivenMask::Origin::cells:
      return mask.text == kOfSteps ? "the keys that each step had" : "the file's own (array mask)";
    case GivenMask::Origin::assumed:
      return "causal assumed, because no query gives weight to a later token and the file names no mask";
    case GivenMask::Origin::edited:
      return "given instead of the file's own";
    case GivenMask::Origin::unknown:
      break;
  }
  return "none: the file names no mask, so every key counts as allowed";
}

std::shared_ptr<const LayerTrace> with_edits(std::shared_ptr<const LayerTrace> layer, int number, const MaskEdits& edits, Stack stack,
                                             const Watch& watch) {
  const MaskEdits own = edits_of_layer(edits, number, stack);
  if (own.rules.empty()) return layer;
  auto edited = std::make_shared<LayerTrace>(*layer);
  set_masks(*edited, layer_masks(own, 0, masks_of(*layer), context_of(*layer), watch));
  const bool has_text = own.rules.front().scope.kind == Scope::Kind::all && !own.rules.front().text.empty();
  if (has_text) edited->given_mask.origin = GivenMask::Origin::edited;
  for (std::size_t head = 0; head < edited->given.size(); ++head) {
    GivenMap& map = edited->given[head];
    map.sums.forbidden_cells = count_forbidden(map.weights(), *edited->rules[head].mask, watch);
  }
  return edited;
}

}  // namespace headlight

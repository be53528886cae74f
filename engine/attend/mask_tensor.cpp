#include "engine/attend/mask_tensor.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"

namespace headlight {
namespace {

enum Axis : std::uint8_t { kBatch, kHead, kQuery, kKey };
constexpr std::array<std::string_view, 4> kAxisNames = {"batch", "head", "query", "key"};

/// Below this an additive number leaves no weight in float32, however small the other scores are.
constexpr float kAsGoodAsForbidden = -1e4F;

/// One way to read a shape: what each of its axes is.
using Reading = std::vector<Axis>;

Index extent_of(const AttentionSizes& sizes, Axis axis) {
  return std::array{sizes.batch, sizes.heads, sizes.queries, sizes.keys}[axis];
}

std::string reading_text(const Reading& reading) {
  std::vector<std::string_view> names;
  for (const Axis axis : reading) names.push_back(kAxisNames[axis]);
  return fmt::format("[{}]", fmt::join(names, ", "));
}

/// Every axis has its size or 1. In [query, key, batch] the key axis must be whole (seeds S3-6).
void check_axes(const Reading& reading, const std::vector<std::int64_t>& shape, const AttentionSizes& sizes) {
  const bool is_key_whole = reading.front() == kQuery && reading.back() == kBatch;
  for (std::size_t at = 0; at < reading.size(); ++at) {
    const Axis axis = reading[at];
    const Index extent = extent_of(sizes, axis);
    const bool may_be_one = axis != kKey || !is_key_whole;
    if (shape[at] == extent || (may_be_one && shape[at] == 1)) continue;
    refuse_tensor("mask", fmt::format("the {} axis (axis {} of {}) does not fit", kAxisNames[axis], at, reading_text(reading)),
                  fmt::format("{} in {}", shape[at], shape_text(shape)),
                  fmt::format("{}{}", extent, may_be_one && extent != 1 ? " or 1" : ""),
                  reading.size() == 3 && !is_key_whole && shape[0] == sizes.heads ? "A mask per head is [1, head, query, key]" : "");
  }
}

/// A mask of two axes written in full, so that only one reading fits (seeds D3).
std::string explicit_form(Axis first, TensorLayout layout, const AttentionSizes& sizes) {
  const bool is_batch_first = layout == TensorLayout::batch_first;
  switch (first) {
    case kQuery:
      return is_batch_first ? fmt::format("[1, n_q, n_k] = [1, {}, {}] for query x key", sizes.queries, sizes.keys)
                            : fmt::format("[n_q, n_k, 1] = [{}, {}, 1] for query x key", sizes.queries, sizes.keys);
    case kBatch:
      return is_batch_first ? fmt::format("[B, 1, n_k] = [{}, 1, {}] for batch x key", sizes.batch, sizes.keys)
                            : fmt::format("[1, n_k, B] = [1, {}, {}], transposed, for batch x key", sizes.keys, sizes.batch);
    default:
      return fmt::format("[1, h, 1, n_k] = [1, {}, 1, {}] for head x key", sizes.heads, sizes.keys);
  }
}

/// Seeds D3: a mask of two axes is accepted only where one reading fits. With a first axis of 1 all readings are the same mask.
Reading read_two_axes(const std::vector<std::int64_t>& shape, TensorLayout layout, const AttentionSizes& sizes) {
  constexpr std::array<Axis, 3> kFirst = {kQuery, kBatch, kHead};
  if (shape[1] == sizes.keys && shape[0] == 1) return {kQuery, kKey};
  std::vector<std::string_view> fitting;
  std::vector<std::string> forms, possible;
  Axis only = kQuery;
  for (const Axis first : kFirst) {
    possible.push_back(fmt::format("[{}, {}] ({} x key)", extent_of(sizes, first), sizes.keys, kAxisNames[first]));
    if (shape[1] != sizes.keys || shape[0] != extent_of(sizes, first)) continue;
    fitting.push_back(first == kQuery ? "query x key" : first == kBatch ? "batch x key" : "head x key");
    forms.push_back(explicit_form(first, layout, sizes));
    only = first;
  }
  if (fitting.size() == 1) return {only, kKey};
  if (fitting.empty()) {
    refuse_tensor("mask", "a mask of two axes that fits no reading", shape_text(shape), fmt::format("{}", fmt::join(possible, ", ")));
  }
  refuse_tensor("mask", "a mask of two axes that can be read in several ways",
                fmt::format("{}, which fits {}", shape_text(shape), fmt::join(fitting, " and ")), "a shape that fits one of them",
                fmt::format("Reshape it: {}", fmt::join(forms, ", ")));
}

Reading read_shape(const std::vector<std::int64_t>& shape, TensorLayout layout, const AttentionSizes& sizes) {
  Reading reading;
  switch (shape.size()) {
    case 1:
      reading = {kKey};
      break;
    case 2:
      return read_two_axes(shape, layout, sizes);
    case 3:
      reading = layout == TensorLayout::batch_first ? Reading{kBatch, kQuery, kKey} : Reading{kQuery, kKey, kBatch};
      break;
    case 4:
      reading = {kBatch, kHead, kQuery, kKey};
      break;
    default:
      refuse_tensor("mask", "wrong number of axes", shape_text(shape), "1 to 4 axes");
  }
  check_axes(reading, shape, sizes);
  return reading;
}

/// Whole numbers from 0 to the number of keys.
void check_lengths(std::string_view name, const FloatTensor& lengths, const AttentionSizes& sizes) {
  for (std::size_t at = 0; at < lengths.values.size(); ++at) {
    const float length = lengths.values[at];
    if (length >= 0 && length <= static_cast<float>(sizes.keys) && length == std::floor(length)) continue;
    refuse_tensor(name, "not a length at " + place_text(lengths.shape, at), fmt::format("{}", length),
                  fmt::format("a whole number from 0 to the {} keys", sizes.keys));
  }
}

void check_valid_lens(const FloatTensor& lengths, const AttentionSizes& sizes) {
  using Shape = std::vector<std::int64_t>;
  if (lengths.shape != Shape{sizes.batch} && lengths.shape != Shape{sizes.batch, sizes.queries}) {
    refuse_tensor("valid_lens", "the shape does not fit", shape_text(lengths.shape),
                  fmt::format("[{}] (one per item) or [{}, {}] (one per query)", sizes.batch, sizes.batch, sizes.queries));
  }
  check_lengths("valid_lens", lengths, sizes);
}

void check_nonpad(const FloatTensor& lengths, const AttentionSizes& sizes) {
  if (lengths.shape != std::vector<std::int64_t>{sizes.batch}) {
    refuse_tensor("nonpad_kv_seqlen", "the shape does not fit", shape_text(lengths.shape), fmt::format("[{}] (one per item)", sizes.batch));
  }
  check_lengths("nonpad_kv_seqlen", lengths, sizes);
}

MaskText parse_mask_text(const std::string& text) {
  MaskText parsed(text);
  if (text.find("pair") == std::string::npos) return parsed;
  throw Error({.kind = ErrorKind::usage,
               .field = "mask",
               .problem = "`pair` needs to know the sentences, and tensors have none",
               .hint = "Compare positions instead: (q < 5 && k < 5) || (q >= 5 && k >= 5)"});
}

}  // namespace

TensorMasks::TensorMasks(MaskSources sources, TensorLayout layout, const AttentionSizes& sizes)
    : sources_(std::move(sources)), sizes_(sizes) {
  if (!sources_.text.empty()) text_ = parse_mask_text(sources_.text);
  if (sources_.valid_lens) check_valid_lens(*sources_.valid_lens, sizes_);
  if (sources_.nonpad_kv_seqlen) check_nonpad(*sources_.nonpad_kv_seqlen, sizes_);
  if (!sources_.mask) return;
  if (sources_.nonpad_kv_seqlen) pad_keys(layout);
  read_mask(layout);
  convert_mask();
}

/// ONNX's operator has its key axis last. For an axis of 1 its specification (Attention-24, attn_mask) allows both readings:
/// "broadcastable", so that it counts for all keys, and "shorter", so that it counts for the first key alone. Its reference program pads;
/// none of its test cases has such a mask. Nobody would see which reading was taken, so it is refused.
void TensorMasks::pad_keys(TensorLayout layout) {
  FloatTensor& mask = *sources_.mask;
  const bool is_key_last = mask.shape.size() != 3 || layout == TensorLayout::batch_first;
  if (mask.shape.empty() || !is_key_last) return;
  const Index given = mask.shape.back();
  if (given < 1 || given >= sizes_.keys) return;
  if (given == 1) {
    refuse_tensor("mask", "a key axis of 1 beside nonpad_kv_seqlen can be read in two ways", shape_text(mask.shape),
                  fmt::format("a last axis of 2 to {}", sizes_.keys), "Write the axis out: for all keys, or with -inf (0) after the first");
  }
  const bool is_additive = sources_.meaning == MaskMeaning::additive || (sources_.meaning == MaskMeaning::automatic && sources_.is_float);
  const float forbidden = is_additive ? -std::numeric_limits<float>::infinity() : sources_.meaning == MaskMeaning::forbid ? 1.0F : 0.0F;
  std::vector<float> padded;
  for (auto row = mask.values.begin(); row != mask.values.end(); row += given) {
    padded.insert(padded.end(), row, row + given);
    padded.insert(padded.end(), static_cast<std::size_t>(sizes_.keys - given), forbidden);
  }
  notes_.push_back(fmt::format("mask {} has {} of {} keys: the others are forbidden, as in ONNX Attention-24", shape_text(mask.shape),
                               given, sizes_.keys));
  mask.values = std::move(padded);
  mask.shape.back() = sizes_.keys;
}

void TensorMasks::read_mask(TensorLayout layout) {
  const std::vector<std::int64_t>& shape = sources_.mask->shape;
  const Reading reading = read_shape(shape, layout, sizes_);
  Index stride = 1;
  for (std::size_t at = reading.size(); at-- > 0;) {
    strides_[reading[at]] = shape[at] == 1 ? 0 : stride;
    stride *= shape[at];
  }
  notes_.push_back(fmt::format("mask {} read as {}", shape_text(shape), reading_text(reading)));
}

/// From numbers to allowed pairs, and to what is added to the scores of these.
void TensorMasks::convert_mask() {
  std::vector<float>& values = sources_.mask->values;
  MaskMeaning meaning = sources_.meaning;
  if (meaning == MaskMeaning::automatic) meaning = sources_.is_float ? MaskMeaning::additive : MaskMeaning::allow;
  const bool is_additive = meaning == MaskMeaning::additive;
  const bool is_binary = std::all_of(values.begin(), values.end(), [](float value) { return value == 0 || value == 1; });
  std::size_t forbidden = 0, added = 0, deep = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    float& value = values[at];
    const bool is_known = is_additive ? value < std::numeric_limits<float>::infinity() : value == 0 || value == 1;  // NaN is not less
    if (!is_known) {
      refuse_tensor("mask", "not a number that a mask can have, at " + place_text(sources_.mask->shape, at), fmt::format("{}", value),
                    is_additive ? "numbers to be added to the scores; -inf forbids" : "0 or 1",
                    is_additive ? "" : "Numbers to be added to the scores are an additive mask");
    }
    const bool is_allowed = is_additive ? std::isfinite(value) : (value == 1) == (meaning == MaskMeaning::allow);
    is_allowed_.push_back(is_allowed ? 1 : 0);
    if (!is_allowed) value = 0;  // so that an allowed sum never meets −∞
    forbidden += is_allowed ? 0 : 1;
    added += is_additive && value != 0 ? 1 : 0;
    deep += is_additive && value <= kAsGoodAsForbidden ? 1 : 0;
  }
  has_bias_ = added > 0;
  if (meaning == MaskMeaning::forbid) {
    notes_.push_back(fmt::format("mask converted: 1 marks forbidden pairs here, {} of {} are", forbidden, values.size()));
  }
  if (!is_additive) return;
  notes_.push_back(fmt::format("mask converted: additive, {} of {} numbers are -inf and forbid, {} others are added to the scaled scores",
                               forbidden, values.size(), added));
  if (is_binary && added > 0) {
    notes_.push_back("mask holds floats that are all 0 or 1, and they are added to the scores; if 1 means may attend, say so (allow)");
  }
  if (deep > 0) {
    notes_.push_back(
        fmt::format("mask holds {} finite numbers of {:g} or less: a row of only such numbers is not masked: its weight spreads over them",
                    deep, kAsGoodAsForbidden));
  }
}

bool TensorMasks::is_in_length(Index batch, Index query, Index key) const {
  if (sources_.valid_lens) {
    const bool is_per_query = sources_.valid_lens->shape.size() == 2;
    const Index at = is_per_query ? batch * sizes_.queries + query : batch;
    if (static_cast<float>(key) >= sources_.valid_lens->values[static_cast<std::size_t>(at)]) return false;
  }
  return !sources_.nonpad_kv_seqlen || static_cast<float>(key) < sources_.nonpad_kv_seqlen->values[static_cast<std::size_t>(batch)];
}

HeadMask TensorMasks::head_mask(Index batch, Index head) const {
  const MaskContext context{.queries = sizes_.queries, .keys = sizes_.keys, .sentences = {}};
  Index first = sources_.first_position.value_or(0);
  if (!sources_.first_position && sources_.nonpad_kv_seqlen) {
    first = static_cast<Index>(sources_.nonpad_kv_seqlen->values[static_cast<std::size_t>(batch)]) - sizes_.queries;
  }
  Mask mask(sizes_.queries, sizes_.keys, true);
  std::shared_ptr<Matrix> bias = has_bias_ ? std::make_shared<Matrix>(sizes_.queries, sizes_.keys) : nullptr;
  for (Index query = 0; query < sizes_.queries; ++query) {
    for (Index key = 0; key < sizes_.keys; ++key) {
      const auto at =
          static_cast<std::size_t>(batch * strides_[kBatch] + head * strides_[kHead] + query * strides_[kQuery] + key * strides_[kKey]);
      const bool is_allowed = (is_allowed_.empty() || is_allowed_[at] != 0) && is_in_length(batch, query, key) &&
                              (!text_ || text_->allows(first + query, key, context));
      mask.set(query, key, is_allowed);
      if (bias) (*bias)(query, key) = sources_.mask->values[at];
    }
  }
  return {std::make_shared<const Mask>(std::move(mask)), std::move(bias)};
}

std::vector<HeadMask> TensorMasks::of_item(Index batch) const {
  std::vector<HeadMask> masks;
  const bool is_per_head = strides_[kHead] != 0;
  for (Index head = 0; head < sizes_.heads; ++head) masks.push_back(head == 0 || is_per_head ? head_mask(batch, head) : masks.front());
  return masks;
}

}  // namespace headlight

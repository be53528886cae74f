// Random combinations of everything one attention layer can be asked for, and how a failing one is made small.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <string>
#include <vector>

#include "engine/attention/multi_head.h"
#include "engine/core/random.h"

namespace headlight::testing {

/// Positions that act inside attention; those of the embedding do not.
enum class CasePosition : std::uint8_t { none, rotary, rotary_interleaved, alibi, t5_causal, t5_bidirectional };
inline constexpr std::string_view kCasePositions[] = {"none", "rotary", "rotary_interleaved", "alibi", "t5_causal", "t5_bidirectional"};

/// Shapes and options; the numbers follow from them and the seed. The defaults are the smallest case.
struct AttentionCase {
  std::uint64_t seed = 1;
  int queries = 1, keys = 1;
  int d_head = 1, d_value = 1;
  int kv_heads = 1, heads_per_kv = 1;
  ScoreKind score = ScoreKind::dot;
  bool is_scaled = false;
  float temperature = 1;
  float softcap = 0;
  std::string mask = "none";   // a mask text
  int strokes = 0;             // rectangles painted over it
  int forbidden_percent = 0;   // of single cells
  int masked_rows = 0;         // rows without an allowed key
  bool has_cell_bias = false;  // one number per cell
  int minus_infinities = 0;    // cells of that bias that hold −∞
  CasePosition position = CasePosition::none;
  bool has_sink = false;
  bool operator==(const AttentionCase&) const = default;
  int heads() const { return kv_heads * heads_per_kv; }
};

inline AttentionCase random_case(std::uint64_t seed) {
  RandomStream random(seed, "case");
  const auto below = [&](std::uint64_t bound) { return static_cast<int>(random.next() % bound); };
  const auto is_one_in = [&](std::uint64_t n) { return random.next() % n == 0; };
  constexpr const char* kMasks[] = {"none",     "none",      "causal",   "window:3", "causal+window:2",
                                    "prefix:3", "padding:5", "blocks:4", "no-self",  "k <= q && k != 3"};
  constexpr float kTemperatures[] = {1, 0.25F, 0.7F, 4};
  constexpr float kSoftcaps[] = {0, 0, 1.5F, 20};
  AttentionCase one{.seed = seed};
  one.queries = 1 + below(20);
  one.keys = is_one_in(2) ? one.queries : 1 + below(20);
  one.d_head = 1 + below(16);
  one.d_value = 1 + below(12);
  one.kv_heads = 1 + below(3);
  one.heads_per_kv = 1 + below(3);
  one.score = static_cast<ScoreKind>(below(score_functions().size()));
  one.is_scaled = !is_one_in(4);
  one.temperature = kTemperatures[below(std::size(kTemperatures))];
  one.softcap = kSoftcaps[below(std::size(kSoftcaps))];
  one.mask = kMasks[below(std::size(kMasks))];
  one.strokes = is_one_in(2) ? below(4) : 0;
  one.forbidden_percent = is_one_in(2) ? below(101) : 0;
  one.masked_rows = is_one_in(4) ? below(4) : 0;
  one.has_cell_bias = is_one_in(3);
  one.minus_infinities = one.has_cell_bias && is_one_in(2) ? below(10) : 0;
  one.position = static_cast<CasePosition>(below(std::size(kCasePositions)));
  one.has_sink = is_one_in(3);
  return one;
}

/// As it can be pasted into a test: what differs from the smallest case.
inline std::string to_code(const AttentionCase& one) {
  const AttentionCase smallest;
  std::string code = fmt::format("AttentionCase{{.seed = {}", one.seed);
  const auto number = [&](const char* name, auto value, auto usual) {
    if (value != usual) code += fmt::format(", .{} = {}", name, value);
  };
  number("queries", one.queries, smallest.queries);
  number("keys", one.keys, smallest.keys);
  number("d_head", one.d_head, smallest.d_head);
  number("d_value", one.d_value, smallest.d_value);
  number("kv_heads", one.kv_heads, smallest.kv_heads);
  number("heads_per_kv", one.heads_per_kv, smallest.heads_per_kv);
  if (one.score != smallest.score) code += fmt::format(", .score = ScoreKind::{}", score_function(one.score).name);
  number("is_scaled", one.is_scaled, smallest.is_scaled);
  number("temperature", one.temperature, smallest.temperature);
  number("softcap", one.softcap, smallest.softcap);
  if (one.mask != smallest.mask) code += fmt::format(", .mask = \"{}\"", one.mask);
  number("strokes", one.strokes, smallest.strokes);
  number("forbidden_percent", one.forbidden_percent, smallest.forbidden_percent);
  number("masked_rows", one.masked_rows, smallest.masked_rows);
  number("has_cell_bias", one.has_cell_bias, smallest.has_cell_bias);
  number("minus_infinities", one.minus_infinities, smallest.minus_infinities);
  if (one.position != smallest.position) {
    code += fmt::format(", .position = CasePosition::{}", kCasePositions[static_cast<std::size_t>(one.position)]);
  }
  number("has_sink", one.has_sink, smallest.has_sink);
  return code + "}";
}

/// The cases one step smaller: an option dropped, or a number halved.
inline std::vector<AttentionCase> smaller_cases(const AttentionCase& one) {
  const AttentionCase smallest;
  std::vector<AttentionCase> smaller;
  const auto with = [&](auto member, auto value) {
    AttentionCase other = one;
    other.*member = value;
    if (!(other == one)) smaller.push_back(other);
  };
  const auto dropped = [&](auto member) { with(member, smallest.*member); };
  dropped(&AttentionCase::score);
  dropped(&AttentionCase::is_scaled);
  dropped(&AttentionCase::temperature);
  dropped(&AttentionCase::softcap);
  dropped(&AttentionCase::mask);
  dropped(&AttentionCase::has_cell_bias);
  dropped(&AttentionCase::position);
  dropped(&AttentionCase::has_sink);
  for (int AttentionCase::*count : {&AttentionCase::strokes, &AttentionCase::forbidden_percent, &AttentionCase::masked_rows,
                                    &AttentionCase::minus_infinities, &AttentionCase::kv_heads, &AttentionCase::heads_per_kv,
                                    &AttentionCase::queries, &AttentionCase::keys, &AttentionCase::d_head, &AttentionCase::d_value}) {
    dropped(count);
    with(count, std::max(smallest.*count, one.*count / 2));
    with(count, std::max(smallest.*count, one.*count - 1));
  }
  return smaller;
}

/// Takes steps to smaller cases for as long as one of them still fails.
inline AttentionCase shrink(AttentionCase failing, const std::function<bool(const AttentionCase&)>& fails) {
  for (;;) {
    const std::vector<AttentionCase> smaller = smaller_cases(failing);
    const auto next = std::find_if(smaller.begin(), smaller.end(), fails);
    if (next == smaller.end()) return failing;
    failing = *next;
  }
}

}  // namespace headlight::testing

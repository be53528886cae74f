// Other head counts on the same trained projections: what is possible, and what the result is worth.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/model/config.h"

namespace headlight {

/// Head counts of one layer after surgery.
struct HeadCounts {
  int heads = 0;
  int kv_heads = 0;         ///< as the heads read them
  int stored_kv_heads = 0;  ///< that the projections hold once they are split again: repeated (more wanted) or averaged (fewer)
  int d_head = 0;
  bool operator==(const HeadCounts&) const = default;
};

/// The head counts that a query results in. Not given: the model's own, or for other heads those that the k projection's width makes.
/// Throws Error (usage) naming the numbers and the possible ones.
HeadCounts resolve_head_counts(const ModelConfig& config, std::optional<int> heads, std::optional<int> kv_heads);

/// Why a model's projections cannot be cut into this many heads, with the numbers: the count does not divide their width, a head would be
/// narrower than what rotary positions turn (or odd), or k and v do not hold whole heads of that width. Empty: they can. No full stop.
std::string problem_of_head_count(const ModelConfig& config, int heads);

/// Legal values, in rising order.
std::vector<int> legal_head_counts(const ModelConfig& config);
std::vector<int> legal_kv_head_counts(const ModelConfig& config, std::optional<int> heads);

/// exact: computes what the model computes. approximation: close to the model, with less. what_if: another model on the same numbers, the
/// weakest claim: that of several operations together where one of them is a what-if.
enum class Worth : std::uint8_t { exact, what_if, approximation };
struct SurgeryNote {
  Worth worth = Worth::exact;
  std::string sentence;
};
/// Every operation, in one sentence, and what all of them together are worth.
SurgeryNote describe_surgery(const ModelConfig& config, const HeadCounts& counts);
/// Of heads that are switched off: their output is set to zero (Michel et al. 2019, arXiv 1905.10650).
SurgeryNote describe_switched_off(std::size_t heads);

/// k or v [tokens, stored · width] as the heads read it: repeated head by head (exact), or averaged over neighbours (Ainslie et al. 2023,
/// arXiv 2305.13245, section 2.1).
Matrix regroup(Matrix joined, const HeadCounts& counts);

}  // namespace headlight

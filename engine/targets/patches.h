// What a target becomes where one text's run takes numbers of another's, place by place: numbers that windows, figures and files share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/core/enumeration.h"
#include "engine/core/matrix.h"
#include "engine/measures/measure.h"

namespace headlight {

/// stream: what each layer reads, at each position. layer_z: z of all heads of each layer, at each position. z, pattern: of each head, at all
/// positions.
enum class PatchedPart : std::uint8_t { stream, layer_z, z, pattern };
inline constexpr Names<PatchedPart> kPatchedParts{"stream", "layer-z", "z", "pattern"};
inline constexpr const char* kPatchedPartNames = "stream, layer-z, z or pattern";
inline bool is_by_position(PatchedPart part) {
  return part == PatchedPart::stream || part == PatchedPart::layer_z;
}

/// What a study of a file knows of each place, by its ids: the change of the target, "patch-z", and over the same texts the target as it is and
/// that of their partners.
inline constexpr std::size_t kPatchChange = 0, kPatchUnpatched = 1, kPatchPartner = 2;
std::array<std::string_view, 3> patch_measures(PatchedPart part);
/// Null: there is none of this id.
const Measure* find_patch_measure(std::string_view id);
/// Whether a number of a study is what a head, or a place that is patched, does to a target.
bool is_effect(std::string_view id);
/// nullopt: the id is not that of a change by patches.
std::optional<PatchedPart> patched_part(std::string_view id);
/// Of those that every head can take, z and pattern.
inline constexpr std::string_view kPatchedHeadIds = "patch-z, patch-pattern";
std::optional<PatchedPart> find_patched_heads(std::string_view id);

struct PatchValue {
  int layer = 0;
  int head = -1;        ///< −1: what is patched by position
  Index position = -1;  ///< −1: all
  double value = 0;     ///< of the target
};

struct PatchSweep {
  double unpatched = 0, other = 0;           ///< of both runs as they are
  std::vector<PatchValue> values;            ///< by layer, then by position or head
  std::vector<std::int64_t> other_ids = {};  ///< tokens of the other text
  /// (value − unpatched) / (other − unpatched): 0 as if nothing were patched, 1 as in the other run; may lie outside. NaN where both runs give
  /// the same.
  double recovered(const PatchValue& patched) const;
  /// Numbers are equal where their bits are: so is NaN.
  bool operator==(const PatchSweep& other_sweep) const;
};

}  // namespace headlight

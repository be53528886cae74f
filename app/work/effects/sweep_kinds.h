// What a sweep puts in the place of what each head does, one head or one position at a time: a row each.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/studies/importance/patch_sweep.h"
#include "engine/targets/effect.h"

namespace headlight {

enum class SweepKind : std::uint8_t { off, mean, resample, uniform, previous, self, first, gate, z, pattern, stream, layer_z };

/// What a kind takes from elsewhere.
enum class SweepNeed : std::uint8_t { nothing, text, texts };

struct SweepRow {
  SweepKind kind;
  std::string_view name;  ///< in states and columns: that of the method of a study, where it is one
  std::string_view label;
  std::string_view title;    ///< "Each head switched off, alone"
  std::string_view outcome;  ///< of one head: "switched off"
  std::string_view help;
  SweepNeed need = SweepNeed::nothing;
  std::optional<EffectMethod> method = {};  ///< of a study
  std::optional<PatchedPart> part = {};     ///< else: what is patched from another text
  bool is_by_position() const { return part && headlight::is_by_position(*part); }
  bool is_gradient() const { return method == EffectMethod::gate; }
};
std::span<const SweepRow> sweep_rows();
const SweepRow& row_of(SweepKind kind);
/// Null: there is none of this name.
const SweepRow* find_sweep(std::string_view name);
/// The row of a method of studies.
const SweepRow& row_of(EffectMethod method);

}  // namespace headlight

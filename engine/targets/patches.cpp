#include "engine/targets/patches.h"

#include <algorithm>
#include <limits>

#include "engine/targets/same_bits.h"

namespace headlight {
namespace {

constexpr std::string_view kPatchSource = "Meng et al. 2022, arXiv 2202.05262; Zhang and Nanda 2023, arXiv 2309.16042";

constexpr Measure patch_number(std::string_view id, std::string_view title, std::string_view formula, std::string_view meaning,
                               bool is_change) {
  constexpr double kMostChange = 8, kMostTarget = 64;  // bins of quantiles end here; means have no limit
  const double most = is_change ? kMostChange : kMostTarget;
  return {.id = id,
          .title = title,
          .formula = formula,
          .meaning = meaning,
          .source = kPatchSource,
          .low = -most,
          .high = most,
          .undefined = "the target is",
          .need = MeasureNeed::target,
          .is_change = is_change};
}

constexpr Measure patch_change(std::string_view id, std::string_view title, std::string_view meaning) {
  return patch_number(id, title, "target with the patch − target", meaning, true);
}

constexpr std::array kChanges{
    // in the order of PatchedPart
    patch_change("patch-stream", "partner's stream",
                 "How the target changes when a layer reads, at one position, the stream from the partner text."),
    patch_change("patch-layer-z", "partner's z of a layer",
                 "How the target changes when all heads of a layer return, at one position, their z from the partner text."),
    patch_change("patch-z", "partner's z", "How the target changes when the head returns its z from the partner text at every position."),
    patch_change("patch-pattern", "partner's map",
                 "How the target changes when the head applies its map from the partner text to its own values.")};
static_assert(kChanges.size() == count_of<PatchedPart>());
constexpr std::array kTargets{patch_number("unpatched", "unpatched target", "target", "The target of the texts without the patch.", false),
                              patch_number("partner", "partner's target", "target of the partner",
                                           "The target of the partner texts, where the patch comes from.", false)};

}  // namespace

std::array<std::string_view, 3> patch_measures(PatchedPart part) {
  return {kChanges[static_cast<std::size_t>(part)].id, kTargets[0].id, kTargets[1].id};
}

const Measure* find_patch_measure(std::string_view id) {
  for (const Measure& measure : kChanges) {
    if (measure.id == id) return &measure;
  }
  for (const Measure& measure : kTargets) {
    if (measure.id == id) return &measure;
  }
  return nullptr;
}

bool is_effect(std::string_view id) {
  return find_effect(id) != nullptr || patched_part(id).has_value();
}

std::optional<PatchedPart> patched_part(std::string_view id) {
  for (std::size_t part = 0; part < kChanges.size(); ++part) {
    if (kChanges[part].id == id) return static_cast<PatchedPart>(part);
  }
  return std::nullopt;
}

std::optional<PatchedPart> find_patched_heads(std::string_view id) {
  const std::optional<PatchedPart> part = patched_part(id);
  return part && !is_by_position(*part) ? part : std::nullopt;
}

double PatchSweep::recovered(const PatchValue& patched) const {
  return other == unpatched ? std::numeric_limits<double>::quiet_NaN() : (patched.value - unpatched) / (other - unpatched);
}

bool PatchSweep::operator==(const PatchSweep& other_sweep) const {
  const auto is_same = [](const PatchValue& a, const PatchValue& b) {
    return a.layer == b.layer && a.head == b.head && a.position == b.position && has_same_bits(a.value, b.value);
  };
  return other_ids == other_sweep.other_ids && has_same_bits(unpatched, other_sweep.unpatched) && has_same_bits(other, other_sweep.other) &&
         std::equal(values.begin(), values.end(), other_sweep.values.begin(), other_sweep.values.end(), is_same);
}

}  // namespace headlight

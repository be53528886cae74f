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
  return patch_number(id, title, "target with the patch, less the target", meaning, true);
}

constexpr std::array kChanges{
    // in the order of PatchedPart
    patch_change("patch-stream", "stream of the partner",
                 "How the target changes when a layer reads, at one position, the stream of the partner."),
    patch_change("patch-layer-z", "z of a layer of the partner",
                 "How the target changes when all heads of a layer give, at one position, what they give in the partner."),
    patch_change("patch-z", "z of the partner",
                 "How the target changes when the head gives what it gives in the partner, at every position."),
    patch_change("patch-pattern", "map of the partner",
                 "How the target changes when the head weighs its values with its map of the partner.")};
static_assert(kChanges.size() == count_of<PatchedPart>());
constexpr std::array kTargets{
    patch_number("unpatched", "target as it is", "target", "The target of the texts as they are, without the patch.", false),
    patch_number("partner", "target of the partner", "target of the partner", "The target of the partners, which the patch is taken from.",
                 false)};

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

std::optional<PatchedPart> patched_part(std::string_view id) {
  for (std::size_t part = 0; part < kChanges.size(); ++part) {
    if (kChanges[part].id == id) return static_cast<PatchedPart>(part);
  }
  return std::nullopt;
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

#include "engine/targets/effect.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/targets/patches.h"

namespace headlight {
namespace {

constexpr double kUsualChange = 8;  // bins of quantiles end here; means have no limit

constexpr Measure change(std::string_view id, std::string_view title, std::string_view formula, std::string_view meaning,
                         std::string_view source) {
  return {.id = id,
          .title = title,
          .formula = formula,
          .meaning = meaning,
          .source = source,
          .low = -kUsualChange,
          .high = kUsualChange,
          .undefined = "the target is",
          .need = MeasureNeed::target,
          .is_change = true};
}

constexpr Measure gate_gradient() {
  Measure measure = change("gate", "gate gradient", "|d target / d xi| at xi = 1, z times xi; central difference, eps 1e-2",
                           "How strongly the target answers to a small change of the head's strength: the first-order effect of a gate.",
                           "Michel et al. 2019, arXiv 1905.10650, section 4.1: per example, the absolute value of the sum over positions");
  measure.low = 0;
  measure.high = kUnbounded;
  measure.limit = "no limit";
  return measure;
}

constexpr std::array kEffectRows{
    EffectRow{EffectMethod::zero,
              false,
              {},
              change("zero", "zero ablation", "target with z = 0, less the target", "How the target changes when the head is switched off.",
                     "Michel et al. 2019, arXiv 1905.10650")},
    EffectRow{EffectMethod::mean,
              true,
              {},
              change("mean", "mean ablation", "target with z the mean over the texts at each position, less the target",
                     "How the target changes when the head gives what it gives on average at each position, whatever the text.",
                     "metrics 6.2; Wang et al. 2022, arXiv 2211.00593")},
    EffectRow{EffectMethod::resample,
              true,
              {},
              change("resample", "resample ablation", "target with z of another text, less the target",
                     "How the target changes when the head gives what it gives on another text.",
                     "metrics 6.3; Chan et al. 2022, causal scrubbing")},
    EffectRow{EffectMethod::gate, false, {}, gate_gradient()},
    EffectRow{EffectMethod::uniform, false, InterventionKind::uniform,
              change("uniform", "even map", "target with equal weights over all allowed keys, less the target",
                     "How the target changes when the head looks at all tokens alike: what its choice of tokens is worth.",
                     "Hassid et al. 2022, arXiv 2211.03495")},
    EffectRow{
        EffectMethod::previous, false, InterventionKind::previous,
        change("previous", "previous token", "target with all weight on the token before, less the target",
               "How the target changes when the head looks at the token before, whatever it says.", "Clark et al. 2019, arXiv 1906.04341")},
    EffectRow{EffectMethod::self, false, InterventionKind::self,
              change("self", "itself", "target with all weight on the query's own token, less the target",
                     "How the target changes when every token of the head looks at itself.", "")},
    EffectRow{EffectMethod::first, false, InterventionKind::first,
              change("first", "first token", "target with all weight on the first token, less the target",
                     "How the target changes when the head looks at the first token alone, as resting heads do.",
                     "Xiao et al. 2023, arXiv 2309.17453")},
};

}  // namespace

std::span<const EffectRow> effect_rows() {
  return kEffectRows;
}

const EffectRow& effect_row(EffectMethod method) {
  return *std::find_if(kEffectRows.begin(), kEffectRows.end(), [&](const EffectRow& row) { return row.method == method; });
}

const EffectRow* find_effect(std::string_view id) {
  const auto* const row =
      std::find_if(kEffectRows.begin(), kEffectRows.end(), [&](const EffectRow& each) { return each.measure.id == id; });
  return row == kEffectRows.end() ? nullptr : row;
}

std::string effect_names() {
  std::string names;
  for (const EffectRow& row : kEffectRows)
    names.append(names.empty() ? "" : &row == &kEffectRows.back() ? " or " : ", ").append(row.measure.id);
  return names;
}

std::vector<EffectMethod> effect_methods(std::string_view ids, const std::string& option) {
  std::vector<EffectMethod> methods;
  for (std::size_t begin = 0; begin <= ids.size();) {
    const std::size_t end = std::min(ids.find(',', begin), ids.size());
    const EffectRow* const row = find_effect(ids.substr(begin, end - begin));
    if (row == nullptr) {
      throw Error({.kind = ErrorKind::usage,
                   .field = option,
                   .problem = "unknown method",
                   .found = "\"" + printable(ids.substr(begin, end - begin), 40) + "\"",
                   .expected = effect_names() + ", separated by commas"});
    }
    if (std::find(methods.begin(), methods.end(), row->method) == methods.end()) methods.push_back(row->method);
    begin = end + 1;
  }
  return methods;
}

MeasureRequest study_request(std::string_view id, const std::string& option) {
  const EffectRow* const row = find_effect(id);
  const Measure* const measure = row == nullptr ? find_patch_measure(id) : &row->measure;
  if (measure == nullptr) return any_measure_request(id, option);
  return {std::string(id), measure, {}, {}};
}

}  // namespace headlight

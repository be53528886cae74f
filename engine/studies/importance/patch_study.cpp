#include "engine/studies/importance/patch_study.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

struct Pair {
  CorpusText text, partner;
  std::string problem() const {
    if (!text.problem.empty()) return text.problem;
    if (text.is_blank()) return "the text is empty";
    if (!partner.problem.empty()) return "its partner: " + partner.problem;
    return partner.is_blank() ? "it has no partner" : "";
  }
};

/// Several texts are swept at once; how far they are, the study says.
class Cancelling final : public Progress {
 public:
  explicit Cancelling(Progress& asked) : asked_(asked) {}
  void step(double, std::string_view) override { asked_.check(); }
  void check() override { asked_.check(); }

 private:
  Progress& asked_;
};

struct Swept {
  PatchSweep sweep;
  std::string problem;
};

Swept sweep_pair(const EffectPlan& plan, const Query& query, const Pair& pair, PatchedPart part, Progress& progress) {
  if (std::string problem = pair.problem(); !problem.empty()) return {{}, std::move(problem)};
  try {
    ThreadPool alone(1);
    Cancelling cancelling(progress);
    const TokenStage tokens = plan.run().tokens_of(pair.text.asked_by(query)), other = plan.run().tokens_of(pair.partner.asked_by(query));
    return {sweep_patches(plan, tokens, other, part, alone, cancelling), {}};
  } catch (const Error& error) {
    return {{}, error.detail().problem};
  }
}

void add_sweep(PatchStudy& study, const PatchSweep& sweep) {
  study.unpatched.add(sweep.unpatched);
  study.other.add(sweep.other);
  for (const PatchValue& value : sweep.values) {
    const PatchedPlace place{.layer = value.layer, .head = value.head, .position = value.position, .change = {}, .difference = {}};
    const auto comes_before = [](const PatchedPlace& a, const PatchedPlace& b) {
      return std::tuple(a.layer, a.head, a.position) < std::tuple(b.layer, b.head, b.position);
    };
    auto at = std::lower_bound(study.places.begin(), study.places.end(), place, comes_before);
    if (at == study.places.end() || comes_before(place, *at)) at = study.places.insert(at, place);
    at->change.add(value.value - sweep.unpatched);
    at->difference.add(sweep.other - sweep.unpatched);
  }
}

}  // namespace

double PatchedPlace::recovered() const {
  return difference.sum == 0 ? std::numeric_limits<double>::quiet_NaN() : change.mean() / difference.mean();
}

PatchStudy study_patches(const EffectPlan& plan, const Query& query, CorpusReader& texts, CorpusReader& partners, PatchedPart part,
                         ThreadPool& pool, Progress& progress) {
  PatchStudy study;
  const auto at_once = static_cast<std::size_t>(4 * pool.threads());
  for (bool has_more = true; has_more;) {
    progress.step(static_cast<double>(texts.position()) / static_cast<double>(std::max<std::uint64_t>(1, texts.size())),
                  "patching each text from its partner");
    std::vector<Pair> pairs;
    for (Pair pair; pairs.size() < at_once && has_more;) {
      has_more = texts.next(pair.text) && partners.next(pair.partner);
      const bool is_no_text = pair.text.is_blank() && pair.partner.is_blank();  // an empty line
      if (has_more && !is_no_text) pairs.push_back(std::exchange(pair, {}));
    }
    std::vector<Swept> swept(pairs.size());
    pool.for_each(std::ssize(pairs), [&](Index at) {
      const auto place = static_cast<std::size_t>(at);
      swept[place] = sweep_pair(plan, query, pairs[place], part, progress);
    });
    for (std::size_t place = 0; place < pairs.size(); ++place) {
      if (swept[place].problem.empty()) add_sweep(study, swept[place].sweep);
      if (!swept[place].problem.empty()) study.skipped.push_back({pairs[place].text.line, swept[place].problem});
    }
  }
  if (!study.places.empty()) return study;
  throw Error({.kind = ErrorKind::usage,
               .field = "texts",
               .problem = study.skipped.empty() ? "the file has no texts" : "no text of the file can be patched",
               .hint = study.skipped.empty()
                           ? ""
                           : fmt::format("The first, in line {}: {}", study.skipped.front().line, study.skipped.front().problem)});
}

}  // namespace headlight

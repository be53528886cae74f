// Heads in words: by their measures.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/numbers.h"
#include "engine/explain/explain.h"
#include "engine/figure/figure_parts.h"
#include "engine/measures/head_gauge.h"
#include "engine/measures/measured_text.h"

namespace headlight {
namespace {

/// Those that name a kind of head and can be read from its map and its tokens alone, all without the first token.
const std::vector<MeasureRequest>& naming_requests() {
  static const std::vector<MeasureRequest> kNaming = [] {
    std::vector<MeasureRequest> requests;
    for (const Measure& measure : all_measures()) {
      const bool has_all = measure.need == MeasureNeed::nothing || measure.need == MeasureNeed::tokens;
      if (!measure.label.empty() && has_all && measure.of_row != nullptr)
        requests.push_back(measure_request(measure_id(measure, {}, "first-token"), "labels"));
    }
    return requests;
  }();
  return kNaming;
}

struct Named {
  const MeasureRequest* request = nullptr;
  double value = 0;
  Index rows = 0;
  double of_threshold() const { return value / request->measure->threshold; }
};

/// The measure that is highest relative to its threshold; null request: none has a value.
Named strongest(const Snapshot& run, HeadId head, const HeadMaps& maps) {
  const Encoding& keys = run.key_tokens(head.layer);
  const std::vector<Token> tokens = run.is_dump() ? told_by_texts(keys.tokens) : keys.tokens;
  const MeasuredText text(tokens, &run.query_tokens(head.layer) == &keys);
  const std::vector<MeasureRequest>& requests = naming_requests();
  const GaugePlan plan(requests, text, maps.weights.cols());
  HeadGauge gauge(plan, *maps.mask);
  gauge.add({0, maps.weights});
  Named found;
  for (std::size_t place = 0; place < requests.size(); ++place) {
    const Named named{&requests[place], gauge.value(place), gauge.rows(place)};
    if (std::isnan(named.value)) continue;
    if (found.request == nullptr || named.of_threshold() > found.of_threshold()) found = named;
  }
  return found;
}

bool are_weights(const Snapshot& run, HeadId head) {
  return !run.is_dump() || run.trace.layer(head.layer).given[static_cast<std::size_t>(head.head)].sums.are_weights();
}

}  // namespace

Explanation explain_head(const Snapshot& run, HeadId head) {
  const HeadSummary& summary = run.summary(head);
  const auto value = [&](std::string_view id) { return summary.value(id); };
  std::string text = "Head " + flow_name(run, head);
  if (!are_weights(run, head)) return {{Wording::Kind::plain, text + ": its rows are not attention weights, so no measure has a value."}};
  if (std::isnan(value("effective-tokens")))
    return {{Wording::Kind::plain, text + ": no query may look at two keys or more, so there is nothing to choose from."}};
  text += fmt::format(
      ": a query spreads its attention over {:.1f} tokens on average, and its strongest key gets {}. {} goes to the first token of the "
      "text",
      value("effective-tokens"), percent_text(value("confidence")), percent_text(value("first-token")));
  if (!std::isnan(value("previous-token")))
    text += fmt::format(" and, counted apart, {} to the token just before", percent_text(value("previous-token")));
  if (!std::isnan(value("mean-distance"))) text += fmt::format("; the keys are {:.1f} tokens away on average", value("mean-distance"));
  text += ".";
  if (std::binary_search(run.query.switched_off.begin(), run.query.switched_off.end(), head))
    text += " It is switched off: it still attends, but its output is not passed on.";
  return {{Wording::Kind::plain, text}};
}

Explanation explain_kind(const Snapshot& run, HeadId head, const HeadMaps& maps) {
  if (!are_weights(run, head) || maps.mask == nullptr) return {};
  const Named named = strongest(run, head, maps);
  if (named.request == nullptr) {
    const bool has_first_alone = run.summary(head).value("first-token") > 0.999;
    if (!has_first_alone) return {};
    return {{Wording::Kind::plain,
             "All of its attention goes to the first token. Many heads do this, so it says nothing about what kind of head it is."}};
  }
  const Measure& measure = *named.request->measure;
  const std::string counted =
      fmt::format("“{}”: {} with the first token left out (threshold {}, 1 text, {}", measure.label, weight_text(named.value),
                  measure.threshold, named.rows == 1 ? "1 query" : fmt::format("{} queries", named.rows));
  const bool is_of_kind = label_of(*named.request, named.value, 1, named.rows).has_value();
  return {{Wording::Kind::plain,
           is_of_kind ? "It may be called " + counted + ": a hint, not a finding)."
                      : "By its map alone it reaches no threshold that names a kind of head. The nearest kind is " + counted + ")."}};
}

}  // namespace headlight

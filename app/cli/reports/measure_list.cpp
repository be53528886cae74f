#include "app/cli/reports/measure_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/measures/measure_request.h"
#include "engine/measures/worked_example.h"
#include "engine/studies/study_tables.h"

namespace headlight {
namespace {

/// "0 … 1", "1 … |allowed keys|".
std::string range_text(const Measure& measure) {
  const auto end = [&](double number) { return std::isinf(number) ? std::string(measure.limit) : fmt::format("{}", number); };
  return end(measure.low) + " … " + end(measure.high);
}

/// Of the heads that have a number.
class MeanOverHeads {
 public:
  void add(double number) {
    if (std::isnan(number)) return;
    sum_ += number;
    ++heads_;
  }
  double mean() const { return heads_ == 0 ? std::nan("") : sum_ / static_cast<double>(heads_); }
  std::size_t heads() const { return heads_; }

 private:
  double sum_ = 0;
  std::size_t heads_ = 0;
};

/// "in this text: mean of 32 heads 0.273; by chance 0.204 (random-weights), 0.231 (shuffled-tokens)".
std::string numbers_in_text(const StoredStudy& measured, std::size_t request) {
  const Measure& measure = *measure_request(measured.manifest.measures[request], "--list").measure;
  MeanOverHeads own;
  std::vector<MeanOverHeads> chance(measured.manifest.nulls.size());
  for (std::size_t head = 0; head < measured.study.heads().size(); ++head) {
    own.add(measured.study.cell(0, head, request).sum.mean());
    const std::vector<NullNumbers> nulls = null_numbers_of(measured, 0, head, request);
    for (std::size_t kind = 0; kind < nulls.size(); ++kind) chance[kind].add(nulls[kind].mean);
  }
  if (own.heads() == 0) return "in this text: undefined for every head";
  std::string text =
      fmt::format("in this text: mean of {} head{} {}", own.heads(), own.heads() == 1 ? "" : "s", measure_text(measure, own.mean()));
  if (!chance.empty()) text += "; by chance";
  for (std::size_t kind = 0; kind < chance.size(); ++kind) {
    text +=
        fmt::format("{} {} ({})", kind == 0 ? "" : ",", measure_text(measure, chance[kind].mean()), name_of(measured.manifest.nulls[kind]));
  }
  return text;
}

/// The place of a measure among those that were measured; nullopt: it was not.
std::optional<std::size_t> place_of(const Measure& measure, const StoredStudy& measured) {
  const std::vector<std::string>& ids = measured.manifest.measures;
  const auto found =
      std::find_if(ids.begin(), ids.end(), [&](const std::string& id) { return measure_request(id, "--list").measure == &measure; });
  return found == ids.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - ids.begin()));
}

std::string lines_of(const Measure& measure, const StoredStudy* measured) {
  std::string text = fmt::format("{}{}\n  {}. {}\n  formula: {}\n  range: {}{}\n  undefined: {}\n  source: {}\n", measure.id,
                                 measure.example_parameter.empty() ? "" : fmt::format(":{}", measure.example_parameter), measure.title,
                                 measure.meaning, measure.formula, range_text(measure),
                                 measure.unit.empty() ? "" : fmt::format(" {}", measure.unit), measure.undefined, measure.source);
  text += fmt::format("  worked example ({}): {}\n", worked_on(measure), weight_text(measure.example, 6));
  if (!measure.label.empty()) text += fmt::format("  called \"{}\" from {} on\n", measure.label, measure.threshold);
  if (is_of_drawn_tokens(measure.need)) {
    text += fmt::format(
        "  measured on random tokens that are repeated: --measures {} without a text (with --null random-weights beside chance)\n",
        measure.id);
  } else if (measure.need == MeasureNeed::several_texts) {
    text +=
        fmt::format("  measured on all texts of a file at once: --measures {}:16 --texts FILE (with --null random-weights beside chance)\n",
                    measure.id);
  } else if (const auto place = measured == nullptr ? std::nullopt : place_of(measure, *measured)) {
    text += "  " + numbers_in_text(*measured, *place) + "\n";
  }
  return text;
}

}  // namespace

StudySettings settings_of_list(bool has_chance) {
  StudySettings settings;
  if (has_chance) settings.nulls = {NullKind::random_weights, NullKind::shuffled_tokens};
  for (const Measure& measure : all_measures()) {
    if (!needs_own_texts(measure.need))
      settings.requests.push_back(measure_request(measure_id(measure, measure.example_parameter), "--list"));
  }
  return settings;
}

std::string list_of_measures(const StoredStudy* measured) {
  std::string text = "Every measure has a worked example. " + worked_map_text() + "\n";
  if (measured != nullptr) {
    const std::int64_t tokens = measured->study.counts.tokens;
    text += fmt::format("Its numbers in this text ({} token{}, {}) are means over the heads that have one", tokens, tokens == 1 ? "" : "s",
                        printable(measured->manifest.model, 60));
    text += measured->manifest.nulls.empty()
                ? ".\nWhat chance gives is not known: maps from a file have no model that could be run again.\n"
                : ", and what chance gives them there: on the model with\n"
                  "the weights of its layers shuffled (random-weights), and on the text in another order (shuffled-tokens).\n";
  }
  text += "\n";
  for (const Measure& measure : all_measures()) text += lines_of(measure, measured);
  text +=
      "Each number of a map also leaves out the first token: previous-token-without-first-token, with the mass that is hidden beside it\n";
  if (measured == nullptr) text += "What chance gives for each of them, as a mean over heads: --list -m MODEL -t TEXT\n";
  text += "What chance gives for each head, on random weights and on shuffled tokens: --null random-weights,shuffled-tokens\n";
  return text;
}

}  // namespace headlight

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "app/work/predictions.h"
#include "engine/core/numbers.h"
#include "engine/formats/json.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;
constexpr int kMostLikeliest = 1000;

struct PredictOptions {
  explicit PredictOptions(CLI::App& command) : query(command) {
    command
        .add_option("--position", position,
                    "Which token's prediction: a number, `last` or `all`. By default, a masked\nlanguage model's masks or its last word, "
                    "else the last token")
        ->type_name("N");
    command.add_option("--top", top, "How many tokens are listed")->check(CLI::Range(1, kMostLikeliest).description(""))->type_name("N");
    add_target(command, target,
               "Also print this number of the output, and where heads, masks or scores are edited also what it was before");
    command.add_option("--format", format, "table or json")->check(CLI::IsMember({"table", "json"}).description(""))->type_name("NAME");
  }
  QueryOptions query;
  std::string position;
  int top = 10;
  std::optional<Target> target;
  std::string format = "table";
};

/// Runs of positions, each computed separately.
std::vector<PredictionSpan> spans_of(const PredictOptions& options, const Snapshot& snapshot) {
  const Index tokens = std::ssize(predicted_text(snapshot).tokens);
  const auto most = static_cast<std::size_t>(options.top);
  if (options.position == "all") return {{0, tokens, most}};
  if (options.position == "last") return {{tokens - 1, 1, most}};
  if (options.position.empty()) {
    std::vector<PredictionSpan> spans;
    for (const Index position : asked_positions(snapshot)) spans.push_back({position, 1, most});
    return spans;
  }
  Index position = 0;
  const std::string& text = options.position;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), position);
  if (failure != std::errc() || end != text.data() + text.size() || position < 0 || position >= tokens) {
    refuse_option("--position", "the text has no such position", "\"" + printable(text, 40) + "\"",
                  fmt::format("0 to {}, `last` or `all`", tokens - 1));
  }
  return {{position, 1, most}};
}

Report report_of(const LikelyToken& likely, const Tokenizer& tokenizer) {
  return {{"id", likely.id},
          {"token", tokenizer.token_of(likely.id).value_or("")},
          {"probability", likely.probability},
          {"logit", likely.logit},
          {"rank", likely.rank}};
}

Report report_of(const Prediction& prediction, const Snapshot& snapshot) {
  const Tokenizer& tokenizer = *snapshot.model->tokenizer;
  const Token& token = predicted_text(snapshot).tokens[static_cast<std::size_t>(prediction.position)];
  Report report = {{"position", prediction.position}, {"token", token.text}};
  report["entropy"] = std::isfinite(prediction.entropy) ? Report(prediction.entropy) : Report();
  report["likeliest"] = Report::array();
  for (const LikelyToken& likely : prediction.likeliest) report["likeliest"].push_back(report_of(likely, tokenizer));
  if (prediction.actual) report["actual"] = report_of(*prediction.actual, tokenizer);
  return report;
}

std::string table_of(const PredictionsFound& found) {
  const bool is_next = predicted_place(found.request.snapshot->model->config) == PredictedPlace::next;
  std::string text;
  for (std::size_t at = 0; at < found.predictions.size(); ++at) {
    const Prediction& prediction = found.predictions[at];
    text += fmt::format("{}{} {} \"{}\", ", at == 0 ? "" : "\n", is_next ? "after" : "at", prediction.position,
                        printable(found.tokens[at], 60));
    text += prediction.likeliest.empty() ? "the logits are not numbers: there is nothing to rank\n"
                                         : fmt::format("entropy {:.4f} nats\n", prediction.entropy);
    for (std::size_t rank = 0; rank < prediction.likeliest.size(); ++rank) {
      const LikelyToken& likely = prediction.likeliest[rank];
      text += fmt::format("{:4}  {:>8}  {:9.4f}  {:6}  {}\n", rank, weight_text(likely.probability, 6), likely.logit, likely.id,
                          printable(found.labels[at][rank], 60));
    }
    if (prediction.actual) {
      text += fmt::format("  {} \"{}\": {}, {}\n", is_next ? "the text continues with" : "the text has",
                          printable(found.tokens[at + (is_next ? 1 : 0)], 60), weight_text(prediction.actual->probability, 6),
                          choice_text(prediction.actual->rank));
    }
  }
  return text;
}

/// What is watched, and what it was without edits where there are some.
struct WatchedNumbers {
  Target target;
  TargetValue now;
  std::optional<TargetValue> before;
};

WatchedNumbers watched_numbers(const Target& target, const std::shared_ptr<const Snapshot>& run, Pipeline& pipeline, Progress& progress) {
  WatchedNumbers numbers{target, {}, {}};
  const Query unedited = unedited_query(run->query);
  const std::shared_ptr<const Snapshot> before = unedited == run->query ? run : pipeline.run(unedited, progress);
  numbers.now = target_of(target, *run, before.get(), pipeline.pool(), progress);
  if (before != run) numbers.before = target_of(target, *before, before.get(), pipeline.pool(), progress);
  return numbers;
}

std::string text_of(const WatchedNumbers& numbers) {
  const std::string_view unit = target_row(numbers.target.kind).unit;
  const auto text = [&](double value) { return number_text(value, 4) + (unit.empty() ? "" : " " + std::string(unit)); };
  const std::string what = printable(describe_target(numbers.target), 120);
  if (!numbers.now.reason.empty()) return fmt::format("{}: undefined. {}\n", what, numbers.now.reason);
  if (!numbers.before || !numbers.before->reason.empty()) return fmt::format("{}: {}\n", what, text(numbers.now.value));
  return fmt::format("{}: {} before the edits, {} with them, a change of {}\n", what, text(numbers.before->value), text(numbers.now.value),
                     text(numbers.now.value - numbers.before->value));
}

Report report_of(const WatchedNumbers& numbers) {
  const auto value_of = [](const TargetValue& value) { return value.reason.empty() ? Report(value.value) : Report(); };
  Report report = {{"target", to_text(numbers.target)}, {"value", value_of(numbers.now)}};
  if (!numbers.now.reason.empty()) report["reason"] = numbers.now.reason;
  if (numbers.before) report["unedited"] = value_of(*numbers.before);
  return report;
}

int run_predict(const PredictOptions& options) {
  Pipeline pipeline(options.query.threads());
  ConsoleProgress progress;
  SubjectMasks masks;
  const Document document = options.query.document(nullptr, &masks);
  const Query& query = document.query;
  print_notes(notes_on_texts(document));
  const std::shared_ptr<const Snapshot> snapshot = pipeline.run(query, progress);
  print_notes(snapshot->notices);
  print_notes(options.query.notes(*snapshot));
  if (snapshot->is_dump())
    refuse_option("-m", "maps from a file make no predictions", query.model.name, "a model with a language-model head");
  print_notes(check_masks(masks[document.focused], *snapshot));
  if (predicted_text(*snapshot).tokens.empty()) refuse_option("-t", "the text has no tokens", {}, "a text");
  std::string table;
  Report report = Report::array();
  for (const PredictionSpan& span : spans_of(options, *snapshot)) {
    const PredictionsFound found = find_predictions(snapshot, span, pipeline.pool(), progress);
    table += (table.empty() ? "" : "\n") + table_of(found);
    for (const Prediction& prediction : found.predictions) report.push_back(report_of(prediction, *snapshot));
  }
  const bool is_watched = options.target || document.target != Target{};
  if (is_watched) {
    const WatchedNumbers numbers = watched_numbers(options.target.value_or(document.target), snapshot, pipeline, progress);
    table += "\n" + text_of(numbers);
    report = {{"watched", report_of(numbers)}, {"predictions", std::move(report)}};
  }
  write_result(options.format == "table" ? table : json_text(report, 2) + "\n");
  return 0;
}

}  // namespace

void add_predict(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<PredictOptions>(command, action, run_predict);
}

}  // namespace headlight

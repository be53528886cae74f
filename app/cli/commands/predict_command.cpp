#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/target_option.h"
#include "app/cli/reports/prediction_report.h"
#include "engine/core/numbers.h"
#include "engine/formats/json.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

using Report = OrderedJson;
constexpr int kMostLikeliest = 1000;

struct PredictOptions {
  explicit PredictOptions(CLI::App& command) : query(command) {
    command
        .add_option("--position", position,
                    "Which token's prediction: a number, `last` or `all`. By default, a masked\nlanguage model's masks or its last word, "
                    "else the last token")
        ->type_name("N");
    command.add_flag("--lens", lens,
                     "Also what the model would predict if it ended after each layer (logit lens; nostalgebraist 2020).\n"
                     "The last norm and the logit head were trained on the last layer alone: earlier layers are a hint");
    command.add_option("--top", top, "How many tokens are listed")->check(CLI::Range(1, kMostLikeliest).description(""))->type_name("N");
    add_target(command, target,
               "Also print this number of the output, and where heads, masks or scores are edited also what it was before");
    command.add_option("--format", format, "table or json")->check(CLI::IsMember({"table", "json"}).description(""))->type_name("NAME");
  }
  QueryOptions query;
  std::string position;
  int top = 10;
  std::optional<Target> target;
  bool lens = false;
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

/// The run, and that of the same text without edits: the same one where there are none.
struct BothRuns {
  std::shared_ptr<const Snapshot> now, unedited;
  bool is_edited() const { return now != unedited; }
};

void add_span(const BothRuns& runs, const PredictionSpan& span, ThreadPool& pool, Progress& progress, std::string& table, Report& report) {
  const bool is_first = table.empty();
  if (!runs.is_edited()) {
    const PredictionsFound found = find_predictions(runs.now, span, pool, progress);
    table += (is_first ? "" : "\n") + prediction_table(found);
    for (const Prediction& prediction : found.predictions) report.push_back(prediction_json(prediction, *runs.now));
    return;
  }
  const ComparedPredictions found = compare_predictions(runs.now, runs.unedited, span, pool, progress);
  table += (is_first ? "" : "\n") + compared_table(found);
  for (Report& position : compared_json(found)) report.push_back(std::move(position));
}

void add_lens(const Snapshot& snapshot, PredictionSpan span, ThreadPool& pool, Progress& progress, std::string& table, Report& report) {
  constexpr std::size_t kMostBesideEachOther = 5;
  span.likeliest = std::min(span.likeliest, kMostBesideEachOther);
  const std::vector<LensLayer> layers = read_lens(snapshot, span, pool, progress);
  table += "\n" + lens_table(snapshot, layers);
  for (Report& layer : lens_json(snapshot, layers)) report.push_back(std::move(layer));
}

/// What is watched, and what it was without edits where there are some.
struct WatchedNumbers {
  Target target;
  TargetValue now;
  std::optional<TargetValue> before;
};

WatchedNumbers watched_numbers(const Target& target, const BothRuns& runs, Pipeline& pipeline, Progress& progress) {
  WatchedNumbers numbers{target, {}, {}};
  numbers.now = target_of(target, *runs.now, runs.unedited.get(), pipeline.pool(), progress);
  if (runs.is_edited()) numbers.before = target_of(target, *runs.unedited, runs.unedited.get(), pipeline.pool(), progress);
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
  announce_cost(pipeline);
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
  std::shared_ptr<const Snapshot> unedited = unedited_query(query) == query ? snapshot : pipeline.run(unedited_query(query), progress);
  std::string table;
  Report report = Report::array(), lens = Report::array();
  for (const PredictionSpan& span : spans_of(options, *snapshot)) {
    add_span({snapshot, unedited}, span, pipeline.pool(), progress, table, report);
    if (options.lens) add_lens(*snapshot, span, pipeline.pool(), progress, table, lens);
  }
  const bool is_watched = options.target || document.target != Target{};
  if (is_watched || options.lens) report = {{"predictions", std::move(report)}};
  if (options.lens) report["lens"] = std::move(lens);
  if (is_watched) {
    const WatchedNumbers numbers = watched_numbers(options.target.value_or(document.target), {snapshot, unedited}, pipeline, progress);
    table += "\n" + text_of(numbers);
    report["watched"] = report_of(numbers);
  }
  write_result(options.format == "table" ? table : json_text(report, 2) + "\n");
  return 0;
}

}  // namespace

void add_predict(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<PredictOptions>(command, action, run_predict);
}

}  // namespace headlight

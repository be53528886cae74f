#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/report_option.h"
#include "app/cli/options/target_option.h"
#include "app/cli/reports/listed_token.h"
#include "app/work/predictions.h"
#include "engine/core/numbers.h"
#include "engine/dumps/attention_dump.h"
#include "engine/figure/effects/target_words.h"
#include "engine/model/files/load_model.h"
#include "engine/pipeline/other_runs.h"
#include "engine/studies/importance/patch_report.h"

namespace headlight {
namespace {

struct PatchOptions {
  explicit PatchOptions(CLI::App& command) : query(command, QueryUse::corpus), written(command) {
    command.add_option("--from", from, "The other text, of equally many tokens, whose numbers are put in")->type_name("TEXT");
    command
        .add_option("--texts", texts,
                    "Many texts instead of -t and --from: a .csv or .jsonl in which each text has a partner. Prints the mean\n"
                    "change of the target and its standard error")
        ->type_name("FILE");
    command.add_option("--column", column, "The column of a .csv or field of a .jsonl that holds the texts; by default `text`")
        ->type_name("NAME");
    command.add_option("--from-column", from_column, "The column or field that holds their partners")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--part", part,
                    "What is put in: stream, what a layer reads, or layer-z, what all its heads give, at one position, for every\n"
                    "layer and position; z, what a head gives, or pattern, its map, for every head at all positions")
        ->check(CLI::IsMember({"stream", "layer-z", "z", "pattern"}).description(""))
        ->type_name("NAME")
        ->capture_default_str();
    add_target(command, target, "The number of the output that is watched; by default the loss of the text");
  }
  PatchedPart patched() const { return *find_patched_part(part); }
  QueryOptions query;
  std::optional<Target> target;
  std::string from, texts, column, from_column = "from", part = "stream";
  ReportOption written;
};

std::string share_text(double share) {
  return std::isnan(share) ? "–" : number_text(share, 2);
}

/// A row for each layer, a column for each position or head: the share that comes back.
template <class Value, class Share>
std::string table_of(const std::vector<Value>& values, Share share) {
  constexpr int kWidth = 8;
  const bool is_by_place = !values.empty() && values.front().head < 0;
  std::string text = fmt::format("share of the difference that comes back\n{:8}", "layer");
  std::size_t columns = 0;
  for (const Value& value : values) columns += value.layer == values.front().layer ? 1 : 0;
  for (std::size_t column = 0; column < columns; ++column)
    text += fmt::format("{:>{}}", is_by_place ? fmt::format("@{}", column) : fmt::format("head {}", column), kWidth);
  int layer = -1;
  for (const Value& value : values) {
    if (value.layer != layer) text += fmt::format("\n{:<8}", layer = value.layer);
    text += fmt::format("{:>{}}", share_text(share(value)), kWidth);
  }
  return text + '\n';
}

std::string table_of(const PatchSweep& sweep, const std::string& target, const std::vector<std::string>& tokens) {
  std::string text = fmt::format("{}: {} as it is, {} in the other text\n", printable(target, 120), number_text(sweep.unpatched, 4),
                                 number_text(sweep.other, 4));
  text += table_of(sweep.values, [&](const PatchValue& value) { return sweep.recovered(value); });
  for (std::size_t at = 0; at < tokens.size(); ++at)
    text += fmt::format("@{} {}{}", at, printable(tokens[at], 40), at + 1 < tokens.size() ? "  " : "\n");
  return text;
}

std::string table_of(const PatchStudy& study, const std::string& target) {
  return fmt::format("{}, mean of {} texts: {} as they are, {} in their partners\n", printable(target, 120), study.unpatched.count,
                     number_text(study.unpatched.mean(), 4), number_text(study.other.mean(), 4)) +
         table_of(study.places, [](const PatchedPlace& place) { return place.recovered(); });
}

void check_options(const PatchOptions& options, const Query& query) {
  if (names_attention_dump(query.model.name))
    refuse_option("-m", "maps from a file make no predictions, so no patch changes any", query.model.name,
                  "a model with a language-model head");
  if (options.texts.empty()) {
    if (query.text.empty() && query.ids.empty()) refuse_option("-t", "which text?", {}, "-t TEXT and --from TEXT, or --texts FILE");
    if (!options.column.empty()) refuse_option("--column", "this is for --texts", {}, "--texts FILE");
    if (options.from.empty()) refuse_option("--from", "which other text?", {}, "--from TEXT, or --texts FILE");
    return;
  }
  if (!options.from.empty()) refuse_option("--from", "with --texts each text has a partner of its own", {}, "--from-column NAME");
  const std::vector<std::string> columns = corpus_columns(options.texts);
  if (std::find(columns.begin(), columns.end(), options.from_column) == columns.end())
    refuse_option("--from-column", "the file has no column of this name", printable(options.from_column, 60),
                  columns.empty() ? "a table: .csv, or .jsonl" : fmt::format("one of {}", fmt::join(columns, ", ")));
}

void patch_many(const PatchOptions& options, const EffectPlan& plan, const Query& query, ThreadPool& pool, Progress& progress) {
  CorpusReader texts(options.texts, corpus_format(options.texts, options.column, false));
  CorpusReader partners(options.texts, corpus_format(options.texts, options.from_column, false));
  const PatchStudy study = study_patches(plan, query, texts, partners, options.patched(), pool, progress);
  std::vector<std::string> notes;
  for (const PatchStudy::Skipped& each : study.skipped) notes.push_back(fmt::format("line {} is left out: {}", each.line, each.problem));
  print_notes(notes);
  const std::string target = to_text(plan.target());
  options.written.write({table_of(study, target), patch_csv(study), patch_json(study, target)});
}

void patch_one(const PatchOptions& options, const EffectPlan& plan, const Query& query, ThreadPool& pool, Progress& progress) {
  const TokenStage tokens = plan.run().tokens_of(query), other = plan.run().tokens_of(query_of_other_text(query, options.from));
  const PatchSweep sweep = sweep_patches(plan, tokens, other, options.patched(), pool, progress);
  std::vector<std::string> labels;
  if (is_by_position(options.patched())) {
    for (const Token& token : tokens.encoding->tokens) labels.push_back(listed_token(*plan.model().tokenizer, token.id));
  }
  const std::string target = to_text(plan.target());
  options.written.write({table_of(sweep, target, labels), patch_csv(sweep), patch_json(sweep, target)});
}

int run_patch(const PatchOptions& options) {
  ConsoleProgress progress;
  const Document document = options.query.document();
  const Query& query = document.query;
  print_notes(notes_on_texts(document));
  check_options(options, query);
  ThreadPool pool(options.query.threads());
  OtherRuns others;
  const EffectPlan plan(load_model(query.model, progress), query, options.target.value_or(document.target), others, pool, progress);
  const auto patch = options.texts.empty() ? patch_one : patch_many;
  patch(options, plan, query, pool, progress);
  return 0;
}

}  // namespace

void add_patch(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<PatchOptions>(command, action, run_patch);
}

}  // namespace headlight

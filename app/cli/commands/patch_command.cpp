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
#include "app/cli/studies/corpus_options.h"
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
  explicit PatchOptions(CLI::App& command) : query(command, QueryUse::corpus), corpus(command), written(command, corpus.output) {
    command.get_option("--texts")->description(
        "Many texts instead of -t and --from: a .csv or .jsonl in which each text has a partner. Finds the mean\n"
        "change of the target and its standard error");
    command.get_option("--details")->group("");  // for heads
    command.get_option("-o")->description(
        "The file to write instead of printing; .csv and .json choose the format. With --texts also .study, which opens\n"
        "in the window; progress is saved next to it, and the same command resumes. With --shard .study");
    command.add_option("--from", from, "The other text, of equally many tokens, whose numbers are put in")->type_name("TEXT");
    command.add_option("--from-column", from_column, "The column or field that holds the partners")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--part", part,
                    "What is put in: stream, what a layer reads, or layer-z, what all its heads give, at one position, for every\n"
                    "layer and position; z, what a head gives, or pattern, its map, for every head at all positions")
        ->check(CLI::IsMember({"stream", "layer-z", "z", "pattern"}).description(""))
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--top", top, "With --texts: keep for every place so many texts that a patch there changes most (.study)")
        ->check(CLI::Range(0, 1000).description(""))
        ->type_name("N");
    add_target(command, target, "The number of the output that is watched; by default the loss of the text");
  }
  PatchedPart patched() const { return *kPatchedParts.find(part); }
  QueryOptions query;
  CorpusOptions corpus;
  std::optional<Target> target;
  std::string from, from_column = "from", part = "stream";
  int top = 0;
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
  return fmt::format("{}, mean of {} texts: {} as they are, {} in their partners\n", printable(target, 120), study.texts,
                     number_text(study.unpatched.mean(), 4), number_text(study.other.mean(), 4)) +
         table_of(study.places, [](const PatchedPlace& place) { return place.recovered(); });
}

void check_options(const PatchOptions& options, const Query& query) {
  const CorpusOptions& corpus = options.corpus;
  if (names_attention_dump(query.model.name))
    refuse_option("-m", "maps from a file make no predictions, so no patch changes any", query.model.name,
                  "a model with a language-model head");
  if (corpus.details) check_patch_file("patches.csv", corpus.details);
  if (corpus.texts.empty()) {
    if (query.text.empty() && query.ids.empty()) refuse_option("-t", "which text?", {}, "-t TEXT and --from TEXT, or --texts FILE");
    corpus.refuse_without_texts();
    if (corpus.is_given("--top")) refuse_option("--top", "this is for --texts", {}, "--texts FILE");
    if (corpus.is_given("--from-column")) refuse_option("--from-column", "this is for --texts", {}, "--texts FILE");
    if (options.from.empty()) refuse_option("--from", "which other text?", {}, "--from TEXT, or --texts FILE");
    return;
  }
  if (!corpus.output.empty()) check_patch_file(corpus.output, false);  // before hours of work
  if (!options.from.empty()) refuse_option("--from", "with --texts each text has a partner of its own", {}, "--from-column NAME");
  const std::vector<std::string> columns = corpus_columns(corpus.texts);
  if (std::find(columns.begin(), columns.end(), options.from_column) == columns.end())
    refuse_option("--from-column", "the file has no column of this name", printable(options.from_column, 60),
                  columns.empty() ? "a table: .csv, or .jsonl" : fmt::format("one of {}", fmt::join(columns, ", ")));
}

void write_many(const PatchOptions& options, const StoredStudy& stored) {
  const PatchStudy study = *patch_study_of(stored);
  if (study.texts == 0) {
    const std::string first = fmt::format("The first, in line {}: {}", study.skipped.front().line, study.skipped.front().reason);
    refuse_option("--texts", "no text of the file can be patched", {}, {}, first);
  }
  if (options.corpus.output.ends_with(".study")) return write_study(options.corpus.output, stored.manifest, stored.study);
  const std::string& target = stored.manifest.target;
  options.written.write({table_of(study, target), patch_csv(study), patch_json(study, target)});
}

int patch_many(const PatchOptions& options, const Query& query, const Target& target) {
  const EffectJob patches{.methods = {}, .target = target, .seed = 1, .part = options.patched(), .top = options.top};
  StudyJob job = options.corpus.printed_job(query, patches.settings(options.corpus.longest), options.query.threads());
  job.effects = patches;
  job.texts.format.partner_column = options.from_column;
  if (options.top > 0 && !options.corpus.is_shard(job) && !options.corpus.output.ends_with(".study"))
    refuse_option("--top", "a table with one line per place has no room for texts", {}, "-o FILE.study");
  return options.corpus.run(job, [&](const StoredStudy& stored) { write_many(options, stored); });
}

int patch_one(const PatchOptions& options, const Query& query, const Target& target) {
  ConsoleProgress progress;
  ThreadPool pool(options.query.threads());
  OtherRuns others;
  const EffectPlan plan(load_model(query.model, pool, progress), query, target, others, pool, progress);
  const TokenStage tokens = plan.run().tokens_of(query), other = plan.run().tokens_of(query_of_other_text(query, options.from));
  const PatchSweep sweep = sweep_patches(plan, tokens, other, options.patched(), pool, progress);
  std::vector<std::string> labels;
  if (is_by_position(options.patched())) {
    for (const Token& token : tokens.encoding->tokens) labels.push_back(listed_token(*plan.model().tokenizer, token.id));
  }
  const std::string name = to_text(plan.target());
  options.written.write({table_of(sweep, name, labels), patch_csv(sweep), patch_json(sweep, name)});
  return 0;
}

int run_patch(const PatchOptions& options) {
  const Document document = options.query.document();
  print_notes(notes_on_texts(document));
  check_options(options, document.query);
  const auto patch = options.corpus.texts.empty() ? patch_one : patch_many;
  return patch(options, document.query, options.target.value_or(document.target));
}

}  // namespace

void add_patch(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<PatchOptions>(command, action, run_patch);
}

}  // namespace headlight

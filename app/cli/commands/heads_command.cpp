#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/cli/options/which_heads.h"
#include "app/cli/studies/study_job.h"
#include "engine/core/numbers.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/replacing_file.h"
#include "engine/studies/study_tables.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// As --measures takes them, in lines that fit under it.
std::string lines_of_usual_measures() {
  constexpr std::size_t kWidth = 100;
  std::string lines;
  std::size_t begin = 0;
  for (const std::string& id : split_list(std::string(kUsualMeasures))) {
    if (!lines.empty()) lines += ',';
    if (lines.size() - begin + id.size() > kWidth) {
      lines += '\n';
      begin = lines.size();
    }
    lines += id;
  }
  return lines;
}

struct HeadsOptions {
  explicit HeadsOptions(CLI::App& command) : query(command, QueryUse::corpus), which(command), command_(command) {
    command.add_option("--texts", texts, "Many texts instead of -t: .txt (one a line), .csv or .jsonl")->type_name("FILE");
    command.add_option("--column", column, "The column of a .csv or field of a .jsonl that holds the texts; by default `text`")
        ->type_name("NAME");
    command.add_flag("--texts-are-ids", texts_are_ids, "The texts are token ids, separated by blanks or commas");
    command
        .add_option("--measures", measures,
                    "Which numbers of every head, separated by commas: ids as in --list, some with a parameter (beyond-distance:8),\n"
                    "each also -without-first-token; `all`: every one without a parameter. By default\n" +
                        lines_of_usual_measures())
        ->type_name("ID,...");
    command
        .add_option("--null", nulls,
                    "Beside every number what chance gives, and how many standard deviations the number is from it (ID.KIND and\n"
                    "ID.KIND.z): random-weights, the model with the weights of every layer shuffled, shuffled-tokens, the text\n"
                    "in another order, or both")
        ->type_name("KIND,...");
    command.add_option("--draws", draws, "How often chance is tried for -t; with --texts it is once for every text")
        ->check(CLI::Range(2, 10'000).description(""))
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--length-bins", length_bins, "Means for texts of at most so many tokens apart: 8,16,32")->type_name("N,...");
    command.add_option("--top", top, "Keep so many texts of every number of every head that have most of it (.jsonl, .sqlite)")
        ->check(CLI::Range(0, 1000).description(""))
        ->type_name("N");
    command.add_option("--longest", longest, "Texts of more tokens are listed and left out")
        ->check(CLI::PositiveNumber.description(""))
        ->type_name("N");
    command.add_flag("--details", details, "In .csv and .npy also how many texts, standard error and quantiles of each number");
    command
        .add_option("--shard", shard,
                    "Only every Nth text, from the Kth on: 3/16. Writes a .study for `headlight merge`. In a Slurm array by\n"
                    "default its own task")
        ->type_name("K/N");
    command.add_flag("--fresh", fresh, "Begin anew, whatever an earlier run left");
    command.add_flag("--list", list, "Explain all measures, and run nothing");
    command
        .add_option("-o,--output", output,
                    "The file to write: .csv, .jsonl, .npy, .sqlite, .db or .study; with --shard .study. Needed with\n"
                    "--texts; for one text CSV is printed without it. Column n: how many texts were measured")
        ->type_name("FILE");
  }

  bool is_given(const char* option) const { return command_.get_option(option)->count() > 0; }
  StudySettings settings() const;

  QueryOptions query;
  WhichOptions which;
  std::string texts, column, measures{kUsualMeasures}, nulls, length_bins, shard, output;
  bool texts_are_ids = false, details = false, fresh = false, list = false;
  int top = 0, draws = 20;
  Index longest = 4096;

 private:
  CLI::App& command_;
};

StudySettings HeadsOptions::settings() const {
  StudySettings settings{
      .requests = measure_requests(measures, "--measures"), .nulls = {}, .length_edges = {}, .top = top, .longest = longest};
  for (const std::string& name : split_list(nulls)) {
    const std::optional<NullKind> kind = null_kind(name);
    const bool is_new = kind && std::find(settings.nulls.begin(), settings.nulls.end(), *kind) == settings.nulls.end();
    if (!is_new) refuse_option("--null", "unknown kind of chance", "\"" + printable(nulls, 60) + "\"", "random-weights,shuffled-tokens");
    settings.nulls.push_back(*kind);
  }
  for (const std::string& edge : split_list(length_bins)) {
    const auto number = parse_number<Index>(edge);
    const bool is_rising = number && *number > (settings.length_edges.empty() ? 0 : settings.length_edges.back());
    if (!is_rising) refuse_option("--length-bins", "lengths must rise", "\"" + printable(length_bins, 60) + "\"", "8,16,32");
    settings.length_edges.push_back(*number);
  }
  return settings;
}

/// "0 … 1", "1 … |allowed keys|".
std::string range_text(const Measure& measure) {
  const auto end = [&](double number) { return std::isinf(number) ? std::string(measure.limit) : fmt::format("{}", number); };
  return end(measure.low) + " … " + end(measure.high);
}

std::string list_of_measures() {
  std::string text;
  for (const Measure& measure : all_measures()) {
    text += fmt::format("{}{}\n  {}. {}\n  formula: {}\n  range: {}{}\n  undefined: {}\n  source: {}\n", measure.id,
                        measure.example_parameter.empty() ? "" : fmt::format(":{}", measure.example_parameter), measure.title,
                        measure.meaning, measure.formula, range_text(measure), measure.unit.empty() ? "" : fmt::format(" {}", measure.unit),
                        measure.undefined, measure.source);
    if (!std::isnan(measure.example)) text += fmt::format("  worked example (a b a b, 4 × 4): {}\n", weight_text(measure.example, 6));
    if (!measure.label.empty()) text += fmt::format("  called \"{}\" from {} on\n", measure.label, measure.threshold);
    if (measure.need == MeasureNeed::model) {
      text += "  not for --measures: it is made of random tokens that are repeated; the engine has it (engine/studies/repeated_tokens.h)\n";
    } else if (measure.need == MeasureNeed::several_texts) {
      text += "  not for --measures: it compares maps of several texts; the engine has it (engine/analysis/content_dependence.h)\n";
    }
  }
  text += "What chance gives for each of them, on random weights and on shuffled tokens: --null random-weights,shuffled-tokens\n";
  return text;
}

/// Refuses --top and --details where the file would not show them. Without a file CSV is printed.
void check_table(const std::string& output, bool has_top, bool has_details) {
  const StudyTable table = output.empty() ? StudyTable::csv : study_table(output);
  const bool has_columns = table == StudyTable::csv || table == StudyTable::npy;
  if (has_top && has_columns)
    refuse_option("--top", "a table with one line per head has no room for texts", {}, "-o FILE.jsonl, .sqlite, .db or .study");
  if (has_details && !has_columns) refuse_option("--details", "this format always contains the details", {}, "-o FILE.csv or FILE.npy");
}

/// Before hours of work: the file can be written.
void check_output(const std::string& output) {
  std::error_code ignored;
  const fs::path path = output, folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) refuse_option("-o", "there is no such folder", printable(folder.string(), 120));
  if (fs::is_directory(path, ignored)) refuse_option("-o", "this is a folder", printable(output, 120), "a file");
}

/// Refuses to write over a file that is read. `what`: "the texts".
void check_replaces(const std::string& written, const std::string& read, const std::string& what) {
  std::error_code ignored;
  if (fs::equivalent(read, written, ignored)) refuse_option("-o", "this would replace " + what, printable(written, 120), "another file");
}

/// A shard is written as a study, whatever its name: no other program reads it as a table. And no two tasks of an array write the same file.
void check_shard_output(const std::string& output, bool is_of_slurm) {
  const std::string hint =
      is_of_slurm ? "-o part-$SLURM_ARRAY_TASK_ID.study, and then `headlight merge`" : "-o NAME.study, and then `headlight merge`";
  const std::string ending = fs::path(output).extension().string();
  for (const std::string_view table : {".csv", ".jsonl", ".npy", ".sqlite", ".db"}) {
    if (ending == table) refuse_option("-o", "a shard is written for `headlight merge`, not as a table", printable(output, 120), hint);
  }
  if (is_of_slurm && !names_slurm_task(output)) {
    refuse_option("-o", "all tasks of the Slurm array would write this file", printable(output, 120), hint);
  }
}

StudyJob job_of(const HeadsOptions& options, const Query& query) {
  for (const char* option : {"-t", "--text-file", "--ids", "--text-pair", "--decoder-text"}) {
    if (options.is_given(option)) refuse_option(option, "cannot be combined with --texts", {}, {}, "Give one or the other");
  }
  if (names_attention_dump(query.model.name)) refuse_option("--texts", "maps from a file have their own text", query.model.name, "a model");
  StudyJob job{.query = query, .settings = options.settings(), .texts = options.texts, .format = {}, .shard = {}, .state = {}};
  job.format = corpus_format(options.texts, options.column, options.texts_are_ids);
  const std::optional<Shard> slurm = options.shard.empty() ? shard_of_slurm() : std::nullopt;
  if (!options.shard.empty()) job.shard = parse_shard(options.shard);
  if (slurm) job.shard = *slurm;
  if (options.is_given("--draws")) refuse_option("--draws", "with --texts chance is tried once for every text", {}, "-t TEXT");
  if (options.output.empty()) refuse_option("-o", "give -o FILE, because a long run is kept beside it");
  check_output(options.output);
  for (const std::string& written : {options.output, options.output + ".state"}) check_replaces(written, options.texts, "the texts");
  const bool is_shard = job.shard.count > 1 || !options.shard.empty();
  if (is_shard) check_shard_output(options.output, slurm && slurm->count > 1);
  job.state = options.output + ".state";
  job.starts_anew = options.fresh;
  job.threads = options.query.threads();
  return job;
}

int run_corpus(const HeadsOptions& options, const Query& query) {
  const StudyJob job = job_of(options, query);
  const bool is_shard = job.shard.count > 1 || !options.shard.empty();
  if (!is_shard) check_table(options.output, options.top > 0, options.details);  // before hours of work
  if (is_shard && options.details) refuse_option("--details", "a shard always contains the details", {}, "`headlight merge --details`");
  JobResult result;
  {
    ConsoleProgress progress;
    result = run_job(job, progress);
  }
  if (result.was_stopped) return kStoppedStatus;  // unless the signal, which waits no longer, has ended the program
  print_notes(notes_on(result.stored.study));
  if (is_shard) {
    write_study(options.output, result.stored.manifest, result.stored.study);
  } else {
    write_study_table(options.output, result.stored, {options.details});
  }
  std::error_code ignored;
  fs::remove(job.state, ignored);
  return 0;
}

/// --which and --like rank the heads of one text, and measure nothing.
int run_which(const HeadsOptions& options, const Document& document, const SubjectMasks& masks) {
  for (const char* option : {"--texts", "--measures", "--length-bins", "--top", "--details"}) {
    if (options.is_given(option)) refuse_option(option, "--which and --like rank the heads of one text", {}, {}, "Leave one of them out");
  }
  const bool is_csv = options.output.empty() || fs::path(options.output).extension() == ".csv";
  if (!is_csv) refuse_option("-o", "a ranking is written as CSV", printable(options.output, 120), "FILE.csv");
  const std::string table = options.which.ranked(document, options.query, masks);
  if (options.output.empty()) {
    write_result(table);
    return 0;
  }
  ReplacingFile file(options.output);
  file.write(table);
  file.commit();
  return 0;
}

/// Refuses where no text is given: the model's own would be a surprise.
void require_text(const HeadsOptions& options, const Document& document) {
  const bool has_text =
      options.is_given("-t") || options.is_given("--text-file") || options.is_given("--ids") || options.is_given("--document");
  if (!has_text && !names_attention_dump(document.query.model.name)) refuse_option("-t", "which text?", {}, "-t TEXT, or --texts FILE");
}

int run_heads(const HeadsOptions& options) {
  if (options.list) {
    write_result(list_of_measures());
    return 0;
  }
  SubjectMasks masks;
  const Document document = options.query.document(nullptr, &masks);
  print_notes(notes_on_texts(document));
  if (!options.texts.empty() && !options.which.are_given()) return run_corpus(options, document.query);
  for (const char* option : {"--column", "--texts-are-ids", "--shard", "--fresh", "--longest"}) {
    if (options.is_given(option)) refuse_option(option, "this is for --texts", {}, "--texts FILE");
  }
  if (options.which.are_given()) {
    if (options.texts.empty()) require_text(options, document);
    return run_which(options, document, masks);
  }
  if (options.is_given("--draws") && options.nulls.empty()) refuse_option("--draws", "this is for --null", {}, "--null KIND");
  check_table(options.output, options.top > 0, options.details);
  require_text(options, document);
  ConsoleProgress progress;
  const StoredStudy stored = measure_one_text(document.query, options.settings(), options.query.threads(), options.draws, progress);
  if (options.output.empty()) {
    write_result(study_csv(stored, {options.details}));
  } else {
    write_study_table(options.output, stored, {options.details});
  }
  return 0;
}

struct MergeOptions {
  explicit MergeOptions(CLI::App& command) {
    command.add_option("shards", shards, "The files that `headlight heads --shard` wrote, all of them")->required()->type_name("SHARD...");
    command.add_option("-o,--output", output, "The file to write: .csv, .jsonl, .npy, .sqlite, .db or .study")
        ->required()
        ->type_name("FILE");
    command.add_flag("--details", details, "In .csv and .npy also how many texts, standard error and quantiles of each number");
  }
  std::vector<std::string> shards;
  std::string output;
  bool details = false;
};

int run_merge(const MergeOptions& options) {
  check_table(options.output, false, options.details);
  check_output(options.output);
  for (const std::string& shard : options.shards) check_replaces(options.output, shard, "a shard");
  ConsoleProgress progress;
  const StoredStudy merged = merge_studies({options.shards.begin(), options.shards.end()}, progress);
  print_notes(notes_on(merged.study));
  write_study_table(options.output, merged, {options.details});
  return 0;
}

}  // namespace

void add_heads(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<HeadsOptions>(command, action, run_heads);
}

void add_merge(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<MergeOptions>(command, action, run_merge);
}

}  // namespace headlight

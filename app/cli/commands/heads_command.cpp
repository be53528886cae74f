#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/options/repeated.h"
#include "app/cli/options/which_heads.h"
#include "app/cli/reports/measure_list.h"
#include "app/cli/studies/corpus_options.h"
#include "app/cli/studies/study_job.h"
#include "engine/core/numbers.h"
#include "engine/dumps/attention_dump.h"
#include "engine/studies/importance/patch_report.h"
#include "engine/studies/own_texts/own_text_measures.h"
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
  explicit HeadsOptions(CLI::App& command) : query(command, QueryUse::corpus), which(command), corpus(command) {
    command
        .add_option("--measures", measures,
                    "Which numbers of every head, separated by commas: ids as in --list, some with a parameter (beyond-distance:8),\n"
                    "each also -without-first-token; `all`: every one without a parameter. prefix-matching,copying-score (25\n"
                    "random tokens, four times), induction-offset,induction-loss (50, twice) and content-dependence:N (--texts)\n"
                    "each need texts of their own, on which the others are then measured, too. By default\n" +
                        lines_of_usual_measures())
        ->type_name("ID,...");
    command
        .add_option("--null", nulls,
                    "Beside every number what chance gives, and how many standard deviations the number is from it (ID.KIND and\n"
                    "ID.KIND.z): random-weights, the model with the weights of every layer shuffled, shuffled-tokens, the text\n"
                    "in another order, or both")
        ->type_name("KIND,...");
    command
        .add_option("--draws", draws,
                    "How often chance is tried for -t (with --texts it is once for every text), or random tokens are drawn (then 4\n"
                    "without --null)")
        ->check(CLI::Range(2, 10'000).description(""))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--length-bins", length_bins,
                    "Means for texts of at most so many tokens apart: 8,16,32. A head then has a row for each bin (length_from to\n"
                    "length tokens), and one for all texts (length_from 1, no length)")
        ->type_name("N,...");
    command.add_option("--top", top, "Keep so many texts of every number of every head that have most of it (.jsonl, .sqlite)")
        ->check(CLI::Range(0, 1000).description(""))
        ->type_name("N");
    command.add_flag("--list", list, "Explain all measures; with -m and -t also what they are in this text, beside chance");
  }

  StudySettings settings() const;
  std::vector<Index> length_edges() const;

  QueryOptions query;
  WhichOptions which;
  CorpusOptions corpus;
  std::string measures{kUsualMeasures}, nulls, length_bins;
  bool list = false;
  int top = 0, draws = kDrawsBesideChance;
};

StudySettings HeadsOptions::settings() const {
  StudySettings settings{
      .requests = any_measure_requests(measures, "--measures"), .nulls = {}, .length_edges = {}, .top = top, .longest = corpus.longest};
  for (const std::string& name : split_list(nulls)) {
    const std::optional<NullKind> kind = null_kind(name);
    const bool is_new = kind && std::find(settings.nulls.begin(), settings.nulls.end(), *kind) == settings.nulls.end();
    if (!is_new) refuse_option("--null", "unknown kind of chance", "\"" + printable(nulls, 60) + "\"", "random-weights,shuffled-tokens");
    settings.nulls.push_back(*kind);
  }
  if (corpus.is_given("--length-bins")) settings.length_edges = length_edges();
  return settings;
}

std::vector<Index> HeadsOptions::length_edges() const {
  constexpr std::size_t kMostBins = 64;  // each of them keeps a histogram of every number of every head
  const auto refuse = [&](const std::string& problem) {
    refuse_option("--length-bins", problem, "\"" + printable(length_bins, 60) + "\"", "8,16,32");
  };
  std::vector<Index> edges;
  for (const std::string& edge : split_list(length_bins)) {
    const auto number = parse_number<Index>(edge);
    if (!number) refuse("lengths are whole numbers of tokens");
    if (*number <= (edges.empty() ? 0 : edges.back())) refuse("lengths must rise");
    if (*number > corpus.longest) refuse(fmt::format("texts of more than {} tokens are left out (--longest)", corpus.longest));
    edges.push_back(*number);
  }
  if (edges.empty()) refuse("which lengths?");
  if (edges.size() > kMostBins) refuse(fmt::format("there can be {} bins", kMostBins));
  return edges;
}

/// Of the text where there is one, beside chance.
int run_list(const HeadsOptions& options) {
  const CorpusOptions& corpus = options.corpus;
  if (corpus.is_given("--texts")) refuse_option("--texts", "--list measures one text", {}, "-t TEXT");
  for (const char* option : {"--measures", "--null", "--length-bins", "--top", "--details", "--which", "--like", "--column",
                             "--texts-are-ids", "--longest", "--shard", "--fresh"}) {
    if (corpus.is_given(option))
      refuse_option(option, "--list explains every measure, with what chance gives", {}, {}, "Leave one of them out");
  }
  const bool has_text =
      corpus.is_given("-t") || corpus.is_given("--text-file") || corpus.is_given("--ids") || corpus.is_given("--document");
  const Document document = has_text || corpus.is_given("-m") ? options.query.document(nullptr) : Document();
  const bool is_of_maps = names_attention_dump(document.query.model.name);  // which are of a text of their own, and have no chance
  if (!has_text && !is_of_maps) {
    write_result(list_of_measures(nullptr), corpus.output);
    return 0;
  }
  print_notes(notes_on_texts(document));
  corpus.require_text(document.query);
  if (is_of_maps && corpus.is_given("--draws")) refuse_option("--draws", "maps from a file have no model to draw chance from");
  ConsoleProgress progress;
  const StoredStudy measured =
      measure_one_text(document.query, settings_of_list(!is_of_maps), options.query.threads(), options.draws, progress);
  write_result(list_of_measures(&measured), corpus.output);
  return 0;
}

int run_corpus(const HeadsOptions& options, const Query& query, const StudySettings& settings) {
  const CorpusOptions& corpus = options.corpus;
  const StudyJob job = corpus.job(query, settings, options.query.threads());
  if (corpus.is_given("--draws")) refuse_option("--draws", "with --texts chance is tried once for every text", {}, "-t TEXT");
  if (!corpus.is_shard(job)) check_top(corpus.output, options.top > 0);
  return corpus.run(job);
}

/// --which and --like rank the heads of one text, and measure nothing.
int run_which(const HeadsOptions& options, const Document& document, const SubjectMasks& masks) {
  for (const char* option : {"--texts", "--measures", "--length-bins", "--top", "--details", "--null", "--draws"}) {
    if (options.corpus.is_given(option))
      refuse_option(option, "--which and --like rank the heads of one text", {}, {}, "Leave one of them out");
  }
  const bool is_csv = options.corpus.output.empty() || fs::path(options.corpus.output).extension() == ".csv";
  if (!is_csv) refuse_option("-o", "a ranking is written as CSV", printable(options.corpus.output, 120), "FILE.csv");
  const std::string table = options.which.ranked(document, options.query, masks);
  write_result(table, options.corpus.output);
  return 0;
}

/// Of random tokens, which are as many texts as draws.
int run_drawn(const HeadsOptions& options, const Query& query, const StudySettings& settings) {
  if (options.corpus.is_given("--length-bins")) refuse_option("--length-bins", "all draws of random tokens have one length");
  const int draws = options.corpus.is_given("--draws") ? options.draws : usual_draws(settings);
  const StudyJob job = options.corpus.drawn_job(query, settings, draws, options.query.threads());
  if (!options.corpus.is_shard(job)) check_top(options.corpus.output, options.top > 0);
  return options.corpus.run(job);
}

int run_heads(const HeadsOptions& options) {
  if (options.list) return run_list(options);
  SubjectMasks masks;
  const Document document = options.query.document(nullptr, &masks);
  if (options.which.are_given()) {
    print_notes(notes_on_texts(document));
    options.corpus.refuse_without_texts();
    if (options.corpus.texts.empty()) options.corpus.require_text(document.query);
    return run_which(options, document, masks);
  }
  const StudySettings settings = options.settings();
  const MeasureNeed need = texts_need(settings.requests, "--measures");
  if (is_of_drawn_tokens(need)) return run_drawn(options, document.query, settings);
  if (need == MeasureNeed::several_texts && options.corpus.texts.empty())
    refuse_option("--texts", "this measure compares the maps of several texts", {}, "--texts FILE");
  print_notes(notes_on_texts(document));
  if (!options.corpus.texts.empty()) return run_corpus(options, document.query, settings);
  options.corpus.refuse_without_texts();
  if (options.corpus.is_given("--draws") && options.nulls.empty()) refuse_option("--draws", "this is for --null", {}, "--null KIND");
  check_top(options.corpus.output, options.top > 0);
  check_details(options.corpus.output, options.corpus.details);
  options.corpus.require_text(document.query);
  ConsoleProgress progress;
  const StoredStudy stored = measure_one_text(document.query, settings, options.query.threads(), options.draws, progress);
  options.corpus.write(stored);
  return 0;
}

struct MergeOptions {
  explicit MergeOptions(CLI::App& command) {
    command.add_option("shards", shards, "The files that `--shard` wrote, all of them")->required()->type_name("SHARD...");
    command
        .add_option("-o,--output", output,
                    "The file to write: .csv, .jsonl, .npy, .sqlite, .db or .study; of patches .csv, .json or .study")
        ->required()
        ->type_name("FILE");
    command.add_flag("--details", details,
                     "In .csv and .npy also how many texts, standard error and quantiles (read from 256 bins) of each number");
  }
  std::vector<std::string> shards;
  std::string output;
  bool details = false;
};

int run_merge(const MergeOptions& options) {
  if (!options.output.ends_with(".json")) check_details(options.output, options.details);  // patches are written as that, too
  check_output(options.output);
  for (const std::string& shard : options.shards) check_replaces(options.output, shard, "a shard");
  ConsoleProgress progress;
  const StoredStudy merged = merge_studies({options.shards.begin(), options.shards.end()}, progress);
  print_notes(notes_on(merged.study));
  write_found(options.output, merged, {options.details});
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

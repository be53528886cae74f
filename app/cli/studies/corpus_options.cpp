#include "app/cli/studies/corpus_options.h"

#include <filesystem>

#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/work/corpora/empty_corpus.h"
#include "engine/dumps/attention_dump.h"

namespace headlight {

namespace fs = std::filesystem;

void check_output(const std::string& output) {
  std::error_code ignored;
  const fs::path path = output, folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) refuse_option("-o", "there is no such folder", printable(folder.string(), 120));
  if (fs::is_directory(path, ignored)) refuse_option("-o", "this is a folder", printable(output, 120), "a file");
}

void check_replaces(const std::string& written, const std::string& read, const std::string& what) {
  std::error_code ignored;
  if (fs::equivalent(read, written, ignored)) refuse_option("-o", "this would replace " + what, printable(written, 120), "another file");
}

void check_details(const std::string& output, bool has_details) {
  const StudyTable table = output.empty() ? StudyTable::csv : study_table(output);
  const bool has_columns = table == StudyTable::csv || table == StudyTable::npy;
  if (has_details && !has_columns) refuse_option("--details", "this format always contains the details", {}, "-o FILE.csv or FILE.npy");
}

void check_top(const std::string& output, bool has_top) {
  const StudyTable table = output.empty() ? StudyTable::csv : study_table(output);
  const bool has_columns = table == StudyTable::csv || table == StudyTable::npy;
  if (has_top && has_columns)
    refuse_option("--top", "a table with one line per head has no room for texts", {}, "-o FILE.jsonl, .sqlite, .db or .study");
}

void refuse_text_beside_texts(const CLI::App& command) {
  for (const char* option : {"-t", "--text-file", "--ids", "--text-pair", "--decoder-text"}) {
    if (command.get_option(option)->count() > 0) refuse_option(option, "cannot be combined with --texts", {}, {}, "Give one or the other");
  }
}

namespace {

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

}  // namespace

CorpusOptions::CorpusOptions(CLI::App& command) : command_(command) {
  command.add_option("--texts", texts, "Many texts instead of -t: .txt (one a line), .csv or .jsonl")->type_name("FILE");
  command
      .add_option("--column", column,
                  "The column of a .csv or field of a .jsonl that holds the texts; by default `text`, in a .jsonl else `ids`")
      ->type_name("NAME");
  command.add_flag("--texts-are-ids", texts_are_ids, "The texts are token ids, separated by blanks or commas");
  command.add_option("--longest", longest, "Texts of more tokens are listed and left out")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40U).description(""))
      ->type_name("N");
  command.add_flag("--details", details,
                   "In .csv and .npy also how many texts, standard error and quantiles (read from 256 bins) of each number");
  command
      .add_option("--shard", shard,
                  "Only every Nth text, from the Kth on: 3/16. Writes a .study for `headlight merge`. In a Slurm array by\n"
                  "default its own task")
      ->type_name("K/N");
  command.add_flag("--fresh", fresh, "Begin anew, whatever an earlier run left");
  command
      .add_option("-o,--output", output,
                  "The file to write: .csv, .jsonl, .npy, .sqlite, .db or .study; with --shard .study. Needed with\n"
                  "--texts; for one text CSV is printed without it. Column n: how many texts were measured")
      ->type_name("FILE");
}

StudyJob CorpusOptions::job(const Query& query, StudySettings settings, int threads) const {
  if (output.empty()) refuse_option("-o", "give -o FILE, because a long run is kept beside it");
  return printed_job(query, std::move(settings), threads);
}

StudyJob CorpusOptions::printed_job(const Query& query, StudySettings settings, int threads) const {
  refuse_text_beside_texts(command_);
  if (names_attention_dump(query.model.name)) refuse_option("--texts", "maps from a file have their own text", query.model.name, "a model");
  StudyJob job{.query = query, .settings = std::move(settings), .texts = {texts}, .shard = {}, .state = {}, .threads = threads};
  job.texts.format = corpus_format(texts, column, texts_are_ids);
  place_if_kept(job);
  if (output.empty()) return job;
  for (const std::string& written : {output, output + ".state"}) check_replaces(written, texts, "the texts");
  return job;
}

StudyJob CorpusOptions::drawn_job(const Query& query, StudySettings settings, int draws, int threads) const {
  for (const char* option :
       {"-t", "--text-file", "--ids", "--text-pair", "--decoder-text", "--texts", "--column", "--texts-are-ids", "--longest"}) {
    if (is_given(option)) refuse_option(option, "these measures are made of random tokens that are repeated", {}, {}, "Leave it out");
  }
  if (names_attention_dump(query.model.name))
    refuse_option("--measures", "maps from a file have no model that could read random tokens", query.model.name, "a model");
  StudyJob job{
      .query = query, .settings = std::move(settings), .texts = {.file = {}, .draws = draws}, .shard = {}, .state = {}, .threads = threads};
  place_if_kept(job);
  return job;
}

void CorpusOptions::place_if_kept(StudyJob& job) const {
  const bool is_kept = !shard.empty() || fresh;
  if (is_kept && output.empty()) refuse_option(shard.empty() ? "--fresh" : "--shard", "this is for a file", {}, "-o FILE");
  if (!output.empty()) place(job);
}

/// Which part of the texts, and where it is written.
void CorpusOptions::place(StudyJob& job) const {
  const std::optional<Shard> slurm = shard.empty() ? shard_of_slurm() : std::nullopt;
  if (!shard.empty()) job.shard = parse_shard(shard);
  if (slurm) job.shard = *slurm;
  check_output(output);
  if (is_shard(job)) check_shard_output(output, slurm && slurm->count > 1);
  job.state = output + ".state";
  if (output.ends_with(".study")) job.begun = output;
  job.starts_anew = fresh;
}

int CorpusOptions::run(const StudyJob& job) const {
  if (!is_shard(job)) check_details(output, details);  // before hours of work
  return run(job, [this](const StoredStudy& stored) { write(stored); });
}

int CorpusOptions::run(const StudyJob& job, const std::function<void(const StoredStudy&)>& write_whole) const {
  if (is_shard(job) && details) refuse_option("--details", "a shard always contains the details", {}, "`headlight merge --details`");
  JobResult result;
  {
    ConsoleProgress progress;
    result = run_job(job, progress);
    if (result.was_stopped) progress.give_up();
  }
  const CorpusStudy& study = result.stored.study;
  const bool is_empty = !result.was_stopped && study.texts() == 0 && study.counts.bad == 0;
  if (is_empty && !is_shard(job)) {  // a shard of few texts may have none
    refuse_no_texts(texts);
  }
  if (result.was_stopped) return kStoppedStatus;  // unless the signal, which waits no longer, has ended the program
  print_notes(notes_on(result.stored.study));
  if (job.effects && !job.effects->part) print_notes(notes_on_ranks(result.stored));
  if (is_shard(job)) {
    write_study(output, result.stored.manifest, result.stored.study);
  } else {
    write_whole(result.stored);
  }
  std::error_code ignored;
  if (!job.state.empty()) fs::remove(job.state, ignored);
  return 0;
}

void CorpusOptions::refuse_without_texts() const {
  for (const char* option : {"--column", "--texts-are-ids", "--shard", "--fresh", "--longest"}) {
    if (is_given(option)) refuse_option(option, "this is for --texts", {}, "--texts FILE");
  }
}

void CorpusOptions::require_text(const Query& query) const {
  const bool has_text = is_given("-t") || is_given("--text-file") || is_given("--ids") || is_given("--document");
  const bool has_own_text = names_attention_dump(query.model.name);
  for (const char* option : {"-t", "--text-file", "--ids"}) {
    if (has_own_text && is_given(option)) refuse_option(option, "maps from a file have their own text", {}, {}, "Leave it out");
  }
  if (has_own_text) return;
  if (!has_text) refuse_option("-t", "which text?", {}, "-t TEXT, or --texts FILE");
  if (query.text.empty() && query.ids.empty()) refuse_option("-t", "this text is empty", {}, "-t TEXT, or --texts FILE");
}

void CorpusOptions::write(const StoredStudy& stored) const {
  if (output.empty()) {
    write_result(study_csv(stored, {details}));
  } else {
    write_study_table(output, stored, {details});
  }
}

}  // namespace headlight

// A study as the command line runs it: the model is opened once, what is found is kept in a file beside the result, and a run that was stopped
// goes on from there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/work/corpora/text_numbers.h"
#include "engine/core/parallel.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/study_file.h"
#include "engine/studies/study_run.h"

namespace headlight {

/// Which part of a corpus: "3/16", or what a Slurm array says: SLURM_ARRAY_TASK_ID − SLURM_ARRAY_TASK_MIN + 1 of SLURM_ARRAY_TASK_COUNT; in steps of
/// SLURM_ARRAY_TASK_STEP where those of the array are larger than 1.
struct Shard {
  int number = 1, count = 1;
};
/// "K/N" with K from 1. Throws Error (usage).
Shard parse_shard(const std::string& text);
/// Whether a file's name holds the task's number of a Slurm array, so that no other task writes the same file: "part-3.study" or "003/out" of
/// task 3.
bool names_slurm_task(const std::filesystem::path& path);
/// nullopt outside a Slurm array. Throws Error (usage) for variables that make no sense together.
std::optional<Shard> shard_of_slurm();

struct StudyJob {
  Query query;  ///< model and edits
  StudySettings settings;
  StudyTexts texts = {};
  Shard shard;
  std::filesystem::path state;       ///< where the study is kept while it runs; removed at the end; empty: it is not kept
  std::filesystem::path begun = {};  ///< a study that the window may have left unfinished there; empty: none
  bool starts_anew = false;          ///< whatever these hold
  int threads = 0;
  std::optional<EffectJob> effects = {};
};

struct JobResult {
  StoredStudy stored;
  bool was_stopped = false;  ///< by a signal: the state file holds what was found
};

/// Runs a study, or goes on with it. Throws Error: usage where `state` is of another study, input for model and texts that cannot be read.
JobResult run_job(const StudyJob& job, Progress& progress);
/// One text, given by the query: a study of one. `draws`: of each kind of chance that the settings ask for.
StoredStudy measure_one_text(const Query& query, const StudySettings& settings, int threads, int draws, Progress& progress);

/// Effects of the heads of one text. `over`: the texts that means and other z are taken from; empty where no method needs them.
StoredStudy effects_of_one_text(const Query& query, const EffectJob& effects, const std::filesystem::path& over, const CorpusFormat& format,
                                int threads, Progress& progress);

/// How alike the methods of a study of effects rank the heads by how much they change: a sentence for each pair; none of one method.
std::vector<std::string> notes_on_ranks(const StoredStudy& stored);

/// Notes of what was left out: bad lines by number, cut texts; and of texts that are longer than the model was made for.
std::vector<std::string> notes_on(const CorpusStudy& study);

}  // namespace headlight

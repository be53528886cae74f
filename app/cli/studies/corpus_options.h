// Options of the commands that find numbers of all heads over a file of texts, in shards: `heads`, `importance` and `patch`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "app/cli/studies/study_job.h"
#include "engine/studies/study_tables.h"

namespace headlight {

/// Before hours of work: the file can be written. Throws Error (usage).
void check_output(const std::string& output);
/// Refuses to write over a file that is read. `what`: "the texts".
void check_replaces(const std::string& written, const std::string& read, const std::string& what);
/// Refuses --details where the file would not show them. Without a file CSV is printed.
void check_details(const std::string& output, bool has_details);

/// Refuses --top where the file would not show the texts that are kept. Without a file CSV is printed.
void check_top(const std::string& output, bool has_top);

/// Refuses a text of its own where --texts gives many: it would be silently ignored.
void refuse_text_beside_texts(const CLI::App& command);

/// --texts, --column, --texts-are-ids, --longest, --details, --shard, --fresh and -o.
class CorpusOptions {
 public:
  explicit CorpusOptions(CLI::App& command);
  bool is_given(const char* option) const { return command_.get_option(option)->count() > 0; }
  bool is_shard(const StudyJob& job) const { return job.shard.count > 1 || !shard.empty(); }
  /// The study that the options describe; `settings` and what it measures are its own. Throws Error (usage) for options that contradict.
  StudyJob job(const Query& query, StudySettings settings, int threads) const;
  /// The same, without -o, where what is found is printed and not kept.
  StudyJob printed_job(const Query& query, StudySettings settings, int threads) const;
  /// The same on random tokens that are drawn, without a file of texts; -o may be left out.
  StudyJob drawn_job(const Query& query, StudySettings settings, int draws, int threads) const;
  /// Runs it and writes what it found, a whole one as `write_whole` does. Returns the exit status.
  int run(const StudyJob& job, const std::function<void(const StoredStudy&)>& write_whole) const;
  int run(const StudyJob& job) const;
  /// Refuses what is for --texts where there are none.
  void refuse_without_texts() const;
  /// Refuses where no text is given: the model's own would be a surprise.
  void require_text(const Query& query) const;
  /// Prints one text's numbers as CSV, or writes them.
  void write(const StoredStudy& stored) const;

  std::string texts, column, shard, output;
  bool texts_are_ids = false, details = false, fresh = false;
  Index longest = 4096;

 private:
  void place(StudyJob& job) const;
  void place_if_kept(StudyJob& job) const;

  CLI::App& command_;
};

}  // namespace headlight

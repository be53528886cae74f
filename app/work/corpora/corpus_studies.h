// Corpora in the window: one is measured beside the pictures, or was opened from a file; and what a person does with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/work/compute/worker.h"
#include "app/work/corpora/corpus_run.h"

namespace headlight {

/// How far the shown corpus is.
enum class CorpusState : std::uint8_t {
  none,     ///< there is none
  waiting,  ///< for a picture, or for its turn
  running,
  paused,
  stopped,  ///< before its end
  finished,
  refused,  ///< MeasuredCorpus::problem says why
};

/// Thread contract: the UI thread only; nothing waits for a computation.
class CorpusStudies {
 public:
  explicit CorpusStudies(Worker& worker);
  /// The program ends: what the run found is written to its file, by the desk, which is waited for when the worker goes.
  ~CorpusStudies();
  CorpusStudies(const CorpusStudies&) = delete;
  CorpusStudies& operator=(const CorpusStudies&) = delete;

  /// Measures a corpus. What was shown before is let go, and stays in its file.
  void start(CorpusRequest request);
  void pause();
  /// After a pause, or where a run was stopped.
  void go_on();
  /// Ends the run. What was found stays, and is written to its file.
  void stop();
  /// Begins the last request anew, in place of what its file holds.
  void start_replacing();
  /// Shows what a file holds: of a whole run, of one that was stopped, or of a shard. Until it is read, what is shown stays; if it cannot
  /// be read, for good.
  void open(const std::filesystem::path& file);
  /// Writes what is shown, or another study, by the ending of the name a study or a table (study_tables.h).
  void save(std::shared_ptr<const StoredStudy> stored, const std::filesystem::path& file, bool has_details);
  /// Stops what runs and shows nothing.
  void close();

  /// Call it every frame, before what it says is asked for.
  void update();
  CorpusState state() const { return state_; }
  bool is_under_way() const { return state_ == CorpusState::waiting || state_ == CorpusState::running || state_ == CorpusState::paused; }
  /// null: nothing is found yet, or there is no corpus.
  const std::shared_ptr<const MeasuredCorpus>& shown() const { return shown_; }
  /// Of the one that is measured or was; null: what is shown was opened from a file.
  const CorpusRequest* request() const { return request_ ? &*request_ : nullptr; }
  /// What is done now, in words; empty: nothing.
  std::string step() const { return run_.status().step; }
  double done() const { return run_.status().done; }                                 ///< 0…1 of one that is under way
  std::optional<double> seconds_left() const { return run_.status().seconds_left; }  ///< of computing; none: too early to say
  bool can_go_on() const { return state_ == CorpusState::paused || (state_ == CorpusState::stopped && request_); }
  /// Why a file was not read or written, since the last call; empty: nothing went wrong.
  std::string take_problem() { return std::exchange(problem_, {}); }
  /// What was done as a person asked, since the last call: "Saved as …"; empty: nothing.
  std::string take_done() { return std::exchange(done_, {}); }
  std::uint64_t opened() const { return times_opened_; }  ///< how often a file was read and is shown

 private:
  struct OpenRequest {
    std::filesystem::path file;
  };
  struct SaveRequest {
    std::shared_ptr<const StoredStudy> stored;
    std::filesystem::path file;
    bool is_table = false;  ///< by its ending; else a study, whatever it is called
    bool has_details = false;
  };
  struct Saved {
    std::shared_ptr<const StoredStudy> stored;
    std::filesystem::path file;
    bool is_study = false;
    std::string problem;
  };
  static Saved write(const SaveRequest& request);
  void keep_in_file();
  void update_run();
  void update_opened();
  void update_saved();

  const std::shared_ptr<std::atomic<bool>> is_ending_ = std::make_shared<std::atomic<bool>>(false);  // shared with the runs
  Study<CorpusRequest, MeasuredCorpus> run_;
  Study<OpenRequest, MeasuredCorpus> opened_;
  Study<SaveRequest, Saved> kept_, saved_;  // by itself, and as a person asked
  CorpusState state_ = CorpusState::none;
  std::optional<CorpusRequest> request_;
  std::shared_ptr<const MeasuredCorpus> shown_;
  std::shared_ptr<const Saved> told_kept_, told_saved_;
  std::string problem_, done_;
  bool is_opening_ = false;
  std::uint64_t times_opened_ = 0;
};

}  // namespace headlight

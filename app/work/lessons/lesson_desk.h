// Lessons as the window takes them: which there are, the open one with its step and what was guessed, and its steps played on the desk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/lessons/load_lessons.h"
#include "app/lessons/play/played_step.h"
#include "app/work/compute/worker.h"

namespace headlight {

/// What a person has said to a question; `guess` once it is said.
struct Guessing {
  bool is_answered = false;          ///< the answer is shown, with a guess or without
  std::optional<Guess> guess = {};   ///< of the question's kind
  std::vector<double> drawn = {};    ///< row: one number a key, 0…1, while it is drawn
  std::vector<HeadId> ordered = {};  ///< order: as far as it goes
  std::string typed = {}, problem = {};
  std::string unsaved = {};  ///< why the guess is not in the file of guesses
};

/// The lesson that is taken. The window carries out what is asked for here: it sets documents and looks.
struct OpenLesson {
  std::shared_ptr<const Lesson> lesson;
  std::size_t step = 0;                   ///< from 0
  Document before = {};                   ///< that was open until then
  Json look_before = {};                  ///< and what was looked at
  std::uint64_t openings = 0;             ///< of the session: another document that is opened ends the lesson
  std::filesystem::path guess_file = {};  ///< every guess is added to it (app/lessons/play/guess_file.h); empty: none
  Guessing guessing = {};
  std::map<std::size_t, bool> guesses = {};  ///< by step: whether the guess was right
  bool begins = true;                        ///< the step is not shown yet
  bool sets_document = true;                 ///< the step's, in the next frame
  bool sets_look = true;                     ///< once that document's picture is there
  bool is_lit = true;                        ///< what the step points at, until a person turns to the picture
  bool is_left = false;                      ///< in the next frame

  const LessonStep& shown() const { return lesson->steps[step]; }
  bool is_last() const { return step + 1 == lesson->steps.size(); }
  /// There is a question, and its answer is not shown yet.
  bool asks() const { return shown().question && !guessing.is_answered; }
  /// The row that is asked for is hidden until then.
  bool hides_row() const { return asks() && shown().question->hides_row; }
  /// What is asked for is a number of the shown maps: they are hidden until then.
  bool hides_maps() const { return asks() && asks_of_maps(*shown().question); }
  void go_to(std::size_t next);  ///< sets its document and look
  void return_to_step();         ///< the same of the shown one; what was guessed stays
  /// With a question that is not answered its answer, else the next step.
  void go_on();
};

/// A step with its numbers, and which step it is.
struct LessonPicture {
  std::shared_ptr<const Lesson> lesson;
  std::size_t step = 0;
  PlayedStep played;
};

/// Thread contract: the UI thread only.
class LessonDesk {
 public:
  explicit LessonDesk(Worker& worker);

  /// A person's own, then those that come with the program, read on the desk; null until then.
  std::shared_ptr<const Lessons> all() { return shelf_.ask(own_files_); }
  void add_own(std::filesystem::path file) { own_files_.push_back(std::move(file)); }
  OpenLesson* open() { return open_ ? &*open_ : nullptr; }
  const OpenLesson* open() const { return open_ ? &*open_ : nullptr; }
  bool is_taken() const { return open_.has_value(); }
  /// As the open lesson; false without one.
  bool asks() const { return open_ && open_->asks(); }
  bool hides_weights() const { return open_ && (open_->hides_row() || open_->hides_maps()); }
  /// Every guess from now on; empty: nowhere.
  void keep_guesses_in(std::filesystem::path file);
  const std::filesystem::path& guess_file() const { return guess_file_; }
  /// Opens one at the step where it was left, or at its first. `all` owns it.
  void take(const std::shared_ptr<const Lessons>& all, std::size_t place, Document before, Json look_before, std::uint64_t openings);
  /// Where it was left, from 0; 0 where it was not begun or was taken to its end.
  std::size_t left_at(const Lesson& lesson) const;
  /// Ends the lesson, and returns what it was.
  std::optional<OpenLesson> leave();

  /// The shown step of the run, once it is played; until then what was played last of this step. Null: nothing yet.
  std::shared_ptr<const LessonPicture> play(const std::shared_ptr<const Snapshot>& shown);
  std::shared_ptr<const LessonPicture> played() const;
  /// Why the step could not be played.
  StudyStatus status() const { return plays_.status(); }

 private:
  struct PlayRequest {
    std::shared_ptr<const Lesson> lesson;
    std::size_t step = 0;
    std::shared_ptr<const Snapshot> shown;
    std::shared_ptr<Pipeline> pipeline;  // of the open lesson: for runs without edits or with a head switched off
    bool operator==(const PlayRequest&) const = default;
  };
  std::vector<std::filesystem::path> own_files_;
  Study<std::vector<std::filesystem::path>, Lessons> shelf_;
  Study<PlayRequest, LessonPicture> plays_;
  std::optional<OpenLesson> open_;
  std::shared_ptr<Pipeline> pipeline_;
  std::map<std::string, std::size_t> left_at_;  // by the lesson's name
  std::filesystem::path guess_file_;
};

}  // namespace headlight

// A step as it is shown: its run, its words with their numbers, and the engine's answer to its question.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/play/answer.h"
#include "engine/formats/json.h"

namespace headlight {

/// A part of a paragraph, ready to be drawn.
struct FilledPart {
  WordsKind kind = WordsKind::plain;
  bool is_strong = false;   ///< of a number
  std::string text = {};    ///< of a number rounded for a room: "87 %"; "–" where it is undefined
  std::string exact = {};   ///< of a number: all its digits
  std::string reason = {};  ///< why a number is undefined here, such as a word that the text no longer contains
};
using FilledParagraph = std::vector<FilledPart>;

/// With the numbers of this moment: a person may have changed the document since. Throws Cancelled.
FilledParagraph fill(const Paragraph& paragraph, const LessonRuns& runs);
/// Without marks.
std::string plain_text(const FilledParagraph& paragraph);

struct PlayedStep {
  std::shared_ptr<const Snapshot> run = {};
  std::vector<FilledParagraph> words = {};
  FilledParagraph ask = {};  ///< empty: no question
  std::vector<FilledParagraph> after = {};
  std::optional<Answer> answer = {};
};

/// The step with the run of its document, or of what a person made of it. An answer that cannot be given has a problem. Throws Cancelled.
PlayedStep play_step(const LessonStep& step, const LessonRuns& runs);
/// Runs the step's own document. Throws Error as the pipeline does.
PlayedStep play_step(const LessonStep& step, Pipeline& pipeline, Progress& progress);

/// Where a step looks, as the section "look" of documents has it (app/gui/panel/saved_view.h): show_look takes it. Throws Error (input) for a
/// head or word that the run does not have.
Json look_of(const LessonView& view, const Snapshot& run);

/// What is lit while everything else is dimmed.
struct LitPlace {
  std::string label = {};           ///< as scripts name it: "map", "head 2.1", "token 6", "Column Softmax"
  std::optional<Index> query = {};  ///< of a map: this row
  std::optional<Index> key = {};    ///< and this cell of it
};
/// Throws Error (input) as look_of.
LitPlace lit_place(const Spotlight& target, const LessonView& view, const Snapshot& run);

/// The cells that the step frames. Throws likewise.
std::vector<Cell> framed_cells(const LessonView& view, const Snapshot& run);

/// Plays a whole lesson without a window. Throws Error (input) with the file and line of the first step that cannot be shown as it is written: a
/// word that its text does not contain, a head or a decoder that its model does not have, a number or an answer that is undefined.
std::vector<PlayedStep> play_lesson(const Lesson& lesson, Pipeline& pipeline, Progress& progress);

}  // namespace headlight

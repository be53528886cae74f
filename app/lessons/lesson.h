// A lesson: steps that each set a document, say where to look, and may ask before they show. A value, and without answers: numbers and answers
// come from the engine when a step is played (app/lessons/play). The format of its files: assets/lessons/README.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "app/lessons/question.h"
#include "app/lessons/words.h"

namespace headlight {

/// What is lit while everything else is dimmed, by the names that scripts use.
struct Spotlight {
  enum class Kind : std::uint8_t { map, row, cell, head, token, column, label };
  Kind kind = Kind::map;
  HeadId head = {};        ///< of Kind::head: a map of Overview
  WordPlace place = {};    ///< cell: the key; token: which of the strip
  std::string label = {};  ///< column: of Inside; label: anything that scripts know by its name
  bool operator==(const Spotlight&) const = default;
};

/// A cell of a map, by its words.
struct WordPair {
  WordPlace query, key;
};

/// What a step shows, by the names in scripts and saved states. An empty field leaves it as it is.
struct LessonView {
  std::string view = {};              ///< "head"; one of lesson_views()
  std::optional<HeadId> head = {};    ///< that is looked at
  std::optional<WordPlace> row = {};  ///< that is held
  std::string stage = {};             ///< of Head: "weights"
  int inside_step = 0;                ///< of Inside, 1 to 8; 0: as it is
  std::string lab = {};               ///< "attempts"
  std::string page = {};              ///< of Output: "predictions"
  std::string number = {};            ///< of Overview: the measure whose number stands under each map; empty: the usual one
  std::optional<Spotlight> target = {};
  std::vector<WordPair> frames = {};     ///< cells that the words speak of, framed in every large map
  std::vector<std::string> covers = {};  ///< labels of what would tell what a later step asks
};

struct LessonStep {
  int line = 1;  ///< of the file, from 1
  std::string title = {};
  std::vector<Paragraph> words = {};
  Document document = {};  ///< the lesson's, with the step's own changes: complete
  LessonView view = {};
  std::optional<Question> question = {};
  std::vector<std::string> touch = {};  ///< what it invites to change, of touchables(); empty: nothing in particular
};

struct Lesson {
  std::string file = {};  ///< name without its folder, for messages
  std::string name = {};  ///< that without its ending
  int place = 0;          ///< in the list, from 1; 0: after those that have one
  std::string title = {};
  std::string goal = {};  ///< what the class can say after it
  int minutes = 0;
  std::vector<LessonStep> steps = {};  ///< at least one
};

/// A name that a lesson may use, and what it means.
struct LessonName {
  std::string_view name = {};
  std::string_view meaning = {};
  std::string_view section = {};  ///< of the left rail, in which it is done; empty: in the picture, or it is nothing to do
};
/// Views, stages of Head, labs and pages of Output, by their names in states and scripts; and what may be touched.
std::span<const LessonName> lesson_views();
std::span<const LessonName> lesson_stages();
std::span<const LessonName> lesson_labs();
std::span<const LessonName> lesson_pages();
std::span<const LessonName> touchables();

}  // namespace headlight

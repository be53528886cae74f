// Small lessons as text, and what is made of them.
#pragma once

#include <string>

#include "app/lessons/load_lessons.h"
#include "app/lessons/play/played_step.h"
#include "tests/testing.h"

namespace headlight::testing {

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A sound lesson of two steps, a field a line: the lines that tests name are those of this text.
inline const std::string& sound_lesson() {
  static const std::string text = R"({
  "format": "headlight-lesson",
  "version": 1,
  "title": "A lesson",
  "goal": "A goal.",
  "minutes": 5,
  "document": {
    "model": {"name": "sandbox", "sandbox": {"layers": 2, "d_model": 16, "heads": 2}},
    "text": "The cat sat on the mat"
  },
  "steps": [
    {
      "title": "One",
      "words": ["*sat* gives *cat* {weight 1.0 sat cat}.", "`q · k`"],
      "view": "head",
      "head": "1.0",
      "row": "sat",
      "stage": "weights",
      "target": "map cell cat",
      "touch": ["row"], "cover": ["card attempt 1"],
      "question": {
        "kind": "key",
        "ask": "Where does *sat* look?",
        "head": "1.0",
        "row": "sat"
      }
    },
    {
      "title": "Two",
      "words": "Head 1.1 is off.",
      "document": {
        "switched_off": [[1, 1]]
      }
    }
  ]
}
)";
  return text;
}

inline std::string refusal_of(const std::string& text) {
  const Error error = error_of([&] { read_lesson(text, "a.lesson.json"); });
  EXPECT_EQ(error.kind(), ErrorKind::input) << error.message();
  return error.message();
}
/// Of the lesson above with one thing changed.
inline std::string refusal_with(const std::string& from, const std::string& to) {
  return refusal_of(replaced(sound_lesson(), from, to));
}

inline Query cat_query() {
  Query query;
  query.model.sandbox = {.layers = 2, .d_model = 16, .heads = 2};
  query.text = "The cat sat on the mat";
  return query;
}

/// A pipeline with the run of a query.
struct Played {
  explicit Played(const Query& query) : shown(pipeline.run(query, progress)) {}
  LessonRuns runs() { return {shown, pipeline, progress}; }
  LiveValue value(std::string_view text) { return value_of(parse_live_number(text), runs()); }
  SilentProgress progress;
  Pipeline pipeline{1};
  std::shared_ptr<const Snapshot> shown;
};

}  // namespace headlight::testing

// Values of live numbers, computed from runs at that moment. Nothing here is stored with a lesson.
#pragma once

#include <memory>
#include <string>

#include "app/lessons/numbers/live_number.h"
#include "app/lessons/numbers/step_memory.h"
#include "engine/core/error.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// What a number is read from.
struct NumberAsked {
  const std::shared_ptr<const Snapshot>& run;
  const LiveNumber& number;
  StepMemory& memory;
  ThreadPool& pool;
  Progress& progress;
};

/// The shown run, the pipeline that makes others where a number needs them, and what was computed from them so far: one for each step that is
/// played. Thread contract: that of the pipeline.
struct LessonRuns {
  std::shared_ptr<const Snapshot> shown;
  Pipeline& pipeline;
  Progress& progress;
  std::shared_ptr<StepMemory> memory = std::make_shared<StepMemory>();
};

struct LiveValue {
  double value = 0;         ///< NaN: undefined, or a word
  std::string text = {};    ///< rounded for a room: "82 %", "+0.52", "147,456", "horse"; "–" where it is undefined
  std::string exact = {};   ///< six significant digits
  std::string reason = {};  ///< why it is undefined; empty: it is not
};

/// Throws Error (input) for a word, head or token that the run does not have, with the number in the message; Cancelled.
LiveValue value_of(const LiveNumber& number, const LessonRuns& runs);

/// Whether the lesson or what a person changed is at fault: there is no value then, but the rest of the step is shown.
bool is_fault_of_lesson(const Error& error);

/// The tokens of a word in a text. Throws Error (input) where the text does not have it.
struct PlacedTokens {
  Index first = 0, last = 0;  ///< both included
};
PlacedTokens tokens_at(const WordPlace& place, const Snapshot& run, const Encoding& encoding);
/// The row of a map that belongs to a word: that of its last token. Throws as tokens_at, and for a layer that the model does not have.
Index row_of_word(const WordPlace& place, const Snapshot& run, int layer);
/// Throws Error (input) for a head that the run does not have.
void check_head(HeadId head, const Snapshot& run);

}  // namespace headlight

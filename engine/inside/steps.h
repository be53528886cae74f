// The computation of one query's attention as steps that can be played one after the other, and what is said of each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace headlight {

/// In the order of the computation.
enum class InsideStep : std::uint8_t { query, keys, products, scale, mask, softmax, values, output };

struct InsideStepRow {
  InsideStep step;
  std::string_view title;  ///< over its columns
  std::string_view name;   ///< in a sentence and for options: "softmax"
  float seconds = 1;       ///< that it plays for, at the usual speed
  int stops = 1;           ///< places within it at which playing can be held, evenly spread; the last is its end
  std::string_view headline;
  std::string_view words;    ///< what happens
  std::string_view formula;  ///< with marks as formulas have them (app/gui/kit/formula.h)
};
std::span<const InsideStepRow> inside_steps();
const InsideStepRow& inside_step(InsideStep step);
inline constexpr int kInsideSteps = 8;

/// A moment of the computation: how far a step has come.
struct InsideMoment {
  InsideStep step = InsideStep::query;
  float progress = 1;  ///< 0 it begins … 1 all of its numbers are there
  bool operator==(const InsideMoment&) const = default;
  int number() const { return static_cast<int>(step) + 1; }  ///< 1 to 8
  bool is_end() const { return step == InsideStep::output && progress >= 1; }
};

/// The end of step `number`, 1 to 8; of numbers outside, of the first or the last.
InsideMoment end_of_step(int number);
/// After `seconds` of playing; never past the end.
InsideMoment played(InsideMoment moment, float seconds);
/// The next stop after a moment, or the last one before it.
InsideMoment next_stop(InsideMoment moment);
InsideMoment previous_stop(InsideMoment moment);
/// How many stops of its step a moment has passed: 0 … stops.
int stops_passed(InsideMoment moment);
/// The whole computation as 0…1, a step of the same share each; and back.
float place_of(InsideMoment moment);
InsideMoment moment_at(float place);

}  // namespace headlight

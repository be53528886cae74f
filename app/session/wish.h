// The map a person wants a head of the sandbox to make, painted cell by cell, and what comes of teaching it (seeds S4-12).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/attention/teach.h"
#include "engine/snapshot.h"

namespace headlight {

/// Cells in the order in which they were painted; a later stroke may erase (is_allowed false) what an earlier one painted.
struct PaintedWish {
  HeadId head;
  std::vector<CellBlock> strokes;
  bool operator==(const PaintedWish&) const = default;
};

/// 1 where a cell is wanted, else 0.
Matrix wanted_map(const PaintedWish& wish, Index queries, Index keys);

/// What the compute thread found: a lesson, or why there is none.
struct Taught {
  std::shared_ptr<const Snapshot> snapshot;  ///< that it was made from
  HeadId head;
  Lesson lesson;
  std::string refusal;  ///< empty when the lesson was given
};

/// Where the worker keeps the last lesson (Worker::request_side), and the side job that gives one.
inline constexpr char kLessonKey[] = "lesson";
std::shared_ptr<const Taught> teach(const std::shared_ptr<const Snapshot>& snapshot, const Wish& wish, int steps, Progress& progress);

/// Puts a lesson's numbers into the sandbox: an edit of the same cells is replaced, others are kept.
void apply_lesson(SandboxSpec& spec, const Lesson& lesson);
/// One edit, likewise.
void apply_parameters(SandboxSpec& spec, const ParameterEdit& edit);

}  // namespace headlight

// The map a person wants a head of the sandbox to make, painted cell by cell, and the result of training it (seeds S4-12).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/figure/figures.h"
#include "engine/labs/head_fit.h"
#include "engine/snapshot.h"

namespace headlight {

/// Cells in the order in which they were painted; a later stroke may erase (is_allowed false) what an earlier one painted.
struct DrawnMap {
  HeadId head;
  std::vector<CellBlock> strokes;
  int training_steps = 0;  ///< gradient steps taken towards these strokes so far
  bool operator==(const DrawnMap&) const = default;
};

/// 1 where a cell is wanted, else 0.
Matrix wanted_map(const DrawnMap& drawn_map, Index queries, Index keys);

/// A frame around each wanted cell, or around areas of them where there are thousands; the map below them shows what the head does now.
std::vector<MapFrame> frames_of(const Matrix& wanted);
/// The frames of a document's drawn map in a figure of `head`: as much of the drawn map as its mask allows, if it is for this head. Only the sandbox
/// is trained, so the maps of other models have none.
std::vector<MapFrame> frames_of(const DrawnMap& drawn_map, const Snapshot& snapshot, HeadId head);

/// Removes cells that the mask forbids: no step can raise a weight that is always 0. Returns how many there were.
Index drop_masked(Matrix& wanted, const Mask& mask);

/// What the compute thread found: how the head was fitted, or why not.
struct TrainedHead {
  std::shared_ptr<const Snapshot> snapshot;  ///< the snapshot that the fit started from
  HeadId head;
  Matrix wanted;  ///< the map it was asked for
  HeadFit fit;
  std::string refusal;  ///< empty when the head was fitted
};

/// Trains the head towards the drawn map, `steps` times. On any thread. Throws Cancelled.
std::shared_ptr<const TrainedHead> train_head(const std::shared_ptr<const Snapshot>& snapshot, const TargetMap& drawn_map, int steps,
                                              Progress& progress);

/// Puts the fitted numbers into the sandbox: an edit of the same cells is replaced, others are kept.
void apply_fit(SandboxSpec& spec, const HeadFit& fit);
/// The losses since the drawing began, over all fits that were made for it: before the first step, then after each.
struct LossCurve {
  std::shared_ptr<const TrainedHead> last;  ///< null: none yet
  std::vector<double> losses;
  /// Continues with a fit for the same drawing on the sandbox and the sentence that the last one left behind; starts over with any other.
  void add(std::shared_ptr<const TrainedHead> trained);
};
/// Whether `query` asks for the sandbox and the sentence that a fit left behind: nothing was changed since.
bool is_where_fit_led(const TrainedHead& trained, const Query& query);

/// The same for one edit.
void apply_parameters(SandboxSpec& spec, const ParameterEdit& edit);

}  // namespace headlight

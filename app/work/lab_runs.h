// The labs, one function each: what is shown, from a picture and the lab's settings. All are called from the compute thread; those that
// take a Progress throw Cancelled.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/work/labs.h"

namespace headlight {

AttemptsFound run_attempts(const LabRequest& request, Progress& progress);
FillsFound run_fills(const LabRequest& request);
ScalingFound run_scaling(const LabRequest& request, Progress& progress);
DropoutFound run_dropout(const LabRequest& request, Progress& progress);
CostFound run_costs(const LabRequest& request);
ToyFound run_toy(const LabRequest& request, Progress& progress);
ConcatenationFound run_concatenation(const LabRequest& request);

/// Labels of the first `most` tokens.
std::vector<std::string> labels_of(const Snapshot& snapshot, const Encoding& encoding, Index most);
/// Of a head's queries, as the layer was split.
Index head_width(const Snapshot& snapshot, int layer);
/// Weights: of a pixel's cells the largest is shown. `mask` may be null.
std::shared_ptr<const MapPicture> picture_of(Matrix values, std::shared_ptr<const Mask> mask);
/// Zero-centred: of a pixel's cells the one farthest from zero is shown.
std::shared_ptr<const MapPicture> signed_picture_of(Matrix values, std::shared_ptr<const Mask> mask);

}  // namespace headlight

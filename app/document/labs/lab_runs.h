// What the labs have in common: labels, widths, pictures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/document/labs/labs.h"

namespace headlight {

/// Labels of the first `most` tokens.
std::vector<std::string> labels_of(const Snapshot& snapshot, const Encoding& encoding, Index most);
/// The width of a head's queries, as the layer was split.
Index head_width(const Snapshot& snapshot, int layer);
/// Weights: of a pixel's cells the largest is shown. `mask` may be null.
std::shared_ptr<const MapPicture> picture_of(Matrix values, std::shared_ptr<const Mask> mask);
/// Zero-centred: of a pixel's cells the one farthest from zero is shown.
std::shared_ptr<const MapPicture> signed_picture_of(Matrix values, std::shared_ptr<const Mask> mask);

}  // namespace headlight

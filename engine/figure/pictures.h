// Maps of a snapshot as pictures, and the scales they are drawn with.
#pragma once

#include <memory>

#include "engine/figure/map/map_picture.h"
#include "engine/figure/style.h"
#include "engine/snapshot.h"

namespace headlight {

/// The colour scale a head is drawn with under a style.
ColourScale scale_of_head(const Snapshot& snapshot, const Style& style, HeadId head);
/// Zero-centred, up to a round number that no cell of the picture exceeds.
ColourScale scale_of_difference(const Style& style, const MapPicture& difference);
std::shared_ptr<const MapPicture> picture_of_summary(const Snapshot& snapshot, HeadId head);    ///< small, from the pooled map
std::shared_ptr<const MapPicture> picture_of_maps(const HeadMaps& maps);                        ///< full resolution
std::shared_ptr<const MapPicture> picture_of_difference(const HeadMaps& a, const HeadMaps& b);  ///< a − b

}  // namespace headlight

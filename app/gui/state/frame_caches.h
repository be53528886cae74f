// What panels work out of the snapshot and the document and keep for the next frame. Nothing here is state: cleared, it is made again.
#pragma once

#include <memory>
#include <vector>

#include "app/document/drawn_map.h"
#include "app/gui/state/pictures.h"
#include "engine/attention/mask.h"

namespace headlight {

/// What is drawn on a map, as cells: made when the drawing or the map's size changes and not in every frame.
struct DrawnCells {
  DrawnMap made_from;
  std::shared_ptr<const Mask> mask;  ///< of the head
  Matrix wanted;                     ///< without what the mask forbids
  std::vector<MapFrame> frames;      ///< around each wanted cell
  Index cells = 0;
  Index masked_cells = 0;  ///< painted cells that the mask forbids
};

/// Whether masks of the shown picture let tokens see what comes after them where the model's own do not: looked up once per picture.
struct SightAhead {
  std::shared_ptr<const Snapshot> snapshot;
  bool is_opened = false;
};

struct FrameCaches {
  Pictures pictures;  ///< of the snapshot's maps, and names of its tokens
  DrawnCells drawn_cells;
  SightAhead sight_ahead;
};

}  // namespace headlight

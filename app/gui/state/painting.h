// The brush, and what it paints: masks, or the map that a head should learn.
#pragma once

#include <optional>

#include "app/document/drawn_map.h"
#include "app/document/mask_edits.h"

namespace headlight {

struct Painting {
  Brush brush = Brush::off;
  bool allows = false;                     ///< the brush allows cells instead of denying them; restored at the next start
  Scope::Kind scope = Scope::Kind::stack;  ///< of mask edits, painted or typed; restored likewise. In a model with one stack: all its heads
  std::optional<Stroke> stroke;            ///< while its button is held
};

/// Training a head towards a drawn map.
struct MapDrawing {
  bool is_painted = false;        ///< the brush paints what the head should learn, and not its mask
  bool is_erased = false;         ///< the stroke began on a drawn cell
  bool has_tried_masked = false;  ///< the last stroke began on a cell that the mask forbids
  LossCurve loss_curve;           ///< of the drawn map that was trained last
};

}  // namespace headlight

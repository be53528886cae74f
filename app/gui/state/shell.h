// How a person has divided the window: what is folded, how wide and how large it is. Restored at the next start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/figure/scene.h"
#include "engine/figure/style.h"

namespace headlight {

/// How a rail is drawn.
enum class RailForm : std::uint8_t { away, folded, open };

/// Of a rail: as the window has room for it, until a person opens or folds it.
enum class Fold : std::uint8_t { by_room, open, folded };

struct Shell {
  float zoom = 1;           ///< of everything, on top of the monitor's scale
  float left_width = 264;   ///< of the open left rail, in points
  float right_width = 0;    ///< of the inspector at the right, in points; 0: as the window has room
  float drawer_height = 0;  ///< of the inspector under the views, in points; 0: as the window has room
  Fold left = Fold::by_room, right = Fold::by_room;
  bool has_reduced_motion = false;    ///< nothing slides, unfolds or counts up: views jump to what they would end at
  bool shows_cost = false;            ///< the status bar has frame time and memory
  std::optional<Theme> theme = {};    ///< that new documents begin with; none: the usual one
  std::string font = {};              ///< the family of the window's words; empty: Inter
  bool is_presenting = false;         ///< large type and no rails, for a projector
  bool is_black = false;              ///< nothing is drawn until a key or the pointer is pressed; not restored
  std::optional<Box> spotlight = {};  ///< all else is dimmed; in pixels of this frame, and not restored
  bool operator==(const Shell&) const = default;
};

}  // namespace headlight

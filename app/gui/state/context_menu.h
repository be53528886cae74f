// The context menu: what it is about.
#pragma once

#include <cstdint>
#include <optional>

#include "app/gui/state/pointed.h"

namespace headlight {

enum class MenuKind : std::uint8_t { cell, number, token, head, pictured };

/// What a right click was made on.
struct MenuTarget {
  MenuKind kind = MenuKind::head;
  ComparedHead head;  ///< whose map it is; of a token the one that the inspector shows
  /// Of a cell both; of a token one or both, as it is on one axis of the head's map or on both; of a head none.
  std::optional<Index> query = {}, key = {};
  Index number = 0;                                      ///< of a number of z, which has a query: its place
  std::shared_ptr<const PicturedNumbers> pictured = {};  ///< of such numbers, with a cell of them or without
};

struct ContextMenu {
  std::optional<MenuTarget> asked;  ///< by a view in this frame: opens at the end of it
  MenuTarget shown;                 ///< while the menu, or the explanation in its place, is open
  bool is_open = false;             ///< in the last frame: what it is about is marked as if the pointer were there
};

}  // namespace headlight

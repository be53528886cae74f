// What the context menu offers, a row each.
#pragma once

#include <span>
#include <string>

#include "app/gui/panel/panel.h"

namespace headlight {

struct MenuEntry {
  std::string (*label)(const Panel& panel, const MenuTarget& target);              ///< empty: not offered for this target
  std::string (*refusal)(const Panel& panel, const MenuTarget& target) = nullptr;  ///< why it cannot be chosen; null or empty: it can
  void (*act)(Panel& panel, const MenuTarget& target) = nullptr;                   ///< null: the target is explained
  std::string (*note)(const Panel& panel, const MenuTarget& target) = nullptr;     ///< at its right: what it acts on
  bool begins_group = false;
};
std::span<const MenuEntry> menu_entries();

/// "“it” 8 → “animal” 1 · head 2.5": what the menu is about, above its entries.
std::vector<Span> menu_title(const Panel& panel, const MenuTarget& target);

}  // namespace headlight

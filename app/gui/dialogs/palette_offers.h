// What the palette offers for what was typed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/commands/matching.h"
#include "app/gui/dialogs/dialog_states.h"
#include "app/gui/panel/panel.h"

namespace headlight {

struct RankedOffer {
  Offer offer;
  Match match;  ///< of the name
  bool is_recent = false;
};

/// What the sources of offers are given.
struct PaletteQuestion {
  std::string_view typed;
  const DialogStates& dialogs;  ///< recent models and documents
};

/// The best first, at most `most`. Nothing typed: what was chosen recently, then the commands.
std::vector<RankedOffer> ranked_offers(const Panel& panel, const PaletteQuestion& question, std::size_t most);

}  // namespace headlight

// One number of z, as the Head view shows it at its last step: where it stands, and what every key adds to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/panel/focus.h"

namespace headlight {

/// The Head view is set to show z: of a head's map now or before, not of a difference.
bool shows_z(const Panel& panel);
/// It does so in this frame: the maps are there.
bool draws_z(const Panel& panel);

/// The number under the pointer, else the largest one of the row that is looked at; none: no row is looked at.
std::optional<VectorNumber> number_in_focus(const Panel& panel, const Focus& focus, const HeadMaps& maps);

/// A line of the sum that a number is.
struct SumLine {
  std::string label, number, help = {};
  bool is_key = false;  ///< of one key
};
/// "horse 0", "0.823 × −1.71 = −1.41": the keys that add most, then what the others add together, and the number itself.
std::vector<SumLine> lines_of_sum(const HeadMaps& maps, VectorNumber at, const TokenNames& keys, std::size_t most);

/// Beside the pointer: whose number it is, and its largest parts.
void draw_number_bubble(const Panel& panel, const HeadMaps& maps, const Snapshot& run, HeadId head, VectorNumber at);

}  // namespace headlight

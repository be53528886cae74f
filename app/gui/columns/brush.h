// The brush: heads that are marked in every view, until Esc.
#pragma once

#include <string>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

inline bool is_brushed(const Panel& panel, HeadId head) {
  return panel.view.brushed.contains(head);
}
/// A click on a head in a list: alone it brushes the head, or clears the brush where it was the only one; with ctrl it adds or
/// takes away the head; with shift all from the last click to it.
void brush_by_click(ViewState& view, HeadId head, const std::vector<HeadId>& list);
/// "5 heads brushed"; empty: none is.
std::string brushed_text(const Panel& panel);
/// Pins all brushed heads for Compare, as far as there is room; where all are pinned already, unpins them.
void pin_brushed(Panel& panel);

}  // namespace headlight

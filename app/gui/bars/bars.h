// The bars around the views.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "app/gui/panel/panel.h"

namespace headlight {

/// Where the chips of the token strip begin, in pixels: measured once per text, so that long texts cost nothing per frame.
struct StripLayout {
  std::shared_ptr<const Snapshot> snapshot;
  float scale = 0;
  const ImFont* font = nullptr;
  std::vector<float> edges{0};
};
using StripLayouts = std::array<StripLayout, 2>;  ///< of each Side

void draw_top_bar(Panel& panel, const Box& box);
void draw_tabs(Panel& panel, const Box& box);
/// Refusals and notes over the lower right corner of a view.
void draw_notes(Panel& panel, const Box& view);
void draw_token_strip(Panel& panel, const Box& box, StripLayouts& layouts);
void draw_status_bar(Panel& panel, const Box& box);

}  // namespace headlight

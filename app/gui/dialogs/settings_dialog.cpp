// How the program is for this person: remembered at the next start, and in no document.
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/shell/layout.h"

namespace headlight {
namespace {

constexpr std::array kSizes{0.75F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F, 2.5F, 3.0F};
static_assert(kSizes.front() == kLeastZoom && kSizes.back() == kMostZoom);

void draw_size(const Look& look, Shell& shell) {
  std::vector<std::string> labels;
  int chosen = 0;
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    labels.push_back(fmt::format("{:.0f} %", 100 * kSizes[i]));
    if (std::abs(kSizes[i] - shell.zoom) < std::abs(kSizes[static_cast<std::size_t>(chosen)] - shell.zoom)) chosen = static_cast<int>(i);
  }
  const Row row =
      begin_row(look, "Size of everything", "Of type, controls and maps, beside what the monitor asks for (ctrl + and ctrl −).");
  if (drop_down(look, row, "Size", labels, chosen)) shell.zoom = kSizes[static_cast<std::size_t>(chosen)];
}

/// The theme is a part of a document's style, so that a figure looks the same wherever it is opened. New documents begin with the last one
/// that was chosen here.
void draw_theme(Panel& panel) {
  const std::array<std::string, 2> themes{"dark", "light"};
  int chosen = static_cast<int>(panel.draft.style.theme);
  const Row row = begin_row(panel.look, "Theme", "Of the open document, and of new ones. Documents that you open keep theirs.");
  if (!segmented(panel.look, row, "Settings theme", themes, chosen)) return;
  panel.view.shell.theme = static_cast<Theme>(chosen);
  set_theme(panel.draft.style, *panel.view.shell.theme);
}

void draw_switches(const Look& look, Shell& shell) {
  on_off(look, begin_row(look, "Less motion", "Views that play jump from step to step: nothing slides, unfolds or counts up."),
         "Less motion", shell.has_reduced_motion);
  on_off(look, begin_row(look, "Frame time and memory", "In the status bar: how long the last frame took, and the program's memory."),
         "Frame time and memory", shell.shows_cost);
}

}  // namespace

void draw_settings(Panel& panel) {
  const Look& look = panel.look;
  bool& is_open = panel.view.dialogs.settings;
  if (!begin_dialog(look, "Settings", 440, is_open)) return;
  draw_theme(panel);
  draw_size(look, panel.view.shell);
  draw_switches(look, panel.view.shell);
  gap(look, kUnit);
  paragraph(look, Type::caption, look.colours.text_second, "They come back at the next start, and are in no document.");
  end_dialog(is_open);
}

}  // namespace headlight

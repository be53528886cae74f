// How the program is for this person: remembered at the next start, and but for the theme in no document.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "app/gui/browsing/choice_list.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/shell/layout.h"
#include "engine/core/error.h"

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

constexpr const char* kBuiltInFont = "Built-in (Inter)";

/// Whether a family's name holds all that was typed, in any case.
bool is_wanted_font(const std::string& name, const std::string& typed) {
  const auto is_equal = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(name.begin(), name.end(), typed.begin(), typed.end(), is_equal) != name.end();
}

/// The list, with a box that searches in it, and a line in the chosen family.
void draw_font_list(Panel& panel, std::string& typed) {
  constexpr float kListWidth = 300, kMostRows = 9;
  const Look& look = panel.look;
  std::string& font = panel.view.shell.font;
  const Row search = begin_row(look, "", nullptr, kControl + kUnit);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  text_box(look, "Search fonts", "Search", typed, {search.left, search.top}, look.px(kListWidth));
  const auto families = panel.context.session.fonts().families();
  std::vector<std::string> names;
  if (is_wanted_font(kBuiltInFont, typed)) names.emplace_back();
  for (std::size_t i = 0; families && i < families->size(); ++i) {
    if (is_wanted_font((*families)[i].name, typed)) names.push_back((*families)[i].name);
  }
  const float rows = std::clamp(static_cast<float>(names.size()), 1.0F, kMostRows);
  ImGui::BeginChild("families", {look.px(kListWidth), rows * look.px(kRow)}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground);
  for (const std::string& name : names) {
    const std::string shown = name.empty() ? kBuiltInFont : printable(name, 60);
    if (draw_choice(look, "Font " + shown, shown, name == font ? "in use" : "", name == font, look.colours.text)) font = name;
  }
  if (names.empty()) text_line(look, Type::body, look.colours.text_second, "No installed font has this name.");
  ImGui::EndChild();
  gap(look, kInside);
  text_line(look, Type::body, look.colours.text, "Hamburgefonstiv 0123456789");
  text_line(look, Type::strong, look.colours.text, "Every head of every layer");
}

/// Of the window alone: a figure looks the same in every file and on every machine.
void draw_font(Panel& panel, std::string& typed) {
  const Look& look = panel.look;
  const std::string& font = panel.view.shell.font;
  const Row row = begin_row(
      look, "Font", "Of the window's words. Figures and their files keep Inter and JetBrains Mono, so that they look the same everywhere.");
  const std::string shown =
      elided(look, Type::body, font.empty() ? kBuiltInFont : printable(font, 60), row.right - row.control_left - look.px(18));
  if (drop_button(look, "Font", row.right, row.middle(), shown)) {
    typed.clear();
    ImGui::OpenPopup("fonts");
  }
  hint(look, row.help);
  ImGui::SetNextWindowPos({row.right, row.top + row.height}, ImGuiCond_Appearing, {1, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kBetween), look.px(kUnit)));
  if (begin_popup("fonts")) {
    draw_font_list(panel, typed);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void draw_settings(Panel& panel, std::string& typed_font) {
  const Look& look = panel.look;
  bool& is_open = panel.view.dialogs.settings;
  if (!begin_dialog(look, "Settings", 440, is_open)) return;
  draw_theme(panel);
  draw_size(look, panel.view.shell);
  draw_font(panel, typed_font);
  draw_switches(look, panel.view.shell);
  gap(look, kUnit);
  paragraph(look, Type::caption, look.colours.text_second,
            "They come back at the next start. The theme is part of the document too; the others are in no document.");
  end_dialog(is_open);
}

}  // namespace headlight

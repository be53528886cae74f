#include "app/gui/rails/rail_stub.h"

#include <algorithm>

#include "app/gui/kit/region.h"
#include "app/gui/kit/written_text.h"

namespace headlight {
namespace {

constexpr float kAround = 12;         // of a name, above and below
constexpr float kPopoverWidth = 264;  // as the open rail has
constexpr const char* kMore = "…";

float length_of(const Look& look, const RailSection& section, const std::string& state) {
  const float name = text_width(look, Type::body, section.title);
  return name + (state.empty() ? 0 : look.px(6) + text_width(look, Type::body, state)) + look.px(2 * kAround);
}

/// Docks the rail, with the section in sight.
void keep_open(Panel& panel, LeftRail& rail, const char* section) {
  panel.view.shell.left = Fold::open;
  panel.view.shell.is_presenting = false;  // which has no rail
  rail.wanted_section = section;
  ImGui::CloseCurrentPopup();
}

/// The section, in a popup beside the stub and never higher than it: the higher it is, the further it
/// reaches above `top`, the top of its name, so that all of it stays within the height of the stub.
void draw_popover(Panel& panel, const RailSection& section, const Box& stub, float top, LeftRail& rail) {
  const Look& look = panel.look;
  const float highest = stub.y + look.px(kInside), most = std::max(look.px(kRow), stub.height - 2 * look.px(kInside));
  const bool is_low = top > stub.y + stub.height / 2;  // it opens upwards
  const float share_above = is_low ? 1 : std::clamp((top - highest) / most, 0.0F, 1.0F);
  ImGui::SetNextWindowPos({stub.right() + look.px(6), highest + share_above * most}, ImGuiCond_Always, {0, share_above});
  ImGui::SetNextWindowSizeConstraints({look.px(kPopoverWidth), 0}, {look.px(kPopoverWidth), most});
  ImGui::SetNextWindowSize({look.px(kPopoverWidth), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kBetween), look.px(kUnit)));
  if (begin_popup(section.title)) {
    panel.view.rails.folded.erase(section.title);  // one that was asked for is not folded
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(kUnit), 0));
    section.draw(panel);
    const Row row = begin_row(look, "");
    const Press press =
        word_button(look, "Keep open", "keep the rail open", row.right, {row.left, row.top, row.right - row.left, row.height});
    hint(look, "Dock the rail beside the views (ctrl+B).");
    if (press.is_clicked) keep_open(panel, rail, section.title);
    ImGui::PopStyleVar();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

/// One name of the stub, running upwards. Returns whether it was pressed.
bool draw_name(const Look& look, const RailSection& section, const std::string& state, const Box& box) {
  const bool is_open = ImGui::IsPopupOpen(section.title);
  const Press press = press_area(section.title, {box.x, box.y}, {box.width, box.height});
  if (is_open || press.is_hovered) {
    const float inset = look.px(kInside);
    ImGui::GetWindowDrawList()->AddRectFilled({box.x + inset, box.y}, {box.right() - inset, box.bottom()}, to_imgui(look.colours.raised),
                                              look.px(kCorner));
  }
  const float x = box.x + box.width / 2, bottom = box.bottom() - look.px(kAround);
  draw_upward_text(look, x, bottom, Type::body, is_open || press.is_hovered ? look.colours.text : look.colours.text_second, section.title);
  if (!state.empty()) {
    const float name = text_width(look, Type::body, section.title) + look.px(6);
    draw_upward_text(look, x, bottom - name, Type::body, look.colours.text_third, state);
  }
  return press.is_clicked;
}

/// How many of the sections have room above `bottom`, and a place for "…" if not all have.
std::size_t count_with_room(const Look& look, const std::vector<RailSection>& sections, const std::vector<std::string>& states,
                            const Box& box) {
  float y = box.y + look.px(kUnit);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    y += length_of(look, sections[i], states[i]) + look.px(kInside);
    const bool is_last = i + 1 == sections.size();
    if (y + (is_last ? 0 : look.px(kRow)) > box.bottom()) return i;
  }
  return sections.size();
}

/// The names that had no room, as a list.
void draw_others(Panel& panel, const std::vector<RailSection>& sections, std::size_t first, const Box& place, const char*& wanted) {
  const Look& look = panel.look;
  const Press press = press_area("More sections", {place.x, place.y}, {place.width, place.height});
  hint(look, "The other sections of this rail.");
  draw_text(look, place.x + place.width / 2, place.y + place.height / 2, Type::body,
            press.is_hovered ? look.colours.text : look.colours.text_second, kMore, AlignX::centre);
  if (press.is_clicked) ImGui::OpenPopup(kMore);
  ImGui::SetNextWindowPos({place.right(), place.bottom()}, ImGuiCond_Appearing, {0, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup(kMore)) {
    for (std::size_t i = first; i < sections.size(); ++i) {
      if (list_entry(look, sections[i].title, false, look.px(160))) wanted = sections[i].title;
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace

void draw_wanted_section(Panel& panel, const Box& box, LeftRail& rail) {
  const Look& look = panel.look;
  begin_region(look, "Wanted section", {box.x, box.y, 1, box.height}, Colour{0, 0, 0, 0}, {0, 0});
  const Box at{ImGui::GetIO().DisplaySize.x - look.px(kPopoverWidth + 2 * kUnit), box.y, 0, box.height};
  for (const RailSection& section : sections_of(panel)) {
    if (rail.wanted_section == section.title) ImGui::OpenPopup(section.title);
    if (ImGui::IsPopupOpen(section.title)) draw_popover(panel, section, at, box.bottom(), rail);
  }
  rail.wanted_section.clear();
  end_region();
}

void draw_stub(Panel& panel, const Box& box, LeftRail& rail) {
  const Look& look = panel.look;
  begin_region(look, "Left stub", box, look.colours.panel, {0, 0});
  const std::vector<RailSection> sections = sections_of(panel);
  std::vector<std::string> states;
  for (const RailSection& section : sections) states.push_back(section.state ? section.state(panel) : std::string());
  const std::size_t shown = count_with_room(look, sections, states, box);
  const char* wanted = nullptr;
  float y = box.y + look.px(kUnit);
  std::vector<float> tops(sections.size(), box.bottom() - look.px(kRow));
  for (std::size_t i = 0; i < shown; ++i) {
    tops[i] = y;
    const float length = length_of(look, sections[i], states[i]);
    if (draw_name(look, sections[i], states[i], {box.x, y, box.width, length})) wanted = sections[i].title;
    y += length + look.px(kInside);
  }
  if (shown < sections.size()) draw_others(panel, sections, shown, {box.x, box.bottom() - look.px(kRow), box.width, look.px(kRow)}, wanted);
  for (const RailSection& section : sections) {
    if (rail.wanted_section == section.title) wanted = section.title;
  }
  rail.wanted_section.clear();
  if (wanted != nullptr) ImGui::OpenPopup(wanted);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (ImGui::IsPopupOpen(sections[i].title)) draw_popover(panel, sections[i], box, tops[i], rail);
  }
  end_region();
}

}  // namespace headlight

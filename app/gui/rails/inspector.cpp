// The right rail: one cell, its row, its head, and all of it in words.
#include <array>

#include "app/gui/corpus/corpus_card.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/written_text.h"
#include "app/gui/rails/inspector_sections.h"
#include "app/gui/rails/rails.h"
#include "app/gui/why/why_cell.h"

namespace headlight {
namespace {

struct Part {
  void (*draw)(const Shown& shown);
  float share;  ///< of the drawer's width; 0: in the rail
};

void draw_head_on_corpus(const Shown& shown) {
  draw_corpus_card(shown.panel, shown.head, shown.is_dense);
}

void draw_why(const Shown& shown) {
  Panel& panel = shown.panel;
  const bool is_own = &shown.run == panel.snapshot.get();
  draw_why_cell(panel, is_own ? panel.snapshot : inspected_head(panel).of, shown.head, shown.focus.cell, shown.is_dense);
}

/// In the drawer its title ends a column, and gets one of its own once it is opened.
void draw_words_above_why(const Shown& shown) {
  draw_words(shown);
  gap(shown.panel.look, kUnit);
  draw_why(shown);
}

constexpr std::array kRail{Part{draw_cell, 0}, Part{draw_why, 0}, Part{draw_row_profile, 0}, Part{draw_words, 0}, Part{draw_head_card, 0}};
constexpr std::array kRailWithCorpus{Part{draw_cell, 0},  Part{draw_why, 0},       Part{draw_row_profile, 0},
                                     Part{draw_words, 0}, Part{draw_head_card, 0}, Part{draw_head_on_corpus, 0}};
constexpr std::array kDrawer{Part{draw_cell, 0.32F}, Part{draw_row_profile, 0.25F}, Part{draw_head_card, 0.19F},
                             Part{draw_words_above_why, 0.24F}};
constexpr std::array kDrawerWithCorpus{Part{draw_cell, 0.26F}, Part{draw_row_profile, 0.2F}, Part{draw_head_card, 0.16F},
                                       Part{draw_head_on_corpus, 0.22F}, Part{draw_words_above_why, 0.16F}};
constexpr std::array kDrawerWithWhy{Part{draw_cell, 0.31F}, Part{draw_why, 0.3F}, Part{draw_row_profile, 0.22F},
                                    Part{draw_head_card, 0.17F}};

/// Of several heads' maps as one.
constexpr std::array kJoinedParts{Part{draw_joined_cell, 0.24F}, Part{draw_row_profile, 0.28F}, Part{draw_joined_map, 0.26F},
                                  Part{draw_joined_words, 0.22F}};

/// Shows what is known of the head over many texts beside what is known over this one.
std::span<const Part> parts_of(const Panel& panel, HeadId head, bool is_drawer) {
  if (shows_joined_map(panel)) return kJoinedParts;
  const bool has_corpus = has_corpus_card(panel, head);
  if (!is_drawer) return has_corpus ? std::span<const Part>(kRailWithCorpus) : std::span<const Part>(kRail);
  if (explains_cell(panel)) return kDrawerWithWhy;
  return has_corpus ? std::span<const Part>(kDrawerWithCorpus) : std::span<const Part>(kDrawer);
}

/// What Flow shows: the row of its map that is looked at, and there the cell under the pointer, else the row's largest.
Shown shown_joined(Panel& panel, bool is_dense) {
  Shown shown{panel, *panel.snapshot, "", inspected_head(panel).head, nullptr, {}, joined_map(panel), is_dense};
  if (shown.joined && !shown.joined->is_current) shown.joined.reset();
  if (!shown.joined) return shown;
  shown.focus = focus_of(panel, shown.head.layer, nullptr);
  if (!shown.focus.query || shown.focus.cell) return shown;
  const std::vector<Index> largest = largest_keys(shown.weights(), *shown.focus.query, 1);
  if (!largest.empty()) shown.focus.cell = Cell{*shown.focus.query, largest.front()};
  return shown;
}

Shown shown_in(Panel& panel, bool is_dense) {
  if (shows_joined_map(panel)) return shown_joined(panel, is_dense);
  const ComparedHead inspected = inspected_head(panel);
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, inspected);
  const Focus focus = focus_of(panel, inspected.head.layer, maps.get(), inspected.of.get());
  return {panel, run_of(inspected, *panel.snapshot), inspected.subject, inspected.head, maps, focus, {}, is_dense};
}

/// Those of the shown view, where it has some and a picture to explain.
std::span<const InspectorPart> own_parts(const Panel& panel) {
  const ViewRow* row = panel.shown_view();
  if (row == nullptr || !panel.has_picture() || (row->absence && row->absence(panel))) return {};
  return row->inspector;
}

void draw_rail(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_scrolling_region(look, "Inspector", box, look.colours.panel);
  gap(look, kInside);
  if (const std::span<const InspectorPart> own = own_parts(panel); !own.empty()) {
    for (const InspectorPart& part : own) {
      part.draw(panel, false);
      gap(look, kBetween);
    }
  } else if (panel.has_picture()) {
    const Shown shown = shown_in(panel, false);
    for (const Part& part : parts_of(panel, shown.head, false)) {
      part.draw(shown);
      gap(look, kBetween);
    }
  }
  end_scrolling_region();
}

/// Parts beside each other; draw(i) draws one.
template <typename Parts, typename Draw>
void draw_beside(const Look& look, const Box& box, const Parts& parts, const Draw& draw) {
  float left = box.x;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const float width = i + 1 < parts.size() ? std::round(box.width * parts[i].share) : box.right() - left;
    const float inset = look.px(kBetween);
    if (i > 0) ImGui::GetWindowDrawList()->AddRectFilled({left, box.y}, {left + 1, box.bottom()}, to_imgui(look.colours.line));
    ImGui::SetCursorScreenPos({left + inset, box.y + look.px(6)});
    ImGui::BeginChild(static_cast<ImGuiID>(i + 1), {std::max(1.0F, width - inset - look.px(kUnit)), box.height - look.px(6)},
                      ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground);
    draw(i);
    ImGui::EndChild();
    left += width;
  }
}

/// The sections beside each other.
void draw_drawer(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Inspector", box, look.colours.panel, {0, 0});
  if (const std::span<const InspectorPart> own = own_parts(panel); !own.empty()) {
    draw_beside(look, box, own, [&](std::size_t i) { own[i].draw(panel, true); });
  } else if (panel.has_picture()) {
    const Shown shown = shown_in(panel, true);
    const std::span<const Part> parts = parts_of(panel, shown.head, true);
    draw_beside(look, box, parts, [&](std::size_t i) { parts[i].draw(shown); });
  }
  end_region();
}

/// The drawer as a line: where the chosen query looks.
void draw_line(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Inspector", box, look.colours.panel, {0, 0});
  const Press press = press_area("Open the inspector", {box.x, box.y}, {box.width, box.height});
  hint(look, "Show the numbers of the cell, its row and its head (ctrl+J).");
  if (press.is_clicked) panel.view.shell.right = Fold::open;
  const float mark = box.right() - look.px(kBetween), middle = box.y + box.height / 2;
  draw_triangle(look, {mark, middle}, press.is_hovered ? look.colours.text : look.colours.text_second, true);
  if (panel.has_picture()) draw_words_in_line(shown_in(panel, true), box.x + look.px(kBetween), mark - look.px(kBetween), middle);
  end_region();
}

/// The rail as a strip with its name.
void draw_strip(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Inspector", box, look.colours.panel, {0, 0});
  constexpr const char* kName = "Inspector";
  const float length = text_width(look, Type::body, kName) + look.px(2 * 12);
  const Press press = press_area("Open the inspector", {box.x, box.y}, {box.width, look.px(kUnit) + length});
  hint(look, "Show the numbers of the cell, its row and its head (ctrl+J).");
  if (press.is_clicked) panel.view.shell.right = Fold::open;
  draw_upward_text(look, box.x + box.width / 2, box.y + look.px(kUnit) + length - look.px(12), Type::body,
                   press.is_hovered ? look.colours.text : look.colours.text_second, kName);
  end_region();
}

}  // namespace

void draw_inspector(Panel& panel, const Box& box, RailForm form, bool is_drawer) {
  if (form != RailForm::open || !panel.has_picture() || !own_parts(panel).empty()) panel.context.session.effects().rest_cell();
  if (form == RailForm::away) return;
  if (form == RailForm::open) return is_drawer ? draw_drawer(panel, box) : draw_rail(panel, box);
  is_drawer ? draw_line(panel, box) : draw_strip(panel, box);
}

}  // namespace headlight

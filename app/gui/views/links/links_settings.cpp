// The section of the left rail that sets Links.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/links/links_view.h"
#include "app/gui/views/links/shown_lines.h"
#include "engine/core/numbers.h"
#include "engine/figure/links/link_looks.h"

namespace headlight {
namespace {

constexpr float kMostSquare = 20, kLeastSquare = 5;
constexpr float kLayerNumber = 24;
constexpr float kMostSquareHeight = 240;  // of all layers; beyond it the squares get smaller

void draw_which(Panel& panel) {
  LinksPage& page = panel.view.links;
  const std::array<Choice, 3> choices{
      Choice{"layer", "All heads of the layer that is looked at (arrow keys change it)."},
      Choice{"all", "The heads of all layers between the same texts."},
      Choice{"chosen",
             page.chosen.empty() ? "No head is chosen yet: click squares below, or double-click one for its lines alone."
                                 : "The heads that are chosen by clicking their squares.",
             !page.chosen.empty()},
  };
  auto which = static_cast<int>(page.which);
  const Row row = begin_row(panel.look, "Heads of", "Whose weights are drawn as lines.");
  if (segmented(panel.look, row, "Lines of", choices, which)) page.which = static_cast<LinksPage::Heads>(which);
}

/// A square for each head: its colour where it has lines, else an outline.
void draw_square(Panel& panel, HeadId head, const std::vector<HeadId>& heads, const Box& box) {
  const Look& look = panel.look;
  const auto place = std::lower_bound(heads.begin(), heads.end(), head);
  const bool is_on = place != heads.end() && *place == head;
  const Press press = press_area(fmt::format("line square {}.{}", head.layer, head.head).c_str(), {box.x, box.y}, {box.width, box.height});
  hint(look, fmt::format("{}: {}", head_title(*panel.snapshot, head),
                         is_on ? "click hides its lines, double-click hides all others" : "click shows its lines, double-click only them")
                 .c_str());
  const float inset = look.px(box.width > look.px(10) ? 2 : 0.5F);
  const ImVec2 from{box.x + inset, box.y + inset}, to{box.right() - inset, box.bottom() - inset};
  const auto number = static_cast<std::size_t>(place - heads.begin());
  if (is_on) fill(look, from, to, link_colour(panel.draft.style.theme, number), 2);
  if (is_on && box.width >= look.px(14)) {
    draw_text(look, (from.x + to.x) / 2, (from.y + to.y) / 2, Type::caption, look.colours.ground, link_letter(number), AlignX::centre);
  }
  if (!is_on) fill(look, from, to, press.is_hovered ? look.colours.line : look.colours.raised, 2);
  if (press.is_hovered || head == panel.view.head)
    outline(look, from, to, head == panel.view.head ? look.colours.accent : look.colours.text_second, 2);
  if (panel.view.brushed.contains(head)) {  // in Measures
    const float radius = std::clamp(box.width / 8, look.px(1.5F), look.px(3));
    canvas().AddCircleFilled({to.x - radius, from.y + radius}, radius + 1, to_imgui(look.colours.panel));
    canvas().AddCircleFilled({to.x - radius, from.y + radius}, radius, to_imgui(look.colours.accent));
  }
  if (press.is_clicked) toggle_linked_head(panel, head);
  if (press.is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) link_only(panel, head);
}

/// Layers from top to bottom, heads from left to right: those between the shown texts.
void draw_squares(Panel& panel, const std::vector<HeadId>& heads) {
  const Look& look = panel.look;
  const Snapshot& snapshot = *panel.snapshot;
  const int shown = linked_layer(panel);
  std::vector<int> layers;
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    if (has_same_texts(snapshot, shown, layer)) layers.push_back(layer);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x - look.px(kLayerNumber);
  const float fitting = std::min(room / static_cast<float>(std::max(1, snapshot.heads())),
                                 look.px(kMostSquareHeight) / static_cast<float>(std::max<std::size_t>(1, layers.size())));
  const float side = std::floor(std::clamp(fitting, look.px(kLeastSquare), look.px(kMostSquare)));
  ImGui::Dummy({1, side * static_cast<float>(layers.size())});
  const float number_step = std::max(1.0F, std::ceil(look.px(14) / side));
  for (std::size_t line = 0; line < layers.size(); ++line) {
    const float y = at.y + side * static_cast<float>(line);
    if (line % static_cast<std::size_t>(number_step) == 0) {
      draw_text(look, at.x + look.px(kLayerNumber - 8), y + side / 2, Type::number, look.colours.text_second,
                std::to_string(snapshot.model->config.place(layers[line]).number), AlignX::right);
    }
    for (int head = 0; head < snapshot.heads(layers[line]); ++head) {
      const float x = at.x + look.px(kLayerNumber) + side * static_cast<float>(head);
      if (x + side > at.x + look.px(kLayerNumber) + room + 1) break;
      draw_square(panel, {layers[line], head}, heads, {x, y, side, side});
    }
  }
  gap(look, kUnit);
}

/// A toggle with the share of all attention that its part holds.
void draw_part(Panel& panel, const LinkLines* lines, PairPart part, const Box& box) {
  const Look& look = panel.look;
  bool& is_on = panel.view.links.filter.parts[static_cast<std::size_t>(part)];
  const std::string name(name_of(part));
  const Press press = press_area(name.c_str(), {box.x, box.y}, {box.width, box.height});
  hint(look,
       "Shows or hides the lines from one sentence to the other. The number is its share of all attention of these heads; the four "
       "sum to 100 %.");
  if (press.is_clicked) is_on = !is_on;
  const ImVec2 from{box.x, box.y}, to{box.right(), box.bottom()};
  fill(look, from, to,
       is_on              ? mix(look.colours.panel, look.colours.accent, 0.2F)
       : press.is_hovered ? look.colours.raised
                          : look.colours.ground);
  outline(look, from, to, is_on ? look.colours.accent : look.colours.line);
  const float middle = box.y + box.height / 2;
  draw_text(look, box.x + look.px(kUnit), middle, Type::body, is_on ? look.colours.text : look.colours.text_second, name);
  if (lines == nullptr) return;
  draw_text(look, box.right() - look.px(kUnit), middle, Type::number, is_on ? look.colours.text : look.colours.text_second,
            percent_text(lines->share[static_cast<std::size_t>(part)]), AlignX::right);
}

void draw_pairs(Panel& panel, const LinkLines* lines) {
  const Look& look = panel.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float between = look.px(kInside), width = std::floor((ImGui::GetContentRegionAvail().x - between) / 2), height = look.px(kControl);
  ImGui::Dummy({1, 2 * height + between});
  for (std::size_t part = 0; part < kPairParts; ++part) {
    const auto column = static_cast<float>(part % 2), line = static_cast<float>(part / 2);
    draw_part(panel, lines, static_cast<PairPart>(part),
              {at.x + column * (width + between), at.y + line * (height + between), width, height});
  }
  text_line(look, Type::caption, look.colours.text_second, "share of all attention of these heads");
  gap(look, kInside);
}

/// From 0.001 to 1, finer where weights are small.
void draw_threshold(Panel& panel, const Row& row) {
  constexpr float kLow = 0.001F;
  LinkFilter& filter = panel.view.links.filter;
  float place = std::log10(filter.threshold / kLow) / 3;
  const float home = std::log10(LinkFilter{}.threshold / kLow) / 3;
  if (!slider(panel.look, row, "Threshold", place, 0, 1, home, fmt::format("{:.3g}", filter.threshold))) return;
  const float wanted = kLow * std::pow(10.0F, 3 * std::clamp(place, 0.0F, 1.0F));
  const float step = wanted < 0.01F ? 0.001F : wanted < 0.1F ? 0.005F : 0.02F;
  filter.threshold = std::clamp(std::round(wanted / step) * step, kLow, 1.0F);
}

void draw_rule(Panel& panel) {
  const Look& look = panel.look;
  LinkFilter& filter = panel.view.links.filter;
  const std::array<Choice, 2> choices{Choice{"threshold", "A line for every weight that is at least the threshold."},
                                      Choice{"top k", "Lines for the k largest weights of every query, of each head."}};
  auto rule = static_cast<int>(filter.rule);
  if (segmented(look, begin_row(look, "Show"), "Lines by", choices, rule)) filter.rule = static_cast<LinkRule>(rule);
  if (filter.rule == LinkRule::threshold) {
    draw_threshold(panel, begin_row(look, "Threshold", "The least weight that has a line. Double-click: 0.1."));
  } else {
    slider(look, begin_row(look, "k", "How many weights of every query have lines, of each head."), "Top k", filter.top, 1, kMostTop);
  }
}

/// How much of the attention the lines show, as a bar and in words.
void draw_shown_share(const Look& look, const LinkLines& lines) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = look.px(6), top = at.y + look.px(3);
  ImGui::Dummy({1, look.px(12)});
  fill(look, {at.x, top}, {at.x + width, top + height}, look.colours.line, 3);
  const auto share = static_cast<float>(lines.total > 0 ? lines.shown / lines.total : 0);
  if (share > 0) fill(look, {at.x, top}, {at.x + std::max(height, width * share), top + height}, look.colours.accent, 3);
  paragraph(look, Type::caption, look.colours.text_second, lines_text(lines));
  gap(look, kInside);
}

void draw_text_tint(Panel& panel) {
  const Look& look = panel.look;
  LinksPage& page = panel.view.links;
  const std::array<Choice, 2> tints{
      Choice{"attention", "The weights between the word that is pointed at or kept, and all others: mean of the heads."},
      Choice{"received", "What each word gets from all queries: mean of the heads."}};
  auto tint = static_cast<int>(page.tint);
  if (segmented(look, begin_row(look, "Text tint", "What tints the words of the running text."), "Text tint", tints, tint))
    page.tint = static_cast<TextTint>(tint);
  const std::array<Choice, 2> sides{Choice{"query", "The word that is pointed at looks at the others: they light up as keys."},
                                    Choice{"key", "The others look at the word that is pointed at: they light up as queries."}};
  int side = page.are_words_keys ? 1 : 0;
  if (segmented(look, begin_row(look, "Word as"), "Word as", sides, side)) page.are_words_keys = side == 1;
}

}  // namespace

void draw_links_settings(Panel& panel) {
  const Look& look = panel.look;
  if (!panel.has_picture() || !section(look, "Lines", panel.view.rails.folded, links_state(panel))) return;
  const std::vector<HeadId> heads = linked_heads(panel);
  const std::shared_ptr<const LinksFound> found = panel.context.session.links().found();
  const LinkLines* lines = found && found->snapshot == panel.snapshot ? found->lines.get() : nullptr;
  draw_which(panel);
  draw_squares(panel, heads);
  if (lines != nullptr && lines->texts.is_pair()) draw_pairs(panel, lines);
  draw_rule(panel);
  if (lines != nullptr) draw_shown_share(look, *lines);
  on_off(look, begin_row(look, "Special tokens", "Lines from and to tokens that the tokenizer added, such as [CLS] and [SEP]."),
         "Special tokens", panel.view.links.filter.has_special);
  draw_text_tint(panel);
}

std::string links_state(const Panel& panel) {
  if (!panel.has_picture()) return {};
  const std::size_t heads = linked_heads(panel).size();
  return heads == 1 ? "1 head" : fmt::format("{} heads", heads);
}

}  // namespace headlight

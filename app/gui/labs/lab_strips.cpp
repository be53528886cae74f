// The lab that shows a layer's matrices as strips: what it reads, what its heads work on, and their results side by side.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/kit/formula.h"
#include "app/gui/labs/lab_page.h"

namespace headlight {
namespace {

constexpr float kLeastStripRow = 11, kStripRow = 14, kTallestStripRow = 28;  ///< of a token, in points
constexpr float kStripCell = 6.0F / 7;                                       ///< widest column, of the height of a row
constexpr float kStripLabels = 96;
constexpr float kLegend = 260;          ///< ramp and size beside a title
constexpr float kLeastBlockLabel = 16;  ///< narrower blocks have no number above

/// Numbers of the heads above their columns: "head 0", or "0" where there is less room.
void draw_block_labels(const Look& look, const ConcatenationFound::Strip& strip, const Box& map, int framed) {
  if (strip.blocks == 1) return;
  const float block = map.width / static_cast<float>(strip.blocks);
  const bool fits = text_width(look, Type::caption, "head 99") <= block;
  for (int head = 0; head < strip.blocks && block >= look.px(kLeastBlockLabel); ++head) {
    const std::string text = fits ? fmt::format("head {}", head) : std::to_string(head);
    draw_text(look, map.x + block * (static_cast<float>(head) + 0.5F), map.y - look.px(9), Type::caption,
              head == framed ? look.colours.accent : look.colours.text_second, text, AlignX::centre);
  }
}

constexpr float kAboveStrip = 18, kBelowStrip = 12;

/// Rows as high as the window has room for all strips of the page; below the usual height only where that shows all strips once it is scrolled.
float strip_row_height(const LabPage& page, const ConcatenationFound& found) {
  const Look& look = page.look;
  float taken = look.px(kBetween), rows = 0;
  for (const ConcatenationFound::Strip& strip : found.strips) {
    taken += look.px(kLine + (strip.blocks > 1 ? kAboveStrip : kInside) + kBelowStrip);
    rows += static_cast<float>(std::max<Index>(1, strip.values->rows()));
  }
  const float window = ImGui::GetWindowHeight(), left = window - ImGui::GetCursorPosY() - look.px(kBetween);  // to the end of the page
  const float usual = look.px(kStripRow), at_once = (left - taken) / rows, scrolled = (window - taken) / rows;
  if (at_once >= usual) return std::floor(std::min(at_once, look.px(kTallestStripRow)));
  return scrolled < look.px(kLeastStripRow) ? usual : std::floor(std::min(scrolled, usual));
}

/// Returns its right edge.
float draw_strip(LabPage& page, const ConcatenationFound::Strip& strip, int framed, float row_height) {
  const Look& look = page.look;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_formula(look, start.x, start.y + look.px(kLine) / 2, look.colours.text, strip.title);
  const ColourScale scale = page.signed_scale(strip.largest);
  const float title = formula_width(look, strip.title) + look.px(kBetween);
  const bool has_room = page.width() - title >= look.px(kLegend);  // beside the title, so that two strips are in sight at once
  ImGui::SetCursorScreenPos({start.x + (has_room ? title : 0), start.y + (has_room ? 0 : look.px(kLine))});
  page.legend(scale, fmt::format("{} × {}", strip.values->rows(), strip.values->columns()));
  const ImVec2 at{start.x, std::max(ImGui::GetCursorScreenPos().y, start.y + look.px(kLine))};
  ImGui::SetCursorScreenPos(at);
  const float labels = look.px(kStripLabels);
  const auto rows = static_cast<float>(strip.values->rows()), columns = static_cast<float>(strip.values->columns());
  const float width = std::floor(std::min(page.width() - labels, columns * row_height * kStripCell));
  const Box map{at.x + labels, at.y + look.px(strip.blocks > 1 ? kAboveStrip : kInside), std::max(1.0F, width), rows * row_height};
  draw_block_labels(look, strip, map, framed);
  for (std::size_t row = 0; row < strip.rows.size(); ++row) {
    const Mark mark = page.mark_of_row(strip, static_cast<Index>(row));
    const Colour hovered = strip.has_key_rows ? look.colours.key : look.colours.query;
    const Colour colour = mark == Mark::pinned ? look.colours.text : mark == Mark::hovered ? hovered : look.colours.text_second;
    const float middle = map.y + (static_cast<float>(row) + 0.5F) * row_height;
    const std::string position = shows_positions(page.tokens_of(strip)) ? fmt::format(" {}", row) : std::string();
    if (mark == Mark::pinned) {
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, middle - row_height / 2}, {map.x - look.px(kInside), middle + row_height / 2},
                                                to_imgui(mark_fill(look.colours.query, mark)), look.px(3));
    }
    draw_text(look, map.x - look.px(kUnit), middle, Type::caption, colour,
              elided(look, Type::caption, strip.rows[row], labels - look.px(kUnit) - text_width(look, Type::caption, position)) + position,
              AlignX::right);
  }
  page.strip(strip, scale, map, framed);
  ImGui::Dummy({page.width(), map.bottom() - at.y + look.px(kBelowStrip)});
  return map.right();
}

}  // namespace

void draw_concatenation_lab(LabPage& page, const ConcatenationFound* found) {
  const Look& look = page.look;
  LabSettings& settings = page.panel.view.labs;
  page.heading(
      "Concatenation",
      "Each head works on its own columns and returns a z of the same width. The z are concatenated, head by head, and one matrix W_O maps "
      "them to the layer’s output. The frame marks the head being looked at.");
  const std::array<std::string, 3> steps{"inputs", "q, k, v", "z and output"};
  auto step = static_cast<int>(settings.step);
  if (segmented(look, page.control_row("Show", "What the layer reads, what its heads work on, or their results joined."), "Show", steps,
                step)) {
    settings.step = static_cast<LayerStep>(step);
  }
  if (found == nullptr) return page.caption("Computing …");
  page.caption(strips_note(*found, *page.shown));
  gap(look, kUnit);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float row_height = strip_row_height(page, *found);
  float right = at.x;
  for (const ConcatenationFound::Strip& strip : found->strips) {
    right = std::max(right, draw_strip(page, strip, framed_block(*found, strip, page.shown->head), row_height));
  }
  const float around = look.px(kInside);  // for the light of a lesson
  page.card("strips", {at.x - 2 * around, at.y - around, right - at.x + 4 * around, ImGui::GetCursorScreenPos().y - at.y + around});
}

}  // namespace headlight

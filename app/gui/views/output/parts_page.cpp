// Parts: what a logit is made of, as bars that run on from each other and end in it; beside them what one head takes from each source token.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/views/output/output_pages.h"
#include "app/gui/watching/target_here.h"
#include "app/gui/watching/waterfall.h"
#include "engine/attribution/logit_bars.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr float kPartsShare = 0.56F;  ///< of the view's width
constexpr float kLabels = 0.34F;      ///< of the list's width
constexpr float kValue = 72;
constexpr std::size_t kFewestListed = 6, kMostListed = 24;  ///< parts with a bar of their own
constexpr std::size_t kListedSources = 9;

/// Draws one row of the waterfall: from `from` on.
void draw_bar(Panel& panel, const LogitBar& bar, double from, BarScale scale) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const float width = row.right - row.left, label_right = row.left + width * kLabels;
  scale.left = label_right + look.px(12);
  scale.width = row.right - look.px(kValue) - scale.left;
  const Press press = press_area(("Part " + bar.label).c_str(), {row.left, row.top}, {width, row.height});
  const bool is_chosen = bar.head && panel.view.head == *bar.head;
  draw_mark(look, {row.left, row.top, width, row.height}, look.colours.accent,
            is_chosen                      ? Mark::pinned
            : press.is_hovered && bar.head ? Mark::hovered
                                           : Mark::none);
  hint(look, bar.help.c_str());
  if (press.is_hovered && bar.head) panel.view.output.pointed = bar.head;
  if (press.is_clicked && bar.head) panel.view.head = *bar.head;
  if (press.is_hovered && bar.head && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) panel.view.view = View::head;
  const std::string label = elided_middle(look, Type::body, bar.label, width * kLabels - look.px(kUnit));
  draw_text(look, label_right, row.middle(), Type::body, is_chosen ? look.colours.text : look.colours.text_second, label, AlignX::right);
  draw_running_bar(look, row, scale, {from, from + bar.value, colour_of_effect(panel, bar.value)});
  draw_text(look, row.right - look.px(kUnit), row.middle(), Type::number, look.colours.text, target_change(bar.value), AlignX::right);
}

void draw_sum(Panel& panel, const LogitParts& parts, BarScale scale) {
  const Look& look = panel.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  canvas().AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y}, to_imgui(look.colours.line));
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const float width = row.right - row.left, label_right = row.left + width * kLabels;
  scale.left = label_right + look.px(12);
  scale.width = row.right - look.px(kValue) - scale.left;
  draw_text(look, label_right, row.middle(), Type::strong, look.colours.text, "sum = logit", AlignX::right);
  const float a = scale.x(0), b = scale.x(parts.sum), half = look.px(5);
  fill(look, {std::min(a, b), row.middle() - half}, {std::max(a, b), row.middle() + half}, look.colours.text, 1);
  draw_text(look, row.right - look.px(kUnit), row.middle(), Type::number, look.colours.text, target_number(parts.logit), AlignX::right);
  name_area("Sum of parts", {row.left, row.top, width, row.height});
}

void draw_waterfall(Panel& panel, const PartsFound& found, const LogitInFocus& logit, const Box& box) {
  const Look& look = panel.look;
  begin_scrolling_region(look, "Parts of the logit", box, look.colours.ground);
  gap(look, kUnit);
  draw_logit_title(look, panel, logit);
  gap(look, kInside);
  paragraph(look, Type::body, look.colours.text_second,
            logit.is_target
                ? "What adds up to the target: direct logit attribution. A bar is what a part writes straight to the logit, not what "
                  "later parts make of it."
                : "What adds up to the likeliest word's logit: direct logit attribution. Click a word in Predictions to take that "
                  "one apart.");
  for (const std::string& note : found.parts.notes) paragraph(look, Type::caption, look.colours.text_second, note);
  gap(look, kUnit);
  const float room = ImGui::GetContentRegionAvail().y / (look.px(kNumberRow) + ImGui::GetStyle().ItemSpacing.y);
  const std::size_t listed = std::clamp(static_cast<std::size_t>(std::max(0.0F, room - 6)), kFewestListed, kMostListed);
  const std::vector<LogitBar> bars = logit_bars(*found.request.run, found.parts, listed);
  std::vector<double> values;
  for (const LogitBar& bar : bars) values.push_back(bar.value);
  const BarScale scale = scale_of(values);
  double at = 0;
  for (const LogitBar& bar : bars) {
    draw_bar(panel, bar, at, scale);
    at += bar.value;
  }
  draw_sum(panel, found.parts, scale);
  gap(look, kUnit);
  end_scrolling_region();
}

struct SourceRow {
  std::string label;
  SourceShare share;
};

std::vector<SourceRow> rows_of(const Panel& panel, const SourcesFound& found) {
  const Snapshot& run = *found.request.logit.run;
  const TokenNames& names = panel.caches.pictures.names(run, run.key_tokens(found.request.head.layer));
  std::vector<SourceRow> rows;
  for (const SourceShare& share : source_shares(found.adds, found.weights, kListedSources)) {
    const std::string others = share.joined == 1 ? "1 other token" : fmt::format("{} other tokens", share.joined);
    rows.push_back({share.token >= 0 ? names[share.token] : others, share});
  }
  return rows;
}

struct SourceColumns {
  float weight_left, weight_right, zero, half, adds_right;
};
SourceColumns columns_of(const Look& look, const Row& row) {
  const float width = row.right - row.left;
  SourceColumns at{};
  at.weight_left = row.left + width * 0.36F;
  at.weight_right = row.left + width * 0.58F;
  at.adds_right = row.right - look.px(kUnit);
  const float left = at.weight_right + look.px(kBetween), right = row.right - look.px(kValue);
  at.zero = (left + right) / 2;
  at.half = std::max(0.0F, (right - left) / 2);
  return at;
}

void draw_source(Panel& panel, const SourceRow& source, double largest) {
  const SourceShare& share = source.share;
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const SourceColumns at = columns_of(look, row);
  press_area(("Source " + source.label + (share.token >= 0 ? " " + std::to_string(share.token) : "")).c_str(), {row.left, row.top},
             {row.right - row.left, row.height});
  const std::string label = elided(look, Type::body, source.label, at.weight_left - row.left - look.px(32));
  draw_text(look, row.left, row.middle(), Type::body, share.token >= 0 ? look.colours.key : look.colours.text_second, label);
  if (share.token >= 0) {
    draw_text(look, row.left + text_width(look, Type::body, label) + look.px(6), row.middle(), Type::number, look.colours.text_second,
              std::to_string(share.token));
  }
  const float bar_right = at.weight_right - look.px(60), half = look.px(3);
  if (bar_right > at.weight_left) {
    fill(look, {at.weight_left, row.middle() - half}, {bar_right, row.middle() + half}, look.colours.raised, 2);
    const float filled = static_cast<float>(std::clamp(share.weight, 0.0, 1.0));
    fill(look, {at.weight_left, row.middle() - half}, {at.weight_left + (bar_right - at.weight_left) * filled, row.middle() + half},
         look.colours.key, 2);
  }
  draw_text(look, at.weight_right, row.middle(), Type::number, look.colours.text, weight_text(share.weight), AlignX::right);
  canvas().AddLine({at.zero, row.top}, {at.zero, row.top + row.height}, to_imgui(look.colours.line));
  const float end = at.zero + static_cast<float>(largest > 0 ? share.adds / largest : 0) * at.half;
  fill(look, {std::min(at.zero, end), row.middle() - look.px(5)},
       {std::max(std::max(at.zero, end), std::min(at.zero, end) + 1), row.middle() + look.px(5)}, colour_of_effect(panel, share.adds), 1);
  draw_text(look, at.adds_right, row.middle(), Type::number, look.colours.text, target_change(share.adds), AlignX::right);
}

void draw_source_head(const Look& look) {
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const SourceColumns at = columns_of(look, row);
  draw_text(look, row.left, row.middle(), Type::caption, look.colours.text_second, "source token");
  draw_text(look, at.weight_right, row.middle(), Type::caption, look.colours.text_second, "weight", AlignX::right);
  draw_text(look, at.adds_right, row.middle(), Type::caption, look.colours.text_second, "adds", AlignX::right);
}

void draw_sources(Panel& panel, const SourcesFound& found, const Box& box) {
  const Look& look = panel.look;
  begin_scrolling_region(look, "Sources of the head", box, look.colours.ground);
  gap(look, kUnit);
  const std::string head = short_name(*found.request.logit.run, found.request.head);
  text_line(look, Type::title, look.colours.text, head + " by source token");
  gap(look, kInside);
  paragraph(look, Type::body, look.colours.text_second, "Weight × what the token's value adds to the logit, through W_O.");
  gap(look, kUnit);
  draw_source_head(look);
  const std::vector<SourceRow> rows = rows_of(panel, found);
  double largest = 0, weight = 0, adds = 0;
  for (const SourceRow& row : rows)
    largest = std::max(largest, std::abs(row.share.adds)), weight += row.share.weight, adds += row.share.adds;
  for (const SourceRow& row : rows) draw_source(panel, row, largest);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  canvas().AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y}, to_imgui(look.colours.line));
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const SourceColumns columns = columns_of(look, row);
  draw_text(look, row.left, row.middle(), Type::strong, look.colours.text, "sum");
  draw_text(look, columns.weight_right, row.middle(), Type::number, look.colours.text_second, weight_text(weight), AlignX::right);
  draw_text(look, columns.adds_right, row.middle(), Type::number, look.colours.text, target_change(adds), AlignX::right);
  gap(look, kUnit);
  paragraph(look, Type::caption, look.colours.text_second, "Click a bar at the left to see another head; double-click opens it.");
  end_scrolling_region();
}

}  // namespace

void draw_parts_page(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  if (const std::string problem = why_no_logit_parts(*panel.snapshot); !problem.empty()) {
    return draw_page_message(look, box, "This logit cannot be taken apart", problem);
  }
  const std::optional<LogitInFocus> logit = logit_in_focus(panel);
  Effects& effects = panel.context.session.effects();
  const std::shared_ptr<const PartsFound> found = logit ? effects.parts({panel.snapshot, logit->question}) : nullptr;
  if (!found || found->request.run != panel.snapshot) return draw_page_message(look, box, "Taking the logit apart …", "");
  const float left = std::round(box.width * kPartsShare), inset = look.px(kUnit);
  draw_waterfall(panel, *found, *logit, {box.x + inset, box.y, left - inset, box.height});
  const HeadId head = inspected_head(panel).head;
  const std::shared_ptr<const SourcesFound> sources = effects.sources({found->request, head});
  if (sources && sources->request.logit.run == panel.snapshot) {
    draw_sources(panel, *sources, {box.x + left, box.y, box.width - left - inset, box.height});
  }
  ImGui::GetBackgroundDrawList()->AddLine({box.x + left, box.y}, {box.x + left, box.bottom()}, to_imgui(look.colours.line));
}

}  // namespace headlight

// The lab of a whole layer: lengths as bars, and the bend of the feed-forward part as a curve with a token's numbers on it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/labs/walk_lab.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/labs/lab_page.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr float kBarNames = 168, kBarNumber = 72, kBarRow = 30, kTallestBarRow = 48;
constexpr float kUsualWalk = 680, kBendHeight = 260, kLeastBend = 160, kBendAxis = 40, kBendFoot = 28;

/// As wide as the page, but no wider than goes with its height.
float walk_width(const LabPage& page) {
  return std::min(page.width(), std::max(page.look.px(kUsualWalk), 1.5F * ImGui::GetWindowHeight()));
}

/// With room around what it holds, for the light of a lesson.
void name_card(LabPage& page, const char* name, const Box& box) {
  const float around = page.look.px(kInside);
  page.card(name, {box.x - 2 * around, box.y - around, box.width + 4 * around, box.height + 2 * around});
}

void draw_lengths(LabPage& page, const WalkFound& found) {
  const Look& look = page.look;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = walk_width(page);
  const float height = std::round(std::clamp(ImGui::GetWindowHeight() / 20, look.px(kBarRow), look.px(kTallestBarRow)));
  text_line(look, Type::strong, look.colours.text, lengths_title(found));
  const float left = at.x + look.px(kBarNames), right = at.x + width - look.px(kBarNumber), half = std::round(height * 0.3F);
  PicturedNumbers copied{.name = "lengths", .columns = {}, .queries = {}, .keys = {}, .table = {{"vector", "length"}}};
  for (const WalkFound::Length& each : found.lengths) {
    const ImVec2 line = ImGui::GetCursorScreenPos();
    const float y = std::round(line.y + height / 2);
    ImGui::Dummy({width, height});
    draw_text(look, at.x, y, Type::body, each.is_added ? look.colours.accent : look.colours.text, each.name);
    const double share = found.largest() > 0 && std::isfinite(each.length) ? each.length / found.largest() : 0;
    const float end = left + std::max(look.px(2), std::round((right - left) * static_cast<float>(share)));
    fill(look, {left, y - half}, {end, y + half}, each.is_added ? look.colours.accent : look.colours.query, 2);
    draw_text(look, end + look.px(kUnit), y, Type::number, look.colours.text, number_text(each.length, 2));
    name_area("length " + each.name, {left, y - half, end - left, 2 * half});
    copied.table.push_back({each.name, fmt::format("{:.6g}", each.length)});
  }
  const Box box{at.x, at.y, width, ImGui::GetCursorScreenPos().y - at.y};
  page.offer(box, std::move(copied));
  name_card(page, "lengths", box);
}

/// From numbers to pixels.
struct Bend {
  Box box;
  float reach = 1, low = -1, high = 1;
  ImVec2 at(float x, float y) const {
    return {box.x + (x + reach) / (2 * reach) * box.width, box.bottom() - (y - low) / (high - low) * box.height};
  }
};

void draw_bend_axes(const Look& look, const Bend& bend) {
  const Box& box = bend.box;
  const ImU32 line = to_imgui(look.colours.line);
  for (int x = static_cast<int>(-bend.reach); x <= static_cast<int>(bend.reach); x += bend.reach > 4 ? 2 : 1) {
    const ImVec2 foot = bend.at(static_cast<float>(x), bend.low);
    canvas().AddLine({foot.x, box.y}, {foot.x, box.bottom()}, line);
    draw_text(look, foot.x, foot.y + look.px(12), Type::number, look.colours.text_second, number_text(x, 0), AlignX::centre);
  }
  for (int y = 0; y <= static_cast<int>(bend.high); y += bend.reach > 4 ? 2 : 1) {
    const ImVec2 side = bend.at(-bend.reach, static_cast<float>(y));
    canvas().AddLine(side, {box.right(), side.y}, y == 0 ? to_imgui(look.colours.text_second) : line);
    draw_text(look, box.x - look.px(kUnit), side.y, Type::number, look.colours.text_second, number_text(y, 0), AlignX::right);
  }
  const ImVec2 zero = bend.at(0, bend.low);
  canvas().AddLine({zero.x, box.y}, {zero.x, box.bottom()}, to_imgui(look.colours.text_second));
}

void draw_bend_curve(const Look& look, const Bend& bend, const WalkFound& found) {
  if (found.activation != "ReLU") {  // for comparison
    dashed_line(look, bend.at(-bend.reach, 0), bend.at(0, 0), look.colours.text_second, look.px(1));
    dashed_line(look, bend.at(0, 0), bend.at(bend.reach, bend.reach), look.colours.text_second, look.px(1));
    const ImVec2 end = bend.at(bend.reach * 0.8F, bend.reach * 0.8F);
    draw_text(look, end.x - look.px(kBetween), end.y - look.px(kInside), Type::caption, look.colours.text_second, "ReLU", AlignX::right);
  }
  std::vector<ImVec2> points;
  for (std::size_t place = 0; place < found.places.size(); ++place) points.push_back(bend.at(found.places[place], found.curve[place]));
  canvas().AddPolyline(points.data(), static_cast<int>(points.size()), to_imgui(look.colours.accent), ImDrawFlags_None, look.px(2));
  for (std::size_t place = 0; place < found.inner.size(); ++place) {
    if (!(std::abs(found.inner[place]) <= bend.reach)) continue;
    canvas().AddCircleFilled(bend.at(found.inner[place], found.bent[place]), look.px(3.5F), to_imgui(faded(look.colours.query, 0.7F)));
  }
}

void draw_bend(LabPage& page, const WalkFound& found) {
  const Look& look = page.look;
  gap(look, kBetween);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = walk_width(page);
  text_line(look, Type::strong, look.colours.text, bend_title(found));
  if (found.inner.empty()) return page.card("bend", {at.x, at.y, width, look.px(kLine)});
  gap(look, kUnit);
  const ImVec2 plot = ImGui::GetCursorScreenPos();
  const float axis = look.px(kBendAxis);
  const float window = ImGui::GetWindowHeight(), below = look.px(kBendFoot + 3 * kLine);
  const float usual = std::clamp(window - below - look.px(kLine), look.px(kLeastBend), look.px(kBendHeight));
  const float height = std::max(usual, window - ImGui::GetCursorPosY() - below);  // what the bars leave
  Bend bend{.box = {plot.x + axis, plot.y, std::max(look.px(kLine), width - axis - look.px(kUnit)), height}, .reach = found.places.back()};
  const float lowest = *std::min_element(found.curve.begin(), found.curve.end());
  bend.low = std::min(-bend.reach * 0.08F, lowest - bend.reach * 0.04F);
  bend.high = std::max(bend.reach, found.curve.back());
  draw_bend_axes(look, bend);
  draw_bend_curve(look, bend, found);
  name_area("bend", bend.box);
  ImGui::Dummy({width, height + look.px(kBendFoot)});
  const std::string outside = found.left_out > 0 ? fmt::format(" {} lie outside the plot.", found.left_out) : "";
  page.caption("Each dot is one of them. " + bend_note(found) + outside);
  PicturedNumbers copied{.name = "bend", .columns = {}, .queries = {}, .keys = {}, .table = {{"before", "after"}}};
  for (std::size_t place = 0; place < found.inner.size(); ++place)
    copied.table.push_back({fmt::format("{:.6g}", found.inner[place]), fmt::format("{:.6g}", found.bent[place])});
  const Box box{at.x, at.y, width, ImGui::GetCursorScreenPos().y - at.y};
  page.offer(box, std::move(copied));
  name_card(page, "bend", box);
}

}  // namespace

void draw_walk_lab(LabPage& page, const WalkFound* found) {
  page.heading(
      "The whole layer",
      "One token’s vector x on its way through a layer. Attention and feed-forward each add a vector to it; the bars are lengths, ‖x‖. "
      "Hold the row of another word to follow that one.");
  if (found == nullptr) return draw_waiting(page);
  draw_lengths(page, *found);
  draw_bend(page, *found);
}

}  // namespace headlight

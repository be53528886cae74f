// The inspector beside Flow: a cell of the map that several heads became, which heads and how, and all of it in words.
#include <fmt/core.h>

#include <array>
#include <string_view>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/rails/inspector_sections.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

constexpr const char* kDerived = "derived";

std::string value_text(float value) {
  return weight_text(static_cast<double>(value), 4);
}

/// A heading with the badge at the right end of its line.
void draw_derived_heading(const Shown& shown, const char* text) {
  const Look& look = shown.panel.look;
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float right = top.x + ImGui::GetContentRegionAvail().x;
  draw_heading(shown, text);
  draw_badge(look, right - badge_width(look, kDerived), top.y + look.px(kLine) / 2, kDerived, look.colours.accent);
  name_area("Derived badge", {top.x, top.y, right - top.x, look.px(kLine)});
}

/// "the mean of these 8 heads": what a cell's number is.
std::string made_of(const FlowRequest& flow, std::size_t heads) {
  const std::string these = heads == 1 ? "this head" : fmt::format("these {} heads", heads);
  switch (flow.settings.reduction) {
    case Reduction::mean:
      return "The mean of the weights of " + these + " in this cell.";
    case Reduction::max:
      return "The largest weight that any of " + these + " gives in this cell.";
    case Reduction::min:
      return "The smallest weight that " + these + " give in this cell.";
    case Reduction::median:
      return "The weight that half of " + these + " are above in this cell.";
    case Reduction::rollout:
      return "How much of the key's token reaches the query's through the layers, by the weights of " + these + " alone.";
  }
  return {};
}

/// Before the query, between it and the key, and after the key.
struct Sentence {
  std::string before, between, after;
};
Sentence sentence_of(const FlowRequest& flow, std::size_t heads, const std::string& value) {
  const std::string of_heads = heads == 1 ? "the head" : fmt::format("the {} heads", heads);
  switch (flow.settings.reduction) {
    case Reduction::mean:
      return {"In the mean of " + of_heads + ", ", fmt::format(" gives {} of its attention to ", value), "."};
    case Reduction::max:
      return {fmt::format("Among {}, ", of_heads), fmt::format(" gives {} at most to ", value), "."};
    case Reduction::min:
      return {fmt::format("In each of {}, ", of_heads), fmt::format(" gives {} at least to ", value), "."};
    case Reduction::median:
      return {fmt::format("In half of {}, ", of_heads), fmt::format(" gives {} or more to ", value), "."};
    case Reduction::rollout:
      return {"Of what reaches ", fmt::format(" through the layers, rollout gives {} to ", value), "."};
  }
  return {};
}

}  // namespace

std::vector<NumberLine> joined_lines(const Shown& shown, Cell cell) {
  const JoinedMap& joined = *shown.joined;
  const ReductionRow& how = row_of(joined.flow.settings.reduction);
  const bool is_allowed = joined.allows(cell);
  std::vector<NumberLine> lines{
      {std::string(how.label), is_allowed ? value_text(joined.value(cell)) : "masked", made_of(joined.flow, joined.map().heads)}};
  if (const auto& out = joined.shown->picture->left_out(); out && is_allowed) {
    const std::optional<float> value = joined.shown_value(cell);
    lines.push_back({"shown", value ? value_text(*value) : "hidden", "As the map has it: hidden keys are left out."});
    lines.push_back({"hidden in this row", percent_text(out->mass[static_cast<std::size_t>(cell.query)]),
                     "What the keys that are left out get from this query."});
  }
  lines.push_back({"mask", is_allowed ? "✓ may attend" : "✗ masked",
                   joined.flow.settings.reduction == Reduction::rollout ? "Whether anything of this key can reach this query."
                                                                        : "Whether any of the heads may attend to this key."});
  return lines;
}

void draw_joined_cell(const Shown& shown) {
  const Look& look = shown.panel.look;
  if (!shown.is_dense || !shown.focus.cell) draw_derived_heading(shown, "Cell");
  if (!shown.joined) return text_line(look, Type::body, look.colours.text_second, "No map is shown yet.");
  if (!shown.focus.cell) {
    paragraph(look, Type::body, look.colours.text_second, "Point at a cell to see its number; click to keep its row.");
    return;
  }
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::vector<NumberLine> lines = joined_lines(shown, *shown.focus.cell);
  draw_cell_title(shown, *shown.focus.cell);
  for (const NumberLine& line : lines) number_row(look, line.label, line.number, line.help.c_str(), shown.row_height());
  name_area(fmt::format("Joined cell {},{}: {}", shown.focus.cell->query, shown.focus.cell->key, lines.front().number),
            {top.x, top.y, width, ImGui::GetCursorScreenPos().y - top.y});
}

void draw_joined_map(const Shown& shown) {
  if (!shown.joined) return;
  const Look& look = shown.panel.look;
  const FlowRequest& flow = shown.joined->flow;
  draw_derived_heading(shown, "This map");
  const ImVec2 top = ImGui::GetCursorScreenPos();
  paragraph(look, Type::body, look.colours.text, flow_text(shown.run, flow) + ".");
  const std::string_view help = row_of(flow.settings.reduction).help;
  std::string caveat = flow_caveat(shown.run, flow);
  if (!caveat.empty() && help.find(caveat.substr(1)) != std::string_view::npos) caveat.clear();  // said below
  if (!caveat.empty()) {
    if (caveat.front() >= 'a' && caveat.front() <= 'z') caveat.front() = static_cast<char>(caveat.front() - 'a' + 'A');
    paragraph(look, Type::caption, look.colours.text_second, as_sentence(caveat));
  }
  paragraph(look, Type::caption, look.colours.text_second, std::string(help));
  name_area("How the map is made", {top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetCursorScreenPos().y - top.y});
}

void draw_joined_words(const Shown& shown) {
  if (!shown.joined) return;
  const Look& look = shown.panel.look;
  draw_heading(shown, "In words");
  const Colour plain = look.colours.text_second;
  if (!shown.focus.query) {
    paragraph(look, Type::body, plain, "Pin a token in the strip below, and this says what the joined map has of it.");
    return;
  }
  const auto quoted = [](const TokenNames& names, Index token) { return "“" + names[token] + "”" + names.counted(token); };
  const Span query{quoted(shown.queries(), *shown.focus.query), look.colours.query};
  if (shown.is_row_masked() || !shown.focus.cell) {
    const std::array spans{query, Span{" gives nothing to any key in this map.", plain}};
    return paragraph(look, spans);
  }
  const Cell cell = *shown.focus.cell;
  const JoinedMap& joined = *shown.joined;
  const Span key{quoted(shown.keys(), cell.key), look.colours.key};
  if (!joined.allows(cell)) {
    const std::array spans{query, Span{" may not look at ", plain}, key, Span{" in any of the heads.", plain}};
    return paragraph(look, spans);
  }
  const std::size_t heads = joined.map().heads;
  Sentence words = sentence_of(joined.flow, heads, percent_text(static_cast<double>(joined.value(cell))));
  if (joined.shown->picture->left_out()) words.after = ", before keys are hidden.";
  const std::array spans{Span{words.before, plain}, query, Span{words.between, plain}, key, Span{words.after, plain}};
  paragraph(look, spans);
}

}  // namespace headlight

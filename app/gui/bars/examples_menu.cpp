#include "app/gui/bars/examples_menu.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/commands/show_example.h"
#include "app/gui/kit/items.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr float kExampleWidth = 400;
constexpr float kBeforeName = 12, kAfterName = 28;

/// A line of the list of examples, with its description in the second colour.
bool draw_example(const Look& look, const std::string& name, const std::string& what, bool is_shown, float width) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const bool is_chosen = list_entry(look, name, is_shown, width);
  const float right = start.x + width - text_width(look, Type::body, what);
  if (!what.empty()) draw_text(look, right, start.y + look.px(kLine) / 2, Type::body, look.colours.text_second, what);
  return is_chosen;
}

std::string described(const CardHead& told) {
  return fmt::format("{} → {}   {}", told.from, told.to, short_name(told.head));
}

/// Wide enough for every head with its description, in pixels.
float list_width(const Look& look, const std::vector<CardHead>& heads) {
  float width = look.px(kExampleWidth);
  for (const CardHead& told : heads)
    width = std::max(width, text_width(look, Type::body, told.name) + look.px(kBetween) + text_width(look, Type::body, described(told)));
  return std::ceil(width);
}

/// What heads of a built-in model do, each in its own sentence.
void draw_card_heads(Panel& panel, const std::vector<CardHead>& heads) {
  const Look& look = panel.look;
  text_line(look, Type::heading, look.colours.text_second, "Heads of " + panel.draft.query.model.name);
  const float width = list_width(look, heads);
  for (const CardHead& told : heads) {
    const bool is_shown = panel.draft.query.text == told.text && panel.view.head == told.head && panel.view.view == View::head;
    if (draw_example(look, told.name, described(told), is_shown, width)) show_card_head(panel, told);
    if (ImGui::IsItemHovered()) hint(look, told.text.c_str());
  }
}

void draw_sentences_to_try(Panel& panel, const std::vector<Example>& examples, float width) {
  for (const Example& example : examples) {
    if (draw_example(panel.look, example.name, "", panel.draft.query.text == example.text, width)) show_example(panel, example);
  }
}

/// Examples that could not be read, with the reason, for their author.
void draw_left_out(const Look& look, const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) {
    gap(look, kInside);
    const ImVec2 top = ImGui::GetCursorScreenPos();
    const float width = look.px(kExampleWidth);
    paragraph(look, Type::caption, look.colours.bad, "Left out: " + as_sentence(problem), width);
    name_area("Left out: " + problem, {top.x, top.y, width, ImGui::GetCursorScreenPos().y - top.y});
  }
}

const char* name_of(bool is_named) {
  return is_named ? "Examples" : "e.g.";
}

/// What was read of examples and heads so far.
struct Lists {
  explicit Lists(Panel& panel)
      : examples(panel.context.session.examples().ask()), heads(panel.context.session.card_heads().ask(panel.draft.query.model.name)) {}
  decltype(std::declval<ExampleShelf&>().ask()) examples;
  decltype(std::declval<CardHeadShelf&>().ask("")) heads;
  bool has_heads() const { return heads && !heads->heads.empty(); }
  bool has_sentences() const { return examples && !examples->sentences.empty(); }
  /// Until the list is read it has its place, so that the sentence does not jump at the start.
  bool has_place() const {
    const bool has_left_out = (heads && !heads->left_out.empty()) || (examples && !examples->left_out.empty());
    return !examples || has_heads() || has_sentences() || has_left_out;
  }
};

void draw_list(Panel& panel, const Lists& lists) {
  const Look& look = panel.look;
  const float width = lists.has_heads() ? list_width(look, lists.heads->heads) : look.px(kExampleWidth);
  if (lists.has_heads()) draw_card_heads(panel, lists.heads->heads);
  if (lists.has_heads() && lists.has_sentences()) {
    gap(look, kInside);
    text_line(look, Type::heading, look.colours.text_second, "Sentences");
  }
  if (lists.has_sentences()) draw_sentences_to_try(panel, lists.examples->sentences, width);
  if (lists.heads) draw_left_out(look, lists.heads->left_out);
  if (lists.examples) draw_left_out(look, lists.examples->left_out);
}

}  // namespace

float examples_width(Panel& panel, bool is_named) {
  if (!Lists(panel).has_place()) return 0;
  return panel.look.px(kBeforeName) + text_width(panel.look, Type::body, name_of(is_named)) + panel.look.px(kAfterName);
}

void draw_examples(Panel& panel, float left, float top, float height, bool is_named) {
  const Look& look = panel.look;
  const float width = examples_width(panel, is_named);
  if (width <= 0) return;
  const Press press = press_area("Examples", {left, top}, {width, height});
  hint(look, "What single heads of a built-in model do, and sentences that take several heads.");
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  draw_text(look, left + look.px(kBeforeName), top + height / 2, Type::body, colour, name_of(is_named));
  draw_triangle(look, {left + width - look.px(12), top + height / 2}, colour);
  if (press.is_clicked) ImGui::OpenPopup("examples");
  ImGui::SetNextWindowPos({left, top + height + look.px(kInside)}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup("examples")) {
    draw_list(panel, Lists(panel));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace headlight

#include <fmt/core.h>

#include <algorithm>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/bars/bars.h"
#include "app/gui/bars/subject_chips.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/panel.h"
#include "engine/core/error.h"
#include "engine/figure/figure_notes.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr float kBoxHeight = 32;
constexpr float kEdge = 12;
constexpr float kExampleWidth = 400;
constexpr float kNarrowBar = 1100;

std::string time_text(double milliseconds) {
  if (milliseconds >= 1000) return fmt::format("{:.1f} s", milliseconds / 1000);
  return milliseconds < 10 ? fmt::format("{:.1f} ms", milliseconds) : fmt::format("{:.0f} ms", milliseconds);
}

/// "1 token", "6 + 4 tokens".
std::string tokens_text(const Snapshot& snapshot) {
  if (snapshot.decoder_encoding) return fmt::format("{} + {} tokens", snapshot.tokens(), snapshot.decoder_encoding->tokens.size());
  return fmt::format("{} {}", snapshot.tokens(), snapshot.tokens() == 1 ? "token" : "tokens");
}

/// The button that opens the picker. Returns its right edge.
float draw_model_button(Panel& panel, float left, float top) {
  const Look& look = panel.look;
  const std::string name = elided(look, Type::strong, short_model_name(panel.draft.query.model.name), look.px(180));
  const WorkerStatus status = panel.context.session.worker().status();
  const bool is_refused = status.error.has_value() && !status.is_busy;
  const std::string sizes = panel.snapshot ? sizes_of(*panel.snapshot) : std::string(is_refused ? "not open: choose another" : "loading");
  const float name_width = text_width(look, Type::strong, name);
  const float width = look.px(kEdge) + name_width + look.px(kUnit) + text_width(look, Type::body, sizes) + look.px(32);
  const float height = look.px(kBoxHeight);
  const Press press = press_area("Model", {left, top}, {width, height});
  hint(look, "Choose a model: a built-in one, one from the Hugging Face hub, or your own folder or file.");
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled({left, top}, {left + width, top + height}, to_imgui(press.is_hovered ? look.colours.line : look.colours.raised),
                       look.px(kCorner));
  canvas.AddRect({left, top}, {left + width, top + height}, to_imgui(look.colours.line), look.px(kCorner));
  const float middle = top + height / 2;
  draw_text(look, left + look.px(kEdge), middle, Type::strong, look.colours.text, name);
  draw_text(look, left + look.px(kEdge + kUnit) + name_width, middle, Type::body, look.colours.text_second, sizes);
  draw_triangle(look, {left + width - look.px(16), middle}, look.colours.text_second);
  if (press.is_clicked) panel.view.dialogs.model_picker = true;
  return left + width;
}

/// The button that opens the model card. Returns its right edge.
float draw_card_button(Panel& panel, float left, float top) {
  const Look& look = panel.look;
  const float side = look.px(kBoxHeight);
  const Press press = press_area("Model card", {left, top}, {side, side});
  hint(look, "About this model: sizes, parts, parameters, memory, and where it came from.");
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  const ImVec2 centre{left + std::round(side / 2), top + std::round(side / 2)};
  ImGui::GetWindowDrawList()->AddCircle(centre, look.px(8), to_imgui(colour), 0, look.px(1.25F));
  draw_text(look, centre.x, centre.y, Type::strong, colour, "i", AlignX::centre);
  if (press.is_clicked && panel.snapshot) panel.view.dialogs.model_card = true;
  return left + side;
}

/// What the numbers of the cost are, and how much of the text was computed again.
std::string cost_hint(const Snapshot& snapshot) {
  std::string hint = "Tokens of the sentence, how long the last change took to compute, and the memory that its result takes.";
  const Index computed = snapshot.cost.rows_computed;
  if (snapshot.is_dump() || snapshot.is_empty() || snapshot.model->config.is_encoder_decoder()) return hint;
  if (!snapshot.model->config.mask.is_causal) {
    return hint + "\nEvery token of this model sees those after it: when the text changes, all of it is computed again.";
  }
  if (computed < snapshot.tokens()) {
    hint += fmt::format("\n{} of {} tokens were computed: the others see nothing of the change.", computed, snapshot.tokens());
  }
  return hint;
}

/// "13 tokens · 2.1 ms · 6 MB", right-aligned; in a narrow bar, whose room belongs to the sentence, "13 tokens". Returns its left edge.
float draw_cost(const Panel& panel, float right, float middle, bool is_narrow) {
  const Look& look = panel.look;
  if (!panel.snapshot) return right;
  const Snapshot& snapshot = *panel.snapshot;
  const std::string time = panel.context.is_scripted ? "" : " · " + time_text(snapshot.cost.milliseconds);
  const std::string rest = is_narrow ? "" : fmt::format("{} · {}", time, bytes_text(snapshot.cost.bytes));
  const std::string text = tokens_text(snapshot) + rest;
  const float width = text_width(look, Type::body, text);
  press_area("Cost", {right - width, middle - look.px(kBoxHeight) / 2}, {width, look.px(kBoxHeight)});
  hint(look, cost_hint(snapshot).c_str());
  draw_text(look, right, middle, Type::body, look.colours.text_second, text, AlignX::right);
  // Room for a longer cost, so that the boxes do not move with every keystroke.
  return right - std::max(width, look.px(is_narrow ? 84 : 176));
}

/// Whether the draft asks for an encoder-decoder; for models other than the sandbox, as far as that is known.
bool is_encoder_decoder(const Panel& panel) {
  if (panel.is_sandbox()) return panel.draft.query.model.sandbox.kind == SandboxKind::encoder_decoder;
  return panel.config() != nullptr && panel.config()->is_encoder_decoder();
}

void draw_second_sentence(const Look& look, Query& query, const Box& place) {
  std::string pair = query.text_pair.value_or("");
  const bool has_room = text_width(look, Type::body, "Second sentence") + look.px(2 * kEdge) <= place.width;
  const bool has_changed =
      sentence_box(look, "Second sentence", has_room ? "Second sentence" : "Pair", pair, {place.x, place.y}, place.width, kBoxHeight);
  if (!ImGui::IsItemActive())
    hint(look, "Optional: a second sentence after the first, for models that read pairs, and for the mask `pair`.");
  if (has_changed) query.text_pair = pair.empty() ? std::nullopt : std::optional(pair);
}

/// Empty: the decoder reads what the encoder reads. Keeps a second sentence that was typed for another model.
void draw_decoder_text(const Look& look, Query& query, const Box& place) {
  std::string text = query.decoder_text ? *query.decoder_text : query.text_pair.value_or("");
  const bool has_changed = sentence_box(look, "Decoder reads", "the same sentence", text, {place.x, place.y}, place.width, kBoxHeight);
  if (!ImGui::IsItemActive())
    hint(look, "The text that the decoder reads; its cross-attention looks from here to the sentence. Empty: the sentence itself.");
  if (!has_changed) return;
  query.decoder_text = text.empty() ? std::nullopt : std::optional(text);
  if (text.empty()) query.text_pair.reset();
}

/// A name before a box. Returns the box's left edge.
float draw_box_name(const Look& look, const char* name, float left, float top) {
  draw_text(look, left, top + look.px(kBoxHeight) / 2, Type::body, look.colours.text_second, name);
  return left + text_width(look, Type::body, name) + look.px(kUnit);
}

/// Puts in the example sentence of a head and shows that head with its row pinned.
void show_card_head(Panel& panel, const CardHead& told) {
  panel.draft.query.text = told.text;
  panel.draft.query.text_pair.reset();
  panel.view.head = told.head;
  panel.view.view = View::head;
  panel.view.head_page.stage = Stage::weights;
  panel.view.head_page.zoom = {};
  panel.view.pinned_query = TokenPlace{Side::text, told.query};
  panel.view.notes.closed_example = told.text;  // the relations of the same sentence would distract from this head
}

/// A line of the list of examples, with its description in the second colour.
bool draw_example(const Look& look, const std::string& name, const std::string& what, bool is_shown) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const bool is_chosen = ImGui::Selectable(name.c_str(), is_shown, 0, {look.px(kExampleWidth), look.px(kLine)});
  const float right = start.x + look.px(kExampleWidth) - text_width(look, Type::body, what);
  if (!what.empty()) draw_text(look, right, start.y + look.px(kLine) / 2, Type::body, look.colours.text_second, what);
  return is_chosen;
}

/// What heads of a built-in model do, each in its own sentence.
void draw_card_heads(Panel& panel, const std::vector<CardHead>& heads) {
  const Look& look = panel.look;
  text_line(look, Type::heading, look.colours.text_second, "Heads of " + panel.draft.query.model.name);
  for (const CardHead& told : heads) {
    const bool is_shown = panel.draft.query.text == told.text && panel.view.head == told.head && panel.view.view == View::head;
    const std::string what = fmt::format("{} → {}   {}", told.from, told.to, short_name(told.head));
    if (draw_example(look, told.name, what, is_shown)) show_card_head(panel, told);
    if (ImGui::IsItemHovered()) hint(look, told.text.c_str());
  }
}

void draw_sentences_to_try(Panel& panel, const std::vector<Example>& examples) {
  for (const Example& example : examples) {
    if (!draw_example(panel.look, example.name, "", panel.draft.query.text == example.text)) continue;
    panel.draft.query.text = example.text;
    panel.draft.query.text_pair.reset();
    panel.view.notes.closed_example.clear();
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

/// A list of sentences worth trying. Returns the button's right edge, or `left` if there are none.
float draw_examples(Panel& panel, float left, float top) {
  const Look& look = panel.look;
  const auto examples = panel.context.session.examples().ask();
  const auto heads = panel.context.session.card_heads().ask(panel.draft.query.model.name);
  const bool has_heads = heads && !heads->heads.empty(), has_sentences = examples && !examples->sentences.empty();
  const bool has_left_out = (heads && !heads->left_out.empty()) || (examples && !examples->left_out.empty());
  // Until the list is read it has its place, so that the sentence does not jump at the start.
  if (examples && !has_heads && !has_sentences && !has_left_out) return left;
  const float height = look.px(kBoxHeight);
  const float width = look.px(kEdge) + text_width(look, Type::body, "Examples") + look.px(28);
  const Press press = press_area("Examples", {left, top}, {width, height});
  hint(look, "What single heads of a built-in model do, and sentences that take several heads.");
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  draw_text(look, left + look.px(kEdge), top + height / 2, Type::body, colour, "Examples");
  draw_triangle(look, {left + width - look.px(12), top + height / 2}, colour);
  if (press.is_clicked) ImGui::OpenPopup("examples");
  ImGui::SetNextWindowPos({left, top + height + look.px(kInside)}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup("examples")) {
    if (has_heads) draw_card_heads(panel, heads->heads);
    if (has_heads && has_sentences) {
      gap(look, kInside);
      text_line(look, Type::heading, look.colours.text_second, "Sentences");
    }
    if (has_sentences) draw_sentences_to_try(panel, examples->sentences);
    if (heads) draw_left_out(look, heads->left_out);
    if (examples) draw_left_out(look, examples->left_out);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  return left + width;
}

/// The sentence of maps from a file, whose tokens cannot be changed.
void draw_given_sentence(const Panel& panel, float left, float right, float top) {
  const Look& look = panel.look;
  const float middle = top + look.px(kBoxHeight) / 2;
  press_area("Given sentence", {left, top}, {right - left, look.px(kBoxHeight)});
  hint(look, "The tokens that the file names. Its maps belong to this text, so it cannot be changed.");
  draw_text(look, left, middle, Type::body, look.colours.text_second, elided(look, Type::body, sentence_of(*panel.snapshot), right - left));
}

void draw_sentences(Panel& panel, float left, float right, float top) {
  const Look& look = panel.look;
  Query& query = panel.draft.query;
  const bool has_decoder = is_encoder_decoder(panel);
  const float between = look.px(kEdge);
  float second_left = right - std::clamp((right - left) * (has_decoder ? 0.34F : 0.26F), look.px(has_decoder ? 120 : 64), look.px(280));
  const float first_right = second_left - between;
  if (has_decoder) {
    left = draw_box_name(look, "encoder", left, top);
    second_left = draw_box_name(look, "decoder", second_left, top);
  }
  if (panel.wants_sentence_focus) ImGui::SetKeyboardFocusHere();
  sentence_box(look, "Sentence", "Type a sentence", query.text, {left, top}, first_right - left, kBoxHeight);
  if (!ImGui::IsItemActive())
    hint(look, "The sentence that the model reads (ctrl+L). Every keystroke updates the picture. Shift+Enter starts a new line (↵).");
  const Box place{second_left, top, right - second_left, look.px(kBoxHeight)};
  if (has_decoder) {
    draw_decoder_text(look, query, place);
  } else {
    draw_second_sentence(look, query, place);
  }
}

}  // namespace

void draw_top_bar(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Top bar", box, look.colours.panel, {0, 0});
  const float top = box.y + std::round((box.height - look.px(kBoxHeight)) / 2);
  const float middle = box.y + std::round(box.height / 2);
  const float edge = look.px(kEdge);
  const float button = button_width(look, "Export");
  const float button_left = box.right() - edge - button;
  if (main_button(look, "Export", {button_left, top}, {button, look.px(kBoxHeight)}, panel.has_picture()))
    panel.view.dialogs.figure_export = true;
  hint(look, "Write this picture or its numbers to a file (ctrl+E).");
  const float cost_left = draw_cost(panel, button_left - edge, middle, box.width < look.px(kNarrowBar));
  const float model_right = draw_card_button(panel, draw_model_button(panel, box.x + edge, top), top);
  if (panel.is_dump()) {
    draw_given_sentence(panel, model_right + look.px(kBetween), cost_left - edge, top);
    return end_region();
  }
  const float examples_right = draw_examples(panel, model_right + look.px(kInside), top);
  const float chips_right = draw_text_chips(panel, examples_right + look.px(kUnit), top, look.px(kBoxHeight));
  draw_sentences(panel, chips_right + look.px(kUnit), cost_left - edge, top);
  end_region();
}

}  // namespace headlight

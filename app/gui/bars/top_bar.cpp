#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/bars/bars.h"
#include "app/gui/bars/document_menu.h"
#include "app/gui/bars/examples_menu.h"
#include "app/gui/bars/subject_chips.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/panel.h"
#include "app/gui/typing/sentence_box.h"
#include "engine/core/error.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/figure_parts.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr float kBoxHeight = 32;
constexpr float kEdge = 12;
constexpr float kLeastSentence = 248;  // 240 of text and its margins

/// What gives way in a narrow bar so that the sentence keeps its room, one after the other.
struct BarForm {
  bool has_cost = true;        ///< the time and memory of the last change, beside its tokens
  bool has_second_box = true;  ///< else a button that opens it
  bool has_long_sizes = true;  ///< "3 layers × 8 heads", else "3 × 8"
  bool has_examples_name = true;
  bool has_sizes = true;
  bool has_button_names = true;  ///< of those that add a text or a sentence; else "+"
  bool has_tokens = true;
};
constexpr std::array kForms{BarForm{},
                            BarForm{false},
                            BarForm{false, false, false},
                            BarForm{false, false, false, false},
                            BarForm{false, false, false, false, false},
                            BarForm{false, false, false, false, false, false},
                            BarForm{false, false, false, false, false, false, false}};

/// "1 token", "6 + 4 tokens".
std::string tokens_text(const Snapshot& snapshot) {
  if (snapshot.decoder_encoding) return fmt::format("{} + {} tokens", snapshot.tokens(), snapshot.decoder_encoding->tokens.size());
  return fmt::format("{} {}", snapshot.tokens(), snapshot.tokens() == 1 ? "token" : "tokens");
}

/// The model's name and sizes, as the button has room for them.
struct ModelWords {
  std::string name, sizes;
};
ModelWords model_words(const Panel& panel, const BarForm& form) {
  const Look& look = panel.look;
  ModelWords words{elided_middle(look, Type::strong, short_model_name(panel.draft.query.model.name), look.px(form.has_sizes ? 180 : 120)),
                   {}};
  if (!form.has_sizes) return words;
  const WorkerStatus status = panel.context.session.worker().status();
  const bool is_refused = status.error.has_value() && !status.is_busy;
  if (!panel.snapshot) {
    words.sizes = is_refused ? "not open: choose another" : status.asked ? "waiting" : "loading";
  } else {
    words.sizes = form.has_long_sizes ? sizes_of(*panel.snapshot) : short_sizes_of(*panel.snapshot);
  }
  return words;
}

float model_width(const Panel& panel, const BarForm& form) {
  const Look& look = panel.look;
  const ModelWords words = model_words(panel, form);
  const float sizes = words.sizes.empty() ? 0 : look.px(kUnit) + text_width(look, Type::body, words.sizes);
  return look.px(kEdge) + text_width(look, Type::strong, words.name) + sizes + look.px(32);
}

/// The button that opens the picker.
void draw_model_button(Panel& panel, const BarForm& form, float left, float top) {
  const Look& look = panel.look;
  const ModelWords words = model_words(panel, form);
  const float width = model_width(panel, form), height = look.px(kBoxHeight);
  const Press press = press_area("Model", {left, top}, {width, height});
  const std::string name = short_model_name(panel.draft.query.model.name);
  const std::string whole = words.name == name ? std::string() : name + "\n";
  hint(look, (whole + "Choose a model: a built-in one, one from the Hugging Face hub, or your own folder or file.").c_str());
  fill(look, {left, top}, {left + width, top + height}, press.is_hovered ? look.colours.line : look.colours.raised);
  outline(look, {left, top}, {left + width, top + height}, look.colours.line);
  const float middle = top + height / 2;
  draw_text(look, left + look.px(kEdge), middle, Type::strong, look.colours.text, words.name);
  draw_text(look, left + look.px(kEdge + kUnit) + text_width(look, Type::strong, words.name), middle, Type::body, look.colours.text_second,
            words.sizes);
  draw_triangle(look, {left + width - look.px(16), middle}, look.colours.text_second);
  if (press.is_clicked) panel.view.dialogs.model_picker = true;
}

/// The button that opens the model card.
void draw_card_button(Panel& panel, float left, float top) {
  const Look& look = panel.look;
  const float side = look.px(kBoxHeight);
  const Press press = press_area("Model card", {left, top}, {side, side});
  hint(look, "About this model: sizes, parts, parameters, memory, and where it came from.");
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  const ImVec2 centre{left + std::round(side / 2), top + std::round(side / 2)};
  ImGui::GetWindowDrawList()->AddCircle(centre, look.px(8), to_imgui(colour), 0, look.px(1.25F));
  draw_text(look, centre.x, centre.y, Type::strong, colour, "i", AlignX::centre);
  if (press.is_clicked && panel.snapshot) panel.view.dialogs.model_card = true;
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

/// "13 tokens · 2.1 ms · 6 MB", or without the rest "13 tokens".
std::string cost_text(const Panel& panel, const BarForm& form) {
  if (!panel.snapshot || !form.has_tokens) return {};
  const Snapshot& snapshot = *panel.snapshot;
  if (!form.has_cost) return tokens_text(snapshot);
  const std::string time = panel.context.is_scripted ? "" : " · " + time_text(snapshot.cost.milliseconds);
  return tokens_text(snapshot) + fmt::format("{} · {}", time, bytes_text(snapshot.cost.bytes));
}

/// With room for a longer cost, so that the boxes do not move with every keystroke.
float cost_width(const Panel& panel, const BarForm& form) {
  if (!panel.snapshot || !form.has_tokens) return 0;
  return std::max(text_width(panel.look, Type::body, cost_text(panel, form)), panel.look.px(form.has_cost ? 176 : 84));
}

/// Right-aligned.
void draw_cost(Panel& panel, const BarForm& form, float right, float middle) {
  const Look& look = panel.look;
  const std::string text = cost_text(panel, form);
  if (text.empty()) return;
  const float width = text_width(look, Type::body, text);
  const Press press = press_area("Cost", {right - width, middle - look.px(kBoxHeight) / 2}, {width, look.px(kBoxHeight)});
  hint(look, (cost_hint(*panel.snapshot) + "\nClick for the time of each stage and the memory used.").c_str());
  draw_text(look, right, middle, Type::body, press.is_hovered ? look.colours.text : look.colours.text_second, text, AlignX::right);
  if (press.is_clicked) panel.view.dialogs.performance = true;
}

/// Whether the draft asks for an encoder-decoder; for models other than the sandbox, as far as that is known.
bool is_encoder_decoder(const Panel& panel) {
  if (panel.is_sandbox()) return panel.draft.query.model.sandbox.kind == SandboxKind::encoder_decoder;
  return panel.config() != nullptr && panel.config()->is_encoder_decoder();
}

const char* second_words(const Query& query, const BarForm& form) {
  if (!form.has_button_names) return query.text_pair ? "2" : "+";
  return query.text_pair ? "2nd sentence" : "+ sentence";
}

void draw_second_sentence(const Look& look, Query& query, const Box& place) {
  std::string pair = query.text_pair.value_or("");
  const bool has_changed = sentence_box(look, "Second sentence", "Second sentence", pair, {place.x, place.y}, place.width, kBoxHeight);
  if (!ImGui::IsItemActive())
    hint(look, "Optional: a second sentence after the first, for models that read pairs, and for the mask `pair`.");
  if (has_changed) query.text_pair = pair.empty() ? std::nullopt : std::optional(pair);
}

/// In place of the box where there is no room for it: a button that opens it.
void draw_second_button(const Look& look, const BarForm& form, Query& query, const Box& place) {
  if (quiet_button(look, second_words(query, form), {place.x, place.y}, {place.width, place.height})) ImGui::OpenPopup("second sentence");
  hint(look, query.text_pair ? query.text_pair->c_str() : "A second sentence after the first, for models that read pairs.");
  ImGui::SetNextWindowPos({place.right(), place.bottom() + look.px(kInside)}, ImGuiCond_Appearing, {1, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kUnit), look.px(kUnit)));
  if (begin_popup("second sentence")) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = look.px(320);
    ImGui::Dummy({width, look.px(kBoxHeight)});
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    draw_second_sentence(look, query, {at.x, at.y, width, look.px(kBoxHeight)});
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
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

/// The sentence of maps from a file, whose tokens cannot be changed.
void draw_given_sentence(const Panel& panel, float left, float right, float top) {
  const Look& look = panel.look;
  const float middle = top + look.px(kBoxHeight) / 2;
  press_area("Given sentence", {left, top}, {right - left, look.px(kBoxHeight)});
  hint(look, "The tokens that the file names. Its maps belong to this text, so it cannot be changed.");
  draw_text(look, left, middle, Type::body, look.colours.text_second, elided(look, Type::body, sentence_of(*panel.snapshot), right - left));
}

/// What stands beside the sentence, in pixels with the gap before it.
float second_width(Panel& panel, const BarForm& form, float room) {
  const Look& look = panel.look;
  const float gap_width = look.px(kEdge);
  if (is_encoder_decoder(panel)) return gap_width + std::clamp(room * 0.34F, look.px(120), look.px(280));
  if (!form.has_second_box) return gap_width + button_width(look, second_words(panel.draft.query, form));
  return gap_width + std::clamp(room * 0.26F, look.px(128), look.px(280));
}

void draw_sentences(Panel& panel, const BarForm& form, float left, float right, float top) {
  const Look& look = panel.look;
  Query& query = panel.draft.query;
  const bool has_decoder = is_encoder_decoder(panel);
  const float second = second_width(panel, form, right - left);
  const float first_right = right - second;
  float second_left = first_right + look.px(kEdge);
  if (has_decoder) {
    left = draw_box_name(look, "encoder", left, top);
    second_left = draw_box_name(look, "decoder", second_left, top);
  }
  if (std::exchange(panel.view.notes.wants_sentence, false) || panel.wants_sentence_focus) ImGui::SetKeyboardFocusHere();
  sentence_box(look, "Sentence", "Type a sentence", query.text, {left, top}, first_right - left, kBoxHeight);
  if (!ImGui::IsItemActive())
    hint(look, "The sentence that the model reads (ctrl+L). Every keystroke updates the picture. Shift+Enter starts a new line (↵).");
  const Box place{second_left, top, right - second_left, look.px(kBoxHeight)};
  if (has_decoder) {
    draw_decoder_text(look, query, place);
  } else if (form.has_second_box) {
    draw_second_sentence(look, query, place);
  } else {
    draw_second_button(look, form, query, place);
  }
}

/// Where the parts of the bar are, from the left and from the right.
struct BarPlaces {
  float menu = 0, model = 0, card = 0, examples = 0, chips = 0, sentences = 0, sentences_right = 0, cost_right = 0, button = 0;
};
BarPlaces places_of(Panel& panel, const BarForm& form, const Box& box) {
  const Look& look = panel.look;
  const float edge = look.px(kEdge);
  BarPlaces places;
  places.menu = box.x + look.px(kInside);
  places.model = places.menu + look.px(kDocumentMenu + kInside);
  places.card = places.model + model_width(panel, form);
  places.examples = places.card + look.px(kBoxHeight) + look.px(kInside);
  places.chips = places.examples + examples_width(panel, form.has_examples_name) + look.px(kUnit);
  places.sentences = places.chips + text_chips_width(panel, !form.has_button_names) + look.px(kUnit);
  places.button = box.right() - edge - button_width(look, "Export");
  places.cost_right = places.button - edge;
  const float cost = cost_width(panel, form);
  places.sentences_right = places.cost_right - cost - (cost > 0 ? edge : 0);
  return places;
}

/// The first form that leaves the sentence its room; the last where none does.
BarForm fitting_form(Panel& panel, const Box& box) {
  for (const BarForm& form : kForms) {
    const BarPlaces places = places_of(panel, form, box);
    const float room = places.sentences_right - places.sentences;
    if (room - second_width(panel, form, room) >= panel.look.px(kLeastSentence)) return form;
  }
  return kForms.back();
}

}  // namespace

void draw_top_bar(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Top bar", box, look.colours.panel, {0, 0});
  const float top = box.y + std::round((box.height - look.px(kBoxHeight)) / 2);
  const float middle = box.y + std::round(box.height / 2), height = look.px(kBoxHeight);
  const BarForm form = fitting_form(panel, box);
  const BarPlaces places = places_of(panel, form, box);
  draw_document_menu(panel, places.menu, top);
  draw_model_button(panel, form, places.model, top);
  draw_card_button(panel, places.card, top);
  if (panel.is_dump()) {
    draw_given_sentence(panel, places.examples + look.px(kUnit), places.sentences_right, top);
  } else {
    draw_examples(panel, places.examples, top, height, form.has_examples_name);
    draw_text_chips(panel, places.chips, top, height, !form.has_button_names);
    draw_sentences(panel, form, places.sentences, places.sentences_right, top);
  }
  draw_cost(panel, form, places.cost_right, middle);
  if (main_button(look, "Export", {places.button, top}, {button_width(look, "Export"), height}, panel.has_picture()))
    panel.view.dialogs.figure_export = true;
  hint(look, "Write this picture or its numbers to a file (ctrl+E).");
  end_region();
}

}  // namespace headlight

// Refusals and notes: cards over the lower right corner of a view, which move nothing in it and never wait for an answer.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/bars/bars.h"
#include "app/gui/bars/offered_notes.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/panel.h"
#include "app/gui/panel/relations.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr const char* kRandomNote = "Random weights: they show how attention is computed, not what a trained model has learned.";

constexpr float kWidest = 440, kMargin = 16, kMark = 28, kInset = 10;

/// What a note offers to do about it.
struct NoteAction {
  std::string label;  ///< empty: nothing
  bool is_pressed = false;
  std::string close = {};  ///< a button beside it that closes the note; empty: a × does
};

/// Cards that lie one over the other from the lower right corner of a view upwards.
class NoteStack {
 public:
  NoteStack(const Look& look, const Box& view) : look_(look), view_(view), bottom_(view.bottom() - look.px(kMargin)) {}

  /// Draws a note. `name` names its region and its close button. Returns whether it was closed.
  bool draw(const char* name, Colour mark, const std::string& text, NoteAction& action) {
    const float width = std::min(look_.px(kWidest), view_.width - 2 * look_.px(kMargin));
    const float inset = look_.px(kInset), text_room = width - look_.px(kMark + 36);
    const float most = std::max(2 * look_.px(kLine), view_.height / 3);
    const float whole = paragraph_height(look_, Type::body, text, text_room - 1);
    const bool is_cut = whole > most;
    const float shown = std::min(whole, most), below = action.label.empty() ? 0 : look_.px(kControl + kUnit);
    const float height = shown + below + 2 * inset;
    const Box note{std::round(view_.right() - look_.px(kMargin) - width), std::round(bottom_ - height), width, height};
    bool is_closed = false;
    begin_overlay(name, note);
    draw_card(note, mark);
    ImGui::SetCursorScreenPos({note.x + look_.px(kMark), note.y + inset});
    if (ImGui::BeginChild("text", {text_room, shown}, 0, is_cut ? 0 : ImGuiWindowFlags_NoInputs)) {
      paragraph(look_, Type::body, look_.colours.text, text, text_room - (is_cut ? ImGui::GetStyle().ScrollbarSize : 0.0F));
    }
    ImGui::EndChild();
    if (is_cut) hint(look_, text.c_str());
    if (!action.label.empty()) {
      const ImVec2 at{note.x + look_.px(kMark), note.bottom() - inset - look_.px(kControl)};
      action.is_pressed = draw_button(action.label, at);
      if (!action.close.empty()) is_closed = draw_button(action.close, {at.x + button_width(look_, action.label) + look_.px(kUnit), at.y});
    }
    const ImVec2 corner{note.right() - look_.px(18), note.y + inset + look_.px(kLine / 2)};
    if (action.close.empty()) is_closed = close_button(look_, fmt::format("Close {}", name).c_str(), corner);
    end_region();
    bottom_ = note.y - look_.px(kUnit);
    return is_closed;
  }
  bool draw(const char* name, Colour mark, const std::string& text) {
    NoteAction none;
    return draw(name, mark, text, none);
  }

  /// What they cover of the view's height, in pixels.
  float height() const { return view_.bottom() - look_.px(kMargin) - bottom_; }

 private:
  bool draw_button(const std::string& label, ImVec2 at) const {
    return quiet_button(look_, label.c_str(), at, {button_width(look_, label), look_.px(kControl)});
  }
  void draw_card(const Box& note, Colour mark) const {
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    fill(look_, {note.x, note.y}, {note.right(), note.bottom()}, look_.colours.raised);
    outline(look_, {note.x, note.y}, {note.right(), note.bottom()}, look_.colours.text_third);
    canvas.AddCircleFilled({note.x + look_.px(kMark / 2), note.y + look_.px(kInset + kLine / 2)}, look_.px(4), to_imgui(mark));
  }

  const Look& look_;
  Box view_;
  float bottom_;
};

void draw_refusal(Panel& panel, NoteStack& notes) {
  const bool has_error = panel.status.error && panel.view.notes.closed_error != panel.status.finished;
  if (!has_error && panel.view.notes.banner.empty()) return;
  std::string text = panel.view.notes.banner;
  if (has_error) text = as_sentence(panel.status.error_message) + (panel.snapshot ? " The picture is the last one that worked." : "");
  NoteAction undo{has_error && panel.context.session.history().can_undo() ? "Undo this" : ""};
  const bool is_closed = notes.draw("Refusal", panel.look.colours.bad, text, undo);
  if (undo.is_pressed) panel.wants_undo = true;
  if (!is_closed) return;
  panel.view.notes.closed_error = panel.status.finished;
  panel.view.notes.banner.clear();
}

/// Says what a long run takes, before it begins.
void draw_cost(Panel& panel, NoteStack& notes) {
  if (!panel.status.asked) return;
  const bool has_way_back = panel.context.session.history().can_undo();
  NoteAction compute{"Compute", false, has_way_back ? "Undo this" : "Empty the text"};
  const std::string text = as_sentence(cost_words(*panel.status.asked)) + (panel.snapshot ? " You still see the picture of before." : "");
  const bool is_declined = notes.draw("Cost", panel.look.colours.accent, text, compute);
  if (compute.is_pressed) panel.context.session.worker().allow_cost();
  if (is_declined && has_way_back) panel.wants_undo = true;
  if (is_declined && !has_way_back) panel.draft.query.text.clear();
}

/// Offers to open the document that a safe start left closed.
void draw_offer(Panel& panel, NoteStack& notes) {
  ViewState& view = panel.view;
  if (view.notes.offered_document.empty()) return;
  NoteAction open{"Open it"};
  const bool is_closed = notes.draw("Offer", panel.look.colours.accent, "Your last document is safe; it was not opened.", open);
  if (open.is_pressed) panel.context.session.open(view.notes.offered_document);
  if (is_closed) view.notes.offered_document.clear();
}

constexpr const char* kTwoWayModel = "story-bert";

bool has_two_way_model(const Panel& panel) {
  const auto models = panel.context.session.models().built_in();
  return models && std::any_of(models->begin(), models->end(), [](const ModelLine& line) { return line.name == kTwoWayModel; });
}

/// Names the relations that a reader sees in an example sentence, and says when a causal model cannot look that way.
void draw_relations(Panel& panel, NoteStack& notes) {
  const auto [examples, example] = shown_example(panel);
  if (example == nullptr) return;
  const std::vector<ShownRelation> shown = shown_relations(panel);
  std::string text;
  bool has_later = false;  // masked, since the second word comes later
  for (const Relation& relation : example->relations) {
    const auto cells = std::find_if(shown.begin(), shown.end(), [&](const ShownRelation& each) { return each.relation == relation; });
    const bool is_masked = cells != shown.end() && cells->is_masked;
    has_later = has_later || (is_masked && cells->cells.key_begin >= cells->cells.query_end);
    text += fmt::format("{}{} → {}: {}{}", text.empty() ? "Relations: " : " · ", relation.from, relation.to, relation.label,
                        is_masked ? " (masked)" : "");
  }
  const ModelConfig& config = panel.snapshot->model->config;
  const bool is_one_way = has_later && config.reads_one_way();
  if (is_one_way) text += ". Masked: the second word comes later, and tokens of this model see only what came before.";
  NoteAction open{is_one_way && has_two_way_model(panel) ? fmt::format("Open {}", kTwoWayModel) : std::string()};
  const bool is_closed = notes.draw("Relations", panel.look.colours.key, text, open);
  if (open.is_pressed) choose_model(panel, kTwoWayModel);
  if (is_closed) panel.view.notes.closed_example = example->text;
}

void draw_offered_notes(Panel& panel, NoteStack& notes) {
  for (const OfferedNote& note : offered_notes(panel)) {
    NoteAction action{note.button, false, note.close_button};
    const bool is_closed = notes.draw(note.name, note.mark, note.text, action);
    if (action.is_pressed) note.act(panel);
    if (is_closed) note.close(panel);
  }
}

/// Says that the document meant other weights than the model has now.
void draw_other_weights(Panel& panel, NoteStack& notes) {
  const Session& session = panel.context.session;
  std::uint64_t& closed = panel.view.notes.closed_weights;
  if (!session.has_other_weights() || closed == session.openings()) return;
  const std::string text = fmt::format(
      "The weights of {} are not the ones this document was saved with, so its heads may do other things than they did then. Saving it "
      "keeps it with the present ones.",
      short_model_name(session.document().query.model.name));
  if (notes.draw("Other weights", panel.look.colours.query, text)) closed = session.openings();
}

/// What the picture on screen has to say.
void draw_notes_of_picture(Panel& panel, NoteStack& notes) {
  const Look& look = panel.look;
  if (!panel.snapshot) return;
  Notes& state = panel.view.notes;
  const bool is_lesson = panel.context.session.lessons().is_taken();  // it says what there is to say, and its picture stays free
  if (!is_lesson && panel.snapshot->model->is_random && !state.is_random_closed &&
      notes.draw("Random note", look.colours.accent, kRandomNote)) {
    state.is_random_closed = true;
  }
  if (!panel.has_picture()) return;  // the empty view explains itself
  std::string notices;
  for (const std::string& notice : panel.snapshot->notices) notices += (notices.empty() ? "" : " ") + notice;
  if (!notices.empty() && notices != state.closed_notices && notes.draw("Notice", look.colours.query, notices)) {
    state.closed_notices = notices;
  }
  draw_other_weights(panel, notes);
  if (is_lesson) return;
  draw_relations(panel, notes);
  draw_offered_notes(panel, notes);
}

}  // namespace

void draw_notes(Panel& panel, const Box& view) {
  NoteStack notes(panel.look, view);
  draw_refusal(panel, notes);
  draw_cost(panel, notes);
  draw_offer(panel, notes);
  draw_notes_of_picture(panel, notes);
  panel.caches.notes_height = notes.height();
}

}  // namespace headlight

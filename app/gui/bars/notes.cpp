// Refusals and notes above a view: sentences that never wait for an answer.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/bars/bars.h"
#include "app/gui/bars/offered_notes.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/panel.h"
#include "app/gui/panel/relations.h"

namespace headlight {
namespace {

constexpr const char* kRandomNote = "Random weights: they show how attention is computed, not what a trained model has learned.";

/// Draws a note over the whole width. `name` names its region and its close button. Returns whether the note was closed.
bool draw_note(const Look& look, const char* name, Colour mark, const std::string& text, Box& box, const auto& draw_action) {
  const float margin = look.px(24);
  const float top = box.y + look.px(12);
  const Box note{box.x + margin, top, box.width - 2 * margin, 0};
  const float action_width = draw_action(note, 0.0F, false);
  const float text_room = note.width - look.px(28 + 40) - action_width;
  const float lines = std::max(1.0F, std::ceil(text_width(look, Type::body, text) / std::max(1.0F, text_room * 0.96F)));
  const float most = std::max(2.0F, std::floor(box.height / (5 * look.px(kLine))));  // lines: a note takes at most a fifth of the box
  const bool is_cut = lines > most;
  const float height = std::min(lines, most) * look.px(kLine) + look.px(12);
  begin_region(look, name, {note.x, note.y, note.width, height}, Colour{0, 0, 0, 0}, {0, 0});
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImVec2 to{note.right(), top + height};
  canvas.AddRectFilled({note.x, top}, to, to_imgui(look.colours.raised), look.px(kCorner));
  canvas.AddRect({note.x, top}, to, to_imgui(look.colours.line), look.px(kCorner));
  canvas.AddCircleFilled({note.x + look.px(16), top + look.px(6 + kLine / 2)}, look.px(4), to_imgui(mark));
  ImGui::SetCursorScreenPos({note.x + look.px(28), top + look.px(6)});
  if (ImGui::BeginChild("text", {text_room, height - look.px(is_cut ? 12 : 6)}, 0, is_cut ? 0 : ImGuiWindowFlags_NoInputs)) {
    paragraph(look, Type::body, look.colours.text, text);
  }
  ImGui::EndChild();
  if (is_cut) hint(look, text.c_str());
  draw_action(note, top + height / 2, true);
  const bool is_closed = close_button(look, fmt::format("Close {}", name).c_str(), {note.right() - look.px(20), top + height / 2});
  end_region();
  const float taken = look.px(12) + height;
  box = {box.x, box.y + taken, box.width, box.height - taken};
  return is_closed;
}

constexpr auto kNoAction = [](const Box&, float, bool) { return 0.0F; };

void draw_refusal(Panel& panel, Box& box) {
  const Look& look = panel.look;
  const bool has_error = panel.status.error && panel.view.notes.closed_error != panel.status.finished;
  if (!has_error && panel.view.notes.banner.empty()) return;
  std::string text = panel.view.notes.banner;
  if (has_error) text = as_sentence(panel.status.error_message) + (panel.snapshot ? " The picture is the last one that worked." : "");
  const auto undo = [&](const Box& note, float middle, bool is_drawn) {
    if (!has_error || !panel.context.session.history().can_undo()) return 0.0F;
    const float width = button_width(look, "Undo this");
    const float height = look.px(kControl);
    const float left = note.right() - look.px(40) - width;
    if (is_drawn && quiet_button(look, "Undo this", {left, std::round(middle - height / 2)}, {width, height})) panel.wants_undo = true;
    return width + look.px(kUnit);
  };
  if (!draw_note(look, "Refusal", look.colours.bad, text, box, undo)) return;
  panel.view.notes.closed_error = panel.status.finished;
  panel.view.notes.banner.clear();
}

/// Offers to open the document that a safe start left closed.
void draw_offer(Panel& panel, Box& box) {
  ViewState& view = panel.view;
  if (view.notes.offered_document.empty()) return;
  const Look& look = panel.look;
  constexpr const char* kButton = "Open it";
  const auto open = [&](const Box& note, float middle, bool is_drawn) {
    const float width = button_width(look, kButton), height = look.px(kControl);
    const float left = note.right() - look.px(40) - width;
    if (is_drawn && quiet_button(look, kButton, {left, std::round(middle - height / 2)}, {width, height})) {
      panel.context.session.open(view.notes.offered_document);
    }
    return width + look.px(kUnit);
  };
  const bool is_closed = draw_note(look, "Offer", look.colours.accent, "Your last document is safe; it was not opened.", box, open);
  if (is_closed) view.notes.offered_document.clear();
}

constexpr const char* kTwoWayModel = "story-bert";

bool has_two_way_model(const Panel& panel) {
  const auto models = panel.context.session.models().built_in();
  return models && std::any_of(models->begin(), models->end(), [](const ModelLine& line) { return line.name == kTwoWayModel; });
}

/// Names the relations that a reader sees in an example sentence, and says when a causal model cannot look that way.
void draw_relations(Panel& panel, Box& box) {
  const Look& look = panel.look;
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
  const bool is_one_way = has_later && config.mask.is_causal && !config.is_encoder_decoder();
  if (is_one_way) text += ". Masked: the second word comes later, and tokens of this model see only what came before.";
  const std::string button = fmt::format("Open {}", kTwoWayModel);
  const auto offer = [&](const Box& note, float middle, bool is_drawn) {
    if (!is_one_way || !has_two_way_model(panel)) return 0.0F;
    const float width = button_width(look, button), height = look.px(kControl);
    const float left = note.right() - look.px(40) - width;
    if (is_drawn && quiet_button(look, button.c_str(), {left, std::round(middle - height / 2)}, {width, height})) {
      choose_model(panel, kTwoWayModel);
    }
    return width + look.px(kUnit);
  };
  if (draw_note(look, "Relations", look.colours.key, text, box, offer)) panel.view.notes.closed_example = example->text;
}

void draw_offered_notes(Panel& panel, Box& box) {
  const Look& look = panel.look;
  for (const OfferedNote& note : offered_notes(panel)) {
    bool is_pressed = false;
    const auto button = [&](const Box& place, float middle, bool is_drawn) {
      if (note.button.empty()) return 0.0F;
      const float width = button_width(look, note.button), height = look.px(kControl);
      const ImVec2 at{place.right() - look.px(40) - width, std::round(middle - height / 2)};
      if (is_drawn) is_pressed = quiet_button(look, note.button.c_str(), at, {width, height});
      return width + look.px(kUnit);
    };
    const bool is_closed = draw_note(look, note.name, note.mark, note.text, box, button);
    if (is_pressed) note.act(panel);
    if (is_closed) note.close(panel);
  }
}

}  // namespace

Box draw_notes(Panel& panel, Box box) {
  const Look& look = panel.look;
  draw_refusal(panel, box);
  draw_offer(panel, box);
  if (!panel.snapshot) return box;
  if (panel.snapshot->model->is_random && !panel.view.notes.is_random_closed &&
      draw_note(look, "Random note", look.colours.accent, kRandomNote, box, kNoAction)) {
    panel.view.notes.is_random_closed = true;
  }
  std::string notices;
  if (!panel.has_picture()) return box;  // the empty view explains itself
  for (const std::string& notice : panel.snapshot->notices) notices += (notices.empty() ? "" : " ") + notice;
  if (!notices.empty() && notices != panel.view.notes.closed_notices &&
      draw_note(look, "Notice", look.colours.query, notices, box, kNoAction)) {
    panel.view.notes.closed_notices = notices;
  }
  draw_relations(panel, box);
  draw_offered_notes(panel, box);
  return box;
}

}  // namespace headlight

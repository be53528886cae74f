#include "app/gui/lessons/lesson_steps.h"

#include <algorithm>
#include <utility>

#include "app/gui/panel/saved_view.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

/// What is drawn is what the draft asks for.
bool is_draft_shown(const Panel& panel) {
  return panel.has_picture() && panel.snapshot->query == panel.draft.query;
}

/// The theme is the person's, whatever document is set.
void set_document(Panel& panel, Document next) {
  set_theme(next.style, panel.draft.style.theme);
  panel.draft = std::move(next);
}

/// A card of a lab that the step points at is scrolled to.
void show_card(Panel& panel, const LessonView& view) {
  constexpr std::string_view kCard = "card ";
  if (view.target && view.target->label.starts_with(kCard)) panel.view.labs_page.wanted_card = view.target->label.substr(kCard.size());
}

void set_look(Panel& panel, const LessonStep& step) {
  show_card(panel, step.view);
  try {
    Json look = look_of(step.view, *panel.snapshot);
    if (!step.view.row) panel.view.pinned_query.reset();  // of the step before, perhaps of another text
    if (step.view.view == View::head.name && step.view.stage.empty()) look["stage"] = "weights";  // whatever was looked at before
    show_look(look, panel.view, panel.views);
  } catch (const Error& error) {  // a word or head that this model does not have: the step is shown as far as it goes
    panel.view.notes.banner = error.message();
  }
}

void leave(Panel& panel) {
  std::optional<OpenLesson> left = panel.context.session.lessons().leave();
  panel.view.pinned_query.reset();  // a look without one would keep it
  set_document(panel, std::move(left->before));
  panel.view.look_after_lesson = std::move(left->look_before);
}

void take_wanted(Panel& panel) {
  std::string& wanted = panel.view.dialogs.wanted_lesson;
  if (wanted.empty() || !panel.snapshot) return;
  const std::shared_ptr<const Lessons> all = panel.context.session.lessons().all();
  if (!all) return;
  const std::string name = std::exchange(wanted, {});
  const auto found = std::find_if(all->lessons.begin(), all->lessons.end(), [&](const Lesson& each) { return each.name == name; });
  if (found != all->lessons.end()) take_lesson(panel, all, static_cast<std::size_t>(found - all->lessons.begin()));
}

}  // namespace

void take_lesson(Panel& panel, const std::shared_ptr<const Lessons>& all, std::size_t place) {
  Session& session = panel.context.session;
  session.lessons().take(all, place, panel.draft, look_of(panel.view, panel.views), session.openings());
  panel.view.look_after_lesson = Json();
}

void settle_lesson(Panel& panel) {
  take_wanted(panel);
  Session& session = panel.context.session;
  OpenLesson* lesson = session.lessons().open();
  if (lesson == nullptr) {
    session.free_undo();
    Json& look = panel.view.look_after_lesson;
    if (look.is_null() || !is_draft_shown(panel)) return;
    show_look(std::exchange(look, Json()), panel.view, panel.views);
    return;
  }
  if (lesson->openings != session.openings()) {  // another document was opened meanwhile: it stays
    session.lessons().leave();
    return;
  }
  if (lesson->is_left) return leave(panel);
  if (std::exchange(lesson->sets_document, false)) set_document(panel, lesson->shown().document);
  if (!is_draft_shown(panel)) return;
  if (lesson->begins && panel.draft == session.document()) {
    lesson->begins = false;
    session.hold_undo();
  }
  if (std::exchange(lesson->sets_look, false)) set_look(panel, lesson->shown());
  float& scale = panel.view.labs_page.card_scale;  // presenting makes everything larger, and the card would be out of sight
  if (std::exchange(scale, panel.look.scale) != panel.look.scale) show_card(panel, lesson->shown().view);
  session.lessons().play(panel.snapshot);
}

}  // namespace headlight

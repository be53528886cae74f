#include "app/gui/commands/lesson_commands.h"

#include <array>

namespace headlight {
namespace {

OpenLesson& open_lesson(Panel& panel) {
  return *panel.context.session.lessons().open();
}

std::string without_step_before(const Panel& panel) {
  const OpenLesson* lesson = panel.context.session.lessons().open();
  return lesson != nullptr && lesson->step > 0 ? "" : "This is the first step.";
}

std::string unless_presented(const Panel& panel) {
  return is_lesson_presented(panel) ? "" : "For a lesson that is presented (F5).";
}

std::string without_presented_step_before(const Panel& panel) {
  const std::string problem = unless_presented(panel);
  return problem.empty() ? without_step_before(panel) : problem;
}

void go_on(Panel& panel) {
  open_lesson(panel).go_on();
}

void go_back(Panel& panel) {
  open_lesson(panel).go_to(open_lesson(panel).step - 1);
}

/// Escape is for what the pointer does first: a brush, a relation that is framed.
std::string while_painting(const Panel& panel) {
  return panel.view.painting.brush == Brush::off ? "" : "The brush is put down first.";
}

std::string while_presented_and_not_painting(const Panel& panel) {
  const std::string problem = unless_presented(panel);
  return problem.empty() ? while_painting(panel) : problem;
}

constexpr std::array kLessonCommands{
    WindowCommand{.name = "Next step of the lesson",
                  .words = "lesson forward on continue answer",
                  .keys = {ImGuiKey_Space, ImGuiKey_PageDown},
                  .act = go_on},
    WindowCommand{.name = "Step before, of the lesson",
                  .words = "lesson back previous",
                  .keys = {ImGuiKey_PageUp, ImGuiMod_Shift | ImGuiKey_Space},
                  .act = go_back,
                  .why_not = without_step_before},
    // What the makes of clickers send.
    WindowCommand{
        .name = "Next step, presenting", .keys = {ImGuiKey_RightArrow, ImGuiKey_DownArrow}, .act = go_on, .why_not = unless_presented},
    WindowCommand{.name = "Step before, presenting",
                  .keys = {ImGuiKey_LeftArrow, ImGuiKey_UpArrow},
                  .act = go_back,
                  .why_not = without_presented_step_before},
    WindowCommand{.name = "Black screen, presenting",
                  .keys = {ImGuiKey_B, ImGuiKey_Period},
                  .act = [](Panel& panel) { panel.view.shell.is_black = true; },
                  .why_not = unless_presented},
    WindowCommand{.name = "Stop presenting the lesson",
                  .keys = {ImGuiKey_Escape},
                  .act = [](Panel& panel) { panel.view.shell.is_presenting = false; },
                  .why_not = while_presented_and_not_painting},
    WindowCommand{.name = "Back to the step",
                  .words = "lesson reset return again",
                  .keys = {ImGuiKey_R},
                  .act = [](Panel& panel) { open_lesson(panel).return_to_step(); }},
    WindowCommand{.name = "Leave the lesson",
                  .words = "close end quit lesson",
                  .keys = {ImGuiKey_Escape},
                  .act = [](Panel& panel) { open_lesson(panel).is_left = true; },
                  .why_not = while_painting},
};

}  // namespace

std::span<const WindowCommand> all_lesson_commands() {
  return kLessonCommands;
}

std::span<const WindowCommand> lesson_commands(const Panel& panel) {
  return panel.context.session.lessons().is_taken() ? all_lesson_commands() : std::span<const WindowCommand>();
}

bool is_lesson_presented(const Panel& panel) {
  return panel.view.shell.is_presenting && panel.context.session.lessons().is_taken();
}

bool takes_digits(const Panel& panel) {
  const LessonDesk& lessons = panel.context.session.lessons();
  return lessons.asks() && lessons.open()->shown().question->kind == QuestionKind::key;
}

}  // namespace headlight

#include "app/gui/lessons/lessons_dialog.h"

#include <fmt/core.h>

#include "app/gui/dialogs/dialog.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/lessons/lesson_steps.h"
#include "app/lessons/play/guess_file.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

/// Its title and length, and under them what it is for. Returns whether it was pressed.
bool draw_offer(const Look& look, const Lesson& lesson, std::size_t left_at) {
  const float inset = look.px(kUnit);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, room = width - 2 * inset;
  const float goal = paragraph_height(look, Type::body, lesson.goal, room);
  const float height = look.px(kLine) + goal + 2 * inset;
  const Press press = press_area(lesson.title.c_str(), at, {width, height});
  if (press.is_hovered) fill(look, at, {at.x + width, at.y + height}, look.colours.raised);
  const float middle = at.y + inset + look.px(kLine) / 2;
  const std::string length = left_at > 0 ? fmt::format("on from step {} of {}", left_at + 1, lesson.steps.size())
                                         : fmt::format("{} steps · {} minutes", lesson.steps.size(), lesson.minutes);
  draw_text(look, at.x + inset, middle, Type::strong, look.colours.text, lesson.title);
  draw_text(look, at.x + width - inset, middle, Type::caption, look.colours.text_second, length, AlignX::right);
  ImGui::SetCursorScreenPos({at.x + inset, at.y + inset + look.px(kLine)});
  ImGui::BeginGroup();
  paragraph(look, Type::body, look.colours.text_second, lesson.goal, room);
  ImGui::EndGroup();
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({width, look.px(2)});
  return press.is_clicked;
}

/// Writes the guesses of a class to a file, once a person asks for it.
void draw_guess_file(Panel& panel) {
  const Look& look = panel.look;
  LessonDesk& lessons = panel.context.session.lessons();
  OpenDialogs& dialogs = panel.view.dialogs;
  text_line(look, Type::heading, look.colours.text_second, "Guesses of a class");
  const bool is_on = !lessons.guess_file().empty();
  const char* const button = is_on ? "Stop writing" : "Write guesses";
  const Row row = begin_row(look, "", nullptr, 36);
  const float width = button_width(look, button), top = row.top + look.px(4), right = row.right - width;
  if (is_on) {
    const std::string file = "Every guess is added to " + printable(lessons.guess_file().string(), 400);
    draw_text(look, row.left, row.middle(), Type::body, look.colours.text,
              elided(look, Type::body, file, right - row.left - look.px(kUnit)));
    if (quiet_button(look, button, {right, top}, {width, look.px(kRow)})) lessons.keep_guesses_in({});
    return;
  }
  text_box(look, "Guess file", "Path of a file, such as guesses.csv", dialogs.guess_path, {row.left, top},
           right - row.left - look.px(kUnit), kRow);
  const bool is_returned = is_entered();
  const bool is_pressed = quiet_button(look, button, {right, top}, {width, look.px(kRow)}, !dialogs.guess_path.empty());
  paragraph(look, Type::caption, look.colours.text_second,
            "A line for each guess, in a CSV file on this computer, without names. headlight lesson guesses FILE sums them up.");
  if (!dialogs.guess_problem.empty()) paragraph(look, Type::caption, look.colours.bad, dialogs.guess_problem);
  if (!(is_pressed || is_returned) || dialogs.guess_path.empty()) return;
  try {
    const std::filesystem::path file = std::filesystem::absolute(dialogs.guess_path).lexically_normal();
    check_guess_file(file);
    lessons.keep_guesses_in(file);
    dialogs.guess_problem.clear();
  } catch (const Error& error) {
    dialogs.guess_problem = error.message();
  }
}

}  // namespace

void draw_lessons_dialog(Panel& panel) {
  const Look& look = panel.look;
  bool& is_open = panel.view.dialogs.lessons;
  if (!begin_dialog(look, "Take a lesson", 720, is_open)) return;
  const std::shared_ptr<const Lessons> all = panel.context.session.lessons().all();
  paragraph(look, Type::body, look.colours.text_second,
            "Each asks you to guess before it shows. You may change everything on the way; your document comes back when you leave.");
  gap(look, kUnit);
  for (std::size_t place = 0; all && place < all->lessons.size(); ++place) {
    const Lesson& lesson = all->lessons[place];
    if (!draw_offer(look, lesson, panel.context.session.lessons().left_at(lesson))) continue;
    take_lesson(panel, all, place);
    is_open = false;
  }
  if (!all) text_line(look, Type::body, look.colours.text_second, "Reading the lessons …");
  if (all && all->lessons.empty()) text_line(look, Type::body, look.colours.text_second, "There are no lessons with this program.");
  for (std::size_t i = 0; all && i < all->left_out.size(); ++i) paragraph(look, Type::body, look.colours.bad, all->left_out[i]);
  gap(look, kUnit);
  draw_guess_file(panel);
  end_dialog(is_open);
}

}  // namespace headlight

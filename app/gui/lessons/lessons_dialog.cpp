#include "app/gui/lessons/lessons_dialog.h"

#include <fmt/core.h>

#include "app/gui/dialogs/dialog.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/lessons/lesson_steps.h"

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
  end_dialog(is_open);
}

}  // namespace headlight

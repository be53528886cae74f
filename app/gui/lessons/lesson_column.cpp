#include "app/gui/lessons/lesson_column.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/lessons/lesson_light.h"
#include "app/gui/lessons/lesson_question.h"
#include "app/gui/lessons/lesson_words.h"

namespace headlight {
namespace {

constexpr float kHead = 72, kFoot = 52;

/// A mark for every step; pressing one goes there.
void draw_dots(const Look& look, OpenLesson& lesson, const Box& box) {
  const std::size_t steps = lesson.lesson->steps.size();
  const float each = std::min(look.px(14), box.width / static_cast<float>(steps));
  const float middle = box.y + box.height / 2, half = look.px(3);
  for (std::size_t step = 0; step < steps; ++step) {
    const float left = box.x + static_cast<float>(step) * each;
    const Press press = press_area_in_list(fmt::format("Lesson step {}", step + 1).c_str(), {left, box.y}, {each, box.height}, step == 0);
    hint(look, fmt::format("{}. {}", step + 1, lesson.lesson->steps[step].title).c_str());
    const bool is_here = step == lesson.step;
    const Colour behind = step < lesson.step ? faded(look.colours.accent, 0.6F) : look.colours.line;
    const Colour colour = is_here ? look.colours.accent : press.is_hovered ? look.colours.text_second : behind;
    const float inset = is_here ? look.px(1) : std::round(each / 2) - half;
    fill(look, {left + inset, middle - half}, {left + each - inset, middle + half}, colour, 3);
    if (press.is_clicked && !is_here) return lesson.go_to(step);
  }
}

/// Its title, a × that leaves it, and how far it has come.
void draw_head(const Look& look, OpenLesson& lesson, const Box& box) {
  const float margin = look.px(kBetween), first = box.y + look.px(24), second = box.y + look.px(50);
  const float right = box.right() - margin;
  const std::string& title = lesson.lesson->title;
  const std::string shown = elided(look, Type::strong, title, right - box.x - margin - look.px(kRow));
  draw_text(look, box.x + margin, first, Type::strong, look.colours.text, shown);
  if (close_button(look, "Leave the lesson", {right - look.px(6), first})) lesson.is_left = true;
  hint(look, "Leave the lesson (Esc). Your document comes back as it was.");
  const std::string count = fmt::format("{} of {}", lesson.step + 1, lesson.lesson->steps.size());
  const Press again =
      word_button(look, "Back to the step", "back to the step", right, {box.x, second - look.px(12), box.width, look.px(24)});
  hint(look, "Whatever you changed: show the step again as it was written (R). What you did can be undone.");
  if (again.is_clicked) lesson.return_to_step();
  const float end = right - text_width(look, Type::body, "back to the step") - look.px(kBetween);
  const float counted = text_width(look, Type::body, count) + look.px(kUnit);
  draw_dots(look, lesson, {box.x + margin, second - look.px(8), std::max(look.px(40), end - counted - box.x - margin), look.px(16)});
  draw_text(look, end, second, Type::body, look.colours.text_second, count, AlignX::right);
  fill(look, {box.x, box.y + look.px(kHead) - 1}, {box.right(), box.y + look.px(kHead)}, look.colours.line, 0);
}

void draw_words(const Look& look, const LessonStep& step, const LessonPicture* picture) {
  if (picture != nullptr) return draw_paragraphs(look, picture->played.words);
  std::vector<FilledParagraph> words;
  for (const Paragraph& paragraph : step.words) words.push_back(without_numbers(paragraph));
  draw_paragraphs(look, words);
}

/// What is done in the left rail is a button that opens its section there.
void draw_touchable(Panel& panel, const LessonName& row) {
  const Look& look = panel.look;
  const std::string meaning(row.meaning), section(row.section);
  if (section.empty()) return paragraph(look, Type::body, look.colours.text, "·  " + meaning);
  const Row line = begin_row(look, "");
  const float width = std::min(button_width(look, meaning), line.right - line.left);
  if (quiet_button(look, meaning.c_str(), {line.left, line.top + look.px(2)}, {width, look.px(kControl)}))
    panel.view.rails.wanted_section = section;
  hint(look, fmt::format("Opens {} in the left rail.", section).c_str());
}

void draw_touch(Panel& panel, const LessonStep& step) {
  if (step.touch.empty()) return;
  gap(panel.look, kUnit);
  text_line(panel.look, Type::heading, panel.look.colours.accent, "Try it");
  const auto rows = touchables();
  for (const std::string& name : step.touch) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const LessonName& each) { return each.name == name; });
    if (row != rows.end()) draw_touchable(panel, *row);
  }
}

/// At the end: how many of the guesses were right.
void draw_tally(const Look& look, const OpenLesson& lesson) {
  if (!lesson.is_last() || lesson.guesses.empty()) return;
  gap(look, kUnit);
  const auto right = std::count_if(lesson.guesses.begin(), lesson.guesses.end(), [](const auto& each) { return each.second; });
  text_line(look, Type::body, look.colours.text_second, fmt::format("{} of {} guesses right.", right, lesson.guesses.size()));
}

/// Title and words, or the answer in their place once there is one; then what to try, unless a question is still open.
void draw_content(Panel& panel, OpenLesson& lesson) {
  const Look& look = panel.look;
  const LessonDesk& desk = panel.context.session.lessons();
  const std::shared_ptr<const LessonPicture> picture = desk.played();
  const LessonStep& step = lesson.shown();
  const bool is_answer = step.question && !lesson.asks();
  gap(look, kUnit);
  paragraph(look, Type::title, look.colours.text, step.title);
  gap(look, kUnit);
  is_answer ? draw_answered(panel, lesson, picture.get()) : draw_words(look, step, picture.get());
  const StudyStatus status = desk.status();
  if (!picture && status.error) paragraph(look, Type::body, look.colours.bad, status.error_message);
  if (lesson.asks()) return;
  draw_touch(panel, step);
  draw_tally(look, lesson);
}

/// The words, and under them the question, which is always in sight: the words scroll where there is no room for both. A question that covers
/// the view has its place there.
void draw_asking(Panel& panel, OpenLesson& lesson, const Box& box, const std::string& name) {
  constexpr float kLeastWords = 0.35F;  // of the height
  const Look& look = panel.look;
  const float most = box.height - std::min(panel.caches.question_height, box.height * (1 - kLeastWords));
  const float height = std::min(panel.caches.words_height, most);
  begin_scrolling_column(look, name.c_str(), {box.x, box.y, box.width, height}, look.colours.panel);
  draw_content(panel, lesson);
  panel.caches.words_height = ImGui::GetCursorPosY();
  ImGui::EndChild();
  if (height < panel.caches.words_height) fill(look, {box.x, box.y + height}, {box.right(), box.y + height + 1}, look.colours.line, 0);
  begin_scrolling_column(look, (name + " asked").c_str(), {box.x, box.y + height, box.width, box.height - height}, look.colours.panel);
  draw_asked(panel, lesson, false);
  panel.caches.question_height = ImGui::GetCursorPosY();
  ImGui::EndChild();
}

void draw_foot(const Look& look, OpenLesson& lesson, const Box& box) {
  const float margin = look.px(kBetween), height = look.px(32);
  fill(look, {box.x, box.y}, {box.right(), box.y + 1}, look.colours.line, 0);
  const float top = box.y + std::round((box.height - height) / 2), right = box.right() - margin;
  const char* on = lesson.asks() ? "Show the answer" : lesson.is_last() ? "End the lesson" : "Next";
  const float width = std::max(button_width(look, on), look.px(88));
  if (quiet_button(look, "Back", {box.x + margin, top}, {std::max(button_width(look, "Back"), look.px(72)), height}, lesson.step > 0)) {
    return lesson.go_to(lesson.step - 1);
  }
  hint(look, "The step before (Page Up).");
  const bool is_pressed = lesson.asks() ? quiet_button(look, on, {right - width, top}, {width, height})
                                        : main_button(look, on, {right - width, top}, {width, height});
  hint(look, lesson.asks()      ? "Without a guess (Space)."
             : lesson.is_last() ? "Your document comes back as it was (Esc)."
                                : "Space, or Page Down.");
  if (!is_pressed) return;
  lesson.is_last() && !lesson.asks() ? void(lesson.is_left = true) : lesson.go_on();
}

}  // namespace

void draw_lesson(Panel& panel, const Box& box) {
  OpenLesson* lesson = panel.context.session.lessons().open();
  if (lesson == nullptr || box.width <= 0) return;
  const Look& look = panel.look;
  const float head = look.px(kHead), foot = look.px(kFoot), margin = look.px(kBetween);
  begin_region(look, "Lesson", box, look.colours.panel, {0, 0});
  draw_head(look, *lesson, {box.x, box.y, box.width, head});
  const std::string name = fmt::format("step {} {}", lesson->step, lesson->guessing.is_answered);  // each begins at its top
  const Box content{box.x + margin, box.y + head, box.width - 2 * margin, std::max(1.0F, box.height - head - foot)};
  if (lesson->asks() && !covers_view(panel)) {
    draw_asking(panel, *lesson, content, name);
  } else {
    begin_scrolling_column(look, name.c_str(), content, look.colours.panel);
    draw_content(panel, *lesson);
    ImGui::EndChild();
  }
  draw_foot(look, *lesson, {box.x, box.bottom() - foot, box.width, foot});
  end_region();
}

}  // namespace headlight

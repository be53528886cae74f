#include "app/gui/lessons/lesson_light.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/lessons/lesson_question.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

const DrawnItem* find_item(std::string_view label) {
  const ItemRecorder* recorder = recorder_here();
  return recorder != nullptr ? recorder->only(label) : nullptr;
}

/// A row of a map, or a cell of it; nullopt: it is not in sight.
std::optional<Box> box_of(const DrawnItem& map, Index query, std::optional<Index> key) {
  const CellWindow& cells = map.cells;
  const float rows = cells.row_end - cells.row_begin, columns = cells.column_end - cells.column_begin;
  const float row = static_cast<float>(query) - cells.row_begin;
  if (rows <= 0 || columns <= 0 || row < 0 || row + 1 > rows) return std::nullopt;
  Box box{map.box.x, map.box.y + row * map.box.height / rows, map.box.width, map.box.height / rows};
  if (!key) return box;
  const float column = static_cast<float>(*key) - cells.column_begin;
  if (column < 0 || column + 1 > columns) return std::nullopt;
  const float width = map.box.width / columns;
  return Box{box.x + column * width, box.y, width, box.height};
}

/// Under the rows of Inside and their sums; the foot of the view where none is in sight.
float foot_of_rows(const Panel& panel, const Box& centre) {
  const ViewRow* shown = panel.shown_view();
  const float foot = centre.bottom() - (shown != nullptr ? panel.look.px(shown->foot + kBetween + kUnit) : 0);
  float last = 0;
  for (const DrawnItem& item : recorder_here()->items()) {
    const bool is_row = item.label.starts_with("Row ") || item.label.starts_with("Rows ");
    if (is_row && item.box.x >= centre.x && item.box.right() <= centre.right()) last = std::max(last, item.box.bottom());
  }
  return last > 0 ? std::min(foot, last + panel.look.px(2 * kLine)) : foot;
}

/// A column is named by its heading: all of it is lit.
Box whole_column(const Panel& panel, Box heading, const Box& centre) {
  const float around = panel.look.px(kUnit);
  heading.height = std::max(heading.height, foot_of_rows(panel, centre) - heading.y);
  return {heading.x - around, heading.y, heading.width + 2 * around, heading.height};
}

std::optional<Box> lit_box(const Panel& panel, const LessonStep& step, const Box& centre) {
  if (!step.view.target || !panel.has_picture()) return std::nullopt;
  try {
    const LitPlace place = lit_place(*step.view.target, step.view, *panel.snapshot);
    const DrawnItem* item = find_item(place.label);
    if (item == nullptr) return std::nullopt;
    if (place.query) return box_of(*item, *place.query, place.key);
    const bool is_column = step.view.target->kind == Spotlight::Kind::column;
    return is_column ? whole_column(panel, item->box, centre) : item->box;
  } catch (const Error&) {  // a word that the text does not hold any more
    return std::nullopt;
  }
}

/// Until a person turns to the picture.
void draw_spot(Panel& panel, OpenLesson& lesson, const Box& centre) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_there = mouse.x >= centre.x && mouse.x < centre.right() && mouse.y >= centre.y && mouse.y < centre.bottom();
  if (is_there && (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::GetIO().MouseWheel != 0)) lesson.is_lit = false;
  if (!lesson.is_lit || lesson.sets_look || panel.view.shell.spotlight) return;
  const std::optional<Box> lit = lit_box(panel, lesson.shown(), centre);
  if (!lit) return;
  const Look& look = panel.look;
  const float shade = lesson.asks() ? 0.5F : 0.36F;
  begin_overlay("Lesson light", centre, ImGuiWindowFlags_NoInputs);
  const float left = std::max(lit->x, centre.x), right = std::min(lit->right(), centre.right());
  const float top = std::max(lit->y, centre.y), bottom = std::min(lit->bottom(), centre.bottom());
  const Colour colour = faded(look.colours.ground, shade);
  fill(look, {centre.x, centre.y}, {centre.right(), top}, colour, 0);
  fill(look, {centre.x, top}, {left, bottom}, colour, 0);
  fill(look, {right, top}, {centre.right(), bottom}, colour, 0);
  fill(look, {centre.x, bottom}, {centre.right(), centre.bottom()}, colour, 0);
  canvas().AddRect({left - 1, top - 1}, {right + 1, bottom + 1}, to_imgui(look.colours.query), look.px(3), 0, look.px(2));
  end_region();
}

/// A "?" in every cell of the row that can be guessed; pressing one guesses it. `cells` is a copy: drawing records more items, which moves the
/// map's.
void cover_row(Panel& panel, OpenLesson& lesson, const Box& row, CellWindow cells, const Answer* answer) {
  const Look& look = panel.look;
  begin_overlay("Asked row", row);
  fill(look, {row.x, row.y}, {row.right(), row.bottom()}, look.colours.raised, 0);
  const float width = row.width / (cells.column_end - cells.column_begin);
  const bool has_room = width >= look.px(14) && row.height >= look.px(12);
  const auto first = static_cast<Index>(std::max(0.0F, std::floor(cells.column_begin)));
  const auto keys = answer != nullptr ? std::ssize(answer->row) : Index{0};
  for (Index key = first; key < keys && static_cast<float>(key) < cells.column_end; ++key) {
    if (!answer->is_allowed[static_cast<std::size_t>(key)]) continue;
    const float left = row.x + (static_cast<float>(key) - cells.column_begin) * width;
    const ImVec2 from{left + 1, row.y + 1}, to{left + width - 1, row.bottom() - 1};
    const bool is_key = lesson.shown().question->kind == QuestionKind::key;
    const Press press =
        is_key ? press_area_in_list(fmt::format("Asked cell {}", key).c_str(), from, {to.x - from.x, to.y - from.y}, key == first)
               : Press{};
    if (press.is_hovered) fill(look, from, to, look.colours.line, 2);
    outline(look, from, to, faded(look.colours.key, 0.6F), 2);
    if (has_room) draw_text(look, (from.x + to.x) / 2, (from.y + to.y) / 2, Type::strong, look.colours.key, "?", AlignX::centre);
    if (press.is_clicked) guess_key(lesson, *answer, key);
  }
  end_region();
}

void cover_view(const Look& look, const Box& centre) {
  begin_overlay("Asked view", centre);
  fill(look, {centre.x, centre.y}, {centre.right(), centre.bottom()}, look.colours.ground, 0);
  const float middle = centre.y + centre.height * 0.4F;
  draw_text(look, centre.x + centre.width / 2, middle, Type::title, look.colours.text, "Guess first", AlignX::centre);
  draw_text(look, centre.x + centre.width / 2, middle + look.px(kRow), Type::body, look.colours.text_second, "Then the picture shows it.",
            AlignX::centre);
  press_area("Covered view", {centre.x, centre.y}, {centre.width, centre.height});  // nothing under it is pointed at
  end_region();
}

/// All of the view answers: Output and Labs list what is asked for, maps show a number of theirs, and Inside an asked row.
bool shows_answer(const Panel& panel, const OpenLesson& lesson) {
  if (!lesson.asks()) return false;
  const View view = panel.view.view;
  const bool is_inside_row = lesson.hides_row() && view == View::inside && panel.view.head == lesson.shown().question->head;
  return lesson.hides_maps() || view == View::output || view == View::lab || is_inside_row;
}

/// Head shows the asked row as one of its map.
void cover_asked_row(Panel& panel, OpenLesson& lesson) {
  const Question& question = *lesson.shown().question;
  if (panel.view.head != question.head) return;
  const DrawnItem* map = panel.view.view == View::head ? find_item("map") : nullptr;
  if (map == nullptr || !panel.has_picture()) return;
  const std::shared_ptr<const LessonPicture> picture = panel.context.session.lessons().played();
  try {
    const Index query = row_of_word(question.row, *panel.snapshot, question.head.layer);
    const std::optional<Box> row = box_of(*map, query, std::nullopt);
    if (row) cover_row(panel, lesson, *row, map->cells, picture ? &*picture->played.answer : nullptr);
  } catch (const Error&) {  // the text does not hold that word any more: the question says so
  }
}

}  // namespace

void begin_places(const Panel& panel, LessonPlaces& places) {
  const OpenLesson* lesson = panel.context.session.lessons().open();
  const bool is_wanted = lesson != nullptr && (lesson->shown().view.target || lesson->hides_row());
  if (!is_wanted) places.reset();
  if (is_wanted && recorder_here() == nullptr) places = std::make_unique<ItemRecorder>();
  if (places) places->begin_frame();
}

void draw_lesson_light(Panel& panel, const Box& centre) {
  OpenLesson* lesson = panel.context.session.lessons().open();
  if (lesson == nullptr) return;
  if (shows_answer(panel, *lesson)) return cover_view(panel.look, centre);
  draw_spot(panel, *lesson, centre);
  if (lesson->hides_row()) cover_asked_row(panel, *lesson);
}

}  // namespace headlight

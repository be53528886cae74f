#include "app/gui/lessons/lesson_light.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

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

/// What the step points at, and what is dimmed around it; a map keeps its labels and its colour bar, so that they can be read.
struct Lit {
  Box box, around;
};
/// Nothing: it is not in sight.
std::optional<Lit> lit_of(const Panel& panel, const LessonStep& step, const Box& centre) {
  if (!step.view.target || !panel.has_picture()) return std::nullopt;
  try {
    const LitPlace place = lit_place(*step.view.target, step.view, *panel.snapshot);
    const DrawnItem* item = find_item(place.label);
    if (item == nullptr) return std::nullopt;
    if (step.view.target->kind == Spotlight::Kind::column) return Lit{whole_column(panel, item->box, centre), centre};
    const std::optional<Box> lit = place.query ? box_of(*item, *place.query, place.key) : item->box;
    if (!lit) return std::nullopt;
    return Lit{*lit, place.label == "map" ? item->box : centre};
  } catch (const Error&) {  // a word that the text does not hold any more
    return std::nullopt;
  }
}

/// Dims all of a place but a box.
void dim_around(const Look& look, const Box& all, const Box& lit, Colour colour) {
  const float left = std::clamp(lit.x, all.x, all.right()), right = std::clamp(lit.right(), all.x, all.right());
  const float top = std::clamp(lit.y, all.y, all.bottom()), bottom = std::clamp(lit.bottom(), all.y, all.bottom());
  const auto dim = [&](ImVec2 from, ImVec2 to) {
    if (from.x < to.x && from.y < to.y) fill(look, from, to, colour, 0);
  };
  dim({all.x, all.y}, {all.right(), top});
  dim({all.x, bottom}, {all.right(), all.bottom()});
  dim({all.x, top}, {left, bottom});
  dim({right, top}, {all.right(), bottom});
}

void draw_light_frame(const Look& look, const Box& lit, const Box& centre) {
  const float left = std::max(lit.x, centre.x), right = std::min(lit.right(), centre.right());
  const float top = std::max(lit.y, centre.y), bottom = std::min(lit.bottom(), centre.bottom());
  canvas().AddRect({left - 1, top - 1}, {right + 1, bottom + 1}, to_imgui(look.colours.query), look.px(3), 0, look.px(2));
}

/// Until a person turns to the picture.
void draw_spot(Panel& panel, OpenLesson& lesson, const Box& centre) {
  constexpr float kShade = 0.36F;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_there = mouse.x >= centre.x && mouse.x < centre.right() && mouse.y >= centre.y && mouse.y < centre.bottom();
  if (is_there && (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::GetIO().MouseWheel != 0)) lesson.is_lit = false;
  if (!lesson.is_lit || lesson.sets_look || panel.view.shell.spotlight) return;
  const std::optional<Lit> lit = lit_of(panel, lesson.shown(), centre);
  if (!lit) return;
  const Look& look = panel.look;
  begin_overlay("Lesson light", centre, ImGuiWindowFlags_NoInputs);
  name_area("Dimmed", lit->around);
  dim_around(look, lit->around, lit->box, faded(look.colours.ground, kShade));
  draw_light_frame(look, lit->box, centre);
  end_region();
}

/// The cells that the words speak of: those of the step, and the answer to where a word looks.
std::vector<Cell> spoken_cells(const Panel& panel, const OpenLesson& lesson) {
  const LessonStep& step = lesson.shown();
  std::vector<Cell> cells = framed_cells(step.view, *panel.snapshot);
  const std::shared_ptr<const LessonPicture> picture = panel.context.session.lessons().played();
  const bool is_answered = step.question && step.question->kind == QuestionKind::key && lesson.guessing.is_answered;
  if (!is_answered || !picture || panel.view.view != View::head || step.question->head != panel.view.head) return cells;
  const Answer& answer = *picture->played.answer;
  if (answer.problem.empty()) cells.push_back({row_of_word(step.question->row, *panel.snapshot, step.question->head.layer), answer.best});
  return cells;
}

/// A whole map of the text, of which nothing is scrolled out of sight.
bool is_whole_map(const DrawnItem& item, Index tokens) {
  const float rows = item.cells.row_end - item.cells.row_begin, columns = item.cells.column_end - item.cells.column_begin;
  return rows > 0 && rows == columns && rows == static_cast<float>(tokens) && std::abs(item.box.width - item.box.height) < 2;
}

/// The cells are framed where they can be told from each other: in the map of Head, on the cards of Compare and in labs, there on the card
/// that is lit.
std::vector<Box> frames_in_sight(const Panel& panel, std::span<const Cell> cells, const std::optional<Lit>& lit) {
  std::vector<Box> boxes;
  for (const DrawnItem& item : recorder_here()->items()) {
    const bool is_large = panel.view.view == View::head ? item.label == "map" : is_whole_map(item, panel.snapshot->tokens());
    const bool is_dimmed = lit && panel.view.view == View::lab && !lit->box.contains({item.box.x, item.box.y});
    if (!is_large || is_dimmed) continue;
    for (const Cell& cell : cells) {
      if (const std::optional<Box> box = box_of(item, cell.query, cell.key)) boxes.push_back(*box);
    }
  }
  return boxes;
}

void draw_frames(Panel& panel, const OpenLesson& lesson, const Box& centre) {
  const LessonView& step = lesson.shown().view;
  const bool is_elsewhere =
      panel.view.view.name != step.view || (step.head && panel.view.view == View::head && panel.view.head != *step.head);
  if (recorder_here() == nullptr || is_elsewhere || lesson.hides_row() || lesson.sets_look || !panel.has_picture()) return;
  const Look& look = panel.look;
  try {
    const std::vector<Cell> cells = spoken_cells(panel, lesson);
    if (cells.size() == 1 && panel.view.view == View::head) panel.caches.spoken_cell = cells.front();
    const std::vector<Box> boxes = frames_in_sight(panel, cells, lit_of(panel, lesson.shown(), centre));
    if (boxes.empty()) return;
    begin_overlay("Lesson frames", centre, ImGuiWindowFlags_NoInputs);
    const float width = look.px(2);
    for (const Box& box : boxes) {
      const ImVec2 from{box.x, box.y}, to{box.right(), box.bottom()};
      canvas().AddRect({from.x - width, from.y - width}, {to.x + width, to.y + width}, to_imgui(look.colours.ground), look.px(3), 0, width);
      canvas().AddRect(from, to, to_imgui(look.colours.key), look.px(2), 0, width);
      name_area("Spoken cell", box);
    }
    end_region();
  } catch (const Error&) {  // a word that the text does not hold any more
  }
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
  if (keys == 0) draw_text(look, row.x + row.width / 2, row.y + row.height / 2, Type::strong, look.colours.key, "?", AlignX::centre);
  end_region();
}

/// The question in the place of the view; nothing under it is pointed at.
void cover_view(Panel& panel, OpenLesson& lesson, const Box& centre) {
  constexpr float kWidest = 480, kAbove = 0.3F;  // of what the question leaves free
  const Look& look = panel.look;
  begin_overlay("Asked view", centre);
  fill(look, {centre.x, centre.y}, {centre.right(), centre.bottom()}, look.colours.ground, 0);
  name_area("Covered view", centre);
  const float width = std::min(look.px(kWidest), centre.width - 2 * look.px(kBetween + kUnit));
  const float above = std::round(std::max(0.0F, centre.height - panel.caches.question_height) * kAbove);
  const Box box{std::round(centre.x + (centre.width - width) / 2), centre.y + above, width, centre.height - above};
  begin_scrolling_column(look, fmt::format("asked {}", lesson.step).c_str(), box, look.colours.ground);
  draw_asked(panel, lesson, true);
  panel.caches.question_height = ImGui::GetCursorPosY();
  ImGui::EndChild();
  end_region();
}

/// A "?" over what would tell what a later step asks. The frame of what is lit goes on over it.
void cover_places(const Panel& panel, const OpenLesson& lesson, const Box& centre) {
  const Look& look = panel.look;
  const std::optional<Lit> lit = lesson.is_lit ? lit_of(panel, lesson.shown(), centre) : std::nullopt;
  for (const std::string& label : lesson.shown().view.covers) {
    const DrawnItem* item = find_item(label);
    if (item == nullptr) continue;
    const Box box = item->box;
    begin_overlay(("Covers " + label).c_str(), box);
    name_area("Covered " + label, box);
    fill(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.panel, 2);
    draw_text(look, box.x + box.width / 2, box.y + box.height / 2, Type::strong, look.colours.key, "?", AlignX::centre);
    if (lit) draw_light_frame(look, lit->box, centre);
    end_region();
  }
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
  const auto needs_places = [](const OpenLesson& open) {
    const LessonStep& step = open.shown();
    const bool asks_where = step.question && step.question->kind == QuestionKind::key;
    return step.view.target || !step.view.frames.empty() || !step.view.covers.empty() || asks_where || open.hides_row();
  };
  const bool is_wanted = lesson != nullptr && needs_places(*lesson);
  if (!is_wanted) places.reset();
  if (is_wanted && recorder_here() == nullptr) places = std::make_unique<ItemRecorder>();
  if (places) places->begin_frame();
}

/// Output and Labs list what is asked for, maps show a number of theirs; an asked row is in every view but Head, where it is covered alone, and
/// the rows beside it are not to be copied where it is drawn.
bool covers_view(const Panel& panel) {
  const OpenLesson* lesson = panel.context.session.lessons().open();
  if (lesson == nullptr || !lesson->asks()) return false;
  const View view = panel.view.view;
  const bool is_row_elsewhere = lesson->hides_row() && view != View::head;
  const bool is_drawn = lesson->shown().question->kind == QuestionKind::row;
  return lesson->hides_maps() || view == View::output || view == View::lab || is_row_elsewhere || is_drawn;
}

void draw_lesson_light(Panel& panel, const Box& centre) {
  panel.caches.spoken_cell.reset();
  OpenLesson* lesson = panel.context.session.lessons().open();
  if (lesson == nullptr) return;
  if (covers_view(panel)) return cover_view(panel, *lesson, centre);
  cover_places(panel, *lesson, centre);
  draw_spot(panel, *lesson, centre);
  draw_frames(panel, *lesson, centre);
  if (lesson->hides_row()) cover_asked_row(panel, *lesson);
}

}  // namespace headlight

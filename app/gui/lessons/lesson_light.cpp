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

/// A lit part of a map, and its labels: of its rows at the left, of its columns above, where narrow cells have them upright.
std::vector<Box> with_labels(const Panel& panel, const DrawnItem& map, const Box& lit) {
  constexpr float kAround = 12, kLongestLabel = 84, kUprightBelow = 20, kSlanted = 0.71F;
  const Look& look = panel.look;
  const int layer = panel.view.head.layer;
  const auto longest = [&](const TokenNames& names) {
    float width = 0;
    for (const std::string& name : names.axis) width = std::max(width, text_width(look, Type::body, name));
    return std::min(width, look.px(kLongestLabel));
  };
  const float cell = map.box.width / std::max(1.0F, map.cells.column_end - map.cells.column_begin);
  const float rise = cell < look.px(kUprightBelow) ? 1 : kSlanted, around = look.px(kAround);
  const float beside = longest(panel.caches.pictures.query_names(layer)) + around;
  const float above = longest(panel.caches.pictures.key_names(layer)) * rise + around;
  return {lit, {map.box.x - beside, lit.y, beside, lit.height}, {lit.x, map.box.y - above, lit.width + around, above}};
}

/// What the step points at, and the labels that it needs; nothing: it is not in sight.
std::vector<Box> lit_boxes(const Panel& panel, const LessonStep& step, const Box& centre) {
  if (!step.view.target || !panel.has_picture()) return {};
  try {
    const LitPlace place = lit_place(*step.view.target, step.view, *panel.snapshot);
    const DrawnItem* item = find_item(place.label);
    if (item == nullptr) return {};
    if (step.view.target->kind == Spotlight::Kind::column) return {whole_column(panel, item->box, centre)};
    const std::optional<Box> lit = place.query ? box_of(*item, *place.query, place.key) : item->box;
    if (!lit) return {};
    return place.label == "map" ? with_labels(panel, *item, *lit) : std::vector{*lit};
  } catch (const Error&) {  // a word that the text does not hold any more
    return {};
  }
}

/// Dims all of a place but some boxes, slab by slab.
void dim_around(const Look& look, const Box& all, std::vector<Box> lit, Colour colour) {
  std::sort(lit.begin(), lit.end(), [](const Box& a, const Box& b) { return a.x < b.x; });
  std::vector<float> edges{all.y, all.bottom()};
  for (const Box& box : lit) {
    for (const float edge : {box.y, box.bottom()}) edges.push_back(std::clamp(edge, all.y, all.bottom()));
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t slab = 0; slab + 1 < edges.size(); ++slab) {
    const float top = edges[slab], bottom = edges[slab + 1], middle = (top + bottom) / 2;
    if (top == bottom) continue;
    float x = all.x;
    for (const Box& box : lit) {
      if (middle < box.y || middle > box.bottom()) continue;
      if (box.x > x) fill(look, {x, top}, {std::min(box.x, all.right()), bottom}, colour, 0);
      x = std::max(x, box.right());
    }
    if (x < all.right()) fill(look, {x, top}, {all.right(), bottom}, colour, 0);
  }
}

/// Until a person turns to the picture.
void draw_spot(Panel& panel, OpenLesson& lesson, const Box& centre) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_there = mouse.x >= centre.x && mouse.x < centre.right() && mouse.y >= centre.y && mouse.y < centre.bottom();
  if (is_there && (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::GetIO().MouseWheel != 0)) lesson.is_lit = false;
  if (!lesson.is_lit || lesson.sets_look || panel.view.shell.spotlight) return;
  const std::vector<Box> lit = lit_boxes(panel, lesson.shown(), centre);
  if (lit.empty()) return;
  const Look& look = panel.look;
  const float shade = lesson.asks() ? 0.5F : 0.36F;
  begin_overlay("Lesson light", centre, ImGuiWindowFlags_NoInputs);
  dim_around(look, centre, lit, faded(look.colours.ground, shade));
  const Box& framed = lit.front();
  const float left = std::max(framed.x, centre.x), right = std::min(framed.right(), centre.right());
  const float top = std::max(framed.y, centre.y), bottom = std::min(framed.bottom(), centre.bottom());
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

/// A "?" over what would tell what a later step asks.
void cover_places(const Look& look, const LessonStep& step) {
  for (const std::string& label : step.view.covers) {
    const DrawnItem* item = find_item(label);
    if (item == nullptr) continue;
    const Box box = item->box;
    begin_overlay(("Covers " + label).c_str(), box);
    name_area("Covered " + label, box);
    fill(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.panel, 2);
    draw_text(look, box.x + box.width / 2, box.y + box.height / 2, Type::strong, look.colours.key, "?", AlignX::centre);
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
  const bool is_wanted = lesson != nullptr && (lesson->shown().view.target || !lesson->shown().view.covers.empty() || lesson->hides_row());
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
  OpenLesson* lesson = panel.context.session.lessons().open();
  if (lesson == nullptr) return;
  if (covers_view(panel)) return cover_view(panel, *lesson, centre);
  draw_spot(panel, *lesson, centre);
  cover_places(panel.look, lesson->shown());
  if (lesson->hides_row()) cover_asked_row(panel, *lesson);
}

}  // namespace headlight

// One query's computation, at any moment of it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "engine/core/enumeration.h"
#include "engine/figure/axes.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/inside/ledger_layout.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

constexpr float kWidth = 1168, kHeight = 640;

/// Of the figure; a narrow page has fewer columns beside that of its step, and is lower. `below`: what is left of a page of a stated height,
/// or 0.
Point size_on_page(const Inside& inside, InsideMoment moment, const PageLook& look, float below) {
  constexpr float kLeastHeight = 440, kHeightOfWidth = 0.8F, kLowest = 220;
  const float room = room_across(look);
  if (below > 0) return {room > 0 ? std::max(room, least_ledger_width(inside, moment.step)) : kWidth, std::clamp(below, kLowest, kHeight)};
  if (room <= 0) return {kWidth, kHeight};
  const float width = std::max(room, least_ledger_width(inside, moment.step));
  return {width, std::clamp(std::round(width * kHeightOfWidth), kLeastHeight, kHeight)};
}

std::string words_of(const InsideFigureRequest& figure, const std::vector<LedgerRow>& rows) {
  const InsideStepRow& step = inside_step(figure.moment.step);
  const std::string folding = folding_text(*figure.inside, rows);
  return fmt::format("Step {} of {}, {}: {} {}{}", figure.moment.number(), kInsideSteps, step.name, step.words, step.formula,
                     folding.empty() ? "" : " · " + folding);
}

/// The figure with no letters smaller than labels: on a screen those in cells and beside headings are.
InsideFigure make_printed(const InsideFigureRequest& request, const MeasureText& measure) {
  const auto large = [&](const std::string& text, FontFace face, float size) { return measure(text, face, std::max(size, kCaptionSize)); };
  InsideFigure figure = make_inside_figure(request, large);
  for (SceneItem& item : figure.scene.items) {
    if (auto* text = std::get_if<SceneText>(&item)) text->size = std::max(text->size, kCaptionSize);
  }
  return figure;
}

/// "weight of “cat” (1)", "k of “cat” (1), place": before the value, or its number and the value.
std::string words_of_number(const InsideFigureRequest& figure, const InsideSpot& spot) {
  std::string words(title_of(spot.number.what));
  if (is_of_key(spot.number.what))
    words += fmt::format(" of “{}” ({})", (*figure.key_labels)[static_cast<std::size_t>(spot.number.key)], spot.number.key);
  return is_of_vector(spot.number.what) ? words + ", place" : words;
}

/// "12 keys, 3 to 14, folded: their weights sum to 0.031", "“cat” (1)".
std::string words_of_row(const InsideFigureRequest& figure, const LedgerRow& row) {
  if (row.kind == LedgerRow::Kind::sink) return "the sink, which takes a share of the softmax but is not a token";
  if (row.keys() == 1)
    return fmt::format("“{}” ({}){}", (*figure.key_labels)[static_cast<std::size_t>(row.begin)], row.begin,
                       row.kind == LedgerRow::Kind::masked ? ": may not be attended to" : "");
  if (row.kind == LedgerRow::Kind::masked) return fmt::format("keys {} to {} may not be attended to", row.begin, row.end - 1);
  return fmt::format("{} keys, {} to {}, folded: their weights sum to {}", row.keys(), row.begin, row.end - 1, row.weight);
}

/// What a pointer finds in the window, for pages that tell it.
SceneSpot said_of(const InsideFigureRequest& figure, const InsideSpot& spot) {
  SceneSpot said{.box = spot.box, .is_column = spot.is_column};
  if (spot.step) {
    const InsideStepRow& step = inside_step(*spot.step);
    said.words = fmt::format("Step {}, {}: {} {}", static_cast<int>(*spot.step) + 1, step.name, step.words, step.formula);
  } else if (spot.row) {
    said.words = words_of_row(figure, *spot.row);
  } else if (spot.number.what == InsideValue::mask) {
    const bool is_allowed = value_of(*figure.inside, spot.number) != 0;
    said.words = words_of_number(figure, spot) + (is_allowed ? ": may be attended to" : ": may not be attended to");
  } else {
    said.words = words_of_number(figure, spot);
    if (is_of_vector(spot.number.what)) said.first = static_cast<std::size_t>(spot.number.place);
    for (Index place = 0; place < spot.count; ++place) {
      const InsideNumber number{spot.number.what, spot.number.key, spot.number.place + place};
      said.values.push_back(has_number(*figure.inside, number) ? value_of(*figure.inside, number) : NAN);
    }
  }
  return said;
}

Scene make_inside(const Snapshot& snapshot, const FigureRequest& request, const MeasureText& measure) {
  ThreadPool pool;
  const InsideFigureRequest figure = inside_of(snapshot, request, pool);
  const std::string title = snapshot.model->name + " · inside head " + figure.head_name;
  const float width = size_on_page(*figure.inside, figure.moment, request.page, 0).x;
  Page page({title, sentence_of(snapshot)}, request.style, request.page, width, measure);
  const auto notes = [&](const std::vector<LedgerRow>& rows) {
    return words_of(figure, rows) + " · " + notes_without_scale(snapshot, request.head);
  };
  InsideFigureRequest placed = figure;
  placed.is_printed = has_print_size(request.page);
  const auto draw = [&](float below) {
    const Point size = size_on_page(*figure.inside, figure.moment, request.page, below);
    placed.area = {page.left(), page.top(), size.x, size.y};
    return placed.is_printed ? make_printed(placed, measure) : make_inside_figure(placed, measure);
  };
  InsideFigure drawn = draw(page.room_below(notes({})));
  if (const float below = page.room_below(notes(drawn.rows)); below > 0) drawn = draw(below);  // its notes say how many keys are shown
  for (const InsideSpot& spot : drawn.spots) drawn.scene.spots.push_back(said_of(placed, spot));
  page.add(drawn.scene);
  page.move_down(placed.area.height);
  return page.finish(notes(drawn.rows));
}

std::string inside_caption(const Snapshot&, const FigureRequest& request) {
  const InsideMoment moment = request.moment_inside;
  return fmt::format("step {} of {}, {}", moment.number(), kInsideSteps, inside_step(moment.step).name);
}

/// Every number of the shown step and of those before it, in the order of the computation; also those of a step that is not at its end.
std::vector<NumberTable> inside_tables(const Snapshot& snapshot, const FigureRequest& request) {
  ThreadPool pool;
  const Inside inside = look_inside(snapshot, request.head, asked_query(snapshot, request), pool);
  std::vector<NumberTable> tables;
  for (const InsideValue what : kEveryValue<InsideValue>) {
    const InsideStep step = step_of(what);
    if (step > request.moment_inside.step || places_of(inside, what) == 0) continue;
    NumberTable table{std::string(title_of(what)), static_cast<int>(step) + 1, is_of_key(what), is_of_vector(what), {}};
    table.values.resize(table.is_of_key ? inside.keys() : 1, places_of(inside, what));
    for (Index key = 0; key < table.values.rows(); ++key) {
      for (Index place = 0; place < table.values.cols(); ++place) table.values(key, place) = value_of(inside, {what, key, place});
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

InsideFigureRequest inside_of(const Snapshot& snapshot, const FigureRequest& request, ThreadPool& pool) {
  const int layer = request.head.layer;
  InsideFigureRequest figure = describe_inside(snapshot, request.head);
  figure.inside = std::make_shared<const Inside>(look_inside(snapshot, request.head, asked_query(snapshot, request), pool));
  figure.pictures = make_inside_pictures(*figure.inside);
  figure.query_labels = axis_labels(snapshot, snapshot.query_tokens(layer));
  figure.key_labels = axis_labels(snapshot, snapshot.key_tokens(layer));
  figure.moment = request.moment_inside;
  figure.chosen_key = request.chosen_key;
  figure.opened = request.opened_keys;
  figure.most_keys = request.most_keys;
  figure.theme = request.style.theme;
  return figure;
}

constexpr FigureKind kInsideFigure = {
    .name = "inside",
    .noun = "a look inside",
    .what = "one query's computation, a step of it",
    .file_name = "inside",
    .needs = {.has_head = true, .has_step = true},
    .caption = inside_caption,
    .scene = make_inside,
    .numbers = {.tables = inside_tables},
    .endings = kTableEndings,
};

}  // namespace headlight

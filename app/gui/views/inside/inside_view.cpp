#include "app/gui/views/inside/inside_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/saved_state.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/inside/playing.h"

namespace headlight {
namespace {

InsideFigureRequest request_of(Panel& panel, const InsideFound& found, const Box& area) {
  const Snapshot& snapshot = *found.question.snapshot;
  const int layer = found.question.head.layer;
  const InsidePage& page = panel.view.inside;
  InsideFigureRequest request = describe_inside(snapshot, found.question.head);
  request.inside = found.inside;
  request.pictures = found.pictures;
  request.query_labels = panel.caches.pictures.labels(snapshot, snapshot.query_tokens(layer));
  request.key_labels = panel.caches.pictures.labels(snapshot, snapshot.key_tokens(layer));
  request.moment = drawn_moment(page, panel.view.shell.has_reduced_motion);
  request.chosen_key = page.chosen_key;
  request.ringed = page.ringed;
  request.opened = page.opened;
  request.most_keys = page.most_keys;
  request.area = area;
  request.theme = panel.draft.style.theme;
  return request;
}

void choose_row(InsidePage& page, const Inside& inside, const LedgerRow& row) {
  if (row.kind == LedgerRow::Kind::fold) {
    for (const Index key : largest_of_fold(inside, row)) page.opened.insert(key);
  } else if (row.kind == LedgerRow::Kind::key) {
    page.chosen_key = row.begin;
    page.ringed.reset();
  }
}

void click_spot(InsidePage& page, const Inside& inside, const InsideSpot& spot, Point pointer) {
  if (spot.step) return show_moment(page, end_of_step(static_cast<int>(*spot.step) + 1));
  if (spot.row) return choose_row(page, inside, *spot.row);
  const InsideNumber number = number_at(spot, pointer);
  page.is_playing = false;
  page.ringed = page.ringed == number ? std::nullopt : std::optional(number);
  if (is_of_key(number.what)) page.chosen_key = number.key;
}

/// What the pointer is over: a key lights up wherever it stands.
void answer_pointer(Panel& panel, const InsideFound& found, const InsideFigure& figure, Point pointer, bool is_clicked) {
  const InsideSpot* const spot = figure.spot_at(pointer);
  if (spot == nullptr) return;
  ViewState& view = panel.view;
  std::optional<Index> key;
  if (spot->row && spot->row->kind == LedgerRow::Kind::key) key = spot->row->begin;
  if (!spot->row && !spot->step && is_of_key(spot->number.what)) key = spot->number.key;
  if (key && found.question.snapshot == panel.snapshot) {
    view.pointed.cell = Cell{found.question.query, *key};
    view.pointed.layer = found.question.head.layer;
    view.pointed.head = found.question.head;
  }
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (is_clicked) click_spot(view.inside, *found.inside, *spot, pointer);
}

/// For scripts and tests: rows and numbers by their names.
void name_spots(const InsideFigure& figure, const ScenePlace& place) {
  for (const InsideSpot& spot : figure.spots) {
    const Box box = place.pixels(spot.box);
    if (spot.step) {
      name_area(fmt::format("Column {}", inside_step(*spot.step).title), box);
    } else if (spot.row) {
      const bool is_key = spot.row->kind == LedgerRow::Kind::key;
      name_area(is_key ? fmt::format("Row {}", spot.row->begin) : fmt::format("Rows {} to {}", spot.row->begin, spot.row->end - 1), box);
    } else if (spot.count == 1 && is_of_key(spot.number.what)) {
      name_area(fmt::format("{} of {}", name_of(spot.number), spot.number.key), box);
    }
  }
}

void draw_waiting(const Look& look, const Box& box) {
  draw_text(look, box.x + box.width / 2, box.y + box.height * 0.4F, Type::body, look.colours.text_second, "Looking inside …",
            AlignX::centre);
}

/// In place of the figure: why there is none.
void draw_reason(const Look& look, const Box& box, const std::string& reason) {
  begin_region(look, "Inside reason", box, Colour{0, 0, 0, 0}, {24, kBetween}, ImGuiWindowFlags_None);
  text_line(look, Type::title, look.colours.text, "There is no ledger of this head");
  gap(look, kInside);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float width = std::min(ImGui::GetContentRegionAvail().x, look.px(560));
  paragraph(look, Type::body, look.colours.text_second, as_sentence(reason), width);
  name_area("Why nothing is shown inside", {top.x, top.y, width, ImGui::GetCursorScreenPos().y - top.y});
  end_region();
}

void draw_figure(Panel& panel, const InsideFound& found, const Box& box) {
  const Look& look = panel.look;
  const ScenePlace place{{box.x, box.y}, look.scale};
  const Box whole = place.points(box);
  const Box area{kInsideCorner.x, kInsideCorner.y, whole.width - 2 * kInsideCorner.x, whole.height - kInsideCorner.y - 8};
  const MeasureText measure = panel.context.painter.measure();
  InsideFigureRequest request = request_of(panel, found, area);
  InsideFigure figure = make_inside_figure(request, measure);
  const Press press = press_area("Ledger", {box.x, box.y}, {std::max(1.0F, box.width), std::max(1.0F, box.height)});
  const InsidePage before = panel.view.inside;
  if (press.is_hovered) answer_pointer(panel, found, figure, place.points(ImGui::GetIO().MousePos), press.is_clicked);
  const InsidePage& now = panel.view.inside;
  if (now.moment != before.moment || now.ringed != before.ringed || now.chosen_key != before.chosen_key || now.opened != before.opened) {
    request = request_of(panel, found, area);
    figure = make_inside_figure(request, measure);
  }
  figure.scene.width = area.width;
  figure.scene.height = area.height;
  panel.context.painter.paint(figure.scene, place.origin, "inside");
  name_spots(figure, place);
}

void rest_inside(Panel& panel) {
  panel.view.inside.is_playing = false;
  panel.context.session.insides().rest();
}

void draw_inside_view(Panel& panel, const Box& box) {
  constexpr float kLongestFrame = 0.1F;  // of time that passes: a window that slept goes on where it was
  const Look& look = panel.look;
  begin_region(look, "Inside view", box, Colour{0, 0, 0, 0}, {0, 0});
  if (const std::string reason = why_nothing_inside(panel); !reason.empty()) {
    rest_inside(panel);
    draw_reason(look, box, reason);
    return end_region();
  }
  const float foot = std::min(look.px(kTransport), std::round(box.height / 3));
  const Box figure{box.x, box.y, box.width, box.height - foot};
  pass_time(panel.view.inside, std::min(kLongestFrame, ImGui::GetIO().DeltaTime));
  const std::shared_ptr<const InsideFound> found = found_inside(panel);
  if (const std::string reason = why_no_ledger(panel); !reason.empty()) {
    draw_reason(look, figure, reason);
  } else if (found) {
    keep_to(panel.view.inside, *found->inside);
    draw_figure(panel, *found, figure);
  } else {
    draw_waiting(look, figure);
  }
  draw_transport(panel, {box.x, figure.bottom(), box.width, foot});
  end_region();
}

std::optional<Absence> absence_of_inside(const Panel& panel) {
  if (!panel.snapshot->is_dump()) return {};
  return Absence{"There is nothing inside these maps", "They come from a file that holds weights alone: no queries, keys or values.", 560};
}

float draw_inside_menu(Panel& panel, Row row) {
  if (!panel.has_picture() || panel.is_dump()) return row.right;
  const int layer = panel.view.head.layer;
  const Look& look = panel.look;
  const std::vector<std::string>& names = panel.caches.pictures.query_names(layer).axis;
  row.help = "Whose computation is shown. A click on a token below pins it, too.";
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < names.size(); ++i) labels.push_back(fmt::format("{}  {}", names[i], i));
  auto query = static_cast<int>(query_inside(panel));
  const float most = look.px(160), width = std::min(drop_down_width(look, labels[static_cast<std::size_t>(query)]), most);
  const float left = row.right - width;
  const float label = text_width(look, Type::body, "Query") + look.px(kUnit);
  const bool has_label = left - label > row.control_left;
  row.control_left = std::max(row.control_left, left + drop_down_width(look, "") - look.px(18) - 1);
  if (drop_down(look, row, "Query", labels, query)) panel.view.pinned_query = TokenPlace{query_side(*panel.snapshot, layer), query};
  if (!has_label) return left;
  draw_text(look, left - look.px(kUnit), row.middle(), Type::body, look.colours.text_second, "Query", AlignX::right);
  return left - label;
}

}  // namespace

ViewRow inside_row() {
  return {.view = View::inside,
          .title = "Inside",
          .draw = draw_inside_view,
          .absence = absence_of_inside,
          .draw_menu = draw_inside_menu,
          .settings = {kInsideSection, draw_inside_settings, inside_state},
          .rest = rest_inside,
          .figure = &kInsideFigure,
          .uses_colours = false,
          .foot = kTransport,
          .inspector = inside_parts(),
          .commands = inside_commands(),
          .save = save_inside,
          .restore = restore_inside};
}

void save_inside(const ViewState& view, Json& json) {
  json["inside_step"] = view.inside.moment.number();
  json["inside_progress"] = std::round(view.inside.moment.progress * 1000) / 1000;
  json["inside_ringed"] =
      view.inside.ringed
          ? Json{{"number", title_of(view.inside.ringed->what)}, {"key", view.inside.ringed->key}, {"place", view.inside.ringed->place}}
          : Json();
  json["inside_playing"] = view.inside.is_playing;
  json["inside_speed"] = view.inside.speed;
  json["inside_keys"] = view.inside.most_keys;
}

void restore_inside(const Json& json, ViewState& view) {
  int step = 1;
  read_saved(json, "inside_step", step, 1, kInsideSteps);
  float progress = 1;
  read_saved(json, "inside_progress", progress, 0, 1);
  if (step > 1) show_moment(view.inside, {end_of_step(step).step, progress});
  read_saved(json, "inside_keys", view.inside.most_keys, 0, kMostRows);
  read_saved(json, "inside_speed", view.inside.speed, 0, static_cast<int>(kInsideSpeeds.size()) - 1);
}

}  // namespace headlight

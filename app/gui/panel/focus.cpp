#include "app/gui/panel/focus.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/items.h"
#include "app/gui/panel/cell_steps.h"
#include "app/gui/panel/shown_figure.h"

namespace headlight {

std::optional<Index> pinned_query_of(const Panel& panel, int layer) {
  const std::optional<TokenPlace>& pinned = panel.view.pinned_query;
  if (!pinned || !panel.has_picture() || pinned->side != query_side(*panel.snapshot, layer)) return std::nullopt;
  return pinned->token < panel.snapshot->queries(layer) ? std::optional(pinned->token) : std::nullopt;
}

void toggle_pinned_query(Panel& panel, int layer, Index query) {
  std::optional<TokenPlace>& pinned = panel.view.pinned_query;
  const TokenPlace place{query_side(*panel.snapshot, layer), query};
  pinned = pinned == place ? std::nullopt : std::optional(place);
}

bool has_same_tokens(const Encoding& a, const Encoding& b) {
  return &a == &b || a.tokens == b.tokens;
}

bool has_same_tokens(const Snapshot& a, const Snapshot& b, int layer) {
  if (&a == &b) return true;
  if (layer >= a.layers() || layer >= b.layers()) return false;
  return has_same_tokens(a.query_tokens(layer), b.query_tokens(layer)) && has_same_tokens(a.key_tokens(layer), b.key_tokens(layer));
}

std::optional<Cell> example_cell(const Panel& panel) {
  const std::optional<CorpusPage::Marked>& marked = panel.view.corpus.marked;
  if (!marked || !panel.has_picture() || marked->head != panel.view.head) return std::nullopt;
  const Query& shown = panel.snapshot->query;
  const bool is_there =
      marked->query < panel.snapshot->queries(marked->head.layer) && marked->key < panel.snapshot->keys(marked->head.layer);
  if (!is_there || shown.text != marked->text || shown.ids != marked->ids) return std::nullopt;
  return Cell{marked->query, marked->key};
}

bool is_there(const Panel& panel, const MenuTarget& target) {
  if (!panel.has_picture()) return false;
  if (target.pictured) return true;  // it holds its own numbers
  const Snapshot& run = run_of(target.head, *panel.snapshot);
  const HeadId head = target.head.head;
  if (!run.contains(head) || target.query.value_or(0) >= run.queries(head.layer) || target.key.value_or(0) >= run.keys(head.layer))
    return false;
  return target.kind != MenuKind::number || target.number < run.model->config.heads.d_head;
}

const MenuTarget* open_menu_target(const Panel& panel) {
  const ContextMenu& menu = panel.view.menu;
  if (!menu.is_open || !is_there(panel, menu.shown)) return nullptr;
  return run_of(menu.shown.head, *panel.snapshot).contains(menu.shown.head.head) ? &menu.shown : nullptr;
}

ComparedHead inspected_head(const Panel& panel) {
  if (const MenuTarget* const target = open_menu_target(panel)) return target->head;
  const ViewRow* view = panel.shown_view();
  return view && view->inspected ? view->inspected(panel) : ComparedHead{panel.view.head};
}

Cell carried_over(const Snapshot& snapshot, Cell cell, int from, int to) {
  if (query_side(snapshot, from) != query_side(snapshot, to)) cell.query = kNoToken;
  if (key_side(snapshot, from) != key_side(snapshot, to)) cell.key = kNoToken;
  return cell;
}

std::optional<Cell> crosshair_of(const Panel& panel, int layer) {
  const ViewState& view = panel.view;
  if (!panel.has_picture()) return std::nullopt;
  const Snapshot& snapshot = *panel.snapshot;
  if (view.pointed.cell) return carried_over(snapshot, *view.pointed.cell, view.pointed.layer, layer);
  const MenuTarget& target = view.menu.shown;
  const bool is_present = !target.head.of || target.head.of == panel.snapshot;
  const bool has_tokens = target.kind != MenuKind::head && (!target.pictured || target.pictured->is_of_text);
  if (view.menu.is_open && is_present && has_tokens) {
    return carried_over(snapshot, {target.query.value_or(kNoToken), target.key.value_or(kNoToken)}, target.head.head.layer, layer);
  }
  if (!view.pointed.token) return std::nullopt;
  const auto [side, token] = *view.pointed.token;
  return Cell{side == query_side(snapshot, layer) ? token : kNoToken, side == key_side(snapshot, layer) ? token : kNoToken};
}

Mark mark_of(const Panel& panel, const TokenPlace& place) {
  if (panel.view.pinned_query == place) return Mark::pinned;
  return panel.view.pointed.token == place ? Mark::hovered : Mark::none;
}

Mark mark_of_query(const Panel& panel, int layer, Index token) {
  if (pinned_query_of(panel, layer) == token) return Mark::pinned;
  const std::optional<Cell> cross = crosshair_of(panel, layer);
  return cross && cross->query == token ? Mark::hovered : Mark::none;
}

Mark mark_of_key(const Panel& panel, int layer, Index token) {
  const std::optional<Cell> cross = crosshair_of(panel, layer);
  return cross && cross->key == token ? Mark::hovered : Mark::none;
}

std::optional<HeadId> hovered_head(const Panel& panel) {
  const ContextMenu& menu = panel.view.menu;
  if (menu.is_open && menu.shown.kind == MenuKind::head) return menu.shown.head.head;
  return panel.view.pointed.head;
}

Mark mark_of_head(const Panel& panel, HeadId head) {
  if (panel.view.head == head) return Mark::pinned;
  return hovered_head(panel) == head ? Mark::hovered : Mark::none;
}

void ask_menu(Panel& panel, MenuTarget target) {
  panel.view.menu.asked = std::move(target);
}

void ask_token_menu(Panel& panel, const TokenPlace& place) {
  const ComparedHead head = inspected_head(panel);
  const int layer = head.head.layer;
  MenuTarget target{MenuKind::token, head};
  if (query_side(*panel.snapshot, layer) == place.side) target.query = place.token;
  if (key_side(*panel.snapshot, layer) == place.side) target.key = place.token;
  ask_menu(panel, std::move(target));
}

bool is_right_click() {
  constexpr float kSlop = 4;  // a press that moves less is a click
  const ImGuiIO& io = ImGui::GetIO();
  return io.MouseReleased[ImGuiMouseButton_Right] && io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Right] < kSlop * kSlop;
}

void reveal_pin_again(ViewState& view) {
  view.head_page.revealed.reset();
  view.output.revealed.reset();
  view.revealed.reset();
}

namespace {

/// What the open menu is about, as a map of `layer` in `run` has it: nothing of a head, and of another text than the map's.
std::optional<Focus> focus_of_menu(const Panel& panel, int layer, const Snapshot& run) {
  const MenuTarget* const target = open_menu_target(panel);
  if (target == nullptr || !target->query || (target->pictured && !target->pictured->is_of_text)) return std::nullopt;
  const int from = target->head.head.layer;
  const Snapshot& own = run_of(target->head, *panel.snapshot);
  if (&own != &run && !(has_same_tokens(own, run, from) && has_same_tokens(own, run, layer))) return std::nullopt;
  const Cell cell = carried_over(own, {*target->query, target->key.value_or(kNoToken)}, from, layer);
  if (cell.query < 0 || cell.query >= run.queries(layer)) return std::nullopt;
  const bool is_cell = target->kind == MenuKind::cell || target->kind == MenuKind::pictured;
  const bool has_key = is_cell && cell.key >= 0 && cell.key < run.keys(layer);
  return Focus{cell.query, has_key ? std::optional(cell) : std::nullopt};
}

/// Where the pointer is at no cell: that of an example that was opened, else the largest of the row.
void take_cell(const Panel& panel, int layer, const HeadMaps* maps, Focus& focus) {
  if (focus.cell || !focus.query) return;
  const std::optional<Cell> example = example_cell(panel);
  if (example && example->query == *focus.query && panel.view.head.layer == layer) focus.cell = example;
  if (focus.cell || maps == nullptr) return;
  const std::vector<Index> largest = largest_keys(*maps, *focus.query, 1);
  if (!largest.empty()) focus.cell = Cell{*focus.query, largest.front()};
}

}  // namespace

Focus focus_of(const Panel& panel, int layer, const HeadMaps* maps, const Snapshot* run) {
  Focus focus;
  if (!panel.has_picture()) return focus;
  if (const std::optional<Focus> of_menu = focus_of_menu(panel, layer, run ? *run : *panel.snapshot)) {
    focus = *of_menu;
    take_cell(panel, layer, maps, focus);
    return focus;
  }
  const std::optional<ComparedHead>& pointed = panel.view.pointed.map;
  if (run != nullptr && !has_same_tokens(*panel.snapshot, *run, layer)) {
    const std::optional<Cell>& cell = panel.view.pointed.cell ? panel.view.pointed.cell : panel.view.pointed.elsewhere;
    if (cell && pointed && pointed->of.get() == run) return {cell->query, cell};
    if (panel.view.pointed.number && pointed && pointed->of.get() == run) focus.query = panel.view.pointed.number->query;
    return focus;
  }
  const std::optional<Cell> cross = crosshair_of(panel, layer);
  const auto is_inside = [](Index token, Index tokens) { return token >= 0 && token < tokens; };
  const bool has_query = cross && is_inside(cross->query, panel.snapshot->queries(layer));
  const bool has_key = cross && is_inside(cross->key, panel.snapshot->keys(layer));
  if (panel.view.pointed.cell && has_query && has_key) {
    focus.cell = cross;
    focus.query = cross->query;  // wins over a pinned one, so that everything shown is about one row
    return focus;
  }
  focus.query = panel.view.pointed.number ? panel.view.pointed.number->query : pinned_query_of(panel, layer);
  if (!focus.query && has_query) focus.query = cross->query;
  take_cell(panel, layer, maps, focus);
  return focus;
}

std::shared_ptr<const HeadMaps> maps_of(const Panel& panel, const ComparedHead& head) {
  return panel.caches.maps.maps(panel.context.session.worker(), head.of ? head.of : panel.snapshot, head.head);
}

bool begin_bubble(const Look& look, const Box& beside) {
  if (!look.shows_hints) return false;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float between = look.px(12);
  // If the largest bubble would not fit on the right, it goes to the left.
  const bool is_left = beside.right() + look.px(320) > display.x;
  const bool is_above = beside.bottom() + look.px(120) > display.y;
  const ImVec2 at{is_left ? beside.x - between : beside.right() + between, is_above ? beside.y - between : beside.bottom() + between};
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, {is_left ? 1.0F : 0.0F, is_above ? 1.0F : 0.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(12), look.px(kUnit)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look.px(kCorner));
  ImGui::PushStyleColor(ImGuiCol_PopupBg, to_imgui(look.colours.raised));
  const bool is_open = ImGui::BeginTooltip();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  return is_open;
}

void end_bubble() {
  ImGui::EndTooltip();
}

std::string stages_text(const CellSteps& steps) {
  const auto text = [](float value) { return weight_text(static_cast<double>(value)); };
  std::string stages = "score " + text(steps.score);
  if (steps.scaled) stages += " · scaled " + text(*steps.scaled);
  if (steps.capped || steps.bias) stages += " · final " + text(steps.final_score);
  return stages + (steps.is_allowed ? " · mask ✓" : " · mask ✗ · masked −∞");
}

namespace {

/// "42 % of this row is hidden · shown as 0.31": of a head with keys left out; else empty.
std::string hidden_line(const Panel& panel, const HeadMaps* maps, const ComparedHead& compared, Cell cell) {
  const Style& style = panel.draft.style;
  if (maps == nullptr || style.hidden.is_empty()) return {};
  const RowLeft left = left_of_row(run_of(compared, *panel.snapshot), style, compared.head, *maps, cell.query);
  if (!left.is_known) return {};
  std::string text = fmt::format("{} of this row is hidden", percent_text(left.hidden));
  const float weight = maps->weights(cell.query, cell.key);
  if (left.hides(cell.key)) return text + ", and this key";
  if (style.hiding == Hiding::raw) return text;
  if (left.rest < kLeastLeft) return text + " · nothing is left to show";
  return text + fmt::format(" · shown as {}", weight_text(static_cast<double>(weight) / left.rest));
}

}  // namespace

void draw_cell_lines(const Panel& panel, const HeadMaps* maps, const ComparedHead& compared, Cell cell) {
  const Look& look = panel.look;
  const HeadId head = compared.head;
  const Snapshot& run = run_of(compared, *panel.snapshot);
  const HeadSummary& summary = run.summary(head);
  std::optional<float> number;
  if (maps != nullptr) {
    number = maps->weights(cell.query, cell.key);
  } else if (summary.pool == 1) {
    number = summary.pooled.at(cell.query, cell.key);
  }
  Pictures& pictures = panel.caches.pictures;
  const auto name = [&](const TokenNames& names, Index token) {
    return elided(look, Type::body, names[token], look.px(120)) + names.counted(token);
  };
  const std::string query = name(pictures.names(run, run.query_tokens(head.layer)), cell.query);
  const std::string key = name(pictures.names(run, run.key_tokens(head.layer)), cell.key);
  const std::string weight = number ? weight_text(*number) : std::string("…");
  std::string stages;
  if (maps != nullptr && !run.is_dump()) {
    const HeadRule& rule = run.trace.layer(head.layer).rule(head.head);
    stages = stages_text(steps_of(*maps, rule, cell));
  }
  const std::string hidden = hidden_line(panel, maps, compared, cell);
  const float arrow = text_width(look, Type::body, " → ");
  const float first = text_width(look, Type::body, query) + arrow + text_width(look, Type::body, key) + look.px(12) +
                      text_width(look, Type::number, weight);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = look.px(kLine);
  const float below = (stages.empty() ? 0 : line) + (hidden.empty() ? 0 : line);
  ImGui::Dummy({std::max({first, text_width(look, Type::number, stages), text_width(look, Type::caption, hidden)}), line + below});
  float x = at.x;
  const float y = at.y + line / 2;
  draw_text(look, x, y, Type::body, look.colours.query, query);
  x += text_width(look, Type::body, query);
  draw_text(look, x, y, Type::body, look.colours.text_second, " → ");
  x += arrow;
  draw_text(look, x, y, Type::body, look.colours.key, key);
  draw_text(look, x + text_width(look, Type::body, key) + look.px(12), y, Type::number, look.colours.text, weight);
  draw_text(look, at.x, y + line, Type::number, look.colours.text_second, stages);
  draw_text(look, at.x, y + below, Type::caption, look.colours.text_second, hidden);
}

void draw_other_moment(const Panel& panel, Cell cell) {
  const ViewRow* view = panel.shown_view();
  if (!view || !view->shows_steps || shown_moment(panel) == Moment::now || !why_not_shown(panel, Moment::difference).empty()) return;
  const std::shared_ptr<const HeadMaps> before = maps_of(panel, {.head = panel.view.head, .of = baseline_run(panel)});
  const std::shared_ptr<const HeadMaps> now = maps_of(panel, {panel.view.head});
  if (!before || !now) return;
  const float was = before->weights(cell.query, cell.key), is = now->weights(cell.query, cell.key), change = is - was;
  const bool is_before = shown_moment(panel) == Moment::before;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  number_row(panel.look, is_before ? "now" : "before", weight_text(is_before ? is : was));
  number_row(panel.look, "change", fmt::format("{}{}", change > 0 ? "+" : "", weight_text(change)));
  name_area("now and before", {at.x, at.y, panel.look.px(1), ImGui::GetCursorScreenPos().y - at.y});
}

void draw_measure_rows(const Look& look, const HeadSummary& summary, MeasurePlace place, float row_height) {
  const Measures table = summary.measured.table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].place > place) continue;
    const std::string meaning(table[i].meaning);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const bool has_meaning = place != MeasurePlace::pointer;
    number_row(look, table[i].title, measure_text(table[i], summary.measured.values[i]), has_meaning ? meaning.c_str() : nullptr,
               row_height);
    name_area("measure " + std::string(table[i].id), {at.x, at.y, width, look.px(row_height)});
  }
}

}  // namespace headlight

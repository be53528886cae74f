#include "app/gui/labs/lab_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"

namespace headlight {
namespace {

constexpr float kControlWidth = 380;
constexpr float kTallRow = 42;  ///< of a table, with a second line

std::vector<float> column_widths(const LabPage& page, const SheetTable& table) {
  std::vector<float> widths;
  for (std::size_t column = 0; column < table.headings.size(); ++column) {
    float width = text_width(page.look, Type::caption, table.headings[column]);
    for (const SheetTable::Row& row : table.rows) width = std::max(width, text_width(page.look, Type::number, row.cells[column]));
    widths.push_back(std::ceil(width));
  }
  return widths;
}

/// Right edges of the columns from the second on, left to right.
std::vector<float> column_edges(const LabPage& page, const SheetTable& table, float left, float right) {
  const Look& look = page.look;
  std::vector<float> widths = column_widths(page, table);
  float sum = look.px(table.first);
  for (std::size_t column = 1; column < widths.size(); ++column) sum += widths[column];
  const auto count = static_cast<float>(widths.size() - 1);
  const float between = std::floor(std::clamp((right - left - sum) / count, look.px(12), look.px(56)));
  std::vector<float> edges;
  float edge = right;
  for (std::size_t column = widths.size() - 1; column >= 1; --column) {
    edges.insert(edges.begin(), edge);
    edge -= widths[column] + between;
  }
  edges.insert(edges.begin(), edge);  // where the first column ends
  return edges;
}

AxisLabels shared(const std::vector<std::string>& labels) {
  return labels.empty() ? nullptr : std::make_shared<const std::vector<std::string>>(labels);
}

}  // namespace

float LabPage::width() const {
  return ImGui::GetContentRegionAvail().x;
}

void LabPage::heading(const char* title, const char* text) {
  text_line(look, Type::title, look.colours.text, title);
  gap(look, kInside);
  if (panel.context.session.lessons().is_taken()) return gap(look, kUnit);  // it says so in its own words, and needs the room
  paragraph(look, Type::body, look.colours.text_second, text, std::min(width(), look.px(680)));
  gap(look, 12);
}

void LabPage::caption(std::string_view text) {
  paragraph(look, Type::caption, look.colours.text_second, text, std::min(width(), look.px(680)));
}

Row LabPage::control_row(const char* label, const char* help) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.px(kRow);
  ImGui::Dummy({std::min(width(), look.px(kControlWidth)), height});
  Row row{at.x, at.x + std::min(width(), look.px(kControlWidth)), at.y, height, at.x, help};
  row.control_left += text_width(look, Type::body, label) + look.px(kBetween);
  draw_text(look, row.left, row.middle(), Type::body, look.colours.text_second, label);
  return row;
}

ColourScale LabPage::weight_scale(float high) const {
  const Style& style = panel.draft.style;
  return {style.map, style.theme == Theme::dark, style.scale, style.gamma, 0, high > 0 && std::isfinite(high) ? high : 1};
}

ColourScale LabPage::signed_scale(float high) const {
  const float end = high > 0 && std::isfinite(high) ? high : 1;
  return {ColourMap::coolwarm, panel.draft.style.theme == Theme::dark, ScaleKind::linear, 1, -end, end};
}

std::optional<Cell> LabPage::find_hovered(const MapFigure& figure, const MapPicture& picture, const Names& names) {
  if (!ImGui::IsWindowHovered()) return std::nullopt;
  const std::optional<Cell> cell = figure.cell_at(place_.points(ImGui::GetIO().MousePos));
  if (!cell) return std::nullopt;
  const auto label = [&](std::span<const std::string> labels, Index tokens, Index place) {
    const auto at = static_cast<std::size_t>(place);
    if (at >= labels.size()) return std::to_string(place);
    const Index position = names.positions.empty() ? place : names.positions[at];
    return shows_positions(tokens) ? fmt::format("{} {}", labels[at], position) : labels[at];
  };
  const auto row = static_cast<float>(cell->query);
  const auto column = static_cast<float>(cell->key);
  const bool is_masked = picture.mask() && !picture.mask()->allows(cell->query, cell->key);
  const float value = picture.value(row, row + 1, column, column + 1);
  hovered_ = Hovered{place_.pixels(figure.box_of(*cell)), label(names.queries, names.query_tokens, cell->query),
                     label(names.keys, names.key_tokens, cell->key),
                     is_masked           ? "left out"
                     : std::isnan(value) ? "NaN"
                                         : weight_text(static_cast<double>(value), 4)};
  return cell;
}

bool LabPage::is_offer_wanted(const Box& at) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return panel.wants_copy || panel.wants_menu || panel.wants_explanation || (ImGui::IsWindowHovered() && at.contains({mouse.x, mouse.y}));
}

void LabPage::offer(const Box& at, PicturedNumbers numbers, std::optional<Cell> cell) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_under = ImGui::IsWindowHovered() && at.contains({mouse.x, mouse.y});
  if (is_under_pointer_ || (!is_under && offered_)) return;
  is_under_pointer_ = is_under;
  offered_ = PicturedPlace{std::make_shared<const PicturedNumbers>(std::move(numbers)), cell};
  if (!is_under || !is_right_click()) return;
  MenuTarget target{.kind = MenuKind::pictured, .head = {panel.view.head}, .pictured = offered_->numbers};
  if (cell) target.query = cell->query, target.key = cell->key;
  ask_menu(panel, std::move(target));
}

HatchStyle lab_hatch(const Palette& colours) {
  return {colours.hatch_ground, colours.hatch};
}

namespace {

/// The token of a row or column in the text.
Index token_of(const LabPage::Tokens& tokens, Index place) {
  return tokens.positions.empty() ? place : tokens.positions[static_cast<std::size_t>(place)];
}

/// The row or column of a token; kNoToken if the map has none.
Index place_of(const LabPage::Tokens& tokens, Index token) {
  if (tokens.positions.empty() || token == kNoToken) return token;
  const auto found = std::find(tokens.positions.begin(), tokens.positions.end(), token);
  return found == tokens.positions.end() ? kNoToken : static_cast<Index>(found - tokens.positions.begin());
}

}  // namespace

Box LabPage::add_map(const std::string& name, MapFigureRequest request, const Box& at, const Names& names,
                     const std::optional<Tokens>& tokens) {
  if (at.bottom() < box_.y || at.y > box_.bottom()) return at;  // scrolled out of sight
  request.area = place_.points(at);
  request.theme = panel.draft.style.theme;
  PlacedFigure placed = place_map_figure(request, panel.context.painter.measure());
  const MapFigure figure = placed.area();
  const std::optional<Cell> cell = find_hovered(figure, *request.picture, names);
  if (cell) point_at(*cell, tokens);
  const Box map = place_.pixels(figure.map);
  name_area(name, map, figure.window);
  if (is_offer_wanted(at)) {
    offer(at,
          {.name = name,
           .columns = {{"value", request.picture}},
           .queries = shared({names.queries.begin(), names.queries.end()}),
           .keys = shared({names.keys.begin(), names.keys.end()}),
           .is_of_text = tokens && tokens->are_of_text && tokens->positions.empty(),
           .table = {}},
          cell);
  }
  waiting_.push_back({std::move(placed), tokens, cell.has_value()});
  return map;
}

void LabPage::point_at(Cell cell, const std::optional<Tokens>& tokens) {
  pointed_ = cell;
  const bool is_clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (!tokens) return;
  if (!tokens->are_of_text) {
    own_pointed_ = cell;
    std::optional<Index>& pinned = panel.view.labs_page.toy_query;
    if (is_clicked) pinned = pinned == cell.query ? std::nullopt : std::optional(cell.query);
    return;
  }
  panel.view.pointed.cell = Cell{token_of(*tokens, cell.query), token_of(*tokens, cell.key)};
  panel.view.pointed.layer = tokens->layer;
  if (is_clicked) toggle_pinned_query(panel, tokens->layer, token_of(*tokens, cell.query));
}

void LabPage::mark(WaitingMap& map) const {
  MapFigureRequest& marked = map.placed.request;
  if (map.is_pointed) marked.crosshair = pointed_;
  if (!map.tokens) return;
  if (!map.tokens->are_of_text) {
    marked.crosshair = own_pointed_;
    marked.pinned_query = panel.view.labs_page.toy_query;
    return;
  }
  if (const std::optional<Cell> cross = crosshair_of(panel, map.tokens->layer); cross && !map.is_pointed) {
    marked.crosshair = Cell{place_of(*map.tokens, cross->query), place_of(*map.tokens, cross->key)};
  }
  if (const std::optional<Index> pinned = pinned_query_of(panel, map.tokens->layer)) {
    if (const Index row = place_of(*map.tokens, *pinned); row != kNoToken) marked.pinned_query = row;
  }
}

Box LabPage::plain_map(const std::string& name, const std::shared_ptr<const MapPicture>& picture, const ColourScale& scale, const Box& at,
                       std::span<const std::string> labels, std::span<const Index> positions, const std::optional<Tokens>& tokens) {
  MapFigureRequest request;
  request.picture = picture;
  request.scale = scale;
  request.has_labels = request.has_bar = request.has_axis_titles = false;
  const Index count = positions.empty() ? 0 : shown->snapshot->tokens();
  return add_map(name, std::move(request), at, {labels, labels, count, count, positions}, tokens);
}

Box LabPage::labelled_map(const std::string& name, const std::shared_ptr<const MapPicture>& picture, const ColourScale& scale,
                          const Box& at, const Axes& axes, const std::string& title) {
  MapFigureRequest request;
  request.picture = picture;
  request.scale = scale;
  request.query_labels = shared(axes.queries);
  request.key_labels = shared(axes.keys);
  request.titles = axes.titles;
  request.title = title;
  request.has_bar = false;
  return add_map(name, std::move(request), at, {axes.queries, axes.keys, std::ssize(axes.queries), std::ssize(axes.keys)}, axes.tokens);
}

void LabPage::strip(const ConcatenationFound::Strip& strip, const ColourScale& scale, const Box& at, int framed) {
  if (at.bottom() < box_.y || at.y > box_.bottom()) return;
  const auto rows = static_cast<float>(strip.values->rows()), columns = static_cast<float>(strip.values->columns());
  MapFigure figure;
  figure.map = place_.points(at);
  figure.window = {0, rows, 0, columns};
  const std::optional<Cell> pointed = find_hovered(figure, *strip.values, {strip.rows, strip.columns, tokens_of(strip), 0});
  name_area("strip " + strip.name, at, figure.window);
  if (is_offer_wanted(at)) {
    offer(at,
          {.name = strip.name,
           .columns = {{"value", strip.values}},
           .queries = shared(strip.rows),
           .keys = shared(strip.columns),
           .is_of_text = false,
           .table = {}},
          pointed);
  }
  scene_.items.emplace_back(SceneMap{figure.map, strip.values, figure.window, scale, lab_hatch(look.colours)});
  const Box& map = figure.map;
  mark_rows(strip, figure, pointed);
  if (pointed) add_mark_line(scene_, figure.box_of(*pointed), look.colours.text, Mark::hovered, mark_width(Mark::hovered, true));
  const float block = map.width / static_cast<float>(strip.blocks);
  for (int head = 1; head < strip.blocks; ++head) {
    const float x = map.x + block * static_cast<float>(head);
    scene_.items.emplace_back(SceneLine{{x, map.y}, {x, map.bottom()}, look.colours.text, 1});
  }
  if (framed < 0 || framed >= strip.blocks) return;
  const Box own{map.x + block * static_cast<float>(framed), map.y, block, map.height};
  scene_.items.emplace_back(SceneBox{.box = own, .stroke = look.colours.accent, .stroke_width = 2});
}

Index LabPage::tokens_of(const ConcatenationFound::Strip& strip) const {
  const int layer = shown->head.layer;
  return strip.has_key_rows ? shown->snapshot->keys(layer) : shown->snapshot->queries(layer);
}

Mark LabPage::mark_of_row(const ConcatenationFound::Strip& strip, Index row) const {
  if (shown->snapshot != panel.snapshot) return Mark::none;  // its tokens are of another text
  const int layer = shown->head.layer;
  const Side side = strip.has_key_rows ? key_side(*panel.snapshot, layer) : query_side(*panel.snapshot, layer);
  return mark_of(panel, {side, row});
}

void LabPage::mark_rows(const ConcatenationFound::Strip& strip, const MapFigure& figure, const std::optional<Cell>& pointed) {
  const Index rows = strip.values->rows();
  if (pointed && shown->snapshot == panel.snapshot) {
    const int layer = shown->head.layer;
    const Side side = strip.has_key_rows ? key_side(*panel.snapshot, layer) : query_side(*panel.snapshot, layer);
    panel.view.pointed.listed = TokenPlace{side, pointed->query};
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !strip.has_key_rows) toggle_pinned_query(panel, layer, pointed->query);
  }
  const Colour colour = strip.has_key_rows ? look.colours.key : look.colours.query;
  for (Index row = 0; row < rows; ++row) {
    const bool is_pointed = pointed && pointed->query == row;
    const Mark found = mark_of_row(strip, row), mark = found == Mark::none && is_pointed ? Mark::hovered : found;
    const Box box = figure.box_of(Cell{row, 0});
    // A pinned row is a query, wherever it is shown.
    add_mark_line(scene_, {figure.map.x, box.y, figure.map.width, box.height}, mark == Mark::pinned ? look.colours.query : colour, mark,
                  mark_width(mark, true));
  }
}

void LabPage::card(std::string_view name, const Box& box) {
  name_area(fmt::format("card {}", name), box);
  std::string& wanted = panel.view.labs_page.wanted_card;
  if (wanted != name) return;
  const bool is_tall = box.height > 0.8F * ImGui::GetWindowHeight();
  ImGui::SetScrollFromPosY(box.y - look.px(kInside) - ImGui::GetWindowPos().y, is_tall ? 0 : 0.1F);
  wanted.clear();
}

void LabPage::legend(const ColourScale& scale, std::string_view note) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.px(kNumberRow);
  ImGui::Dummy({width(), height});
  const float y = at.y + std::round(height / 2);
  float x = at.x;
  const auto put = [&](std::string_view text) {
    draw_text(look, x, y, Type::caption, look.colours.text_second, text);
    x += text_width(look, Type::caption, text) + look.px(kUnit);
  };
  put(scale.low == 0 ? "0" : fmt::format("−{:.2g}", -scale.low));
  draw_ramp(ramp(scale.map, scale.is_dark), {x, y - look.px(3)}, {look.px(120), look.px(6)});
  x += look.px(120 + kUnit);
  put(fmt::format("{:.2g}", scale.high));
  x += look.px(kUnit);
  put(elided(look, Type::caption, note, at.x + width() - x));
}

void LabPage::finish() {
  for (WaitingMap& map : waiting_) {
    mark(map);
    MapFigure figure = map.placed.drawn(panel.context.painter.measure());
    for (SceneItem& item : figure.scene.items) {
      if (auto* shown_map = std::get_if<SceneMap>(&item)) shown_map->hatch = lab_hatch(look.colours);
    }
    std::move(figure.scene.items.begin(), figure.scene.items.end(), std::back_inserter(scene_.items));
  }
  panel.context.painter.paint(scene_, place_.origin, "lab");
  panel.view.pointed.pictured = std::move(offered_);
  if (!hovered_ || !begin_bubble(look, hovered_->cell)) return;
  const std::string query = elided(look, Type::body, hovered_->query, look.px(120));
  const std::string key = elided(look, Type::body, hovered_->key, look.px(120));
  const float arrow = text_width(look, Type::body, " → ");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float first = text_width(look, Type::body, query) + arrow;
  const float second = first + text_width(look, Type::body, key) + look.px(12);
  ImGui::Dummy({second + text_width(look, Type::number, hovered_->value), look.px(kLine)});
  const float y = at.y + look.px(kLine) / 2;
  draw_text(look, at.x, y, Type::body, look.colours.query, query);
  draw_text(look, at.x + first - arrow, y, Type::body, look.colours.text_second, " → ");
  draw_text(look, at.x + first, y, Type::body, look.colours.key, key);
  draw_text(look, at.x + second, y, Type::number, look.colours.text, hovered_->value);
  end_bubble();
}

void draw_waiting(LabPage& page) {
  gap(page.look, kUnit);
  text_line(page.look, Type::body, page.look.colours.text_second, "Computing …");
}

void draw_lab_table(LabPage& page, const char* name, const SheetTable& table) {
  const Look& look = page.look;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float inset = look.px(kUnit);
  const float left = start.x + inset;
  const float right = start.x + std::min(page.width(), look.px(kWidestTable)) - inset;
  const std::vector<float> edges = column_edges(page, table, left, right);
  const bool is_recorded = recorder_here() != nullptr;  // nobody else asks for names
  float y = start.y + look.px(kNumberRow) / 2;
  draw_text(look, left, y, Type::caption, look.colours.text_second, table.headings.front());
  for (std::size_t column = 1; column < table.headings.size(); ++column) {
    draw_text(look, edges[column], y, Type::caption, look.colours.text_second, table.headings[column], AlignX::right);
  }
  float top = start.y + look.px(kNumberRow);
  canvas.AddLine({start.x, top}, {right + inset, top}, to_imgui(look.colours.line));
  top += look.px(2);
  const float first = top;
  for (std::size_t place = 0; place < table.rows.size(); ++place) {
    const SheetTable::Row& row = table.rows[place];
    const float height = look.px(row.note.empty() ? kNumberRow : kTallRow);
    if (row.is_marked) fill(look, {start.x, top}, {right + inset, top + height}, look.colours.raised, kInside);
    y = top + (row.note.empty() ? height / 2 : look.px(13));
    const float room = edges.front() - left;
    draw_text(look, left, y, row.is_marked ? Type::strong : Type::body, look.colours.text,
              elided(look, row.is_marked ? Type::strong : Type::body, row.cells.front(), room));
    draw_text(look, left, y + look.px(17), Type::caption, look.colours.text_second, elided(look, Type::caption, row.note, room));
    for (std::size_t column = 1; column < row.cells.size(); ++column) {
      const bool is_undefined = row.cells[column].find("NaN") != std::string::npos;
      draw_text(look, edges[column], top + height / 2, Type::number, is_undefined ? look.colours.bad : look.colours.text, row.cells[column],
                AlignX::right);
    }
    if (is_recorded) name_area("row " + row.cells.front(), {start.x, top, right + inset - start.x, height});
    if (!row.help.empty()) {
      press_area(fmt::format("{} row {}", name, place).c_str(), {start.x, top}, {right + inset - start.x, height});
      hint(look, row.help.c_str());
    }
    top += height;
  }
  for (std::size_t column = 1; column < table.headings.size(); ++column) {
    const float from = edges[column - 1] + look.px(kInside);
    if (is_recorded) name_area("column " + table.headings[column], {from, first, edges[column] + look.px(kInside) - from, top - first});
  }
  const Box box{start.x, start.y, right + inset - start.x, top - start.y};
  PicturedNumbers copied{.name = name, .columns = {}, .queries = {}, .keys = {}, .table = {table.headings}};
  for (const SheetTable::Row& row : table.rows) copied.table.push_back(row.cells);
  page.offer(box, std::move(copied));
  ImGui::Dummy({box.width, box.height + look.px(kUnit)});
}

}  // namespace headlight

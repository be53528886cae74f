#include "app/gui/views/links/links_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/document/wording.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/focus.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/links/running_text.h"
#include "app/gui/views/links/shown_lines.h"
#include "engine/figure/links/link_looks.h"

namespace headlight {
namespace {

constexpr float kMargin = kLinksCorner.x;
constexpr float kHeader = 64;
constexpr float kChip = 24;
constexpr float kSquare = 10;

/// A head's square, its letter where colours repeat, and its name. Returns whether it was pressed.
bool draw_chip(const Look& look, HeadId head, std::size_t place, const std::string& text, const Box& box, Theme theme) {
  const Press press =
      press_area(fmt::format("lines of head {}.{}", head.layer, head.head).c_str(), {box.x, box.y}, {box.width, box.height});
  hint(look, "This head's colour. Click to hide its lines; the squares under Lines in the left rail bring them back.");
  if (press.is_hovered) fill(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.raised);
  const float middle = box.y + box.height / 2, side = look.px(kSquare), left = box.x + look.px(6);
  fill(look, {left, middle - side / 2}, {left + side, middle + side / 2}, link_colour(theme, place), 2);
  draw_text(look, left + side + look.px(6), middle, Type::number, look.colours.text, text);
  return press.is_clicked;
}

/// What the colours mean: as many heads as one line has room for, then how many more.
void draw_legend(Panel& panel, const ShownLines& shown, const Box& line) {
  const Look& look = panel.look;
  const std::vector<LinkedHead>& heads = shown.found->lines->maps->heads;
  const float height = look.px(kChip), top = std::round(line.y + (line.height - height) / 2);
  float left = line.x - look.px(6);
  for (std::size_t place = 0; place < heads.size(); ++place) {
    const HeadId head = heads[place].head;
    const std::string letter = link_letter(place);
    const std::string text = short_name(*shown.found->snapshot, head) + (letter.empty() ? "" : " " + letter);
    const std::string rest = fmt::format("+ {} more", heads.size() - place);
    const float width = look.px(kSquare + 20) + text_width(look, Type::number, text);
    const bool is_last = place + 1 == heads.size();
    const float needed = width + (is_last ? 0 : look.px(kUnit) + text_width(look, Type::caption, rest));
    if (left + needed > line.right()) {
      draw_text(look, left + look.px(6), line.y + line.height / 2, Type::caption, look.colours.text_second, rest);
      return;
    }
    if (draw_chip(look, head, place, text, {left, top, width, height}, panel.draft.style.theme)) toggle_linked_head(panel, head);
    left += width + look.px(2);
  }
}

/// "3 heads · weight ≥ 0.05: 88 of 225 lines, 15.7 % of the attention has no line · width 1 + 7 w, opacity ¼ + ¾ w"
std::string header_text(const ShownLines& shown, std::size_t left_out) {
  const LinkLines& lines = *shown.found->lines;
  const std::size_t heads = lines.maps->heads.size();
  std::string text = heads == 1 ? "1 head" : fmt::format("{} heads", heads);
  if (lines.maps->left_out > 0) text += fmt::format(" ({} more have no memory)", lines.maps->left_out);
  if (const std::string derived = lines.maps->derived_text(); !derived.empty()) text += " · " + derived;
  text += fmt::format(" · {}: {}", rule_text(lines.filter), lines_text(lines));
  if (left_out > 0) text += fmt::format(" · in sight the heaviest alone, {} fainter ones not drawn", left_out);
  return text + " · " + kLinkLooksText;
}

void draw_header(Panel& panel, const ShownLines& shown, std::size_t left_out, const Box& box) {
  const Look& look = panel.look;
  begin_region(look, "Links header", box, Colour{0, 0, 0, 0}, {0, 0});
  const float margin = look.px(kMargin), width = box.width - 2 * margin;
  draw_legend(panel, shown, {box.x + margin, box.y + look.px(6), width, look.px(28)});
  const Box line{box.x + margin, box.y + look.px(36), width, look.px(kLine)};
  const std::string text = header_text(shown, left_out);
  draw_text(look, line.x, line.y + line.height / 2, Type::caption, look.colours.text_second, elided(look, Type::caption, text, width));
  press_area("About the lines", {line.x, line.y}, {line.width, line.height});
  hint(look,
       (text + ". A line is a weight w, from a query at the left to a key at the right. Point at a token to see its lines alone; click "
               "keeps the row, Esc releases it.")
           .c_str());
  end_region();
}

/// Scrolls to a row that was pinned elsewhere, once.
void follow_pin(Panel& panel, const LinksFigure& figure, std::optional<Index> pinned) {
  LinksPage& page = panel.view.links;
  if (page.followed == pinned) return;
  page.followed = pinned;
  if (!pinned) return;
  const Box row = figure.layout.query_box(*pinned);
  if (row.y >= figure.area.y && row.bottom() <= figure.area.bottom()) return;
  const float from_top = row.y - figure.layout.top;
  ImGui::SetScrollY(std::max(0.0F, (from_top - figure.area.height / 2) * panel.look.scale));
}

/// A click keeps a query's row, or lets it go; the right button opens the menu of a token.
void answer_click(Panel& panel, const ShownLines& shown, std::optional<LinkFocus> pointed) {
  if (pointed && is_right_click()) {
    const Snapshot& snapshot = *panel.snapshot;
    const Side side = pointed->is_key ? key_side(snapshot, shown.layer()) : query_side(snapshot, shown.layer());
    ask_token_menu(panel, {side, pointed->token});
  }
  if (!pointed || pointed->is_key || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  toggle_pinned_query(panel, shown.layer(), pointed->token);
  panel.view.links.followed = pinned_query_of(panel, shown.layer());
}

/// Names the rows in sight, for scripts and tests.
void name_rows(const LinksFigure& figure, const ScenePlace& place) {
  const auto is_seen = [&](const Box& row) { return row.bottom() > figure.area.y && row.y < figure.area.bottom(); };
  for (Index query = 0; query < figure.layout.queries; ++query) {
    if (const Box row = figure.layout.query_box(query); is_seen(row)) name_area(fmt::format("link query {}", query), place.pixels(row));
  }
  for (Index key = 0; !figure.layout.has_arcs && key < figure.layout.keys; ++key) {
    if (const Box row = figure.layout.key_box(key); is_seen(row)) name_area(fmt::format("link key {}", key), place.pixels(row));
  }
}

/// The picture. Returns how many lines in sight are not drawn.
std::size_t draw_figure(Panel& panel, ShownLines& shown, const Box& box) {
  const Look& look = panel.look;
  const ScenePlace place{{box.x, box.y}, look.scale};
  const Box whole = place.points(box);
  KeptMaps source(panel);
  FigureRequest figure_request;
  figure_request.style = panel.draft.style;
  const auto request_now = [&] {
    figure_request.links = shown.request;
    LinksFigureRequest request = links_of(*shown.found->snapshot, figure_request, shown.found->lines, source);
    request.area = {kLinksCorner.x, kLinksCorner.y, whole.width - 2 * kLinksCorner.x, whole.height - kLinksCorner.y};
    request.scroll = ImGui::GetScrollY() / look.scale;
    request.pinned_query = shown.is_current ? pinned_query_of(panel, shown.layer()) : std::nullopt;
    return request;
  };
  const MeasureText measure = panel.context.painter.measure();
  LinksFigureRequest request = request_now();
  const LinksLayout layout = links_layout(request, measure);
  const std::optional<Index> pinned = request.pinned_query;
  std::optional<LinkFocus> pointed;
  if (ImGui::IsWindowHovered() && shown.is_current) pointed = token_at(layout, request.area, place.points(ImGui::GetIO().MousePos));
  answer_click(panel, shown, pointed);
  if (shown.is_current && pinned != pinned_query_of(panel, shown.layer())) shown.request = shown_links(panel);
  if (!pointed && shown.is_current) pointed = panel.view.pointed.word;
  set_focus(panel, shown, pointed);
  if (pointed) share_focus(panel, shown, *pointed);
  LinksFigure figure = make_links_figure(request_now(), measure);
  ImGui::Dummy({1, figure.layout.content_height * look.scale});
  follow_pin(panel, figure, shown.is_current ? pinned_query_of(panel, shown.layer()) : std::nullopt);
  figure.scene.width = request.area.width;
  figure.scene.height = request.area.height;
  panel.context.painter.paint(figure.scene, place.origin, "links");
  name_rows(figure, place);
  return figure.left_out;
}

}  // namespace

void draw_links_view(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  ShownLines shown = ask_lines(panel);
  if (!shown.found) {
    begin_region(look, "Links view", box, Colour{0, 0, 0, 0}, {kMargin, kBetween});
    text_line(look, Type::body, look.colours.text_second, "Making the maps …");
    end_region();
    return;
  }
  const float header = look.px(kHeader);
  const float text = std::round(running_text_height(panel, box.height / look.scale) * look.scale);
  const Box middle{box.x, box.y + header, box.width, std::max(1.0F, box.height - header - text)};
  const Box band{box.x, box.bottom() - text, box.width, text};
  begin_region(look, "Links view", middle, Colour{0, 0, 0, 0}, {0, 0}, ImGuiWindowFlags_None);
  const std::size_t left_out = draw_figure(panel, shown, middle);
  end_region();
  draw_header(panel, shown, left_out, {box.x, box.y, box.width, header});
  draw_running_text(panel, shown, band);
}

void rest_links_view(Panel& panel) {
  panel.context.session.links().rest();
  panel.view.pointed.word.reset();
}

float draw_links_menu(Panel& panel, Row row) {
  if (!panel.has_picture()) return row.right;
  const int layer = linked_layer(panel);
  const bool is_one_text = query_side(*panel.snapshot, layer) == key_side(*panel.snapshot, layer);
  const std::array<Choice, 2> choices{
      Choice{"columns", "Queries at the left, keys at the right."},
      Choice{"arcs",
             is_one_text ? "One column of tokens: arcs at its right lead to earlier tokens, those at its left to later ones."
                         : "Queries and keys are two texts here, so they need two columns.",
             is_one_text}};
  int chosen = panel.view.links.has_arcs && is_one_text ? 1 : 0;
  if (segmented(panel.look, row, "Links as", choices, chosen)) panel.view.links.has_arcs = chosen == 1;
  const std::array<std::string, 2> labels{choices[0].label, choices[1].label};
  return row.right - segments_width(panel.look, labels);
}

}  // namespace headlight

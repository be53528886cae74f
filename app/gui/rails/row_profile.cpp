// The row profile: the keys that get most of a query's attention, as a table.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/cell_steps.h"
#include "app/gui/rails/inspector_sections.h"

namespace headlight {
namespace {

constexpr std::size_t kTopKeys = 8, kFewKeys = 3;
constexpr std::size_t kSparedKeys = 2;  // so few more are listed, too: a line that folds them would save nothing
constexpr float kRank = 28, kPosition = 32, kNumber = 52, kSum = 48;
constexpr float kRoomForRank = 200, kRoomForSum = 172;  // points of a table that shows the column

/// Right edges of the columns of numbers, and where the tokens are; in pixels. The narrower the table, the fewer columns.
struct Columns {
  float rank = 0, position = 0, token = 0, token_end = 0, weight = 0, sum = 0;
  bool has_rank = false, has_sum = false;
};

Columns columns_of(const Look& look, const Row& row) {
  const float room = (row.right - row.left) / look.scale;
  Columns at{.has_rank = room >= kRoomForRank, .has_sum = room >= kRoomForSum};
  const float inset = look.px(kInside), right = row.right - inset;
  at.rank = row.left + look.px(kRank);
  at.position = (at.has_rank ? at.rank : row.left) + look.px(kPosition);
  at.token = at.position + look.px(10);
  at.sum = right;
  at.weight = at.has_sum ? right - look.px(kSum) : right;
  at.token_end = at.weight - look.px(kNumber) - inset;
  return at;
}

void draw_table_head(const Shown& shown) {
  const Look& look = shown.panel.look;
  const Row row = begin_row(look, "", nullptr, kLine);
  const Columns at = columns_of(look, row);
  const auto put = [&](float x, const char* text, AlignX align = AlignX::right) {
    draw_text(look, x, row.middle(), Type::caption, look.colours.text_second, text, align);
  };
  if (at.has_rank) put(at.rank, "rank");
  put(at.position, "pos.");
  put(at.token, "token", AlignX::left);
  put(at.weight, "weight");
  if (at.has_sum) put(at.sum, "sum");
  press_area("Columns of the row profile", {row.left, row.top}, {row.right - row.left, row.height});
  hint(look,
       "Keys by their share of the query's attention: rank, position in the text (from 0), token, weight, and the sum of the weights "
       "down to that line.");
}

/// Only what is 1 reads as 1: up to 3e-7 of it is lost where float32 weights are added (percent_text).
std::string sum_text(double sum) {
  return fmt::format("{:.3f}", sum > 1 - 3e-7 ? sum : std::min(sum, 0.999));
}

/// A key of the table, or the rest of them in one line.
struct ProfileLine {
  std::string rank, position, token;
  double weight = 0, sum = 0;
};

void draw_line(const Look& look, const Row& row, const ProfileLine& line, Colour name) {
  const Columns at = columns_of(look, row);
  const auto number = [&](float right, Colour colour, const std::string& text) {
    draw_text(look, right, row.middle(), Type::number, colour, text, AlignX::right);
  };
  if (at.has_rank) number(at.rank, look.colours.text_second, line.rank);
  number(at.position, look.colours.text_second, line.position);
  draw_text(look, at.token, row.middle(), Type::body, name, elided(look, Type::body, line.token, at.token_end - at.token));
  number(at.weight, look.colours.text, weight_text(line.weight));
  if (at.has_sum) number(at.sum, look.colours.text_second, sum_text(line.sum));
}

/// The bar of a weight, under its token: the row's largest reaches the end of the column.
void draw_bar(const Look& look, const Row& row, double share) {
  const Columns at = columns_of(look, row);
  const float length = std::max(look.px(2), (at.token_end - at.token) * static_cast<float>(share));
  const float bottom = row.top + row.height - look.px(1);
  const Colour colour = mix(look.colours.raised, look.colours.key, 0.35F + 0.65F * static_cast<float>(share));
  canvas().AddRectFilled({at.token, bottom - look.px(2)}, {at.token + length, bottom}, to_imgui(colour), look.px(1));
}

void draw_key(const Shown& shown, std::size_t place, Index key, double sum, double largest) {
  Panel& panel = shown.panel;
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, shown.row_height());
  const auto weight = static_cast<double>(shown.weights()(*shown.focus.query, key));
  const Box box{row.left, row.top, row.right - row.left, row.height};
  const std::string name = fmt::format("Profile key {}", key);
  const Press press = press_area_in_list(name.c_str(), {box.x, box.y}, {box.width, box.height}, place == 0);
  const TokenPlace here{key_side(shown.run, shown.head.layer), key};
  if (press.is_hovered && &shown.run == panel.snapshot.get()) {
    panel.view.pointed.listed = here;
    if (is_right_click()) ask_token_menu(panel, here);
  }
  const bool is_pointed = press.is_hovered || (panel.view.pointed.cell && shown.focus.cell && shown.focus.cell->key == key);
  draw_mark(look, box, look.colours.key, is_pointed ? Mark::hovered : Mark::none, kInside);
  draw_bar(look, row, largest > 0 ? weight / largest : 0);
  draw_line(look, row, {std::to_string(place + 1), std::to_string(key), shown.key_name(key), weight, sum}, look.colours.text);
}

/// Presses fold the rest of a long row, or list it.
void draw_rest(const Shown& shown, std::size_t count, double weight, double sum) {
  const Look& look = shown.panel.look;
  bool& shows_all = shown.panel.view.rails.shows_whole_row;
  const Row row = begin_row(look, "", nullptr, shown.row_height());
  const Press press = press_area("Rest of the row", {row.left, row.top}, {row.right - row.left, row.height});
  hint(look, shows_all ? "List only the largest weights." : "List every key that gets some attention.");
  if (press.is_clicked) shows_all = !shows_all;
  const Colour colour = press.is_hovered ? look.colours.text : look.colours.text_second;
  const Columns at = columns_of(look, row);
  draw_triangle(look, {at.position - look.px(4), row.middle()}, colour, shows_all);
  if (shows_all) return draw_text(look, at.token, row.middle(), Type::body, colour, "show fewer");
  const std::string more = fmt::format("{} more", count);
  const bool has_room = text_width(look, Type::body, more) <= at.token_end - at.token;
  draw_line(look, row, {"", "", has_room ? more : fmt::format("+{}", count), weight, sum}, colour);
}

/// "it 8": whose row it is, with its mark.
void draw_row_title(const Shown& shown, Index query) {
  const Look& look = shown.panel.look;
  const Row row = begin_row(look, "", nullptr, shown.row_height());
  const std::string number = std::to_string(query);
  const float inset = look.px(6), number_room = inset + text_width(look, Type::number, number);
  const std::string name = elided(look, Type::strong, shown.query_name(query), row.right - row.left - number_room - 2 * inset);
  const float name_width = text_width(look, Type::strong, name);
  const bool is_own = &shown.run == shown.panel.snapshot.get();
  const Mark mark = is_own && pinned_query_of(shown.panel, shown.head.layer) == query ? Mark::pinned : Mark::hovered;
  draw_mark(look, {row.left, row.top + look.px(1), name_width + number_room + 2 * inset, row.height - look.px(2)}, look.colours.query, mark,
            kInside);
  const bool is_pinned = mark == Mark::pinned;
  draw_text(look, row.left + inset, row.middle(), Type::strong, is_pinned ? look.colours.text : look.colours.query, name);
  draw_text(look, row.left + inset + name_width + inset, row.middle(), Type::number,
            is_pinned ? look.colours.text : look.colours.text_second, number);
  name_area(fmt::format("Row profile of {}", query), {row.left, row.top, row.right - row.left, row.height});
}

/// "top 8 hold 94.3 % · 2.1 effective tokens"
std::string share_text(const Matrix& weights, Index query, std::size_t shown_keys, double share) {
  double entropy = 0;
  for (Index key = 0; key < weights.cols(); ++key) {
    const auto weight = static_cast<double>(weights(query, key));
    if (weight > 0) entropy -= weight * std::log(weight);
  }
  return fmt::format("{} {} · {:.1f} effective tokens", shown_keys == 1 ? "one key holds" : fmt::format("top {} hold", shown_keys),
                     percent_text(share), std::exp(entropy));
}

/// Shares only where the rows are some.
std::string summary_of_joined(const Shown& shown, std::size_t shown_keys, double share) {
  const Index query = *shown.focus.query;
  const FlowRequest& flow = shown.joined->flow;
  const double sum = shown.weights().row(query).cast<double>().sum();
  const bool has_shares = std::abs(sum - 1) < 1e-3 && (has_weight_rows(flow.settings.reduction) || flow.heads.size() == 1);
  std::string text = has_shares ? share_text(shown.weights(), query, shown_keys, share)
                                : fmt::format("The row sums to {}: these are not shares of one head’s attention.", weight_text(sum));
  const auto& out = shown.joined->shown->picture->left_out();
  if (out && has_shares) text += fmt::format(" · {} on hidden keys", percent_text(out->mass[static_cast<std::size_t>(query)]));
  if (out && out->is_renormalised) text += " · weights before keys are hidden: the map renormalises the others";
  return text;
}

std::string summary_of(const Shown& shown, std::size_t shown_keys, double share) {
  if (shown.joined) return summary_of_joined(shown, shown_keys, share);
  const HeadMaps& maps = *shown.maps;
  const Index query = *shown.focus.query;
  const std::string problem = shown.run.is_dump() ? row_problem(maps, query) : std::string();
  if (!problem.empty()) return fmt::format("This row {}: not attention weights.", problem);
  std::string text = share_text(maps.weights, query, shown_keys, share);
  const RowLeft left = left_of_row(shown.run, shown.panel.draft.style, shown.head, maps, query);
  if (left.is_known) text += fmt::format(" · {} on hidden keys", percent_text(left.hidden));
  if (shown.rule().sink) text += fmt::format(" · sink\u00A0{}", percent_text(sums_of_row(maps, shown.rule(), query).sink_share));
  return text;
}

/// The lines of all keys; only those in sight are drawn.
void draw_keys(const Shown& shown, const std::vector<Index>& keys, std::size_t count) {
  const auto weight = [&](std::size_t place) { return static_cast<double>(shown.weights()(*shown.focus.query, keys[place])); };
  std::vector<double> sums(count);
  double sum = 0;
  for (std::size_t place = 0; place < count; ++place) sums[place] = sum += weight(place);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count), shown.panel.look.px(shown.row_height()));
  while (clipper.Step()) {
    for (int line = clipper.DisplayStart; line < clipper.DisplayEnd; ++line) {
      const auto place = static_cast<std::size_t>(line);
      draw_key(shown, place, keys[place], sums[place], weight(0));
    }
  }
}

}  // namespace

void draw_row_profile(const Shown& shown) {
  const Look& look = shown.panel.look;
  if (!shown.is_dense || !shown.focus.query) draw_heading(shown, "Row profile");
  if (shown.focus.query) draw_row_title(shown, *shown.focus.query);
  if (!shown.focus.query || !shown.has_weights()) {
    paragraph(look, Type::body, look.colours.text_second, "The keys that get most of a query's attention.");
    return;
  }
  const Index query = *shown.focus.query;
  if (shown.is_row_masked()) {
    paragraph(look, Type::body, look.colours.text_second, "Every key of this query is masked: its row is all zeros and adds nothing.");
    return;
  }
  const std::vector<Index> keys = largest_keys(shown.weights(), query, static_cast<std::size_t>(shown.weights().cols()));
  const std::size_t most = shown.is_dense ? kFewKeys : kTopKeys;
  const bool has_rest = keys.size() > most + kSparedKeys;
  const std::size_t top = has_rest ? most : keys.size();
  const auto mass = [&](std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t place = from; place < to; ++place) sum += static_cast<double>(shown.weights()(query, keys[place]));
    return sum;
  };
  draw_table_head(shown);
  draw_keys(shown, keys, shown.panel.view.rails.shows_whole_row ? keys.size() : top);
  if (has_rest) draw_rest(shown, keys.size() - top, mass(top, keys.size()), mass(0, keys.size()));
  paragraph(look, Type::caption, look.colours.text_second, summary_of(shown, top, mass(0, top)));
}

}  // namespace headlight

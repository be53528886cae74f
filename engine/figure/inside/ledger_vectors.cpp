// The groups whose columns are vectors: keys, products, values.
#include <algorithm>
#include <cmath>

#include "engine/figure/inside/ledger.h"

namespace headlight {
namespace {

constexpr float kStripHeight = 20;
constexpr float kSmallText = 11;

Box strip_box(float left, float middle, float width) {
  return {left, middle - kStripHeight / 2, width, kStripHeight};
}
CellWindow row_window(Index row, Index columns) {
  return {static_cast<float>(row), static_cast<float>(row + 1), 0, static_cast<float>(columns)};
}

}  // namespace

void Ledger::draw_strip(InsideStep step, const Strip& strip, const Box& box, bool has_digits, Index filled) {
  if (filled <= 0) return pen_.dashes(box);
  const Index row = is_of_key(strip.number.what) ? strip.number.key : 0;
  CellWindow window = row_window(row, filled);
  const float share = static_cast<float>(filled) / static_cast<float>(strip.count);
  const LedgerLayer layer = is_current(step) ? LedgerLayer::front : LedgerLayer::back;
  pen_.cells(layer, strip.picture, window, {box.x, box.y, box.width * share, box.height}, strip.scale);
  draw_veil(step, box);
  pen_.spot(box, strip.number, strip.count);
  if (!has_digits) return;
  const float cell = box.width / static_cast<float>(strip.count);
  for (Index at = 0; at < filled; ++at) {
    InsideNumber number = strip.number;
    number.place = at;
    pen_.digits({box.x + cell * static_cast<float>(at), box.y, cell, box.height}, value_of(inside_, number), strip.scale);
  }
}

void Ledger::draw_keys() {
  const InsideStep step = InsideStep::keys;
  if (!is_shown(step)) return;
  const LedgerGroup& place = group(step);
  const Palette& colours = pen_.colours();
  const bool is_now = is_current(step);
  const bool has_digits = is_now && columns_.has_digits;
  const float width = is_now ? place.width : columns_.strip;
  const Box q{place.left, lines_.vectors + 17, width, 22};
  if (state(InsideStep::products) != State::current) {  // there it is above the products
    draw_strip(step, {pictures_.q, vector_scale_, {InsideValue::query}, inside_.d_head()}, q, has_digits, inside_.d_head());
    pen_.frame({q.x - 1, q.y - 1, q.width + 2, q.height + 2}, colours.query, 1, 2);
    pen_.text({q.x, q.y - 9}, has_digits && !inside_.turning.is_empty() ? "q, turned to position " + std::to_string(inside_.query) : "q",
              colours.query, {kSmallText}, is_now ? width : 0);
  }
  const float share = part(step, 0, 1);
  for (std::size_t i = 0; i < lines_.rows.size(); ++i) {
    const PlacedRow& placed = lines_.rows[i];
    const Box box = strip_box(place.left, placed.middle(), width);
    if (placed.row.kind == LedgerRow::Kind::sink) continue;
    if (placed.row.kind == LedgerRow::Kind::masked) {
      pen_.hatch(is_now ? LedgerLayer::front : LedgerLayer::back, box);
    } else if (placed.row.kind == LedgerRow::Kind::fold) {
      if (share > 0)
        pen_.text({place.left + width / 2, placed.middle()}, "…", colours.text_third, {kSmallText, FontFace::ui, AlignX::centre});
    } else {
      const Strip strip{pictures_.k, vector_scale_, {InsideValue::key, placed.row.begin}, inside_.d_head()};
      draw_strip(step, strip, box, has_digits, is_filled(i, share) ? inside_.d_head() : 0);
    }
  }
}

/// The chosen row in three lines: k, its products with q, and their running sum.
void Ledger::draw_open_row(const PlacedRow& placed, float filled) {
  const LedgerGroup& place = group(InsideStep::products);
  const Palette& colours = pen_.colours();
  const Index d_head = inside_.d_head(), key = placed.row.begin;
  const float width = columns_.cell * static_cast<float>(d_head);
  const auto count = static_cast<Index>(std::ceil(filled * static_cast<float>(d_head)));
  const float middle = placed.middle();
  const Box k = strip_box(place.left, middle - 22, width), terms = strip_box(place.left, middle, width);
  draw_strip(InsideStep::products, {pictures_.k, vector_scale_, {InsideValue::key, key}, d_head}, k, columns_.has_digits, d_head);
  draw_strip(InsideStep::products, {pictures_.terms, term_scale_, {InsideValue::term, key}, d_head}, terms, columns_.has_digits, count);
  const RowVector sums = inside_.sums_of_terms(key);
  const float y = middle + 22;
  if (columns_.has_digits) {
    for (Index at = 0; at < count; ++at) {
      pen_.text({place.left + columns_.cell * (static_cast<float>(at) + 0.5F), y}, cell_text(sums[at]), colours.text_second,
                {kCellText, FontFace::mono, AlignX::centre});
    }
  } else {
    // A line from the left to where the sum has come.
    const float low = std::min(0.0F, sums.minCoeff()), high = std::max(0.0F, sums.maxCoeff());
    const auto point = [&](Index at) {
      const float height = high > low ? (sums[at] - low) / (high - low) : 0;
      return Point{place.left + columns_.cell * (static_cast<float>(at) + 0.5F), y + 8 - 16 * height};
    };
    for (Index at = 1; at < count; ++at) pen_.line(point(at - 1), point(at), colours.accent, 1.5F);
  }
}

void Ledger::draw_products() {
  const InsideStep step = InsideStep::products;
  if (!is_shown(step)) return;
  const LedgerGroup& place = group(step);
  const Palette& colours = pen_.colours();
  const bool is_now = is_current(step);
  const Index d_head = inside_.d_head();
  const float width = is_now ? columns_.cell * static_cast<float>(d_head) : columns_.strip;
  const float scores = place.right();
  if (is_now) {
    const Box q{place.left, lines_.vectors + 17, width, 22};
    draw_strip(step, {pictures_.q, vector_scale_, {InsideValue::query}, d_head}, q, columns_.has_digits, d_head);
    pen_.frame({q.x - 1, q.y - 1, q.width + 2, q.height + 2}, colours.query, 1, 2);
    pen_.text({q.x, q.y - 9}, inside_.turning.is_empty() ? "q" : "q, turned to position " + std::to_string(inside_.query), colours.query,
              {kSmallText}, width);
  }
  if (state(step) != State::ahead)
    pen_.text({scores, lines_.vectors + 28}, "score", colours.text_second, {kSmallText, FontFace::ui, AlignX::right});
  const float first = part(step, 0, 2), others = part(step, 1, 2);
  for (std::size_t i = 0; i < lines_.rows.size(); ++i) {
    const PlacedRow& placed = lines_.rows[i];
    const LedgerRow& row = placed.row;
    const Box box = strip_box(place.left, placed.middle(), width);
    if (row.kind == LedgerRow::Kind::sink) continue;
    const bool is_open = is_now && is_chosen(row) && placed.height > 2 * kStripHeight + 10;
    const bool is_done = is_open ? first >= 1 : is_filled(i, others);
    if (row.kind == LedgerRow::Kind::masked) {
      pen_.hatch(is_now ? LedgerLayer::front : LedgerLayer::back, {box.x, box.y, scores - box.x, box.height});
      continue;
    }
    if (row.kind == LedgerRow::Kind::fold) {
      if (is_done) pen_.number({scores, placed.middle()}, "≤ " + score_text(row.largest_score), colours.text_second, kSmallText);
      continue;
    }
    if (is_open) {
      draw_open_row(placed, first);
    } else {
      const Strip strip{pictures_.terms, term_scale_, {InsideValue::term, row.begin}, d_head};
      draw_strip(step, strip, box, is_now && columns_.has_digits, is_done ? d_head : 0);
    }
    if (!is_done) continue;
    const float y = is_open ? placed.middle() + 22 : placed.middle();
    pen_.number({scores, y}, score_text(inside_.row.scores[row.begin]), number_colour(step));
    pen_.spot({scores - kScoreWidth, y - 11, kScoreWidth + 4, 22}, {InsideValue::score, row.begin});
  }
}

/// z below the values that it sums: after as many rows as are filled, of the keys up to there.
void Ledger::draw_value_sums() {
  const InsideStep step = InsideStep::values;
  const LedgerGroup& place = group(step);
  const Index d_value = inside_.d_value();
  const bool is_now = is_current(step);
  const float left = place.left + columns_.strip + (is_now ? 16 : 12);
  const float width = is_now ? columns_.cell * static_cast<float>(d_value) : columns_.strip;
  const Box box = strip_box(left, lines_.sums + kSumRow / 2, width);
  const float share = part(step, 0, 1);
  const Colour colour = is_now ? pen_.colours().value : pen_.colours().text_second;
  pen_.text({left - 6, box.y + box.height / 2}, is_now ? "z = Σ" : "z", colour, {kSmallText, FontFace::ui, AlignX::right});
  Index end = 0;
  for (std::size_t i = 0; i < lines_.rows.size(); ++i) {
    if (share > 0 && is_filled(i, share)) end = lines_.rows[i].row.end;
  }
  if (end == 0) return pen_.dashes(box);
  const RowVector sums = share >= 1 ? inside_.z : inside_.sums_of_values(end);
  const InsidePictures::Picture picture =
      share >= 1 ? pictures_.z : std::make_shared<const MapPicture>(Matrix(sums), 1, 1, d_value, nullptr, true);
  pen_.cells(LedgerLayer::front, picture, row_window(0, d_value), box, value_scale_);
  pen_.frame({box.x - 1, box.y - 1, box.width + 2, box.height + 2}, pen_.colours().value, 1, 2);
  pen_.spot(box, {InsideValue::z}, d_value);
  for (Index at = 0; is_now && columns_.has_digits && at < d_value; ++at) {
    pen_.digits({box.x + columns_.cell * static_cast<float>(at), box.y, columns_.cell, box.height}, sums[at], value_scale_);
  }
}

void Ledger::draw_values() {
  const InsideStep step = InsideStep::values;
  if (!is_shown(step)) return;
  const LedgerGroup& place = group(step);
  const Palette& colours = pen_.colours();
  const bool is_now = is_current(step);
  const Index d_value = inside_.d_value();
  const float left = place.left + columns_.strip + (is_now ? 16 : 12);
  const float width = is_now ? columns_.cell * static_cast<float>(d_value) : columns_.strip;
  pen_.text({place.left, lines_.vectors + 28}, "v", is_now ? colours.value : colours.text_third, {kSmallText});
  const std::string short_what = "weight · v";
  const std::string what =
      is_now ? pen_.fitting("weight · v: each value counts as much as its weight", short_what, width, kSmallText) : short_what;
  if (is_now || pen_.width(what, kSmallText) <= width)
    pen_.text({left, lines_.vectors + 28}, what, colours.text_second, {kSmallText}, width);
  const float share = part(step, 0, 1);
  for (std::size_t i = 0; i < lines_.rows.size(); ++i) {
    const PlacedRow& placed = lines_.rows[i];
    const LedgerRow& row = placed.row;
    if (row.kind == LedgerRow::Kind::sink) continue;
    const Box v = strip_box(place.left, placed.middle(), columns_.strip), weighted = strip_box(left, placed.middle(), width);
    if (row.kind == LedgerRow::Kind::masked) {
      pen_.hatch(is_now ? LedgerLayer::front : LedgerLayer::back, {v.x, v.y, weighted.right() - v.x, v.height});
      continue;
    }
    if (row.kind == LedgerRow::Kind::fold) {
      if (share > 0) pen_.text({left + width / 2, placed.middle()}, "…", colours.text_third, {kSmallText, FontFace::ui, AlignX::centre});
      continue;
    }
    const bool has_begun = state(step) != State::ahead;
    draw_strip(step, {pictures_.v, value_scale_, {InsideValue::value, row.begin}, d_value}, v, false, has_begun ? d_value : 0);
    draw_strip(step, {pictures_.weighted, value_scale_, {InsideValue::weighted, row.begin}, d_value}, weighted,
               is_now && columns_.has_digits, share > 0 && is_filled(i, share) ? d_value : 0);
  }
  draw_value_sums();
}

}  // namespace headlight

#include "engine/figure/inside/ledger.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

constexpr float kTitleHeight = 50, kLowTitle = 26;  // the latter without the line under it
constexpr float kSmall = 11;

}  // namespace

Ledger::Ledger(const InsideFigureRequest& request, const MeasureText& measure, InsideFigure& figure)
    : request_(request),
      inside_(*request.inside),
      pictures_(*request.pictures),
      moment_(request.moment),
      figure_(figure),
      pen_(request.theme, measure, request.pictures->masked, figure),
      chosen_(request.chosen_key && *request.chosen_key < request.inside->keys() ? *request.chosen_key : key_to_mark(*request.inside)),
      area_(request.area),
      vector_scale_(pen_.scale(std::max(farthest_of(request.pictures->k), farthest_of(request.pictures->q)))),
      term_scale_(pen_.scale(farthest_of(request.pictures->terms))),
      value_scale_(pen_.scale(std::max(farthest_of(request.pictures->v), farthest_of(request.pictures->z)))) {
  if (request.has_title && !request.is_printed) {
    const float title = request.area.height < kLowArea ? kLowTitle : kTitleHeight;
    area_.y += title;
    area_.height -= title;
  }
  if (has_bracket()) {
    area_.y += kBracket;
    area_.height -= kBracket;
  }
}

void Ledger::draw() {
  figure_.chosen_key = chosen_;
  place();
  if (request_.is_printed) wrap_words_above();
  if (request_.is_printed) draw_words_above();
  if (request_.has_title && !request_.is_printed) draw_title();
  if (moment_.step == InsideStep::query) {
    draw_whole_query();
  } else if (moment_.step == InsideStep::output) {
    draw_whole_output();
  } else {
    draw_panel();
    if (has_bracket()) draw_bracket();
    for (const InsideStepRow& each : inside_steps()) {
      if (is_shown(each.step)) draw_heading(each.step);
    }
    draw_tokens();
    draw_query_above();
    draw_keys();
    draw_products();
    draw_scale();
    draw_mask();
    draw_softmax();
    draw_values();
    if (lines_.output > 0) draw_output_line();
  }
  if (request_.ringed) {
    pen_.finish();
    if (const std::optional<Box> box = figure_.box_of(*request_.ringed))
      pen_.frame({box->x - 2, box->y - 2, box->width + 4, box->height + 4}, pen_.colours().accent, 2, 4);
  }
  pen_.finish();
}

void Ledger::place() {
  columns_ = place_columns(inside_, moment_, area_.x, area_.width);
  lines_ = place_lines(request_, chosen_, moment_.step == InsideStep::products && area_.height >= kLowArea - kTitleHeight, area_);
  figure_.rows.clear();
  for (const PlacedRow& placed : lines_.rows) figure_.rows.push_back(placed.row);
}

float Ledger::part(InsideStep step, int number, int parts) const {
  if (!is_current(step)) return state(step) == State::behind ? 1 : 0;
  return std::clamp(moment_.progress * static_cast<float>(parts) - static_cast<float>(number), 0.0F, 1.0F);
}

bool Ledger::is_filled(std::size_t number, float share) const {
  return share >= 1 || static_cast<float>(number) < share * static_cast<float>(lines_.rows.size());
}

std::string Ledger::key_name(Index key) const {
  return request_.key_labels ? (*request_.key_labels)[static_cast<std::size_t>(key)] : std::to_string(key);
}
std::string Ledger::query_name() const {
  return request_.query_labels ? (*request_.query_labels)[static_cast<std::size_t>(inside_.query)] : std::to_string(inside_.query);
}

void Ledger::draw_panel() {
  if (!is_shown(moment_.step)) return;
  const LedgerGroup& current = group(moment_.step);
  const Box panel{current.left - kPanelPadding, lines_.header - 6, current.width + 2 * kPanelPadding, lines_.bottom - lines_.header + 6};
  pen_.add(LedgerLayer::panel, SceneBox{.box = panel, .fill = pen_.colours().raised, .stroke = pen_.colours().line, .radius = 4});
  pen_.fill(LedgerLayer::panel, {panel.x, panel.y - 1, panel.width, 2.5F}, pen_.colours().accent);
}

std::string Ledger::formula_of(InsideStep step) const {
  const InsideRow& row = inside_.row;
  switch (step) {
    case InsideStep::keys:
      return inside_.turning.is_empty() ? "x · W_K" : "x · W_K, turned by position";
    case InsideStep::products:
      return inside_.score == ScoreKind::dot ? "q · k, summed" : std::string(score_function(inside_.score).name) + " score, summed";
    case InsideStep::scale: {
      std::string text = request_.divisor.empty() ? "not scaled" : request_.divisor;
      if (row.capped.size() > 0) text += ", soft-cap";
      if (row.bias.size() > 0) text += ", position bias";
      return text;
    }
    case InsideStep::mask:
      return request_.mask_text;
    case InsideStep::softmax:
      return "exp(s − max) ÷ Σ";
    case InsideStep::values:
      return "Σ weight · v";
    default:
      return {};
  }
}

void Ledger::draw_heading(InsideStep step) {
  const Palette& colours = pen_.colours();
  const LedgerGroup& place = group(step);
  const bool is_now = is_current(step);
  const float y = lines_.header + 10;
  const std::string number = std::to_string(static_cast<int>(step) + 1);
  const std::string title =
      step == InsideStep::scale && !request_.divisor.empty() && inside_.row.capped.size() == 0 && inside_.row.bias.size() == 0
          ? request_.divisor
          : std::string(inside_step(step).title);
  const float digit = pen_.width(number, kCaptionSize) + 5;
  const bool has_number = place.width > 40 || is_now;
  const float size = is_now ? kTextSize : kCaptionSize;
  if (has_number) pen_.text({place.left, y}, number, is_now ? colours.accent : colours.text_third, {kCaptionSize});
  // A title may run into the gap after its group.
  pen_.text({place.left + (has_number ? digit : 0), y}, title, is_now ? colours.text : colours.text_second,
            {size, is_now ? FontFace::ui_bold : FontFace::ui}, place.width + 14 - (has_number ? digit : 0));
  if (is_now) pen_.text({place.left, y + 17}, formula_of(step), colours.text_second, {kSmall}, place.width);
  pen_.spot(Box{place.left, lines_.header, place.width, kRowsHeader}, step);
}

void Ledger::draw_row_name(const PlacedRow& placed) {
  const Palette& colours = pen_.colours();
  const LedgerGroup& place = group(InsideStep::query);
  const LedgerRow& row = placed.row;
  const float y = placed.middle();
  const Box box{place.left, placed.top + 2, place.width, placed.height - 4};
  if (is_chosen(row)) pen_.frame(box, mix(colours.ground, colours.key, 0.6F));
  pen_.spot(box, row);
  constexpr float kIndent = 7, kNumberRoom = 34;
  if (row.kind == LedgerRow::Kind::key) {
    pen_.text({place.left + kIndent, y}, std::to_string(row.begin), colours.text_third, {10, FontFace::mono});
    const Colour colour = is_chosen(row) ? colours.key : is_allowed(row) ? colours.text : colours.text_third;
    pen_.text({place.right() - kIndent, y}, key_name(row.begin), colour,
              {13, is_chosen(row) ? FontFace::ui_bold : FontFace::ui, AlignX::right}, place.width - kIndent - kNumberRoom);
    return;
  }
  if (row.kind == LedgerRow::Kind::sink) {
    pen_.text({place.right() - kIndent, y}, "sink", colours.text_second, {13, FontFace::ui, AlignX::right});
    return;
  }
  const bool is_masked = row.kind == LedgerRow::Kind::masked;
  if (is_masked) pen_.hatch(LedgerLayer::back, {box.x + 1, box.y + 1, box.width - 2, box.height - 2}, kHatchUnderText);
  pen_.frame(box, colours.line);
  const std::string count = fmt::format("{} key{}", row.keys(), row.keys() == 1 ? "" : "s");
  const std::string range = row.keys() == 1 ? std::to_string(row.begin) : fmt::format("{}–{}", row.begin, row.end - 1);
  std::string text = is_masked ? count + " masked" : fmt::format("{} · {}", count, range);
  if (!is_masked && row.masked_inside > 0) text = fmt::format("{}, {} masked", range, row.masked_inside);
  pen_.text({place.right() - kIndent, y}, text, colours.text_second, {kSmall, FontFace::ui, AlignX::right}, place.width - 2 * kIndent);
}

void Ledger::draw_tokens() {
  for (const PlacedRow& placed : lines_.rows) draw_row_name(placed);
  const LedgerGroup& place = group(InsideStep::query);
  const Palette& colours = pen_.colours();
  float right = area_.right();
  for (const LedgerGroup& each : columns_.groups) {
    if (each.is_shown) right = std::min(area_.right(), std::max(place.right(), each.right()));
  }
  pen_.add(LedgerLayer::back, SceneLine{{place.left, lines_.sums}, {right, lines_.sums}, colours.line, 1});
  const float room = place.width - 10;
  pen_.text({place.right() - 7, lines_.sums + kSumRow / 2}, pen_.fitting("sum of the column", "column sum", room, kSmall),
            colours.text_second, {kSmall, FontFace::ui, AlignX::right}, room);
}

void Ledger::draw_veil(InsideStep step, const Box& cells) {
  if (state(step) != State::behind) return;
  Colour veil = pen_.colours().ground;
  veil.alpha = 97;  // leaves 62 %
  pen_.fill(LedgerLayer::veil, cells, veil);
}

/// x and W_Q, small, above the tokens: where q comes from.
void Ledger::draw_query_above() {
  const Palette& colours = pen_.colours();
  const LedgerGroup& place = group(InsideStep::query);
  constexpr float kNameRoom = 30;
  const Box x{place.left + kNameRoom, lines_.vectors + 4, place.width - kNameRoom - 14, 8};
  const Box w{x.x, x.bottom() + 3, x.width, 22};
  pen_.cells(LedgerLayer::back, pictures_.x, {0, 1, 0, static_cast<float>(inside_.asking.x.size())}, x,
             pen_.scale(farthest_of(pictures_.x)));
  pen_.cells(LedgerLayer::back, pictures_.w_q, {0, static_cast<float>(inside_.d_head()), 0, static_cast<float>(inside_.asking.x.size())}, w,
             pen_.scale(farthest_of(pictures_.w_q)));
  pen_.text({x.x - 6, x.y + 4}, "x", colours.query, {kSmall, FontFace::ui, AlignX::right});
  pen_.text({x.x - 6, w.y + 11}, "W_Q", colours.text_second, {10, FontFace::ui, AlignX::right});
  pen_.text({w.right() + 10, w.y + 11}, "→", colours.text_second, {kSmall, FontFace::ui, AlignX::centre});
  draw_veil(InsideStep::query, x);
  draw_veil(InsideStep::query, w);
}

const InsideSpot* InsideFigure::spot_at(Point point) const {
  for (auto spot = spots.rbegin(); spot != spots.rend(); ++spot) {
    if (spot->box.contains(point)) return &*spot;
  }
  return nullptr;
}

Box box_in(const InsideSpot& spot, Index place) {
  const auto count = static_cast<float>(std::max<Index>(1, spot.count)), at = static_cast<float>(place);
  if (spot.is_column) return {spot.box.x, spot.box.y + spot.box.height * at / count, spot.box.width, spot.box.height / count};
  return {spot.box.x + spot.box.width * at / count, spot.box.y, spot.box.width / count, spot.box.height};
}

InsideNumber number_at(const InsideSpot& spot, Point point) {
  const float along = spot.is_column ? (point.y - spot.box.y) / spot.box.height : (point.x - spot.box.x) / spot.box.width;
  InsideNumber number = spot.number;
  number.place += std::clamp<Index>(static_cast<Index>(along * static_cast<float>(spot.count)), 0, std::max<Index>(0, spot.count - 1));
  return number;
}

std::optional<Box> InsideFigure::box_of(const InsideNumber& number) const {
  for (const InsideSpot& spot : spots) {
    if (spot.count == 0 || spot.number.what != number.what) continue;
    if (is_of_key(number.what) && spot.number.key != number.key) continue;
    const Index at = number.place - spot.number.place;
    if (at >= 0 && at < spot.count) return box_in(spot, at);
  }
  return {};
}

InsideFigure make_inside_figure(const InsideFigureRequest& request, const MeasureText& measure) {
  InsideFigure figure;
  Ledger(request, measure, figure).draw();
  return figure;
}

}  // namespace headlight

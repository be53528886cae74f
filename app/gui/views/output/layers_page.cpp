// Layers: what each layer would predict at the chosen position, if it were the last (logit lens).
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/kit/items.h"
#include "app/gui/kit/region.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/output/output_pages.h"
#include "engine/core/numbers.h"
#include "engine/figure/predictions/predictions.h"

namespace headlight {
namespace {

constexpr float kLayer = 96, kFollowed = 92, kWidestGuess = 190, kNarrowestGuess = 104;

/// Where the columns are, in pixels.
struct LensColumns {
  float layer, first, guess, followed_right;
  std::size_t guesses;
};
LensColumns columns_of(const Look& look, const Row& row, std::size_t listed) {
  LensColumns at{};
  at.layer = row.left;
  at.followed_right = row.left + look.px(kLayer + kFollowed);
  at.first = at.followed_right + look.px(24);
  const float room = row.right - at.first;
  at.guesses = std::clamp(static_cast<std::size_t>(room / look.px(kNarrowestGuess)), std::size_t{1}, listed);
  at.guess = std::min(look.px(kWidestGuess), room / static_cast<float>(at.guesses));
  return at;
}

void draw_lens_head(const Look& look, const LensFound& found, const std::string& followed) {
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const LensColumns at = columns_of(look, row, found.labels.front().size());
  const auto put = [&](float x, const std::string& text, AlignX align) {
    draw_text(look, x, row.middle(), Type::caption, look.colours.text_second, text, align);
  };
  put(at.layer, "after", AlignX::left);
  put(at.followed_right, elided(look, Type::caption, "p of " + followed, look.px(kFollowed)), AlignX::right);
  put(at.first, "likeliest", AlignX::left);
}

void draw_guess(const Look& look, const Row& row, float x, float width, const LikelyToken& likely, const std::string& label,
                bool is_followed) {
  const float number = look.px(44);
  const auto share = static_cast<float>(likely.probability);
  const Box cell{x, row.top + look.px(2), width - look.px(kBetween), row.height - look.px(4)};
  fill(look, {cell.x, cell.y}, {cell.x + cell.width * std::clamp(share, 0.0F, 1.0F), cell.bottom()}, faded(look.colours.key, 0.28F), 3);
  const std::string shown = elided(look, Type::body, label, cell.width - number - look.px(kUnit));
  draw_text(look, x + look.px(kInside), row.middle(), is_followed ? Type::strong : Type::body,
            is_followed ? look.colours.key : look.colours.text, shown);
  draw_text(look, cell.right() - look.px(kInside), row.middle(), Type::number, look.colours.text_second, weight_text(likely.probability),
            AlignX::right);
}

void draw_lens_row(const Panel& panel, const LensFound& found, std::size_t layer) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const LensColumns at = columns_of(look, row, found.labels.front().size());
  const std::string name = lens_label(*found.request.run, found.layers[layer].layer);
  press_area(("Lens " + name).c_str(), {row.left, row.top}, {row.right - row.left, row.height});
  draw_text(look, at.layer, row.middle(), Type::body, look.colours.text_second, elided(look, Type::body, name, look.px(kLayer)));
  std::int64_t followed = -1;
  if (layer < found.followed.size() && !found.followed[layer].empty()) {
    const LikelyToken& token = found.followed[layer].front();
    followed = token.id;
    hint(look, fmt::format("Logit {:.4f}, {}.", token.logit, choice_text(token.rank)).c_str());
    draw_text(look, at.followed_right, row.middle(), Type::number, look.colours.text, weight_text(token.probability), AlignX::right);
  }
  const Prediction& prediction = found.layers[layer].predictions.front();
  for (std::size_t guess = 0; guess < std::min(at.guesses, prediction.likeliest.size()); ++guess) {
    const LikelyToken& likely = prediction.likeliest[guess];
    draw_guess(look, row, at.first + at.guess * static_cast<float>(guess), at.guess, likely, found.labels[layer][guess],
               likely.id == followed);
  }
}

}  // namespace

void draw_layers_page(Panel& panel, const Box& box) {
  const Look& look = panel.look;
  if (const std::string problem = why_no_lens(*panel.snapshot); !problem.empty()) {
    return draw_page_message(look, box, "These layers cannot be read", problem);
  }
  const std::optional<LogitInFocus> logit = logit_in_focus(panel);
  std::shared_ptr<const LensFound> found;
  if (logit) found = panel.context.session.effects().lens({panel.snapshot, logit->question.position, {logit->question.token}});
  if (!found || found->request.run != panel.snapshot || found->layers.empty()) {
    return draw_page_message(look, box, "Reading every layer …", "");
  }
  const float inset = look.px(kUnit);
  begin_scrolling_region(look, "Layers", {box.x + inset, box.y, box.width - 2 * inset, box.height}, look.colours.ground);
  gap(look, kUnit);
  const bool is_next = predicted_place(panel.snapshot->model->config) == PredictedPlace::next;
  const std::array title{
      Span{is_next ? "What each layer would write after " : "What each layer would guess at ", look.colours.text, Type::title},
      Span{logit->at, look.colours.query, Type::title},
      Span{fmt::format(" {}", logit->question.position), look.colours.text_second, Type::number}};
  paragraph(look, title);
  gap(look, kInside);
  paragraph(look, Type::body, look.colours.text_second,
            std::string("Logit lens: each layer's stream through the last norm and the logit head. ") + std::string(kLensCaveat));
  gap(look, kUnit);
  draw_lens_head(look, *found, logit->token);
  for (std::size_t layer = 0; layer < found->layers.size(); ++layer) draw_lens_row(panel, *found, layer);
  gap(look, kUnit);
  end_scrolling_region();
}

}  // namespace headlight

// The inspector beside Inside: the step in words, a number and its parts, the row.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/document/wording.h"
#include "app/gui/kit/formula.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/inside/inside_view.h"
#include "app/gui/views/inside/playing.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

struct Names {
  std::string query, key;
};

Colour colour_of(const Look& look, PartRole role) {
  switch (role) {
    case PartRole::query:
      return look.colours.query;
    case PartRole::key:
      return look.colours.key;
    case PartRole::value:
      return look.colours.value;
    default:
      return look.colours.text_second;
  }
}

/// "follow 6 → horse 2", or the query alone.
void draw_number_title(Panel& panel, const InsideFound& found, const InsideNumber& number) {
  const Look& look = panel.look;
  const Snapshot& snapshot = *found.question.snapshot;
  const int layer = found.question.head.layer;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  float x = row.left;
  const auto put = [&](Type type, Colour colour, const std::string& text, float most, float after) {
    const std::string shown = elided(look, type, text, most);
    draw_text(look, x, row.middle(), type, colour, shown);
    x += text_width(look, type, shown) + look.px(after);
  };
  const float half = (row.right - row.left) / 2 - look.px(44);
  const Index query = found.question.query;
  put(Type::title, look.colours.query, panel.caches.pictures.names(snapshot, snapshot.query_tokens(layer))[query], half, 6);
  put(Type::number, look.colours.text_second, std::to_string(query), half, kUnit);
  if (!is_of_key(number.what)) return;
  put(Type::body, look.colours.text_second, "→", half, kUnit);
  put(Type::title, look.colours.key, panel.caches.pictures.names(snapshot, snapshot.key_tokens(layer))[number.key], half, 6);
  put(Type::number, look.colours.text_second, std::to_string(number.key), half, 0);
}

void draw_part(const Look& look, const InsidePart& part, float height) {
  const Row row = begin_row(look, "", nullptr, height);
  const bool is_result = part.role == PartRole::result;
  const float number = text_width(look, Type::number, part.number);
  const Type type = is_result ? Type::strong : Type::body;
  const std::string label = elided(look, type, part.label, row.right - row.left - number - look.px(kUnit));
  draw_text(look, row.left, row.middle(), type, is_result ? look.colours.text : colour_of(look, part.role), label);
  draw_text(look, row.right, row.middle(), Type::number, look.colours.text, part.number, AlignX::right);
}

/// "Like choosing among 2.1 tokens. The top 3 keys hold 94.3 %."
std::string spread_text(const Inside& inside) {
  const RowVector& weights = inside.row.weights;
  double entropy = 0, top = 0;
  for (Index key = 0; key < weights.size(); ++key) {
    const auto weight = static_cast<double>(weights[key]);
    if (weight > 0) entropy -= weight * std::log(weight);
  }
  const std::size_t few = std::min<std::size_t>(3, inside.by_weight.size());
  for (std::size_t i = 0; i < few; ++i) top += static_cast<double>(weights[inside.by_weight[i]]);
  if (few == 0) return "No key may be attended to: the row is all zeros, and so is z.";
  return fmt::format("Like choosing among {} tokens. The top {} key{} {} {}.", number_text(std::exp(entropy), 1), few, few == 1 ? "" : "s",
                     few == 1 ? "holds" : "hold", percent_text(top));
}

void draw_step_words(Panel& panel, bool is_dense) {
  const Look& look = panel.look;
  if (const std::string reason = why_no_ledger(panel); !reason.empty()) {  // steps that lead nowhere are not explained
    text_line(look, Type::title, look.colours.text, "No steps to explain");
    gap(look, 2);
    return paragraph(look, Type::body, look.colours.text_second, as_sentence(reason));
  }
  const InsideStepRow& row = inside_step(panel.view.inside.moment.step);
  const std::string place = fmt::format("Step {} of {} · {}", static_cast<int>(row.step) + 1, kInsideSteps, row.name);
  text_line(look, Type::caption, look.colours.accent, place);
  text_line(look, Type::title, look.colours.text, row.headline);
  gap(look, 2);
  paragraph(look, Type::body, is_dense ? look.colours.text_second : look.colours.text, row.words);
  if (is_dense) return;
  gap(look, kUnit);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = look.px(40);
  fill(look, at, {at.x + width, at.y + height}, look.colours.ground);
  outline(look, at, {at.x + width, at.y + height}, look.colours.line);
  draw_formula(look, at.x + look.px(12), at.y + height / 2, look.colours.text, row.formula);
  ImGui::Dummy({width, height});
}

void draw_number_parts(Panel& panel, bool is_dense) {
  const Look& look = panel.look;
  const std::shared_ptr<const InsideFound> found = found_inside(panel);
  if (!found) return;
  const Inside& inside = *found->inside;
  const InsideNumber number = shown_number(panel.view.inside, inside);
  if (!has_number(inside, number)) return;
  text_line(look, Type::heading, look.colours.text_second, panel.view.inside.ringed ? "This number" : "Click a number for its parts");
  draw_number_title(panel, *found, number);
  for (const InsidePart& part : parts_of(inside, number)) draw_part(look, part, is_dense ? kLine : kNumberRow);
}

void draw_row_words(Panel& panel, bool /*is_dense*/) {
  const Look& look = panel.look;
  const std::shared_ptr<const InsideFound> found = found_inside(panel);
  if (!found) return;
  const Inside& inside = *found->inside;
  text_line(look, Type::heading, look.colours.text_second, "Row");
  paragraph(look, Type::body, look.colours.text_second, spread_text(inside));
  const HeadRange sharing = sharing_heads(inside);
  if (sharing.end - sharing.begin > 1) {
    gap(look, kInside);
    paragraph(look, Type::body, look.colours.text_second,
              fmt::format("Heads {} to {} read the same k and v; each asks with a q of its own.", sharing.begin, sharing.end - 1));
  }
  gap(look, kUnit);
  paragraph(look, Type::caption, look.colours.text_second,
            "Space plays, ← → step, shift ← → stop by stop, ↑ ↓ choose a key. Ctrl and an arrow change head or layer.");
}

constexpr std::array<InspectorPart, 3> kParts{{{draw_step_words, 0.36F}, {draw_number_parts, 0.36F}, {draw_row_words, 0.28F}}};

}  // namespace

std::span<const InspectorPart> inside_parts() {
  return kParts;
}

}  // namespace headlight

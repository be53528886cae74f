#include "app/gui/numbers/number_of_z.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gui/panel/shown_figure.h"
#include "engine/inside/numbers.h"

namespace headlight {
namespace {

/// As weights are written, so that a small part does not look like none; with a real minus.
std::string signed_number(double value) {
  return (value < 0 ? "−" : "") + weight_text(std::abs(value));
}

std::string product_text(const MixedPart& part) {
  return fmt::format("{} × {} = {}", weight_text(static_cast<double>(part.weight)), score_text(part.value),
                     signed_number(static_cast<double>(part.product())));
}

}  // namespace

bool shows_z(const Panel& panel) {
  const ViewRow* view = panel.shown_view();
  return view && view->shows_steps && row_of(panel.view.head_page.stage).columns == MapColumns::numbers &&
         shown_moment(panel) != Moment::difference;
}

bool draws_z(const Panel& panel) {
  if (!shows_z(panel)) return false;
  const std::shared_ptr<const HeadMaps> maps = maps_of(panel, inspected_head(panel));
  return maps && maps->v.size() > 0;
}

std::optional<VectorNumber> number_in_focus(const Panel& panel, const Focus& focus, const HeadMaps& maps) {
  const auto is_there = [&](const VectorNumber& at) { return at.query < maps.weights.rows() && at.number < maps.v.cols(); };
  if (const MenuTarget* const target = open_menu_target(panel); target && target->kind == MenuKind::number) {
    const VectorNumber asked{*target->query, target->number};
    if (is_there(asked)) return asked;
  }
  if (const auto& pointed = panel.view.pointed.number) return is_there(*pointed) ? pointed : std::nullopt;
  if (!focus.query || !is_there({*focus.query, 0})) return std::nullopt;
  VectorNumber largest{*focus.query, 0};
  row_of_z(maps, *focus.query).cwiseAbs().maxCoeff<Eigen::PropagateNumbers>(&largest.number);
  return largest;
}

std::vector<SumLine> lines_of_sum(const HeadMaps& maps, VectorNumber at, const TokenNames& keys, std::size_t most) {
  const std::vector<MixedPart> parts = parts_of_z(maps, at.query, at.number);
  const std::size_t shown = parts.size() > most + 1 ? most : parts.size();  // a line that folds a single key would save nothing
  std::vector<SumLine> lines;
  for (std::size_t i = 0; i < shown; ++i) {
    lines.push_back({fmt::format("{} {}", keys[parts[i].key], parts[i].key), product_text(parts[i]),
                     fmt::format("The weight of this key, times number {} of its value v: what it adds to z.", at.number), true});
  }
  double rest = 0;
  for (std::size_t i = shown; i < parts.size(); ++i) rest += static_cast<double>(parts[i].product());
  if (shown < parts.size()) {
    lines.push_back({fmt::format("{} more keys", parts.size() - shown), signed_number(rest), "What all other keys add together."});
  }
  lines.push_back({fmt::format("z {}, the sum", at.number), score_text(row_of_z(maps, at.query)(at.number)),
                   fmt::format("Number {} of z: the sum of the lines above.", at.number)});
  return lines;
}

void draw_number_bubble(const Panel& panel, const HeadMaps& maps, const Snapshot& run, HeadId head, VectorNumber at) {
  constexpr std::size_t kParts = 4;
  constexpr float kLongestName = 120;
  const Look& look = panel.look;
  Pictures& pictures = panel.caches.pictures;
  const TokenNames& queries = pictures.names(run, run.query_tokens(head.layer));
  std::vector<SumLine> lines = lines_of_sum(maps, at, pictures.names(run, run.key_tokens(head.layer)), kParts);
  const std::string query = elided(look, Type::body, queries[at.query], look.px(kLongestName)) + queries.counted(at.query);
  const std::string place = fmt::format(" · z {}", at.number), total = lines.back().number;
  lines.pop_back();
  const float between = look.px(12);
  float labels = 0, numbers = 0;
  for (SumLine& line : lines) {
    line.label = elided(look, Type::body, line.label, look.px(kLongestName));
    labels = std::max(labels, text_width(look, Type::body, line.label));
    numbers = std::max(numbers, text_width(look, Type::number, line.number));
  }
  const float first =
      text_width(look, Type::body, query) + text_width(look, Type::body, place) + between + text_width(look, Type::number, total);
  const float width = std::max(first, lines.empty() ? 0 : labels + between + numbers), height = look.px(kLine);
  const ImVec2 at_pixel = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height * static_cast<float>(1 + lines.size())});
  float y = at_pixel.y + height / 2;
  const float right = at_pixel.x + width;
  draw_text(look, at_pixel.x, y, Type::body, look.colours.query, query);
  draw_text(look, at_pixel.x + text_width(look, Type::body, query), y, Type::body, look.colours.value, place);
  draw_text(look, right, y, Type::number, look.colours.text, total, AlignX::right);
  for (const SumLine& line : lines) {
    y += height;
    draw_text(look, at_pixel.x, y, Type::body, line.is_key ? look.colours.key : look.colours.text_second, line.label);
    draw_text(look, right, y, Type::number, look.colours.text_second, line.number, AlignX::right);
  }
}

}  // namespace headlight

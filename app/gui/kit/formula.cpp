#include "app/gui/kit/formula.h"

#include <cmath>

#include "app/gui/kit/items.h"
#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

constexpr float kFormulaSize = 12, kSmallSize = 9, kRaise = 4;  // points

float size_of(const FormulaPart& part) {
  return part.level == 0 ? kFormulaSize : kSmallSize;
}

float part_width(const Look& look, const FormulaPart& part) {
  const char* begin = part.text.data();
  return look.font(Type::caption)->CalcTextSizeA(size_of(part) * look.scale, FLT_MAX, 0, begin, begin + part.text.size()).x;
}

}  // namespace

std::string_view formula_in_models(std::string_view formula) {
  return formula.substr(0, formula.find(" + S_"));
}

float formula_width(const Look& look, std::string_view formula) {
  float width = 0;
  for (const FormulaPart& part : formula_parts(formula)) width += part_width(look, part);
  return width;
}

void draw_formula(const Look& look, float x, float y, Colour colour, std::string_view formula) {
  for (const FormulaPart& part : formula_parts(formula)) {
    const float size = size_of(part) * look.scale;
    const ImVec2 at{x, std::round(y - look.scale * kRaise * static_cast<float>(part.level) - size / 2)};
    const char* begin = part.text.data();
    ImGui::GetWindowDrawList()->AddText(look.font(Type::caption), size, at, to_imgui(colour), begin, begin + part.text.size());
    const float width = part_width(look, part);
    note_text(part.text, {x, at.y + size * 0.865F}, width, size);
    x += width;
  }
}

void formula_lines(const Look& look, Colour colour, std::string_view formula) {
  constexpr std::string_view kPlus = " + ";
  const float room = ImGui::GetContentRegionAvail().x;
  while (!formula.empty()) {
    std::size_t end = formula.size();
    while (formula_width(look, formula.substr(0, end)) > room) {
      const std::size_t plus = formula.rfind(kPlus, end - 1);
      if (plus == std::string_view::npos || plus == 0) break;
      end = plus;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = look.px(kLine);
    ImGui::Dummy({room, height});
    draw_formula(look, at.x, at.y + height / 2, colour, formula.substr(0, end));
    formula.remove_prefix(end == formula.size() ? end : end + 1);  // the sign begins the next line
  }
}

}  // namespace headlight

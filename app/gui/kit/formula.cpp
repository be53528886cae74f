#include "app/gui/kit/formula.h"

#include <cmath>
#include <vector>

#include "app/gui/kit/items.h"

namespace headlight {
namespace {

/// A part of a formula that is set at one height and size, both in points.
struct FormulaPart {
  std::string_view text;
  float raise, size;
};
constexpr float kFormulaSize = 12;
constexpr float kScriptSize = 9;

float part_width(const Look& look, const FormulaPart& part) {
  const char* begin = part.text.data();
  return look.font(Type::caption)->CalcTextSizeA(part.size * look.scale, FLT_MAX, 0, begin, begin + part.text.size()).x;
}

std::vector<FormulaPart> formula_parts(std::string_view formula) {
  std::vector<FormulaPart> parts;
  while (!formula.empty()) {
    const std::size_t mark = formula.find_first_of("_^");
    if (mark != 0) parts.push_back({formula.substr(0, mark), 0, kFormulaSize});
    if (mark == std::string_view::npos || mark + 1 >= formula.size()) return parts;
    const float raise = formula[mark] == '^' ? 4.0F : -4.0F;
    formula.remove_prefix(mark + 1);
    const std::size_t close = formula.front() == '(' ? formula.find(')') : std::string_view::npos;
    const bool is_group = close != std::string_view::npos;
    parts.push_back({is_group ? formula.substr(1, close - 1) : formula.substr(0, 1), raise, kScriptSize});
    formula.remove_prefix(is_group ? close + 1 : 1);
  }
  return parts;
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
    const float size = part.size * look.scale;
    const ImVec2 at{x, std::round(y - look.scale * part.raise - size / 2)};
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

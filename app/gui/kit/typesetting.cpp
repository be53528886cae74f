// Text of widgets.h: measured and placed by our type scale.
#include <algorithm>
#include <array>

#include "app/gui/kit/items.h"
#include "app/gui/kit/widgets.h"

namespace headlight {
namespace {

const char* begin_of(std::string_view text) {
  return text.data();
}
const char* end_of(std::string_view text) {
  return text.data() + text.size();
}

constexpr float kHalfCapitals = 0.365F;  // ems; capitals are centred (fonts.h)

/// Length in bytes of the longest prefix of `text`, cut between characters, that is at most `width` wide.
std::size_t fitting_bytes(const Look& look, Type type, std::string_view text, float width) {
  const char* rest = nullptr;
  look.font(type)->CalcTextSizeA(look.points(type) * look.scale, width, 0, begin_of(text), end_of(text), &rest);
  return static_cast<std::size_t>(rest - text.data());
}

/// Where a paragraph's next word goes.
struct WordPlace {
  float left, right, x, y, line;
  void next_line() {
    x = left;
    y += line;
  }
};

/// Draws one word without blanks; a word wider than the whole line is broken.
void draw_word(const Look& look, const Span& span, std::string_view word, WordPlace& place) {
  const float width = text_width(look, span.type, word);
  if (place.x > place.left && place.x + width > place.right) place.next_line();
  while (!word.empty() && place.x + text_width(look, span.type, word) > place.right) {
    const std::size_t bytes = fitting_bytes(look, span.type, word, place.right - place.left);
    if (bytes == 0 || bytes >= word.size()) break;
    draw_text(look, place.x, place.y + place.line / 2, span.type, span.colour, word.substr(0, bytes));
    word.remove_prefix(bytes);
    place.next_line();
  }
  draw_text(look, place.x, place.y + place.line / 2, span.type, span.colour, word);
  place.x += text_width(look, span.type, word);
}

}  // namespace

float text_width(const Look& look, Type type, std::string_view text) {
  return look.font(type)->CalcTextSizeA(look.points(type) * look.scale, FLT_MAX, 0, begin_of(text), end_of(text)).x;
}

void draw_text(const Look& look, float x, float y, Type type, Colour colour, std::string_view text, AlignX align) {
  const float size = look.points(type) * look.scale;
  if (align != AlignX::left) x -= text_width(look, type, text) * (align == AlignX::centre ? 0.5F : 1.0F);
  ImGui::GetWindowDrawList()->AddText(look.font(type), size, {std::round(x), std::round(y - size / 2)}, to_imgui(colour), begin_of(text),
                                      end_of(text));
  note_line(look, {x, y}, type, text);
}

void note_line(const Look& look, ImVec2 left_middle, Type type, std::string_view text) {
  const float size = look.points(type) * look.scale;
  note_text(text, {left_middle.x, left_middle.y + kHalfCapitals * size}, text_width(look, type, text), size);
}

std::string elided(const Look& look, Type type, std::string_view text, float width) {
  constexpr std::string_view kDots = "…";
  if (text_width(look, type, text) <= width) return std::string(text);
  const float room = width - text_width(look, type, kDots);
  if (room <= 0) return std::string(kDots);
  return std::string(text.substr(0, fitting_bytes(look, type, text, room))).append(kDots);
}

void text_line(const Look& look, Type type, Colour colour, std::string_view text) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.px(kLine);
  ImGui::Dummy({width, height});
  if (ImGui::IsItemVisible()) draw_text(look, at.x, at.y + height / 2, type, colour, elided(look, type, text, width));
}

void paragraph(const Look& look, std::span<const Span> spans, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  const bool is_caption = !spans.empty() && spans.front().type == Type::caption;
  WordPlace place{at.x, at.x + width, at.x, at.y, look.px(is_caption ? 17 : kLine)};
  for (const Span& span : spans) {
    std::string_view rest = span.text;
    while (!rest.empty()) {
      const std::size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
      if (place.x > place.left) place.x += static_cast<float>(blanks) * text_width(look, span.type, " ");
      rest.remove_prefix(blanks);
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (end > 0) draw_word(look, span, rest.substr(0, end), place);
      rest.remove_prefix(end);
    }
  }
  ImGui::Dummy({width, place.y + place.line - at.y});
}

void paragraph(const Look& look, Type type, Colour colour, std::string_view text, float width) {
  const std::array spans{Span{std::string(text), colour, type}};
  paragraph(look, spans, width);
}

void gap(const Look& look, float points) {
  ImGui::Dummy({0, look.px(points)});
}

}  // namespace headlight

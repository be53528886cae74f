// Text of widgets.h: measured and placed by our type scale.
#include <algorithm>
#include <array>

#include "app/gui/kit/items.h"
#include "app/gui/kit/shaping/scripts.h"
#include "app/gui/kit/widgets.h"
#include "app/gui/kit/written_text.h"

namespace headlight {
namespace {

constexpr float kHalfCapitals = 0.365F;  // ems; capitals are centred (fonts.h)

std::size_t fitting_bytes(const Look& look, Type type, std::string_view text, float width) {
  return fitting_bytes(look.fonts, look.face(type), look.points(type) * look.scale, text, width);
}

/// Where a paragraph's next word goes.
struct WordPlace {
  float left, right, x, y, line;
  bool is_measured = false;  ///< nothing is drawn
  void next_line() {
    x = left;
    y += line;
  }
};

void draw_part(const Look& look, const Span& span, std::string_view part, const WordPlace& place) {
  if (!place.is_measured) draw_text(look, place.x, place.y + place.line / 2, span.type, span.colour, part);
}

/// Draws one word without blanks; a word wider than the whole line is broken.
void draw_word(const Look& look, const Span& span, std::string_view word, WordPlace& place) {
  const float width = text_width(look, span.type, word);
  if (place.x > place.left && place.x + width > place.right) place.next_line();
  while (!word.empty() && place.x + text_width(look, span.type, word) > place.right) {
    const std::size_t bytes = fitting_bytes(look, span.type, word, place.right - place.left);
    if (bytes == 0 || bytes >= word.size()) break;
    draw_part(look, span, word.substr(0, bytes), place);
    word.remove_prefix(bytes);
    place.next_line();
  }
  draw_part(look, span, word, place);
  place.x += text_width(look, span.type, word);
}

/// Takes the blanks at the start of `rest`; returns how many there were.
std::size_t take_blanks(std::string_view& rest) {
  const std::size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
  rest.remove_prefix(blanks);
  return blanks;
}

void draw_words(const Look& look, const Span& span, std::string_view rest, WordPlace& place) {
  while (!rest.empty()) {
    const std::size_t blanks = take_blanks(rest);
    if (place.x > place.left) place.x += static_cast<float>(blanks) * text_width(look, span.type, " ");
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) draw_word(look, span, rest.substr(0, end), place);
    rest.remove_prefix(end);
  }
}

/// The same for text of which words may change places: it is ordered a line at a time.
void draw_ordered_words(const Look& look, const Span& span, std::string_view rest, WordPlace& place) {
  const std::size_t blanks = take_blanks(rest);
  if (place.x > place.left) place.x += static_cast<float>(blanks) * text_width(look, span.type, " ");
  std::string_view line = rest.substr(0, 0);
  while (!rest.empty()) {
    std::string_view after = rest.substr(line.size());
    take_blanks(after);
    const auto next = static_cast<std::size_t>(after.data() - rest.data());
    const std::string_view longer = rest.substr(0, std::min(rest.find(' ', next), rest.size()));
    if (place.x + text_width(look, span.type, longer) <= place.right) {
      line = longer;
      if (line.size() < rest.size()) continue;
    } else if (line.empty() && place.x <= place.left) {  // a word wider than the whole line is broken
      const std::size_t bytes = fitting_bytes(look, span.type, longer, place.right - place.left);
      line = bytes > 0 ? longer.substr(0, bytes) : longer;
    }
    if (!line.empty()) draw_part(look, span, line, place);
    const bool is_last = line.size() == rest.size();
    is_last ? void(place.x += text_width(look, span.type, line)) : place.next_line();
    rest.remove_prefix(line.size());
    if (!is_last) take_blanks(rest);
    line = rest.substr(0, 0);
  }
}

float widest_line(const Look& look, std::string_view text) {
  float width = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    width = std::max(width, text_width(look, Type::body, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return width;
}

/// Sets spans from `at` on. Returns their height.
float set_paragraph(const Look& look, std::span<const Span> spans, ImVec2 at, float width, bool is_measured) {
  const bool is_caption = !spans.empty() && spans.front().type == Type::caption;
  WordPlace place{at.x, at.x + width, at.x, at.y, look.px(is_caption ? 17 : kLine), is_measured};
  for (const Span& span : spans) {
    std::string_view rest = span.text;
    while (true) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = rest.substr(0, end);
      needs_shaping(line) ? draw_ordered_words(look, span, line, place) : draw_words(look, span, line, place);
      if (end == rest.size()) break;
      place.next_line();
      rest.remove_prefix(end + 1);
    }
  }
  return place.y + place.line - at.y;
}

}  // namespace

float text_width(const Look& look, Type type, std::string_view text) {
  return written_width(look.fonts, look.face(type), look.points(type) * look.scale, text);
}

void draw_text(const Look& look, float x, float y, Type type, Colour colour, std::string_view text, AlignX align) {
  const float size = look.points(type) * look.scale;
  if (align != AlignX::left) x -= text_width(look, type, text) * (align == AlignX::centre ? 0.5F : 1.0F);
  add_text(*ImGui::GetWindowDrawList(), look.fonts, look.face(type), size, {std::round(x), std::round(y - size / 2)}, to_imgui(colour),
           text);
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

std::string elided_middle(const Look& look, Type type, std::string_view text, float width) {
  constexpr std::string_view kDots = "…";
  if (text_width(look, type, text) <= width) return std::string(text);
  const float room = width - text_width(look, type, kDots);
  if (room <= 0) return std::string(kDots);
  const std::string_view begin = text.substr(0, fitting_bytes(look, type, text, room / 2));
  std::string_view end = text.substr(begin.size());
  const float left = room - text_width(look, type, begin);
  const auto is_inside_character = [&] { return (static_cast<unsigned char>(end.front()) & 0xC0U) == 0x80U; };
  while (!end.empty() && (is_inside_character() || text_width(look, type, end) > left)) end.remove_prefix(1);
  return std::string(begin).append(kDots).append(end);
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
  ImGui::Dummy({width, set_paragraph(look, spans, at, width, false)});
}

float paragraph_height(const Look& look, Type type, std::string_view text, float width) {
  const std::array spans{Span{std::string(text), look.colours.text, type}};
  return paragraph_height(look, spans, width);
}

float paragraph_height(const Look& look, std::span<const Span> spans, float width) {
  return set_paragraph(look, spans, {0, 0}, width, true);
}

void paragraph(const Look& look, Type type, Colour colour, std::string_view text, float width) {
  const std::array spans{Span{std::string(text), colour, type}};
  paragraph(look, spans, width);
}

void hint(const Look& look, const char* text) {
  if (text == nullptr || !look.shows_hints || !ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(12), look.px(kUnit)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look.px(kCorner));
  if (ImGui::BeginTooltip()) {
    paragraph(look, Type::body, look.colours.text, text, std::min(look.px(300), widest_line(look, text) + 1));
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar(2);
}

void gap(const Look& look, float points) {
  ImGui::Dummy({0, look.px(points)});
}

}  // namespace headlight

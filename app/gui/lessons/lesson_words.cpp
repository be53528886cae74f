#include "app/gui/lessons/lesson_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/kit/formula.h"
#include "app/gui/kit/items.h"

namespace headlight {
namespace {

/// What is never broken: a word, a formula or a number.
struct Piece {
  const FilledPart* part = nullptr;
  std::string_view text = {};
  bool is_after_blank = false;
};

bool is_formula(const Piece& piece) {
  return piece.part->kind == WordsKind::formula;
}

/// The pieces of a text, broken at its blanks.
void add_pieces(const FilledPart& part, std::string_view text, bool& is_after_blank, std::vector<Piece>& pieces) {
  while (!text.empty()) {
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    is_after_blank = is_after_blank || blanks > 0;
    text.remove_prefix(blanks);
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end == 0) return;
    pieces.push_back({&part, text.substr(0, end), is_after_blank});
    is_after_blank = false;
    text.remove_prefix(end);
  }
}

std::vector<Piece> pieces_of(const Look& look, const FilledParagraph& paragraph, float room) {
  std::vector<Piece> pieces;
  bool is_after_blank = false;
  for (const FilledPart& part : paragraph) {
    const bool is_whole = part.kind == WordsKind::number || (part.kind == WordsKind::formula && formula_width(look, part.text) <= room);
    if (!is_whole) {
      add_pieces(part, part.text, is_after_blank, pieces);
      continue;
    }
    pieces.push_back({&part, part.text, is_after_blank});
    is_after_blank = false;
  }
  return pieces;
}

Type type_of(const Piece& piece, Type plain) {
  const bool is_strong = piece.part->kind == WordsKind::strong || piece.part->is_strong;
  return is_strong && plain == Type::body ? Type::strong : plain;
}

float width_of(const Look& look, const Piece& piece, Type plain) {
  return is_formula(piece) ? formula_width(look, piece.text) : text_width(look, type_of(piece, plain), piece.text);
}

/// What a number's tooltip says: all its digits, or why it has none.
std::string told_of(const FilledPart& part) {
  if (!part.reason.empty()) return part.reason;
  return part.exact == part.text ? std::string() : part.exact;
}

void draw_piece(const Look& look, const Piece& piece, ImVec2 at, float width, float line, Type plain, Colour colour) {
  const float middle = at.y + line / 2;
  if (is_formula(piece)) return draw_formula(look, at.x, middle, colour, piece.text);
  const bool is_number = piece.part->kind == WordsKind::number;
  draw_text(look, at.x, middle, type_of(piece, plain), is_number ? look.colours.accent : colour, piece.text);
  const std::string told = is_number ? told_of(*piece.part) : std::string();
  if (told.empty()) return;
  const ImVec2 before = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, line});
  hint(look, told.c_str());
  ImGui::SetCursorScreenPos(before);
  name_area(fmt::format("Number {}", piece.text), {at.x, at.y, width, line});
}

}  // namespace

void draw_filled(const Look& look, const FilledParagraph& paragraph, Type type, Colour colour) {
  const float room = ImGui::GetContentRegionAvail().x;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float line = look.px(type == Type::title ? 28 : 22), blank = text_width(look, type, " ");
  const std::vector<Piece> pieces = pieces_of(look, paragraph, room);
  ImVec2 at = start;
  for (std::size_t first = 0; first < pieces.size();) {  // what has no blank between it stays together
    std::size_t last = first + 1;
    float width = width_of(look, pieces[first], type);
    while (last < pieces.size() && !pieces[last].is_after_blank) width += width_of(look, pieces[last++], type);
    if (at.x > start.x && pieces[first].is_after_blank) at.x += blank;
    if (at.x > start.x && at.x + width > start.x + room) at = {start.x, at.y + line};
    for (; first < last; ++first) {
      const float wide = width_of(look, pieces[first], type);
      draw_piece(look, pieces[first], at, wide, line, type, colour);
      at.x += wide;
    }
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({room, at.y + line - start.y});
}

void draw_paragraphs(const Look& look, const std::vector<FilledParagraph>& paragraphs) {
  for (const FilledParagraph& paragraph : paragraphs) {
    if (&paragraph != &paragraphs.front()) gap(look, kUnit);
    draw_filled(look, paragraph, Type::body, look.colours.text);
  }
}

FilledParagraph without_numbers(const Paragraph& paragraph) {
  FilledParagraph filled;
  for (const WordsPart& part : paragraph.parts) {
    const bool is_number = part.kind == WordsKind::number;
    filled.push_back({.kind = part.kind, .is_strong = part.is_strong, .text = is_number ? "…" : part.text});
  }
  return filled;
}

}  // namespace headlight

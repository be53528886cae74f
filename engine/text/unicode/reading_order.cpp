#include "engine/text/unicode/reading_order.h"

#include <fribidi/fribidi.h>

#include <algorithm>
#include <numeric>

#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

constexpr char32_t kFirstToTheLeft = 0x590;  // Hebrew: no character before it runs to the left, or turns others

}  // namespace

ReadingLevels reading_levels(std::span<const std::string_view> pieces) {
  ReadingLevels found{std::vector<std::int8_t>(pieces.size(), 0), false};
  std::vector<FriBidiChar> text;
  std::vector<std::size_t> begins;
  bool may_turn = false;
  for (const std::string_view piece : pieces) {
    begins.push_back(text.size());
    for (std::size_t at = 0; at < piece.size();) {
      const CodePoint character = code_point_at(piece, at);
      at += character.bytes;
      text.push_back(character.value);
      may_turn = may_turn || (character.value >= kFirstToTheLeft && piece != kNeutralPiece);
    }
  }
  if (!may_turn) return found;
  const auto length = static_cast<FriBidiStrIndex>(text.size());
  std::vector<FriBidiCharType> types(text.size());
  std::vector<FriBidiBracketType> brackets(text.size());
  std::vector<FriBidiLevel> levels(text.size());
  fribidi_get_bidi_types(text.data(), length, types.data());
  fribidi_get_bracket_types(text.data(), length, types.data(), brackets.data());
  FriBidiParType base = FRIBIDI_PAR_ON;  // that of the first letter
  if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), length, &base, levels.data()) == 0) return found;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) found.of_pieces[piece] = levels[begins[piece]];
  found.runs_left = FRIBIDI_IS_RTL(base);
  return found;
}

std::vector<std::size_t> order_on_line(std::span<const std::int8_t> levels) {
  std::vector<std::size_t> order(levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (levels.empty()) return order;
  for (std::int8_t level = *std::max_element(levels.begin(), levels.end()); level > 0; --level) {
    const auto is_deep = [&](std::size_t piece) { return levels[piece] >= level; };
    for (auto begin = order.begin(); begin != order.end();) {
      begin = std::find_if(begin, order.end(), is_deep);
      const auto end = std::find_if_not(begin, order.end(), is_deep);
      std::reverse(begin, end);
      begin = end;
    }
  }
  return order;
}

}  // namespace headlight

#include "app/gui/kit/shaping/scripts.h"

#include <algorithm>
#include <array>

#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

struct Span {
  char32_t first, last;
};

/// What Dear ImGui draws right: letters and signs that stand alone, in order. (Emoji that have colours by themselves are left out, such as
/// U+231A; so are marks, joiners and what turns the direction.)
constexpr std::array kPlain{
    Span{0x0000, 0x02FF},   Span{0x0370, 0x0482},   Span{0x048A, 0x052F},   Span{0x0531, 0x058F}, Span{0x10A0, 0x10FF},
    Span{0x1D00, 0x1DBF},   Span{0x1E00, 0x1FFF},   Span{0x2000, 0x200A},   Span{0x2010, 0x2029}, Span{0x202F, 0x205F},
    Span{0x2070, 0x20CF},   Span{0x2100, 0x2319},   Span{0x231C, 0x23E8},   Span{0x23ED, 0x23EF}, Span{0x23F1, 0x23F2},
    Span{0x23F4, 0x25FC},   Span{0x25FF, 0x2613},   Span{0x2616, 0x2647},   Span{0x2654, 0x267E}, Span{0x2680, 0x2692},
    Span{0x2694, 0x26A0},   Span{0x26A2, 0x26A9},   Span{0x26AC, 0x26BC},   Span{0x26BF, 0x26C3}, Span{0x26C6, 0x26CD},
    Span{0x26CF, 0x26D3},   Span{0x26D5, 0x26E9},   Span{0x26EB, 0x26F1},   Span{0x26F4, 0x26F4}, Span{0x26F6, 0x26F9},
    Span{0x26FB, 0x26FC},   Span{0x26FE, 0x2704},   Span{0x2706, 0x2709},   Span{0x270C, 0x2727}, Span{0x2729, 0x274B},
    Span{0x274D, 0x274D},   Span{0x274F, 0x2752},   Span{0x2756, 0x2756},   Span{0x2758, 0x2794}, Span{0x2798, 0x27AF},
    Span{0x27B1, 0x27BE},   Span{0x27C0, 0x2B1A},   Span{0x2B1D, 0x2B4F},   Span{0x2B51, 0x2B54}, Span{0x2B56, 0x2BFF},
    Span{0x2C00, 0x2CEE},   Span{0x2CF2, 0x2D2F},   Span{0x2E00, 0x3029},   Span{0x3030, 0x3098}, Span{0x309B, 0xA4CF},
    Span{0xA640, 0xA66E},   Span{0xA680, 0xA69D},   Span{0xA700, 0xA7FF},   Span{0xAB30, 0xAB6F}, Span{0xAC00, 0xD7A3},
    Span{0xE000, 0xFB17},   Span{0xFE10, 0xFE1F},   Span{0xFE30, 0xFE6F},   Span{0xFF00, 0xFFFD}, Span{0x10000, 0x107FF},
    Span{0x1D400, 0x1D7FF}, Span{0x20000, 0x3FFFF}, Span{0xF0000, 0x10FFFF}};

bool is_plain(char32_t value) {
  const auto after =
      std::upper_bound(kPlain.begin(), kPlain.end(), value, [](char32_t each, const Span& span) { return each < span.first; });
  return after != kPlain.begin() && value <= (after - 1)->last;
}

}  // namespace

bool needs_shaping(std::string_view text) {
  constexpr unsigned char kFirstByte = 0xCC;  // of U+0300, the first that is not plain
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < kFirstByte) {
      ++at;
      continue;
    }
    const CodePoint point = code_point_at(text, at);
    if (!is_plain(point.value)) return true;
    at += point.bytes;
  }
  return false;
}

}  // namespace headlight

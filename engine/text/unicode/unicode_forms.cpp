#include "engine/text/unicode/unicode_forms.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <utility>

#include "engine/text/unicode/character_sets.h"

namespace headlight {
namespace {

struct Unit {
  char32_t value = 0;
  std::uint32_t consumed = 0;
  int combining_class = 0;
};

int combining_class_of(char32_t value) {
  if (!is_reordered_mark(value)) return 0;
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(value))->combining_class;
}

/// Characters that came into Unicode, with a decomposition, after the tables of the reference were made (Unicode 11): "㋿" (U+32FF), for
/// one, stays as it is.
bool is_too_young_to_decompose(char32_t value) {
  constexpr std::pair<char32_t, char32_t> kRanges[] = {{0x32FF, 0x32FF},   {0xA7F2, 0xA7F4},   {0xAB69, 0xAB69},   {0x10781, 0x107BA},
                                                       {0x11938, 0x11938}, {0x1E030, 0x1E06D}, {0x1F16C, 0x1F16C}, {0x1FBF0, 0x1FBF9}};
  return value >= kRanges[0].first && std::any_of(std::begin(kRanges), std::end(kRanges),
                                                  [&](const auto& range) { return value >= range.first && value <= range.second; });
}

/// The full decomposition; the first unit of each code point consumes it. Runs of marks are put into canonical order.
std::vector<Unit> decompose(const AlignedText& text, bool is_compatible) {
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | (is_compatible ? UTF8PROC_COMPAT : 0));
  constexpr std::size_t kLongestDecomposition = 18;  // U+FDFA; fixed by Unicode's stability policy
  std::array<utf8proc_int32_t, 2 * kLongestDecomposition> parts = {};
  std::vector<Unit> units;
  units.reserve(text.text.size());
  for (std::size_t at = 0; at < text.text.size();) {
    const CodePoint code_point = code_point_at(text.text, at);
    at += code_point.bytes;
    if (is_too_young_to_decompose(code_point.value)) {
      units.push_back({code_point.value, 1, combining_class_of(code_point.value)});
      continue;
    }
    int last_class = 0;
    const utf8proc_ssize_t count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code_point.value), parts.data(),
                                                           static_cast<utf8proc_ssize_t>(parts.size()), options, &last_class);
    assert(count > 0 && count <= static_cast<utf8proc_ssize_t>(parts.size()));
    for (utf8proc_ssize_t part = 0; part < count; ++part) {
      const auto value = static_cast<char32_t>(parts[static_cast<std::size_t>(part)]);
      units.push_back({value, part == 0 ? 1U : 0U, combining_class_of(value)});
    }
  }
  for (auto begin = units.begin(); begin != units.end();) {
    const auto is_starter = [](const Unit& unit) { return unit.combining_class == 0; };
    begin = std::find_if_not(begin, units.end(), is_starter);
    const auto end = std::find_if(begin, units.end(), is_starter);
    std::stable_sort(begin, end, [](const Unit& a, const Unit& b) { return a.combining_class < b.combining_class; });
    begin = end;
  }
  return units;
}

/// The primary composite of two code points that the reference knows, or 0.
char32_t composite_of(char32_t first, char32_t second) {
  std::array<utf8proc_int32_t, 2> pair = {static_cast<utf8proc_int32_t>(first), static_cast<utf8proc_int32_t>(second)};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  const bool is_one = utf8proc_normalize_utf32(pair.data(), 2, options) == 1;
  const auto composite = static_cast<char32_t>(pair[0]);
  return is_one && !is_too_young_to_decompose(composite) ? composite : 0;
}

/// Canonical composition (Unicode, section 3.11): each unit joins the last starter unless one of its class or higher comes between.
std::vector<Unit> compose(const std::vector<Unit>& units) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<Unit> result;
  result.reserve(units.size());
  std::size_t starter = kNone;
  for (const Unit& unit : units) {
    const bool is_adjacent = starter != kNone && starter + 1 == result.size();
    const bool is_blocked = !is_adjacent && (starter == kNone || result.back().combining_class >= unit.combining_class);
    // ASCII never composes as the second part.
    const char32_t composite = is_blocked || unit.value < 0x80 ? 0 : composite_of(result[starter].value, unit.value);
    if (composite != 0) {
      result[starter].value = composite;
      result[starter].consumed += unit.consumed;
      continue;
    }
    if (unit.combining_class == 0) starter = result.size();
    result.push_back(unit);
  }
  return result;
}

}  // namespace

AlignedText to_unicode_form(const AlignedText& text, UnicodeForm form) {
  std::vector<Unit> units = decompose(text, form == UnicodeForm::nfkc || form == UnicodeForm::nfkd);
  if (form == UnicodeForm::nfc || form == UnicodeForm::nfkc) units = compose(units);
  std::vector<RewrittenCodePoint> code_points;
  code_points.reserve(units.size());
  for (const Unit& unit : units) code_points.push_back({unit.value, unit.consumed});
  return text.rewritten(code_points);
}

}  // namespace headlight

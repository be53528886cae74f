// Enumerations at compile time: how many enumerators one has, so that a table with a row for each does not compile when a row is missing.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace headlight {

/// Whether `value` has a name in its enumeration. gcc and clang write "headlight::Theme::dark" for an enumerator, and "(headlight::Theme)7"
/// for a number that has no name.
template <auto value>
constexpr bool is_enumerator() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t equals = text.find("value = ");
  return text[equals + std::string_view("value = ").size()] != '(';
}

/// How many enumerators an enumeration has that counts from 0 without gaps.
template <typename Enum, std::size_t count = 0>
constexpr std::size_t enumerator_count() {
  if constexpr (is_enumerator<static_cast<Enum>(count)>()) {
    return enumerator_count<Enum, count + 1>();
  } else {
    return count;
  }
}

/// Whether `rows` has one row for each enumerator, in their order. `value_of` gives a row's enumerator.
template <typename Enum, typename Rows, typename ValueOf>
constexpr bool has_row_for_each(const Rows& rows, ValueOf value_of) {
  if (rows.size() != enumerator_count<Enum>()) return false;
  std::size_t place = 0;
  for (const auto& row : rows) {
    if (value_of(row) != static_cast<Enum>(place++)) return false;
  }
  return true;
}

}  // namespace headlight

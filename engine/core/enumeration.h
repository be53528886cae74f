// Names and tables of enumerations whose values count 0, 1, 2, …: a value without its name or row does not compile.
//
//     enum class Fruit : std::uint8_t { apple, pear };
//     constexpr Names<Fruit> kFruits{"apple", "pear"};      // a name too few or too many: no constructor takes them
//     kFruits[Fruit::pear]                                  // "pear"
//     static_assert(has_row_of_each(kRows, &Row::fruit));   // a row for each value, in their order: the value is the row's index
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace headlight {

/// Whether an enumeration has this value. The compiler's own name of the function says it: it ends in "value = E::pear]", or in "(E)7]"
/// where there is none.
template <auto value>
consteval bool is_enumerator() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t end = text.rfind(']');
  std::size_t begin = end;
  const auto is_of_name = [](char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return begin < end && !(text[begin] >= '0' && text[begin] <= '9');
}

/// How many values an enumeration has: 64 at most.
template <typename Enum, std::size_t from = 0>
consteval std::size_t count_of() {
  static_assert(from <= 64, "an enumeration of more than 64 values, or a compiler that names its functions in another way");
  if constexpr (is_enumerator<static_cast<Enum>(from)>()) {
    return count_of<Enum, from + 1>();
  } else {
    return from;
  }
}

/// A name for each value, in their order.
template <typename Enum>
class Names {
 public:
  template <typename... Text>
  requires(sizeof...(Text) == count_of<Enum>()) consteval Names(Text... names)
      : names_{std::string_view(names)...} {}  // NOLINT(google-explicit-constructor)
  constexpr std::string_view operator[](Enum value) const { return names_.at(static_cast<std::size_t>(value)); }
  /// nullopt: no value has this name.
  constexpr std::optional<Enum> find(std::string_view name) const {
    for (std::size_t number = 0; number < names_.size(); ++number) {
      if (names_[number] == name) return static_cast<Enum>(number);
    }
    return std::nullopt;
  }

 private:
  std::array<std::string_view, count_of<Enum>()> names_;
};

/// Every value in the order in which they count.
template <typename Enum>
inline constexpr auto kEveryValue = []<std::size_t... number>(std::index_sequence<number...>) {
  return std::array<Enum, sizeof...(number)>{static_cast<Enum>(number)...};
}
(std::make_index_sequence<count_of<Enum>()>());

/// Whether a table has exactly one row for each value, in their order, so that the value is the row's index.
template <typename Rows, typename Row, typename Enum>
consteval bool has_row_of_each(const Rows& rows, Enum Row::*value) {
  if (rows.size() != count_of<Enum>()) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (static_cast<std::size_t>(rows[i].*value) != i) return false;
  }
  return true;
}

}  // namespace headlight

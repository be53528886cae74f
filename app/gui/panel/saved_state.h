// Reading what a view saved. A field that is missing or makes no sense keeps the value it has: a broken state never stops a start.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/core/enumeration.h"
#include "engine/formats/json.h"

namespace headlight {

/// The names of an enumeration's values in saved states, one for each, in their order: name_table<Brush>("off", "cell", …). A missing one
/// does not compile.
template <typename Enum, typename... Names>
constexpr auto name_table(Names... names) {
  static_assert(sizeof...(Names) == count_of<Enum>(), "one name for each enumerator, in their order");
  return std::array<std::string_view, sizeof...(Names)>{names...};
}

template <typename Enum, std::size_t count>
std::string_view saved_name(const std::array<std::string_view, count>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

/// Returns whether it was there.
template <typename Enum, std::size_t count>
bool read_saved(const Json& json, const char* key, const std::array<std::string_view, count>& names, Enum& value) {
  if (!json.contains(key) || !json[key].is_string()) return false;
  const auto found = std::find(names.begin(), names.end(), std::string_view(json[key].get_ref<const std::string&>()));
  if (found == names.end()) return false;
  value = static_cast<Enum>(found - names.begin());
  return true;
}

inline void read_saved(const Json& json, const char* key, bool& value) {
  if (json.contains(key) && json[key].is_boolean()) value = json[key].get<bool>();
}

/// A whole number from `low` to `high`.
inline void read_saved(const Json& json, const char* key, int& value, int low, int high) {
  if (!json.contains(key) || !json[key].is_number_integer()) return;
  const auto number = json[key].get<std::int64_t>();
  if (number >= low && number <= high) value = static_cast<int>(number);
}

/// A number from `low` to `high`.
inline void read_saved(const Json& json, const char* key, float& value, double low, double high) {
  if (!json.contains(key) || !json[key].is_number()) return;
  const auto number = json[key].get<double>();
  if (number >= low && number <= high) value = static_cast<float>(number);
}

}  // namespace headlight

// Parts shared by several groups of options.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// An option that may be given several times, with one value each time.
inline CLI::Option* add_repeated(CLI::App& command, const std::string& name, std::vector<std::string>& values, const std::string& help) {
  return command.add_option(name, values, help)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace headlight

#include "app/document/amounts.h"

#include <fmt/core.h>

#include <algorithm>

namespace headlight {

std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t place = 0; place < digits.size(); ++place) {
    if (place > 0 && (digits.size() - place) % 3 == 0) text += ',';
    text += digits[place];
  }
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  const auto amount = static_cast<double>(bytes);
  if (amount < 1e6) return fmt::format("{:.0f} kB", std::max(1.0, amount / 1e3));
  return amount < 1e9 ? fmt::format("{:.0f} MB", amount / 1e6) : fmt::format("{:.1f} GB", amount / 1e9);
}

}  // namespace headlight

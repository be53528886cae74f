#include "app/document/amounts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

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

std::string time_left_text(double seconds) {
  if (seconds < 90) return fmt::format("about {:.0f} s left", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("about {:.0f} min left", std::round(seconds / 60));
  return fmt::format("about {:.0f} h left", std::round(seconds / 3600));
}

}  // namespace headlight

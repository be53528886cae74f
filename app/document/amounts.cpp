#include "app/document/amounts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace headlight {

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string standard_error_text(double error) {
  constexpr double kLeastFixed = 0.001;
  if (!(error >= kLeastFixed)) return weight_text(error);
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  return number_text(error, digits);
}

std::string bytes_text(std::uint64_t bytes) {
  const auto amount = static_cast<double>(bytes);
  if (amount < 1e6) return fmt::format("{:.0f} kB", std::max(1.0, amount / 1e3));
  return amount < 1e9 ? fmt::format("{:.0f} MB", amount / 1e6) : fmt::format("{:.1f} GB", amount / 1e9);
}

std::string time_text(double milliseconds) {
  if (milliseconds >= 1000) return fmt::format("{:.1f} s", milliseconds / 1000);
  return fmt::format("{:.{}f} ms", milliseconds, milliseconds < 1 ? 2 : milliseconds < 10 ? 1 : 0);
}

std::string long_time_text(double seconds) {
  if (seconds < 90) return fmt::format("about {:.0f} s", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("about {:.0f} min", std::round(seconds / 60));
  return fmt::format("about {:.0f} h", std::round(seconds / 3600));
}

std::string time_left_text(double seconds) {
  return long_time_text(seconds) + " left";
}

}  // namespace headlight

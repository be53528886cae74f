#include "engine/core/numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// "3.1e-6", not "3.1e-06".
std::string short_scientific(double size) {
  std::string text = fmt::format("{:.1e}", size);
  const std::size_t zero = text.find('e') + 2;
  if (text[zero] == '0') text.erase(zero, 1);
  return text;
}

/// The number before the sign of percent, of a share above 0.
std::string percents(double share) {
  constexpr double kRounding = 3e-7;
  if (std::abs(share - 1) <= kRounding) return "100";
  const std::string whole = fmt::format("{:.0f}", share * 100);
  if (whole != "0" && whole != "100") return whole;
  const std::string tenths = fmt::format("{:.1f}", share * 100);
  if (tenths == "0.0") return "<\u00A00.1";
  if (tenths == "100.0") return share < 1 ? ">\u00A099.9" : ">\u00A0100";
  return tenths;
}

}  // namespace

std::string grouped(std::int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t place = 0; place < digits.size(); ++place) {
    if (place > 0 && (digits.size() - place) % 3 == 0) text += ',';
    text += digits[place];
  }
  return text;
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "–";
  std::string text = fmt::format("{:.{}f}", std::abs(value), digits);
  const bool is_zero = text.find_first_of("123456789i") == std::string::npos;  // i: inf
  if (value < 0 && !is_zero) text.insert(0, "−");
  return text;
}

std::string signed_number_text(double value, int digits) {
  const std::string text = number_text(value, digits);
  const bool is_zero = text.find_first_of("123456789i") == std::string::npos;
  return value > 0 && !is_zero ? "+" + text : text;
}

std::string weight_text(double value, int digits) {
  const double size = std::abs(value);
  const bool is_tiny = size > 0 && size < std::pow(10, -digits);
  if (!is_tiny) return number_text(value, digits);
  return (value < 0 ? "−" : "") + short_scientific(size);
}

std::string percent_text(double share) {
  if (std::isnan(share)) return "–";
  if (share == 0) return "0\u00A0%";
  return (share < 0 ? "−" : "") + percents(std::abs(share)) + "\u00A0%";
}

std::vector<std::size_t> places_by_size(const std::vector<double>& values) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < values.size(); ++place) {
    if (std::isfinite(values[place])) places.push_back(place);
  }
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return std::abs(values[a]) > std::abs(values[b]); });
  return places;
}

}  // namespace headlight

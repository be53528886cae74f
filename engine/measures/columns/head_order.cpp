#include "engine/measures/columns/head_order.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

/// Without blanks, and with the signs that keyboards have.
std::string plain(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSigns{
      {{"≥", ">="}, {"≤", "<="}, {"−", "-"}, {"…", "~"}, {"–", "~"}, {"to", "~"}}};
  std::string typed;
  const auto is_digit = [](char character) { return character >= '0' && character <= '9'; };
  bool was_blank = false;
  for (const char character : text) {
    const bool is_blank = character == ' ' || character == '\t';
    // Between two digits a blank stays: "1 2" is not 12.
    if (was_blank && is_digit(character) && !typed.empty() && is_digit(typed.back())) typed += ' ';
    if (!is_blank) typed += character;
    was_blank = is_blank;
  }
  for (const auto& [sign, instead] : kSigns) {
    for (std::size_t at = typed.find(sign); at != std::string::npos; at = typed.find(sign, at)) typed.replace(at, sign.size(), instead);
  }
  return typed;
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = problem == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

/// "0.2~0.5", "0.2-0.5": a minus at the beginning, or after an e, belongs to its number.
std::optional<std::pair<double, double>> two_numbers(std::string_view text) {
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] != '~' && text[at] != '-') continue;
    const auto low = number_of(text.substr(0, at)), high = number_of(text.substr(at + 1));
    if (low && high && *low <= *high) return std::pair(*low, *high);
  }
  return std::nullopt;
}

}  // namespace

std::vector<HeadId> sorted_heads(std::vector<HeadId> heads, const HeadColumns& columns, std::span<const ColumnSort> sorts) {
  std::vector<std::pair<const HeadColumn*, bool>> keys;
  for (const ColumnSort& sort : sorts) {
    if (const HeadColumn* column = find_column(columns, sort.column)) keys.emplace_back(column, sort.is_rising);
  }
  const auto comes_before = [&](HeadId a, HeadId b) {
    for (const auto& [column, is_rising] : keys) {
      const double of_a = column->rank_value(a), of_b = column->rank_value(b);
      if (std::isnan(of_a) != std::isnan(of_b)) return std::isnan(of_b);
      if (std::isnan(of_a) || of_a == of_b) continue;
      return is_rising ? of_a < of_b : of_a > of_b;
    }
    return false;
  };
  std::stable_sort(heads.begin(), heads.end(), comes_before);
  return heads;
}

std::string describe_sort(const HeadColumn& column, bool is_rising) {
  return fmt::format("{}{}, {} first", column.title, column.is_change ? " by size" : "", is_rising ? "smallest" : "largest");
}

std::optional<ColumnRange> parse_range(std::string_view text, std::string column) {
  const std::string typed = plain(text);
  ColumnRange range{.column = std::move(column)};
  if (const auto both = two_numbers(typed)) {
    range.low = both->first;
    range.high = both->second;
    return range;
  }
  const std::size_t digits = typed.find_first_not_of("<>=");
  const std::string_view sign = std::string_view(typed).substr(0, std::min(digits, typed.size()));
  const auto number = digits == std::string::npos ? std::nullopt : number_of(std::string_view(typed).substr(digits));
  if (!number) return std::nullopt;
  if (sign == ">" || sign == ">=") {
    range.low = *number;
    range.has_low = sign == ">=";
  } else if (sign == "<" || sign == "<=") {
    range.high = *number;
    range.has_high = sign == "<=";
  } else if (sign == "=" || sign == "==") {
    range.low = range.high = *number;
  } else {
    return std::nullopt;
  }
  return range;
}

std::string range_text(const ColumnRange& range) {
  if (std::isinf(range.low) && std::isinf(range.high)) return {};
  if (std::isinf(range.high)) return fmt::format("{} {:.6g}", range.has_low ? "≥" : ">", range.low);
  if (std::isinf(range.low)) return fmt::format("{} {:.6g}", range.has_high ? "≤" : "<", range.high);
  if (range.low == range.high) return fmt::format("= {:.6g}", range.low);
  return fmt::format("{:.6g} … {:.6g}", range.low, range.high);
}

std::vector<HeadId> filtered_heads(std::vector<HeadId> heads, const HeadColumns& columns, std::span<const ColumnRange> ranges) {
  for (const ColumnRange& range : ranges) {
    const HeadColumn* column = find_column(columns, range.column);
    if (column != nullptr) std::erase_if(heads, [&](HeadId head) { return !range.contains(column->values.of(head)); });
  }
  return heads;
}

const ColumnRange* range_of(std::span<const ColumnRange> ranges, std::string_view column) {
  const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const ColumnRange& range) { return range.column == column; });
  return found == ranges.end() ? nullptr : &*found;
}

}  // namespace headlight

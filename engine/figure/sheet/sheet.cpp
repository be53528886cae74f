#include "engine/figure/sheet/sheet.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <tuple>

namespace headlight {
namespace {

template <typename Value>
bool is_same(const std::shared_ptr<const Value>& a, const std::shared_ptr<const Value>& b) {
  return a == b || (a && b && *a == *b);
}

/// Numbers are equal where their bits are: so is NaN.
template <typename Word, typename Numbers>
bool are_same_bits(const Numbers& a, const Numbers& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](auto x, auto y) { return std::bit_cast<Word>(x) == std::bit_cast<Word>(y); });
}

std::vector<std::string> names_of(const AxisLabels& labels) {
  return labels ? *labels : std::vector<std::string>{};
}

NamedNumbers numbers_of_map(const SheetMap& map) {
  const MapPicture& picture = *map.picture;
  NamedNumbers numbers{map.name, names_of(map.queries), map.blocks > 0 ? map.places : names_of(map.keys), {}};
  numbers.values.resize(picture.rows(), picture.columns());
  for (Index row = 0; row < picture.rows(); ++row) {
    for (Index column = 0; column < picture.columns(); ++column) {
      const auto y = static_cast<float>(row), x = static_cast<float>(column);
      const bool is_allowed = !picture.mask() || picture.mask()->allows(row, column);
      numbers.values(row, column) = is_allowed ? picture.value(y, y + 1, x, x + 1) : map.masked;
    }
  }
  return numbers;
}

}  // namespace

Index rows_of(const NamedNumbers& numbers) {
  return numbers.exact.empty() ? numbers.values.rows() : std::ssize(numbers.exact) / std::max<Index>(1, columns_of(numbers));
}

Index columns_of(const NamedNumbers& numbers) {
  return numbers.columns.empty() ? numbers.values.cols() : std::ssize(numbers.columns);
}

bool NamedNumbers::operator==(const NamedNumbers& other) const {
  const auto all_of = [](const Matrix& matrix) { return std::span(matrix.data(), static_cast<std::size_t>(matrix.size())); };
  return name == other.name && rows == other.rows && columns == other.columns && values.rows() == other.values.rows() &&
         values.cols() == other.values.cols() && are_same_bits<std::uint32_t>(all_of(values), all_of(other.values)) &&
         are_same_bits<std::uint64_t>(exact, other.exact);
}

bool SheetMap::operator==(const SheetMap& other) const {
  const auto rest = [](const SheetMap& map) {
    return std::tie(map.name, map.title, map.high, map.titles.query, map.titles.key, map.has_bar, map.blocks, map.framed, map.places);
  };
  const bool has_same_masked = std::bit_cast<std::uint32_t>(masked) == std::bit_cast<std::uint32_t>(other.masked);
  return rest(*this) == rest(other) && has_same_masked && is_same(queries, other.queries) && is_same(keys, other.keys) &&
         is_same(picture, other.picture);
}

bool LabFigureRequest::operator==(const LabFigureRequest& other) const {
  return asked == other.asked && layer == other.layer && head == other.head && query == other.query && is_same(found, other.found);
}

std::vector<NamedNumbers> numbers_of(const Sheet& sheet) {
  std::vector<NamedNumbers> numbers;
  for (const auto& part : sheet.parts) {
    if (const auto* maps = std::get_if<SheetMaps>(&part)) {
      for (const SheetMap& map : maps->maps) numbers.push_back(numbers_of_map(map));
    }
  }
  numbers.insert(numbers.end(), sheet.of_tables.begin(), sheet.of_tables.end());
  return numbers;
}

}  // namespace headlight

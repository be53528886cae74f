#include "engine/measures/measure.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "engine/core/numbers.h"
#include "engine/measures/measure_rows.h"

namespace headlight {
namespace {

bool is_shown(const Measure& measure) {
  return measure.place != MeasurePlace::list;
}

std::vector<Measure> join_tables() {
  std::vector<Measure> all;
  for (const Measures part : {shape_measures(), position_measures(), pattern_measures(), other_measures()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::stable_partition(all.begin(), all.end(), is_shown);
  return all;
}

}  // namespace

Measures all_measures() {
  static const std::vector<Measure> kAll = join_tables();
  return kAll;
}

Measures head_measures() {
  static const auto kShown = static_cast<std::size_t>(std::count_if(all_measures().begin(), all_measures().end(), is_shown));
  return all_measures().first(kShown);
}

std::string measure_text(const Measure& measure, double value) {
  return measure.unit == "tokens" ? number_text(value, 1) : weight_text(value);
}

const Measure& measure_of(Measures table, std::string_view id) {
  const auto row = std::find_if(table.begin(), table.end(), [&](const Measure& measure) { return measure.id == id; });
  if (row == table.end()) throw std::out_of_range(fmt::format("unknown measure {}", id));
  return *row;
}

double MeasuredHead::value(std::string_view id) const {
  return values[static_cast<std::size_t>(&measure_of(table, id) - table.data())];
}

}  // namespace headlight

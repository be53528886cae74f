#include "app/document/fields/names.h"

#include <fmt/ranges.h>

#include "engine/attention/positions.h"
#include "engine/attention/score.h"

namespace headlight {

std::string_view name_of(PositionKind kind) {
  return position_method(kind).name;
}

std::string_view name_of(ScoreKind kind) {
  return score_function(kind).name;
}

std::string joined_names(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace headlight

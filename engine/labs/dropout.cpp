#include "engine/labs/dropout.h"

#include <fmt/core.h>

#include "engine/core/error.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

void check_probability(float probability) {
  if (probability >= 0.0F && probability < 1.0F) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "dropout",
               .problem = "weights cannot be dropped with this probability",
               .found = fmt::format("{}", probability),
               .expected = "a number from 0 up to but not including 1"});
}

std::vector<double> row_sums(const Matrix& weights) {
  std::vector<double> sums;
  for (Index query = 0; query < weights.rows(); ++query) sums.push_back(weights.row(query).cast<double>().sum());
  return sums;
}

}  // namespace

DroppedWeights drop_weights(const Matrix& weights, const DropoutSettings& settings, std::string_view name, const Watch& watch) {
  check_probability(settings.probability);
  DroppedWeights result{.before = weights, .after = weights, .row_sums_before = row_sums(weights), .row_sums_after = {}};
  if (settings.is_training) {
    RandomStream stream(settings.seed, name);
    for (Index query = 0; query < weights.rows(); ++query) {
      watch.check();
      for (float& weight : result.after.row(query)) {
        weight = stream.next_uniform() < settings.probability ? 0.0F : weight / (1.0F - settings.probability);
      }
    }
  }
  result.row_sums_after = row_sums(result.after);
  return result;
}

}  // namespace headlight

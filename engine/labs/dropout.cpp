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

double sum_of(const Matrix& weights, Index query) {
  return weights.row(query).cast<double>().sum();
}

}  // namespace

DroppedWeights drop_weights(const Matrix& weights, const DropoutSettings& settings, std::string_view name, const Watch& watch) {
  check_probability(settings.probability);
  DroppedWeights result{.before = Matrix(weights.rows(), weights.cols()),
                        .after = Matrix(weights.rows(), weights.cols()),
                        .row_sums_before = {},
                        .row_sums_after = {}};
  RandomStream stream(settings.seed, name);
  for (Index query = 0; query < weights.rows(); ++query) {  // copied row by row, too, because touching new memory takes time
    watch.check();
    result.before.row(query) = weights.row(query);
    result.after.row(query) = weights.row(query);
    for (float& weight : result.after.row(query)) {
      if (!settings.is_training) break;
      weight = stream.next_uniform() < settings.probability ? 0.0F : weight / (1.0F - settings.probability);
    }
    result.row_sums_before.push_back(sum_of(result.before, query));
    result.row_sums_after.push_back(sum_of(result.after, query));
  }
  return result;
}

}  // namespace headlight

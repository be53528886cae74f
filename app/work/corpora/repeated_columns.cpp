#include "app/work/corpora/repeated_columns.h"

#include <fmt/core.h>

#include <utility>

#include "app/work/corpora/corpus_manifest.h"
#include "engine/core/error.h"
#include "engine/studies/repeated_tokens.h"

namespace headlight {
namespace {

constexpr Index kDistinct = 25, kTimes = 4;
constexpr int kDraws = 4;

HeadColumn column_named(const char* id) {
  HeadColumn column = column_of(plain_request(measure_of(all_measures(), id)));
  column.origin = ColumnOrigin::question;
  column.measured_on = fmt::format("{} random tokens, {} times", kDistinct, kTimes);
  return column;
}

Query query_of_draw(const RepeatedRequest& request, int draw) {
  Query query = without_texts(request.query);
  query.ids = repeated_tokens(*request.model, kDistinct, kTimes, static_cast<std::uint64_t>(draw + 1)).ids;
  return query;
}

/// Prefix matching with one draw more: the measure "induction" on its tokens.
HeadColumn with_draw(const RepeatedRequest& request, const HeadColumn* before, int draw, StepContext& context) {
  const Query query = query_of_draw(request, draw);
  const PassingRun passing(request.model, query);
  const TokenStage tokens = passing.tokens_of(query);
  if (tokens.is_cut || !request.model->config.mask.is_causal) {
    throw Error({.kind = ErrorKind::input, .field = request.model->name, .problem = "the model reads both ways, or has too few positions"});
  }
  const std::vector<MeasureRequest> requests = measure_requests("induction", "prefix matching");
  HeadColumn column = before != nullptr ? *before : column_named("prefix-matching");
  for (const HeadValues& head : measure_text_heads(passing, tokens, requests, {}, false, context.pool, context.progress)) {
    const double sum = (before != nullptr ? before->values.of(head.head) * draw : 0) + head.values.front();
    column.values.set(head.head, sum / (draw + 1));
  }
  column.texts = draw + 1;
  return column;
}

HeadColumn copying_column(const RepeatedRequest& request, StepContext& context) {
  HeadColumn column = column_named("copying-score");
  column.texts = 1;
  for (const HeadScore& score : copying_scores(*request.model, query_of_draw(request, 0), context.pool, context.progress)) {
    column.values.set(score.head, score.value);
  }
  return column;
}

StudyStep<RepeatedFound> step(const RepeatedRequest& request, const std::shared_ptr<const RepeatedFound>& so_far, StepContext& context) {
  RepeatedFound found = so_far ? *so_far : RepeatedFound();
  context.progress.step(static_cast<double>(found.draws) / (kDraws + 1), "random tokens, repeated");
  try {
    if (found.draws < kDraws) {
      const HeadColumn* before = found.columns.empty() ? nullptr : found.columns.front().get();
      found.columns = {std::make_shared<const HeadColumn>(with_draw(request, before, found.draws++, context))};
      const double done = static_cast<double>(found.draws) / (kDraws + 1);
      return {std::make_shared<const RepeatedFound>(std::move(found)), done};
    }
    found.columns.push_back(std::make_shared<const HeadColumn>(copying_column(request, context)));
  } catch (const Error&) {  // a vocabulary that is too small, or no predictions: there is no such column
  }
  return {std::make_shared<const RepeatedFound>(std::move(found))};
}

}  // namespace

RepeatedColumns::RepeatedColumns(Worker& worker) : study_(worker.desk(), Study<RepeatedRequest, RepeatedFound>::Work(step)) {}

}  // namespace headlight

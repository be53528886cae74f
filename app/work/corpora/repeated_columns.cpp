#include "app/work/corpora/repeated_columns.h"

#include <fmt/core.h>

#include <utility>

#include "app/work/corpora/corpus_manifest.h"
#include "engine/core/error.h"
#include "engine/studies/repeated_tokens.h"

namespace headlight {
namespace {

HeadColumn column_named(const char* id) {
  HeadColumn column = column_of(plain_request(measure_of(all_measures(), id)));
  column.origin = ColumnOrigin::question;
  return column;
}

Query query_of_draw(const RepeatedRequest& request, int draw) {
  Query query = without_texts(request.query);
  query.ids = repeated_tokens(*request.model, kMatchedTokens, kMatchedTimes, static_cast<std::uint64_t>(draw + 1)).ids;
  return query;
}

/// Prefix matching of one draw: the measure "induction" on its tokens.
std::vector<HeadScore> matched(const RepeatedRequest& request, int draw, StepContext& context) {
  const Query query = query_of_draw(request, draw);
  const PassingRun passing(request.model, query);
  const TokenStage tokens = passing.tokens_of(query);
  if (tokens.is_cut || !request.model->config.mask.is_causal) {
    throw Error({.kind = ErrorKind::input, .field = request.model->name, .problem = "the model reads both ways, or has too few positions"});
  }
  const std::vector<MeasureRequest> requests = measure_requests("induction", "prefix matching");
  std::vector<HeadScore> scores;
  for (const HeadValues& head : measure_text_heads(passing, tokens, requests, {}, false, context.pool, context.progress)) {
    scores.push_back({head.head, head.values.front()});
  }
  return scores;
}

/// A draw a step, of prefix matching first and then of copying: the same draws as `headlight heads`. Each request has a copy of its own.
class DrawSteps {
 public:
  StudyStep<RepeatedFound> operator()(const RepeatedRequest& request, const std::shared_ptr<const RepeatedFound>& so_far,
                                      StepContext& context) {
    RepeatedFound found = so_far ? *so_far : RepeatedFound();
    context.progress.step(static_cast<double>(steps_) / (2 * kUsualDraws), "random tokens, repeated");
    try {
      if (steps_ < kUsualDraws) {
        found.columns = {with_draw(prefix_, "prefix-matching", matched(request, steps_, context), steps_)};
        found.draws = steps_ + 1;
      } else {
        const int draw = steps_ - kUsualDraws;
        const Query query = query_of_draw(request, draw);
        const auto scores = copying_scores(*request.model, query, context.pool, context.progress);
        found.columns.resize(1);
        found.columns.push_back(with_draw(copying_, "copying-score", scores, draw));
      }
    } catch (const Error&) {  // a vocabulary that is too small, or no predictions: there is no such column
      return {std::make_shared<const RepeatedFound>(std::move(found))};
    }
    const double done = static_cast<double>(++steps_) / (2 * kUsualDraws);
    return {std::make_shared<const RepeatedFound>(std::move(found)), done};
  }

 private:
  static std::shared_ptr<const HeadColumn> with_draw(DrawnScores& drawn, const char* id, const std::vector<HeadScore>& scores, int draw) {
    drawn.add(scores);
    HeadColumn column = column_named(id);
    column.texts = draw + 1;
    column.measured_on = fmt::format("{}, {} of them {} times over", draws_text(column.texts), kMatchedTokens, kMatchedTimes);
    for (const HeadScore& each : drawn.means()) column.values.set(each.head, each.value);
    return std::make_shared<const HeadColumn>(std::move(column));
  }

  int steps_ = 0;  // that are done
  DrawnScores prefix_, copying_;
};

}  // namespace

RepeatedColumns::RepeatedColumns(Worker& worker) : study_(worker.desk(), Study<RepeatedRequest, RepeatedFound>::Work(DrawSteps())) {}

}  // namespace headlight

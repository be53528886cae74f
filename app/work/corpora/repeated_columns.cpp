#include "app/work/corpora/repeated_columns.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/work/corpora/corpus_columns.h"
#include "app/work/corpora/corpus_run.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::array kRuns = {MeasureNeed::four_repeats, MeasureNeed::two_repeats};

CorpusRequest request_of(const RepeatedRequest& request, MeasureNeed need) {
  CorpusRequest corpus{.query = request.query, .model = request.model, .model_digest = "kept in no file"};
  corpus.settings.nulls = request.nulls;
  corpus.texts.draws = usual_draws(corpus.settings);
  corpus.settings.requests = repeated_requests(request.model->config, need);
  return corpus;
}

/// Each request has a copy of its own.
class DrawSteps {
 public:
  StudyStep<RepeatedFound> operator()(const RepeatedRequest& request, const std::shared_ptr<const RepeatedFound>& /*so_far*/,
                                      StepContext& context) {
    HeadColumns columns = finished_;
    double done = 1;
    try {
      if (!run_) run_ = std::make_shared<CorpusRun>(request_of(request, kRuns[at_]));
      const StudyStep<MeasuredCorpus> step = run_->step(context);
      for (const auto& found : columns_of_study(*step.found->stored)) {
        HeadColumn column = *found;
        column.origin = ColumnOrigin::question;  // it is of no corpus
        columns.push_back(std::make_shared<const HeadColumn>(std::move(column)));
      }
      done = step.done;
    } catch (const Error&) {  // the model reads both ways, or has too few positions or words for these columns
    }
    if (done == 1) {
      run_ = nullptr;
      finished_ = columns;
      ++at_;
    }
    const double all = (static_cast<double>(at_) + (done < 1 ? done : 0.0)) / static_cast<double>(kRuns.size());
    return {std::make_shared<const RepeatedFound>(RepeatedFound{std::move(columns)}), all};
  }

 private:
  std::size_t at_ = 0;
  std::shared_ptr<CorpusRun> run_;
  HeadColumns finished_;  // of the runs before
};

}  // namespace

std::vector<MeasureRequest> repeated_requests(const ModelConfig& config, MeasureNeed need) {
  std::vector<MeasureRequest> requests;
  for (const Measure& measure : all_measures()) {
    const bool needs_logits = measure.id == "copying-score" || measure.id == "induction-loss";
    const bool is_asked = measure.need == need && (!needs_logits || config.has_logits);
    if (is_asked) requests.push_back(any_measure_request(measure.id, "repeated tokens"));
  }
  return requests;
}

RepeatedColumns::RepeatedColumns(Worker& worker) : study_(worker.desk(), Study<RepeatedRequest, RepeatedFound>::Work(DrawSteps())) {}

}  // namespace headlight

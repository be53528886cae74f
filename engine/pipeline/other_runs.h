// Runs of other texts that interventions take numbers from: by the same model and settings, without edits of heads.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "engine/core/parallel.h"
#include "engine/core/progress.h"
#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

/// What an intervention's other text is run with: all of the query but its text and what is done to single heads. Of a pair the first sentence
/// is the other text.
Query query_of_other_text(const Query& query, const std::string& text);

/// Keeps the runs that were used last, so that an edit of the text does not run the other texts again.
/// Thread contract: one thread at a time.
class OtherRuns {
 public:
  /// Gives the edits of the requests of a query the numbers that they take from other texts. Throws Error (usage) for a text or a set without
  /// tokens, (limit) where there is no memory for them, or Cancelled.
  void find(const Query& query, const std::shared_ptr<const Model>& model, const PipelineLimits& limits,
            std::vector<LayerRequest>& requests, ThreadPool& pool, Progress& progress);
  std::size_t bytes() const;  ///< that the kept ones hold
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    std::shared_ptr<const Model> model;
    Query query;                           // of the other text
    std::shared_ptr<const TextSet> texts;  // or of these
    std::shared_ptr<const OtherRun> run;
    std::vector<std::int64_t> source;
    std::size_t bytes = 0;
  };
  const Kept& keep(const Query& query, const std::shared_ptr<const Model>& model, const Intervention& intervention,
                   const PipelineLimits& limits, ThreadPool& pool, Progress& progress);
  std::list<Kept> kept_;  // the last used first
};

}  // namespace headlight

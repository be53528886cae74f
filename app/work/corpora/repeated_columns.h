// Heads on random tokens that are repeated: what they do where nothing but the repetition can be used. Of a model, beside any corpus.
#pragma once

#include <memory>

#include "app/work/compute/worker.h"
#include "engine/measures/columns/head_column.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {

inline constexpr const char* kRepeatedGroup = "repeated tokens";  ///< of ColumnShelf

struct RepeatedRequest {
  Query query;  ///< model and edits; its texts do not matter
  std::shared_ptr<const Model> model;
};

struct RepeatedFound {
  HeadColumns columns;  ///< prefix matching, and copying where the model predicts tokens
  int draws = 0;        ///< that are in the mean of the first
};

/// The input of Olsson et al. 2022: 25 random tokens, four times over; both are means of 4 draws, those of `headlight heads`. A step a draw
/// of prefix matching, then one a draw of copying, which takes long in models with many words.
/// Thread contract: the UI thread only.
class RepeatedColumns {
 public:
  explicit RepeatedColumns(Worker& worker);
  void start(RepeatedRequest request) { study_.start(std::move(request)); }
  /// The newest that is found; null: nothing yet.
  std::shared_ptr<const RepeatedFound> found() const {
    std::shared_ptr<const RepeatedFound> newest = study_.partial();
    return newest ? newest : study_.result();
  }
  void rest() {
    if (study_.asked()) study_.let_go();
  }

 private:
  Study<RepeatedRequest, RepeatedFound> study_;
};

}  // namespace headlight

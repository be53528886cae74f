// Heads on random tokens that are repeated: what they do where nothing but the repetition can be used. Of a model, beside any corpus.
#pragma once

#include <memory>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/measures/columns/head_column.h"
#include "engine/studies/null_values.h"

namespace headlight {

inline constexpr const char* kRepeatedGroup = "repeated tokens";  ///< of ColumnShelf

/// All measures of such tokens that the model can have.
std::vector<MeasureRequest> repeated_requests(const ModelConfig& config, MeasureNeed need);

struct RepeatedRequest {
  Query query;  ///< model and edits; its texts do not matter
  std::shared_ptr<const Model> model;
  std::vector<NullKind> nulls = {};
};

/// Prefix matching and induction by offset, and, where the model predicts tokens, copying and the loss.
struct RepeatedFound {
  HeadColumns columns;
};

/// The numbers of `headlight heads` on as many draws: one study after the other, on 25 tokens four times over and on 50 twice. Copying takes
/// long in models with many words. Thread contract: the UI thread only.
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

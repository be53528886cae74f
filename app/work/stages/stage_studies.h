// Stages of all heads at once, computed on the desk: a request is a value, a result is immutable.
#pragma once

#include <memory>

#include "app/work/compute/worker.h"
#include "engine/figure/stage.h"

namespace headlight {

struct StagesRequest {
  std::shared_ptr<const Snapshot> run;
  Stage stage = Stage::norm_weights;  ///< is_of_lengths
  bool operator==(const StagesRequest&) const = default;
};
struct StagesFound {
  StagesRequest request;
  StagedMaps maps;  ///< of the layers that are done
};

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class StageStudies {
 public:
  explicit StageStudies(Worker& worker);
  /// As far as it is done; null before the first layer.
  std::shared_ptr<const StagesFound> ask(const StagesRequest& request);
  StudyStatus status() const { return study_.status(); }
  /// Releases request and result: call it while no stage is shown.
  void rest() {
    if (study_.asked()) study_.let_go();
  }

 private:
  Study<StagesRequest, StagesFound> study_;
};

}  // namespace headlight

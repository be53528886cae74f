// The labs in the window: asked for in every frame, computed on the desk.
#pragma once

#include <memory>

#include "app/document/labs/circuit_labs.h"
#include "app/document/labs/labs.h"
#include "app/work/compute/worker.h"

namespace headlight {

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class Labs {
 public:
  explicit Labs(Worker& worker);
  /// The last result, or null before the first. A request that differs from the last one is handed to the compute thread.
  std::shared_ptr<const LabResult> ask(const LabRequest& request);
  /// The last result, if it is of this request; else null. Starts nothing.
  std::shared_ptr<const LabResult> known(const LabRequest& request) const;
  /// Releases request and result, and the snapshots they hold: call it while no lab is shown.
  void rest();

 private:
  Study<LabRequest, LabResult> study_;
};

}  // namespace headlight

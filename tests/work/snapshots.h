// Snapshots made on the spot, without a worker.
#pragma once

#include <memory>

#include "engine/pipeline/pipeline.h"

namespace headlight::testing {

inline std::shared_ptr<const Snapshot> snapshot_of(const Query& query) {
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

}  // namespace headlight::testing

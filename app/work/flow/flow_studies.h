// Several maps as one, computed on the desk: a request is a value, a result is immutable.
#pragma once

#include <memory>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/analysis/flow.h"
#include "engine/figure/pictures.h"

namespace headlight {

struct FlowFound {
  std::shared_ptr<const Snapshot> snapshot;  ///< a picture and its caption come from the same one
  std::vector<HeadId> heads;
  FlowSettings settings;
  std::shared_ptr<const FlowMap> map;
};
/// The map as a style shows it.
struct FlowPicture {
  std::shared_ptr<const FlowFound> found;
  std::shared_ptr<const MapPicture> picture;
};

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class FlowStudies {
 public:
  explicit FlowStudies(Worker& worker);
  /// The last result, or null before the first. Heads: at least one, that can become one map (why_no_flow). Another style makes only the
  /// picture again.
  std::shared_ptr<const FlowPicture> ask(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<HeadId>& heads,
                                         const FlowSettings& settings, const Style& style);
  /// What was asked for last and is there; null: nothing.
  std::shared_ptr<const FlowPicture> shown() const { return pictures_.result(); }
  /// Of the map: how far it is, or why it was refused.
  StudyStatus status() const { return maps_.status(); }
  /// Releases requests and results, and the snapshots they hold: call it while no flow is shown.
  void rest();

 private:
  struct MapRequest {
    std::shared_ptr<const Snapshot> snapshot;
    std::vector<HeadId> heads;
    FlowSettings settings;
    bool operator==(const MapRequest&) const = default;
  };
  struct PictureRequest {
    std::shared_ptr<const FlowFound> found;
    KeySet hidden;
    Hiding hiding = Hiding::raw;
    bool operator==(const PictureRequest&) const = default;
  };

  Study<MapRequest, FlowFound> maps_;
  Study<PictureRequest, FlowPicture> pictures_;
};

}  // namespace headlight

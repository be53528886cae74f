// The weights of several heads and the lines drawn for them, computed on the desk: a request is a value, a result is immutable.
#pragma once

#include <memory>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/figure/links/link_lines.h"

namespace headlight {

struct LinksFound {
  std::shared_ptr<const Snapshot> snapshot;  ///< that the lines are of: a picture and its caption come from the same one
  std::shared_ptr<const LinkLines> lines;
};

/// The door for views: ask every frame, draw what comes back. Thread contract: the UI thread only.
class LinkStudies {
 public:
  explicit LinkStudies(Worker& worker);
  /// The last result, or null before the first. Heads: at least one, all with the same texts (heads_between_texts_of). Weights that were
  /// found for the last request are used again; changing only the filter computes none of them again.
  std::shared_ptr<const LinksFound> ask(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<HeadId>& heads,
                                        const LinkFilter& filter, const Style& style);
  /// What was asked for last, as far as it is found.
  std::shared_ptr<const LinksFound> found() const { return lines_.result(); }
  /// Releases requests and results, and the snapshots they hold: call it while no links are shown.
  void rest();

 private:
  struct MapsFound {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const LinkMaps> maps;
  };
  struct MapsRequest {
    std::shared_ptr<const Snapshot> snapshot;
    std::vector<HeadId> heads;
    Style style = {};                            ///< what it leaves out of the weights
    std::weak_ptr<const MapsFound> before = {};  ///< only saves work: the study holds it until it has found the next
    bool operator==(const MapsRequest& other) const {
      return snapshot == other.snapshot && heads == other.heads && style.hidden == other.style.hidden && style.hiding == other.style.hiding;
    }
  };
  struct LinesRequest {
    std::shared_ptr<const MapsFound> found;
    LinkFilter filter;
    bool operator==(const LinesRequest&) const = default;
  };

  Study<MapsRequest, MapsFound> maps_;
  Study<LinesRequest, LinksFound> lines_;
};

}  // namespace headlight

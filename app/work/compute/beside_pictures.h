// The pictures of subjects beside the shown one: which are wanted, which are there, and which could not be made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/snapshot.h"

namespace headlight {

/// The picture of a subject beside the shown one, or why there is none.
struct PictureBeside {
  std::shared_ptr<const Snapshot> snapshot;  ///< null: not computed yet, or refused
  std::string problem;                       ///< why there will be none; empty: there is no problem
};

/// A value: computes nothing, knows no thread. It hands what it drops to the caller, because freeing a picture takes a while.
/// Thread contract: one thread at a time.
class BesidePictures {
 public:
  using Snapshots = std::vector<std::shared_ptr<const Snapshot>>;

  /// Sets the queries that are wanted, in the order in which they should be computed. Their pictures stay, and `shown` is taken if it is
  /// one of them; the pictures of all others are returned.
  Snapshots want(std::vector<Query> queries, const std::shared_ptr<const Snapshot>& shown);
  /// The first wanted query without a picture or a problem; null: none.
  const Query* next() const;
  /// Adds a picture, wherever it came from. Ignored if its query is not wanted, or has one already.
  void put(const std::shared_ptr<const Snapshot>& snapshot) { put(snapshot->query, snapshot); }
  /// The picture of `query`, whatever the picture itself says: that of maps from a file names no more than the file.
  void put(const Query& query, const std::shared_ptr<const Snapshot>& snapshot);
  /// Kept until the next call of `want`, wanted or not.
  void keep(const std::shared_ptr<const Snapshot>& snapshot);
  void refuse(const Query& query, std::string problem);
  /// Tries once more what could not be made.
  void retry();
  PictureBeside find(const Query& query) const;
  std::vector<Query> queries() const;
  bool holds(const std::shared_ptr<const Snapshot>& snapshot) const;

 private:
  struct Entry {
    Query query;
    PictureBeside picture;
  };
  Entry* entry_of(const Query& query);
  std::vector<Entry> entries_;
};

}  // namespace headlight

// Full maps of heads that were looked at recently, within a budget of bytes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "engine/snapshot.h"

namespace headlight {

std::size_t bytes_of(const HeadMaps& maps);

/// Heads whose maps were asked for while the last snapshot was shown: the next one is published together with theirs.
struct WatchedHeads {
  std::set<HeadId> heads;
  bool is_stale = false;  ///< a new snapshot has come since `heads` was last added to
  void add(HeadId head) {
    if (std::exchange(is_stale, false)) heads.clear();
    heads.insert(head);
  }
};

/// Keyed by the layer that the maps belong to: two snapshots that share a layer (the layers below an edit) share its maps. A layer that no
/// snapshot holds any more cannot be asked for, and its maps are dropped first. Thread contract: one thread at a time.
class MapCache {
 public:
  explicit MapCache(std::size_t budget) : budget_(budget) {}

  bool contains(const Snapshot& snapshot, HeadId head) const;
  /// Null when absent. A found map becomes the most recent one.
  std::shared_ptr<const HeadMaps> find(const Snapshot& snapshot, HeadId head);
  /// Null maps say that making them failed; they are remembered as well, so that they are not tried again. The newest entry always stays,
  /// whatever its size.
  void insert(const Snapshot& snapshot, HeadId head, std::shared_ptr<const HeadMaps> maps);
  std::size_t bytes() const { return bytes_; }
  std::size_t budget() const { return budget_; }
  std::uint64_t made() const { return made_; }  ///< maps that were put in
  std::size_t size() const { return entries_.size(); }

 private:
  using Key = std::pair<std::weak_ptr<const LayerTrace>, int>;
  struct KeyLess {
    bool operator()(const Key& a, const Key& b) const {
      if (a.first.owner_before(b.first)) return true;
      return !b.first.owner_before(a.first) && a.second < b.second;
    }
  };
  struct Entry {
    std::shared_ptr<const HeadMaps> maps;
    std::size_t bytes = 0;
    std::uint64_t last_used = 0;
  };
  using Entries = std::map<Key, Entry, KeyLess>;
  static Key key_of(const Snapshot& snapshot, HeadId head);
  Entries::iterator drop(Entries::iterator entry);

  std::size_t budget_;
  std::size_t bytes_ = 0;
  std::uint64_t uses_ = 0, made_ = 0;
  Entries entries_;
};

}  // namespace headlight

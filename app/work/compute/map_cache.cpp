#include "app/work/compute/map_cache.h"

#include <algorithm>

namespace headlight {

std::size_t bytes_of(const HeadMaps& maps) {
  return static_cast<std::size_t>(maps.scores.size() + maps.final_scores.size() + maps.weights.size() + maps.v.size()) * sizeof(float);
}

MapCache::Key MapCache::key_of(const Snapshot& snapshot, HeadId head) {
  return {snapshot.trace.layers[static_cast<std::size_t>(head.layer)], head.head};
}

MapCache::Entries::iterator MapCache::drop(Entries::iterator entry) {
  bytes_ -= entry->second.bytes;
  return entries_.erase(entry);
}

bool MapCache::contains(const Snapshot& snapshot, HeadId head) const {
  return entries_.contains(key_of(snapshot, head));
}

std::shared_ptr<const HeadMaps> MapCache::find(const Snapshot& snapshot, HeadId head) {
  const auto entry = entries_.find(key_of(snapshot, head));
  if (entry == entries_.end()) return nullptr;
  entry->second.last_used = ++uses_;
  return entry->second.maps;
}

void MapCache::insert(const Snapshot& snapshot, HeadId head, std::shared_ptr<const HeadMaps> maps) {
  const Key key = key_of(snapshot, head);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const bool is_same = entry->first.second == head.head && entry->first.first.lock() == key.first.lock();
    entry = is_same || entry->first.first.expired() ? drop(entry) : std::next(entry);
  }
  const std::size_t bytes = maps ? bytes_of(*maps) : 0;
  while (!entries_.empty() && bytes > budget_ - std::min(budget_, bytes_)) {
    drop(std::min_element(entries_.begin(), entries_.end(),
                          [](const auto& a, const auto& b) { return a.second.last_used < b.second.last_used; }));
  }
  made_ += maps != nullptr;
  entries_.emplace(key, Entry{std::move(maps), bytes, ++uses_});
  bytes_ += bytes;
}

}  // namespace headlight

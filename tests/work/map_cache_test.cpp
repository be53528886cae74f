#include "app/work/compute/map_cache.h"

#include <gtest/gtest.h>

namespace headlight {
namespace {

/// A snapshot of empty layers with four heads each: all that the cache looks at.
Snapshot snapshot_of(std::vector<std::shared_ptr<const LayerTrace>> layers) {
  Snapshot snapshot;
  snapshot.trace.layers = std::move(layers);
  return snapshot;
}

std::shared_ptr<const LayerTrace> layer() {
  return std::make_shared<LayerTrace>();
}

std::shared_ptr<const HeadMaps> maps_of(Index side) {
  HeadMaps maps;
  maps.scores = maps.weights = Matrix::Zero(side, side);
  return std::make_shared<HeadMaps>(std::move(maps));
}
const std::size_t kSize = bytes_of(*maps_of(8));

TEST(MapCache, FindsWhatWasInserted) {
  MapCache cache(10 * kSize);
  const Snapshot snapshot = snapshot_of({layer(), layer()});
  const auto maps = maps_of(8);
  cache.insert(snapshot, {1, 2}, maps);
  EXPECT_EQ(cache.find(snapshot, {1, 2}), maps);
  EXPECT_EQ(cache.find(snapshot, {0, 2}), nullptr);
  EXPECT_EQ(cache.find(snapshot, {1, 3}), nullptr);
  EXPECT_EQ(cache.bytes(), kSize);
}

TEST(MapCache, SnapshotsThatShareALayerShareItsMaps) {
  MapCache cache(10 * kSize);
  const auto shared = layer();
  const Snapshot before = snapshot_of({shared, layer()});
  const Snapshot after = snapshot_of({shared, layer()});
  cache.insert(before, {0, 0}, maps_of(8));
  cache.insert(before, {1, 0}, maps_of(8));
  EXPECT_NE(cache.find(after, {0, 0}), nullptr);
  EXPECT_EQ(cache.find(after, {1, 0}), nullptr);
}

TEST(MapCache, TheLeastRecentlyUsedGoesFirst) {
  MapCache cache(3 * kSize);
  const Snapshot snapshot = snapshot_of({layer()});
  for (int head = 0; head < 3; ++head) cache.insert(snapshot, {0, head}, maps_of(8));
  cache.find(snapshot, {0, 0});
  cache.insert(snapshot, {0, 3}, maps_of(8));
  EXPECT_TRUE(cache.contains(snapshot, {0, 0}));
  EXPECT_FALSE(cache.contains(snapshot, {0, 1}));
  EXPECT_EQ(cache.bytes(), 3 * kSize);
}

TEST(MapCache, OneMapOverTheBudgetStaysAlone) {
  MapCache cache(3 * kSize);
  const Snapshot snapshot = snapshot_of({layer()});
  cache.insert(snapshot, {0, 0}, maps_of(8));
  cache.insert(snapshot, {0, 1}, maps_of(80));
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_TRUE(cache.contains(snapshot, {0, 1}));
}

TEST(MapCache, MapsOfAForgottenSnapshotGoWithTheNextInsertion) {
  MapCache cache(10 * kSize);
  { cache.insert(snapshot_of({layer()}), {0, 0}, maps_of(8)); }
  const Snapshot snapshot = snapshot_of({layer()});
  cache.insert(snapshot, {0, 0}, maps_of(8));
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache.bytes(), kSize);
}

TEST(MapCache, AFailureIsRemembered) {
  MapCache cache(10 * kSize);
  const Snapshot snapshot = snapshot_of({layer()});
  cache.insert(snapshot, {0, 0}, nullptr);
  EXPECT_TRUE(cache.contains(snapshot, {0, 0}));
  EXPECT_EQ(cache.find(snapshot, {0, 0}), nullptr);
  EXPECT_EQ(cache.bytes(), 0U);
}

TEST(MapCache, InsertingAgainReplaces) {
  MapCache cache(10 * kSize);
  const Snapshot snapshot = snapshot_of({layer()});
  cache.insert(snapshot, {0, 0}, nullptr);
  const auto maps = maps_of(8);
  cache.insert(snapshot, {0, 0}, maps);
  EXPECT_EQ(cache.find(snapshot, {0, 0}), maps);
  EXPECT_EQ(cache.size(), 1U);
}

}  // namespace
}  // namespace headlight

// Pictures of subjects beside the shown one.
#include <gmock/gmock.h>

#include "tests/testing.h"
#include "tests/work/queries.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::long_query;
using ::testing::SizeIs;
using testing::small_query;
using testing::wait_until;
using testing::wait_until_idle;

bool is_there(const Worker& worker, const Query& query) {
  return worker.beside(query).snapshot != nullptr;
}

TEST(Beside, WhatIsWantedIsComputedAndThePublishedPictureStays) {
  Worker worker(1);
  worker.request(small_query(), false);
  worker.keep_beside({small_query("d e"), small_query("f g h i")});
  wait_until_idle(worker);
  ASSERT_TRUE(is_there(worker, small_query("d e")));
  EXPECT_EQ(worker.beside(small_query("d e")).snapshot->query, small_query("d e"));
  EXPECT_EQ(worker.beside(small_query("f g h i")).snapshot->tokens(), 4);
  EXPECT_EQ(worker.snapshot()->query, small_query());
  EXPECT_EQ(worker.status().published, 1U);
}

TEST(Beside, NothingIsThereOfWhatNobodyWants) {
  Worker worker(1);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_FALSE(is_there(worker, small_query("d e")));
  EXPECT_EQ(worker.beside(small_query("d e")).problem, "");
}

TEST(Beside, APublishedPictureIsTakenWithoutComputing) {
  Worker worker(1);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  worker.keep_beside({small_query()});
  EXPECT_EQ(worker.beside(small_query()).snapshot, worker.snapshot());
  EXPECT_TRUE(worker.is_idle());
  worker.request(small_query("d e"), false);
  wait_until_idle(worker);
  EXPECT_EQ(worker.beside(small_query()).snapshot->query, small_query()) << "it survives the next picture";
}

TEST(Beside, WantingTheSameAgainKeepsThePictures) {
  Worker worker(1);
  worker.keep_beside({small_query("d"), small_query("e")});
  wait_until_idle(worker);
  const auto kept = worker.beside(small_query("e")).snapshot;
  worker.keep_beside({small_query("e"), small_query("e"), small_query("d")});
  EXPECT_TRUE(worker.is_idle());
  EXPECT_EQ(worker.beside(small_query("e")).snapshot, kept);
}

TEST(Beside, APictureThatIsNoLongerWantedIsLetGo) {
  Worker worker(1);
  worker.keep_beside({small_query("d")});
  wait_until_idle(worker);
  const std::weak_ptr<const Snapshot> kept = worker.beside(small_query("d")).snapshot;
  worker.keep_beside({});
  wait_until([&] { return kept.expired(); });
  EXPECT_FALSE(is_there(worker, small_query("d")));
}

TEST(Beside, AKeptPictureIsPublishedAtOnceWhenItIsRequested) {
  Worker worker(1);
  worker.request(small_query(), false);
  worker.keep_beside({small_query("d e")});
  wait_until_idle(worker);
  const auto shown = worker.snapshot(), kept = worker.beside(small_query("d e")).snapshot;
  EXPECT_EQ(worker.request(small_query("d e"), false), 2U);
  EXPECT_EQ(worker.snapshot(), kept);
  EXPECT_EQ(worker.status().finished, 2U);
  EXPECT_EQ(worker.status().published, 2U);
  worker.keep_beside({small_query()});
  EXPECT_EQ(worker.beside(small_query()).snapshot, shown) << "the two have changed places";
  wait_until_idle(worker);
}

TEST(Beside, ARunningPictureDoesNotComeAfterTheNewerOneThatWasKept) {
  Worker worker(2);
  worker.keep_beside({small_query()});
  wait_until_idle(worker);
  worker.request(long_query(), true);
  testing::wait_until_under_way(worker);
  worker.request(small_query(), true);
  EXPECT_EQ(worker.snapshot()->query, small_query());
  wait_until_idle(worker);
  EXPECT_EQ(worker.snapshot()->query, small_query());
  EXPECT_EQ(worker.status().finished, 2U);
}

TEST(Beside, TheNewestRequestComesFirstAndTheInterruptedPictureAfterIt) {
  Worker worker(2);
  const Query slow = long_query(6);
  worker.keep_beside({slow});
  wait_until([&] { return worker.status().is_busy_beside && worker.status().step.starts_with("layer"); });
  worker.request(small_query(), true);
  wait_until([&] { return worker.snapshot() != nullptr; });
  EXPECT_FALSE(is_there(worker, slow));
  wait_until_idle(worker);
  EXPECT_TRUE(is_there(worker, slow));
}

TEST(Beside, APictureThatIsNoLongerWantedIsNotFinished) {
  Worker worker(2);
  worker.keep_beside({long_query(200)});
  testing::wait_until_under_way(worker);
  worker.keep_beside({small_query("d")});
  wait_until_idle(worker);
  EXPECT_TRUE(is_there(worker, small_query("d")));
  EXPECT_FALSE(is_there(worker, long_query(200)));
}

TEST(Beside, ARefusalIsAProblemOfItsQueryAlone) {
  Worker worker(1);
  Query illegal = small_query();
  illegal.heads = 7;
  worker.keep_beside({illegal, small_query("d")});
  wait_until_idle(worker);
  EXPECT_THAT(worker.beside(illegal).problem, HasSubstr("7"));
  EXPECT_FALSE(worker.status().error);
  EXPECT_TRUE(is_there(worker, small_query("d")));
}

TEST(Beside, ACancelledPictureIsComputedAfterTheNextRequest) {
  Worker worker(2);
  const Query slow = long_query(4);
  worker.keep_beside({slow});
  testing::wait_until_under_way(worker);
  worker.cancel();
  wait_until_idle(worker);
  worker.keep_beside({slow});
  EXPECT_TRUE(worker.is_idle()) << "cancelled is cancelled";
  EXPECT_NE(worker.beside(slow).problem, "");
  worker.request(small_query(), false);
  wait_until_idle(worker);
  EXPECT_TRUE(is_there(worker, slow));
}

TEST(Beside, MapsOfAKeptPictureAreMadeAndSurviveAPublish) {
  Worker worker(1);
  worker.request(small_query(), false);
  worker.keep_beside({small_query("d e")});
  wait_until_idle(worker);
  const auto kept = worker.beside(small_query("d e")).snapshot;
  EXPECT_EQ(worker.maps(kept, {1, 1}), nullptr);
  worker.request(small_query("f"), false);
  wait_until_idle(worker);
  const auto maps = worker.maps(kept, {1, 1});
  ASSERT_NE(maps, nullptr) << "the request was kept";
  EXPECT_EQ(maps->weights, kept->maps({1, 1}).weights);
}

TEST(Beside, AWatchedHeadComesWithTheNextPictureBeside) {
  Worker worker(1);
  const HeadId head{1, 0};
  worker.keep_beside({small_query("d e")});
  wait_until_idle(worker);
  worker.maps(worker.beside(small_query("d e")).snapshot, head);
  worker.keep_beside({small_query("other words")});
  wait_until([&] { return is_there(worker, small_query("other words")); });
  EXPECT_NE(worker.maps(worker.beside(small_query("other words")).snapshot, head), nullptr);
}

TEST(Beside, TheLayersOfWhatIsNoLongerWantedAreLetGoWithIt) {
  Worker worker(1);
  worker.request(small_query(), false);
  worker.keep_beside({small_query("d e")});
  wait_until_idle(worker);
  const std::weak_ptr<const LayerTrace> layer = worker.beside(small_query("d e")).snapshot->trace.layers.back();
  worker.keep_beside({});
  wait_until([&] { return layer.expired(); });
  EXPECT_NE(worker.snapshot(), nullptr);
}

TEST(Beside, AnEditSharesTheLayersBelowItWithWhatIsKeptBeside) {
  Worker worker(1);
  worker.request(small_query(), false);
  wait_until_idle(worker);
  worker.keep_beside({small_query()});
  Query edited = small_query();
  edited.mask.rules = {{{Scope::Kind::layer, {1, 0}}, "none", {}}};
  worker.request(edited, false);
  wait_until_idle(worker);
  EXPECT_EQ(worker.snapshot()->trace.layers[0], worker.beside(small_query()).snapshot->trace.layers[0]);
  EXPECT_NE(worker.snapshot()->trace.layers[1], worker.beside(small_query()).snapshot->trace.layers[1]);
  worker.request(small_query("x"), false);
  wait_until_idle(worker);
  EXPECT_NE(worker.beside(small_query()).snapshot, nullptr);
}

// The picture of maps from a file names no text and no edits: its own query cannot identify it.
TEST(Beside, MapsFromAFileAreReadOnceAndKept) {
  const testing::TemporaryFolder folder;
  Query maps = small_query("a text that the file does not know");
  maps.model.name = folder.file("maps.json", R"({"attention": [[[1, 0], [0.5, 0.5]]], "tokens": ["a", "b"]})").string();
  Worker worker(1);
  worker.request(small_query(), false);
  worker.keep_beside({maps});
  wait_until_idle(worker);
  ASSERT_TRUE(is_there(worker, maps));
  EXPECT_TRUE(worker.beside(maps).snapshot->is_dump());
}

TEST(BesidePictures, ReturnWhatTheyLetGo) {
  BesidePictures pictures;
  const auto snapshot_of = [](const char* text) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->query.text = text;
    return snapshot;
  };
  const auto first = snapshot_of("a"), second = snapshot_of("b");
  EXPECT_THAT(pictures.want({first->query, second->query}, nullptr), SizeIs(0));
  pictures.put(first);
  pictures.put(second);
  EXPECT_EQ(pictures.next(), nullptr);
  EXPECT_THAT(pictures.want({second->query}, nullptr), ::testing::ElementsAre(first));
  pictures.put(first);
  EXPECT_FALSE(pictures.holds(first)) << "nobody wants it";
  pictures.keep(first);
  EXPECT_TRUE(pictures.holds(first)) << "until the next request";
  EXPECT_THAT(pictures.want({second->query}, nullptr), ::testing::ElementsAre(first));
}

}  // namespace
}  // namespace headlight

// Layers that are computed and shown before the last one is there.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "engine/pipeline/pipeline.h"
#include "tests/model/gpt2_folder.h"
#include "tests/pipeline/random_edits.h"
#include "tests/pipeline/same_bits.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using testing::expect_same_bits;
using testing::Gpt2Folder;
using testing::kTinyConfig;
using testing::query_of;
using testing::run;
using testing::tiny_gpt2_tensors;

using Parts = std::vector<std::shared_ptr<const Snapshot>>;

/// A run that takes its time: a moment at every report of this work.
struct Slow final : Progress {
  Slow(std::string_view slow_work, int milliseconds) : beginning(slow_work), moment(milliseconds) {}
  const std::string_view beginning;
  const std::chrono::milliseconds moment;
  std::atomic<int> reports = 0;
  void step(double, std::string_view what) override {
    if (!what.starts_with(beginning)) return;
    ++reports;
    std::this_thread::sleep_for(moment);
  }
};

Query query_of_model(const std::string& name, const std::string& text) {
  Query query = query_of(text);
  query.model.name = name;
  return query;
}

bool is_there(const Snapshot& part, int layer) {
  return part.summary({layer, 0}).pooled.size() > 0;
}

TEST(EarlyLayers, HaveTheBitsOfARunOnTheWholeModel) {
  const std::filesystem::path folder = HEADLIGHT_TESTS_DIR "/reference/models";
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!std::filesystem::exists(entry.path() / "config.json")) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Query query = query_of_model(entry.path().string(), "The cat sat on the mat");
    Pipeline whole(2), early(2);
    early.show_layers([](const auto&) {});
    const auto found = run(early, query);
    expect_same_bits(*found, *run(whole, query));
    EXPECT_EQ(found->cost.layers_computed, found->layers());
    EXPECT_EQ(found->cost.layers_reused, 0);
    ++models;
  }
  EXPECT_GT(models, 20);
}

TEST(EarlyLayers, AreShownWhileTheOthersLieInTheirFile) {
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  Slow progress("reading weights", 30);
  Pipeline pipeline(2);
  Parts parts;
  std::vector<int> reports;
  pipeline.show_layers([&](const auto& part) {
    parts.push_back(part);
    reports.push_back(progress.reports);
  });
  const auto whole = pipeline.run(query_of_model(folder.path(), "a b c"), progress);
  ASSERT_FALSE(parts.empty());
  EXPECT_LT(reports.front(), progress.reports);
  const Snapshot& part = *parts.front();
  ASSERT_EQ(part.layers(), 2);
  EXPECT_EQ(part.heads(1), 2);
  EXPECT_TRUE(is_there(part, 0));
  EXPECT_FALSE(is_there(part, 1));
  expect_same_bits(part.summary({0, 1}), whole->summary({0, 1}));
  EXPECT_EQ(part.trace.layers[0], whole->trace.layers[0]) << "computed once";
}

TEST(EarlyLayers, OfALongRunAreShownOneAfterTheOther) {
  Pipeline pipeline(2);
  Parts parts;
  pipeline.show_layers([&](const auto& part) { parts.push_back(part); });
  Query query = query_of("The cat sat on the mat");
  query.model.sandbox.layers = 6;
  Slow progress("layer", 100);
  const auto whole = pipeline.run(query, progress);
  ASSERT_GE(parts.size(), 3U);
  for (const auto& part : parts) {
    ASSERT_EQ(part->layers(), 6);
    EXPECT_TRUE(is_there(*part, 0));
    EXPECT_FALSE(is_there(*part, 5));
  }
  EXPECT_TRUE(is_there(*parts.back(), 1));
  pipeline.show_layers(nullptr);
  const std::size_t shown = parts.size();
  query.text += " again";
  pipeline.run(query, progress);
  EXPECT_EQ(parts.size(), shown);
}

TEST(EarlyLayers, LeaveNothingBehindWhenTheReadingIsCancelled) {
  struct Cancelling final : Progress {
    std::atomic<int> left = 20;
    void step(double, std::string_view) override {
      if (--left == 0) throw Cancelled{};
    }
  };
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  const Query query = query_of_model(folder.path(), "a b c");
  Pipeline pipeline(2), fresh(2);
  pipeline.show_layers([](const auto&) {});
  Cancelling cancelling;
  EXPECT_THROW(pipeline.run(query, cancelling), Cancelled);
  const auto again = run(pipeline, query);
  expect_same_bits(*again, *run(fresh, query));
  EXPECT_EQ(again->cost.layers_reused, 0);
}

TEST(EarlyLayers, ARefusedQueryIsRefusedForTheSameReason) {
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  Query query = query_of_model(folder.path(), "a b c");
  query.heads = 3;
  Pipeline plain(2), watched(2);
  watched.show_layers([](const auto&) {});
  EXPECT_EQ(error_of([&] { run(watched, query); }).message(), error_of([&] { run(plain, query); }).message());
  query.heads.reset();
  EXPECT_EQ(run(watched, query)->layers(), 2) << "the model is there";
}

}  // namespace
}  // namespace headlight

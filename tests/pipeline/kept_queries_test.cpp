// Queries that are looked at side by side (Pipeline::keep).
#include <fmt/core.h>
#include <gmock/gmock.h>

#include "engine/pipeline/pipeline.h"
#include "tests/model/gpt2_folder.h"
#include "tests/pipeline/cancel_at.h"
#include "tests/pipeline/random_edits.h"
#include "tests/pipeline/same_bits.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::CancelAt;
using testing::edit;
using testing::error_of;
using testing::expect_same_bits;
using testing::Gpt2Folder;
using ::testing::HasSubstr;
using testing::kTinyConfig;
using ::testing::Not;
using testing::query_of;
using testing::run;
using testing::tiny_gpt2_tensors;

Query with_edit_in_layer(Query query, int layer) {
  query.mask.rules.push_back({{Scope::Kind::head, {layer, 1}}, "none", {}});
  return query;
}

TEST(KeptQueries, ABaselineAndAnEditShareTheLayersBelowTheEdit) {
  Pipeline pipeline(2);
  const Query before = query_of("The cat sat on the mat");
  const Query now = with_edit_in_layer(before, 2);
  pipeline.keep(std::vector{before, before});
  const auto baseline = run(pipeline, before);
  pipeline.keep(std::vector{before, now});
  const auto edited = run(pipeline, now);
  EXPECT_EQ(edited->model, baseline->model);
  EXPECT_EQ(edited->trace.layers[1], baseline->trace.layers[1]);
  EXPECT_NE(edited->trace.layers[2], baseline->trace.layers[2]);
  EXPECT_EQ(edited->cost.layers_reused, 2);
  EXPECT_EQ(run(pipeline, before)->trace.layers, baseline->trace.layers) << "nothing is computed to go back";
  EXPECT_EQ(run(pipeline, now)->trace.layers, edited->trace.layers);
  Pipeline fresh(1);
  expect_same_bits(*edited, *run(fresh, now));
}

TEST(KeptQueries, EveryRunBeginsWithTheQueryThatSharesMost) {
  Pipeline pipeline(1);
  const Query plain = query_of("The cat sat on the mat");
  const Query low = with_edit_in_layer(plain, 0), high = with_edit_in_layer(plain, 3);
  pipeline.keep(std::vector{plain, low, high});
  for (const Query& query : {low, plain, high}) run(pipeline, query);
  const Query next = with_edit_in_layer(low, 3);
  pipeline.keep(std::vector{plain, low, high, next});
  EXPECT_EQ(run(pipeline, next)->cost.layers_reused, 3);
  EXPECT_EQ(run(pipeline, low)->cost.layers_reused, 4);
}

TEST(KeptQueries, TwoTextsShareTheirModel) {
  Pipeline pipeline(1);
  const Gpt2Folder folder(kTinyConfig, tiny_gpt2_tensors());
  Query first, second;
  first.model.name = second.model.name = folder.path();
  first.text = "a b";
  second.text = "b c a";
  pipeline.keep(std::vector{first, second});
  const auto one = run(pipeline, first), two = run(pipeline, second);
  EXPECT_EQ(one->model, two->model);
  EXPECT_EQ(run(pipeline, first)->cost.layers_reused, 2);
  EXPECT_EQ(run(pipeline, second)->cost.layers_reused, 2);
}

// Whichever layers two queries share, and in any order: each result has the bits of a run by itself.
TEST(KeptQueries, EditedAtRandomEachEqualsAFreshRunBitForBit) {
  Pipeline pipeline(2);
  RandomStream random(7, "subjects");
  std::vector<Query> queries(3, query_of("The cat sat on the mat"));
  int reused = 0;
  for (int step = 0; step < 150; ++step) {
    const std::size_t place = random.next() % queries.size();
    if (random.next() % 4 == 0) {
      queries[place] = queries[random.next() % queries.size()];  // a baseline, or a text added
    } else if (random.next() % 4 != 0) {
      edit(queries[place], random);
    }
    pipeline.keep(queries);
    const auto kept = run(pipeline, queries[place]);
    Pipeline fresh(1);
    expect_same_bits(*kept, *run(fresh, queries[place]));
    EXPECT_EQ(kept->query, queries[place]);
    reused += kept->cost.layers_reused;
    ASSERT_FALSE(HasFailure()) << "step " << step;
  }
  EXPECT_GT(reused, 100);  // or the test has tested nothing
}

/// Layers of a query that somebody still holds.
std::weak_ptr<const LayerTrace> top_layer(Pipeline& pipeline, const Query& query) {
  return run(pipeline, query)->trace.layers.back();
}

TEST(KeptQueries, ThoseThatAreGoneAreLetGo) {
  Pipeline pipeline(1);
  const Query first = query_of("The cat sat"), second = query_of("A dog ran off");
  pipeline.keep(std::vector{first, second});
  const auto of_first = top_layer(pipeline, first), of_second = top_layer(pipeline, second);
  EXPECT_FALSE(of_first.expired());
  EXPECT_FALSE(of_second.expired());
  pipeline.keep(std::vector{second});
  EXPECT_TRUE(of_first.expired());
  EXPECT_FALSE(of_second.expired());
}

TEST(KeptQueries, WithoutAnyOneQueryIsKept) {
  Pipeline pipeline(1);
  std::vector<std::weak_ptr<const LayerTrace>> layers;
  for (const char* text : {"The cat sat", "A dog ran off", "One two"}) layers.push_back(top_layer(pipeline, query_of(text)));
  EXPECT_TRUE(layers[0].expired());
  EXPECT_TRUE(layers[1].expired());
  EXPECT_FALSE(layers[2].expired());
}

TEST(KeptQueries, AnEditedTextKeepsOneSetOfLayersHoweverOftenItIsEdited) {
  Pipeline pipeline(1);
  const Query beside = query_of("A dog ran off");
  Query query = query_of("The cat sat");
  std::vector<std::weak_ptr<const LayerTrace>> layers;
  for (int edits = 0; edits < 5; ++edits) {
    query.text += " on";
    pipeline.keep(std::vector{query, beside});
    layers.push_back(top_layer(pipeline, query));
    layers.push_back(top_layer(pipeline, beside));
  }
  int held = 0;
  for (const auto& layer : layers) held += !layer.expired();
  EXPECT_EQ(held, 1 + 5) << "the newest text, and five times the same layer of the other";
}

TEST(KeptQueries, ACancelledRunLeavesTheOthersWhole) {
  Pipeline pipeline(1);
  const Query first = query_of("The cat sat"), second = with_edit_in_layer(first, 1);
  pipeline.keep(std::vector{first, second});
  const auto expected = run(pipeline, first);
  CancelAt cancelling(8);
  EXPECT_THROW(pipeline.run(second, cancelling), Cancelled);
  EXPECT_EQ(run(pipeline, first)->trace.layers, expected->trace.layers);
  Pipeline fresh(1);
  expect_same_bits(*run(pipeline, second), *run(fresh, second));
}

TEST(KeptQueries, MapsFromAFileAndAModelStandSideBySide) {
  Pipeline pipeline(1);
  const testing::TemporaryFolder folder;
  Query maps;
  maps.model.name = folder.file("maps.json", R"({"attention": [[[1, 0], [0.5, 0.5]]], "tokens": ["a", "b"]})").string();
  const Query text = query_of("The cat sat");
  pipeline.keep(std::vector{text, maps});
  const auto computed = run(pipeline, text);
  const auto shown = run(pipeline, maps);
  EXPECT_TRUE(shown->is_dump());
  EXPECT_EQ(run(pipeline, text)->trace.layers, computed->trace.layers);
  EXPECT_EQ(run(pipeline, maps)->cost.layers_reused, shown->layers());
}

// One stated budget over all

std::string words(int count) {
  std::string text;
  for (int word = 0; word < count; ++word) text += fmt::format("word{} ", word);
  return text;
}

std::size_t bytes_of_run(const Query& query) {
  Pipeline pipeline(1);
  const auto snapshot = run(pipeline, query);
  return estimate_bytes(snapshot->model->config, snapshot->heads(), snapshot->tokens());
}

TEST(KeptQueries, TheBudgetIsOverAllAndTheRefusalSaysWhatToDo) {
  const Query first = query_of(words(150)), second = query_of("another " + words(149));
  Pipeline pipeline(1, {.bytes = bytes_of_run(first) * 3 / 2});
  pipeline.keep(std::vector{first, second});
  run(pipeline, first);
  const Error error = error_of([&] { run(pipeline, second); });
  EXPECT_EQ(error.kind(), ErrorKind::limit);
  EXPECT_THAT(error.message(), HasSubstr("held for comparing"));
  EXPECT_THAT(error.message(), HasSubstr("Close another text"));
  EXPECT_EQ(run(pipeline, first)->cost.layers_reused, 4) << "what was there stays";
  pipeline.keep(std::vector{second});
  EXPECT_EQ(run(pipeline, second)->tokens(), 150);
}

TEST(KeptQueries, LayersThatTwoShareCountOnce) {
  const Query before = query_of(words(150));
  Pipeline pipeline(1, {.bytes = bytes_of_run(before) * 3 / 2});
  const Query edited = with_edit_in_layer(before, 3);
  pipeline.keep(std::vector{before, edited});
  run(pipeline, before);
  EXPECT_EQ(run(pipeline, edited)->cost.layers_reused, 3);
}

TEST(KeptQueries, ARefusalOfOneQueryAloneNamesNoOthers) {
  Pipeline pipeline(1, {.bytes = 1'000'000});
  run(pipeline, query_of("The cat sat"));
  const Error error = error_of([&] { run(pipeline, query_of(words(5000))); });
  EXPECT_THAT(error.message(), Not(HasSubstr("Close another text")));
}

}  // namespace
}  // namespace headlight

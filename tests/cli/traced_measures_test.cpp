// What `trace` writes of a model, opened again as maps from a file, measures as the model did.
#include <gmock/gmock.h>

#include <cmath>

#include "app/document/document.h"
#include "engine/pipeline/pipeline.h"
#include "tests/cli/program.h"

namespace headlight {
namespace {

using testing::ProgramFolder;
using testing::ProgramResult;

void expect_same(const HeadSummary& read, const HeadSummary& live) {
  for (const Measure& measure : head_measures()) {
    const double was = live.value(measure.id), is = read.value(measure.id);
    EXPECT_EQ(std::isnan(is), std::isnan(was)) << measure.id;
    if (std::isnan(was)) continue;
    EXPECT_NEAR(is, was, 1e-6 * std::max(1.0, std::abs(was))) << measure.id;
  }
  EXPECT_EQ(read.informative_rows, live.informative_rows);
  EXPECT_EQ(read.masked_rows, live.masked_rows);
  EXPECT_EQ(read.largest, live.largest);
  EXPECT_EQ(*read.pooled.whole(), *live.pooled.whole());
}

class TracedMeasures : public ::testing::Test {
 protected:
  std::shared_ptr<const Snapshot> run(const Query& query) {
    SilentProgress progress;
    return Pipeline(1).run(query, progress);
  }

  /// `options` as for `trace`: once live, by the document that `save` makes of them, and once from the file that `trace` writes.
  void expect_same_measures(const std::string& options, const std::string& file = "t.safetensors") {
    SCOPED_TRACE(options);
    for (const std::string& line : {"headlight save " + options + " -o d.json", "headlight trace " + options + " -o " + file}) {
      const ProgramResult result = folder_.run_line(line);
      ASSERT_EQ(result.status, 0) << result.error;
    }
    const auto live = run(load_document(folder_ / "d.json").query);
    Query query;
    query.model.name = (folder_ / file).string();
    const auto read = run(query);
    ASSERT_TRUE(read->is_dump());
    ASSERT_EQ(read->layers(), live->layers());
    for (int layer = 0; layer < live->layers(); ++layer) {
      ASSERT_EQ(read->heads(layer), live->heads(layer));
      for (int head = 0; head < live->heads(layer); ++head) {
        SCOPED_TRACE(live->layer_name(layer) + ", head " + std::to_string(head));
        expect_same(read->summary({layer, head}), live->summary({layer, head}));
      }
    }
  }
  ProgramFolder folder_;
};

const std::string kSandbox = "-m sandbox --layers 2 --heads 2 --d-model 16 -t 'The cat sat on the mat' ";

std::string reference_model(const std::string& name) {
  return std::string("-m ") + HEADLIGHT_TESTS_DIR + "/reference/models/" + name + " -t 'The cat sat on the mat' ";
}

TEST_F(TracedMeasures, OfACausalModelAreThoseOfTheModel) {
  expect_same_measures(kSandbox);
  expect_same_measures(kSandbox, "t.npz");
  expect_same_measures(reference_model("gpt2"));
}

TEST_F(TracedMeasures, OfABidirectionalModelAreThoseOfTheModel) {
  expect_same_measures(kSandbox + "--bidirectional");
  expect_same_measures(kSandbox + "--bidirectional", "t.npz");
  expect_same_measures(reference_model("bert-mlm"));
}

TEST_F(TracedMeasures, UnderPaddingAndMaskTextsAreThoseOfTheModel) {
  for (const std::string mask : {"padding:4", "window:2", "causal + window:3", "prefix:3", "causal + no-self", "k != 2"}) {
    expect_same_measures(kSandbox + "--bidirectional --mask '" + mask + "'");
    expect_same_measures(kSandbox + "--mask '" + mask + "'", "t.npz");
  }
}

TEST_F(TracedMeasures, UnderMasksOfSingleHeadsAndCellsAreThoseOfTheModel) {
  expect_same_measures(kSandbox + "--mask 0.1@window:2 --mask 1@none");
  expect_same_measures(kSandbox + "--bidirectional --deny 2:0-4,3:*", "t.npz");
}

TEST_F(TracedMeasures, OfAnEncoderDecoderAreThoseOfTheModel) {
  expect_same_measures(kSandbox + "--encoder-decoder --decoder-text 'a b c'");
  expect_same_measures(kSandbox + "--encoder-decoder --decoder-text 'a b c' --mask cross@padding:4", "t.npz");
}

}  // namespace
}  // namespace headlight

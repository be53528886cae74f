// Columns of heads: the shown text measured on the desk, what chance gives, and scores from files.
#include <gmock/gmock.h>

#include <cmath>

#include "app/work/columns/chance_columns.h"
#include "app/work/columns/column_shelf.h"
#include "app/work/columns/score_file.h"
#include "app/work/columns/text_columns.h"
#include "engine/studies/text_measures.h"
#include "tests/testing.h"
#include "tests/work/queries.h"
#include "tests/work/snapshots.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::vector<std::string> kIds{"normalised-entropy", "previous-token", "mean-distance-without-first-token", "output-norm"};

std::vector<HeadId> two_by_two() {
  return {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
}

TEST(TextColumns, AreWhatMeasuringThePictureGives) {
  Worker worker(1);
  TextColumns columns(worker);
  const auto snapshot = testing::snapshot_of(testing::small_query("a b a c a b"));
  columns.ask(snapshot, kIds);
  testing::wait_until_idle(worker);
  const auto found = columns.ask(snapshot, kIds);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->layers, 2);
  std::vector<MeasureRequest> requests;
  for (const std::string& id : kIds) requests.push_back(measure_request(id, "test"));
  SilentProgress progress;
  for (const HeadValues& head : measure_snapshot(*snapshot, requests, false, progress)) {
    for (std::size_t i = 0; i < kIds.size(); ++i) {
      EXPECT_EQ(found->columns[i]->id, kIds[i]);
      EXPECT_EQ(found->columns[i]->values.of(head.head), head.values[i]);
      EXPECT_EQ(found->columns[i]->rows.of(head.head), static_cast<double>(head.rows[i]));
      EXPECT_EQ(found->columns[i]->texts, 1);
    }
  }
}

TEST(TextColumns, AMeasureMoreKeepsThoseThatAreKnownAndAnotherTextMeasuresAllAgain) {
  Worker worker(1);
  TextColumns columns(worker);
  const auto first = testing::snapshot_of(testing::small_query("a b a c a b"));
  columns.ask(first, {"confidence"});
  testing::wait_until_idle(worker);
  const auto before = columns.ask(first, {"confidence"});
  columns.ask(first, {"confidence", "entropy"});
  testing::wait_until_idle(worker);
  const auto more = columns.ask(first, {"confidence", "entropy"});
  ASSERT_EQ(more->columns.size(), 2U);
  EXPECT_EQ(more->columns[0]->values.of({1, 1}), before->columns[0]->values.of({1, 1}));
  EXPECT_FALSE(std::isnan(more->columns[1]->values.of({1, 1})));
  const auto second = testing::snapshot_of(testing::small_query("d e f g"));
  columns.ask(second, {"confidence", "entropy"});
  testing::wait_until_idle(worker);
  const auto other = columns.ask(second, {"confidence", "entropy"});
  EXPECT_EQ(other->snapshot, second);
  EXPECT_NE(other->columns[0]->values.of({1, 1}), more->columns[0]->values.of({1, 1}));
}

TEST(ChanceColumns, GiveEveryMeasureBothBaselinesWithMeanAndDeviationOfEveryHead) {
  Worker worker(1);
  ChanceColumns chance(worker);
  const auto snapshot = testing::snapshot_of(testing::small_query("a b a c a b d"));
  const std::vector<std::string> ids{"normalised-entropy", "previous-token"};
  chance.ask(snapshot, ids);
  testing::wait_until_idle(worker);
  const auto found = chance.ask(snapshot, ids);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->baselines.size(), 2U);
  for (const auto& of_measure : found->baselines) {
    ASSERT_EQ(of_measure.size(), 2U);
    EXPECT_EQ(of_measure[0].name, "random weights");
    EXPECT_EQ(of_measure[1].name, "shuffled tokens");
    for (const ColumnBaseline& baseline : of_measure) {
      EXPECT_EQ(baseline.draws, kDrawsBesideChance);
      double sum = 0;
      for (const HeadId head : two_by_two()) sum += baseline.means.of(head);
      EXPECT_NEAR(baseline.mean, sum / 4, 1e-12);
      EXPECT_GT(baseline.deviations.of({1, 0}), 0);
      EXPECT_NEAR(baseline.z_score({1, 0}, baseline.means.of({1, 0}) + 2 * baseline.deviations.of({1, 0})), 2, 1e-9);
    }
  }
}

TEST(ColumnShelf, ASourceIsReplacedByItsIdAndAnEmptyGroupIsGone) {
  ColumnShelf shelf;
  shelf.set_source({.id = "corpus", .title = "one"});
  shelf.set_source({.id = "corpus", .title = "two"});
  ASSERT_EQ(shelf.sources().size(), 1U);
  EXPECT_EQ(shelf.source("corpus")->title, "two");
  shelf.remove_source("corpus");
  EXPECT_EQ(shelf.source("corpus"), nullptr);
  shelf.set_group("questions", {std::make_shared<const HeadColumn>(HeadColumn{.id = "q"})});
  EXPECT_EQ(shelf.grouped().size(), 1U);
  shelf.set_group("questions", {});
  EXPECT_TRUE(shelf.grouped().empty());
}

class ScoreFile : public ::testing::Test {
 protected:
  HeadColumns read(const std::string& text) {
    folder_.file("scores.csv", text);
    SilentProgress progress;
    return read_scores(folder_ / "scores.csv", two_by_two(), progress);
  }
  std::string problem_of(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.message();
    }
    ADD_FAILURE() << "accepted: " << text;
    return {};
  }
  testing::TemporaryFolder folder_;
};

TEST_F(ScoreFile, EveryColumnButLayerHeadAndNIsAColumnOfHeads) {
  const HeadColumns columns =
      read("\xEF\xBB\xBFlayer,head,n,retrieval,previous-token,previous-token.se\r\n0,0,12,0.5,0.25,0.01\r\n1,1,12,,NA,\n");
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0]->id, "scores.csv:retrieval");
  EXPECT_EQ(columns[0]->title, "retrieval");
  EXPECT_EQ(columns[0]->texts, 12);
  EXPECT_EQ(columns[0]->origin, ColumnOrigin::imported);
  EXPECT_EQ(columns[0]->values.of({0, 0}), 0.5);
  EXPECT_TRUE(std::isnan(columns[0]->values.of({1, 1})));
  EXPECT_TRUE(std::isnan(columns[0]->values.of({0, 1}))) << "the file does not name it";
  EXPECT_EQ(columns[1]->title, "previous token") << "a measure is known by its id";
  ASSERT_TRUE(columns[1]->request);
  EXPECT_EQ(columns[1]->errors.of({0, 0}), 0.01);
  EXPECT_TRUE(holds_scores(folder_ / "scores.csv"));
}

TEST_F(ScoreFile, SemicolonsAndTabsSeparateColumnsToo) {
  for (const std::string text : {"layer;head;score\n0;1;2\n", "layer\thead\tscore\n0\t1\t2\n"}) {
    const HeadColumns columns = read(text);
    ASSERT_EQ(columns.size(), 1U);
    EXPECT_EQ(columns[0]->values.of({0, 1}), 2);
    EXPECT_TRUE(holds_scores(folder_ / "scores.csv"));
  }
}

TEST_F(ScoreFile, AWrongFileIsRefusedWithItsNameTheLineAndTheReason) {
  EXPECT_THAT(problem_of("head,score\n0,1\n"), AllOf(HasSubstr("scores.csv"), HasSubstr("line 1"), HasSubstr("layer")));
  EXPECT_THAT(problem_of(""), HasSubstr("empty"));
  EXPECT_THAT(problem_of("layer,head\n0,0\n"), HasSubstr("no scores"));
  EXPECT_THAT(problem_of("layer,head,a\n"), HasSubstr("no line for a head"));
  EXPECT_THAT(problem_of("layer,head,a,a\n0,0,1,2\n"), HasSubstr("same name"));
  EXPECT_THAT(problem_of("layer,head,a,\n0,0,1,2\n"), HasSubstr("no name"));
  EXPECT_THAT(problem_of("layer,head,a\n0,0,1\n0,1\n"), AllOf(HasSubstr("line 3"), HasSubstr("fields")));
  EXPECT_THAT(problem_of("layer,head,a\n0,0,1\n0,5,1\n"),
              AllOf(HasSubstr("line 3"), HasSubstr("no such head"), HasSubstr("layers 0 to 1")));
  EXPECT_THAT(problem_of("layer,head,a\n0,0,1\n0,0,2\n"), AllOf(HasSubstr("line 3"), HasSubstr("twice"), HasSubstr("line 2")));
  EXPECT_THAT(problem_of("layer,head,a\nx,0,1\n"), AllOf(HasSubstr("line 2"), HasSubstr("whole number")));
  EXPECT_THAT(problem_of("layer,head,a\n0,0,high\n"), AllOf(HasSubstr("line 2"), HasSubstr("\"high\""), HasSubstr("\"a\"")));
  EXPECT_THAT(problem_of("layer,head,a\n0,0,inf\n"), HasSubstr("line 2"));
  EXPECT_THAT(problem_of("layer,head,length,n,a\n0,0,64,1,1\n"), HasSubstr("--length-bins"));
  EXPECT_THAT(problem_of("layer,head,a\n0,0,\"1\n"), HasSubstr("quote"));
}

TEST_F(ScoreFile, TheDeskReadsSeveralAndSaysOfEachWhatIsWrongWithIt) {
  folder_.file("good.csv", "layer,head,a\n0,0,1\n");
  folder_.file("bad.csv", "layer,head,a\n7,7,1\n");
  Worker worker(1);
  ScoreFiles files(worker);
  const ScoreFiles::Request request{{(folder_ / "good.csv").string(), (folder_ / "bad.csv").string()}, two_by_two(), 1};
  files.ask(request);
  testing::wait_until_idle(worker);
  const auto found = files.ask(request);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->files[0].columns.size(), 1U);
  EXPECT_EQ(found->files[0].problem, "");
  EXPECT_TRUE(found->files[1].columns.empty());
  EXPECT_THAT(found->files[1].problem, HasSubstr("bad.csv"));
}

}  // namespace
}  // namespace headlight

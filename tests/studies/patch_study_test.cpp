// Patches of every text of a file from its partner.
#include "engine/studies/importance/patch_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/model/files/load_model.h"
#include "engine/studies/importance/patch_report.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

class PatchStudies : public ::testing::Test {
 protected:
  PatchStudies() {
    query_.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
    model_ = load_model(query_.model, silent_);
    plan_ = std::make_unique<EffectPlan>(model_, query_, parse_target("loss"));
  }
  PatchStudy study(const std::string& table, PatchedPart part, int threads = 2) {
    const std::filesystem::path file = folder_.file("pairs.csv", table);
    CorpusReader texts(file, corpus_format(file, "", false)), partners(file, corpus_format(file, "from", false));
    ThreadPool pool(threads);
    return study_patches(*plan_, query_, texts, partners, part, pool, silent_);
  }
  PatchSweep sweep(const std::string& text, const std::string& partner, PatchedPart part) {
    const auto tokens = [&](const std::string& of) {
      Query query = query_;
      query.text = of;
      return plan_->run().tokens_of(query);
    };
    ThreadPool pool(1);
    return sweep_patches(*plan_, tokens(text), tokens(partner), part, pool, silent_);
  }
  testing::TemporaryFolder folder_;
  SilentProgress silent_;
  Query query_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<EffectPlan> plan_;
};

TEST_F(PatchStudies, AreTheMeansOfTheSweepsOfEachText) {
  const std::string table = "text,from\nthe animal did not cross,the cross did not animal\na cat,a animal\n";
  for (const PatchedPart part : {PatchedPart::z, PatchedPart::stream}) {
    const PatchSweep one = sweep("the animal did not cross", "the cross did not animal", part), two = sweep("a cat", "a animal", part);
    const PatchStudy found = study(table, part);
    EXPECT_TRUE(found.skipped.empty());
    EXPECT_EQ(found.unpatched.count, 2);
    ASSERT_EQ(found.places.size(), std::max(one.values.size(), two.values.size()));
    for (const PatchedPlace& place : found.places) {
      std::vector<double> changes, differences;
      for (const PatchSweep* const each : {&one, &two}) {
        for (const PatchValue& value : each->values) {
          if (value.layer != place.layer || value.head != place.head || value.position != place.position) continue;
          changes.push_back(value.value - each->unpatched);
          differences.push_back(each->other - each->unpatched);
        }
      }
      ASSERT_EQ(static_cast<std::size_t>(place.change.count), changes.size()) << "a shorter text does not reach all positions";
      const bool has_two = changes.size() == 2;
      const double mean = has_two ? (changes[0] + changes[1]) / 2 : changes[0];
      const double difference = has_two ? (differences[0] + differences[1]) / 2 : differences[0];
      EXPECT_NEAR(place.change.mean(), mean, 1e-11);
      EXPECT_EQ(std::isnan(place.change.standard_error()), !has_two);
      const double error = has_two ? std::abs(changes[0] - changes[1]) / 2 : 0;  // √(Σ (x − mean)² / (n − 1) / n) of two
      EXPECT_NEAR(has_two ? place.change.standard_error() : 0, error, 1e-9);
      EXPECT_NEAR(place.recovered(), mean / difference, 1e-6);
    }
  }
}

TEST_F(PatchStudies, AreTheSameForAnyNumberOfThreadsAndListWhatIsLeftOut) {
  const std::string table =
      "from,text\nthe old animal,the old cross\n\nthe old,the old man\n,the cat\nthe cat,\n\"the, old animal\",the old man\na cat,a "
      "animal\n";
  const PatchStudy one = study(table, PatchedPart::z, 1), three = study(table, PatchedPart::z, 3);
  EXPECT_EQ(patch_csv(one), patch_csv(three));
  EXPECT_EQ(patch_json(one, "loss"), patch_json(three, "loss"));
  ASSERT_EQ(one.skipped.size(), 3U);
  EXPECT_EQ(one.skipped[0].line, 4U);
  EXPECT_THAT(one.skipped[0].problem, HasSubstr("the other text has 4 tokens and this one 6"));
  EXPECT_THAT(one.skipped[1].problem, HasSubstr("its partner: the text is empty"));
  EXPECT_EQ(one.skipped[2].problem, "the text is empty");
  EXPECT_EQ(one.unpatched.count, 3);
}

TEST_F(PatchStudies, ATextThatIsItsOwnPartnerChangesNothing) {
  const PatchStudy found = study("text,from\nthe old man,the old man\n", PatchedPart::stream);
  for (const PatchedPlace& place : found.places) {
    EXPECT_EQ(place.change.mean(), 0);
    EXPECT_TRUE(std::isnan(place.recovered()));
  }
  EXPECT_THAT(patch_csv(found), HasSubstr("\n0,0,1,0,,\n"));
}

TEST_F(PatchStudies, AFileWithoutAPairIsRefusedWithTheFirstReason) {
  const Error error = error_of([&] { study("text,from\nthe old man,the\n", PatchedPart::z); });
  EXPECT_THAT(error.message(), HasSubstr("no text of the file can be patched"));
  EXPECT_THAT(error.message(), HasSubstr("in line 2: the other text has"));
}

}  // namespace
}  // namespace headlight

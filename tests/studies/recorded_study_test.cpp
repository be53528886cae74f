// What built-in models measured on sixty passages of their generator, recorded: every machine finds the same digits.
#include <gtest/gtest.h>

#include "engine/model/files/load_model.h"
#include "engine/model/files/model_places.h"
#include "engine/studies/study_run.h"
#include "engine/studies/study_tables.h"
#include "tests/testing.h"

namespace headlight {
namespace {

std::string study_of(const std::string& model) {
  const std::filesystem::path tests = HEADLIGHT_TESTS_DIR;
  Query query;
  query.model.name = (tests.parent_path() / "assets" / "models" / model).string();
  StoredStudy stored;
  stored.manifest.measures = {};
  for (const MeasureRequest& request : measure_requests("all,beyond-distance:4,sink:0,key-set:punctuation", "test")) {
    stored.manifest.measures.push_back(request.id);
  }
  stored.manifest.longest = 4096;
  const StudySettings settings = stored.manifest.settings();
  SilentProgress progress;
  const PassingRun passing(load_model(query.model, progress), query);
  stored.study = CorpusStudy(heads_of(passing), settings);
  ThreadPool pool(2);
  const auto path = tests / "reference" / "studies" / "sentences.txt";
  CorpusReader corpus(path, corpus_format(path, "", false));
  run_study({.run = passing, .settings = settings, .query = query, .pool = pool}, corpus, stored.study, progress);
  return study_csv(stored, {});
}

/// The record's name says which training of the model it is of: one of another training is recorded anew, by the command in README.md beside it.
void expect_recorded(const std::string& model, int version) {
  const auto path = std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "studies" / (model + "." + std::to_string(version) + ".csv");
  ASSERT_TRUE(std::filesystem::exists(path)) << "this training is not recorded yet: README.md beside the records has the command";
  EXPECT_EQ(study_of(model), testing::bytes_of(path)) << "not what " << path.filename() << " says";
}

TEST(RecordedStudy, OfStoryGptIsFoundAgainToTheLastDigit) {
  expect_recorded("story-gpt", version_of_built_in("story-gpt"));
}

TEST(RecordedStudy, OfTheModelBuiltByHandIsFoundAgainToTheLastDigit) {
  expect_recorded("induction-by-hand", version_of_built_in("induction-by-hand"));
}

}  // namespace
}  // namespace headlight

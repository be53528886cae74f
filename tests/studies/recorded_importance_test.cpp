// What each head of story-gpt does to the number of a verb far from its subject, over all held-out sentences that have one, recorded.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/files/load_model.h"
#include "engine/model/files/model_places.h"
#include "engine/studies/importance/effect_study.h"
#include "engine/studies/study_run.h"
#include "engine/studies/study_tables.h"
#include "tests/testing.h"

namespace headlight {
namespace {

StoredStudy importance_of(const std::filesystem::path& texts, std::string_view target) {
  const std::vector<EffectMethod> methods = {EffectMethod::zero, EffectMethod::mean, EffectMethod::gate};
  Query query;
  query.model.name = (std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path() / "assets" / "models" / "story-gpt").string();
  StoredStudy stored;
  for (const EffectMethod method : methods) stored.manifest.measures.emplace_back(effect_row(method).measure.id);
  stored.manifest.longest = 4096;
  StudySettings settings;
  for (const std::string& id : stored.manifest.measures) settings.requests.push_back(study_request(id, "test"));
  SilentProgress progress;
  ThreadPool pool(2);
  const EffectPlan plan(load_model(query.model, progress), query, parse_target(target));
  CorpusReader others(texts, corpus_format(texts, "", false)), corpus(texts, corpus_format(texts, "", false));
  const OtherTexts other = read_other_texts(plan, query, others, 4096, 1, pool, progress);
  stored.study = CorpusStudy(heads_of(plan.run()), settings);
  run_study({.run = plan.run(),
             .settings = settings,
             .query = query,
             .pool = pool,
             .measure = [&](const CorpusText&, const TokenStage& tokens, ThreadPool& alone,
                            const Watch& watch) { return measure_effects(plan, methods, &other, tokens, alone, watch); }},
            corpus, stored.study, progress);
  return stored;
}

/// The head that changes the target most on the average.
HeadId first_by(const StoredStudy& stored, std::size_t method) {
  HeadId first;
  double most = -1;
  for (std::size_t head = 0; head < stored.study.heads().size(); ++head) {
    const StudyCell cell = stored.study.cell_of_all_lengths(head, method);
    const double size = std::abs(numbers_of(cell, *study_request(stored.manifest.measures[method], "test").measure).mean);
    if (size > most) first = stored.study.heads()[head];
    most = std::max(most, size);
  }
  return first;
}

void expect_recorded_ranking(const std::string& name, std::string_view target, std::int64_t texts) {
  const auto folder = std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "studies";
  const StoredStudy stored = importance_of(folder / (name + ".txt"), target);
  EXPECT_EQ(stored.study.texts(), texts) << "every sentence counts";
  const std::string record = "story-gpt." + std::to_string(version_of_built_in("story-gpt")) + "." + name + ".csv";
  ASSERT_TRUE(std::filesystem::exists(folder / record))
      << "this training is not recorded yet: README.md beside the records has the command";
  EXPECT_EQ(study_csv(stored, {}), testing::bytes_of(folder / record));
  for (std::size_t method = 0; method < stored.manifest.measures.size(); ++method)
    EXPECT_EQ(first_by(stored, method), (HeadId{2, 1})) << stored.manifest.measures[method] << ": the card's subject head";
}

// Seeds S2-13
TEST(RecordedImportance, TheCardsSubjectHeadComesFirstWhereTheSubjectIsSingular) {
  expect_recorded_ranking("far-singular", "logit:is-are", 58);
}

TEST(RecordedImportance, TheCardsSubjectHeadComesFirstWhereTheSubjectIsPlural) {
  expect_recorded_ranking("far-plural", "logit:are-is", 30);
}

}  // namespace
}  // namespace headlight

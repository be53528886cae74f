// Patches of every text of a file from its partner.
#include "engine/studies/importance/patch_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "engine/model/files/load_model.h"
#include "engine/studies/importance/effect_job.h"
#include "engine/studies/importance/patch_report.h"
#include "engine/studies/study_run.h"
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
  /// Part k of n of a study of a table.
  StoredStudy stored(const std::string& table, PatchedPart patched, int threads = 2, StudyPart part = {}, int top = 0) {
    const std::filesystem::path file = folder_.file("pairs.csv", table);
    ThreadPool pool(threads);
    CorpusFormat format = corpus_format(file, "", false);
    format.partner_column = "from";
    const auto pairs = [&] { return std::make_unique<CorpusReader>(file, format); };
    const EffectJob job{.methods = {}, .target = parse_target("loss"), .seed = 1, .part = patched, .top = top};
    EffectMeasurer measurer(model_, query_, job, pool, silent_);
    PatchedPositions positions(query_, pairs(), 4096);
    while (positions.advance(plan_->run(), silent_)) {
    }
    measurer.take_positions(positions.most());
    const StudySettings settings = job.settings(4096);
    StoredStudy found{{}, CorpusStudy(measurer.places(), settings)};
    for (const MeasureRequest& request : settings.requests) found.manifest.measures.push_back(request.id);
    found.manifest.longest = 4096;
    found.manifest.top = top;
    found.manifest.target = job.target_text();
    found.study.part = part;
    const TextMeasurer measure = [&](const CorpusText& text, const TokenStage& tokens, ThreadPool& alone, const Watch& watch) {
      return measurer.measure(text, tokens, alone, watch);
    };
    const auto texts = pairs();
    run_study({.run = plan_->run(), .settings = settings, .query = query_, .pool = pool, .measure = measure}, *texts, found.study, silent_);
    return found;
  }
  PatchStudy study(const std::string& table, PatchedPart part, int threads = 2) { return *patch_study_of(stored(table, part, threads)); }
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
  EXPECT_THAT(one.skipped[0].reason, HasSubstr("the other text has 4 tokens and this one 6"));
  EXPECT_THAT(one.skipped[1].reason, HasSubstr("its partner: the text is empty"));
  EXPECT_EQ(one.skipped[2].reason, "the text is empty");
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

TEST_F(PatchStudies, OfAFileWithoutAPairHaveNoPlaceByPosition) {
  const PatchStudy found = study("text,from\nthe old man,the\n", PatchedPart::stream);
  EXPECT_EQ(found.texts, 0);
  EXPECT_TRUE(found.places.empty());
  ASSERT_EQ(found.skipped.size(), 1U);
  EXPECT_THAT(found.skipped[0].reason, HasSubstr("the other text has"));
}

TEST_F(PatchStudies, ShardsGiveWhatOneRunGivesToTheBit) {
  const std::string table =
      "text,from\nthe old animal,the old cross\na cat,a animal\n\nthe old,the old man\nthe animal did not cross,the cross did not animal\n";
  for (const PatchedPart part : {PatchedPart::stream, PatchedPart::layer_z, PatchedPart::z, PatchedPart::pattern}) {
    const StoredStudy whole = stored(table, part, 3);
    std::vector<std::filesystem::path> shards;
    for (const int number : {1, 2, 3}) {
      const StoredStudy shard = stored(table, part, number, {number, 3, 0, false});
      EXPECT_EQ(shard.study.heads(), whole.study.heads()) << "places are those of the whole file";
      shards.push_back(folder_ / ("part-" + std::to_string(number)));
      write_study(shards.back(), shard.manifest, shard.study);
    }
    const StoredStudy merged = merge_studies(shards, silent_);
    EXPECT_EQ(study_bytes(merged.manifest, merged.study), study_bytes(whole.manifest, whole.study));
    const std::string bytes = study_bytes(whole.manifest, whole.study);
    EXPECT_EQ(patch_csv(*patch_study_of(read_study_bytes(bytes, "file"))), patch_csv(*patch_study_of(whole)));
    EXPECT_EQ(is_by_position(whole.manifest), is_by_position(part));
    EXPECT_EQ(effect_job_of(whole.manifest)->part, part);
  }
}

TEST_F(PatchStudies, KeepTheTextsThatAPatchChangesMostUpOrDown) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"the old animal", "the old cross"}, {"a cat", "a animal"}, {"the animal did not cross", "the cross did not animal"}};
  std::string table = "text,from\n";
  for (const auto& [text, from] : pairs) table += text + "," + from + "\n";
  for (const PatchedPart part : {PatchedPart::z, PatchedPart::stream}) {
    const StoredStudy found = stored(table, part, 2, {}, 2);
    std::vector<PatchSweep> sweeps;
    for (const auto& [text, from] : pairs) sweeps.push_back(sweep(text, from, part));
    for (std::size_t place = 0; place < found.study.heads().size(); ++place) {
      const HeadId at = found.study.heads()[place];
      std::vector<std::pair<double, std::string>> sizes;  // of each text that reaches the place
      for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
        for (const PatchValue& value : sweeps[pair].values) {
          if (value.layer == at.layer && std::max<Index>(value.head, value.position) == at.head)
            sizes.emplace_back(std::abs(value.value - sweeps[pair].unpatched), pairs[pair].first);
        }
      }
      std::sort(sizes.begin(), sizes.end(), std::greater<>());
      const std::vector<TopExample> kept = found.study.cell_of_all_lengths(place, kPatchChange).top;
      ASSERT_EQ(kept.size(), std::min<std::size_t>(2, sizes.size()));
      for (std::size_t rank = 0; rank < kept.size(); ++rank) {
        EXPECT_EQ(kept[rank].value, sizes[rank].first);
        const bool is_alone = rank + 1 == sizes.size() || sizes[rank + 1].first < sizes[rank].first;
        if (sizes[rank].first > 0 && is_alone) {
          EXPECT_EQ(*kept[rank].text, sizes[rank].second);
        }
        EXPECT_EQ(kept[rank].query, part == PatchedPart::stream ? at.head : -1) << "the loss is of all positions";
      }
      EXPECT_TRUE(found.study.cell_of_all_lengths(place, kPatchUnpatched).top.empty()) << "it is no change";
    }
    const std::string bytes = study_bytes(found.manifest, found.study);
    const StoredStudy read = read_study_bytes(bytes, "file");
    EXPECT_EQ(study_bytes(read.manifest, read.study), bytes);
    EXPECT_EQ(effect_job_of(read.manifest)->top, 2);
  }
}

TEST_F(PatchStudies, AreWrittenAsTablesOfPatches) {
  const StoredStudy found = stored("text,from\nthe old animal,the old cross\n", PatchedPart::z);
  for (const std::string ending : {".csv", ".json", ".study"}) write_found(folder_ / ("out" + ending), found, {});
  EXPECT_EQ(testing::bytes_of(folder_ / "out.csv"), patch_csv(*patch_study_of(found)));
  EXPECT_THAT(testing::bytes_of(folder_ / "out.json"), HasSubstr("standard_error"));
  EXPECT_EQ(read_study(folder_ / "out.study").study.texts(), 1);
  EXPECT_THAT(error_of([&] { write_found(folder_ / "out.npy", found, {}); }).message(), HasSubstr(".csv, .json or .study"));
  EXPECT_THAT(error_of([&] { write_found(folder_ / "out.csv", found, {true}); }).message(),
              HasSubstr("always contains the counts and standard errors"));
}

TEST_F(PatchStudies, RefuseATargetThatComparesWithTheUneditedRun) {
  ThreadPool pool(1);
  const EffectJob job{.methods = {}, .target = parse_target("kl"), .seed = 1, .part = PatchedPart::z};
  EXPECT_THAT(error_of([&] { EffectMeasurer(model_, query_, job, pool, silent_); }).message(), HasSubstr("compares a run with itself"));
}

}  // namespace
}  // namespace headlight

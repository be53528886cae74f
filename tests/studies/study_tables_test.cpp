// A study as tables: rows of lengths and of all texts, quantiles with the digits that are known, labels that say what they were measured on.
#include "engine/studies/study_tables.h"

#include <gmock/gmock.h>

#include "engine/model/model.h"
#include "engine/studies/study_run.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPrevious = "previous-token-without-first-token";

/// One head, measured on texts of so many tokens each.
StoredStudy study_of(const StudyManifest& manifest, const std::vector<std::pair<Index, double>>& texts) {
  StoredStudy stored{manifest, CorpusStudy({{0, 0}}, manifest.settings())};
  for (const auto& [tokens, value] : texts) {
    MeasuredCorpusText text;
    text.tokens = tokens;
    text.source.text = "a text";
    text.heads.push_back({.head = {0, 0}, .values = {value}, .rows = {2}, .cells = {BestCell{}}});
    stored.study.add(std::move(text));
  }
  return stored;
}

StudyManifest of_measure(const std::string& measure) {
  StudyManifest manifest;
  manifest.corpus = "stories.txt";
  manifest.measures = {measure};
  manifest.longest = 4096;
  return manifest;
}

TEST(StudyTables, AHeadHasARowForEachBinOfLengthsAndOneForAllTexts) {
  StudyManifest manifest = of_measure(kPrevious);
  manifest.length_edges = {4, 8};
  manifest.top = 1;
  const StoredStudy stored = study_of(manifest, {{3, 0.25}, {9, 0.75}});
  EXPECT_EQ(
      study_csv(stored, {}),
      "layer,head,length_from,length,n,previous-token-without-first-token\n0,0,1,4,1,0.25\n0,0,5,8,0,\n0,0,9,,1,0.75\n0,0,1,,2,0.5\n");
  const std::string jsonl = study_jsonl(stored);
  EXPECT_EQ(std::count(jsonl.begin(), jsonl.end(), '\n'), 5);
  EXPECT_THAT(jsonl, HasSubstr(R"({"layer":0,"head":0,"length_from":5,"length":8,"n":0,)"));
  EXPECT_THAT(jsonl, HasSubstr(R"({"layer":0,"head":0,"length_from":9,"length":null,"n":1,)"));
  EXPECT_THAT(jsonl, HasSubstr(R"({"layer":0,"head":0,"length_from":1,"length":null,"n":2,)"));
  const std::string npy = study_npy(stored, {});
  EXPECT_THAT(npy, HasSubstr("('length_from', '<i8'), ('length', '<i8'), ('n', '<i8')"));
  EXPECT_THAT(npy, HasSubstr("'shape': (4,)"));
  EXPECT_EQ(numbers_of(stored.study, stored.manifest, 3, 0, 0).n, 2);
  EXPECT_EQ(cell_of_row(stored.study, 3, 0, 0).top.size(), 1U) << "equal texts once, also of different lengths";
}

TEST(StudyTables, WithoutBinsOfLengthsAHeadHasOneRowThatNamesNone) {
  const StoredStudy stored = study_of(of_measure(kPrevious), {{3, 0.25}, {9, 0.75}});
  EXPECT_EQ(study_csv(stored, {}), "layer,head,n,previous-token-without-first-token\n0,0,2,0.5\n");
  EXPECT_THAT(study_jsonl(stored), Not(HasSubstr("length_from")));
  EXPECT_THAT(study_npy(stored, {}), Not(HasSubstr("length")));
  const TextsOfRow all = texts_of_row(stored, 0);
  EXPECT_EQ(all.from, 1);
  EXPECT_FALSE(all.most);
  EXPECT_EQ(all.n, 2);
}

TEST(StudyTables, LabelsNameTheTextsThatTheyWereMeasuredOn) {
  StudyManifest manifest = of_measure(kPrevious);
  manifest.length_edges = {4};
  const StoredStudy stored = study_of(manifest, {{3, 0.25}, {9, 0.875}, {9, 0.75}, {9, 0.75}});
  const std::string title = "previous token without the first token";
  EXPECT_THAT(study_jsonl(stored), HasSubstr(title + ": 0.792 (threshold 0.5, 3 texts of stories.txt)"));
  EXPECT_THAT(study_jsonl(stored), HasSubstr(title + ": 0.656 (threshold 0.5, 4 texts of stories.txt)"));
  const testing::TemporaryFolder folder;
  write_study_table(folder / "a.sqlite", stored, {});
  EXPECT_THAT(testing::bytes_of(folder / "a.sqlite"), HasSubstr(title + ": 0.656 (threshold 0.5, 4 texts of stories.txt)"));
}

TEST(StudyTables, QuantilesHaveTheDigitsThatTheirBinsCanTell) {
  const Measure &share = measure_of(all_measures(), "previous-token"), &distance = measure_of(all_measures(), "mean-distance");
  EXPECT_EQ(told_quantile(share, 0.123456789), 0.123);
  EXPECT_EQ(told_quantile(share, 0.99951), 1);
  EXPECT_EQ(told_quantile(share, 0.0039), 0.003) << "in the first bin, which ends at 0.00390625";
  EXPECT_EQ(quantile_text(share, told_quantile(share, 0.0039)), "< 0.004");
  EXPECT_EQ(quantile_text(share, told_quantile(share, 0.0042)), "0.004") << "in the second: no text is below";
  EXPECT_EQ(told_quantile(distance, 3.14159265), 3.14);
  EXPECT_EQ(told_quantile(distance, 12345.678), 12300);
  EXPECT_EQ(told_quantile(distance, 0.000123456), 0.000123);
  EXPECT_EQ(told_quantile(distance, 1e-12), 0) << "the first bin tells no more";
  EXPECT_TRUE(std::isnan(told_quantile(share, std::nan(""))));
  std::vector<std::pair<Index, double>> texts;
  for (int text = 0; text < 50; ++text) texts.emplace_back(5, text / 49.0);
  const StoredStudy stored = study_of(of_measure(kPrevious), texts);
  for (const double quantile : numbers_of(stored.study, stored.manifest, 0, 0, 0).quantiles)
    EXPECT_EQ(quantile, std::round(quantile * 1000) / 1000);
}

TEST(StudyTables, QuantilesOfOneValueAreThatValueAndOfOneBinLieAmongWhatWasMeasured) {
  const auto quantiles = [](const std::vector<std::pair<Index, double>>& texts) {
    const StoredStudy stored = study_of(of_measure(kPrevious), texts);
    return numbers_of(stored.study, stored.manifest, 0, 0, 0).quantiles;
  };
  EXPECT_THAT(quantiles({{5, 0.998046875}}), Each(0.998046875));
  EXPECT_THAT(quantiles({{5, 0.4375}, {6, 0.4375}, {7, 0.4375}}), Each(0.4375));
  EXPECT_THAT(quantiles({{5, 0.5}, {6, 0.5003}}), Each(0.5)) << "the bin goes on to 0.5039";
  EXPECT_THAT(quantiles({}), Each(::testing::IsNan()));
}

TEST(LongTexts, AreCountedInFilesTablesAndMerges) {
  StoredStudy stored = study_of(of_measure(kPrevious), {{3, 0.25}});
  const std::string none = study_bytes(stored.manifest, stored.study);
  EXPECT_THAT(none, Not(HasSubstr("made_for"))) << "files of other studies are as before";
  EXPECT_EQ(read_study_bytes(none, "file").study.counts.longer, 0);
  MeasuredCorpusText text;
  text.tokens = 9;
  text.made_for = 8;
  text.heads.push_back({.head = {0, 0}, .values = {0.5}, .rows = {2}, .cells = {}});
  stored.study.add(text);
  const StoredStudy read = read_study_bytes(study_bytes(stored.manifest, stored.study), "file");
  EXPECT_EQ(read.study.counts, stored.study.counts);
  EXPECT_EQ(read.study.counts.longer, 1);
  EXPECT_EQ(read.study.counts.made_for, 8);
  EXPECT_THAT(study_jsonl(read), HasSubstr(R"("long_texts":1,"longest":4096,"made_for":8)"));
  CorpusStudy both = read.study;
  both.add(read.study);
  EXPECT_EQ(both.counts.longer, 2);
  EXPECT_EQ(both.counts.made_for, 8);
}

TEST(LongTexts, AreThoseThatAModelWithEndlessPositionsMeasuresWhole) {
  Query query;
  query.model.sandbox = {.layers = 1, .d_model = 16, .heads = 2, .positions = PositionKind::rotary};
  const auto model = std::make_shared<Model>(*make_sandbox(query.model.sandbox));
  model->config.positions.most = 4;
  const PassingRun passing(model, query);
  const StudySettings settings = of_measure(kPrevious).settings();
  CorpusStudy study(heads_of(passing), settings);
  ThreadPool pool(1);
  SilentProgress progress;
  const testing::TemporaryFolder folder;
  const auto path = folder.file("texts.txt", "the cat sat\nthe cat sat on the mat\na dog ran to the cat\nthe cat sat on\n");
  CorpusReader corpus(path, corpus_format(path, "", false));
  run_study({.run = passing, .settings = settings, .query = query, .pool = pool}, corpus, study, progress);
  EXPECT_EQ(study.texts(), 4);
  EXPECT_EQ(study.counts.cut, 0);
  EXPECT_EQ(study.counts.longer, 2);
  EXPECT_EQ(study.counts.made_for, 4);
}

}  // namespace
}  // namespace headlight

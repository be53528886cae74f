// A corpus measured beside the pictures: the same numbers as in one run, whatever comes between, and nothing that was found is lost.
#include "app/work/corpora/corpus_studies.h"

#include <gmock/gmock.h>

#include "app/work/corpora/corpus_columns.h"
#include "app/work/corpora/corpus_manifest.h"
#include "app/work/corpora/empty_corpus.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/load_model.h"
#include "engine/studies/study_tables.h"
#include "tests/testing.h"
#include "tests/work/queries.h"

namespace headlight {
namespace {

using ::testing::HasSubstr;
using testing::small_query;
using testing::wait_until;

std::string bytes_of(const StoredStudy& stored) {
  return study_bytes(stored.manifest, stored.study);
}

class Corpora : public ::testing::Test {
 protected:
  static std::string texts(std::size_t count) {
    const std::vector<std::string> words = {"the", "cat", "sat", "on", "a", "mat", "and", "dog"};
    std::string lines;
    for (std::size_t line = 0; line < count; ++line) {
      for (std::size_t word = 0; word < line % 14; ++word)
        lines += (word == 0 ? "" : " ") + words[(line * line + word * (line + 3)) % words.size()];
      lines += "\n";
    }
    return lines;
  }
  void SetUp() override {
    request_.query = small_query();
    request_.model = make_sandbox(request_.query.model.sandbox);
    request_.texts.file = folder_.file("texts.txt", texts(400));
    request_.settings = {.requests = measure_requests(kUsualMeasures, "test"), .length_edges = {4}, .top = 2, .longest = 12};
    request_.file = folder_ / "kept.study";
  }

  /// Measured in one go, without a desk.
  StoredStudy in_one_run() {
    SilentProgress progress;
    StoredStudy stored{study_manifest(request_.query, request_.settings, digest_of_model(request_.query.model, progress)), {}};
    name_texts(stored.manifest, request_.settings, request_.texts, progress);
    const Query query = without_texts(request_.query);
    const PassingRun passing(request_.model, query);
    stored.study = CorpusStudy(heads_of(passing), request_.settings);
    ThreadPool pool(2);
    CorpusReader corpus(request_.texts.file, request_.texts.format);
    run_study({.run = passing, .settings = request_.settings, .query = query, .pool = pool}, corpus, stored.study, progress);
    return stored;
  }
  void wait_for(CorpusState state) {
    wait_until([&] {
      corpora_.update();
      return corpora_.state() == state;
    });
    wait_until([&] { return worker_.is_idle(); });
    corpora_.update();
  }
  void wait_until_found() {
    wait_until([&] {
      corpora_.update();
      return corpora_.shown() && corpora_.shown()->stored;
    });
  }
  const StoredStudy& shown() { return *corpora_.shown()->stored; }

  const testing::TemporaryFolder folder_;
  CorpusRequest request_;
  Worker worker_{2};
  CorpusStudies corpora_{worker_};
};

TEST_F(Corpora, AFileWithoutTextsIsRefusedAndLeavesNoStudy) {
  EXPECT_FALSE(has_no_texts(request_.texts.file, request_.texts.format));
  request_.texts.file = folder_.file("blank.txt", "\n\n");
  EXPECT_TRUE(has_no_texts(request_.texts.file, request_.texts.format));
  corpora_.start(request_);
  wait_for(CorpusState::refused);
  EXPECT_THAT(corpora_.shown()->problem, HasSubstr("this file contains no texts"));
  EXPECT_FALSE(std::filesystem::exists(request_.file));
}

TEST_F(Corpora, GiveTheNumbersOfOneRunToTheBit) {
  corpora_.start(request_);
  EXPECT_TRUE(corpora_.is_under_way());
  wait_for(CorpusState::finished);
  EXPECT_TRUE(bytes_of(shown()) == bytes_of(in_one_run()));
  EXPECT_EQ(corpora_.shown()->texts_in_all, 400 - 29) << "blank lines are none";
  EXPECT_EQ(shown().study.texts() + shown().study.counts.bad, 400 - 29);
  EXPECT_EQ(corpora_.shown()->file, request_.file);
  EXPECT_TRUE(bytes_of(read_study(request_.file)) == bytes_of(shown()));
}

TEST_F(Corpora, PicturesComeBetweenAndChangeNoBit) {
  folder_.file("texts.txt", texts(12000));
  const std::string whole = bytes_of(in_one_run());
  corpora_.start(request_);
  for (int typed = 0; typed < 40; ++typed) {
    const std::uint64_t generation = worker_.request(small_query("a b c " + std::to_string(typed)), false);
    wait_until([&] { return worker_.status().finished >= generation; });
    corpora_.update();
    if (typed == 5) {
      EXPECT_TRUE(corpora_.is_under_way()) << "the texts are too few to be interrupted";
    }
  }
  wait_for(CorpusState::finished);
  EXPECT_TRUE(bytes_of(shown()) == whole);
}

TEST_F(Corpora, WhatWasFoundStaysWhenARunIsStoppedAndItGoesOnFromThere) {
  folder_.file("texts.txt", texts(12000));
  const std::string whole = bytes_of(in_one_run());
  for (int round = 0; round < 2; ++round) {  // a stop of the corpus, and a cancel of all that is computed
    corpora_.start(request_);
    wait_until_found();
    round == 0 ? corpora_.stop() : worker_.cancel();
    wait_until([&] {
      corpora_.update();
      return !corpora_.is_under_way();
    });
    ASSERT_EQ(corpora_.state(), CorpusState::stopped);
    EXPECT_FALSE(shown().study.part.is_complete);
    EXPECT_TRUE(corpora_.can_go_on());
    wait_for(CorpusState::stopped);
    EXPECT_TRUE(bytes_of(read_study(request_.file)) == bytes_of(shown())) << "kept in its file";
    corpora_.go_on();
    wait_for(CorpusState::finished);
    EXPECT_TRUE(bytes_of(shown()) == whole);
    std::filesystem::remove(request_.file);
  }
}

TEST_F(Corpora, AFileOfAnEarlierSittingIsGoneOnWith) {
  StoredStudy begun = in_one_run();
  const std::string whole = bytes_of(begun);
  begun.study = CorpusStudy(begun.study.heads(), request_.settings);
  {
    const Query query = without_texts(request_.query);
    const PassingRun passing(request_.model, query);
    ThreadPool pool(1);
    SilentProgress progress;
    CorpusReader corpus(request_.texts.file, request_.texts.format);
    const auto stop = [&] { return begun.study.texts() > 0; };
    run_study({.run = passing, .settings = request_.settings, .query = query, .pool = pool, .should_stop = stop}, corpus, begun.study,
              progress);
  }
  ASSERT_FALSE(begun.study.part.is_complete);
  write_study(request_.file, begun.manifest, begun.study);
  corpora_.start(request_);
  wait_for(CorpusState::finished);
  EXPECT_TRUE(bytes_of(shown()) == whole);
}

/// How far a run was when it was first shown.
std::uint64_t first_shown(CorpusStudies& corpora) {
  wait_until([&] {
    corpora.update();
    return corpora.shown() && corpora.shown()->stored;
  });
  return corpora.shown()->stored->study.part.next;
}

TEST_F(Corpora, WhatARunFoundIsInItsFileWhenTheProgramEnds) {
  folder_.file("texts.txt", texts(12000));
  std::uint64_t shown_until = 0;
  {
    Worker worker(2);
    CorpusStudies corpora(worker);
    corpora.start(request_);
    shown_until = first_shown(corpora);
    ASSERT_TRUE(corpora.is_under_way()) << "the texts are too few to be interrupted";
  }
  const StoredStudy kept = read_study(request_.file);
  EXPECT_GE(kept.study.part.next, shown_until);
  EXPECT_FALSE(kept.study.part.is_complete);
  const std::string whole = bytes_of(in_one_run());
  corpora_.start(request_);
  wait_for(CorpusState::finished);
  EXPECT_TRUE(bytes_of(shown()) == whole) << "and it goes on from there";
}

TEST_F(Corpora, ARunThatIsStoppedBeforeTheProgramEndsIsInItsFile) {
  folder_.file("texts.txt", texts(12000));
  std::uint64_t shown_until = 0;
  {
    Worker worker(2);
    CorpusStudies corpora(worker);
    corpora.start(request_);
    shown_until = first_shown(corpora);
    corpora.stop();
  }
  EXPECT_GE(read_study(request_.file).study.part.next, shown_until);
}

TEST_F(Corpora, APausedRunRestsAndGoesOn) {
  corpora_.start(request_);
  corpora_.pause();
  corpora_.update();
  ASSERT_EQ(corpora_.state(), CorpusState::paused);
  wait_until([&] { return worker_.is_idle(); });
  corpora_.update();
  EXPECT_EQ(corpora_.state(), CorpusState::paused);
  corpora_.go_on();
  wait_for(CorpusState::finished);
  EXPECT_TRUE(bytes_of(shown()) == bytes_of(in_one_run()));
}

TEST_F(Corpora, AnotherStudysFileIsReplacedOnlyWhenAskedTo) {
  corpora_.start(request_);
  wait_for(CorpusState::finished);
  const std::string before = read_file(request_.file, 1 << 24);
  request_.settings.top = 1;
  corpora_.start(request_);
  wait_for(CorpusState::refused);
  EXPECT_THAT(corpora_.shown()->problem, HasSubstr("another study: the options differ"));
  EXPECT_TRUE(corpora_.shown()->is_refused_for_file);
  EXPECT_EQ(read_file(request_.file, 1 << 24), before);
  corpora_.start_replacing();
  wait_for(CorpusState::finished);
  EXPECT_EQ(read_study(request_.file).manifest.top, 1);
}

TEST_F(Corpora, ARunGoesOnOnlyOverTheTextsThatItBeganWith) {
  folder_.file("texts.txt", texts(12000));
  corpora_.start(request_);
  wait_until_found();
  corpora_.stop();
  wait_for(CorpusState::stopped);
  folder_.file("texts.txt", "other texts\n");
  corpora_.go_on();
  wait_for(CorpusState::refused);
  EXPECT_THAT(corpora_.shown()->problem, HasSubstr("the texts differ"));
  corpora_.start_replacing();
  wait_for(CorpusState::finished);
  EXPECT_EQ(shown().study.texts(), 1);
}

TEST_F(Corpora, ALineThatCannotBeMeasuredIsListedAndStopsNothing) {
  request_.texts.file = folder_.file("texts.jsonl", "{\"text\": \"a cat\"}\nno json\n{\"text\": \"a dog sat\"}\n{\"words\": 3}\n");
  request_.texts.format = corpus_format(request_.texts.file, "", false);
  corpora_.start(request_);
  wait_for(CorpusState::finished);
  EXPECT_EQ(shown().study.texts(), 2);
  ASSERT_EQ(shown().study.bad_lines().size(), 2U);
  EXPECT_EQ(shown().study.bad_lines()[0].line, 2U);
  EXPECT_THAT(shown().study.bad_lines()[1].reason, HasSubstr("no field \"text\""));
}

TEST_F(Corpora, ReadingAndTheFirstBlockOfTextsAreNotInTheTimeThatIsLeft) {
  CorpusRun run(request_);
  ThreadPool pool(1);
  SilentProgress progress;
  StepContext context{progress, pool};
  StudyStep<MeasuredCorpus> step = run.step(context);
  while (!step.found->stored) step = run.step(context);
  ASSERT_LT(step.done, 1) << "the texts are too few";
  EXPECT_GT(step.begun, 0);
  EXPECT_EQ(step.begun, step.done);
  EXPECT_EQ(step.seconds, 0.0);
  const double begun = step.begun;
  step = run.step(context);
  EXPECT_EQ(step.begun, begun);
  EXPECT_GT(step.done, begun);
  EXPECT_GT(*step.seconds, 0);
}

TEST_F(Corpora, TextsThatAreNotThereAreRefusedWithTheFile) {
  request_.texts.file = folder_ / "nowhere.txt";
  corpora_.start(request_);
  wait_for(CorpusState::refused);
  EXPECT_THAT(corpora_.shown()->problem, HasSubstr("nowhere.txt"));
  EXPECT_FALSE(worker_.status().error) << "it is said where the corpus is shown";
}

TEST_F(Corpora, AStudyIsOpenedFromItsFileAndABrokenOneChangesNothing) {
  const StoredStudy whole = in_one_run();
  write_study(request_.file, whole.manifest, whole.study);
  corpora_.open(request_.file);
  wait_for(CorpusState::finished);
  EXPECT_TRUE(bytes_of(shown()) == bytes_of(whole));
  EXPECT_EQ(corpora_.opened(), 1U);
  EXPECT_FALSE(corpora_.can_go_on()) << "where its texts lie is not known";
  EXPECT_EQ(corpora_.shown()->texts_file, request_.texts.file) << "but these lie beside it";
  corpora_.open(folder_.file("broken.study", "headlight study 1\n{}"));
  std::string message;
  wait_until([&] {
    corpora_.update();
    message = corpora_.take_problem();
    return !message.empty();
  });
  EXPECT_THAT(message, HasSubstr("broken.study"));
  EXPECT_TRUE(bytes_of(shown()) == bytes_of(whole));
}

TEST_F(Corpora, OfEffectsGiveTheNumbersOfOneRunToTheBit) {
  request_.query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/gpt2";
  SilentProgress progress;
  request_.model = load_model(request_.query.model, progress);
  request_.texts.file = folder_.file("few.txt", texts(40));
  request_.effects = EffectJob{{EffectMethod::zero, EffectMethod::mean, EffectMethod::resample}, parse_target("loss"), 3};
  request_.settings = request_.effects->settings(64);
  corpora_.start(request_);
  wait_for(CorpusState::finished);
  ASSERT_TRUE(shown().study.part.is_complete);

  ThreadPool pool(2);
  EffectMeasurer measurer(request_.model, without_texts(request_.query), *request_.effects, pool, progress);
  CorpusReader others(request_.texts.file, request_.texts.format);
  measurer.take_others(read_other_texts(measurer.plan(), without_texts(request_.query), others, 64, 3, pool, progress));
  CorpusStudy expected(heads_of(measurer.plan().run()), request_.settings);
  CorpusReader corpus(request_.texts.file, request_.texts.format);
  const Query query = without_texts(request_.query);
  const auto measure = [&](const CorpusText& text, const TokenStage& tokens, ThreadPool& alone, const Watch& watch) {
    return measurer.measure(text, tokens, alone, watch);
  };
  run_study({.run = measurer.plan().run(), .settings = request_.settings, .query = query, .pool = pool, .measure = measure}, corpus,
            expected, progress);
  EXPECT_TRUE(study_bytes(shown().manifest, shown().study) == study_bytes(shown().manifest, expected));
  EXPECT_EQ(effect_job_of(shown().manifest), request_.effects);

  const ColumnSource source = corpus_source(*corpora_.shown());
  ASSERT_EQ(source.columns.size(), 3U);
  EXPECT_THAT(source.note, HasSubstr(describe_target(parse_target("loss"))));
  EXPECT_THAT(source.columns.front()->measured_on, HasSubstr(describe_target(parse_target("loss"))));
}

TEST_F(Corpora, MeasuredWithEditsSaySo) {
  EXPECT_EQ(measured_edits(in_one_run().manifest), "");
  request_.texts.file = folder_.file("few.txt", texts(40));
  request_.query.mask.rules.push_back({Scope{}, "window:2", {}});
  request_.query.score.temperature = 2;
  corpora_.start(request_);
  wait_for(CorpusState::finished);
  EXPECT_EQ(corpora_.shown()->edits, "mask: window:2, temperature 1 → 2");
  const ColumnSource source = corpus_source(*corpora_.shown());
  EXPECT_THAT(source.note, HasSubstr("with edits (mask: window:2, temperature 1 → 2)"));
  EXPECT_THAT(source.columns.front()->measured_on, HasSubstr("with edits (mask: window:2"));
  corpora_.open(request_.file);
  const std::uint64_t before = corpora_.opened();
  wait_until([&] {
    corpora_.update();
    return corpora_.opened() > before;
  });
  EXPECT_EQ(corpora_.shown()->edits, "mask: window:2, temperature 1 → 2") << "also of a study that is opened";
}

TEST_F(Corpora, AreSavedAsAnyTable) {
  request_.file.clear();
  corpora_.start(request_);
  wait_for(CorpusState::finished);
  EXPECT_TRUE(corpora_.shown()->file.empty()) << "kept nowhere";
  for (const std::string name : {"out.csv", "out.study", "out.txt"}) {
    corpora_.save(corpora_.shown()->stored, folder_ / name, false);
    std::string message;
    wait_until([&] {
      corpora_.update();
      message = corpora_.take_problem() + corpora_.take_done();
      return !message.empty();
    });
    EXPECT_THAT(message, HasSubstr(name));
  }
  EXPECT_EQ(read_file(folder_ / "out.csv", 1 << 24), study_csv(shown(), {}));
  EXPECT_EQ(corpora_.shown()->file, folder_ / "out.study");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.txt"));
}

TEST(CorpusManifest, SaysWithWhichEditsOfWhichModelItWasMeasured) {
  for (const std::string name : {"sandbox", "story-gpt", "some folder/gpt2"}) {
    Query query;
    query.model.name = name;
    query.text = "not a part of it";
    query.switched_off = {{0, 1}};
    query.interventions = {parse_intervention("1.0=uniform")};
    const Query measured = measured_query(study_manifest(query, {}, "digest"));
    EXPECT_EQ(measured.model.name, std::filesystem::path(name).filename().string());
    EXPECT_EQ(measured.switched_off, query.switched_off);
    EXPECT_EQ(measured.interventions, query.interventions);
    EXPECT_TRUE(measured.text.empty());
  }
}

}  // namespace
}  // namespace headlight

// What becomes of a study: kept with its document, saved as a table, paused and gone on with.
#include <gmock/gmock.h>

#include "app/gui/panel/saved_view.h"
#include "app/work/corpora/corpus_columns.h"
#include "engine/studies/study_tables.h"
#include "tests/gui/corpus_fixture.h"

namespace headlight {
namespace {

using testing::CorpusTest;
using ::testing::HasSubstr;

TEST_F(CorpusTest, AStudyComesBackWithItsDocument) {
  measure();
  const Json look = look_of(view, all_views());
  EXPECT_EQ(look.at("corpus"), (folder_ / "tales-sandbox.study").string());
  Json unknown = {{kLookField, look}};
  save_document(document(), folder_ / "d.headlight.json", unknown);
  window.click("Close the corpus");
  settle();
  EXPECT_EQ(corpora().state(), CorpusState::none);
  EXPECT_EQ(session.columns().source(kCorpusSource), nullptr);
  drop(folder_ / "d.headlight.json");
  EXPECT_EQ(corpora().state(), CorpusState::finished);
  EXPECT_EQ(study().study.texts(), 4);
  EXPECT_EQ(view.measures.source, kCorpusSource);
}

TEST_F(CorpusTest, AStudyOfOtherWeightsSaysSoAndOpensAsItWasMeasured) {
  measure();
  EXPECT_FALSE(window.has("Open as measured"));
  Document next = document();
  next.query.heads = 4;
  session.apply(next, false, false);
  settle();
  ASSERT_TRUE(window.has("Open as measured"));
  window.click("Open as measured");
  settle();
  EXPECT_EQ(document().query.heads, std::nullopt);
  EXPECT_FALSE(window.has("Open as measured"));
  show(View::head);
  drop(folder_ / "tales-sandbox.study");
  EXPECT_EQ(corpora().opened(), 1U);
  EXPECT_EQ(view.view, View::measures) << "its numbers are seen";
}

TEST_F(CorpusTest, WhatWasMeasuredIsSavedAsATable) {
  measure();
  window.click("Save as …");
  EXPECT_EQ(dialogs.corpus_saving.path, "tales-heads.csv");
  dialogs.corpus_saving.path = "tales.csv";
  window.click("Save");
  EXPECT_TRUE(view.dialogs.corpus_save) << "the texts are not written over";
  settle();
  dialogs.corpus_saving.path = "heads.csv";
  window.click("Save");
  settle();
  EXPECT_EQ(testing::bytes_of(folder_ / "heads.csv"), study_csv(study(), {}));
  choose("save what was measured");
  dialogs.corpus_saving.path = "heads.csv";
  window.click("Save");
  settle();
  EXPECT_TRUE(view.dialogs.corpus_save) << "a file is replaced only when asked twice";
}

TEST_F(CorpusTest, ARunIsPausedStoppedAndGoneOnWith) {
  std::string lines;
  for (int line = 0; line < 20000; ++line) lines += "the cat sat on the mat number " + std::to_string(line) + "\n";
  texts_ = folder_.file("many.txt", lines);
  open_dialog();
  window.click("Measure all heads");
  const auto until = [&](CorpusState state) {
    for (int frame = 0; frame < 100000 && corpora().state() != state; ++frame) window.frame();
    ASSERT_EQ(corpora().state(), state);
  };
  for (int frame = 0; frame < 100000 && !(corpora().shown() && corpora().shown()->stored); ++frame) window.frame();
  window.click("Pause");
  until(CorpusState::paused);
  EXPECT_TRUE(window.has("Go on"));
  say("typing goes on");
  EXPECT_EQ(snapshot()->query.text, "typing goes on");
  window.click("Go on");
  window.click("Stop");
  until(CorpusState::stopped);
  EXPECT_FALSE(study().study.part.is_complete);
  EXPECT_GT(study().study.texts(), 0);
  EXPECT_TRUE(window.has("Go on"));
  window.click("Save as …");
  EXPECT_THAT(drawn_words(), HasSubstr("This study is not finished"));
}

}  // namespace
}  // namespace headlight

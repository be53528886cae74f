// A corpus in the window: from a file of texts to the numbers of all heads, and from a number to a text.
#include <gmock/gmock.h>

#include "app/gui/commands/corpus_commands.h"
#include "app/gui/dialogs/corpus/corpus_choice.h"
#include "app/gui/panel/shown_figure.h"
#include "app/work/corpora/corpus_columns.h"
#include "tests/gui/corpus_fixture.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using testing::CorpusTest;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(CorpusTest, APaletteCommandLeadsToTheTableOfAllHeads) {
  measure();
  EXPECT_EQ(view.view, View::measures);
  EXPECT_EQ(view.measures.source, kCorpusSource);
  EXPECT_EQ(study().study.texts(), 4);
  const ColumnSource* source = session.columns().source(kCorpusSource);
  ASSERT_NE(source, nullptr);
  EXPECT_EQ(source->title, "corpus tales.csv (4 texts)");
  EXPECT_EQ(source->columns.size(), measure_requests(kUsualMeasures, "test").size());
  const HeadColumn& column = *source->columns.front();
  const std::size_t place = *place_in(study().study, {1, 2});
  EXPECT_EQ(column.values.of({1, 2}), study().study.cell(0, place, 0).sum.mean());
  EXPECT_EQ(column.errors.of({1, 2}), study().study.cell(0, place, 0).sum.standard_error());
  EXPECT_EQ(corpora().shown()->file, folder_ / "tales-sandbox.study");
  EXPECT_EQ(read_study(folder_ / "tales-sandbox.study").study.texts(), 4);
}

TEST_F(CorpusTest, AColumnOfAStudyIsHiddenAndComesBackWithoutTouchingThoseOfTheText) {
  measure();
  const std::vector<std::string> of_text = view.measures.columns;
  window.right_click("column normalised-entropy");
  window.frame(2);
  window.click("Hide this column");
  window.frame(2);
  EXPECT_FALSE(window.has("column normalised-entropy"));
  EXPECT_TRUE(window.has("column confidence"));
  EXPECT_EQ(view.measures.columns, of_text);
  window.click("Columns");
  window.frame(2);
  window.click("show normalised-entropy");
  window.frame(2);
  window.key("escape");
  window.frame(2);
  EXPECT_TRUE(window.has("column normalised-entropy"));
}

TEST_F(CorpusTest, TheDialogSpeaksOfEditsOnlyWhereThereAreSome) {
  open_dialog();
  EXPECT_THAT(drawn_words(), Not(HasSubstr("with its present edits")));
  Document next = document();
  next.query.score.temperature = 2;
  session.apply(next, false, false);
  settle();
  EXPECT_THAT(drawn_words(), HasSubstr("with its present edits"));
}

TEST_F(CorpusTest, LabelsNameTheFileOfTheTexts) {
  measure();
  HeadColumn column = *session.columns().source(kCorpusSource)->columns.front();
  EXPECT_EQ(column.corpus, "tales.csv");
  column.request = measure_request("previous-token-without-first-token", "test");
  column.values.set({0, 1}, 0.998);
  EXPECT_EQ(label_of(column, {0, 1})->text(), "previous token without the first token: 0.998 (threshold 0.5, 4 texts of tales.csv)");
}

TEST_F(CorpusTest, AnExampleOfAPairIsOpenedWithItsSecondSentence) {
  texts_ = folder_.file("pairs.jsonl", R"({"text":"the cat sat","text_pair":"a dog ran"})"
                                       "\n"
                                       R"({"text":"it rained"})"
                                       "\n");
  measure();
  const auto& top = study().study.cell(0, 0, 3).top;
  const auto pair = std::find_if(top.begin(), top.end(), [](const TopExample& example) { return *example.text == "the cat sat"; });
  ASSERT_NE(pair, top.end());
  ASSERT_TRUE(pair->beside);
  EXPECT_EQ(pair->beside->pair, "a dog ran");
  EXPECT_EQ(read_study(corpora().shown()->file).study.cell(0, 0, 3).top.size(), top.size());
  Document draft = document();
  Look look(palette(Theme::dark), window.fonts, 1);
  Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()};
  show_corpus_example(panel, {0, 0}, *pair);
  EXPECT_EQ(draft.query.text_pair, "a dog ran");
}

TEST_F(CorpusTest, AFileWithoutTextsIsRefusedBeforeItRuns) {
  open_dialog();
  dialogs.corpus.path = folder_.file("blank.txt", "\n\n").string();
  window.frame(2);
  EXPECT_THAT(dialogs.corpus.problem, HasSubstr("this file contains no texts"));
  window.click("Measure all heads");
  EXPECT_EQ(corpora().state(), CorpusState::none);
  EXPECT_FALSE(fs::exists(folder_ / "blank-sandbox.study"));
}

TEST_F(CorpusTest, OfATableWithoutAColumnOfThatNameTheLongestTextsAreOffered) {
  open_dialog();
  dialogs.corpus.path = folder_.file("reviews.csv", "id,stars,review\n1,5,the cat sat on the mat\n2,4,it rained\n").string();
  window.frame(2);
  EXPECT_EQ(dialogs.corpus.columns.at(static_cast<std::size_t>(dialogs.corpus.column)), "review");
  dialogs.corpus.path = folder_.file("texts.csv", "title,text\na very long title of a short text,it rained\n").string();
  window.frame(2);
  EXPECT_EQ(dialogs.corpus.columns.at(static_cast<std::size_t>(dialogs.corpus.column)), "text");
}

TEST_F(CorpusTest, ADroppedFileWithoutTextsKeepsTheSentence) {
  const std::string sentence = document().query.text;
  ASSERT_FALSE(sentence.empty());
  for (const char* name : {"blank.txt", "blank.jsonl"}) {
    drop(folder_.file(name, "\n"));
    EXPECT_EQ(document().query.text, sentence) << name;
    EXPECT_THAT(view.notes.banner, HasSubstr(std::string("no texts in ") + name));
  }
}

TEST_F(CorpusTest, AButtonOfMeasuresOpensTheDialogWhichSaysWhatIsMissing) {
  show(View::measures);
  window.click("Measure many texts …");
  EXPECT_TRUE(view.dialogs.corpus);
  window.click("Measure all heads");
  EXPECT_EQ(corpora().state(), CorpusState::none) << "no file is chosen";
  dialogs.corpus.path = (folder_ / "missing.txt").string();
  window.frame(2);
  EXPECT_THAT(dialogs.corpus.problem, HasSubstr("missing.txt"));
  dialogs.corpus.path = texts_.string();
  window.frame(2);
  EXPECT_EQ(dialogs.corpus.problem, "");
  EXPECT_THAT(dialogs.corpus.columns, ::testing::ElementsAre("id", "text"));
  EXPECT_EQ(dialogs.corpus.column, 1);
}

TEST_F(CorpusTest, InALowWindowTheDialogOpensAtItsTopAndAllOfItIsReached) {
  for (const ImVec2 size : {ImVec2{800, 500}, ImVec2{960, 540}}) {
    window.resize(size);
    dialogs.corpus.path = texts_.string();  // so that the button can be pressed from the first frame on
    open_dialog();
    const Box title = window.box_of("Close Measure many texts");
    EXPECT_GE(title.y, 0);
    EXPECT_THROW(window.box_of("Measure all heads"), Error) << "the button is below";
    window.hover({size.x / 2, size.y / 2});
    window.wheel(-30);
    EXPECT_LT(window.box_of("Measure all heads").bottom(), size.y);
    window.key("escape");
  }
}

TEST_F(CorpusTest, MeasuresAndLengthsAreChosen) {
  open_dialog();
  dialogs.corpus.measures = CorpusChoice::Measures::chosen;
  dialogs.corpus.chosen = {"previous-token", "confidence"};
  dialogs.corpus.lengths = "5, 8";
  dialogs.corpus.top = 1;
  window.frame(3);  // the dialog grows
  window.click("Measure all heads");
  settle();
  EXPECT_THAT(study().manifest.measures, ::testing::ElementsAre("confidence", "previous-token", "confidence-without-first-token",
                                                                "previous-token-without-first-token", "hidden-mass:first-token"));
  EXPECT_THAT(study().manifest.length_edges, ::testing::ElementsAre(5, 8));
  EXPECT_EQ(study().study.cell(1, 0, 0).top.size(), 1U);
}

TEST_F(CorpusTest, BadLinesAreListedWithTheirReasons) {
  measure();
  window.click("Bad lines");
  EXPECT_TRUE(window.has("Bad line 4"));
}

TEST_F(CorpusTest, AnExampleOpensItsHeadOnItsTextInOneStep) {
  measure();
  view.head = {1, 3};
  const std::size_t place = *place_in(study().study, {1, 3});
  const TopExample example = study().study.cell(0, place, 0).top.front();
  const std::size_t steps = session.history().labels().size();
  const std::string before = document().query.text;
  window.click("Example 0");
  settle();
  EXPECT_EQ(document().query.text, *example.text);
  EXPECT_EQ(session.history().labels().size(), steps + 1) << "one undo step";
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, (HeadId{1, 3}));
  ASSERT_TRUE(view.pinned_query);
  EXPECT_EQ(view.pinned_query->token, example.query);
  ASSERT_TRUE(view.corpus.marked);
  EXPECT_EQ(view.corpus.marked->key, example.key);
  const auto maps = session.worker().maps(snapshot(), view.head);
  ASSERT_TRUE(maps);
  EXPECT_NEAR(maps->weights(example.query, example.key), example.weight, 1e-6) << "the cell is the one that was kept";
  window.key("ctrl+z");
  settle();
  EXPECT_EQ(document().query.text, before);
}

TEST_F(CorpusTest, TheCellOfAnExampleIsTheOneThatIsExplained) {
  measure();
  view.head = {1, 3};
  window.click("Example 0");
  settle();
  ASSERT_TRUE(view.corpus.marked);
  Index weakest = view.corpus.marked->query;  // a key that is not the row's largest
  const auto maps = session.worker().maps(snapshot(), view.head);
  maps->weights.row(view.corpus.marked->query).head(view.corpus.marked->query + 1).minCoeff(&weakest);
  view.corpus.marked->key = weakest;
  window.frame(2);
  EXPECT_TRUE(window.has(fmt::format("Cell {},{} in words", view.corpus.marked->query, weakest)));
}

TEST_F(CorpusTest, ARefusalIsReadToItsEnd) {
  measure();
  choose("measure many texts");
  dialogs.corpus.top = 1;
  window.frame(2);
  window.click("Measure all heads");
  settle();
  ASSERT_EQ(corpora().state(), CorpusState::refused);
  const std::string drawn = drawn_words();
  EXPECT_THAT(drawn, HasSubstr("this file holds another study"));
  EXPECT_THAT(drawn, HasSubstr("keep the new study in another file"));
}

TEST_F(CorpusTest, AStudyWithEditsSaysSoBesideItsModel) {
  Document edited = document();
  edited.query.mask.rules.push_back({Scope{}, "window:2", {}});
  session.apply(edited, false, false);
  settle();
  measure();
  EXPECT_THAT(drawn_words(), HasSubstr("with edits (mask: window:2)"));
}

TEST_F(CorpusTest, TextsLongerThanTheModelWasMadeForAreCountedInTheBar) {
  session.apply(document_of_model("story-gpt"), false, false);
  settle();
  std::string longer;
  for (int word = 0; word < 300; ++word) longer += "the ";
  texts_ = folder_.file("long.txt", longer + "\nthe cat sat on the mat\n");
  measure();
  EXPECT_EQ(study().study.counts.longer, 1);
  EXPECT_THAT(drawn_words(), HasSubstr("1 longer than the model was made for (256 tokens)"));
}

TEST_F(CorpusTest, RepeatedRandomTokensAreAStudyThatIsKept) {
  session.apply(document_of_model("story-gpt"), false, false);
  settle();
  choose("measure many texts");
  window.click("Measure on repeated random tokens");
  EXPECT_EQ(draws_of(dialogs.corpus), 4) << "as `headlight heads` draws";
  dialogs.corpus.has_random_weights = true;
  EXPECT_EQ(draws_of(dialogs.corpus), 20) << "likewise beside chance";
  dialogs.corpus.has_random_weights = false;
  dialogs.corpus.draws = 3;
  dialogs.corpus.file = (folder_ / "drawn").string();
  window.frame(3);
  window.click("Measure all heads");
  settle();
  ASSERT_EQ(corpora().state(), CorpusState::finished) << corpora().shown()->problem;
  EXPECT_THAT(study().manifest.measures, ::testing::ElementsAre("prefix-matching", "copying-score"));
  EXPECT_EQ(corpus_title(study()), "3 draws of 25 random tokens, four times over");
  EXPECT_EQ(read_study(folder_ / "drawn.study").study.texts(), 3);
  const TopExample& example = study().study.cell(0, 0, 0).top.front();
  ASSERT_TRUE(example.is_ids);
  Document draft = document();
  const Look look{palette(Theme::dark), window.fonts, 1};
  const Panel panel{context, snapshot(), session.worker().status(), draft, view, caches, look, all_views()};
  EXPECT_NE(text_of_example(panel, study().manifest, example), *example.text) << "ids are shown as words";
  window.click("Example 0");
  settle();
  ASSERT_TRUE(view.pinned_query);
  EXPECT_GT(view.pinned_query->token, 20);
  EXPECT_TRUE(window.has(fmt::format("token {}", view.pinned_query->token))) << "the strip shows the token that is pinned";
}

TEST_F(CorpusTest, TheSandboxHasNoRandomTokensAndSaysSo) {
  choose("measure many texts");
  dialogs.corpus.draws_tokens = true;
  window.frame(3);
  window.click("Measure all heads");
  EXPECT_EQ(corpora().state(), CorpusState::none);
  EXPECT_TRUE(view.dialogs.corpus);
}

TEST_F(CorpusTest, ADroppedFileOfTextsMayBeASentenceOrACorpus) {
  const std::string before = document().query.text;
  drop(texts_);
  EXPECT_EQ(document().query.text, before) << "it asks";
  window.click("Use as the sentence");
  settle();
  EXPECT_THAT(document().query.text, HasSubstr("the cat sat on the mat"));
  drop(texts_);
  window.click("Measure all heads …");
  EXPECT_TRUE(view.dialogs.corpus);
  EXPECT_EQ(dialogs.corpus.path, texts_.string());
}

TEST_F(CorpusTest, ADroppedTableIsCountedByItsRowsNotItsLines) {
  drop(folder_.file("pairs.csv", "text,from\n\"two\nlines\",a\n\"three\nmore\nlines\",b\none,c\n"));
  EXPECT_EQ(view.corpus.dropped_is, "3 rows");
  drop(folder_.file("other.csv", "id;sentence\n1;one\n"));
  EXPECT_EQ(view.corpus.dropped_is, "1 row");
  drop(folder_.file("lines.txt", "one\n\ntwo\nthree\n"));
  EXPECT_EQ(view.corpus.dropped_is, "3 lines");
}

}  // namespace
}  // namespace headlight

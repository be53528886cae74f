// Notes on words that a model does not know, and on the head that carries an example's relations.
#include "app/document/document.h"
#include "app/gui/panel/relations.h"
#include "tests/gui/frame_fixture.h"

namespace headlight::testing {
namespace {

class OfferedNotes : public FrameTest {
 protected:
  void open(const std::string& model, const std::string& text) {
    Document next = document_of_model(model);
    if (!text.empty()) next.query.text = text;
    session.apply(next, false, false);
    settle();
  }
  bool has_note() { return window.has("Close Unfamiliar words"); }
  Panel panel() {
    draft_ = document();
    return {context, snapshot(), session.worker().status(), draft_, view, caches, look_, all_views()};
  }

 private:
  Document draft_;
  Look look_{palette(Theme::dark), window.fonts, 1};
};

TEST_F(OfferedNotes, EverydaySentencesGetNoNote) {
  for (const char* text :
       {"", "My brother bought a new bicycle last Saturday.", "It's been raining in London since Tuesday morning.", "Hi"}) {
    open("story-gpt", text);
    EXPECT_FALSE(has_note()) << text;
  }
}

TEST_F(OfferedNotes, AnotherLanguageDoesAndTheModelsOwnSentenceIsOneStepAway) {
  open("story-gpt", "Der Hund läuft über die Straße und bellt.");
  ASSERT_TRUE(has_note());
  const std::size_t steps = session.history().labels().size();
  window.click("Its own sentence");
  settle();
  EXPECT_EQ(document().query.text, document_of_model("story-gpt").query.text);
  EXPECT_EQ(session.history().labels().size(), steps + 1);
  EXPECT_FALSE(has_note());
  window.key("ctrl+z");
  settle();
  EXPECT_TRUE(has_note());
  window.click("Close Unfamiliar words");
  EXPECT_FALSE(has_note());
  say("Le chat noir dort sur le canapé.");
  EXPECT_FALSE(has_note()) << "said once for this model";
  open("induction-by-hand", "The cat sat on the mat.");
  EXPECT_TRUE(has_note()) << "another model knows other words";
}

TEST_F(OfferedNotes, AModelOfLettersIsAtHomeInItsOwnSentence) {
  open("induction-by-hand", "");
  EXPECT_FALSE(has_note());
}

TEST_F(OfferedNotes, AWordThatIsBeingTypedIsNotJudged) {
  open("story-gpt", "The");
  window.key("ctrl+l");
  window.key("end");
  window.type(" xqzv");
  settle();
  EXPECT_FALSE(has_note());
  window.key("escape");
  settle();
  EXPECT_TRUE(has_note());
}

TEST_F(OfferedNotes, AnExampleOpensWithTheModelAndTheHeadInWhichItsRelationsCanBeSeen) {
  for (const char* name : {"A deposit at the bank", "London, three times"}) {
    window.click("Examples");
    window.click(name);
    settle();
    EXPECT_EQ(document().query.model.name, "story-bert") << "the sandbox is not trained";
    EXPECT_EQ(view.view, View::head);
    const std::shared_ptr<const Ranking> ranking = ranking_of_example(panel());
    ASSERT_TRUE(ranking);
    ASSERT_FALSE(ranking->together.empty());
    EXPECT_EQ(view.head, ranking->together.front().head) << name;
    for (const RankedHead& head : ranking->together) EXPECT_LE(head.mass, ranking->together.front().mass);
    EXPECT_TRUE(window.has("Close Relation heads"));
    EXPECT_FALSE(window.has("Show head " + fmt::format("{}.{}", view.head.layer, view.head.head))) << "it is shown already";
  }
  EXPECT_EQ(session.history().labels().size(), 3U) << "one step each";
}

TEST_F(OfferedNotes, WhoGoesToAnotherViewMeanwhileStaysThere) {
  window.click("Examples");
  window.click("A deposit at the bank");
  view.view = View::compare;
  settle();
  EXPECT_EQ(view.view, View::compare);
}

TEST_F(OfferedNotes, AnotherHeadLeadsBackToTheOneThatCarriesTheRelations) {
  window.click("Examples");
  window.click("A deposit at the bank");
  settle();
  const HeadId best = view.head;
  show(View::overview);
  window.click(fmt::format("Show head {}.{}", best.layer, best.head));
  EXPECT_EQ(view.view, View::head);
  EXPECT_EQ(view.head, best);
}

TEST_F(OfferedNotes, AHeadFromTheExamplesKeepsItsNameAndFigureWhileItsSentenceIsShown) {
  window.items.watch_texts();
  open("story-gpt", "");
  window.click("Examples");
  window.click("before a verb: its subject");
  settle();
  const auto is_written = [&](std::string_view part) {
    window.frame(2);
    const auto& texts = window.items.texts();
    return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(is_written("before a verb: its subject"));
  EXPECT_TRUE(is_written("0.96")) << "measured on held-out sentences";
  window.key("right");
  settle();
  EXPECT_FALSE(is_written("before a verb: its subject"));
  window.key("left");
  settle();
  EXPECT_TRUE(is_written("before a verb: its subject"));
  say("Something else entirely.");
  EXPECT_FALSE(is_written("before a verb: its subject"));
}

}  // namespace
}  // namespace headlight::testing

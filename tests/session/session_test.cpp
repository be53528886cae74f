#include "app/session/session.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/model/files/model_places.h"
#include "tests/session/session_edits.h"
#include "tests/testing.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

using testing::edit;
using testing::wait_until;

Document small_document() {
  Document document;
  document.query.model.sandbox.layers = 1;
  document.query.model.sandbox.d_model = 16;
  document.query.model.sandbox.heads = 2;
  document.query.text = "a b";
  return document;
}

void type(Session& session, const std::string& text) {
  for (const char letter : text)
    edit(
        session, [&](Document& d) { d.query.text += letter; }, false, true);
}

void idle_frame(Session& session) {
  session.apply(session.document(), false, false);
}

std::uint64_t requested(Session& session) {
  return session.worker().status().requested;
}

TEST(Session, EveryBuiltInModelOpensItsOwnSentenceWithoutANotice) {
  const std::vector<BuiltInModel> models = list_built_in_models();
  EXPECT_GE(models.size(), 3U);
  for (const BuiltInModel& model : models) {
    Session session(document_of_model(model.name), 1);
    wait_until([&] { return session.snapshot() != nullptr; });
    EXPECT_TRUE(session.snapshot()->notices.empty()) << model.name << ": " << session.snapshot()->notices.front();
  }
}

TEST(Session, ShowsItsFirstDocumentAtOnce) {
  Session session(small_document(), 1);
  wait_until([&] { return session.snapshot() != nullptr; });
  EXPECT_EQ(session.snapshot()->query, small_document().query);
}

TEST(Session, AnEqualDraftRecordsAndRequestsNothing) {
  Session session(small_document(), 1);
  idle_frame(session);
  EXPECT_FALSE(session.history().can_undo());
  EXPECT_EQ(requested(session), 1U);
}

TEST(Session, ANewStyleOrPinComputesNothing) {
  Session session(small_document(), 1);
  edit(session, [](Document& d) { d.style.map = ColourMap::viridis; });
  edit(session, [](Document& d) { d.pins = {{{0, 1}}}; });
  session.undo();
  EXPECT_EQ(requested(session), 1U);
  EXPECT_EQ(session.history().labels(), (std::vector<std::string>{"open", "colours: viridis"}));
}

TEST(Session, ANewQueryIsRequestedAndSoAreItsUndoAndRedo) {
  Session session(small_document(), 1);
  edit(session, [](Document& d) { d.query.text = std::string("c"); });
  EXPECT_EQ(requested(session), 2U);
  session.undo();
  EXPECT_EQ(requested(session), 3U);
  session.redo();
  EXPECT_EQ(requested(session), 4U);
  wait_until([&] { return session.worker().is_idle(); });
  EXPECT_EQ(session.snapshot()->query.text, "c");
}

TEST(Session, AStrokeIsOneStepLabelledAsAWhole) {
  Session session(small_document(), 1);
  const Document before = session.document();
  for (int key = 0; key < 3; ++key) {
    edit(
        session,
        [&](Document& d) {
          if (d.query.mask.rules.empty()) d.query.mask.rules.emplace_back();
          d.query.mask.rules[0].strokes.push_back({1, 2, key, key + 1, false});
        },
        true);
  }
  idle_frame(session);
  EXPECT_EQ(session.history().undo_label(), "mask 3 cells");
  session.undo();
  EXPECT_EQ(session.document(), before);
}

TEST(Session, TwoGesturesAreTwoSteps) {
  Session session(small_document(), 1);
  for (const float temperature : {0.5F, 0.25F}) {
    edit(
        session, [&](Document& d) { d.query.score.temperature = temperature; }, true);
    idle_frame(session);
  }
  session.undo();
  EXPECT_EQ(session.document().query.score.temperature, 0.5F);
}

TEST(Session, EachTypedWordIsOneStep) {
  Session session(small_document(), 1);
  type(session, "x new words");  // "a bx new words"
  EXPECT_EQ(session.history().labels().size(), 4U);
  session.undo();
  EXPECT_EQ(session.document().query.text, "a bx new ");
  session.undo();
  EXPECT_EQ(session.document().query.text, "a bx ");
}

TEST(Session, EachWordTypedIntoAnyOfTheThreeTextsIsOneStep) {
  const std::vector<std::function<std::string(Document&, char)>> boxes = {
      [](Document& d, char letter) { return d.query.text += letter; },
      [](Document& d, char letter) { return *(d.query.text_pair = d.query.text_pair.value_or("") + letter); },
      [](Document& d, char letter) { return *(d.query.decoder_text = d.query.decoder_text.value_or("") + letter); },
  };
  for (std::size_t box = 0; box < boxes.size(); ++box) {
    SCOPED_TRACE(box);
    Document first = small_document();
    first.query.text = std::string();
    Session session(first, 1);
    for (const char letter : std::string("one two\nthree"))
      edit(
          session, [&](Document& d) { boxes[box](d, letter); }, false, true);
    EXPECT_EQ(session.history().labels().size(), 4U);
    for (int step = 0; step < 3; ++step) session.undo();
    EXPECT_EQ(session.document(), first);
  }
}

TEST(Session, WordsTypedIntoTwoTextsAreTwoStepsEvenWithoutAPause) {
  Document first = small_document();
  first.query.decoder_text = "c d";
  Session session(first, 1);
  type(session, "x");
  const Document between = session.document();
  edit(
      session, [](Document& d) { *d.query.decoder_text += 'y'; }, false, true);
  session.undo();
  EXPECT_EQ(session.document(), between);
}

TEST(Session, TypingAfterAPauseIsANewStep) {
  Session session(small_document(), 1);
  type(session, "x");
  idle_frame(session);
  type(session, "y");
  session.undo();
  EXPECT_EQ(session.document().query.text, "a bx");
}

TEST(Session, ReplaceForgetsTheHistory) {
  Session session(small_document(), 1);
  type(session, "x");
  Document other = small_document();
  other.query.text = std::string("another");
  session.replace(other);
  EXPECT_FALSE(session.history().can_undo());
  EXPECT_EQ(session.document(), other);
}

TEST(Session, SavesAndOpensWithUnknownFields) {
  const testing::TemporaryFolder folder;
  Json json = to_json(small_document());
  json["author"] = "somebody";
  const auto path = folder.file("in.json", json.dump());
  Session session(sandbox_document(), 1);
  session.open(path);
  wait_until([&] { return session.exporter().status().finished == 1; });
  std::string problem;
  EXPECT_TRUE(session.take_opened(problem));
  EXPECT_EQ(session.document(), small_document());
  EXPECT_EQ(session.openings(), 1U);
  EXPECT_EQ(session.origin(), path);
  EXPECT_FALSE(session.take_opened(problem)) << "once";
  session.save(folder / "out.json");
  wait_until([&] { return session.exporter().status().finished == 2; });
  EXPECT_EQ(Json::parse(testing::bytes_of(folder / "out.json")), json);
}

TEST(Session, ADocumentThatCannotBeOpenedChangesNothing) {
  const testing::TemporaryFolder folder;
  Session session(small_document(), 1);
  type(session, "x");
  const Document before = session.document();
  session.open(folder.file("bad.json", "{"));
  wait_until([&] { return session.exporter().status().finished == 1; });
  std::string problem;
  EXPECT_FALSE(session.take_opened(problem));
  EXPECT_NE(problem.find("bad.json"), std::string::npos) << problem;
  EXPECT_EQ(session.document(), before);
  EXPECT_TRUE(session.history().can_undo());
}

// After any walk of edits, undos and redos the picture is that of the document shown.
TEST(Session, AfterARandomWalkThePictureFitsTheDocument) {
  std::mt19937 random(3);
  Session session(small_document(), 2);
  for (int step = 0; step < 300; ++step) {
    switch (random() % 5) {
      case 0:
        session.undo();
        break;
      case 1:
        session.redo();
        break;
      case 2:
        edit(session, [&](Document& d) { d.query.heads = 1 << (random() % 5); });
        break;
      case 3:
        edit(
            session, [&](Document& d) { d.query.score.temperature = 0.5F + static_cast<float>(random() % 8); }, random() % 2 == 0);
        break;
      default:
        edit(
            session, [&](Document& d) { d.query.text = "word " + std::to_string(random() % 9); }, false, true);
    }
  }
  wait_until([&] { return session.worker().is_idle(); });
  EXPECT_EQ(session.snapshot()->query, session.document().query);
}

TEST(Session, MasksThatWereTypedOneAfterTheOtherAreAStepEach) {
  Session session(small_document(), 1);
  type(session, "c");
  for (const char* mask : {"window:2", "no-self"}) {
    edit(
        session,
        [&](Document& d) {
          d.query.mask.rules = {{{}, mask, {}}};
        },
        false, true);
  }
  session.undo();
  EXPECT_EQ(session.document().query.mask.rules.front().text, "window:2");
  session.undo();
  EXPECT_TRUE(session.document().query.mask.rules.empty());
  EXPECT_EQ(session.document().query.text, "a bc") << "nor do they join the typing of the sentence";
}

}  // namespace
}  // namespace headlight

#include "app/session/autosave.h"

#include <gmock/gmock.h>

#include "app/document/files/kept_documents.h"
#include "app/document/subjects.h"
#include "app/session/session.h"
#include "tests/core/large_stacks.h"
#include "tests/pipeline/same_bits.h"
#include "tests/session/kept_state.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::milliseconds;
using testing::document_saying;
using testing::error_of;
using ::testing::HasSubstr;
using testing::LargeStacks;
using testing::restore_once;
using testing::sample_state;
using testing::TemporaryFolder;
using ::testing::UnorderedElementsAre;
using testing::wait_until;

OpenState open_saying(const std::string& text, std::uint64_t openings = 0) {
  OpenState open;
  open.state.document = document_saying(text);
  open.openings = openings;
  return open;
}

StateStore restored_store(const fs::path& folder) {
  StateStore store(folder);
  store.restore(Start::last_document);
  store.mark_start(false);
  return store;
}

/// What every kept document says in its newest generation.
std::vector<std::string> kept_texts(const fs::path& folder) {
  std::vector<std::string> texts;
  for (const KeptDocument& kept : list_kept_documents(folder)) texts.push_back(load_document(kept.generations[0].path).query.text);
  return texts;
}

TEST(Autosave, WritesAfterItsDelayWithoutBeingEnded) {
  const TemporaryFolder folder;
  Autosave autosave(restored_store(folder.path()), milliseconds(1));
  autosave.update({sample_state(), 0, {}});
  wait_until([&] { return !autosave.document_folder().empty(); });
  EXPECT_EQ(load_document(find_kept_document(autosave.document_folder()).generations.at(0).path), sample_state().document);
  EXPECT_EQ(autosave.problem(), "");
}

TEST(Autosave, WhatWasToldLastIsRestoredAfterItsEnd) {
  const TemporaryFolder folder;
  Autosave(restored_store(folder.path())).update({sample_state(), 0, {}});
  EXPECT_EQ(restore_once(folder.path()).state, sample_state());
}

TEST(Autosave, ABaselineASecondTextAndAFrozenPinAreRestoredAndComputedAgain) {
  const TemporaryFolder folder;
  Document document = document_saying("The cat sat");
  toggle_pin(document, {0, 1});
  freeze_pin(document, 0);
  set_baseline(document);
  document.query.mask.rules = {{{}, "none", {}}};
  add_text(document, "Another text");
  toggle_pin(document, {1, 0});
  const int baseline = *document.baseline;
  const auto computed = [&](Session& session) {
    wait_until([&] { return session.snapshot_of(baseline) && session.worker().is_idle(); });
    return session.snapshot_of(baseline);
  };
  Session before(document, 1);
  const std::shared_ptr<const Snapshot> run = computed(before);
  {
    OpenState open;
    open.state.document = before.document();
    Autosave(restored_store(folder.path())).update(open);
  }
  const Document restored = restore_once(folder.path()).state.document;
  EXPECT_EQ(restored, document);
  Session after(restored, 2);
  testing::expect_same_bits(*computed(after), *run);
}

TEST(Autosave, AChangeWhileItWritesIsNotLost) {
  const TemporaryFolder folder;
  {
    Autosave autosave(restored_store(folder.path()), milliseconds(0));
    for (int edit = 0; edit < 200; ++edit) autosave.update(open_saying(std::to_string(edit)));
  }
  EXPECT_EQ(restore_once(folder.path()).state.document.query.text, "199");
}

TEST(Autosave, FlushWritesAtOnceWhateverTheDelay) {
  const TemporaryFolder folder;
  Autosave autosave(restored_store(folder.path()), hours(1));
  autosave.update(open_saying("told"));
  EXPECT_TRUE(kept_texts(folder.path()).empty());
  autosave.flush();
  EXPECT_THAT(kept_texts(folder.path()), UnorderedElementsAre("told"));
  autosave.flush();  // with nothing to write
}

TEST(Autosave, ADocumentThatIsLeftForAnotherBeforeItWasWrittenIsWrittenToo) {
  const TemporaryFolder folder;
  {
    Autosave autosave(restored_store(folder.path()), hours(1));
    for (std::uint64_t opening = 0; opening < 4; ++opening) {
      autosave.update(open_saying("opened " + std::to_string(opening), opening));
      autosave.update(open_saying("edited " + std::to_string(opening), opening));
    }
  }
  EXPECT_THAT(kept_texts(folder.path()), UnorderedElementsAre("edited 0", "edited 1", "edited 2", "edited 3"));
  EXPECT_EQ(restore_once(folder.path()).state.document.query.text, "edited 3");
}

TEST(Autosave, AWriteThatFailsIsSaidAndTriedAgainUntilItWorks) {
  const TemporaryFolder folder;
  const fs::path blocker = folder.file("file", "");
  Autosave autosave(StateStore(blocker / "state"), milliseconds(0));
  autosave.update(open_saying("one"));
  wait_until([&] { return !autosave.problem().empty(); });
  EXPECT_THAT(autosave.problem(), HasSubstr("not being saved"));
  EXPECT_THAT(autosave.problem(), HasSubstr("file"));
  autosave.update(open_saying("two", 1));
  autosave.flush();
  EXPECT_NE(autosave.problem(), "");
  fs::remove(blocker);
  wait_until([&] { return autosave.problem().empty(); });  // by itself
  EXPECT_THAT(kept_texts(blocker / "state"), UnorderedElementsAre("one", "two"));
}

TEST(Autosave, ASecondInstanceKeepsItsOwnDocumentAndLeavesTheFirstAlone) {
  const TemporaryFolder folder;
  Autosave first(restored_store(folder.path()), milliseconds(0));
  first.update({sample_state(), 0, {}});
  first.flush();
  Autosave second(restored_store(folder.path()), milliseconds(0));
  second.update(open_saying("of the second"));
  second.flush();
  EXPECT_EQ(second.problem(), "");
  EXPECT_THAT(kept_texts(folder.path()), UnorderedElementsAre(sample_state().document.query.text, "of the second"));
}

TEST(Autosave, TheMarkOfAStartIsWrittenAtOnceAndGoesAtTheEnd) {
  const TemporaryFolder folder;
  {
    Autosave autosave(restored_store(folder.path()), hours(1));
    autosave.mark_start(true);
    wait_until([&] { return fs::exists(folder / "starting"); });
    autosave.mark_start(false);
    wait_until([&] { return !fs::exists(folder / "starting"); });
    autosave.mark_start(true);
    autosave.flush();
    EXPECT_TRUE(fs::exists(folder / "starting"));
  }
  EXPECT_FALSE(fs::exists(folder / "starting"));
}

TEST(Autosave, TheMarkOfTheStartIsThereBeforeAnythingElseAndGoesEvenWhereNothingFollows) {
  const TemporaryFolder folder;
  {
    const Autosave autosave(restored_store(folder.path()), hours(1), true);
    EXPECT_TRUE(fs::exists(folder / "starting"));
  }
  EXPECT_FALSE(fs::exists(folder / "starting")) << "a start without a display is not a crash";
}

TEST(Autosave, WhereNoThreadCanBeStartedItSaysSoAndTheStartIsNotTakenForACrash) {
  const TemporaryFolder folder;
  const LargeStacks unusable;
  EXPECT_EQ(error_of([&] { Autosave(restored_store(folder.path()), hours(1), true); }).kind(), ErrorKind::limit);
  EXPECT_FALSE(fs::exists(folder / "starting"));
}

TEST(Autosave, TheMarkOfAStartThatCrashedGoesWithTheFirstPictureOfTheNext) {
  const TemporaryFolder folder;
  folder.file("starting", "");
  StateStore store(folder.path());
  store.restore(Start::last_document);
  Autosave autosave(std::move(store), hours(1), true);
  EXPECT_TRUE(fs::exists(folder / "starting"));
  autosave.mark_start(false);
  wait_until([&] { return !fs::exists(folder / "starting"); });
}

TEST(Autosave, WithoutAFolderNothingIsWritten) {
  Autosave autosave(StateStore({}), milliseconds(0));
  autosave.update({sample_state(), 0, {}});
  autosave.flush();
  EXPECT_EQ(autosave.problem(), "");
}

}  // namespace
}  // namespace headlight

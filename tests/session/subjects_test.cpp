// A session of several subjects: each has its picture.
#include "app/document/subjects.h"

#include <gmock/gmock.h>

#include "app/session/session.h"
#include "tests/pipeline/same_bits.h"
#include "tests/session/session_edits.h"
#include "tests/testing.h"
#include "tests/work/queries.h"

namespace headlight {
namespace {

using testing::edit;
using testing::expect_same_bits;
using testing::wait_until;

Document small_query_document() {
  Document document;
  document.query = testing::small_query();
  return document;
}

/// Every subject has the picture of its own query.
void wait_for_all(Session& session) {
  wait_until([&] {
    bool has_all = session.snapshot() && session.snapshot()->query == session.document().query;
    for (const Subject& other : session.document().others) {
      const auto snapshot = session.snapshot_of(other.id);
      has_all = has_all && snapshot && snapshot->query == other.query;
    }
    return has_all && session.worker().is_idle();
  });
}

TEST(SessionSubjects, TheBaselineKeepsItsPictureWhileThePresentIsEdited) {
  Session session(small_query_document(), 1);
  wait_for_all(session);
  const auto before = session.snapshot();
  edit(session, [](Document& d) { set_baseline(d); });
  EXPECT_EQ(session.snapshot_of(*session.document().baseline), before) << "it is there at once";
  edit(session, [](Document& d) { d.query.mask.rules = {{{Scope::Kind::layer, {1, 0}}, "none", {}}}; });
  wait_for_all(session);
  EXPECT_EQ(session.snapshot_of(*session.document().baseline), before);
  EXPECT_EQ(session.snapshot()->trace.layers[0], before->trace.layers[0]) << "the layer below the edit is shared";
  EXPECT_NE(session.snapshot()->trace.layers[1], before->trace.layers[1]);
  EXPECT_EQ(session.history().undo_label(), "mask: none in layer 1");
  session.undo();
  session.undo();
  EXPECT_FALSE(session.document().baseline);
  EXPECT_THAT(session.history().redo_label(), "baseline set");
}

TEST(SessionSubjects, GoingToATextThatWasComputedShowsItAtOnce) {
  Session session(small_query_document(), 1);
  edit(session, [](Document& d) { add_text(d, "x y z w"); });
  wait_for_all(session);
  const auto second = session.snapshot();
  const auto first = session.snapshot_of(1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->tokens(), 3);
  edit(session, [](Document& d) { focus(d, 1); });
  EXPECT_EQ(session.snapshot(), first);
  wait_for_all(session);
  EXPECT_EQ(session.snapshot_of(2), second);
}

// What is saved of a baseline is its query: after a restart it is computed again, to the same bits.
TEST(SessionSubjects, ASavedBaselineComesBack) {
  const testing::TemporaryFolder folder;
  std::shared_ptr<const Snapshot> before, now;
  {
    Session session(small_query_document(), 1);
    edit(session, [](Document& d) {
      set_baseline(d);
      d.query.text = "other words here";
      toggle_pin(d, {0, 1});
      freeze_pin(d, 0);
    });
    wait_for_all(session);
    before = session.snapshot_of(*session.document().baseline);
    now = session.snapshot();
    save_document(session.document(), folder / "d.headlight.json");
  }
  Session session(load_document(folder / "d.headlight.json"), 2);
  wait_for_all(session);
  expect_same_bits(*session.snapshot(), *now);
  expect_same_bits(*session.snapshot_of(*session.document().baseline), *before);
  EXPECT_TRUE(is_frozen(session.document(), session.document().pins[0].subject));
}

TEST(SessionSubjects, PinnedHeadsCarryTheRunsOfTheirSubjects) {
  Session session(small_query_document(), 1);
  edit(session, [](Document& d) {
    toggle_pin(d, {0, 0});
    add_text(d, "x y z w");
    toggle_pin(d, {1, 1});
  });
  wait_for_all(session);
  const auto run_of = [&](int subject) { return session.run_of(session.document(), subject); };
  const std::vector<ComparedHead> heads = pinned_heads(session.document(), run_of);
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(heads[0].of, session.snapshot_of(1));
  EXPECT_EQ(heads[0].subject, "text 1");
  EXPECT_EQ(heads[1].of, nullptr) << "the figure's own";
  EXPECT_EQ(heads[1].subject, "text 2");
}

TEST(SessionSubjects, APinWhoseRunIsMissingSaysWhy) {
  Document document = small_query_document();
  toggle_pin(document, {0, 0});
  add_text(document, "x");
  const auto waiting = pinned_heads(document, [](int) { return SubjectRun{}; });
  EXPECT_EQ(waiting[0].problem, "Being computed …");
  const auto refused = pinned_heads(document, [](int) { return SubjectRun{nullptr, "no memory"}; });
  EXPECT_EQ(refused[0].problem, "no memory");
}

}  // namespace
}  // namespace headlight

#include "app/session/state.h"

#include <gmock/gmock.h>

#include "tests/environment.h"
#include "tests/session/sample_document.h"
#include "tests/session/waiting.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using testing::wait_until;

SavedState sample_state() {
  SavedState state;
  state.document = testing::sample_document();
  state.unknown = {{"author", "somebody"}};
  state.view = {{"view", "head"}};
  state.recent = {"/models/a", "/models/b"};
  return state;
}

void save(const fs::path& folder, const SavedState& state) {
  Autosave autosave(folder);
  autosave.update(state);
}

TEST(State, NothingThereIsAFirstStart) {
  const TemporaryFolder folder;
  const RestoredState restored = restore_state(folder / "none");
  EXPECT_TRUE(restored.is_first_start);
  EXPECT_EQ(restored.notice, "");
  EXPECT_EQ(restored.state, SavedState{});
}

TEST(State, WhatWasSavedAtTheEndIsRestored) {
  const TemporaryFolder folder;
  save(folder / "state", sample_state());
  const RestoredState restored = restore_state(folder / "state");
  EXPECT_FALSE(restored.is_first_start);
  EXPECT_EQ(restored.notice, "");
  EXPECT_EQ(restored.state, sample_state());
}

TEST(State, ABrokenFileIsKeptAndSaid) {
  for (const std::string broken :
       {"", "{", "[]", R"({"format": "headlight-state", "version": 2})", R"({"format": "headlight-state", "version": 1})",
        R"({"format": "headlight-state", "version": 1, "document": {"format": "headlight-document", "version": 9}})"}) {
    SCOPED_TRACE(broken);
    const TemporaryFolder folder;
    folder.file("state.json", broken);
    const RestoredState restored = restore_state(folder.path());
    EXPECT_EQ(restored.state, SavedState{});
    EXPECT_FALSE(restored.is_first_start);
    EXPECT_THAT(restored.notice, HasSubstr("state.json.bad"));
    EXPECT_FALSE(fs::exists(folder / "state.json"));
    EXPECT_EQ(testing::bytes_of(folder / "state.json.bad"), broken);
  }
}

TEST(State, ViewAndRecentOfAWrongKindAreLeftOut) {
  const TemporaryFolder folder;
  const Json json = {
      {"format", "headlight-state"}, {"version", 1}, {"document", to_json(sandbox_document())}, {"view", 7}, {"recent", {1, "/m"}}};
  folder.file("state.json", json.dump());
  const RestoredState restored = restore_state(folder.path());
  EXPECT_EQ(restored.notice, "");
  EXPECT_EQ(restored.state.view, Json::object());
  EXPECT_EQ(restored.state.recent, std::vector<std::string>{"/m"});
}

TEST(Autosave, WritesAfterItsDelayWithoutBeingEnded) {
  const TemporaryFolder folder;
  Autosave autosave(folder.path(), std::chrono::milliseconds(1));
  autosave.update(sample_state());
  wait_until([&] { return fs::exists(folder / "state.json"); });
  EXPECT_EQ(restore_state(folder.path()).state, sample_state());
  EXPECT_EQ(autosave.notice(), "");
}

TEST(Autosave, AChangeWhileItWritesIsNotLost) {
  const TemporaryFolder folder;
  SavedState state = sample_state();
  {
    Autosave autosave(folder.path(), std::chrono::milliseconds(0));
    for (int edit = 0; edit < 200; ++edit) {
      state.document.query.text = std::to_string(edit);
      autosave.update(state);
    }
  }
  EXPECT_EQ(restore_state(folder.path()).state.document.query.text, "199");
}

TEST(Autosave, ASecondInstanceWritesNothingAndSaysSo) {
  const TemporaryFolder folder;
  Autosave first(folder.path(), std::chrono::milliseconds(0));
  first.update(sample_state());
  wait_until([&] { return fs::exists(folder / "state.json"); });
  Autosave second(folder.path(), std::chrono::milliseconds(0));
  second.update(SavedState{});
  wait_until([&] { return !second.notice().empty(); });
  EXPECT_THAT(second.notice(), HasSubstr("Another Headlight"));
  EXPECT_EQ(restore_state(folder.path()).state, sample_state());
}

TEST(Autosave, WithoutAFolderNothingIsWritten) {
  Autosave autosave({}, std::chrono::milliseconds(0));
  autosave.update(sample_state());
  EXPECT_EQ(autosave.notice(), "");
}

TEST(Autosave, AFolderThatCannotBeMadeIsANotice) {
  const TemporaryFolder folder;
  const fs::path file = folder.file("file", "");
  Autosave autosave(file / "below", std::chrono::milliseconds(0));
  autosave.update(sample_state());
  wait_until([&] { return !autosave.notice().empty(); });
  EXPECT_THAT(autosave.notice(), HasSubstr("below"));
}

TEST(RememberModel, TheNewestComesFirstOnceAndOldOnesGo) {
  std::vector<std::string> recent;
  for (std::size_t model = 0; model < 2 * kRecentModels; ++model) remember_model(recent, "m" + std::to_string(model));
  EXPECT_EQ(recent.size(), kRecentModels);
  EXPECT_EQ(recent.front(), "m23");
  remember_model(recent, "m20");
  EXPECT_EQ(recent.size(), kRecentModels);
  EXPECT_EQ(recent[0], "m20");
  EXPECT_EQ(recent[1], "m23");
}

TEST(StateFolder, FollowsTheDesktopsRules) {
  const testing::EnvironmentVariable home("HOME", "/home/anna"), state("XDG_STATE_HOME", "/state");
  EXPECT_EQ(state_folder(), "/state/headlight");
  state.set("relative");  // to be ignored, as the standard says
  EXPECT_EQ(state_folder(), "/home/anna/.local/state/headlight");
  state.set("");
  home.set("");
  EXPECT_EQ(state_folder(), "");
}

}  // namespace
}  // namespace headlight

#include "app/session/state.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "app/document/files/kept_documents.h"
#include "tests/environment.h"
#include "tests/session/kept_state.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using testing::document_saying;
using ::testing::HasSubstr;
using testing::keep;
using testing::kept_folders;
using testing::mode_of;
using testing::restore_once;
using testing::sample_state;
using testing::TemporaryFolder;

std::vector<Generation> generations_of_only_document(const fs::path& folder) {
  const std::vector<KeptDocument> kept = list_kept_documents(folder);
  EXPECT_EQ(kept.size(), 1U);
  return kept.empty() ? std::vector<Generation>{} : kept.front().generations;
}

TEST(State, NothingThereIsAFirstStart) {
  const TemporaryFolder folder;
  const RestoredState restored = restore_once(folder / "none");
  EXPECT_TRUE(restored.is_first_start);
  EXPECT_EQ(restored.notice, "");
  EXPECT_EQ(restored.state, SavedState{});
}

TEST(State, WhatWasSavedIsRestored) {
  const TemporaryFolder folder;
  keep(folder / "state", sample_state());
  const RestoredState restored = restore_once(folder / "state");
  EXPECT_FALSE(restored.is_first_start);
  EXPECT_EQ(restored.notice, "");
  EXPECT_EQ(restored.state, sample_state());
}

TEST(State, ADocumentThatTheCommandLineNamesLeavesTheLastOneAlone) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  const RestoredState given = restore_once(folder.path(), Start::given_document);
  EXPECT_EQ(given.state.document, SavedState{}.document);
  EXPECT_EQ(given.state.settings, sample_state().settings);
  EXPECT_TRUE(given.document_folder.empty());
  EXPECT_EQ(restore_once(folder.path()).state, sample_state());
}

TEST(State, OpeningSomethingElseDiscardsNothing) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  for (const char* text : {"one", "two"}) {
    StateStore store(folder.path());
    store.restore(Start::given_document);
    store.begin_document({});
    store.save_document(document_text(document_saying(text)));
    store.save_settings({});
    store.mark_start(false);
  }
  EXPECT_EQ(kept_folders(folder.path()).size(), 3U);
  EXPECT_EQ(restore_once(folder.path()).state.document.query.text, "two") << "the last one comes back";
}

TEST(State, ADocumentThatIsKeptAlreadyIsNotKeptTwice) {
  const TemporaryFolder folder;
  for (int start = 0; start < 3; ++start) {
    StateStore store(folder.path());
    store.restore(Start::given_document);
    store.save_document(document_text(sandbox_document()));
  }
  EXPECT_EQ(kept_folders(folder.path()).size(), 1U);
}

TEST(State, AKeptDocumentThatIsOpenedIsGoneOnWithAndAnEarlierGenerationIsNot) {
  const TemporaryFolder folder;
  StateStore store(folder.path());
  store.restore(Start::last_document);
  for (const char* text : {"earlier", "newest"}) store.save_document(document_text(document_saying(text)));
  const fs::path kept = store.document_folder();
  const std::vector<Generation> generations = find_kept_document(kept).generations;
  ASSERT_EQ(generations.size(), 2U);

  store.begin_document({});
  store.save_document(document_text(document_saying("other")));
  EXPECT_NE(store.document_folder(), kept);

  store.begin_document(generations[0].path);
  EXPECT_EQ(store.document_folder(), kept);
  store.begin_document(generations[1].path);
  store.save_document(document_text(document_saying("earlier, edited")));
  EXPECT_NE(store.document_folder(), kept);
  EXPECT_EQ(load_document(find_kept_document(kept).generations[0].path).query.text, "newest");
}

// A second instance.
TEST(State, ADocumentThatAnotherInstanceWorksOnStaysClosedAndIsLeftAlone) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  StateStore first(folder.path()), second(folder.path());
  EXPECT_EQ(first.restore(Start::last_document).state, sample_state());
  const RestoredState restored = second.restore(Start::last_document);
  EXPECT_THAT(restored.notice, HasSubstr("Another Headlight has your last document open"));
  EXPECT_EQ(restored.state.document, SavedState{}.document);
  EXPECT_EQ(restored.state.settings, sample_state().settings);

  const std::string settings = testing::bytes_of(folder / "settings.json");
  second.save_document(document_text(document_saying("of the second")));
  second.save_settings({});
  EXPECT_EQ(testing::bytes_of(folder / "settings.json"), settings) << "the first one's";
  EXPECT_NE(second.document_folder(), first.document_folder());
  EXPECT_EQ(load_document(find_kept_document(first.document_folder()).generations[0].path), sample_state().document);
}

TEST(State, AnEqualDocumentThatAnotherInstanceWorksOnIsNotTakenOver) {
  const TemporaryFolder folder;
  StateStore first(folder.path()), second(folder.path());
  for (StateStore* store : {&first, &second}) {
    store->restore(Start::given_document);
    store->save_document(document_text(sandbox_document()));
  }
  EXPECT_NE(first.document_folder(), second.document_folder());
}

// S4 of the reliability paper.
TEST(State, ABrokenNewestGenerationGivesWayToTheOneBeforeItAndIsKept) {
  for (const std::string broken : {"", "{", "[]", R"({"format": "headlight-document", "version": 9, "query": {}})", "\xff\xfe{"}) {
    SCOPED_TRACE(printable(broken));
    const TemporaryFolder folder;
    {
      StateStore store(folder.path());
      store.restore(Start::last_document);
      for (const char* text : {"good", "to be broken"}) store.save_document(document_text(document_saying(text)));
      store.save_settings({});
      store.mark_start(false);
    }
    const std::vector<Generation> generations = generations_of_only_document(folder.path());
    folder.file(fs::relative(generations[0].path, folder.path()).string(), broken);
    const RestoredState restored = restore_once(folder.path());
    EXPECT_EQ(restored.state.document.query.text, "good");
    EXPECT_THAT(restored.notice, HasSubstr(".bad"));
    EXPECT_THAT(restored.notice, HasSubstr(date_text(generations[1].written)));
    EXPECT_EQ(testing::bytes_of(generations[0].path.string() + ".bad"), broken);
    EXPECT_EQ(restore_once(folder.path()).notice, "") << "said once";
  }
}

TEST(State, EveryBrokenFileOfTheCorpusInPlaceOfTheNewestGivesWayToTheOneBeforeIt) {
  const auto corpus = testing::hostile_folder();
  if (!corpus) return testing::say_not_found("the corpus of broken files");
  const TemporaryFolder folder;
  StateStore store(folder.path());
  store.restore(Start::last_document);
  store.save_document(document_text(document_saying("good")));
  store.save_settings({});
  store.mark_start(false);
  const fs::path kept = store.document_folder();
  store = StateStore({});
  int tried = 0;
  for (const auto& entry : fs::directory_iterator(*corpus / "json")) {
    SCOPED_TRACE(entry.path());
    add_generation(kept, testing::bytes_of(entry.path()), wall_time() + std::chrono::seconds(tried));  // a name of its own
    const fs::path broken = find_kept_document(kept).generations[0].path;
    const RestoredState restored = restore_once(folder.path());
    EXPECT_EQ(restored.state.document.query.text, "good");
    EXPECT_THAT(restored.notice, HasSubstr(broken.filename().string() + ".bad"));
    EXPECT_EQ(testing::bytes_of(broken.string() + ".bad"), testing::bytes_of(entry.path()));
    ++tried;
  }
  EXPECT_GT(tried, 10);
}

TEST(State, WhereNoGenerationIsSoundTheyAreKeptAndTheStartIsFresh) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  const fs::path only = generations_of_only_document(folder.path())[0].path;
  folder.file(fs::relative(only, folder.path()).string(), "{");
  const RestoredState restored = restore_once(folder.path());
  EXPECT_EQ(restored.state.document, SavedState{}.document);
  EXPECT_THAT(restored.notice, HasSubstr("could not be read"));
  EXPECT_EQ(testing::bytes_of(only.string() + ".bad"), "{");
}

TEST(State, BrokenSettingsAreKeptNumberedAndTheLastDocumentComesBackAllTheSame) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  for (const std::string broken : {"{", R"({"format": "headlight-settings", "version": 2})"}) {
    folder.file("settings.json", broken);
    const RestoredState restored = restore_once(folder.path());
    EXPECT_EQ(restored.state.document, sample_state().document);
    EXPECT_EQ(restored.state.settings, Settings{});
    EXPECT_THAT(restored.notice, HasSubstr("settings"));
  }
  EXPECT_EQ(testing::bytes_of(folder / "settings.json.bad"), "{");
  EXPECT_THAT(testing::bytes_of(folder / "settings.json.2.bad"), HasSubstr("\"version\": 2"));
}

TEST(State, ViewAndRecentOfAWrongKindAreLeftOut) {
  const TemporaryFolder folder;
  const Json json = {{"format", "headlight-settings"}, {"version", 1}, {"document", 3}, {"view", 7}, {"recent", {1, "/m"}}};
  folder.file("settings.json", json.dump());
  const RestoredState restored = restore_once(folder.path());
  EXPECT_EQ(restored.notice, "");
  EXPECT_EQ(restored.state.settings.view, Json::object());
  EXPECT_EQ(restored.state.settings.recent, std::vector<std::string>{"/m"});
}

TEST(State, SettingsNameNoDocumentOutsideTheFolder) {
  for (const char* name : {"..", ".", "../../elsewhere", "/elsewhere", ""}) {
    const TemporaryFolder folder;
    const Json json = {{"format", "headlight-settings"}, {"version", 1}, {"document", name}};
    folder.file("settings.json", json.dump());
    const RestoredState restored = restore_once(folder.path());
    EXPECT_EQ(restored.notice, "");
    EXPECT_TRUE(restored.document_folder.empty());
  }
}

TEST(State, TheOldSingleFileBecomesAKeptDocumentAndStays) {
  const TemporaryFolder folder;
  const SavedState old = sample_state();
  const Json json = {{"format", "headlight-state"},
                     {"version", 1},
                     {"document", to_json(old.document, old.unknown)},
                     {"view", old.settings.view},
                     {"recent", old.settings.recent}};
  folder.file("state.json", json.dump());
  EXPECT_EQ(restore_once(folder.path()).state, old);
  EXPECT_EQ(generations_of_only_document(folder.path()).size(), 1U);
  EXPECT_EQ(Json::parse(testing::bytes_of(folder / "state.json.old")), json);
  EXPECT_FALSE(fs::exists(folder / "state.json"));
  EXPECT_EQ(restore_once(folder.path()).state, old) << "and from then on";
}

TEST(State, AnOldFileThatComesLaterIsAddedToWhatIsKept) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  const Json json = {{"format", "headlight-state"}, {"version", 1}, {"document", to_json(document_saying("of an earlier version"))}};
  folder.file("state.json", json.dump());
  EXPECT_EQ(restore_once(folder.path()).state, sample_state());
  EXPECT_EQ(kept_folders(folder.path()).size(), 2U);
}

TEST(State, ABrokenOldFileIsKeptAndSaid) {
  for (const std::string broken :
       {"", "{", "[]", R"({"format": "headlight-state", "version": 2})", R"({"format": "headlight-state", "version": 1})",
        R"({"format": "headlight-state", "version": 1, "document": {"format": "headlight-document", "version": 9}})"}) {
    SCOPED_TRACE(broken);
    const TemporaryFolder folder;
    folder.file("state.json", broken);
    folder.file("state.json.bad", "an earlier one");
    const RestoredState restored = restore_once(folder.path());
    EXPECT_EQ(restored.state, SavedState{});
    EXPECT_THAT(restored.notice, HasSubstr("state.json.2.bad"));
    EXPECT_EQ(testing::bytes_of(folder / "state.json.2.bad"), broken);
    EXPECT_EQ(testing::bytes_of(folder / "state.json.bad"), "an earlier one");
  }
}

TEST(State, NobodyElseCanReadIt) {
  const TemporaryFolder folder;
  const fs::path state = folder / "made/by/us";
  keep(state, sample_state());
  EXPECT_EQ(mode_of(folder / "made"), 0700U);
  EXPECT_EQ(mode_of(state), 0700U);
  for (const auto& entry : fs::recursive_directory_iterator(state)) {
    EXPECT_EQ(mode_of(entry.path()), entry.is_directory() ? 0700U : 0600U) << entry.path();
  }
  fs::permissions(state, fs::perms(0755));
  keep(state, sample_state());
  EXPECT_EQ(mode_of(state), 0700U) << "an older version made it for all to read";
}

// A start that ended before its first picture.
TEST(State, AStartThatNeverShowedAPictureMakesTheNextOneSafeOnce) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  {
    StateStore crashed(folder.path());
    EXPECT_EQ(crashed.restore(Start::last_document).state, sample_state());
    crashed.mark_start(true);
  }
  {
    StateStore safe(folder.path());
    const RestoredState restored = safe.restore(Start::last_document);
    EXPECT_EQ(restored.state.document, SavedState{}.document);
    EXPECT_EQ(restored.state.settings.view, Json::object());
    EXPECT_EQ(restored.state.settings.recent, sample_state().settings.recent);
    EXPECT_THAT(restored.notice, HasSubstr("ended before it could show a picture"));
    EXPECT_EQ(load_document(restored.offered), sample_state().document) << "kept, and offered";
    safe.mark_start(false);
  }
  EXPECT_EQ(restore_once(folder.path()).state.document, sample_state().document);
}

TEST(State, ASafeStartThatEndsEarlyTooIsFollowedByAnother) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  for (int start = 0; start < 3; ++start) {
    StateStore store(folder.path());
    const RestoredState restored = store.restore(Start::last_document);
    EXPECT_EQ(restored.offered.empty(), start == 0);
    store.mark_start(true);
  }
}

TEST(State, TheMarkOfAnInstanceThatStillStartsIsNotTakenForACrash) {
  const TemporaryFolder folder;
  StateStore starting(folder.path()), second(folder.path());
  starting.restore(Start::last_document);
  starting.mark_start(true);
  EXPECT_EQ(second.restore(Start::last_document).notice, "");
}

TEST(State, SafeModeOffersTheLastDocumentKeepsNewOnesAndLeavesTheSettings) {
  const TemporaryFolder folder;
  keep(folder.path(), sample_state());
  StateStore store(folder.path());
  const RestoredState restored = store.restore(Start::safe);
  EXPECT_EQ(restored.state.document, SavedState{}.document);
  EXPECT_EQ(load_document(restored.offered), sample_state().document);
  store.save_document(document_text(document_saying("made in safe mode")));
  store.save_settings({});
  store.mark_start(false);
  EXPECT_EQ(kept_folders(folder.path()).size(), 2U);
  store = StateStore({});
  EXPECT_EQ(restore_once(folder.path()).state, sample_state());
}

TEST(State, WithoutAFolderNothingIsRestoredOrWritten) {
  StateStore store({});
  EXPECT_EQ(store.restore(Start::last_document).state, SavedState{});
  store.save_document("x");
  store.save_settings({});
  store.mark_start(true);
  EXPECT_TRUE(store.document_folder().empty());
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

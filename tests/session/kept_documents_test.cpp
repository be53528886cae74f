#include "app/document/files/kept_documents.h"

#include <gmock/gmock.h>

#include "app/document/files/private_files.h"
#include "app/work/document_shelf.h"
#include "tests/session/kept_state.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::TemporaryFolder;

const WallTime kBegin = std::chrono::sys_days(std::chrono::year(2026) / 2 / 28) + std::chrono::hours(23) + milliseconds(7);

std::vector<std::string> texts_of(const fs::path& folder) {
  std::vector<std::string> texts;
  for (const Generation& generation : find_kept_document(folder).generations) texts.push_back(testing::bytes_of(generation.path));
  return texts;
}

TEST(KeptDocuments, ANameGivesTheTimeBackToTheMillisecond) {
  const TemporaryFolder folder;
  const fs::path kept = make_kept_document(folder.path(), kBegin);
  EXPECT_EQ(kept.filename(), "2026-02-28T23-00-00.007Z");
  add_generation(kept, "x", kBegin + minutes(61));
  const std::vector<Generation> generations = find_kept_document(kept).generations;
  ASSERT_EQ(generations.size(), 1U);
  EXPECT_EQ(generations[0].path.filename(), "2026-03-01T00-01-00.007Z.headlight.json");
  EXPECT_EQ(generations[0].written, kBegin + minutes(61));
}

TEST(KeptDocuments, NamesOfAnotherFormAreNotGenerations) {
  const TemporaryFolder folder;
  for (const char* name : {"notes.headlight.json", "2026-13-01T00-00-00.000Z.headlight.json", "2026-01-01T00-00-00.000Z.headlight.json.bad",
                           "2026-01-01T00-00-00.headlight.json", "lock"}) {
    folder.file(name, "x");
  }
  EXPECT_TRUE(find_kept_document(folder.path()).generations.empty());
}

TEST(KeptDocuments, TwoBegunInTheSameMillisecondAreTwo) {
  const TemporaryFolder folder;
  EXPECT_NE(make_kept_document(folder.path(), kBegin), make_kept_document(folder.path(), kBegin));
}

TEST(KeptDocuments, ThreeGenerationsStayAndQuickEditsDoNotPushOutWhatWasThereBefore) {
  const TemporaryFolder folder;
  WallTime now = kBegin;
  for (const char* text : {"a", "b", "c", "d", "e"}) add_generation(folder.path(), text, now += seconds(5));
  EXPECT_THAT(texts_of(folder.path()), ElementsAre("e", "d", "a"));
  add_generation(folder.path(), "f", now += kSettled);
  EXPECT_THAT(texts_of(folder.path()), ElementsAre("f", "e", "d")) << "d is ten minutes old by now, and newer than a";
  for (const char* text : {"g", "h", "i"}) add_generation(folder.path(), text, now += seconds(5));
  EXPECT_THAT(texts_of(folder.path()), ElementsAre("i", "h", "e"));
}

TEST(KeptDocuments, AClockThatIsSetBackDoesNotPutANewGenerationBehindAnOldOne) {
  const TemporaryFolder folder;
  add_generation(folder.path(), "old", kBegin);
  add_generation(folder.path(), "new", kBegin - minutes(5));
  EXPECT_THAT(texts_of(folder.path()), ElementsAre("new", "old"));
}

TEST(KeptDocuments, BeyondTheBoundTheOldestGoesButNeverOneThatIsHeld) {
  const TemporaryFolder folder;
  std::vector<fs::path> kept;
  WallTime now = kBegin;
  for (std::size_t number = 0; number < kKeptDocuments + 3; ++number) {
    kept.push_back(make_kept_document(folder.path(), now += seconds(1)));
    add_generation(kept.back(), std::to_string(number), now);
  }
  const auto held = FileLock::take(lock_of(kept[1]));
  testing::TemporaryFolder elsewhere;
  folder.file(fs::relative(kept[2] / "x.headlight.json.bad", folder.path()).string(), "a broken one that was kept");
  drop_oldest_documents(folder.path());
  EXPECT_EQ(list_kept_documents(folder.path()).size(), kKeptDocuments + 1);
  EXPECT_FALSE(fs::exists(kept[0]));
  EXPECT_TRUE(fs::exists(kept[1]));
  EXPECT_TRUE(fs::exists(kept[2] / "x.headlight.json.bad"));
  EXPECT_TRUE(find_kept_document(kept[2]).generations.empty());
  EXPECT_TRUE(fs::exists(kept[3]));
}

TEST(PrivateFiles, EarlierOnesThatWerePutAsideStay) {
  const TemporaryFolder folder;
  for (const char* bytes : {"first", "second", "third"}) put_aside(folder.file("a.json", bytes), "bad");
  EXPECT_EQ(testing::bytes_of(folder / "a.json.bad"), "first");
  EXPECT_EQ(testing::bytes_of(folder / "a.json.2.bad"), "second");
  EXPECT_EQ(testing::bytes_of(folder / "a.json.3.bad"), "third");
}

TEST(PrivateFiles, AFileThatWasOpenToAllIsReplacedByOneThatIsNot) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("a", "old");
  fs::permissions(path, fs::perms(0644));
  write_private_file(path, "new");
  EXPECT_EQ(testing::mode_of(path), 0600U);
  EXPECT_EQ(testing::bytes_of(path), "new");
}

TEST(PrivateFiles, AFolderThatCannotBeMadeIsAnErrorOfWritingThatNamesIt) {
  const TemporaryFolder folder;
  const Error error = testing::error_of([&] { make_private_folder(folder.file("file", "") / "below"); });
  EXPECT_EQ(error.kind(), ErrorKind::write);
  EXPECT_THAT(error.message(), ::testing::HasSubstr("below"));
}

TEST(DocumentShelf, ListsNewestFirstWithEarlierGenerationsBelowAndLeavesOutWhatIsBroken) {
  const TemporaryFolder folder;
  const auto text = [](const std::string& said) { return document_text(testing::document_saying(said)); };
  const fs::path one = make_kept_document(folder.path(), kBegin), two = make_kept_document(folder.path(), kBegin);
  add_generation(one, text("the first\nas it was"), kBegin);
  add_generation(two, text("the second"), kBegin + minutes(1));
  add_generation(one, text("the first"), kBegin + minutes(2));
  add_generation(two, "{", kBegin);
  SilentProgress silent;
  const std::vector<DocumentLine> lines = read_document_lines(folder.path(), silent);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].text, "the first");
  EXPECT_EQ(lines[0].model, "sandbox");
  EXPECT_FALSE(lines[0].is_earlier);
  EXPECT_EQ(lines[1].text, "the first↵as it was");
  EXPECT_TRUE(lines[1].is_earlier);
  EXPECT_EQ(lines[1].date, date_text(kBegin));
  EXPECT_EQ(lines[2].text, "the second");
  EXPECT_FALSE(lines[2].is_earlier);
}

}  // namespace
}  // namespace headlight

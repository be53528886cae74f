#include "engine/formats/replacing_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/formats/file_reader.h"
#include "tests/testing.h"

namespace headlight {
namespace {

using testing::bytes_of;
using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(WriteFile, WritesANewFileAndReplacesAnOldOne) {
  const TemporaryFolder folder;
  write_file(folder / "a.txt", "first, and long");
  write_file(folder / "a.txt", "second");
  EXPECT_EQ(bytes_of(folder / "a.txt"), "second");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(WriteFile, KeepsTheModeOfTheFileItReplaces) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("a", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  write_file(path, "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST(WriteFile, ReplacesTheTargetOfALinkAndKeepsTheLink) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "far");
  folder.file("far/target", "old");
  fs::create_symlink("far/target", folder / "link");
  fs::create_symlink("far/none", folder / "dangling");
  write_file(folder / "link", "new");
  write_file(folder / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(bytes_of(folder / "far/target"), "new");
  EXPECT_EQ(bytes_of(folder / "far/none"), "made");
}

TEST(WriteFile, AFailureNamesPathAndReasonAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  const Error missing = error_of([&] { write_file(folder / "no such folder/a", "x"); });
  EXPECT_EQ(missing.kind(), ErrorKind::write);
  EXPECT_THAT(missing.message(), HasSubstr("no such folder/a"));
  EXPECT_THAT(missing.message(), HasSubstr("No such file or directory"));
  EXPECT_THAT(error_of([&] { write_file(folder.path(), "x"); }).message(), HasSubstr("Is a directory"));
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(WriteFile, ADeviceIsWrittenToNotReplaced) {
  const Error full = error_of([] { write_file("/dev/full", "x"); });
  EXPECT_EQ(full.kind(), ErrorKind::write);
  EXPECT_THAT(full.message(), HasSubstr("No space left"));
  write_file("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(ReplacingFile, WithoutCommitTheOldFileStays) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("a", "old");
  {
    ReplacingFile file(path);
    file.write("half of the n");
  }
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

}  // namespace
}  // namespace headlight

#include "engine/formats/file_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>

#include "tests/testing.h"

namespace headlight {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
namespace fs = std::filesystem;

TEST(FileReader, ReadsRangesAndRefusesThoseThatLeaveTheFile) {
  const TemporaryFolder folder;
  const FileReader reader(folder.file("a", "0123456789"));
  std::array<char, 3> part = {};
  reader.read(7, std::as_writable_bytes(std::span(part)));
  EXPECT_EQ(std::string_view(part.data(), 3), "789");
  reader.read(10, {});
  for (const std::uint64_t offset : {std::uint64_t{8}, std::uint64_t{11}, ~std::uint64_t{0}, ~std::uint64_t{0} - 2}) {
    EXPECT_EQ(error_of([&] { reader.read(offset, std::as_writable_bytes(std::span(part))); }).kind(), ErrorKind::input) << offset;
  }
}

TEST(FileReader, AFileThatIsCutWhileOpenIsAnErrorNotASignal) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("a", std::string(10000, 'x'));
  const FileReader reader(path);
  fs::resize_file(path, 5000);
  std::string bytes(10000, '\0');
  EXPECT_THAT(error_of([&] { reader.read(0, std::as_writable_bytes(std::span(bytes))); }).message(),
              HasSubstr("was cut while it was read"));
}

TEST(FileReader, APipeIsRefusedWithoutWaiting) {
  const TemporaryFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { FileReader reader(pipe); }).message(), HasSubstr("a named pipe, not a regular file"));
}

TEST(FileReader, FollowsLinksToFilesAndRefusesLoops) {
  const TemporaryFolder folder;
  folder.file("target", "abc");
  fs::create_symlink("target", folder / "link");
  fs::create_symlink("loop", folder / "loop");
  EXPECT_EQ(read_file(folder / "link", 100), "abc");
  EXPECT_EQ(error_of([&] { FileReader reader(folder / "loop"); }).kind(), ErrorKind::input);
}

TEST(ReadFile, RefusesAFileOverTheLimitBeforeReadingIt) {
  const TemporaryFolder folder;
  const fs::path path = folder.file("a", "12345");
  EXPECT_EQ(read_file(path, 5), "12345");
  EXPECT_EQ(error_of([&] { read_file(path, 4); }).kind(), ErrorKind::limit);
}

}  // namespace
}  // namespace headlight

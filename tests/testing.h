// For all test programs: folders that clean up, errors as values, and where recorded cases lie.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace headlight::testing {

/// A new folder under the system's temporary folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "headlight-test-XXXXXX").native();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  /// Writes a file into the folder and returns its path. The old file is removed first: some file systems sync one that is truncated.
  std::filesystem::path file(std::string_view name, std::string_view bytes) const {
    std::filesystem::remove(path_ / name);
    std::ofstream stream(path_ / name, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs `action`, which must throw Error, and returns it; a test fails and gets an empty Error when it does not throw.
template <typename Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return Error({});
}

/// Folders with recorded cases: the one named by HEADLIGHT_REFERENCE alone, or the project's own and ../shared/reference where it exists.
inline std::vector<std::filesystem::path> reference_folders() {
  if (const char* named = std::getenv("HEADLIGHT_REFERENCE"); named != nullptr && *named != '\0') return {named};
  const std::filesystem::path tests = HEADLIGHT_TESTS_DIR;
  std::vector<std::filesystem::path> folders = {tests / "reference"};
  const std::filesystem::path shared = tests.parent_path().parent_path() / "shared" / "reference";
  if (std::filesystem::is_directory(shared)) folders.push_back(shared);
  return folders;
}

/// The corpus of broken files: HEADLIGHT_HOSTILE, or ../shared/hostile/corpus where it exists.
inline std::optional<std::filesystem::path> hostile_folder() {
  const char* named = std::getenv("HEADLIGHT_HOSTILE");
  const std::filesystem::path folder =
      named != nullptr && *named != '\0'
          ? std::filesystem::path(named)
          : std::filesystem::path(HEADLIGHT_TESTS_DIR).parent_path().parent_path() / "shared" / "hostile" / "corpus";
  if (!std::filesystem::is_directory(folder)) return std::nullopt;
  return folder;
}

/// For a test whose cases are not there: says so, and the test passes.
inline void say_not_found(std::string_view what) {
  std::printf("%.*s: not found, skipped\n", static_cast<int>(what.size()), what.data());
}

}  // namespace headlight::testing

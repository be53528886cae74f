// Files that the program keeps for one person: nobody else may read them, no two instances write the same one, and a broken one is kept.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace headlight {

/// Makes a folder, and those above it that are missing, with mode 0700; one that is there already is made private. Throws Error (write).
void make_private_folder(const std::filesystem::path& folder);

/// As write_file (file_reader.h), with mode 0600. Throws Error (write).
void write_private_file(const std::filesystem::path& path, std::string_view bytes);

/// Renames NAME to NAME.ENDING, or to NAME.2.ENDING, NAME.3.ENDING … where earlier ones have the name. Returns the new path. Throws Error
/// (write).
std::filesystem::path put_aside(const std::filesystem::path& path, std::string_view ending);

/// Holds a lock file until it is destroyed, or until the process ends, however it ends.
class FileLock {
 public:
  /// Nothing if another holds it. Throws Error (write) when the file cannot be created.
  static std::optional<FileLock> take(const std::filesystem::path& path);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace headlight

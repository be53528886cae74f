// A file that appears under its name only when it is whole.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headlight {

/// Who may read the written file: whoever the umask, or the mode of the file it replaces, allows; or only the owner (mode 0600).
enum class FileAccess : std::uint8_t { shared, owner };

/// Writes to a temporary file in the target's folder; commit() makes it the target (fsync, rename, fsync of the folder). Destroyed
/// without commit, it leaves the target as it was. A link's target is replaced, and the mode of a file that is replaced is kept.
/// A device or pipe as target (/dev/stdout) is written to directly. Every function throws Error (write) with the path and the system's
/// reason.
class ReplacingFile {
 public:
  explicit ReplacingFile(const std::filesystem::path& path, FileAccess access = FileAccess::shared);
  ~ReplacingFile();
  ReplacingFile(const ReplacingFile&) = delete;
  ReplacingFile& operator=(const ReplacingFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

  /// The temporary file, for a library that must open it by name and may replace it; write() is then not used.
  /// Throws for a target that is written to directly.
  const std::filesystem::path& lend();
  [[noreturn]] void fail(const std::string& what) const;

 private:
  /// Mode and owner of the file that is replaced.
  struct Status {
    mode_t mode = 0;
    uid_t user = 0;
    gid_t group = 0;
  };

  void open_temporary();
  void keep_status();
  void sync_and_close();

  std::string name_;              // as the user gave it, printable
  std::filesystem::path target_;  // links followed
  std::filesystem::path temporary_;
  FileAccess access_;
  int descriptor_ = -1;
  std::optional<Status> old_status_;
  bool is_direct_ = false;
  bool is_lent_ = false;
};

}  // namespace headlight

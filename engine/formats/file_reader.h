// The one reader of untrusted bytes: a regular file, its size, and reads that never pass its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/progress.h"

namespace headlight {

/// Opens regular files only (links to regular files too; never blocks on a FIFO or device). Not mapped: a file that is cut while
/// open gives an Error, not a signal. Thread contract: const calls from any thread.
class FileReader {
 public:
  /// Throws Error (input) when the path is missing, not a regular file, or not readable.
  explicit FileReader(const std::filesystem::path& path);
  ~FileReader();
  FileReader(FileReader&& other) noexcept;
  FileReader& operator=(FileReader&&) = delete;

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }  ///< the path as given, printable
  /// Fills `into` from byte `offset` on. Throws Error (input) when the range is not wholly inside the file, or on a read error; or Cancelled.
  void read(std::uint64_t offset, std::span<std::byte> into, const Watch& watch = {}) const;

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string name_;
};

/// The whole file as bytes. Throws Error (input), or Error (limit) when it is larger than max_bytes; or Cancelled.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes, const Watch& watch = {});

/// The first bytes of a file, at most `most`: enough to tell what it is. Throws Error (input).
std::string read_beginning(const std::filesystem::path& path, std::uint64_t most);

/// Writes by temporary file in the same folder, fsync, rename: the file is either the old one or the new one, whole. A link's target is
/// replaced and its mode kept (replacing_file.h). Throws Error (write) naming the path and the system's reason.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace headlight

// Reading zip archives, such as NumPy's .npz: members stored or deflated, into memory, never to disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"

namespace headlight {

struct ZipMember {
  std::string name;
  std::uint64_t bytes = 0;   ///< unpacked, as the archive says
  std::uint64_t number = 0;  ///< in the archive's list
};

/// Refused: encrypted members and other kinds of compression, two members of one name, more than 10,000 members, more than 1 GiB unpacked,
/// a member over 1 MiB that is packed more than 200 times, members that overlap, and members whose own headers give them other names than
/// the directory. Thread contract: one thread at a time.
class ZipFile {
 public:
  /// Reads and checks the list of members. Throws Error (input), or Error (limit) for the sizes.
  explicit ZipFile(const std::filesystem::path& path);
  ~ZipFile();
  ZipFile(const ZipFile&) = delete;
  ZipFile& operator=(const ZipFile&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<ZipMember>& members() const { return members_; }
  /// Unpacks one member and checks its checksum. Throws Error (input) naming it; or Cancelled.
  std::string read(const ZipMember& member, const Watch& watch = {}) const;

 private:
  struct Archive;
  std::string name_;
  std::unique_ptr<Archive> archive_;
  std::vector<ZipMember> members_;
};

}  // namespace headlight

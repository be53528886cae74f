#include "engine/formats/replacing_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// The file a chain of links ends at; the last link's target need not exist.
fs::path follow_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as the system has it (ELOOP)
  std::error_code ignored;
  for (int count = 0; count < kMostLinks && fs::is_symlink(fs::symlink_status(path, ignored)); ++count) {
    const fs::path target = fs::read_symlink(path, ignored);
    path = target.is_absolute() ? target : path.parent_path() / target;
  }
  return path;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

int close_retrying(int descriptor) {
  // On Linux the descriptor is gone even after EINTR: closing again could hit another thread's file.
  const int result = ::close(descriptor);
  return result < 0 && errno == EINTR ? 0 : result;
}

}  // namespace

ReplacingFile::ReplacingFile(const fs::path& path, FileAccess access)
    : name_(printable(path.native(), 4096)), target_(follow_links(path)), access_(access) {
  struct stat status = {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail("cannot be written");
  }
  is_direct_ = exists && !S_ISREG(status.st_mode);
  if (is_direct_) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail("cannot be opened for writing");
    return;
  }
  if (exists && ::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail("cannot be written");
  if (exists) old_status_ = {status.st_mode & 07777U, status.st_uid, status.st_gid};
  open_temporary();
}

ReplacingFile::~ReplacingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void ReplacingFile::open_temporary() {
  constexpr int kMostTries = 1000;
  const mode_t mode = access_ == FileAccess::owner ? 0600 : 0666;
  for (int number = 0; number < kMostTries; ++number) {
    const fs::path candidate = folder_of(target_) / fmt::format(".headlight-{}-{}.tmp", ::getpid(), number);
    descriptor_ = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ >= 0) {
      temporary_ = candidate;
      return;
    }
    if (errno != EEXIST && errno != EINTR) break;
  }
  fail("cannot be written");
}

void ReplacingFile::keep_status() {
  if (!old_status_) return;
  // The owner is kept where the system allows it (root, or a group of the user's).
  if (::fchown(descriptor_, old_status_->user, old_status_->group) != 0) errno = 0;
  const mode_t mode = access_ == FileAccess::owner ? 0600 : old_status_->mode;
  if (::fchmod(descriptor_, mode) != 0) fail("could not be given the permissions of the file it replaces");
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the file
void ReplacingFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void ReplacingFile::sync_and_close() {
  // Pipes and devices have nothing to sync and say EINVAL; so do folders of some network file systems.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot be written to the disk");
  if (close_retrying(std::exchange(descriptor_, -1)) != 0) fail("cannot be written to the disk");
}

void ReplacingFile::commit() {
  if (is_direct_) return sync_and_close();
  if (is_lent_) {  // the open descriptor may be that of a file that the library has replaced
    ::close(std::exchange(descriptor_, -1));
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor_ < 0) fail("cannot be opened again");
  }
  keep_status();
  sync_and_close();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in place");
  temporary_.clear();
  descriptor_ = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) fail("was written, but its folder cannot be synced");
  sync_and_close();
}

const fs::path& ReplacingFile::lend() {
  if (is_direct_) {
    errno = EINVAL;
    fail("cannot be written: this format needs a regular file");
  }
  is_lent_ = true;
  return temporary_;
}

void ReplacingFile::fail(const std::string& what) const {
  const int error = errno;
  throw Error({.kind = ErrorKind::write,
               .file = name_,
               .problem = what + ": " + std::generic_category().message(error),
               .hint = error == ENOSPC ? "Free some space, or choose another folder." : ""});
}

void write_file(const fs::path& path, std::string_view bytes) {
  ReplacingFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace headlight

#include "app/document/files/private_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/replacing_file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const char* what, int error) {
  throw Error({.kind = ErrorKind::write,
               .file = printable(path.string(), 4096),
               .problem = fmt::format("{}: {}", what, std::generic_category().message(error))});
}

void make_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return;
  const int error = errno;
  if (error != ENOENT || !folder.has_parent_path() || folder.parent_path() == folder) refuse(folder, "cannot be created", error);
  make_folder(folder.parent_path());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) refuse(folder, "cannot be created", errno);
}

}  // namespace

void make_private_folder(const fs::path& folder) {
  make_folder(folder);
  struct stat status = {};
  if (::stat(folder.c_str(), &status) != 0) refuse(folder, "cannot be used", errno);
  if (!S_ISDIR(status.st_mode)) refuse(folder, "cannot be used", ENOTDIR);
  const bool is_open_to_others = (status.st_mode & 077U) != 0;
  if (is_open_to_others && status.st_uid == ::geteuid() && ::chmod(folder.c_str(), 0700) != 0) {
    refuse(folder, "cannot be made private", errno);
  }
}

void write_private_file(const fs::path& path, std::string_view bytes) {
  ReplacingFile file(path, FileAccess::owner);
  file.write(bytes);
  file.commit();
}

fs::path put_aside(const fs::path& path, std::string_view ending) {
  fs::path aside = fmt::format("{}.{}", path.string(), ending);
  std::error_code ignored;
  for (int number = 2; fs::exists(fs::symlink_status(aside, ignored)); ++number) {
    aside = fmt::format("{}.{}.{}", path.string(), number, ending);
  }
  if (::rename(path.c_str(), aside.c_str()) != 0) refuse(path, "cannot be renamed", errno);
  return aside;
}

std::optional<FileLock> FileLock::take(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) refuse(path, "cannot be created", errno);
  FileLock lock(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) refuse(path, "cannot be locked", errno);
  return std::nullopt;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace headlight

#include "engine/formats/file_reader.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

// Some 10 ms from the page cache: a cancel is answered between two pieces.
constexpr std::size_t kReadAtOnce = std::size_t{16} << 20U;

[[noreturn]] void refuse(const std::string& file, std::string problem, std::string hint = {}) {
  throw Error({.kind = ErrorKind::input, .file = file, .problem = std::move(problem), .hint = std::move(hint)});
}

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

FileReader::FileReader(const std::filesystem::path& path) : name_(printable(path.native(), 4096)) {
  // O_NONBLOCK: opening a FIFO for reading would otherwise wait for a writer.
  do {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) refuse(name_, "cannot be opened: " + reason_of(errno));
  struct stat status = {};
  const bool has_status = ::fstat(descriptor_, &status) == 0;
  if (!has_status || !S_ISREG(status.st_mode)) {
    const std::string problem = has_status ? fmt::format("is {}, not a regular file", kind_of(status.st_mode)) : reason_of(errno);
    ::close(descriptor_);
    refuse(name_, problem);
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

FileReader::~FileReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileReader::FileReader(FileReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), name_(std::move(other.name_)) {}

void FileReader::read(std::uint64_t offset, std::span<std::byte> into, const Watch& watch) const {
  if (offset > size_ || into.size() > size_ - offset) {
    throw Error({.kind = ErrorKind::input,
                 .file = name_,
                 .offset = offset,
                 .problem = "ends too early",
                 .found = fmt::format("{} bytes", size_),
                 .expected = fmt::format("{} more bytes from here", into.size())});
  }
  while (!into.empty()) {
    watch.check();
    const ssize_t count = ::pread(descriptor_, into.data(), std::min(into.size(), kReadAtOnce), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Error({.kind = ErrorKind::input, .file = name_, .offset = offset, .problem = "cannot be read: " + reason_of(errno)});
    }
    if (count == 0) {
      throw Error({.kind = ErrorKind::input,
                   .file = name_,
                   .offset = offset,
                   .problem = fmt::format("was cut while it was read: it had {} bytes when it was opened", size_),
                   .hint = "Wait until whatever writes it has finished, and open it again."});
    }
    into = into.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes, const Watch& watch) {
  const FileReader reader(path);
  if (reader.size() > max_bytes) {
    throw Error({.kind = ErrorKind::limit,
                 .file = reader.name(),
                 .problem = "is too large for a file of this kind",
                 .found = fmt::format("{} bytes", reader.size()),
                 .expected = fmt::format("at most {} bytes", max_bytes)});
  }
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(reader.size()));
  while (bytes.size() < reader.size()) {  // piece by piece: filling it with zeros first would be one long stretch
    const std::size_t begin = bytes.size();
    bytes.resize(std::min(begin + kReadAtOnce, static_cast<std::size_t>(reader.size())));
    reader.read(begin, std::as_writable_bytes(std::span(bytes).subspan(begin)), watch);
  }
  return bytes;
}

std::string read_beginning(const std::filesystem::path& path, std::uint64_t most) {
  const FileReader reader(path);
  std::string bytes(static_cast<std::size_t>(std::min(reader.size(), most)), '\0');
  reader.read(0, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

}  // namespace headlight

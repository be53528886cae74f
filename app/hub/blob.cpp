#include "app/hub/blob.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>

#include "app/hub/http.h"
#include "engine/core/error.h"
#include "engine/formats/digest.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kTriesWithoutProgress = 5;
constexpr std::chrono::seconds kLongestWithoutProgress(20);
constexpr std::size_t kSampleBytes = 64;
constexpr std::uint64_t kLongestEtag = 400;

[[noreturn]] void fail_write(const fs::path& path) {
  throw Error({.kind = ErrorKind::write,
               .file = printable(path.string(), 4096),
               .problem = "cannot be written: " + std::generic_category().message(errno)});
}

/// A file that grows by what arrives.
class PartFile {
 public:
  explicit PartFile(fs::path path) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor_ < 0) fail_write(path_);
    const off_t end = ::lseek(descriptor_, 0, SEEK_END);
    if (end < 0) fail_write(path_);
    size_ = static_cast<std::uint64_t>(end);
  }
  ~PartFile() { ::close(descriptor_); }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  std::uint64_t size() const { return size_; }
  const fs::path& path() const { return path_; }

  void append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail_write(path_);
      size_ += static_cast<std::uint64_t>(count);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }
  void clear() {
    if (::ftruncate(descriptor_, 0) != 0) fail_write(path_);
    size_ = 0;
  }
  void sync() {
    if (::fsync(descriptor_) != 0) fail_write(path_);
  }

 private:
  fs::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

std::string digest_of(const fs::path& path, const HubFile& file, const std::function<void()>& check) {
  Digest digest = file.is_large ? Digest::sha256() : Digest::git_blob(file.bytes);
  const FileReader reader(path);
  std::vector<std::byte> piece(std::size_t{1} << 20U);
  for (std::uint64_t at = 0; at < reader.size();) {
    check();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), reader.size() - at));
    reader.read(at, std::span(piece).first(count));
    digest.add(std::span(piece).first(count));
    at += count;
  }
  return digest.hex();
}

/// Thrown from a request whose answer cannot continue the file.
struct StartOver {};

/// The download of one blob, attempt by attempt.
class BlobDownload {
 public:
  BlobDownload(const BlobRequest& request, const BlobProgress& progress)
      : request_(request),
        progress_(progress),
        part_(request.blobs / (request.file.hash + ".incomplete")),
        etag_path_(request.blobs / (request.file.hash + ".incomplete.etag")) {
    if (part_.size() > request_.file.bytes) part_.clear();
    etag_ = part_.size() > 0 ? read_etag() : std::string();
  }

  void run() {
    int idle = 0;
    Clock::time_point last_progress = Clock::now();
    while (part_.size() < request_.file.bytes || request_.file.bytes == 0) {
      const std::uint64_t before = part_.size();
      const HttpResult result = attempt();
      if (result.problem.empty() && part_.size() == request_.file.bytes) break;
      if (starts_over_) continue;
      if (part_.size() > before) {
        idle = 0;
        last_progress = Clock::now();
      } else {
        ++idle;
      }
      const bool is_hopeless = idle >= kTriesWithoutProgress || Clock::now() - last_progress > kLongestWithoutProgress;
      const bool may_go_on = result.may_be_retried || result.problem.empty();
      if (!may_go_on || is_hopeless) give_up(result);
      if (idle > 0) wait_to_retry(result.head.retry_after.value_or(0.2 * idle), [&] { progress_(part_.size()); });
    }
    finish();
  }

 private:
  std::string read_etag() const {
    std::error_code ignored;
    if (!fs::exists(etag_path_, ignored)) return {};
    return read_file(etag_path_, kLongestEtag);
  }
  void keep_etag(const std::string& etag) {
    if (etag == etag_) return;
    etag_ = etag;
    write_file(etag_path_, etag_);
  }

  HttpResult attempt() {
    starts_over_ = false;
    sample_.clear();
    wrong_length_.reset();
    const std::uint64_t offset = part_.size();
    HttpSink sink;
    sink.begin = [&](const HttpHead& head) { begin(head, offset); };
    sink.take = [&](std::span<const std::byte> bytes) { take(bytes); };
    HttpResult result;
    try {
      result = http_get({request_.url, request_.token, offset, etag_}, sink, [&] { progress_(part_.size()); });
    } catch (const StartOver&) {
      start_over();
      return result;
    }
    if (wrong_length_) refuse_length();
    if (result.head.status == 416 && offset > 0) start_over();
    return result;
  }

  /// Looks at an answer's head before a byte of it is kept.
  void begin(const HttpHead& head, std::uint64_t offset) {
    if (head.is_packed) refuse("the server sends the file compressed, which was not asked for");
    if (head.status == 206 && head.range_begin != offset) {
      refuse("the server sends another part of the file than was asked for",
             head.range_begin ? fmt::format("from byte {}", *head.range_begin) : "no place", fmt::format("from byte {}", offset));
    }
    const bool is_other_file = offset > 0 && !etag_.empty() && head.etag != etag_;
    if (head.status == 206 && is_other_file) throw StartOver();  // the rest of another file: the next try asks for all of it
    if (head.status == 200) part_.clear();
    const std::uint64_t missing = request_.file.bytes - part_.size();
    if (head.length && *head.length != missing) wrong_length_ = head.length;
    keep_etag(head.etag);
  }

  void take(std::span<const std::byte> bytes) {
    if (sample_.size() < kSampleBytes) {
      sample_.append(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kSampleBytes - sample_.size()));
    }
    if (wrong_length_) refuse_length();
    if (bytes.size() > request_.file.bytes - part_.size()) {
      part_.clear();
      refuse("the server sends more than the file's size", {}, fmt::format("{} bytes", request_.file.bytes));
    }
    part_.append(bytes);
    progress_(part_.size());
  }

  void start_over() {
    part_.clear();
    drop_etag();
    if (restarts_++ > 0) refuse("the server cannot resume the download");
    starts_over_ = true;
  }
  void drop_etag() {
    etag_.clear();
    std::error_code ignored;
    fs::remove(etag_path_, ignored);
  }

  [[noreturn]] void refuse(std::string problem, std::string found = {}, std::string expected = {}, std::string hint = {}) const {
    throw Error({.kind = ErrorKind::network,
                 .field = request_.label,
                 .problem = std::move(problem),
                 .found = std::move(found),
                 .expected = std::move(expected),
                 .hint = std::move(hint)});
  }

  [[noreturn]] void refuse_length() const {
    const std::optional<FileKind> kind = recognize_kind(sample_);
    const bool is_named = kind && (request_.file.is_large || kind->name != "JSON text");
    refuse("the server announces a different size than its list of files",
           fmt::format("{} bytes{}", *wrong_length_, is_named ? fmt::format(", {}", kind->name) : ""),
           fmt::format("{} bytes", request_.file.bytes - part_.size()));
  }

  [[noreturn]] void give_up(const HttpResult& result) const {
    const long status = result.head.status;
    if (status == 401 || status == 403 || status == 404 || status == 429) {
      refuse_answer(request_.label, status, result.problem, !request_.token.empty());
    }
    refuse("the download is incomplete: " + (result.problem.empty() ? std::string("the connection ended early") : result.problem),
           fmt::format("{} of {} bytes", part_.size(), request_.file.bytes), {},
           part_.size() > 0 ? "Start it again: it continues from there." : "");
  }

  void finish() {
    part_.sync();
    const std::string hash = digest_of(part_.path(), request_.file, [&] { progress_(part_.size()); });
    if (hash != request_.file.hash) {
      std::error_code ignored;
      fs::remove(part_.path(), ignored);
      drop_etag();
      refuse("the checksum is wrong: the file was damaged or changed on the way, and was deleted", hash, request_.file.hash);
    }
    const fs::path target = request_.blobs / request_.file.hash;
    if (::rename(part_.path().c_str(), target.c_str()) != 0) fail_write(target);
    drop_etag();
  }

  const BlobRequest& request_;
  const BlobProgress& progress_;
  PartFile part_;
  fs::path etag_path_;
  std::string etag_;
  std::string sample_;  // the first bytes, to say what was sent instead
  std::optional<std::uint64_t> wrong_length_;
  bool starts_over_ = false;
  int restarts_ = 0;
};

}  // namespace

void download_blob(const BlobRequest& request, const BlobProgress& progress) {
  std::error_code ignored;
  const fs::path target = request.blobs / request.file.hash;
  if (fs::is_regular_file(target, ignored) && fs::file_size(target, ignored) == request.file.bytes) return progress(request.file.bytes);
  BlobDownload(request, progress).run();
}

}  // namespace headlight

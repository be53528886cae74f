#include "app/hub/download.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "app/hub/blob.h"
#include "app/hub/listing.h"
#include "engine/core/error.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/hub_cache.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_at(const fs::path& path, const std::string& problem, ErrorKind kind = ErrorKind::write) {
  throw Error({.kind = kind, .file = printable(path.string(), 4096), .problem = problem});
}

void make_folders(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) fail_at(folder, "the folder cannot be created: " + failure.message());
}

/// Held while a model is being downloaded; the system releases it when the program ends, however it ends.
class ModelLock {
 public:
  explicit ModelLock(const fs::path& path) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) fail_at(path, "cannot be opened: " + std::generic_category().message(errno));
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(descriptor_);
    fail_at(path, "another program is downloading this model right now");
  }
  ~ModelLock() { ::close(descriptor_); }
  ModelLock(const ModelLock&) = delete;
  ModelLock& operator=(const ModelLock&) = delete;

 private:
  int descriptor_ = -1;
};

std::uint64_t size_of(const fs::path& path) {
  std::error_code failure;
  const std::uintmax_t bytes = fs::file_size(path, failure);
  return failure ? 0 : bytes;
}

/// Bytes of a file that have been downloaded already, whether or not it is whole.
std::uint64_t bytes_here(const fs::path& blobs, const HubFile& file) {
  return std::min(file.bytes, std::max(size_of(blobs / file.hash), size_of(blobs / (file.hash + ".incomplete"))));
}

std::string megabytes(std::uint64_t bytes) {
  return bytes < 1'000'000 ? fmt::format("{} kB", (bytes + 999) / 1000) : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void check_space(const fs::path& blobs, const std::vector<HubFile>& files) {
  std::uint64_t needed = 0;
  for (const HubFile& file : files) needed += file.bytes - bytes_here(blobs, file);  // each is below 2^44, and there are few
  std::error_code failure;
  const fs::space_info space = fs::space(blobs, failure);
  if (failure || space.available >= needed) return;
  throw Error({.kind = ErrorKind::limit,
               .file = printable(blobs.string(), 4096),
               .problem = "there is not enough space on the disk",
               .found = megabytes(space.available) + " free",
               .expected = megabytes(needed)});
}

/// A link that replaces whatever had its name.
void make_link(const fs::path& link, const fs::path& target) {
  const fs::path fresh = link.string() + ".new";
  std::error_code failure;
  fs::remove(fresh, failure);
  fs::create_symlink(target, fresh, failure);
  if (!failure) fs::rename(fresh, link, failure);
  if (failure) fail_at(link, "the link cannot be created: " + failure.message());
}

/// Makes the snapshot's links. A folder with config.json counts as a model, so its link comes last.
fs::path install(const fs::path& model, const HubListing& listing, const std::string& revision) {
  const fs::path snapshot = model / "snapshots" / listing.commit;
  make_folders(snapshot);
  const auto link = [&](const HubFile& file) { make_link(snapshot / file.name, fs::path("../../blobs") / file.hash); };
  for (const HubFile& file : listing.files) {
    if (file.name != "config.json") link(file);
  }
  for (const HubFile& file : listing.files) {
    if (file.name == "config.json") link(file);
  }
  if (revision != listing.commit) {
    const fs::path ref = model / "refs" / revision;
    make_folders(ref.parent_path());
    write_file(ref, listing.commit);
  }
  return snapshot;
}

}  // namespace

fs::path download_model(const HubSettings& settings, const std::string& name, Progress& progress) {
  const std::optional<HubName> wanted = parse_hub_name(name);
  if (!wanted) {
    throw Error(
        {.kind = ErrorKind::usage,
         .field = "model",
         .problem = "this is not the id of a model on the hub",
         .found = "\"" + printable(name, 100) + "\"",
         .expected = "NAME or OWNER/NAME, as on the model's page: openai-community/gpt2; with @REVISION for a branch, tag or commit"});
  }
  if (settings.is_offline) {
    if (std::optional<fs::path> cached = find_cached_model(settings.cache, name)) return *std::move(cached);
    throw Error({.kind = ErrorKind::network,
                 .field = name,
                 .problem = "HF_HUB_OFFLINE is set, so nothing is downloaded, and the cache does not have the model",
                 .hint = "Unset it to download. Models in the cache open without the network."});
  }
  const std::string& id = wanted->id;
  const fs::path model = hub_model_folder(settings.cache, id);
  const fs::path blobs = model / "blobs";
  progress.step(0, "asking the hub");
  const HubListing listing = fetch_listing(settings, *wanted, [&] { progress.step(0, "asking the hub"); });
  make_folders(blobs);
  const fs::path locks = settings.cache / ".locks" / model.filename();
  make_folders(locks);
  const ModelLock lock(locks / "headlight.lock");
  check_space(blobs, listing.files);
  std::uint64_t total = 0, done = 0;
  for (const HubFile& file : listing.files) total += file.bytes;
  for (const HubFile& file : listing.files) {
    const BlobRequest request{fmt::format("{}/{}/resolve/{}/{}", settings.endpoint, id, listing.commit, file.name), settings.token,
                              fmt::format("{}/{}", id, file.name), file, blobs};
    download_blob(request, [&](std::uint64_t bytes) {
      progress.step(static_cast<double>(done + bytes) / static_cast<double>(std::max<std::uint64_t>(total, 1)),
                    fmt::format("{}, {} of {}", file.name, megabytes(done + bytes), megabytes(total)));
    });
    done += file.bytes;
  }
  return install(model, listing, wanted->revision);
}

}  // namespace headlight

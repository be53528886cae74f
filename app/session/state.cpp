#include "app/session/state.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr std::string_view kFormat = "headlight-state";
constexpr int kVersion = 1;
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
constexpr const char* kFileName = "state.json";

std::optional<fs::path> absolute_folder(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  if (value == nullptr || !fs::path(value).is_absolute()) return std::nullopt;
  return fs::path(value);
}

std::string to_text(const SavedState& state) {
  const Json json = {{"format", kFormat},
                     {"version", kVersion},
                     {"document", to_json(state.document, state.unknown)},
                     {"view", state.view},
                     {"recent", state.recent}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

SavedState from_text(const std::string& text, const std::string& file) {
  const Json json = parse_json(text, file);
  const JsonFields fields(json, file);
  if (fields.text("format") != kFormat) throw Error({.kind = ErrorKind::input, .file = file, .problem = "this is not a saved state"});
  fields.integer("version", 1, kVersion);
  SavedState state;
  state.document = document_from_json(fields.at("document"), file, &state.unknown);
  if (fields.has("view") && fields.at("view").is_object()) state.view = fields.at("view");
  if (fields.has("recent") && fields.at("recent").is_array()) {
    for (const Json& model : fields.at("recent")) {
      if (model.is_string() && state.recent.size() < kRecentModels) state.recent.push_back(model.get<std::string>());
    }
  }
  return state;
}

/// A descriptor that holds the folder's lock, or −1 when another instance has it.
int lock_folder(const fs::path& folder) {
  fs::create_directories(folder);
  const int descriptor = ::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), (folder / "lock").string());
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

}  // namespace

void remember_model(std::vector<std::string>& recent, const std::string& model) {
  std::erase(recent, model);
  recent.insert(recent.begin(), model);
  recent.resize(std::min(recent.size(), kRecentModels));
}

fs::path state_folder() {
  if (const auto folder = absolute_folder("XDG_STATE_HOME")) return *folder / "headlight";
  if (const auto home = absolute_folder("HOME")) return *home / ".local" / "state" / "headlight";
  return {};
}

RestoredState restore_state(const fs::path& folder) {
  RestoredState restored;
  const fs::path path = folder / kFileName;
  std::error_code ignored;
  if (folder.empty() || !fs::exists(path, ignored)) {
    restored.is_first_start = true;
    return restored;
  }
  try {
    restored.state = from_text(read_file(path, kLargestFile), printable(path.string()));
  } catch (const std::exception& broken) {
    const fs::path kept = path.string() + ".bad";
    std::error_code failure;
    fs::rename(path, kept, failure);
    restored.notice = fmt::format("The last state could not be restored, so this is a fresh start. {}. {}", printable(broken.what(), 400),
                                  failure ? "It stays where it is." : "It is kept as " + printable(kept.string()) + ".");
  }
  return restored;
}

struct Autosave::State {
  State(fs::path where, std::chrono::milliseconds wait) : folder(std::move(where)), delay(wait) {}

  const fs::path folder;
  const std::chrono::milliseconds delay;
  int lock_descriptor = -1;  // the saving thread's own

  mutable std::mutex mutex;
  std::condition_variable changed;
  // Guarded by mutex.
  SavedState newest;
  bool is_known = false;  // whether `newest` was ever told
  bool is_unsaved = false;
  bool is_stopping = false;
  Clock::time_point unsaved_since;
  std::string notice;
  std::thread thread;  // last: started when everything above is ready

  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return is_unsaved || is_stopping; });
      const Clock::time_point due = unsaved_since + delay;
      if (is_unsaved) changed.wait_until(lock, due, [&] { return is_stopping; });
      if (is_unsaved) save(lock);
      if (is_stopping && !is_unsaved) break;
    }
    if (lock_descriptor >= 0) ::close(lock_descriptor);
  }

  /// `lock` is held on entry and on return, not while the disk is waited for.
  void save(std::unique_lock<std::mutex>& lock) {
    const SavedState state = newest;
    is_unsaved = false;
    lock.unlock();
    std::string problem;
    try {
      if (lock_descriptor < 0) lock_descriptor = lock_folder(folder);
      if (lock_descriptor >= 0) {
        write_file(folder / kFileName, to_text(state));
      } else {
        problem = "Another Headlight is open: this one's state is not kept for the next start.";
      }
    } catch (const std::exception& failure) {
      problem = "The state cannot be kept for the next start: " + printable(failure.what(), 400);
    }
    lock.lock();
    notice = std::move(problem);
  }
};

Autosave::Autosave(fs::path folder, std::chrono::milliseconds delay) : state_(std::make_unique<State>(std::move(folder), delay)) {
  if (!state_->folder.empty()) state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Autosave::~Autosave() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_stopping = true;
  }
  state_->changed.notify_all();
  if (state_->thread.joinable()) state_->thread.join();
}

void Autosave::update(const SavedState& state) {
  State& keeper = *state_;
  if (keeper.folder.empty()) return;
  const std::lock_guard lock(keeper.mutex);
  if (keeper.is_known && keeper.newest == state) return;
  keeper.newest = state;
  keeper.is_known = true;
  if (keeper.is_unsaved) return;
  keeper.is_unsaved = true;
  keeper.unsaved_since = Clock::now();
  keeper.changed.notify_all();
}

std::string Autosave::notice() const {
  const std::lock_guard lock(state_->mutex);
  return state_->notice;
}

}  // namespace headlight

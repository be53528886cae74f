#include "app/session/file_watch.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/core/guarded.h"
#include "engine/core/parallel.h"
#include "engine/formats/file_names.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// What is compared of a file; nothing where there is none.
struct Stamp {
  std::uintmax_t bytes = 0;
  fs::file_time_type time;
  bool operator==(const Stamp&) const = default;
};

std::optional<Stamp> stamp_of(const fs::path& file) {
  std::error_code problem;
  const std::uintmax_t bytes = fs::file_size(file, problem);
  if (problem) return std::nullopt;
  const fs::file_time_type time = fs::last_write_time(file, problem);
  return problem ? std::nullopt : std::optional(Stamp{bytes, time});
}

struct WatchedFile {
  fs::path file;
  bool is_known = false;                // `shown` was taken
  std::optional<Stamp> shown = {};      // as it was when what is shown was read
  std::optional<Stamp> last_seen = {};  // by the last look
  bool operator==(const WatchedFile& other) const { return file == other.file; }
};

}  // namespace

std::vector<fs::path> files_of_model(const std::string& name) {
  const std::optional<fs::path> place = find_model(name);
  if (!place) return {};
  std::error_code problem;
  if (!fs::is_directory(*place, problem)) return {*place};
  std::vector<fs::path> files;
  for (const fs::path name_in_folder : file_names_in(*place)) {
    const std::string ending = name_in_folder.extension().string();
    if (ending == ".json" || ending == ".safetensors" || ending == ".txt" || ending == ".model") files.push_back(*place / name_in_folder);
  }
  return files;
}

struct FileWatch::State {
  State(std::function<void()> notify, std::chrono::milliseconds between) : on_change(std::move(notify)), pause(between) {}

  void look() {
    std::vector<fs::path> files;
    {
      const Lock lock(mutex);
      for (const WatchedFile& each : watched) files.push_back(each.file);
    }
    std::vector<std::optional<Stamp>> stamps;
    for (const fs::path& file : files) stamps.push_back(stamp_of(file));  // without the lock: a disk may be slow
    bool has_news = false;
    {
      const Lock lock(mutex);
      for (std::size_t i = 0; i < files.size(); ++i) has_news = take_look(files[i], stamps[i]) || has_news;
    }
    if (has_news && on_change) on_change();
  }

  /// The thread's: a look after each pause, until it is stopped.
  void run() {
    while (true) {
      look();
      const Lock lock(mutex);
      const auto due = std::chrono::steady_clock::now() + pause;
      while (!is_stopping && alarm.wait_until(mutex, due)) {
      }
      if (is_stopping) return;
    }
  }

  bool take_look(const fs::path& file, const std::optional<Stamp>& now) HEADLIGHT_REQUIRES(mutex) {
    const auto found = std::find_if(watched.begin(), watched.end(), [&](const WatchedFile& each) { return each.file == file; });
    if (found == watched.end()) return false;
    const bool is_settled = now == found->last_seen;
    found->last_seen = now;
    if (!found->is_known) {
      found->is_known = true;
      found->shown = now;
      return false;
    }
    if (!now || now == found->shown || !is_settled) return false;
    found->shown = now;
    changed.push_back(file);
    return true;
  }

  const std::function<void()> on_change;
  const std::chrono::milliseconds pause;
  Mutex mutex;
  std::vector<WatchedFile> watched HEADLIGHT_GUARDED_BY(mutex);
  std::vector<fs::path> changed HEADLIGHT_GUARDED_BY(mutex);
  bool is_stopping HEADLIGHT_GUARDED_BY(mutex) = false;
  Condition alarm;
  std::thread thread;  // last: it uses the others
};

FileWatch::FileWatch(std::function<void()> on_change, std::chrono::milliseconds pause)
    : state_(std::make_unique<State>(std::move(on_change), pause)) {
  if (pause.count() > 0) state_->thread = start_thread([state = state_.get()] { state->run(); });
}

FileWatch::~FileWatch() {
  {
    const Lock lock(state_->mutex);
    state_->is_stopping = true;
  }
  state_->alarm.notify_all();
  if (state_->thread.joinable()) state_->thread.join();
}

void FileWatch::watch(const std::vector<fs::path>& files) {
  const Lock lock(state_->mutex);
  std::vector<WatchedFile>& watched = state_->watched;
  std::erase_if(watched, [&](const WatchedFile& each) { return std::find(files.begin(), files.end(), each.file) == files.end(); });
  for (const fs::path& file : files) {
    if (std::find(watched.begin(), watched.end(), WatchedFile{file}) == watched.end()) watched.push_back({file});
  }
}

void FileWatch::accept(const fs::path& file) {
  const Lock lock(state_->mutex);
  for (WatchedFile& each : state_->watched) {
    if (each.file == file) each.is_known = false;
  }
  std::erase(state_->changed, file);
}

std::vector<fs::path> FileWatch::take_changed() {
  const Lock lock(state_->mutex);
  return std::exchange(state_->changed, {});
}

void FileWatch::look_now() {
  state_->look();
}

}  // namespace headlight

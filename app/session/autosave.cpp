#include "app/session/autosave.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/guarded.h"
#include "engine/core/parallel.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kFirstPause{1}, kLongestPause{60};

/// Why `write` failed; empty if it did not.
template <typename Write>
std::string failure_of(Write write) {
  try {
    write();
  } catch (const std::exception& why) {
    return printable(why.what(), 400);
  }
  return {};
}

}  // namespace

struct Autosave::State {
  State(StateStore kept, std::chrono::milliseconds wait, bool starts)
      : delay(wait), store(std::move(kept)), folder(store.document_folder()) {
    if (starts) problem = failure_of([&] { store.mark_start(true); });
    is_starting = is_start_marked = store.is_start_marked();
  }

  const std::chrono::milliseconds delay;
  // The saving thread's own, from when it is started.
  StateStore store;
  std::uint64_t stored_openings = 0;  // of the document that `store` is at

  mutable Mutex mutex;
  Condition changed, tried;
  std::optional<OpenState> newest HEADLIGHT_GUARDED_BY(mutex);  // from the last update
  std::deque<OpenState> left HEADLIGHT_GUARDED_BY(mutex);       // documents that were replaced by another before they were written
  bool is_unsaved HEADLIGHT_GUARDED_BY(mutex) = false;
  bool is_starting HEADLIGHT_GUARDED_BY(mutex) = false, is_start_marked HEADLIGHT_GUARDED_BY(mutex) = false;
  bool is_stopping HEADLIGHT_GUARDED_BY(mutex) = false;
  std::uint64_t wanted_flushes HEADLIGHT_GUARDED_BY(mutex) = 0, tries HEADLIGHT_GUARDED_BY(mutex) = 0;
  std::chrono::seconds pause HEADLIGHT_GUARDED_BY(mutex){0};  // after a failure
  Clock::time_point due HEADLIGHT_GUARDED_BY(mutex);
  std::string problem HEADLIGHT_GUARDED_BY(mutex);
  std::filesystem::path folder HEADLIGHT_GUARDED_BY(mutex);
  std::thread thread;  // last: started when everything above is ready

  bool has_work() const HEADLIGHT_REQUIRES(mutex) { return is_unsaved || is_starting != is_start_marked; }
  bool is_pressed() const HEADLIGHT_REQUIRES(mutex) {
    return is_stopping || tries < wanted_flushes || (is_starting != is_start_marked && pause.count() == 0);
  }

  void run() {
    const Lock lock(mutex);
    while (true) {
      while (!has_work() && !is_stopping && tries >= wanted_flushes) changed.wait(mutex);
      bool is_due = !has_work();
      while (!is_due && !is_pressed()) is_due = !changed.wait_until(mutex, due);
      const bool is_last = is_stopping;
      const std::uint64_t flushes = wanted_flushes;
      if (has_work()) save();
      tries = flushes;
      tried.notify_all();
      if (is_last) return;
    }
  }

  /// Releases the mutex while it waits for the disk.
  void save() HEADLIGHT_REQUIRES(mutex) {
    const std::deque<OpenState> earlier = left;
    const std::optional<OpenState> last = is_unsaved ? newest : std::nullopt;
    const bool is_marked = is_starting;
    is_unsaved = false;
    std::string failure, not_saved;
    std::size_t written = 0;
    {
      const Unlocked unlocked(mutex);
      failure = failure_of([&] { store.mark_start(is_marked); });
      not_saved = failure_of([&] {
        for (; written < earlier.size(); ++written) save_document(earlier[written]);
        if (!last) return;
        save_document(*last);
        store.save_settings(last->state.settings);
      });
    }
    if (!not_saved.empty()) failure = not_saved;
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(written));
    if (!not_saved.empty() && last) keep_for_later(*last, earlier.size() - written);
    folder = store.document_folder();
    is_start_marked = is_marked;
    problem = failure.empty() ? "" : "Your work is not being saved for the next start; trying again. " + failure;
    pause = failure.empty() ? std::chrono::seconds(0) : std::clamp(2 * pause, kFirstPause, kLongestPause);
    if (!failure.empty()) due = Clock::now() + pause;
  }

  /// `unwritten` goes after the first `place` documents of `left`, unless it is still the open one, whose newest state is written anyway.
  void keep_for_later(const OpenState& unwritten, std::size_t place) HEADLIGHT_REQUIRES(mutex) {
    if (newest->openings != unwritten.openings) left.insert(left.begin() + static_cast<std::ptrdiff_t>(place), unwritten);
    is_unsaved = true;
  }

  void save_document(const OpenState& open) {
    if (open.openings != stored_openings) {
      store.begin_document(open.origin);
      stored_openings = open.openings;
    }
    store.save_document(document_text(open.state.document, open.state.unknown));
  }
};

Autosave::Autosave(StateStore store, std::chrono::milliseconds delay, bool is_starting)
    : state_(std::make_unique<State>(std::move(store), delay, is_starting)) {
  if (state_->store.folder().empty()) return;
  try {
    state_->thread = start_thread([state = state_.get()] { state->run(); });
  } catch (...) {
    failure_of([&] { state_->store.mark_start(false); });  // a start that was refused is not a crash
    throw;
  }
}

Autosave::~Autosave() {
  {
    const Lock lock(state_->mutex);
    state_->is_stopping = true;
    state_->is_starting = false;
  }
  state_->changed.notify_all();
  if (state_->thread.joinable()) state_->thread.join();
}

void Autosave::update(const OpenState& open) {
  State& keeper = *state_;
  if (!keeper.thread.joinable()) return;
  const Lock lock(keeper.mutex);
  const bool is_other = !keeper.newest || keeper.newest->openings != open.openings;
  if (!is_other && keeper.newest->state == open.state) return;
  if (is_other && keeper.newest && keeper.is_unsaved) keeper.left.push_back(*keeper.newest);
  keeper.newest = open;
  if (keeper.is_unsaved) return;
  keeper.is_unsaved = true;
  keeper.due = Clock::now() + keeper.delay;
  keeper.changed.notify_all();
}

void Autosave::mark_start(bool is_starting) {
  State& keeper = *state_;
  if (!keeper.thread.joinable()) return;
  const Lock lock(keeper.mutex);
  if (keeper.is_starting == is_starting) return;
  keeper.is_starting = is_starting;
  keeper.changed.notify_all();
}

void Autosave::flush() {
  State& keeper = *state_;
  if (!keeper.thread.joinable()) return;
  const Lock lock(keeper.mutex);
  const std::uint64_t mine = ++keeper.wanted_flushes;
  keeper.changed.notify_all();
  while (keeper.tries < mine) keeper.tried.wait(keeper.mutex);
}

std::string Autosave::problem() const {
  const Lock lock(state_->mutex);
  return state_->problem;
}

std::filesystem::path Autosave::document_folder() const {
  const Lock lock(state_->mutex);
  return state_->folder;
}

}  // namespace headlight

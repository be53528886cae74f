#include "app/hub/downloader.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "app/hub/download.h"
#include "engine/core/error.h"
#include "engine/core/guarded.h"
#include "engine/core/parallel.h"

namespace headlight {
namespace {

constexpr std::chrono::milliseconds kBetweenNews(50);

}  // namespace

struct Downloader::State final : Progress {
  explicit State(std::function<void()> changed) : on_change(std::move(changed)) {}

  const std::function<void()> on_change;
  mutable Mutex mutex;
  DownloadStatus status HEADLIGHT_GUARDED_BY(mutex);
  std::atomic<bool> is_cancelled = false;
  std::chrono::steady_clock::time_point last_news;  // of the download thread
  std::thread thread;

  void check() override {
    if (is_cancelled) throw Cancelled();
  }

  void step(double done, std::string_view what) override {
    check();
    const auto now = std::chrono::steady_clock::now();
    if (now - last_news < kBetweenNews) return;
    last_news = now;
    {
      const Lock lock(mutex);
      status.done = done;
      status.step = what;
    }
    if (on_change) on_change();
  }

  void run(const std::string& id) {
    std::string folder, problem;
    try {
      folder = download_model(hub_settings(), id, *this).string();
    } catch (const Cancelled&) {
      // What is incomplete stays for the next time.
    } catch (const Error& error) {
      problem = error.message();
    } catch (const std::exception& fault) {
      problem = printable(fault.what());
    }
    {
      const Lock lock(mutex);
      status.is_busy = false;
      status.folder = std::move(folder);
      status.problem = std::move(problem);
      ++status.ended;
    }
    if (on_change) on_change();
  }
};

Downloader::Downloader(std::function<void()> on_change) : state_(std::make_unique<State>(std::move(on_change))) {}

Downloader::~Downloader() {
  state_->is_cancelled = true;
  if (state_->thread.joinable()) state_->thread.join();
}

void Downloader::start(const std::string& id) {
  {
    const Lock lock(state_->mutex);
    if (state_->status.is_busy) return;
    const std::uint64_t ended = state_->status.ended;
    state_->status = {};
    state_->status.is_busy = true;
    state_->status.id = id;
    state_->status.ended = ended;
  }
  if (state_->thread.joinable()) state_->thread.join();  // it has ended
  state_->is_cancelled = false;
  try {
    state_->thread = start_thread([state = state_.get(), id] { state->run(id); });
  } catch (const Error& refusal) {
    const Lock lock(state_->mutex);
    state_->status.is_busy = false;
    state_->status.problem = refusal.message();
    ++state_->status.ended;
  }
}

void Downloader::cancel() {
  state_->is_cancelled = true;
}

DownloadStatus Downloader::status() const {
  const Lock lock(state_->mutex);
  return state_->status;
}

}  // namespace headlight

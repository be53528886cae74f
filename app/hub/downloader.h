// The download thread: fetches one model at a time without holding up the window.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace headlight {

struct DownloadStatus {
  bool is_busy = false;
  std::string id;           ///< of the model being downloaded, or of the last one
  double done = 0;          ///< 0…1
  std::string step;         ///< "model.safetensors, 12.0 MB of 48.0 MB"
  std::uint64_t ended = 0;  ///< downloads that have ended so far, successfully or not
  std::string folder;       ///< of the last one; empty if it failed or was cancelled
  std::string problem;      ///< of the last one; empty if it succeeded or was cancelled
};

/// Thread contract: all functions from the UI thread; none of them waits except the destructor (at most 0.2 s).
class Downloader {
 public:
  /// `on_change` is called from the download thread whenever something changed (it wakes the window).
  explicit Downloader(std::function<void()> on_change = {});
  ~Downloader();  ///< cancels
  Downloader(const Downloader&) = delete;
  Downloader& operator=(const Downloader&) = delete;

  /// Does nothing during a download. The status says what is wrong with the id or the settings.
  void start(const std::string& id);
  void cancel();
  DownloadStatus status() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight

// The export thread: writes figures without holding up the window.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/figure/write_figure.h"

namespace headlight {

struct ExportStatus {
  bool is_busy = false;
  std::uint64_t finished = 0;  ///< exports ended so far
  std::string message;         ///< of the last one: where it was written, or why not
  bool is_failure = false;
};

/// Thread contract: all functions from the UI thread.
class Exporter {
 public:
  explicit Exporter(std::function<void()> on_change = {});
  ~Exporter();  ///< finishes the running export
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  void start(std::shared_ptr<const Snapshot> snapshot, FigureRequest request, std::filesystem::path path);
  ExportStatus status() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight

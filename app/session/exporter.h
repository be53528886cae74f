// The export thread: writes figures and documents without holding up the window.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/session/document.h"
#include "engine/figure/write_figure.h"

namespace headlight {

struct ExportStatus {
  bool is_busy = false;
  std::uint64_t finished = 0;  ///< files ended so far, well or badly
  std::string message;         ///< of the last one: where it was written, or why not
  bool is_failure = false;
};

/// Files are written one after the other, in the order in which they were asked for. A failure is a message in the status.
/// Thread contract: all functions from the UI thread; none of them waits.
class Exporter {
 public:
  /// `on_change` is called from the export thread whenever the status changed (it wakes the window).
  explicit Exporter(std::function<void()> on_change = {});
  ~Exporter();  ///< finishes what was asked for
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  void start(std::shared_ptr<const Snapshot> snapshot, FigureRequest request, std::filesystem::path path);
  void save(Document document, Json unknown, std::filesystem::path path);
  ExportStatus status() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight

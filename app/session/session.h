// One open document with its history, worker and exporter: everything of the window that can be tested without a display.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "app/session/document.h"
#include "app/session/exporter.h"
#include "app/session/history.h"
#include "app/session/worker.h"

namespace headlight {

/// Thread contract: the UI thread only.
class Session {
 public:
  explicit Session(Document first, int threads = 0, std::function<void()> on_change = {});

  const Document& document() const { return history_.current(); }
  const History& history() const { return history_; }
  Worker& worker() { return worker_; }
  Exporter& exporter() { return exporter_; }
  std::shared_ptr<const Snapshot> snapshot() const { return worker_.snapshot(); }

  /// After the panels of a frame: equal to the current document, nothing; different, recorded and requested. `is_gesture`: a mouse button
  /// is held. `typing`: steps of one stretch of typing are one undo step.
  void apply(const Document& draft, bool is_gesture, bool is_typing);
  void undo();
  void redo();
  void replace(Document document);  ///< opens another document: new history

 private:
  void request(bool is_gesture);
  History history_;
  Worker worker_;
  Exporter exporter_;
};

}  // namespace headlight

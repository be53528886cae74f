// Keeps the open document and the settings on the disk while the person works.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/session/state.h"

namespace headlight {

/// What should be kept, as the window has it now.
struct OpenState {
  SavedState state;
  std::uint64_t openings = 0;    ///< how many documents were opened so far (Session::openings): another number is another document
  std::filesystem::path origin;  ///< the file that the document was opened from; empty: none
};

/// Writes on its own thread, at most `delay` after a change. A document that is replaced by another is written first. A write that fails is
/// tried again, after 1 s at first and then less and less often, up to once a minute.
/// Thread contract: update and mark_start from the UI thread, the others from any; none but flush and the destructor waits for the disk.
class Autosave {
 public:
  /// `store` has been restored. `is_starting`: as mark_start, but written before this returns; the mark is removed with the object. Throws
  /// Error (limit) where no thread can be started.
  explicit Autosave(StateStore store, std::chrono::milliseconds delay = std::chrono::seconds(5), bool is_starting = false);
  ~Autosave();  ///< flushes
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Takes the newest state; does nothing if it equals the last one. Cheap enough for every frame.
  void update(const OpenState& open);
  /// Whether a model is being shown for the first time (StateStore::mark_start). Written at once, not after the delay.
  void mark_start(bool is_starting);
  /// Returns when the newest state is written, or when an attempt to write it has failed.
  void flush();

  /// Why the last attempt failed and that it will be repeated; empty when all is well.
  std::string problem() const;
  std::filesystem::path document_folder() const;  ///< where the open document is kept; empty before its first save

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight

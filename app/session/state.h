// What the program remembers between two starts: the last document, where the person was looking, models opened lately.
//
// One file, state.json, in $XDG_STATE_HOME/headlight (else ~/.local/state/headlight). It is not a document: losing it loses no work that
// was saved.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/session/document.h"

namespace headlight {

struct SavedState {
  Document document = first_document();
  Json unknown = Json::object();    ///< of the document (document.h)
  Json view = Json::object();       ///< the window's ViewState; the gui room reads and writes it
  std::vector<std::string> recent;  ///< model folders opened lately, newest first
  bool operator==(const SavedState&) const = default;
};

inline constexpr std::size_t kRecentModels = 12;
/// Puts `model` first, without a second copy of it.
void remember_model(std::vector<std::string>& recent, const std::string& model);

/// Where state.json lives; empty when neither XDG_STATE_HOME nor HOME says.
std::filesystem::path state_folder();

struct RestoredState {
  SavedState state;
  bool is_first_start = false;  ///< there was nothing to restore
  std::string notice;           ///< one sentence when the file was broken: what was wrong and where it is kept; else empty
};
/// Never throws: a file that cannot be used is renamed to state.json.bad and the defaults are returned with a notice.
RestoredState restore_state(const std::filesystem::path& folder);

/// Writes the state at most kAutosaveDelay after a change, and once more when destroyed, on its own thread. A second instance of the
/// program finds the folder locked and writes nothing. Thread contract: all functions from the UI thread; none waits for the disk.
class Autosave {
 public:
  /// An empty folder: nothing is ever written (safe mode).
  explicit Autosave(std::filesystem::path folder, std::chrono::milliseconds delay = std::chrono::seconds(5));
  ~Autosave();  ///< writes what is not written yet
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Tells the newest state; equal to the last one, nothing happens. Cheap enough for every frame.
  void update(const SavedState& state);
  /// Why the last write failed, or why nothing is written; empty when all is well.
  std::string notice() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight

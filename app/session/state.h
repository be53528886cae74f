// What the program remembers between two starts, below $XDG_STATE_HOME/headlight (else ~/.local/state/headlight):
//
//   settings.json   where the person was looking, recently opened models, which document was open last
//   documents/      every document that was open, each in a folder of its own (kept_documents.h)
//   starting        exists while a model is shown for the first time; if it is found at a start, the last start ended there
//   lock            held by the instance that writes settings.json
//
// Losing all of it loses no document that the person has saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/document/files/private_files.h"

namespace headlight {

struct Settings {
  Json view = Json::object();                      ///< the window's ViewState; the gui room reads and writes it
  std::vector<std::string> recent;                 ///< recently opened model folders, newest first
  std::vector<std::string> recent_documents = {};  ///< files that a person saved or opened, newest first
  std::string file = {};                           ///< of the open document; empty: it has none
  bool operator==(const Settings&) const = default;
};

struct SavedState {
  Document document = first_document();
  Json unknown = Json::object();  ///< of the document (document.h)
  Settings settings;
  bool operator==(const SavedState&) const = default;
};

inline constexpr std::size_t kRecentModels = 12;  ///< and as many documents
/// Puts `name` first, without a second copy of it.
void remember_model(std::vector<std::string>& recent, const std::string& name);

/// The program's own folder below the one that a variable names, else below `usual` in the home folder; empty when neither is set.
std::filesystem::path user_folder(const char* variable, const std::filesystem::path& usual);
/// $XDG_CACHE_HOME/headlight, else ~/.cache/headlight; empty when neither XDG_CACHE_HOME nor HOME is set.
std::filesystem::path cache_folder();
/// The folder; empty when neither XDG_STATE_HOME nor HOME is set.
std::filesystem::path state_folder();

/// How a start uses what is remembered.
enum class Start : std::uint8_t {
  last_document,   ///< everything comes back
  given_document,  ///< the command line names one: only the settings come back
  safe,            ///< nothing comes back, and the settings stay as they are on the disk
};

struct RestoredState {
  SavedState state;
  bool is_first_start = false;            ///< nothing was there
  std::string notice;                     ///< what was broken, why, and where it is kept; empty when all is well
  std::filesystem::path offered;          ///< a document that a safe start leaves closed, to be opened on request; else empty
  std::filesystem::path document_folder;  ///< where the restored document is kept; else empty
};

/// The state folder in the hands of one instance of the program. A second instance shares the folder: it keeps its own documents there, and
/// leaves the settings and the first one's documents alone. Thread contract: one thread at a time.
class StateStore {
 public:
  /// An empty folder: nothing is there and nothing is written.
  explicit StateStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Call it once, before anything else. Never throws: a file that cannot be used is kept as *.bad, the next best one is taken, and the
  /// notice says so. A document that another instance works on stays closed. A start that ended before its first picture makes this one
  /// safe.
  RestoredState restore(Start start);

  /// Another document is shown from now on. `origin`: the file it was opened from; where that is the newest generation of a kept document,
  /// that document is continued, and otherwise the next save begins a new one.
  void begin_document(const std::filesystem::path& origin);
  /// Adds a generation, unless the newest is equal. A new document that equals a kept one continues that one. Throws Error
  /// (write).
  void save_document(const std::string& text);
  /// Does nothing if another instance holds the settings, or after Start::safe. Throws Error (write).
  void save_settings(const Settings& settings);
  /// Writes or removes the mark of a start that is not over (`starting`). Throws Error (write).
  void mark_start(bool is_starting);

  bool is_start_marked() const { return is_marked_; }
  const std::filesystem::path& folder() const { return folder_; }
  const std::filesystem::path& document_folder() const { return document_folder_; }  ///< empty before the first save of a new document

 private:
  bool hold(const std::filesystem::path& document_folder);
  bool hold_settings();
  void migrate(RestoredState& restored);
  std::string read_settings(RestoredState& restored);
  void restore_document(const std::filesystem::path& folder, RestoredState& restored);
  void make_safe(const std::filesystem::path& last, RestoredState& restored) const;

  struct HeldDocument {
    std::filesystem::path folder;
    FileLock lock;
  };
  std::filesystem::path folder_, document_folder_;
  std::optional<FileLock> settings_lock_;
  std::vector<HeldDocument> held_;  ///< of all documents of this sitting, so that nobody drops them
  bool keeps_settings_ = true;
  bool is_marked_ = false;
};

}  // namespace headlight

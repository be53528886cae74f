// Files of what is shown that another program has written since: asked once, read again when wanted.
#include <algorithm>

#include "app/gui/dialogs/dialogs.h"
#include "app/gui/panel/choices.h"
#include "app/session/file_watch.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

bool contains(const std::vector<fs::path>& files, const fs::path& file) {
  return std::find(files.begin(), files.end(), file) != files.end();
}

/// The document's own file, those of its model, and the mask that was read last.
std::vector<fs::path> shown_files(Panel& panel, const DialogStates& dialogs) {
  FilesOfModel& model = panel.caches.model_files;
  if (model.name != panel.draft.query.model.name) model = {panel.draft.query.model.name, files_of_model(panel.draft.query.model.name)};
  std::vector<fs::path> files = model.files;
  if (!panel.context.session.file().empty()) files.push_back(panel.context.session.file());
  if (dialogs.mask_file.read) files.push_back(dialogs.mask_file.read->path);
  return files;
}

}  // namespace

void watch_shown_files(Panel& panel, const DialogStates& dialogs) {
  FileWatch* watch = panel.context.file_watch;
  if (watch == nullptr) return;
  const std::vector<fs::path> files = shown_files(panel, dialogs);
  watch->watch(files);
  std::vector<fs::path>& changed = panel.view.notes.changed_files;
  for (fs::path& file : watch->take_changed()) {
    if (!contains(changed, file)) changed.push_back(std::move(file));
  }
  std::erase_if(changed, [&](const fs::path& file) { return !contains(files, file); });
}

void reload_wanted(Panel& panel, const DialogStates& dialogs) {
  if (!std::exchange(panel.view.notes.wants_reload, false)) return;
  Session& session = panel.context.session;
  bool is_model_changed = false;
  for (const fs::path& file : std::exchange(panel.view.notes.changed_files, {})) {
    const std::optional<MaskFileChoice::Read>& mask = dialogs.mask_file.read;
    if (panel.context.file_watch != nullptr) panel.context.file_watch->accept(file);
    if (file == session.file()) {
      want_document(panel, file);
    } else if (mask && file == mask->path) {
      session.exporter().read_mask(mask->scope, mask->queries, mask->keys, mask->path);
    } else {
      is_model_changed = true;
    }
  }
  if (is_model_changed) session.reread();
}

}  // namespace headlight

// States to keep, and a look at what is kept of them.
#pragma once

#include <sys/stat.h>

#include "app/document/files/kept_documents.h"
#include "app/session/state.h"
#include "tests/document/sample_document.h"
#include "tests/testing.h"

namespace headlight::testing {

inline SavedState sample_state() {
  SavedState state;
  state.document = sample_document();
  state.unknown = {{"author", "somebody"}};
  state.settings = {{{"view", "head"}}, {"/models/a", "/models/b"}};
  return state;
}

inline Document document_saying(const std::string& text) {
  Document document = sandbox_document();
  document.query.text = text;
  return document;
}

/// A start and its end, with nothing done in between.
inline RestoredState restore_once(const std::filesystem::path& folder, Start start = Start::last_document) {
  StateStore store(folder);
  RestoredState restored = store.restore(start);
  store.mark_start(false);
  return restored;
}

/// A sitting in which `state` is all there was.
inline void keep(const std::filesystem::path& folder, const SavedState& state) {
  StateStore store(folder);
  store.restore(Start::last_document);
  store.save_document(document_text(state.document, state.unknown));
  store.save_settings(state.settings);
  store.mark_start(false);
}

inline std::vector<std::filesystem::path> kept_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> folders;
  for (const KeptDocument& document : list_kept_documents(folder)) folders.push_back(document.folder);
  return folders;
}

inline unsigned mode_of(const std::filesystem::path& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777U;
}

}  // namespace headlight::testing

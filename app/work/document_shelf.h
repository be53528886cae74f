// The documents that the program saves automatically (kept_documents.h), as a list shows them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/work/compute/worker.h"

namespace headlight {

/// One generation of a document.
struct DocumentLine {
  std::filesystem::path path;
  std::string text;         ///< the sentence, on one line
  std::string model;        ///< what a person calls it
  std::string date;         ///< when it was written: "2026-11-22 17:25"
  bool is_earlier = false;  ///< there is a newer generation, in a line before this one
  bool operator==(const DocumentLine&) const = default;
};

/// Newest document first, each followed by its earlier generations. Broken documents are left out. Throws Cancelled.
std::vector<DocumentLine> read_document_lines(const std::filesystem::path& state_folder, Progress& progress);

/// The lines as the window asks for them: read on the compute thread. Thread contract: the UI thread only.
class DocumentShelf {
 public:
  explicit DocumentShelf(Worker& worker);
  /// Read anew after `forget`; until then what was read last, or null.
  std::shared_ptr<const std::vector<DocumentLine>> lines(const std::filesystem::path& state_folder);
  void forget() { study_.forget_request(); }

 private:
  Study<std::filesystem::path, std::vector<DocumentLine>> study_;
};

}  // namespace headlight

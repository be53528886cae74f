// The export thread: writes figures, documents and masks, and reads masks and documents, without holding up the window.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/document.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

struct ExportStatus {
  bool is_busy = false;
  std::uint64_t finished = 0;  ///< files written or read so far, successfully or not
  std::string message;         ///< of the last one: where it was written, how it was read, or why not
  bool is_failure = false;
};

/// A mask that was read from a file, for the scope that it was asked for.
struct ReadMask {
  Scope scope;
  std::vector<CellBlock> strokes;
};

/// A document that was read from a file, or why it could not be.
struct ReadDocument {
  std::filesystem::path path;
  Document document;
  Json unknown = Json::object();  ///< document.h
  std::string problem;            ///< empty: it was read
};

/// A document that was written to a file, or why it could not be.
struct SavedDocument {
  std::filesystem::path path;
  Document document;
  std::string problem;  ///< empty: it was written
};

/// A text that was made for the clipboard, and what it is, for people.
struct MadeText {
  std::string text, words;
};

/// Files are written one after the other, in the order in which they were asked for. A failure is a message in the status.
/// Thread contract: all functions from the UI thread; none of them waits.
class Exporter {
 public:
  /// `on_change` is called from the export thread whenever the status changed (it wakes the window).
  explicit Exporter(std::function<void()> on_change = {});
  ~Exporter();  ///< finishes everything that was asked for
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  /// The file that keeps digests of weights (kept_digests.h), which figures name; empty, as it is at first: none does.
  void keep_digests_in(std::filesystem::path file) { digests_ = std::move(file); }
  void start(std::shared_ptr<const Snapshot> snapshot, FigureRequest request, std::filesystem::path path, FigureOutput output = {});
  /// How it went waits for take_saved; of several, the last.
  void save(Document document, Json unknown, std::filesystem::path path);
  std::optional<SavedDocument> take_saved();
  /// A head's mask, to and from a file (mask_files.h). What was read waits for take_mask.
  void write_mask(std::shared_ptr<const Mask> mask, std::filesystem::path path);
  void read_mask(Scope scope, Index queries, Index keys, std::filesystem::path path);
  std::optional<ReadMask> take_mask();
  /// What was read waits for take_document; of several, the last.
  void read_document(std::filesystem::path path);
  std::optional<ReadDocument> take_document();
  void write_text(std::string text, std::filesystem::path path);
  /// Makes a long text for the clipboard. It waits for take_text; of several, the last.
  void make_text(std::function<MadeText()> make);
  std::optional<MadeText> take_text();
  ExportStatus status() const;

 private:
  struct State;
  std::filesystem::path digests_;
  std::unique_ptr<State> state_;
};

}  // namespace headlight

// A batch: every text of a file as every one of several figures, in a folder with a page that shows them all.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/document/document.h"
#include "app/work/batch/batch_manifest.h"
#include "engine/core/progress.h"
#include "engine/studies/corpus.h"

namespace headlight {

/// More files are refused: a page of so many is no longer one that a person looks through.
inline constexpr std::size_t kMostBatchItems = 100'000;

struct BatchRequest {
  Document document;  ///< model, edits, style and pins of every figure; the text in front is replaced by those of the file
  std::filesystem::path texts;
  CorpusFormat format = {};
  std::vector<std::string> figures = {};  ///< by the names of their kinds
  std::vector<std::string> endings = {};  ///< ".png": every figure is written with each of them
  std::string choice = {};                ///< whatever else decides what `write` makes: other words, other figures
  /// All of that and the document of one text's figure as words of a command (batch_choice_of), so that window and command go on with each
  /// other's folders; none where it has no such words, or others for each text: then document and choice decide. Throws Error where the text
  /// cannot be run; or Cancelled.
  std::function<std::optional<std::string>(const Document& document, const std::string& figure, const std::string& ending,
                                           Progress& progress)>
      said = {};
  std::filesystem::path folder;        ///< new, empty, or that of an earlier batch
  bool starts_anew = false;            ///< whatever an earlier batch has left there
  std::filesystem::path digests = {};  ///< where digests of weights are kept (kept_digests.h); empty: they are computed
  /// Makes one file. `document` has the text. Throws Error, which is noted with the item and does not end the batch; or Cancelled.
  std::function<void(const Document& document, const std::string& figure, const std::filesystem::path& file, Progress& progress)> write;
};

/// How far it is.
struct BatchState {
  std::vector<BatchText> texts = {};
  std::vector<BatchItem> items = {};  ///< text by text
  std::size_t done = 0;               ///< of the items, from the first on
  std::size_t made = 0;               ///< of those: written by this run
  std::size_t kept = 0;               ///< and those that an earlier run wrote just so
};

/// Thread contract: one thread at a time. Destroyed early, it has left whole files, and what `keep` wrote last.
class Batch {
 public:
  /// Touches no file.
  explicit Batch(BatchRequest request) : request_(std::move(request)) {}

  /// Makes the next item, and with the last one the page; the first call reads the texts first. Items that are there already, with the same
  /// recipe and the same bytes as were written then, are passed over. False where none is left. Throws Error for what concerns all items
  /// (usage: the folder holds other things; input: texts or weights that cannot be read; limit; write); or Cancelled, with that item undone.
  bool next(Progress& progress);
  /// Writes the page and the list of what was made. Throws Error (write).
  void keep();
  const BatchState& state() const { return state_; }
  /// Of making the rest; none: too early to say.
  std::optional<double> seconds_left() const;

 private:
  using Clock = std::chrono::steady_clock;
  void begin(Progress& progress);
  void read_texts(Progress& progress);
  void add_items(Progress& progress);
  std::optional<std::string> said(const std::string& figure, const std::string& ending, Progress& progress) const;
  Document document_of(std::size_t text) const;
  bool is_there(const BatchItem& item, Progress& progress) const;
  void make(BatchItem& item, Progress& progress);

  BatchRequest request_;
  BatchState state_;
  std::vector<CorpusText> texts_;                       // whole
  std::unordered_map<std::string, BatchItem> earlier_;  // by the names of their files
  bool has_begun_ = false;
  double seconds_ = 0;  // of making items
  Clock::time_point kept_;
};

/// "12 of 300 figures, about 40 s left".
std::string progress_text(const Batch& batch);
/// "0003-heatmap.png (line 4): …" for each item that could not be made, and "line 7: …" for each text that could not be read; the first 20,
/// and how many more.
std::vector<std::string> failures_of(const BatchState& state);
/// The exit status of the first failure; 0: there is none.
int status_of(const BatchState& state);

}  // namespace headlight

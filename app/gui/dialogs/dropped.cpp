#include "app/gui/dialogs/dropped.h"

#include <fmt/core.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "app/document/amounts.h"
#include "app/document/document.h"
#include "app/document/files/text_files.h"
#include "app/document/wording.h"
#include "app/gui/browsing/folder_listing.h"
#include "app/gui/columns/shown_columns.h"
#include "app/gui/panel/choices.h"
#include "app/gui/typing/line_edit.h"
#include "app/gui/typing/sentence_box.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/pipeline/pipeline.h"
#include "engine/studies/study_file.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

/// The text of a file becomes the sentence, as much of it as one paste may hold.
void take_text(Panel& panel, const std::filesystem::path& path) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20U;
  const std::string name = printable(path.filename().string(), 80);
  if (panel.is_dump()) {
    panel.view.notes.banner =
        fmt::format("{} is a text, and these maps belong to another one. Choose a model first, then drop it again.", name);
    return;
  }
  try {
    const std::string text = repair_utf8(read_text_file(path, kMostBytes)).text;
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      panel.view.notes.banner = fmt::format("There are no texts in {}: the sentence stays as it is.", name);
      return;
    }
    const std::string_view taken = first_characters(text, kMostPasted);
    if (taken.size() < text.size()) {
      panel.view.notes.banner =
          fmt::format("{} is long: the sentence is its beginning, {} characters. Undo (ctrl+Z) takes it back.", name, kMostPasted);
    }
    panel.draft.query.text = taken;
    panel.draft.query.ids.clear();
  } catch (const Error& error) {
    panel.view.notes.banner = as_sentence(error.message());
  }
}

/// What a file of many texts holds, in words; empty: it is one text.
std::string many_texts(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (ending != ".txt" && ending != ".csv" && ending != ".jsonl") return {};
  constexpr int kFewest = 3, kMost = 1000;  // fewer lines are a sentence; more are not counted
  int texts = 0;
  try {
    const std::vector<std::string> columns = corpus_columns(path);  // whichever is read, a row of a table may be of several lines
    CorpusReader reader(path, corpus_format(path, columns.empty() ? std::string() : columns.front(), false));
    for (CorpusText text; texts <= kMost && reader.next(text);) {
      const bool is_blank = text.is_blank() || (ending == ".txt" && text.text.find_first_not_of(" \t") == std::string::npos);
      texts += is_blank ? 0 : 1;
    }
  } catch (const Error&) {  // whoever takes it says why it cannot be read
    return {};
  }
  if (texts == 0 || (ending == ".txt" && texts < kFewest)) return {};
  const std::string_view what = ending == ".csv" ? "row" : "line";
  return texts > kMost ? fmt::format("over {} {}s", grouped(kMost), what) : counted(texts, what);
}

}  // namespace

void open_dropped(Panel& panel) {
  namespace fs = std::filesystem;
  CorpusPage& corpus = panel.view.corpus;
  if (std::exchange(corpus.is_dropped_sentence, false)) take_text(panel, std::exchange(corpus.dropped, {}));
  for (const std::string& dropped : panel.context.dropped_paths) {
    std::error_code failure;
    const fs::path path(dropped);
    corpus.dropped.clear();
    if (names_study(path)) {
      corpus.wanted = path;
      panel.view.view = View::measures;
    } else if (names_document(path)) {
      want_document(panel, path);
    } else if (path.filename() == "config.json" || (path.extension() == ".safetensors" && holds_model(path.parent_path()))) {
      choose_model(panel, path.parent_path().string());
    } else if (fs::is_directory(path, failure) || names_model_file(path.string())) {
      choose_model(panel, path.string());
    } else if (holds_scores(path)) {
      import_scores(panel.view.measures, path.string());
      panel.view.view = View::measures;
    } else if (holds_text(path)) {
      corpus.dropped_is = panel.is_dump() ? std::string() : many_texts(path);
      corpus.dropped_is.empty() ? take_text(panel, path) : void(corpus.dropped = path);  // a note asks (offered_notes.h)
    } else {
      panel.view.notes.banner = fmt::format(
          "{} is neither a text (UTF-8), nor a document (.headlight.json), nor a model folder (config.json, model.safetensors and a "
          "tokenizer), nor a GGUF file, nor a file of attention maps (.safetensors, .npy, .npz or .json), nor scores of heads (a CSV table "
          "with columns layer and head), nor a study (.study).",
          printable(path.filename().string(), 80));
    }
  }
}

}  // namespace headlight

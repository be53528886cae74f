#include "app/gui/dialogs/texts_file.h"

#include <algorithm>

#include "app/document/wording.h"
#include "app/work/corpora/empty_corpus.h"
#include "engine/core/error.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

/// Bytes of the first texts, were they in this column; 0: it cannot be read.
std::size_t length_in_column(const fs::path& texts, const std::string& column, bool has_ids) {
  constexpr int kLookedAt = 16;
  std::size_t length = 0;
  try {
    CorpusReader reader(texts, corpus_format(texts, column, has_ids));
    CorpusText text;
    for (int read = 0; read < kLookedAt && reader.next(text); ++read) length += text.text.size();
  } catch (const Error&) {
    return 0;
  }
  return length;
}

/// The column called text; where there is none, that with the longest texts.
int likely_column(const fs::path& texts, const TextsFile& file) {
  const auto usual = std::find(file.columns.begin(), file.columns.end(), "text");
  if (usual != file.columns.end()) return static_cast<int>(usual - file.columns.begin());
  int likely = 0;
  std::size_t longest = 0;
  for (std::size_t column = 0; column < file.columns.size(); ++column) {
    const std::size_t length = length_in_column(texts, file.columns[column], file.has_ids);
    if (length <= longest) continue;
    longest = length;
    likely = static_cast<int>(column);
  }
  return likely;
}

}  // namespace

fs::path texts_of(const TextsFile& file) {
  std::error_code failure;
  return file.path.empty() ? fs::path() : fs::absolute(file.path, failure).lexically_normal();
}

void look_at_texts(TextsFile& file) {
  const fs::path texts = texts_of(file);
  if (texts == file.looked_at) return;
  file.looked_at = texts;
  file.columns.clear();
  file.problem.clear();
  file.column = 0;
  if (texts.empty()) return;
  try {
    corpus_format(texts, {}, file.has_ids);
    file.columns = corpus_columns(texts);
    file.column = likely_column(texts, file);
    if (has_no_texts(texts, format_of_texts(file))) refuse_no_texts(texts);
  } catch (const Error& error) {
    file.problem = as_sentence(error.message());
  }
}

std::string column_of_texts(const TextsFile& file) {
  const bool is_named = file.columns.size() > 1 && file.columns[static_cast<std::size_t>(file.column)] != "text";
  return is_named ? file.columns[static_cast<std::size_t>(file.column)] : "";
}

CorpusFormat format_of_texts(const TextsFile& file) {
  return corpus_format(texts_of(file), column_of_texts(file), file.has_ids);
}

}  // namespace headlight

// A file of many texts, as dialogs choose it: .txt, .csv or .jsonl.
#pragma once

#include <filesystem>
#include <string>

#include "app/gui/dialogs/dialog_states.h"
#include "engine/studies/corpus.h"

namespace headlight {

/// The typed path as a whole one; empty: none is typed.
std::filesystem::path texts_of(const TextsFile& file);
/// Looks into the file once it is named: what is wrong with it, which columns it has.
void look_at_texts(TextsFile& file);
/// The column, where it is not the usual one; empty: it is.
std::string column_of_texts(const TextsFile& file);
/// Throws Error (usage), as corpus_format does.
CorpusFormat format_of_texts(const TextsFile& file);

}  // namespace headlight

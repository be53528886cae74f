// A measured corpus as columns of heads, which the window shows in place of those of the sentence.
#pragma once

#include "app/work/columns/column_shelf.h"
#include "app/work/corpora/corpus_run.h"

namespace headlight {

inline constexpr const char* kCorpusSource = "corpus";  ///< ColumnSource::id

/// A column for every measure: mean over all texts, n and standard error. `corpus.stored` is there.
ColumnSource corpus_source(const MeasuredCorpus& corpus);
/// Of a study of effects: what was watched, in words; empty: it is of measures.
std::string target_words(const StoredStudy& stored);
/// How many of its measures say something of single heads: of patches the change alone, and by position none.
std::size_t numbers_of_heads(const StudyManifest& manifest);
/// A column for each of these.
HeadColumns columns_of_study(const StoredStudy& stored);
/// "corpus texts.txt (1,204 texts)"
std::string corpus_title(const StoredStudy& stored);
/// "1,204 of 10,000 texts of texts.txt"
std::string corpus_so_far(const StoredStudy& stored, std::int64_t texts_in_all);

}  // namespace headlight

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
/// "corpus texts.txt (1,204 texts)"
/// A column for each measure.
HeadColumns columns_of_study(const StoredStudy& stored);
std::string corpus_title(const StoredStudy& stored);

}  // namespace headlight

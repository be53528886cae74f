// What the numbers of a study are of, as its file says it: the same from the window as from the command line.
#pragma once

#include <string>

#include "app/work/corpora/text_numbers.h"
#include "engine/forward/query.h"
#include "engine/studies/study_file.h"

namespace headlight {

/// What all texts of a corpus have in common: the query without its texts.
Query without_texts(Query query);
/// The digest of the model's weights, which a study's file names. Throws Error (input); or Cancelled.
std::string digest_of_model(const ModelChoice& model, Progress& progress);
/// What is measured in which model; the corpus is not named yet.
StudyManifest study_manifest(const Query& query, const StudySettings& settings, std::string model_digest);
/// Names the texts: a file by its digest, which is read, or draws of random tokens. Throws Error (input); or Cancelled.
void name_texts(StudyManifest& manifest, const StudySettings& settings, const StudyTexts& texts, Progress& progress);
/// How many draws of random tokens a study is of; 0: it is of a file of texts.
int drawn_texts(const StudyManifest& manifest);
/// What was measured: the model's name and edits, without a text. Throws Error (input) where the manifest's edits are not those of a document.
Query measured_query(const StudyManifest& manifest);
/// What was edited in that model, in words: "mask: window:2, temperature 1 → 2"; empty: nothing.
std::string measured_edits(const StudyManifest& manifest);

}  // namespace headlight

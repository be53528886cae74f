// A study as a file: while it runs, so that it can go on; of one shard, to be merged; of the whole.
//
//     "headlight study 1\n", the manifest as a line of JSON, the numbers, and the SHA-256 of all before as 64 digits
//
// The manifest names what the numbers are of: the program's version, SHA-256 of weights and corpus, the measures and every option that decides
// a number. Two studies of the same manifest are parts of one. Where lines of JSON may hold texts and token ids, "id_texts" names the places in
// the corpus of the examples that were ids; files without it are older, and what looks like ids is read as ids. Where texts are longer than the
// model was made for, "longer" counts them, and "made_for" says how many tokens that is; older files do not say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/formats/json.h"
#include "engine/studies/study.h"

namespace headlight {

struct StudyManifest {
  std::string version;  ///< of the program
  std::string model;    ///< its name; only the digest decides
  std::string model_digest;
  std::string corpus;  ///< the file's name without its folder; only the digest decides
  std::string corpus_digest;
  std::string column;
  bool has_ids = false;
  std::vector<std::string> measures;  ///< ids
  std::vector<NullKind> nulls = {};
  std::vector<Index> length_edges;
  int top = 0;
  Index longest = 0;
  std::string edits;                ///< of the model, as a document has them
  std::string partner_column = {};  ///< of patches: the column of the texts that they are taken from
  std::string target = {};          ///< of effects: what was watched, and the seed of resampling; empty: measures

  StudySettings settings() const;
  Json to_json() const;
  /// What differs, in words: "the texts"; empty where both are of the same study.
  std::string difference(const StudyManifest& other) const;
};

struct StoredStudy {
  StudyManifest manifest;
  CorpusStudy study;
};

std::string study_bytes(const StudyManifest& manifest, const CorpusStudy& study);
/// Throws Error (input) for bytes that are not a study, or an incomplete one.
StoredStudy read_study_bytes(const std::string& bytes, const std::string& file);
/// Whole or not at all (replacing_file.h).
void write_study(const std::filesystem::path& path, const StudyManifest& manifest, const CorpusStudy& study);
StoredStudy read_study(const std::filesystem::path& path);
/// Whether a file begins as a study does; false where it cannot be read.
bool names_study(const std::filesystem::path& path);

/// All shards of one study as one, to the bit what one run would have found. Throws Error (usage) with the files' names: a shard that is missing,
/// there twice, not finished, or of another study.
StoredStudy merge_studies(const std::vector<std::filesystem::path>& paths, Progress& progress);

}  // namespace headlight

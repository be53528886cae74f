#include "app/work/corpora/corpus_manifest.h"

#include <fmt/core.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "app/document/document_fields.h"
#include "app/document/history.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"
#include "engine/model/files/weights_digest.h"

namespace headlight {
namespace {

constexpr const char* kSandbox = "sandbox";
constexpr std::string_view kDraws = " draws";  // follows their number; a digest is only hexadecimal digits

/// The edits of the model, whatever it is called and wherever it lies.
Json edits_of(Query query) {
  query.model.version = 0;
  if (query.model.name != kSandbox) query.model.name.clear();
  return to_json(query);
}

}  // namespace

Query without_texts(Query query) {
  query.text.clear();
  query.ids.clear();
  query.text_pair.reset();
  query.decoder_text.reset();
  return query;
}

std::string digest_of_model(const ModelChoice& model, Progress& progress) {
  return model.name == kSandbox ? "random weights of the sandbox" : weights_digest(model_path(model.name), progress);
}

StudyManifest study_manifest(const Query& query, const StudySettings& settings, std::string model_digest) {
  StudyManifest manifest;
  manifest.version = HEADLIGHT_VERSION;
  manifest.model = query.model.name == kSandbox ? query.model.name : std::filesystem::path(query.model.name).filename().string();
  manifest.model_digest = std::move(model_digest);
  manifest.edits = json_text(edits_of(without_texts(query)));
  for (const MeasureRequest& request : settings.requests) manifest.measures.push_back(request.id);
  manifest.nulls = settings.nulls;
  manifest.length_edges = settings.length_edges;
  manifest.top = settings.top;
  manifest.longest = settings.longest;
  return manifest;
}

Query measured_query(const StudyManifest& manifest) {
  const JsonTree read = parse_json(manifest.edits, manifest.corpus, {.field = "edits"});
  Json edits = *read;
  if (manifest.model != kSandbox && edits.contains("model") && edits["model"].is_object()) edits["model"]["name"] = manifest.model;
  return read_query(JsonFields(edits, manifest.corpus, "edits"));
}

std::string measured_edits(const StudyManifest& manifest) {
  if (manifest.edits.empty()) return {};
  Document unedited, measured;
  try {
    measured.query = measured_query(manifest);
  } catch (const Error&) {
    return "edits that this version cannot read";
  }
  unedited.query.model = measured.query.model;
  unedited.query.model.sandbox.edits.clear();
  return unedited == measured ? std::string() : describe_change(unedited, measured);
}

int drawn_texts(const StudyManifest& manifest) {
  const std::string_view digest = manifest.corpus_digest;
  if (!digest.ends_with(kDraws)) return 0;
  int draws = 0;
  std::from_chars(digest.data(), digest.data() + digest.size(), draws);
  return draws;
}

void name_texts(StudyManifest& manifest, const StudySettings& settings, const StudyTexts& texts, Progress& progress) {
  if (const auto repetition = repetition_of(texts_need(settings.requests, "measures"))) {
    manifest.corpus = words_of(*repetition);
    manifest.corpus_digest = fmt::format("{}{}", texts.draws, kDraws);
    manifest.has_ids = true;
    return;
  }
  manifest.corpus = texts.file.filename().string();
  manifest.corpus_digest = file_digest(texts.file, progress);
  manifest.column = texts.format.column;
  manifest.partner_column = texts.format.partner_column;
  manifest.has_ids = texts.format.has_ids;
}

}  // namespace headlight

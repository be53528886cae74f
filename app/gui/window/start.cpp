#include "app/gui/window/start.h"

#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "app/document/files/kept_documents.h"
#include "app/gui/frame.h"
#include "app/gui/panel/saved_view.h"
#include "app/work/corpora/corpus_manifest.h"
#include "app/work/exporter.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlaceField = "window";

WindowPlace place_from_json(const Json& view, WindowPlace place) {
  if (!view.contains(kPlaceField) || !view[kPlaceField].is_object()) return place;
  const JsonFields fields(view[kPlaceField], "settings.json", kPlaceField);
  try {
    place.width = static_cast<int>(fields.integer_or("width", place.width, 480, 16384));
    place.height = static_cast<int>(fields.integer_or("height", place.height, 320, 16384));
    place.is_maximised = fields.boolean_or("is_maximised", false);
  } catch (const Error&) {
    return {};  // a place that makes no sense never stops a start
  }
  return place;
}

Json to_json(const WindowPlace& place) {
  return {{"width", place.width}, {"height", place.height}, {"is_maximised", place.is_maximised}};
}

/// The document or model that the command line names.
ReadDocument read_given(const std::string& name, std::optional<int> item) {
  std::error_code ignored;
  const bool is_document = names_document(name) || (fs::is_regular_file(name, ignored) && !names_model_file(name));
  if (!is_document) {
    ReadDocument given{{}, document_of_model(lasting_name(name)), Json::object(), {}};
    given.document.query.item = item;
    return given;
  }
  ReadDocument given{fs::absolute(name, ignored).lexically_normal(), {}, Json::object(), {}};
  given.document = load_document(name, &given.unknown);
  return given;
}

/// A new document of the model that a study was measured in; none where it is not there.
std::optional<ReadDocument> read_model_of_study(const std::string& name) {
  const StudyManifest manifest = read_study(name).manifest;
  if (manifest.model != "sandbox" && !find_model(manifest.model)) return std::nullopt;
  ReadDocument given{{}, document_of_model(lasting_name(manifest.model)), Json::object(), {}};
  given.document.query.model.sandbox = measured_query(manifest).model.sandbox;
  return given;
}

/// The study that a document remembers.
fs::path study_of(const Json& unknown) {
  const auto look = unknown.find(kLookField);
  const bool has_study = look != unknown.end() && look->is_object() && look->contains("corpus") && (*look)["corpus"].is_string();
  return has_study ? fs::path((*look)["corpus"].get<std::string>()) : fs::path();
}

/// The document that comes back may have been saved to a file. Where that is gone, or broken by now, the document has none.
void adopt_file(WindowStart& start) {
  const fs::path file = start.restored.state.settings.file;
  if (file.empty()) return;
  try {
    start.saved = load_document(file);
    start.file = file;
  } catch (const Error&) {
    start.file.clear();
  }
}

}  // namespace

WindowStart make_start(const WindowOptions& options) {
  const bool is_remembering = options.script.empty() || options.remembers;
  WindowStart start{{}, StateStore(is_remembering ? state_folder() : fs::path()), {options.width, options.height, false}};
  std::optional<ReadDocument> given;  // refused before anything that is remembered is touched
  if (!options.open.empty() && names_study(options.open)) {
    std::error_code ignored;
    start.study = fs::absolute(options.open, ignored).lexically_normal();
    start.opens_study = true;
    given = read_model_of_study(options.open);
  } else if (!options.open.empty()) {
    given = read_given(options.open, options.item);
    start.study = study_of(given->unknown);
  }
  const Start kind = options.is_safe_mode ? Start::safe : given ? Start::given_document : Start::last_document;
  start.restored = start.store.restore(kind);
  const WindowOptions defaults;
  const bool is_sized = options.width != defaults.width || options.height != defaults.height;
  if (!is_sized) start.place = place_from_json(start.restored.state.settings.view, start.place);
  const auto take_text = [&] {
    Query& query = start.restored.state.document.query;
    if (!options.text) return;
    query.text = *options.text;
    query.ids.clear();
  };
  if (!given) {
    if (kind == Start::last_document) adopt_file(start);
    take_text();
    return start;
  }
  const std::optional<Theme> theme = view_from_json(start.restored.state.settings.view, all_views()).shell.theme;
  if (given->path.empty() && theme) set_theme(given->document.style, *theme);
  if (!is_generation(given->path)) start.file = given->path, start.saved = given->document;
  start.restored.state.document = std::move(given->document);
  start.restored.state.unknown = std::move(given->unknown);
  start.store.begin_document(given->path);
  take_text();
  return start;
}

Json view_to_keep(const ViewState& view, const WindowPlace& place) {
  Json json = headlight::to_json(view, all_views());
  for (const char* passing : {"hovered", "hovered_token", "banner"}) json.erase(passing);  // written anew with every move of the pointer
  json[kPlaceField] = to_json(place);
  return json;
}

}  // namespace headlight

#include "app/document/document.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "app/document/document_fields.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr std::string_view kFormat = "headlight-document";
// The first sentence of kFirstModel, and of any other model.
constexpr std::string_view kDocumentEnding = ".headlight.json";
constexpr const char* kFirstSentence = "Anna thanked the sailors because they helped her.";
constexpr const char* kSentence = "The animal didn't cross the street because it was too tired.";
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;

void check_version(const Json& json, const std::string& file) {
  if (!json.is_object())
    refuse_field(file, {}, "this is not a Headlight document", describe(json), "an object with \"format\" and \"version\"");
  const auto format = json.find("format");
  if (format == json.end() || *format != kFormat) {
    refuse_field(file, "format", "this is not a Headlight document", format == json.end() ? "no such field" : describe(*format),
                 fmt::format("\"{}\"", kFormat));
  }
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer() || *version < 1) {
    refuse_field(file, "version", "the version cannot be read", version == json.end() ? "no such field" : describe(*version),
                 "a whole number from 1");
  }
  if (*version > kDocumentVersion) {
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = "version",
                 .problem = "the document was written by a later Headlight",
                 .found = "version " + describe(*version),
                 .expected = fmt::format("version {} or earlier", kDocumentVersion),
                 .hint = "Open it with a newer Headlight; the file is left as it is"});
  }
}

// Unknown fields are kept as a tree of the same form as the file: objects hold the fields that `known` lacks, lists one entry per item.

Json difference(const Json& loaded, const Json& known) {
  Json rest;
  if (loaded.is_object() && known.is_object()) {
    for (const auto& [key, value] : loaded.items()) {
      const auto match = known.find(key);
      const Json part = match == known.end() ? value : difference(value, *match);
      if (match == known.end() || !part.is_null()) rest[key] = part;
    }
  } else if (loaded.is_array() && known.is_array() && loaded.size() == known.size()) {
    bool is_empty = true;
    Json items = Json::array();
    for (std::size_t item = 0; item < loaded.size(); ++item) {
      items.push_back(difference(loaded[item], known[item]));
      is_empty = is_empty && items.back().is_null();
    }
    if (!is_empty) rest = std::move(items);
  }
  return rest;
}

/// If a list has grown or shrunk since it was read, its unknown fields can no longer be matched to items: they are dropped with the edit.
void add_unknown(Json& json, const Json& unknown) {
  if (json.is_object() && unknown.is_object()) {
    for (const auto& [key, value] : unknown.items()) {
      const auto match = json.find(key);
      if (match == json.end()) {
        json[key] = value;
      } else {
        add_unknown(*match, value);
      }
    }
  } else if (json.is_array() && unknown.is_array() && json.size() == unknown.size()) {
    for (std::size_t item = 0; item < json.size(); ++item) add_unknown(json[item], unknown[item]);
  }
}

/// Whether there is more than earlier versions can express: one subject, whatever its id, and pins of it alone.
bool has_several_subjects(const Document& document) {
  const bool has_own_pins =
      std::all_of(document.pins.begin(), document.pins.end(), [&](const Pin& pin) { return pin.subject == document.focused; });
  return !document.others.empty() || document.baseline || !has_own_pins;
}

/// `unknown` without the fields that the other form of a document has in place of its own: they would be read instead of what was written.
Json unknown_in(const Document& document, Json unknown) {
  constexpr std::array kOfOne = {"query", kDrawnMap, kOldDrawnMap};
  constexpr std::array kOfSeveral = {"subjects", "focused", "baseline"};
  if (!unknown.is_object()) return unknown;
  if (has_several_subjects(document)) {
    for (const char* key : kOfOne) unknown.erase(key);
  } else {
    for (const char* key : kOfSeveral) unknown.erase(key);
  }
  return unknown;
}

/// Both names of what was renamed, in a document of one subject or in one of several.
void add_old_names(Json& subject) {
  if (const auto query = subject.find("query"); query != subject.end()) (*query)[kOldSwitchedOff] = (*query)[kSwitchedOff];
  if (const auto drawn_map = subject.find(kDrawnMap); drawn_map != subject.end()) {
    (*drawn_map)[kOldTrainingSteps] = (*drawn_map)[kTrainingSteps];
    subject[kOldDrawnMap] = *drawn_map;
  }
}

}  // namespace

int version_of(const Document& document) {
  constexpr int kWithoutInterventions = 3;
  const auto is_edited = [](const Subject& subject) { return !subject.query.interventions.empty(); };
  const bool has_interventions =
      !document.query.interventions.empty() || std::any_of(document.others.begin(), document.others.end(), is_edited);
  if (has_interventions) return kDocumentVersion;
  const bool has_new_names = !document.query.switched_off.empty() || !document.drawn_map.strokes.empty();
  if (has_several_subjects(document) || has_new_names) return kWithoutInterventions;
  const std::vector<MaskRule>& rules = document.query.mask.rules;
  const bool has_stacks =
      std::any_of(rules.begin(), rules.end(), [](const MaskRule& rule) { return rule.scope.kind == Scope::Kind::stack; });
  return has_stacks ? 2 : 1;
}

Json to_json(const Document& document, const Json& unknown) {
  Json json = {{"format", kFormat}, {"version", version_of(document)}, {"style", to_json(document.style)}, {"pins", pins_json(document)}};
  if (has_several_subjects(document)) {
    json["subjects"] = subjects_json(document);
    json["focused"] = document.focused;
    if (document.baseline) json["baseline"] = *document.baseline;
  } else {
    json["query"] = to_json(document.query);
    if (!document.drawn_map.strokes.empty()) json[kDrawnMap] = to_json(document.drawn_map);
  }
  if (document.target != Target{}) json["target"] = to_text(document.target);
  add_unknown(json, unknown_in(document, unknown));
  return json;
}

Document document_from_json(const Json& json, const std::string& file, Json* unknown) {
  constexpr int kFirstWithSubjects = 3;
  check_version(json, file);
  const JsonFields fields(json, file);
  Document document;
  if (json["version"] >= kFirstWithSubjects && fields.has("subjects")) {
    read_subjects(fields, document);
  } else {
    document.query = read_query(fields.object("query"));
    document.drawn_map = read_drawn_map(fields);
  }
  if (fields.has("style")) document.style = read_style(fields.object("style"));
  document.pins = read_pins(fields, document);
  document.target = read_target(fields);
  if (!has_several_subjects(document)) {  // as it is when its file says nothing of subjects
    document.focused = 1;
    for (Pin& pin : document.pins) pin.subject = 1;
  }
  if (unknown) {
    Json known = to_json(document);
    add_old_names(known);
    if (known.contains("subjects")) {
      for (Json& subject : known["subjects"]) add_old_names(subject);
    }
    *unknown = difference(json, known);
    if (unknown->is_null()) *unknown = Json::object();
    *unknown = unknown_in(document, std::move(*unknown));
  }
  return document;
}

Document load_document(const std::filesystem::path& path, Json* unknown) {
  const std::string file = printable(path.string());
  const JsonTree json = parse_json(read_file(path, kLargestFile), file);
  return document_from_json(*json, file, unknown);
}

std::string document_name(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  for (const std::string_view ending : {kDocumentEnding, std::string_view(".json")}) {
    if (lower_case(name).ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

std::filesystem::path with_document_ending(std::filesystem::path path) {
  if (ending_of(path) != ".json") path += kDocumentEnding;
  return path;
}

bool names_document(const std::filesystem::path& path) {
  constexpr std::uint64_t kLookedAt = 4096;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  if (lower_case(path.filename().string()).ends_with(kDocumentEnding)) return true;
  if (ending_of(path) != ".json") return false;
  try {
    const std::string first = read_beginning(path, kLookedAt);
    const std::size_t format = first.find(fmt::format("\"{}\"", kFormat));
    return format != std::string::npos && first.find("\"provenance\":") > format;  // a figure's numbers hold a document in their provenance
  } catch (const Error&) {
    return false;
  }
}

std::string document_text(const Document& document, const Json& unknown) {
  // The sentence may hold bytes that are not UTF-8 (a paste): they are written as U+FFFD, which is what every run made of them.
  return json_text(to_json(document, unknown), 2) + "\n";
}

void save_document(const Document& document, const std::filesystem::path& path, const Json& unknown) {
  write_file(path, document_text(document, unknown));
}

Document document_of_model(const std::string& model) {
  Document document;
  const BuiltInCard card = card_of_built_in(model).value_or(BuiltInCard{0, {}});
  document.query.model.name = model;
  document.query.model.version = card.version;
  document.query.text = !card.text.empty() ? card.text : model == kFirstModel ? kFirstSentence : kSentence;
  return document;
}

Document sandbox_document() {
  return document_of_model("sandbox");
}

Document first_document() {
  return document_of_model(find_built_in_model(kFirstModel) ? kFirstModel : "sandbox");
}

}  // namespace headlight

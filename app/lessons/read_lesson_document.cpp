// The document that a step of a lesson sets.
#include <fmt/core.h>

#include "app/document/document_fields.h"
#include "app/lessons/lesson_fields.h"
#include "engine/attention/mask.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

/// Refuses a field that was not read: `known` is what was read, written again.
void refuse_unread(const Json& json, const Json& known, const std::string& file, const std::string& path) {
  if (json.is_array() && known.is_array()) {
    for (std::size_t item = 0; item < std::min(json.size(), known.size()); ++item) {
      refuse_unread(json[item], known[item], file, fmt::format("{}[{}]", path, item));
    }
  }
  if (!json.is_object() || !known.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    const std::string place = fmt::format("{}.{}", path, printable(key));
    if (!known.contains(key)) refuse_field(file, place, "documents have no such field, or it changes nothing");
    refuse_unread(value, known[key], file, place);
  }
}

Json known_fields(const Document& document) {
  Json known = to_json(document.query);
  known["style"] = to_json(document.style);
  known["pins"] = pins_json(document);
  known["target"] = to_text(document.target);
  return known;
}

/// Mask texts are otherwise read when the model is run.
void check_masks(const JsonFields& fields, const MaskEdits& edits) {
  for (std::size_t rule = 0; rule < edits.rules.size(); ++rule) {
    if (edits.rules[rule].text.empty()) continue;
    read_parsed(fields, fmt::format("mask[{}].text", rule), edits.rules[rule].text, [](std::string_view text) { return MaskText(text); });
  }
}

}  // namespace

Document read_lesson_document(const Json& json, const std::string& file, const std::string& path) {
  const JsonFields fields(json, file, path);
  Document document;
  document.query = read_query(fields);
  ModelChoice& model = document.query.model;
  const bool has_version = fields.has("model") && fields.object("model").has("version");
  if (!has_version) model.version = version_of_built_in(model.name);
  if (fields.has("style")) document.style = read_style(fields.object("style"));
  document.pins = read_pins(fields, document);
  document.target = read_target(fields);
  check_masks(fields, document.query.mask);
  refuse_unread(json, known_fields(document), file, path);
  return document;
}

}  // namespace headlight

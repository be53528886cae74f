#include "app/recipe/measures_json.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/document/fields/interventions.h"
#include "app/document/labs/lab_names.h"
#include "engine/core/error.h"
#include "engine/figure/effects/target_words.h"

namespace headlight {
namespace {

constexpr std::int64_t kMostHeads = 1'000'000;
constexpr std::size_t kMostColumns = 1000;
constexpr std::int64_t kMostTokens = 10'000'000;

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json column_json(const HeadColumn& column) {
  Json json = {{"id", column.id}, {"title", column.title}};
  if (!column.unit.empty()) json["unit"] = column.unit;
  if (!column.measured_on.empty()) json["measured_on"] = column.measured_on;
  if (column.is_change) json["is_change"] = true;
  if (column.texts != 0) json["texts"] = column.texts;
  if (std::isfinite(column.low)) json["low"] = column.low;
  if (std::isfinite(column.high)) json["high"] = column.high;
  Json layers = Json::array();
  for (const std::vector<double>& layer : column.values.by_layer()) {
    Json values = Json::array();
    for (const double value : layer) values.push_back(number_json(value));
    layers.push_back(std::move(values));
  }
  json["values"] = std::move(layers);
  return json;
}

/// As a measure of the table is written, where the id is one of them.
HeadColumn known_column(const std::string& id) {
  try {
    return column_of(measure_request(id, "figure"));
  } catch (const Error&) {
    return {};
  }
}

std::shared_ptr<const HeadColumn> column_from(const JsonFields& fields) {
  HeadColumn column = known_column(fields.text("id"));
  column.id = fields.text("id");
  column.title = fields.text("title");
  column.unit = fields.text_or("unit", {});
  column.measured_on = fields.text_or("measured_on", {});
  column.is_change = fields.boolean_or("is_change", false);
  column.texts = fields.integer_or("texts", 0, 0, std::int64_t{1} << 53);
  constexpr double kLargest = 1e300;
  if (fields.has("low")) column.low = fields.number_or("low", 0, -kLargest, kLargest);
  if (fields.has("high")) column.high = fields.number_or("high", 0, -kLargest, kLargest);
  HeadId head;
  for (const Json& layer : fields.array("values")) {
    if (!layer.is_array() || layer.size() > kMostHeads) fields.refuse("values", "a layer has a number for each head", describe(layer));
    head.head = 0;
    for (const Json& value : layer) {
      if (!value.is_number() && !value.is_null()) fields.refuse("values", "this is not a number", describe(value));
      column.values.set(head, value.is_null() ? std::nan("") : value.get<double>());
      ++head.head;
    }
    ++head.layer;
  }
  return std::make_shared<const HeadColumn>(std::move(column));
}

Json range_json(const ColumnRange& range) {
  Json json = {{"column", range.column}};
  if (std::isfinite(range.low)) json[range.has_low ? "from" : "above"] = range.low;
  if (std::isfinite(range.high)) json[range.has_high ? "to" : "below"] = range.high;
  return json;
}

ColumnRange range_from(const JsonFields& fields) {
  ColumnRange range{.column = fields.text("column")};
  constexpr double kLargest = 1e300;
  const auto end = [&](const char* with, const char* without, double& value, bool& has) {
    has = !fields.has(without);
    const char* key = has ? with : without;
    if (fields.has(key)) value = fields.number_or(key, 0, -kLargest, kLargest);
  };
  end("from", "above", range.low, range.has_low);
  end("to", "below", range.high, range.has_high);
  return range;
}

HeadId head_from(const Json& item, const JsonFields& fields, const std::string& key) {
  const auto is_place = [](const Json& value) { return value.is_number_integer() && value >= 0 && value <= kMostHeads; };
  if (!item.is_array() || item.size() != 2 || !is_place(item[0]) || !is_place(item[1]))
    fields.refuse(key, "a head is [layer, head]", describe(item));
  return {item[0].get<int>(), item[1].get<int>()};
}

template <typename Add>
void for_each_object(const JsonFields& fields, const std::string& key, Add add) {
  if (!fields.has(key)) return;
  const Json& list = fields.array(key);
  if (list.size() > kMostColumns) fields.refuse(key, "too many", std::to_string(list.size()));
  for (const Json& item : list) add(JsonFields(item, fields.file(), fields.path_of(key)));
}

}  // namespace

Json to_json(const MeasuresRequest& request, const FigureNeeds& needs) {
  Json json = {{"ids", request.ids}};
  for (const auto& column : request.given) json["given"].push_back(column_json(*column));
  for (const ColumnRange& range : request.ranges) json["ranges"].push_back(range_json(range));
  for (const HeadId head : request.brushed) json["brushed"].push_back({head.layer, head.head});
  for (const ColumnSort& sort : request.sorts) {
    if (needs.orders_heads) json["sorts"].push_back({{"column", sort.column}, {"is_rising", sort.is_rising}});
  }
  if (needs.tints_heads && !request.tint.empty()) json["tint"] = request.tint;
  if (!needs.has_axes) return json;
  if (!request.across.empty()) json["across"] = request.across;
  if (!request.up.empty()) json["up"] = request.up;
  if (!request.size.empty()) json["size"] = request.size;
  return json;
}

MeasuresRequest measures_from(const JsonFields& fields) {
  MeasuresRequest request;
  const Json& ids = fields.array("ids");
  if (ids.size() > kMostColumns) fields.refuse("ids", "too many measures", std::to_string(ids.size()));
  for (const Json& id : ids) {
    if (!id.is_string()) fields.refuse("ids", "the id of a measure is a text", describe(id));
    request.ids.push_back(id.get<std::string>());
  }
  for_each_object(fields, "given", [&](const JsonFields& column) { request.given.push_back(column_from(column)); });
  for_each_object(fields, "ranges", [&](const JsonFields& range) { request.ranges.push_back(range_from(range)); });
  for_each_object(fields, "sorts", [&](const JsonFields& sort) {
    request.sorts.push_back({sort.text("column"), sort.boolean_or("is_rising", false)});
  });
  if (fields.has("brushed")) {
    for (const Json& item : fields.array("brushed")) request.brushed.push_back(head_from(item, fields, "brushed"));
  }
  request.across = fields.text_or("across", {});
  request.up = fields.text_or("up", {});
  request.size = fields.text_or("size", {});
  request.tint = fields.text_or("tint", {});
  return request;
}

namespace {

Json numbers_json(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number_json(number));
  return list;
}

Json study_json(const EffectsOfTexts& study) {
  Json json = {{"file", study.file}, {"texts", study.texts}, {"left_out", study.left_out}, {"is_finished", study.is_finished}};
  json["places"] = Json::array();
  for (const HeadId place : study.places) json["places"].push_back({place.layer, place.head});
  json["ways"] = Json::array();
  for (const MeansOfTexts& way : study.ways) {
    json["ways"].push_back({{"means", numbers_json(way.means)}, {"errors", numbers_json(way.errors)}, {"counts", way.counts}});
    if (!study.part) json["ways"].back()["method"] = effect_row(way.method).measure.id;
  }
  if (!study.part) return json;
  json["part"] = kPatchedParts[*study.part];
  json["unpatched"] = number_json(study.unpatched);
  json["partner"] = number_json(study.partner);
  json["shares"] = numbers_json(study.shares);
  return json;
}

}  // namespace

Json to_json(const EffectsRequest& effects, const FigureNeeds& needs) {
  Json json = Json::object();
  if (effects.target) json["target"] = to_text(*effects.target);
  if (!needs.has_target && !effects.target && effects.position) json["position"] = *effects.position;
  if (needs.has_parts && effects.head) json["head"] = {effects.head->layer, effects.head->head};
  if (needs.has_method) json["method"] = effect_row(effects.method).measure.id;
  if (needs.has_methods) {
    json["methods"] = Json::array();
    for (const EffectMethod method : effects.methods) json["methods"].push_back(effect_row(method).measure.id);
    for (const PatchedPart part : effects.patched) json["methods"].push_back(patch_measures(part)[kPatchChange]);
    if (!effects.patched.empty()) json["other_text"] = effects.other_text;
  }
  if (needs.takes_texts() && effects.texts) json["texts"] = {{"name", effects.texts->name}, {"texts", effects.texts->texts}};
  if (needs.has_target && effects.study) json["study"] = study_json(*effects.study);
  if (needs.has_patches) json["part"] = kPatchedParts[effects.part];
  if (needs.has_patches && !effects.study) json["other_text"] = effects.other_text;
  return json;
}

namespace {

EffectMethod method_from(const Json& name, const JsonFields& fields, const std::string& key) {
  const EffectRow* const row = name.is_string() ? find_effect(name.get<std::string>()) : nullptr;
  if (row == nullptr) fields.refuse(key, "unknown name", describe(name), effect_names());
  return row->method;
}

PatchedPart patched_part_from(const JsonFields& fields) {
  const std::string name = fields.text("part");
  const std::optional<PatchedPart> part = kPatchedParts.find(name);
  if (!part) fields.refuse("part", "unknown name", in_quotes(name), kPatchedPartNames);
  return *part;
}

/// One for each place; null means undefined.
std::vector<double> numbers_from(const JsonFields& fields, const std::string& key, std::size_t places) {
  const Json& list = fields.array(key);
  if (list.size() != places) fields.refuse(key, "there is a number for each place", std::to_string(list.size()), std::to_string(places));
  std::vector<double> numbers;
  for (const Json& value : list) {
    if (!value.is_number() && !value.is_null()) fields.refuse(key, "this is not a number", describe(value));
    numbers.push_back(value.is_null() ? std::nan("") : value.get<double>());
  }
  return numbers;
}

double number_from(const JsonFields& fields, const std::string& key) {
  constexpr double kLargest = 1e300;
  return fields.has(key) ? fields.number_or(key, 0, -kLargest, kLargest) : std::nan("");
}

MeansOfTexts way_from(const JsonFields& fields, bool has_method, std::size_t places) {
  MeansOfTexts way{.means = numbers_from(fields, "means", places), .errors = numbers_from(fields, "errors", places)};
  if (has_method) way.method = method_from(Json(fields.text("method")), fields, "method");
  for (const Json& count : fields.array("counts")) {
    if (!count.is_number_integer() || count < 0) fields.refuse("counts", "this is not a number of texts", describe(count));
    way.counts.push_back(count.get<std::int64_t>());
  }
  if (way.counts.size() != places) fields.refuse("counts", "there is a number for each place", std::to_string(way.counts.size()));
  return way;
}

std::shared_ptr<const EffectsOfTexts> study_from(const JsonFields& fields, const Target& target) {
  constexpr std::int64_t kMostTexts = std::int64_t{1} << 53;
  EffectsOfTexts study{.file = fields.text("file"),
                       .texts = fields.integer("texts", 0, kMostTexts),
                       .left_out = fields.integer_or("left_out", 0, 0, kMostTexts),
                       .is_finished = fields.boolean_or("is_finished", true),
                       .target = target};
  if (fields.has("part")) study.part = patched_part_from(fields);
  for (const Json& place : fields.array("places")) study.places.push_back(head_from(place, fields, "places"));
  for_each_object(fields, "ways", [&](const JsonFields& way) { study.ways.push_back(way_from(way, !study.part, study.places.size())); });
  if (!study.part) return std::make_shared<const EffectsOfTexts>(std::move(study));
  if (study.ways.size() != 1) fields.refuse("ways", "patches are of one kind", std::to_string(study.ways.size()), "1");
  study.unpatched = number_from(fields, "unpatched");
  study.partner = number_from(fields, "partner");
  study.shares = numbers_from(fields, "shares", study.places.size());
  return std::make_shared<const EffectsOfTexts>(std::move(study));
}

}  // namespace

EffectsRequest effects_from(const JsonFields& fields) {
  EffectsRequest effects;
  if (fields.has("target")) {
    try {
      effects.target = parse_target(fields.text("target"));
    } catch (const Error& error) {
      fields.refuse("target", error.detail().problem, in_quotes(fields.text("target")));
    }
  }
  if (fields.has("position")) effects.position = fields.integer("position", 0, kMostTokens);
  if (fields.has("head")) effects.head = head_from(fields.array("head"), fields, "head");
  if (fields.has("method")) effects.method = method_from(Json(fields.text("method")), fields, "method");
  if (fields.has("methods")) {
    effects.methods.clear();
    for (const Json& name : fields.array("methods")) {  // the same one twice counts once: each costs a run for every head
      if (const auto part = name.is_string() ? find_patched_heads(name.get<std::string>()) : std::nullopt) {
        if (std::find(effects.patched.begin(), effects.patched.end(), *part) == effects.patched.end()) effects.patched.push_back(*part);
        continue;
      }
      const EffectMethod method = method_from(name, fields, "methods");
      if (std::find(effects.methods.begin(), effects.methods.end(), method) == effects.methods.end()) effects.methods.push_back(method);
    }
  }
  if (fields.has("part")) effects.part = patched_part_from(fields);
  effects.other_text = fields.text_or("other_text", "");
  if (fields.has("study")) effects.study = study_from(fields.object("study"), effects.target.value_or(Target{}));
  if (fields.has("texts")) effects.texts = read_texts(fields.object("texts"), fields.object("texts").text("name"));
  return effects;
}

Json to_json(const LabFigureRequest& lab) {
  Json json = {{"asked", lab.asked}};
  if (lab.layer >= 0) json["layer"] = lab.layer;
  if (lab.head >= 0) json["head"] = lab.head;
  if (lab.query) json["query"] = *lab.query;
  return json;
}

LabFigureRequest lab_from(const JsonFields& fields) {
  LabFigureRequest lab{.asked = fields.text("asked")};
  try {
    parse_lab(lab.asked, "asked");
  } catch (const Error& error) {
    fields.refuse("asked", error.detail().problem, in_quotes(lab.asked));
  }
  if (fields.has("layer")) lab.layer = static_cast<int>(fields.integer("layer", 0, kMostTokens));
  if (fields.has("head")) lab.head = static_cast<int>(fields.integer("head", 0, kMostTokens));
  if (fields.has("query")) lab.query = fields.integer("query", 0, kMostTokens);
  return lab;
}

}  // namespace headlight

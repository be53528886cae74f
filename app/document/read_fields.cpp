// Reading the parts of a document.
#include <fmt/core.h>

#include <limits>
#include <tuple>
#include <utility>

#include "app/document/document_fields.h"
#include "app/document/fields/interventions.h"
#include "app/document/fields/names.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"
#include "app/document/subjects.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr int kMost = 1'000'000;                        // layers, heads, ids of heads: anything above is a damaged file
constexpr int kEdge = std::numeric_limits<int>::max();  // ends of strokes: the brush may paint past the map
constexpr double kLargestTemperature = 1e6;

template <typename Enum>
Enum read_name(const JsonFields& fields, const std::string& key, Enum fallback) {
  const std::string name = fields.text_or(key, std::string(name_of(fallback)));
  const std::optional<Enum> value = from_name<Enum>(name);
  if (!value) fields.refuse(key, "unknown name", fmt::format("\"{}\"", printable(name, 60)), "one of " + names_text<Enum>());
  return *value;
}

int read_int(const JsonFields& fields, const std::string& key, int fallback, int lowest, int highest) {
  return static_cast<int>(fields.integer_or(key, fallback, lowest, highest));
}

/// The list under `key`, empty when it is absent.
const Json& read_list(const JsonFields& fields, const std::string& key) {
  static const Json nothing = Json::array();
  return fields.has(key) ? fields.array(key) : nothing;
}

std::int64_t read_item(const Json& item, const std::string& file, const std::string& path, std::int64_t lowest, std::int64_t highest) {
  const std::string expected = fmt::format("a whole number from {} to {}", lowest, highest);
  if (!item.is_number_integer()) refuse_field(file, path, "wrong type", describe(item), expected);
  const bool is_too_large = item.is_number_unsigned() && item.get<std::uint64_t>() > static_cast<std::uint64_t>(highest);
  if (is_too_large || item.get<std::int64_t>() < lowest || item.get<std::int64_t>() > highest) {
    refuse_field(file, path, "out of range", describe(item), expected);
  }
  return item.get<std::int64_t>();
}

/// "[2, 5]": two whole numbers, such as layer and head.
std::pair<int, int> read_pair(const Json& item, const std::string& file, const std::string& path, int lowest, int highest) {
  if (!item.is_array() || item.size() != 2) refuse_field(file, path, "wrong form", describe(item), "two whole numbers");
  return {static_cast<int>(read_item(item[0], file, path + "[0]", lowest, highest)),
          static_cast<int>(read_item(item[1], file, path + "[1]", lowest, highest))};
}

/// Whether the tensor exists and is large enough is only checked when the sandbox is built.
ParameterEdit read_edit(const JsonFields& fields) {
  ParameterEdit edit;
  edit.tensor = fields.text("tensor");
  std::tie(edit.row, edit.column) = read_pair(fields.at("at"), fields.file(), fields.path_of("at"), 0, kEdge);
  std::tie(edit.rows, edit.columns) = read_pair(fields.at("size"), fields.file(), fields.path_of("size"), 1, kMost);
  for (const Json& value : read_list(fields, "values")) {
    const double number = value.is_number() ? value.get<double>() : std::numeric_limits<double>::infinity();
    if (!(std::abs(number) <= double{std::numeric_limits<float>::max()})) {
      fields.refuse("values", "not a number that a parameter can have", describe(value), "finite numbers");
    }
    edit.values.push_back(static_cast<float>(number));
  }
  return edit;
}

SandboxSpec read_sandbox(const JsonFields& sandbox) {
  SandboxSpec spec;
  read_fields(sandbox, spec, sandbox_fields());
  for (const Json& edit : read_list(sandbox, "edits")) {
    spec.edits.push_back(read_edit(JsonFields(edit, sandbox.file(), fmt::format("{}[{}]", sandbox.path_of("edits"), spec.edits.size()))));
  }
  return spec;
}

ModelChoice read_model(const JsonFields& fields) {
  ModelChoice model;
  model.name = fields.text_or("name", model.name);
  if (model.name.empty() || model.name.find('\0') != std::string::npos || model.name.find("://") != std::string::npos) {
    fields.refuse("name", "a document names a model of this machine", fmt::format("\"{}\"", printable(model.name)),
                  "a built-in model such as \"sandbox\", a folder or file, or an id of the hub");
  }
  const int first = find_built_in_model(model.name) ? 1 : 0;  // before built-in models had versions a document meant the first
  model.version = read_int(fields, "version", first, 0, kMost);
  if (fields.has("sandbox")) model.sandbox = read_sandbox(fields.object("sandbox"));
  return model;
}
Scope read_scope(const JsonFields& fields) {
  Scope scope;
  scope.kind = read_name(fields, "kind", scope.kind);
  const bool has_layer = scope.kind == Scope::Kind::layer || scope.kind == Scope::Kind::head;
  if (scope.kind == Scope::Kind::stack) {
    fields.text("stack");  // it must be there: a stack has no default
    scope.stack = read_name(fields, "stack", Stack::encoder);
  }
  if (has_layer) scope.where.layer = static_cast<int>(fields.integer("layer", 0, kMost));
  if (scope.kind == Scope::Kind::head) scope.where.head = static_cast<int>(fields.integer("head", 0, kMost));
  return scope;
}

CellBlock read_stroke(const JsonFields& fields) {
  CellBlock block;
  std::tie(block.query_begin, block.query_end) = read_pair(fields.at("queries"), fields.file(), fields.path_of("queries"), 0, kEdge);
  std::tie(block.key_begin, block.key_end) = read_pair(fields.at("keys"), fields.file(), fields.path_of("keys"), 0, kEdge);
  block.is_allowed = fields.boolean_or("is_allowed", false);
  return block;
}

std::vector<CellBlock> read_strokes(const JsonFields& fields) {
  std::vector<CellBlock> strokes;
  for (const Json& item : read_list(fields, "strokes")) {
    strokes.push_back(read_stroke(JsonFields(item, fields.file(), fmt::format("{}[{}]", fields.path_of("strokes"), strokes.size()))));
  }
  return strokes;
}

/// Mask texts are parsed here once, so that a broken one is an error of the file and not of the next run.
std::string read_mask_text(const JsonFields& fields) {
  std::string text = fields.text_or("text", "");
  if (text.empty()) return text;
  try {
    const MaskText parsed(text);
  } catch (const Error& error) {
    fields.refuse("text", error.message());
  }
  return text;
}

MaskRule read_rule(const JsonFields& fields) {
  MaskRule rule;
  if (fields.has("scope")) rule.scope = read_scope(fields.object("scope"));
  rule.text = read_mask_text(fields);
  rule.strokes = read_strokes(fields);
  return rule;
}

ScoreSettings read_score(const JsonFields& fields) {
  ScoreSettings score;
  score.is_scaled = fields.boolean_or("is_scaled", score.is_scaled);
  score.temperature = static_cast<float>(fields.number_or("temperature", double{score.temperature}, 1e-6, kLargestTemperature));
  if (fields.has("kind")) score.kind = read_name(fields, "kind", ScoreKind::dot);
  if (fields.has("softcap")) score.softcap = static_cast<float>(fields.number_or("softcap", 0, 0, 1e6));
  if (fields.has("sink")) score.sink = static_cast<float>(fields.number_or("sink", 0, -1e6, 1e6));
  return score;
}

BlockSwitches read_block(const JsonFields& fields) {
  BlockSwitches block;
  block.has_attention_skip = fields.boolean_or("has_attention_skip", true);
  block.has_feed_forward_skip = fields.boolean_or("has_feed_forward_skip", true);
  block.has_output_projection = fields.boolean_or("has_output_projection", true);
  block.has_biases = fields.boolean_or("has_biases", true);
  return block;
}

}  // namespace

void refuse_field(const std::string& file, std::string field, std::string problem, std::string found, std::string expected) {
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .field = std::move(field),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

std::vector<HeadId> read_heads(const JsonFields& fields, const std::string& key) {
  std::vector<HeadId> heads;
  for (const Json& item : read_list(fields, key)) {
    const std::string path = fmt::format("{}[{}]", fields.path_of(key), heads.size());
    const auto [layer, head] = read_pair(item, fields.file(), path, 0, kMost);
    heads.push_back({layer, head});
  }
  return heads;
}

std::vector<Pin> read_pins(const JsonFields& fields, const Document& document) {
  std::vector<Pin> pins;
  for (const Json& item : read_list(fields, "pins")) {
    const std::string path = fmt::format("{}[{}]", fields.path_of("pins"), pins.size());
    const bool has_subject = item.is_array() && item.size() == 3;
    const auto number = [&](std::size_t place, int lowest) {
      return static_cast<int>(read_item(item[place], fields.file(), fmt::format("{}[{}]", path, place), lowest, kMost));
    };
    Pin pin;
    if (has_subject) {
      pin = {{number(0, 0), number(1, 0)}, number(2, 1)};
    } else {
      std::tie(pin.head.layer, pin.head.head) = read_pair(item, fields.file(), path, 0, kMost);
    }
    if (query_of(document, pin.subject) == nullptr) {
      refuse_field(fields.file(), path, "there is no such subject", std::to_string(pin.subject), "the id of one of the subjects");
    }
    pins.push_back(pin);
  }
  return pins;
}

Target read_target(const JsonFields& fields) {
  if (!fields.has("target")) return {};
  try {
    return parse_target(fields.text("target"));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    fields.refuse("target", error.message());
  }
}

DrawnMap read_drawn_map(const JsonFields& owner) {
  const char* name = owner.has(kDrawnMap) ? kDrawnMap : kOldDrawnMap;
  if (!owner.has(name)) return {};
  const JsonFields fields = owner.object(name);
  DrawnMap drawn_map;
  std::tie(drawn_map.head.layer, drawn_map.head.head) = read_pair(fields.at("head"), fields.file(), fields.path_of("head"), 0, kMost);
  drawn_map.strokes = read_strokes(fields);
  drawn_map.training_steps = read_int(fields, fields.has(kTrainingSteps) ? kTrainingSteps : kOldTrainingSteps, 0, 0, kMost);
  return drawn_map;
}

Query read_query(const JsonFields& fields) {
  Query query;
  if (fields.has("model")) query.model = read_model(fields.object("model"));
  query.text = fields.text_or("text", "");
  if (fields.has("text_pair")) query.text_pair = fields.text("text_pair");
  if (fields.has("decoder_text")) query.decoder_text = fields.text("decoder_text");
  query.reads_special_text = fields.boolean_or("reads_special_text", true);
  for (const Json& id : read_list(fields, "ids")) {
    const std::string path = fmt::format("{}[{}]", fields.path_of("ids"), query.ids.size());
    query.ids.push_back(read_item(id, fields.file(), path, 0, std::numeric_limits<std::int64_t>::max()));
  }
  if (fields.has("item")) query.item = static_cast<int>(fields.integer("item", 0, kMost));
  if (fields.has("heads")) query.heads = static_cast<int>(fields.integer("heads", 1, kMost));
  if (fields.has("kv_heads")) query.kv_heads = static_cast<int>(fields.integer("kv_heads", 1, kMost));
  for (const Json& rule : read_list(fields, "mask")) {
    query.mask.rules.push_back(
        read_rule(JsonFields(rule, fields.file(), fmt::format("{}[{}]", fields.path_of("mask"), query.mask.rules.size()))));
  }
  query.mask_reach = read_name(fields, "mask_reach", query.mask_reach);
  if (fields.has("score")) query.score = read_score(fields.object("score"));
  if (fields.has("block")) query.block = read_block(fields.object("block"));
  query.switched_off = read_heads(fields, fields.has(kSwitchedOff) ? kSwitchedOff : kOldSwitchedOff);
  query.interventions = read_interventions(fields);
  return query;
}

Style read_style(const JsonFields& fields) {
  Style style;
  read_fields(fields, style, style_fields());
  return style;
}

}  // namespace headlight

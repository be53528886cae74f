#include "app/session/document.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <tuple>
#include <utility>

#include "app/session/names.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/model/model_places.h"

namespace headlight {
namespace {

constexpr std::string_view kFormat = "headlight-document";
// Sentences to begin with: of kFirstModel, and of any other model.
constexpr const char* kFirstSentence = "The horse that the sailors follow gallops. It knows itself.";
constexpr const char* kSentence = "The animal didn't cross the street because it was too tired.";
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
constexpr int kMost = 1'000'000;                        // layers, heads, ids of heads: anything above is damage
constexpr int kEdge = std::numeric_limits<int>::max();  // ends of strokes: the brush may paint past the map
constexpr double kLargestTemperature = 1e6, kLargestGamma = 100, kLargestRange = 1e30;

[[noreturn]] void refuse(const std::string& file, std::string field, std::string problem, std::string found = {},
                         std::string expected = {}) {
  throw Error({.kind = ErrorKind::input,
               .file = file,
               .field = std::move(field),
               .problem = std::move(problem),
               .found = std::move(found),
               .expected = std::move(expected)});
}

// Writing.

/// 0.6F as 0.6 and not as 0.60000002384: the shortest number that reads back as the same float.
double shortest(float value) {
  const std::string text = fmt::format("{}", value);
  double result = double{value};
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
}

Json to_json(HeadId head) {
  return Json::array({head.layer, head.head});
}

Json to_json(const std::vector<HeadId>& heads) {
  Json list = Json::array();
  for (const HeadId head : heads) list.push_back(to_json(head));
  return list;
}

Json to_json(const RotarySettings& rotary) {
  const RotaryScaling& scaling = rotary.scaling;
  return {{"theta", rotary.theta},
          {"dimensions", rotary.dimensions},
          {"is_interleaved", rotary.is_interleaved},
          {"scaling", name_of(scaling.kind)},
          {"factor", scaling.factor},
          {"original_positions", scaling.original_positions}};
}

Json to_json(const ParameterEdit& edit) {
  Json values = Json::array();
  for (const float value : edit.values) values.push_back(shortest(value));
  return {{"tensor", edit.tensor}, {"at", {edit.row, edit.column}}, {"size", {edit.rows, edit.columns}}, {"values", std::move(values)}};
}

Json to_json(const SandboxSpec& sandbox) {
  Json edits = Json::array();
  for (const ParameterEdit& edit : sandbox.edits) edits.push_back(to_json(edit));
  return {{"layers", sandbox.layers},
          {"d_model", sandbox.d_model},
          {"heads", sandbox.heads},
          {"kv_heads", sandbox.kv_heads},
          {"d_ff", sandbox.d_ff},
          {"kind", name_of(sandbox.kind)},
          {"positions", name_of(sandbox.positions)},
          {"rotary", to_json(sandbox.rotary)},
          {"norm", name_of(sandbox.norm)},
          {"norm_place", name_of(sandbox.norm_place)},
          {"activation", name_of(sandbox.activation)},
          {"unit", name_of(sandbox.unit)},
          {"distribution", name_of(sandbox.distribution)},
          {"gain", shortest(sandbox.gain)},
          {"biases", name_of(sandbox.biases)},
          {"seed", sandbox.seed},
          {"edits", std::move(edits)}};
}

Json to_json(const ModelChoice& model) {
  return {{"name", model.name}, {"sandbox", to_json(model.sandbox)}};
}

Json to_json(const ScoreSettings& score) {
  Json json = {{"is_scaled", score.is_scaled}, {"temperature", shortest(score.temperature)}};
  if (score.kind) json["kind"] = name_of(*score.kind);
  if (score.softcap) json["softcap"] = shortest(*score.softcap);
  if (score.sink) json["sink"] = shortest(*score.sink);
  return json;
}

Json to_json(const BlockSwitches& block) {
  return {{"has_attention_skip", block.has_attention_skip},
          {"has_feed_forward_skip", block.has_feed_forward_skip},
          {"has_output_projection", block.has_output_projection},
          {"has_biases", block.has_biases}};
}

Json to_json(const Scope& scope) {
  Json json = {{"kind", name_of(scope.kind)}};
  if (scope.kind == Scope::Kind::stack) json["stack"] = name_of(scope.stack);
  if (scope.kind == Scope::Kind::layer || scope.kind == Scope::Kind::head) json["layer"] = scope.where.layer;
  if (scope.kind == Scope::Kind::head) json["head"] = scope.where.head;
  return json;
}

Json to_json(const std::vector<CellBlock>& strokes) {
  Json list = Json::array();
  for (const CellBlock& block : strokes) {
    list.push_back(
        {{"queries", {block.query_begin, block.query_end}}, {"keys", {block.key_begin, block.key_end}}, {"is_allowed", block.is_allowed}});
  }
  return list;
}

Json to_json(const MaskRule& rule) {
  return {{"scope", to_json(rule.scope)}, {"text", rule.text}, {"strokes", to_json(rule.strokes)}};
}

Json to_json(const Query& query) {
  Json mask = Json::array();
  for (const MaskRule& rule : query.mask.rules) mask.push_back(to_json(rule));
  Json json = {{"model", to_json(query.model)},
               {"text", query.text},
               {"ids", query.ids},
               {"mask", std::move(mask)},
               {"mask_reach", name_of(query.mask_reach)},
               {"score", to_json(query.score)},
               {"block", to_json(query.block)},
               {"silenced", to_json(query.silenced)}};
  if (query.text_pair) json["text_pair"] = *query.text_pair;
  if (query.decoder_text) json["decoder_text"] = *query.decoder_text;
  if (!query.reads_special_text) json["reads_special_text"] = false;
  if (query.item) json["item"] = *query.item;
  if (query.heads) json["heads"] = *query.heads;
  if (query.kv_heads) json["kv_heads"] = *query.kv_heads;
  return json;
}

Json to_json(const Style& style) {
  return {{"theme", name_of(style.theme)},  {"colours", name_of(style.map)}, {"scale", name_of(style.scale)},
          {"gamma", shortest(style.gamma)}, {"range", name_of(style.range)}, {"fixed_high", shortest(style.fixed_high)}};
}

// Reading. Every function checks ranges, so that a loaded document needs no second look.

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
  if (!item.is_number_integer()) refuse(file, path, "wrong type", describe(item), expected);
  const bool is_too_large = item.is_number_unsigned() && item.get<std::uint64_t>() > static_cast<std::uint64_t>(highest);
  if (is_too_large || item.get<std::int64_t>() < lowest || item.get<std::int64_t>() > highest) {
    refuse(file, path, "out of range", describe(item), expected);
  }
  return item.get<std::int64_t>();
}

/// "[2, 5]": two whole numbers, such as layer and head.
std::pair<int, int> read_pair(const Json& item, const std::string& file, const std::string& path, int lowest, int highest) {
  if (!item.is_array() || item.size() != 2) refuse(file, path, "wrong form", describe(item), "two whole numbers");
  return {static_cast<int>(read_item(item[0], file, path + "[0]", lowest, highest)),
          static_cast<int>(read_item(item[1], file, path + "[1]", lowest, highest))};
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

std::uint64_t read_seed(const JsonFields& fields) {
  if (!fields.has("seed")) return SandboxSpec{}.seed;
  const Json& seed = fields.at("seed");
  if (!seed.is_number_unsigned()) fields.refuse("seed", "wrong value", describe(seed), "a whole number from 0 to 18446744073709551615");
  return seed.get<std::uint64_t>();
}

RotarySettings read_rotary(const JsonFields& fields) {
  RotarySettings rotary;
  rotary.theta = fields.number_or("theta", rotary.theta, 1.0001, 1e12);
  rotary.dimensions = read_int(fields, "dimensions", rotary.dimensions, 0, kMost);
  rotary.is_interleaved = fields.boolean_or("is_interleaved", rotary.is_interleaved);
  rotary.scaling.kind = read_name(fields, "scaling", rotary.scaling.kind);
  rotary.scaling.factor = fields.number_or("factor", rotary.scaling.factor, 1, 1e6);
  rotary.scaling.original_positions = fields.number_or("original_positions", rotary.scaling.original_positions, 1, 1e9);
  return rotary;
}

/// Whether the tensor exists and is large enough is known when the sandbox is built.
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
  spec.layers = read_int(sandbox, "layers", spec.layers, 1, kMost);
  spec.d_model = read_int(sandbox, "d_model", spec.d_model, 1, kMost);
  spec.heads = read_int(sandbox, "heads", spec.heads, 1, kMost);
  spec.kv_heads = read_int(sandbox, "kv_heads", spec.kv_heads, 0, kMost);
  spec.d_ff = read_int(sandbox, "d_ff", spec.d_ff, 0, 1 << 24);
  const bool is_causal = sandbox.boolean_or("is_causal", true);  // what documents said before there were three kinds
  spec.kind = read_name(sandbox, "kind", is_causal ? SandboxKind::causal : SandboxKind::bidirectional);
  spec.positions = read_name(sandbox, "positions", spec.positions);
  if (sandbox.has("rotary")) spec.rotary = read_rotary(sandbox.object("rotary"));
  spec.norm = read_name(sandbox, "norm", spec.norm);
  spec.norm_place = read_name(sandbox, "norm_place", spec.norm_place);
  spec.activation = read_name(sandbox, "activation", spec.activation);
  spec.unit = read_name(sandbox, "unit", spec.unit);
  spec.distribution = read_name(sandbox, "distribution", spec.distribution);
  spec.gain = static_cast<float>(sandbox.number_or("gain", double{spec.gain}, 0, 100));
  spec.biases = read_name(sandbox, "biases", spec.biases);
  spec.seed = read_seed(sandbox);
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

PaintedWish read_wish(const JsonFields& fields) {
  PaintedWish wish;
  std::tie(wish.head.layer, wish.head.head) = read_pair(fields.at("head"), fields.file(), fields.path_of("head"), 0, kMost);
  wish.strokes = read_strokes(fields);
  wish.taught_steps = read_int(fields, "taught_steps", 0, 0, kMost);
  return wish;
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
  query.silenced = read_heads(fields, "silenced");
  return query;
}

Style read_style(const JsonFields& fields) {
  Style style;
  style.theme = read_name(fields, "theme", style.theme);
  style.map = read_name(fields, "colours", style.map);
  style.scale = read_name(fields, "scale", style.scale);
  style.gamma = static_cast<float>(fields.number_or("gamma", double{style.gamma}, 0.01, kLargestGamma));
  style.range = read_name(fields, "range", style.range);
  style.fixed_high = static_cast<float>(fields.number_or("fixed_high", double{style.fixed_high}, 1e-30, kLargestRange));
  return style;
}

void check_version(const Json& json, const std::string& file) {
  if (!json.is_object()) refuse(file, {}, "this is not a Headlight document", describe(json), "an object with \"format\" and \"version\"");
  const auto format = json.find("format");
  if (format == json.end() || *format != kFormat) {
    refuse(file, "format", "this is not a Headlight document", format == json.end() ? "no such field" : describe(*format),
           fmt::format("\"{}\"", kFormat));
  }
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer() || *version < 1) {
    refuse(file, "version", "the version cannot be read", version == json.end() ? "no such field" : describe(*version),
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

/// A list that has grown or shrunk since it was read no longer says whose the unknown fields were: they are dropped with the edit.
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

}  // namespace

int version_of(const Document& document) {
  const std::vector<MaskRule>& rules = document.query.mask.rules;
  const bool has_stacks =
      std::any_of(rules.begin(), rules.end(), [](const MaskRule& rule) { return rule.scope.kind == Scope::Kind::stack; });
  return has_stacks ? 2 : 1;
}

Json to_json(const Document& document, const Json& unknown) {
  Json json = {{"format", kFormat},
               {"version", version_of(document)},
               {"query", to_json(document.query)},
               {"style", to_json(document.style)},
               {"pins", to_json(document.pins)}};
  const PaintedWish& wish = document.wish;
  if (!wish.strokes.empty()) {
    json["wish"] = {{"head", to_json(wish.head)}, {"strokes", to_json(wish.strokes)}, {"taught_steps", wish.taught_steps}};
  }
  add_unknown(json, unknown);
  return json;
}

Document document_from_json(const Json& json, const std::string& file, Json* unknown) {
  check_version(json, file);
  const JsonFields fields(json, file);
  Document document;
  document.query = read_query(fields.object("query"));
  if (fields.has("style")) document.style = read_style(fields.object("style"));
  document.pins = read_heads(fields, "pins");
  if (fields.has("wish")) document.wish = read_wish(fields.object("wish"));
  if (unknown) {
    *unknown = difference(json, to_json(document));
    if (unknown->is_null()) *unknown = Json::object();
  }
  return document;
}

Document load_document(const std::filesystem::path& path, Json* unknown) {
  return document_from_json(parse_json(read_file(path, kLargestFile), printable(path.string())), printable(path.string()), unknown);
}

bool names_document(const std::filesystem::path& path) {
  constexpr std::uint64_t kLookedAt = 4096;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  if (lower_case(path.filename().string()).ends_with(".headlight.json")) return true;
  if (ending_of(path) != ".json") return false;
  try {
    const std::string first = read_beginning(path, kLookedAt);
    return first.find(fmt::format("\"{}\"", kFormat)) != std::string::npos;
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
  document.query.model.name = model;
  document.query.text = model == kFirstModel ? kFirstSentence : kSentence;
  return document;
}

Document sandbox_document() {
  return document_of_model("sandbox");
}

Document first_document() {
  return document_of_model(find_built_in_model(kFirstModel) ? kFirstModel : "sandbox");
}

}  // namespace headlight

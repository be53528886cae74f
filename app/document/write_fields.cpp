// Writing the parts of a document.
#include <fmt/core.h>

#include <utility>

#include "app/document/document_fields.h"
#include "app/document/fields/interventions.h"
#include "app/document/fields/names.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"

namespace headlight {
namespace {

Json to_json(const ParameterEdit& edit) {
  Json values = Json::array();
  for (const float value : edit.values) values.push_back(shortest_double(value));
  return {{"tensor", edit.tensor}, {"at", {edit.row, edit.column}}, {"size", {edit.rows, edit.columns}}, {"values", std::move(values)}};
}

Json to_json(const SandboxSpec& sandbox) {
  Json edits = Json::array();
  for (const ParameterEdit& edit : sandbox.edits) edits.push_back(to_json(edit));
  Json json = fields_json(sandbox, sandbox_fields());
  json["edits"] = std::move(edits);
  return json;
}

Json to_json(const ModelChoice& model) {
  Json json = {{"name", model.name}, {"sandbox", to_json(model.sandbox)}};
  if (model.version != 0) json["version"] = model.version;
  return json;
}

Json to_json(const ScoreSettings& score) {
  Json json = {{"is_scaled", score.is_scaled}, {"temperature", shortest_double(score.temperature)}};
  if (score.kind) json["kind"] = name_of(*score.kind);
  if (score.softcap) json["softcap"] = shortest_double(*score.softcap);
  if (score.sink) json["sink"] = shortest_double(*score.sink);
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

Json to_json(const MaskRule& rule) {
  return {{"scope", to_json(rule.scope)}, {"text", rule.text}, {"strokes", to_json(rule.strokes)}};
}

}  // namespace

Json to_json(HeadId head) {
  return Json::array({head.layer, head.head});
}

Json to_json(const std::vector<HeadId>& heads) {
  Json list = Json::array();
  for (const HeadId head : heads) list.push_back(to_json(head));
  return list;
}

Json to_json(const std::vector<CellBlock>& strokes) {
  Json list = Json::array();
  for (const CellBlock& block : strokes) {
    list.push_back(
        {{"queries", {block.query_begin, block.query_end}}, {"keys", {block.key_begin, block.key_end}}, {"is_allowed", block.is_allowed}});
  }
  return list;
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
               {kSwitchedOff, to_json(query.switched_off)}};
  if (!query.interventions.empty()) json[kInterventions] = interventions_json(query.interventions);
  if (query.text_pair) json["text_pair"] = *query.text_pair;
  if (query.decoder_text) json["decoder_text"] = *query.decoder_text;
  if (!query.reads_special_text) json["reads_special_text"] = false;
  if (query.item) json["item"] = *query.item;
  if (query.heads) json["heads"] = *query.heads;
  if (query.kv_heads) json["kv_heads"] = *query.kv_heads;
  return json;
}

Json to_json(const Style& style) {
  return fields_json(style, style_fields());
}

Json to_json(const DrawnMap& drawn_map) {
  return {{"head", to_json(drawn_map.head)}, {"strokes", to_json(drawn_map.strokes)}, {kTrainingSteps, drawn_map.training_steps}};
}

Json pins_json(const Document& document) {
  Json list = Json::array();
  for (const Pin& pin : document.pins) {
    list.push_back(to_json(pin.head));
    if (!document.others.empty() && pin.subject != 1) list.back().push_back(pin.subject);
  }
  return list;
}

}  // namespace headlight

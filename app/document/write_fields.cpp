// Writing the parts of a document.
#include <fmt/core.h>

#include <charconv>
#include <utility>

#include "app/document/document_fields.h"
#include "app/document/names.h"

namespace headlight {
namespace {

/// 0.6F as 0.6 and not as 0.60000002384: the shortest number that reads back as the same float.
double shortest(float value) {
  const std::string text = fmt::format("{}", value);
  double result = double{value};
  std::from_chars(text.data(), text.data() + text.size(), result);
  return result;
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

}  // namespace headlight

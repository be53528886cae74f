#include "app/gui/script/state_dump.h"

#include <cmath>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {
namespace {

/// By id; null if a measure is undefined.
Json measures_of(const HeadSummary& head) {
  Json json = Json::object();
  for (std::size_t i = 0; i < head.measured.table.size(); ++i) {
    const double value = head.measured.values[i];
    json[std::string(head.measured.table[i].id)] = std::isnan(value) ? Json() : Json(value);
  }
  return json;
}

Json describe(const Snapshot& snapshot) {
  Json json = {{"model", snapshot.query.model.name}, {"text", snapshot.encoding->text}, {"layers", snapshot.layers()},
               {"heads", snapshot.heads()},          {"notices", snapshot.notices},     {"tokens", Json::array()},
               {"largest_weight", Json::array()},    {"measures", Json::array()}};
  for (const Token& token : snapshot.encoding->tokens) json["tokens"].push_back(token.text);
  if (snapshot.decoder_encoding) {
    json["decoder_tokens"] = Json::array();
    for (const Token& token : snapshot.decoder_encoding->tokens) json["decoder_tokens"].push_back(token.text);
  }
  for (const auto& layer : snapshot.summaries) {
    Json row = Json::array();
    for (const HeadSummary& head : *layer) row.push_back(head.largest);
    json["largest_weight"].push_back(std::move(row));
    Json measures = Json::array();
    for (const HeadSummary& head : *layer) measures.push_back(measures_of(head));
    json["measures"].push_back(std::move(measures));
  }
  return json;
}

Json describe(const WorkerStatus& status) {
  return {{"generation", status.requested}, {"is_busy", status.is_busy}, {"error", status.error_message}};
}

/// The map that Flow shows; null: none. Its hidden cells are null.
Json describe(const FlowPicture* shown) {
  if (shown == nullptr) return {};
  const FlowFound& found = *shown->found;
  Json json = {{"what", flow_text(*found.snapshot, {found.heads, found.settings})},
               {"reduction", row_of(found.settings.reduction).name},
               {"heads", Json::array()},
               {"values", Json::array()}};
  for (const HeadId head : found.heads) json["heads"].push_back({head.layer, head.head});
  for (Index query = 0; query < shown->picture->rows(); ++query) {
    Json row = Json::array();
    for (Index key = 0; key < shown->picture->columns(); ++key) {
      const auto top = static_cast<float>(query), left = static_cast<float>(key);
      const float value = shown->picture->value(top, top + 1, left, left + 1);
      row.push_back(std::isnan(value) ? Json() : Json(value));
    }
    json["values"].push_back(std::move(row));
  }
  return json;
}

Json describe(const DrawnItem& item) {
  const auto whole = [](float pixels) { return static_cast<int>(std::lround(pixels)); };
  return {{"label", item.label}, {"box", {whole(item.box.x), whole(item.box.y), whole(item.box.width), whole(item.box.height)}}};
}

}  // namespace

Json dump_state(Session& session, const Json& view, const std::vector<DrawnItem>& items) {
  const std::shared_ptr<const Snapshot> snapshot = session.snapshot();
  const ExportStatus exports = session.exporter().status();
  const History& history = session.history();
  Json json = {{"document", to_json(session.document(), session.unknown())},
               {"view", view},
               {"snapshot", snapshot ? describe(*snapshot) : Json()},
               {"worker", describe(session.worker().status())},
               {"exporter", {{"finished", exports.finished}, {"is_failure", exports.is_failure}}},
               {"history", {{"labels", history.labels()}, {"undo", history.undo_label()}, {"redo", history.redo_label()}}},
               {"joined", describe(session.flows().shown().get())},
               {"items", Json::array()}};
  for (const DrawnItem& item : items) json["items"].push_back(describe(item));
  return json;
}

}  // namespace headlight

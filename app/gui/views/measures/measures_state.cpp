// What the window saves of the view Measures.
#include "app/gui/views/measures/measures_view.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::size_t kMostSaved = 256;  // columns

Json to_json(const std::vector<ColumnSort>& sorts) {
  Json json = Json::array();
  for (const ColumnSort& sort : sorts) json.push_back({{"column", sort.column}, {"rising", sort.is_rising}});
  return json;
}

std::vector<ColumnSort> sorts_from_json(const Json& json) {
  std::vector<ColumnSort> sorts;
  for (const Json& each : json) {
    if (!each.is_object() || !each.contains("column") || !each["column"].is_string() || sorts.size() == kMostSaved) continue;
    const bool is_rising = each.contains("rising") && each["rising"].is_boolean() && each["rising"].get<bool>();
    sorts.push_back({each["column"].get<std::string>(), is_rising});
  }
  return sorts;
}

/// False for a measure that this version does not have.
bool is_measure(const std::string& id) {
  try {
    measure_request(id, "measure");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void save_measures(const ViewState& view, Json& json) {
  const MeasuresPage& page = view.measures;
  json["measures"] = {{"source", page.source}, {"columns", page.columns}, {"sorts", to_json(page.sorts)}};
}

void restore_measures(const Json& json, ViewState& view) {
  const auto found = json.find("measures");
  if (found == json.end() || !found->is_object()) return;
  const Json& saved = *found;
  MeasuresPage page;
  if (saved.contains("source") && saved["source"].is_string()) page.source = saved["source"].get<std::string>();
  if (saved.contains("sorts") && saved["sorts"].is_array()) page.sorts = sorts_from_json(saved["sorts"]);
  if (saved.contains("columns") && saved["columns"].is_array()) {
    for (const Json& id : saved["columns"]) {
      if (id.is_string() && is_measure(id.get<std::string>()) && page.columns.size() < kMostSaved)
        page.columns.push_back(id.get<std::string>());
    }
  }
  view.measures = std::move(page);
}

}  // namespace headlight

// What the window saves of the view Measures.
#include <algorithm>

#include "app/gui/columns/saved_columns.h"
#include "app/gui/columns/shown_columns.h"
#include "app/gui/panel/saved_state.h"
#include "app/gui/views/measures/measures_view.h"

namespace headlight {
namespace {

constexpr auto kFolds = name_table<Fold>("by_room", "open", "folded");
constexpr std::size_t kMostSaved = 256;  // columns

void read_text(const Json& json, const char* key, std::string& text) {
  if (json.contains(key) && json[key].is_string()) text = json[key].get<std::string>();
}

std::vector<std::string> read_texts(const Json& json, const char* key) {
  std::vector<std::string> texts;
  if (!json.contains(key) || !json[key].is_array()) return texts;
  for (const Json& each : json[key]) {
    if (each.is_string() && texts.size() < kMostSaved) texts.push_back(each.get<std::string>());
  }
  return texts;
}

}  // namespace

void save_measures(const ViewState& view, Json& json) {
  const MeasuresPage& page = view.measures;
  json["measures"] = {{"source", page.source},
                      {"columns", page.columns},
                      {"sorts", sorts_json(page.sorts)},
                      {"filters", ranges_json(page.ranges)},
                      {"across", page.across},
                      {"up", page.up},
                      {"size", page.size},
                      {"scatter", saved_name(kFolds, page.scatter)},
                      {"explained", page.explained},
                      {"imports", page.imports}};
  Json brushed = Json::array();
  for (const HeadId head : view.brushed) brushed.push_back({{"layer", head.layer}, {"head", head.head}});
  json["brushed"] = brushed;
}

void restore_measures(const Json& json, ViewState& view) {
  const auto found = json.find("measures");
  if (found == json.end() || !found->is_object()) return;
  const Json& saved = *found;
  MeasuresPage page;
  read_text(saved, "source", page.source);
  page.columns = read_texts(saved, "columns");
  std::erase_if(page.columns, [](const std::string& id) { return !is_measure(id); });
  page.sorts = sorts_from_json(saved, "sorts");
  page.ranges = ranges_from_json(saved, "filters");
  read_text(saved, "across", page.across);
  read_text(saved, "up", page.up);
  read_text(saved, "size", page.size);
  read_saved(saved, "scatter", kFolds, page.scatter);
  read_text(saved, "explained", page.explained);
  page.imports = read_texts(saved, "imports");
  view.measures = std::move(page);
}

}  // namespace headlight

#include "app/gui/panel/saved_view.h"

#include <utility>

#include "app/gui/panel/saved_state.h"

namespace headlight {
namespace {

constexpr auto kBrushes = name_table<Brush>("off", "cell", "row", "column", "rectangle");
constexpr auto kScopes = name_table<Scope::Kind>("every-stack", "all", "layer", "head");

void read_strings(const Json& json, const char* key, const auto& take) {
  if (!json.contains(key) || !json[key].is_array()) return;
  for (const Json& item : json[key]) {
    if (item.is_string()) take(item.get<std::string>());
  }
}

/// A place in a list: not below 0, and small enough for any model.
int read_place(const Json& json, const char* key) {
  constexpr std::int64_t kMost = 1'000'000;
  if (!json.contains(key) || !json[key].is_number_integer()) return 0;
  const auto place = json[key].get<std::int64_t>();
  return place >= 0 && place <= kMost ? static_cast<int>(place) : 0;
}

}  // namespace

Json to_json(const ViewState& view, std::span<const ViewRow> views) {
  Json json = Json::object();
  json["view"] = view.view.name;
  json["head"] = {{"layer", view.head.layer}, {"head", view.head.head}};
  json["hovered"] = view.pointed.cell ? Json{{"query", view.pointed.cell->query}, {"key", view.pointed.cell->key}} : Json();
  json["hovered_token"] = view.pointed.token ? Json(view.pointed.token->token) : Json();
  json["pinned_query"] = view.pinned_query ? Json(view.pinned_query->token) : Json();
  json["brush"] = saved_name(kBrushes, view.painting.brush);
  json["brush_allows"] = view.painting.allows;
  json["edit_scope"] = saved_name(kScopes, view.painting.scope);
  json["model_picker_open"] = view.dialogs.model_picker;
  json["export_open"] = view.dialogs.figure_export;
  json["help_open"] = view.dialogs.help;
  json["model_card_open"] = view.dialogs.model_card;
  json["mask_file_open"] = view.dialogs.mask_file;
  json["banner"] = view.notes.banner;
  json["mask_problem"] = view.rails.mask_entry.problem;
  json["random_note_dismissed"] = view.notes.is_random_closed;
  json["folded"] = view.rails.folded;
  for (const ViewRow& row : views) {
    if (row.save) row.save(view, json);
  }
  return json;
}

ViewState view_from_json(const Json& json, std::span<const ViewRow> views) {
  ViewState view;
  if (!json.is_object()) return view;
  const auto name = json.find("view");
  for (const ViewRow& row : views) {
    if (name != json.end() && name->is_string() && name->get_ref<const std::string&>() == row.view.name) view.view = row.view;
    if (row.restore) row.restore(json, view);
  }
  if (json.contains("head") && json["head"].is_object()) {
    view.head = {read_place(json["head"], "layer"), read_place(json["head"], "head")};
  }
  read_saved(json, "brush_allows", view.painting.allows);
  read_saved(json, "edit_scope", kScopes, view.painting.scope);
  read_saved(json, "random_note_dismissed", view.notes.is_random_closed);
  if (json.contains("folded") && json["folded"].is_array()) view.rails.folded.clear();
  read_strings(json, "folded", [&](std::string section) { view.rails.folded.insert(std::move(section)); });
  return view;
}

}  // namespace headlight

#include "app/gui/panel/saved_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panel/saved_state.h"

namespace headlight {
namespace {

constexpr auto kBrushes = name_table<Brush>("off", "cell", "row", "column", "rectangle");
constexpr auto kFolds = name_table<Fold>("by-room", "open", "folded");
constexpr auto kThemes = name_table<Theme>("dark", "light");
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

Json to_json(const Shell& shell) {
  return {{"zoom", shell.zoom},
          {"left", saved_name(kFolds, shell.left)},
          {"right", saved_name(kFolds, shell.right)},
          {"left_width", shell.left_width},
          {"right_width", shell.right_width},
          {"drawer_height", shell.drawer_height},
          {"has_reduced_motion", shell.has_reduced_motion},
          {"shows_cost", shell.shows_cost},
          {"font", shell.font},
          {"theme", shell.theme ? Json(saved_name(kThemes, *shell.theme)) : Json()},
          {"is_presenting", shell.is_presenting}};
}

/// Widths that no window has leave the usual ones; presenting is not restored.
Shell shell_from_json(const Json& json) {
  constexpr double kLongest = 4096, kLeastZoom = 0.75, kMostZoom = 3;
  Shell shell;
  if (!json.is_object()) return shell;
  read_saved(json, "zoom", shell.zoom, kLeastZoom, kMostZoom);
  read_saved(json, "left", kFolds, shell.left);
  read_saved(json, "right", kFolds, shell.right);
  read_saved(json, "left_width", shell.left_width, 0, kLongest);
  read_saved(json, "right_width", shell.right_width, 0, kLongest);
  read_saved(json, "drawer_height", shell.drawer_height, 0, kLongest);
  read_saved(json, "has_reduced_motion", shell.has_reduced_motion);
  read_saved(json, "shows_cost", shell.shows_cost);
  if (json.contains("font") && json["font"].is_string()) shell.font = json["font"].get<std::string>();
  Theme theme = Theme::dark;
  if (read_saved(json, "theme", kThemes, theme)) shell.theme = theme;
  return shell;
}

/// Which view is shown, how each is set, and the head.
void show_view(const Json& json, ViewState& view, std::span<const ViewRow> views) {
  const auto name = json.find("view");
  for (const ViewRow& row : views) {
    if (name != json.end() && name->is_string() && name->get_ref<const std::string&>() == row.view.name) view.view = row.view;
    if (row.restore) row.restore(json, view);
  }
  if (json.contains("corpus") && json["corpus"].is_string()) view.corpus.wanted = json["corpus"].get<std::string>();
  if (json.contains("head") && json["head"].is_object()) {
    view.head = {read_place(json["head"], "layer"), read_place(json["head"], "head")};
  }
  if (json.contains("question")) view.finding.question = question_from_json(json["question"]);
  if (json.contains("alike_to") && json["alike_to"].is_object()) {
    view.finding.alike_to = HeadId{read_place(json["alike_to"], "layer"), read_place(json["alike_to"], "head")};
  }
}

}  // namespace

Json to_json(const ViewState& view, std::span<const ViewRow> views) {
  Json json = Json::object();
  json["view"] = view.view.name;
  json["head"] = {{"layer", view.head.layer}, {"head", view.head.head}};
  json["hovered"] = view.pointed.cell ? Json{{"query", view.pointed.cell->query}, {"key", view.pointed.cell->key}} : Json();
  json["hovered_number"] =
      view.pointed.number ? Json{{"query", view.pointed.number->query}, {"number", view.pointed.number->number}} : Json();
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
  json["corpus"] = view.corpus.file.string();
  json["question"] = to_json(view.finding.question);
  json["alike_to"] = view.finding.alike_to ? Json{{"layer", view.finding.alike_to->layer}, {"head", view.finding.alike_to->head}} : Json();
  json["recent_commands"] = view.recent_commands;
  json["palette_open"] = view.dialogs.palette;
  json["settings_open"] = view.dialogs.settings;
  json["shell"] = to_json(view.shell);
  for (const ViewRow& row : views) {
    if (row.save) row.save(view, json);
  }
  return json;
}

ViewState view_from_json(const Json& json, std::span<const ViewRow> views) {
  ViewState view;
  if (!json.is_object()) return view;
  show_view(json, view, views);
  read_saved(json, "brush_allows", view.painting.allows);
  read_saved(json, "edit_scope", kScopes, view.painting.scope);
  read_saved(json, "random_note_dismissed", view.notes.is_random_closed);
  if (json.contains("shell")) view.shell = shell_from_json(json["shell"]);
  if (json.contains("folded") && json["folded"].is_array()) view.rails.folded.clear();
  read_strings(json, "recent_commands", [&](std::string name) { view.recent_commands.push_back(std::move(name)); });
  read_strings(json, "folded", [&](std::string section) { view.rails.folded.insert(std::move(section)); });
  return view;
}

Json look_of(const ViewState& view, std::span<const ViewRow> views) {
  const Json all = to_json(view, views);
  Json look = Json::object();
  for (const char* key : {"view", "head", "stage", "moment", "pinned_query", "zoom", "inside_step", "inside_progress", "inside_keys",
                          "measures", "overview_arrangement", "corpus", "question", "alike_to"}) {
    if (all.contains(key)) look[key] = all[key];
  }
  return look;
}

void show_look(const Json& look, ViewState& view, std::span<const ViewRow> views) {
  if (!look.is_object()) return;
  show_view(look, view, views);
  if (look.contains("pinned_query") && look["pinned_query"].is_number_integer() && look["pinned_query"] >= 0) {
    view.pinned_query = TokenPlace{Side::text, read_place(look, "pinned_query")};
  }
  const auto zoom = look.find("zoom");
  constexpr double kMostCells = 1e9;
  const auto is_place = [](const Json& number) { return number.is_number() && std::abs(number.get<double>()) < kMostCells; };
  const bool is_zoom = zoom != look.end() && zoom->is_array() && zoom->size() == 4 && std::all_of(zoom->begin(), zoom->end(), is_place);
  if (!is_zoom) return;
  const auto at = [&](std::size_t place) { return (*zoom)[place].get<float>(); };
  const CellWindow window{at(0), at(1), at(2), at(3)};
  const bool is_sound =
      window.row_begin >= 0 && window.row_end > window.row_begin && window.column_begin >= 0 && window.column_end > window.column_begin;
  if (is_sound) view.head_page.zoom = window;
}

}  // namespace headlight

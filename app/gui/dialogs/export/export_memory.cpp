#include "app/gui/dialogs/export/export_memory.h"

#include "app/gui/panel/saved_state.h"
#include "engine/figure/painters/installed_fonts.h"

namespace headlight {
namespace {

constexpr auto kGrounds = name_table<Theme>("dark", "light");

std::string text_in(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

Json to_json(const PageLook& page) {
  Json without = Json::array();
  for (const PagePart part : page.without) without.push_back(kPageParts[part]);
  return {{"width", page.width_mm}, {"height", page.height_mm},           {"type", page.type},  {"family", page.family},
          {"letter", page.letter},  {"transparent", page.is_transparent}, {"without", without}, {"cell_numbers", page.has_cell_numbers}};
}

void read_page(const Json& json, PageLook& page) {
  read_saved(json, "width", page.width_mm, kLeastMm, kMostMm);
  read_saved(json, "height", page.height_mm, kLeastMm, kMostMm);
  read_saved(json, "type", page.type, kLeastType, kMostType);
  read_saved(json, "transparent", page.is_transparent);
  read_saved(json, "cell_numbers", page.has_cell_numbers);
  const std::string family = text_in(json, "family"), letter = text_in(json, "letter");
  if (!family.empty() && why_no_family(family).empty() && is_installed(family)) page.family = family;
  if (why_no_letter(letter).empty()) page.letter = letter;
  if (!json.contains("without") || !json["without"].is_array()) return;
  for (const Json& name : json["without"]) {
    for (const PagePart part : kEveryValue<PagePart>) {
      if (name.is_string() && name.get_ref<const std::string&>() == kPageParts[part]) page.without.insert(part);
    }
  }
}

void read_presets(const Json& json, std::vector<OwnPreset>& presets) {
  if (!json.is_array()) return;
  for (const Json& each : json) {
    if (!each.is_object() || text_in(each, "name").empty() || presets.size() >= kMostOwnPresets) continue;
    presets.push_back({text_in(each, "name"), {}});
    read_page(each, presets.back().look);
  }
}

}  // namespace

Json export_to_keep(const ExportChoice& choice) {
  Json json = to_json(choice.page);
  json["ending"] = choice.ending;
  if (choice.theme) json["ground"] = saved_name(kGrounds, *choice.theme);
  json["presets"] = Json::array();
  for (const OwnPreset& preset : choice.presets) {
    Json kept = to_json(preset.look);
    kept["name"] = preset.name;
    json["presets"].push_back(std::move(kept));
  }
  return json;
}

void restore_export(const Json& json, ExportChoice& choice) {
  if (!json.is_object()) return;
  if (const std::string ending = text_in(json, "ending"); !ending.empty())
    choice.ending = ending;  // the dialog drops one that is not there
  read_page(json, choice.page);
  choice.typed.back() = choice.page.family;
  Theme theme{};
  if (read_saved(json, "ground", kGrounds, theme)) choice.theme = theme;
  if (json.contains("presets")) read_presets(json["presets"], choice.presets);
}

}  // namespace headlight

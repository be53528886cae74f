// What the window saves of the view Links.
#include <algorithm>

#include "app/gui/panel/saved_state.h"
#include "app/gui/views/links/links_view.h"

namespace headlight {
namespace {

constexpr auto kWhich = name_table<LinksPage::Heads>("layer", "all", "chosen");
constexpr auto kRules = name_table<LinkRule>("threshold", "top");
constexpr auto kTints = name_table<TextTint>("attention", "received");
constexpr auto kBands = name_table<Fold>("by_room", "open", "folded");
constexpr std::size_t kMostSaved = 4096;  // heads: more than any model has

Json heads_json(const std::vector<HeadId>& heads) {
  Json json = Json::array();
  for (const HeadId head : heads) json.push_back({head.layer, head.head});
  return json;
}

std::vector<HeadId> heads_of(const Json& json) {
  const auto is_place = [](const Json& number) { return number.is_number_integer() && number >= 0 && number < 1'000'000; };
  std::vector<HeadId> heads;
  for (const Json& each : json) {
    if (heads.size() == kMostSaved || !each.is_array() || each.size() != 2 || !is_place(each[0]) || !is_place(each[1])) return heads;
    heads.push_back({each[0].get<int>(), each[1].get<int>()});
  }
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  return heads;
}

}  // namespace

void save_links_view(const ViewState& view, Json& json) {
  const LinksPage& page = view.links;
  Json& links = json["links"] = Json::object();
  links["which"] = saved_name(kWhich, page.which);
  links["heads"] = heads_json(page.chosen);
  links["rule"] = saved_name(kRules, page.filter.rule);
  links["threshold"] = page.filter.threshold;
  links["top"] = page.filter.top;
  links["parts"] = page.filter.parts;
  links["special"] = page.filter.has_special;
  links["arcs"] = page.has_arcs;
  links["tint"] = saved_name(kTints, page.tint);
  links["words_as_keys"] = page.are_words_keys;
  links["text"] = saved_name(kBands, page.band);
}

void restore_links_view(const Json& json, ViewState& view) {
  const auto links = json.find("links");
  if (links == json.end() || !links->is_object()) return;
  LinksPage& page = view.links;
  read_saved(*links, "which", kWhich, page.which);
  if (links->contains("heads") && (*links)["heads"].is_array()) page.chosen = heads_of((*links)["heads"]);
  read_saved(*links, "rule", kRules, page.filter.rule);
  read_saved(*links, "threshold", page.filter.threshold, 0.001, 1);
  read_saved(*links, "top", page.filter.top, 1, kMostTop);
  const auto parts = links->find("parts");
  if (parts != links->end() && parts->is_array() && parts->size() == kPairParts) {
    for (std::size_t part = 0; part < kPairParts; ++part) {
      if ((*parts)[part].is_boolean()) page.filter.parts[part] = (*parts)[part].get<bool>();
    }
  }
  read_saved(*links, "special", page.filter.has_special);
  read_saved(*links, "arcs", page.has_arcs);
  read_saved(*links, "tint", kTints, page.tint);
  read_saved(*links, "words_as_keys", page.are_words_keys);
  read_saved(*links, "text", kBands, page.band);
}

}  // namespace headlight

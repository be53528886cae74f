#include "app/document/fields/interventions.h"

#include <algorithm>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

bool switches_off_heads(const Intervention& intervention) {
  const auto is_head = [](HeadId place) { return place.head != kWholeLayer; };
  return intervention.kind == InterventionKind::off && std::all_of(intervention.heads.begin(), intervention.heads.end(), is_head);
}

}  // namespace

std::shared_ptr<const TextSet> read_texts(const JsonFields& fields, const std::string& name) {
  TextSet set{name, {}};
  std::size_t bytes = 0;
  for (const Json& item : fields.array("texts")) {
    if (!item.is_string()) fields.refuse("texts", "wrong type", describe(item), "texts");
    set.texts.push_back(item.get<std::string>());
    bytes += set.texts.back().size();
  }
  if (set.texts.empty() || set.texts.size() > kMostTextsOfSet || bytes > kLargestTextSet)
    fields.refuse("texts", "a mean is taken over some texts, and not too many", std::to_string(set.texts.size()),
                  std::to_string(kMostTextsOfSet) + " at most, of 1 MiB");
  return std::make_shared<const TextSet>(std::move(set));
}

namespace {

Intervention read_intervention(const JsonFields& fields) {
  Intervention made;
  try {
    made = parse_intervention(fields.text("edit"));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    fields.refuse("edit", error.message());
  }
  if (made.texts) made.texts = read_texts(fields, made.texts->name);
  return made;
}

}  // namespace

Json interventions_json(const std::vector<Intervention>& interventions) {
  Json list = Json::array();
  for (const Intervention& each : interventions) {
    Json item = {{"edit", to_text(each)}};
    if (each.texts) item["texts"] = each.texts->texts;
    list.push_back(std::move(item));
  }
  return list;
}

std::vector<Intervention> read_interventions(const JsonFields& fields) {
  std::vector<Intervention> interventions;
  if (!fields.has(kInterventions)) return interventions;
  for (const Json& item : fields.array(kInterventions)) {
    std::string path = fields.path_of(kInterventions);
    path.append("[").append(std::to_string(interventions.size())).append("]");
    interventions.push_back(read_intervention(JsonFields(item, fields.file(), path)));
  }
  return interventions;
}

std::vector<Intervention> interventions_of(const Query& query) {
  std::vector<Intervention> all;
  if (!query.switched_off.empty()) all.push_back({.kind = InterventionKind::off, .heads = query.switched_off});
  all.insert(all.end(), query.interventions.begin(), query.interventions.end());
  return all;
}

std::string edits_in_words(const Query& query, HeadId head) {
  constexpr std::string_view kAfterPlace = ": ";  // the head is named already
  std::string words;
  for (Intervention each : query.interventions) {
    const bool is_of_head = std::any_of(each.heads.begin(), each.heads.end(), [&](HeadId of) {
      return of.layer == head.layer && (of.head == head.head || of.head == kWholeLayer);
    });
    if (!is_of_head || row_of(each.kind).replaces == ReplacedPart::stream) continue;
    each.heads = {head};
    const std::string described = describe_intervention(each);
    const std::size_t place = described.find(kAfterPlace);
    words += words.empty() ? "" : "; ";
    words += place == std::string::npos ? described : described.substr(place + kAfterPlace.size());
  }
  return words;
}

void add_intervention(Query& query, Intervention intervention) {
  if (switches_off_heads(intervention)) {
    std::vector<HeadId>& off = query.switched_off;
    off.insert(off.end(), intervention.heads.begin(), intervention.heads.end());
    std::sort(off.begin(), off.end());
    off.erase(std::unique(off.begin(), off.end()), off.end());
    return;
  }
  std::erase(query.interventions, intervention);
  query.interventions.push_back(std::move(intervention));
}

void remove_intervention(Query& query, const Intervention& intervention) {
  if (!switches_off_heads(intervention)) {
    std::erase(query.interventions, intervention);
    return;
  }
  std::erase_if(query.switched_off, [&](HeadId head) {
    return std::find(intervention.heads.begin(), intervention.heads.end(), head) != intervention.heads.end();
  });
}

}  // namespace headlight

#include "app/recipe/figure_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "app/document/fields/field.h"
#include "app/recipe/measures_json.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::int64_t kMostListed = 1000;       // tokens of a prediction
constexpr std::int64_t kMostOfAny = 10'000'000;  // layers, heads, tokens

constexpr std::array<std::string_view, 3> kMoments{"now", "before", "difference"};
constexpr std::array<std::string_view, 3> kFrames{"drawn map", "relation", "asked"};
constexpr std::array<std::string_view, 2> kRules{"threshold", "top"};
constexpr std::array<std::string_view, 2> kTints{"attention", "received"};

template <typename Enum, std::size_t count>
std::string name_in(const std::array<std::string_view, count>& names, Enum value) {
  return std::string(names.at(static_cast<std::size_t>(value)));
}

template <typename Enum, std::size_t count>
Enum value_in(const std::array<std::string_view, count>& names, const JsonFields& fields, const std::string& key, Enum usual) {
  if (!fields.has(key)) return usual;
  const std::string name = fields.text(key);
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) fields.refuse(key, "unknown name", in_quotes(name));
  return static_cast<Enum>(found - names.begin());
}

Index index_of(const Json& value, const JsonFields& fields, const std::string& key) {
  if (!value.is_number_integer() || value < 0 || value > kMostOfAny) fields.refuse(key, "this is not a position", describe(value));
  return value.get<Index>();
}

std::vector<Index> indices_of(const JsonFields& fields, const std::string& key) {
  std::vector<Index> indices;
  if (!fields.has(key)) return indices;
  for (const Json& value : fields.array(key)) indices.push_back(index_of(value, fields, key));
  return indices;
}

std::optional<Index> position_in(const JsonFields& fields, const std::string& key) {
  if (!fields.has(key)) return std::nullopt;
  return fields.integer(key, 0, kMostOfAny);
}

Json frames_json(const std::vector<MapFrame>& frames) {
  Json list = Json::array();
  for (const MapFrame& frame : frames)
    list.push_back({{"kind", name_in(kFrames, frame.kind)},
                    {"queries", {frame.query_begin, frame.query_end}},
                    {"keys", {frame.key_begin, frame.key_end}}});
  return list;
}

std::vector<MapFrame> frames_from(const JsonFields& fields) {
  std::vector<MapFrame> frames;
  if (!fields.has("frames")) return frames;
  for (const Json& item : fields.array("frames")) {
    const JsonFields one(item, fields.file(), fields.path_of("frames"));
    const std::vector<Index> queries = indices_of(one, "queries"), keys = indices_of(one, "keys");
    if (queries.size() != 2 || keys.size() != 2) fields.refuse("frames", "a frame has the begin and the end of its queries and keys");
    frames.push_back({value_in(kFrames, one, "kind", FrameKind::drawn_map), queries[0], queries[1], keys[0], keys[1]});
  }
  return frames;
}

Json heads_json(const std::vector<HeadId>& heads) {
  Json list = Json::array();
  for (const HeadId head : heads) list.push_back({head.layer, head.head});
  return list;
}

void add_lines(Json& json, const LinksRequest& links) {
  const LinksRequest usual;
  json["rule"] = name_in(kRules, links.filter.rule);
  if (links.filter.rule == LinkRule::threshold) json["threshold"] = shortest_double(links.filter.threshold);
  if (links.filter.rule == LinkRule::top) json["top"] = links.filter.top;
  if (links.filter.parts != usual.filter.parts) json["pairs"] = links.filter.parts;
  if (!links.filter.has_special) json["special"] = false;
  if (links.has_arcs) json["arcs"] = true;
}

/// `has_lines`: else words are tinted by the weights, and lines are not chosen.
Json links_json(const LinksRequest& links, bool has_lines) {
  const LinksRequest usual;
  Json json = {{"heads", heads_json(links.heads)}};
  if (has_lines) add_lines(json, links);
  if (links.focus) json[links.focus->is_key ? "key" : "query"] = links.focus->token;
  if (links.is_kept) json["is_kept"] = true;
  if (links.tint != usual.tint) json["tint"] = name_in(kTints, links.tint);
  return json;
}

HeadId head_of(const Json& item, const JsonFields& fields) {
  if (!item.is_array() || item.size() < 2) fields.refuse("heads", "a head is [layer, head]", describe(item));
  return {static_cast<int>(index_of(item[0], fields, "heads")), static_cast<int>(index_of(item[1], fields, "heads"))};
}

LinksRequest links_from(const JsonFields& fields) {
  LinksRequest links;
  for (const Json& item : fields.array("heads")) links.heads.push_back(head_of(item, fields));
  links.filter.rule = value_in(kRules, fields, "rule", LinkRule::threshold);
  links.filter.threshold = static_cast<float>(fields.number_or("threshold", links.filter.threshold, 0, 1));
  links.filter.top = static_cast<int>(fields.integer_or("top", links.filter.top, 1, kMostOfAny));
  if (fields.has("pairs")) {
    const Json& parts = fields.array("pairs");
    if (parts.size() != links.filter.parts.size()) fields.refuse("pairs", "four parts, each shown or not");
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (!parts[part].is_boolean()) fields.refuse("pairs", "four parts, each shown or not");
      links.filter.parts[part] = parts[part].get<bool>();
    }
  }
  links.filter.has_special = fields.boolean_or("special", true);
  links.has_arcs = fields.boolean_or("arcs", false);
  if (const auto query = position_in(fields, "query")) links.focus = LinkFocus{*query, false};
  if (const auto key = position_in(fields, "key")) links.focus = LinkFocus{*key, true};
  links.is_kept = fields.boolean_or("is_kept", false);
  links.tint = value_in(kTints, fields, "tint", TextTint::attention);
  return links;
}

Json output_json(const OutputRequest& output) {
  Json json = Json::object();
  if (output.position) json["position"] = *output.position;
  if (output.count > 0) json["positions"] = {output.first, output.first + output.count};
  if (output.listed != OutputRequest().listed) json["listed"] = output.listed;
  return json;
}

OutputRequest output_from(const JsonFields& fields) {
  OutputRequest output{.position = position_in(fields, "position")};
  const std::vector<Index> ends = indices_of(fields, "positions");
  if (!ends.empty()) {
    if (ends.size() != 2 || ends[0] >= ends[1]) fields.refuse("positions", "this is not a range: its begin, and its end after it");
    output.first = ends[0];
    output.count = ends[1] - ends[0];
  }
  output.listed = static_cast<std::size_t>(fields.integer_or("listed", static_cast<std::int64_t>(output.listed), 1, kMostListed));
  return output;
}

Json flow_json(const FlowRequest& flow) {
  Json json = {{"heads", heads_json(flow.heads)}, {"reduce", row_of(flow.settings.reduction).name}};
  if (flow.settings.reduction != Reduction::rollout) return json;
  json["identity"] = shortest_double(flow.settings.identity);
  if (flow.settings.fuses_by_max) json["fuse_max"] = true;
  if (flow.settings.through >= 0) json["through"] = flow.settings.through;
  return json;
}

FlowRequest flow_from(const JsonFields& fields) {
  FlowRequest flow;
  for (const Json& item : fields.array("heads")) flow.heads.push_back(head_of(item, fields));
  const std::string name = fields.text("reduce");
  const auto* const row =
      std::find_if(kReductionRows.begin(), kReductionRows.end(), [&](const ReductionRow& each) { return each.name == name; });
  if (row == kReductionRows.end()) fields.refuse("reduce", "unknown name", in_quotes(name), reduction_names());
  flow.settings.reduction = row->reduction;
  flow.settings.identity = static_cast<float>(fields.number_or("identity", flow.settings.identity, 0, 1));
  flow.settings.fuses_by_max = fields.boolean_or("fuse_max", false);
  flow.settings.through = static_cast<int>(fields.integer_or("through", -1, -1, kMostOfAny));
  return flow;
}

void add_heads(Json& json, const FigureRequest& request, const SubjectOfRun& subject_of) {
  Json heads = Json::array();
  for (const ComparedHead& head : request.heads) {
    Json item = {head.head.layer, head.head.head, subject_of(head.of)};
    if (!head.subject.empty()) item.push_back(head.subject);
    heads.push_back(std::move(item));
  }
  if (!heads.empty()) json["heads"] = std::move(heads);
  if (request.kind->needs.heads == 0) return;
  const bool is_usual = request.heads.size() == 2 && request.difference == ComparedPair{};  // A − B
  if (request.difference && !is_usual) json["difference"] = {request.difference->left, request.difference->right};
  if (request.has_own_scales) json["has_own_scales"] = true;
}

void heads_from(const JsonFields& fields, FigureChoice& choice) {
  if (!fields.has("heads")) return;
  constexpr std::size_t kWithName = 4;
  for (const Json& item : fields.array("heads")) {
    ComparedHead head{.head = head_of(item, fields)};
    if (item.size() < kWithName - 1 || item.size() > kWithName)
      fields.refuse("heads", "a head is [layer, head, subject, name]", describe(item));
    choice.subjects.push_back(static_cast<int>(index_of(item[2], fields, "heads")));
    if (item.size() == kWithName && !item[3].is_string()) fields.refuse("heads", "the name of a subject is a text", describe(item[3]));
    if (item.size() == kWithName) head.subject = item[3].get<std::string>();
    choice.request.heads.push_back(std::move(head));
  }
  const std::vector<Index> pair = indices_of(fields, "difference");
  const std::size_t heads = choice.request.heads.size();
  if (pair.empty()) return;
  if (pair.size() != 2 || std::max(pair[0], pair[1]) >= static_cast<Index>(heads)) fields.refuse("difference", "two places of the heads");
  choice.request.difference = ComparedPair{static_cast<std::size_t>(pair[0]), static_cast<std::size_t>(pair[1])};
}

void add_step(Json& json, const FigureRequest& request) {
  if (request.query) json["query"] = *request.query;
  json["step"] = request.moment_inside.number();
  if (request.moment_inside.progress != 1) json["progress"] = shortest_double(request.moment_inside.progress);
  if (request.chosen_key) json["key"] = *request.chosen_key;
  if (!request.opened_keys.empty()) json["opened_keys"] = request.opened_keys;
  if (request.most_keys != 0) json["most_keys"] = request.most_keys;
}

void step_from(const JsonFields& fields, FigureRequest& request) {
  request.query = position_in(fields, "query");
  request.moment_inside = end_of_step(static_cast<int>(fields.integer("step", 1, kInsideSteps)));
  request.moment_inside.progress = static_cast<float>(fields.number_or("progress", 1, 0, 1));
  request.chosen_key = position_in(fields, "key");
  const std::vector<Index> opened = indices_of(fields, "opened_keys");
  request.opened_keys = {opened.begin(), opened.end()};
  request.most_keys = position_in(fields, "most_keys").value_or(0);
}

Json page_json(const PageLook& page) {
  Json json = Json::object();
  if (page.width_mm != 0) json["width_mm"] = shortest_double(page.width_mm);
  if (page.height_mm != 0) json["height_mm"] = shortest_double(page.height_mm);
  if (page.type != 0) json["type"] = shortest_double(page.type);
  if (!page.family.empty()) json["family"] = page.family;
  if (!page.letter.empty()) json["letter"] = page.letter;
  for (const PagePart part : page.without) json["without"].push_back(kPageParts[part]);
  if (page.has_cell_numbers) json["cell_numbers"] = true;
  if (page.is_transparent) json["transparent"] = true;
  return json;
}

PageLook page_from(const JsonFields& fields) {
  PageLook page;
  const auto length = [&](const char* key, float least, float most) { return static_cast<float>(fields.number_or(key, 0, least, most)); };
  page.width_mm = length("width_mm", kLeastMm, kMostMm);
  page.height_mm = length("height_mm", kLeastMm, kMostMm);
  page.type = length("type", kLeastType, kMostType);
  page.family = fields.text_or("family", "");
  page.letter = fields.text_or("letter", "");
  if (std::string why = why_no_family(page.family); !why.empty()) fields.refuse("family", std::move(why), in_quotes(page.family));
  if (std::string why = why_no_letter(page.letter); !why.empty()) fields.refuse("letter", std::move(why), in_quotes(page.letter));
  page.has_cell_numbers = fields.boolean_or("cell_numbers", false);
  page.is_transparent = fields.boolean_or("transparent", false);
  if (!fields.has("without")) return page;
  for (const Json& item : fields.array("without")) {
    const auto is_named = [&](PagePart part) { return item == kPageParts[part]; };
    const auto* const found = std::find_if(kEveryValue<PagePart>.begin(), kEveryValue<PagePart>.end(), is_named);
    if (found == kEveryValue<PagePart>.end()) fields.refuse("without", "there is no such part", describe(item));
    page.without.insert(*found);
  }
  return page;
}

void add_part(Json& json, const CellWindow& part) {
  if (part == CellWindow{}) return;
  json["part"] = {{"queries", {shortest_double(part.row_begin), shortest_double(part.row_end)}},
                  {"keys", {shortest_double(part.column_begin), shortest_double(part.column_end)}}};
}

CellWindow part_from(const JsonFields& fields) {
  if (!fields.has("part")) return {};
  const JsonFields part = fields.object("part");
  const auto range = [&](const std::string& key) {
    const Json& ends = part.array(key);
    const auto is_end = [](const Json& end) { return end.is_number() && end >= 0 && end <= kMostOfAny; };
    if (ends.size() != 2 || !is_end(ends[0]) || !is_end(ends[1]) || ends[0] >= ends[1])
      part.refuse(key, "this is not a range: its begin, and its end after it", describe(ends));
    return std::pair{ends[0].get<float>(), ends[1].get<float>()};
  };
  const auto [row_begin, row_end] = range("queries");
  const auto [column_begin, column_end] = range("keys");
  return {row_begin, row_end, column_begin, column_end};
}

void add_marked(Json& json, const MarkedTokens& marked) {
  if (!marked.query && !marked.key) return;
  Json tokens = Json::object();
  if (marked.query) tokens["query"] = *marked.query;
  if (marked.key) tokens["key"] = *marked.key;
  if (marked.of_layer) tokens["of_layer"] = *marked.of_layer;
  json["marked"] = std::move(tokens);
}

MarkedTokens marked_from(const JsonFields& fields) {
  if (!fields.has("marked")) return {};
  const JsonFields tokens = fields.object("marked");
  MarkedTokens marked{position_in(tokens, "query"), position_in(tokens, "key")};
  if (const auto layer = position_in(tokens, "of_layer")) marked.of_layer = static_cast<int>(*layer);
  return marked;
}

Stage stage_from(const JsonFields& fields) {
  const std::string name = fields.text_or("stage", std::string(name_of(Stage::weights)));
  const auto* const found = std::find_if(kStages.begin(), kStages.end(), [&](Stage each) { return name_of(each) == name; });
  if (found == kStages.end()) fields.refuse("stage", "unknown name", in_quotes(name), stage_names());
  return *found;
}

}  // namespace

Json to_json(const FigureRequest& request, const SubjectOfRun& subject_of) {
  // Another member does not compile here until it is written and read, too: a figure has to say everything that it was made with.
  [[maybe_unused]] const auto& [kind, head, stage, heads, frames, baseline, moment, difference, query, moment_inside, chosen_key,
                                opened_keys, most_keys, has_own_scales, only, part, marked, links, output, flow, effects, lab, measures,
                                style, page, is_spreadsheet_safe] = request;
  const FigureNeeds& needs = kind->needs;
  Json json = {{"kind", kind->name}};
  if (needs.has_head) {
    json["layer"] = head.layer;
    json["head"] = head.head;
  }
  if ((needs.has_stage || needs.has_lengths) && shown_stage(request) != Stage::weights) json["stage"] = name_of(stage);
  if (needs.has_stage) {
    if (!frames.empty()) json["frames"] = frames_json(frames);
    if (moment != Moment::now) {
      json["moment"] = name_in(kMoments, moment);
      json["baseline"] = subject_of(baseline);
    }
  }
  if (needs.has_step) add_step(json, request);
  if (needs.lists_heads && !only.empty()) json["only"] = heads_json(only);
  if (needs.shows_part) add_part(json, part);
  if (needs.marks_tokens) add_marked(json, marked);
  if (needs.has_links || needs.has_tint) json["links"] = links_json(links, needs.has_links);
  if (needs.has_output) {
    json["output"] = output_json(output);
    if (baseline) json["baseline"] = subject_of(baseline);
  }
  if (needs.has_flow) json["flow"] = flow_json(flow);
  if (needs.has_effects()) json["effects"] = to_json(effects, needs);
  if (needs.has_lab) json["lab"] = to_json(lab);
  if (needs.has_measures && (!needs.tints_heads || measures != MeasuresRequest())) json["measures"] = to_json(measures, needs);
  if (needs.heads > 0 || needs.marks_heads) add_heads(json, request, subject_of);
  if (page != PageLook()) json["page"] = page_json(page);
  return json;
}

FigureChoice choice_from(const JsonFields& fields) {
  FigureChoice choice;
  FigureRequest& request = choice.request;
  const std::string name = fields.text("kind");
  request.kind = find_figure(figure_kinds(), name);
  if (request.kind == nullptr) fields.refuse("kind", "this Headlight has no such figure", in_quotes(name));
  const FigureNeeds& needs = request.kind->needs;
  if (needs.has_head)
    request.head = {static_cast<int>(fields.integer("layer", 0, kMostOfAny)), static_cast<int>(fields.integer("head", 0, kMostOfAny))};
  if (needs.has_stage || needs.has_lengths) request.stage = stage_from(fields);
  if (needs.has_stage) {
    request.frames = frames_from(fields);
    request.moment = value_in(kMoments, fields, "moment", Moment::now);
    if (request.moment != Moment::now) choice.baseline = static_cast<int>(fields.integer("baseline", 1, kMostOfAny));
  }
  if (needs.has_step) step_from(fields, request);
  if (needs.lists_heads && fields.has("only")) {
    for (const Json& item : fields.array("only")) request.only.push_back(head_of(item, fields));
  }
  if (needs.shows_part) request.part = part_from(fields);
  if (needs.marks_tokens) request.marked = marked_from(fields);
  if (needs.has_links || needs.has_tint) request.links = links_from(fields.object("links"));
  if (needs.has_output) {
    request.output = output_from(fields.object("output"));
    if (fields.has("baseline")) choice.baseline = static_cast<int>(fields.integer("baseline", 1, kMostOfAny));
  }
  if (needs.has_flow) request.flow = flow_from(fields.object("flow"));
  if (needs.has_effects()) request.effects = effects_from(fields.object("effects"));
  if (needs.has_lab) request.lab = lab_from(fields.object("lab"));
  if (needs.has_measures && (!needs.tints_heads || fields.has("measures"))) request.measures = measures_from(fields.object("measures"));
  if (needs.heads > 0 || needs.marks_heads) heads_from(fields, choice);
  if (fields.has("page")) request.page = page_from(fields.object("page"));
  if (fields.has("sweep")) choice.sweep = sweep_from(fields.object("sweep"));
  if (choice.sweep && !can_sweep(*request.kind, choice.sweep->of, request.lab.asked))
    fields.refuse("sweep", "this figure does not change with it");
  request.has_own_scales = fields.boolean_or("has_own_scales", false);
  return choice;
}

FigureRequest with_runs(const FigureChoice& choice, const RunOfId& run_of) {
  FigureRequest request = choice.request;
  for (std::size_t head = 0; head < request.heads.size(); ++head) request.heads[head].of = run_of(choice.subjects.at(head));
  if (choice.baseline) request.baseline = run_of(*choice.baseline);
  return request;
}

}  // namespace headlight

#include "app/recipe/command_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "app/document/fields/names.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"
#include "app/document/mask_edits.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestText = 2000;

/// Arguments, as long as options can say everything.
struct Arguments {
  std::vector<std::string> words;
  bool is_whole = true;  ///< false: some part of the figure has no option

  void add(std::string option) { words.push_back(std::move(option)); }
  void add(std::string option, std::string value) {
    if (value.starts_with('-')) return add(std::move(option) + "=" + value);
    words.push_back(std::move(option));
    words.push_back(std::move(value));
  }
};

/// "--colours" of "--colours,--colors".
std::string first_name(std::string_view option) {
  return std::string(option.substr(0, option.find(',')));
}

/// Returns whether there is an option for the value.
template <typename Owner>
bool add_field(Arguments& line, const Field<Owner>& field, const FieldValue& value) {
  const FieldOption<Owner>& option = field.option;
  const auto text = std::visit([](const auto& each) { return fmt::format("{}", each); }, value);
  const auto* const flag = std::find_if(option.flags.data(), option.flags.data() + option.flags.size(),
                                        [&](const FlagOption& each) { return each.value == text; });
  if (flag != option.flags.data() + option.flags.size()) {
    line.add(first_name(flag->option));
    return true;
  }
  if (option.name.empty() || std::holds_alternative<bool>(value)) return false;
  line.add(first_name(option.name), text);
  return true;
}

/// The options that make `wanted` of a new owner, set in the order in which the command line applies them; what is left is not whole.
template <typename Owner>
void add_fields(Arguments& line, const Owner& wanted, Owner made, std::span<const Field<Owner>> fields) {
  const auto has_option = [](const Field<Owner>& field) { return !field.option.name.empty() || !field.option.flags.empty(); };
  for (const Field<Owner>* field : rows_by_place(
           fields, [](const Field<Owner>& row) { return row.option.place; }, has_option)) {
    const FieldValue value = field->value.get(wanted);
    if (value == field->value.get(made)) continue;
    if (!field->applies(wanted)) {  // it changes nothing, and its option would be refused
      field->choose_value(made, value);
      continue;
    }
    if (add_field(line, *field, value)) field->choose_value(made, value);
  }
  if (!(made == wanted)) line.is_whole = false;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : ",").append(part);
  return text;
}

std::string head_text(HeadId head) {
  return fmt::format("{}.{}", head.layer, head.head);
}

/// "cross@", "3@", "3.1@"; empty for all heads.
std::string scope_text(const Scope& scope) {
  if (scope.kind == Scope::Kind::stack) return std::string(name_of(scope.stack)) + "@";
  if (scope.kind == Scope::Kind::layer) return fmt::format("{}@", scope.where.layer);
  return scope.kind == Scope::Kind::head ? head_text(scope.where) + "@" : "";
}

std::string range_text(Index begin, Index end) {
  const CellBlock all = parse_cells("*:*", true).front();
  if (begin == all.key_begin && end == all.key_end) return "*";
  return end == begin + 1 ? std::to_string(begin) : fmt::format("{}-{}", begin, end - 1);
}

void add_strokes(Arguments& line, const Query& wanted, Query& made, bool is_allowed) {
  for (const MaskRule& rule : wanted.mask.rules) {
    std::vector<std::string> cells;
    for (const CellBlock& block : rule.strokes) {
      if (block.is_allowed != is_allowed) continue;
      cells.push_back(range_text(block.query_begin, block.query_end) + ":" + range_text(block.key_begin, block.key_end));
      rule_for(made.mask, rule.scope).strokes.push_back(block);
    }
    if (!cells.empty()) line.add(is_allowed ? "--allow" : "--deny", scope_text(rule.scope) + joined(cells));
  }
}

void add_mask(Arguments& line, const Query& wanted, Query& made) {
  for (const MaskRule& rule : wanted.mask.rules) {
    if (rule.text.empty()) continue;
    line.add("--mask", scope_text(rule.scope) + rule.text);
    rule_for(made.mask, rule.scope).text = rule.text;
  }
  add_strokes(line, wanted, made, false);
  add_strokes(line, wanted, made, true);
  if (wanted.mask_reach == made.mask_reach) return;
  made.mask_reach = wanted.mask_reach;
  line.add("--mask-reach", std::string(name_of(wanted.mask_reach)));
}

void add_score(Arguments& line, const ScoreSettings& wanted, ScoreSettings& made) {
  if (!wanted.is_scaled) line.add("--no-scale");
  if (wanted.temperature != made.temperature) line.add("--temperature", fmt::format("{}", wanted.temperature));
  if (wanted.kind) line.add("--score", std::string(name_of(*wanted.kind)));
  if (wanted.softcap) line.add("--softcap", fmt::format("{}", *wanted.softcap));
  if (wanted.sink) line.add("--sink", fmt::format("{}", *wanted.sink));
  made = wanted;
}

void add_text(Arguments& line, const Query& wanted, Query& made) {
  if (!wanted.text.empty() && wanted.ids.empty()) {
    line.add("-t", wanted.text);
    made.text = wanted.text;
  }
  if (wanted.text.starts_with('-')) {  // a short option takes no "="
    line.words.pop_back();
    line.add("--text", wanted.text);
  }
  if (wanted.text_pair) line.add("--text-pair", *wanted.text_pair);
  if (wanted.decoder_text) line.add("--decoder-text", *wanted.decoder_text);
  if (!wanted.reads_special_text) line.add("--plain-special");
  if (wanted.item) line.add("--item", std::to_string(*wanted.item));
  std::vector<std::string> ids;
  for (const std::int64_t id : wanted.ids) ids.push_back(std::to_string(id));
  if (!ids.empty()) line.add("--ids", joined(ids));
  made.text_pair = wanted.text_pair;
  made.decoder_text = wanted.decoder_text;
  made.reads_special_text = wanted.reads_special_text;
  made.item = wanted.item;
  made.ids = wanted.ids;
}

void add_model(Arguments& line, const Query& wanted, Query& made) {
  line.add("-m", wanted.model.name);
  made.model.name = wanted.model.name;
  made.model.version = version_of_built_in(wanted.model.name);
  add_fields(
      line, wanted.model.sandbox,
      [&] {
        SandboxSpec spec;
        spec.heads = wanted.model.sandbox.heads;  // --heads and --kv-heads below
        spec.kv_heads = wanted.model.sandbox.kv_heads;
        return spec;
      }(),
      sandbox_fields());
  const bool is_sandbox = wanted.model.name == "sandbox";
  const SandboxSpec usual;
  if (is_sandbox && wanted.model.sandbox.heads != usual.heads) line.add("--heads", std::to_string(wanted.model.sandbox.heads));
  if (is_sandbox && wanted.model.sandbox.kv_heads != usual.kv_heads) line.add("--kv-heads", std::to_string(wanted.model.sandbox.kv_heads));
  made.model.sandbox = wanted.model.sandbox;
  if (is_sandbox) return;
  if (wanted.heads) line.add("--heads", std::to_string(*wanted.heads));
  if (wanted.kv_heads) line.add("--kv-heads", std::to_string(*wanted.kv_heads));
  made.heads = wanted.heads;
  made.kv_heads = wanted.kv_heads;
}

/// A subject; `made`: what the options before it have made.
void add_query(Arguments& line, const Query& wanted) {
  Query made;
  add_model(line, wanted, made);
  add_text(line, wanted, made);
  add_mask(line, wanted, made);
  add_score(line, wanted.score, made.score);
  std::vector<std::string> off;
  for (const HeadId head : wanted.switched_off) off.push_back(head_text(head));
  if (!off.empty()) line.add("--off", joined(off));
  made.switched_off = wanted.switched_off;
  if (!(made == wanted)) line.is_whole = false;
}

/// Further texts, which differ from the first in nothing but their words.
void add_others(Arguments& line, const Document& document) {
  if (document.baseline) line.is_whole = false;
  for (const Subject& other : document.others) {
    Query same = document.query;
    same.text = other.query.text;
    if (other.is_frozen || !(same == other.query) || !same.ids.empty()) line.is_whole = false;
    line.add("--and");
    line.add("-t", other.query.text);
  }
}

/// "3", or "cross.0" in a model of several stacks.
std::string layer_text(const Snapshot& snapshot, int layer) {
  const LayerPlace place = snapshot.model->config.place(layer);
  return place.stack == Stack::only ? std::to_string(place.number) : fmt::format("{}.{}", name_of(place.stack), place.number);
}

void add_head(Arguments& line, const Snapshot& snapshot, HeadId head) {
  line.add("--layer", layer_text(snapshot, head.layer));
  line.add("--head", std::to_string(head.head));
}

void add_step(Arguments& line, const FigureRequest& request, bool is_drawn) {
  const InsideMoment moment = request.moment_inside;
  if (request.query) line.add("--query", std::to_string(*request.query));
  if (request.chosen_key) line.add("--key", std::to_string(*request.chosen_key));
  line.add("--step", std::to_string(moment.number()));
  const int stops = inside_step(moment.step).stops;
  const auto stop = static_cast<int>(moment.progress * static_cast<float>(stops) + 0.5F);
  if (moment.progress != 1 && (stop < 1 || static_cast<float>(stop) / static_cast<float>(stops) != moment.progress)) line.is_whole = false;
  if (moment.progress != 1 && is_drawn) line.add("--stop", std::to_string(stop));
  if (request.most_keys != 0) line.add("--shown-keys", std::to_string(request.most_keys));
  if (!request.opened_keys.empty()) line.is_whole = false;
}

void add_linked_heads(Arguments& line, const Snapshot& snapshot, const std::vector<HeadId>& heads) {
  const int layer = heads.front().layer;
  if (heads == snapshot.heads_of_layer(layer)) return line.add("--layer", layer_text(snapshot, layer));
  if (heads.size() == 1) return add_head(line, snapshot, heads.front());
  for (const HeadId head : heads) line.add("--pin", layer_text(snapshot, head.layer) + "." + std::to_string(head.head));
}

void add_links(Arguments& line, const Snapshot& snapshot, const LinksRequest& links) {
  const LinkFilter& filter = links.filter;
  const LinkFilter usual;
  add_linked_heads(line, snapshot, links.heads);
  if (filter.rule == LinkRule::top) line.add("--top", std::to_string(filter.top));
  if (filter.rule == LinkRule::threshold && filter.threshold != usual.threshold)
    line.add("--threshold", fmt::format("{}", filter.threshold));
  if (filter.parts != usual.parts) {
    constexpr std::array<const char*, kPairParts> kNames{"AA", "AB", "BA", "BB"};
    std::vector<std::string> parts;
    for (std::size_t part = 0; part < kPairParts; ++part) {
      if (filter.parts[part]) parts.emplace_back(kNames[part]);
    }
    if (parts.empty()) line.is_whole = false;
    line.add("--pairs", joined(parts));
  }
  if (!filter.has_special) line.add("--no-special");
  if (links.has_arcs) line.add("--arcs");
  if (links.tint == TextTint::received) line.add("--received");
  if (links.focus) line.add(links.focus->is_key ? "--key" : "--query", std::to_string(links.focus->token));
  if (links.focus.has_value() != links.is_kept) line.is_whole = false;
}

void add_flow(Arguments& line, const Snapshot& snapshot, const FlowRequest& flow) {
  std::vector<std::string> heads;
  for (const HeadId head : flow.heads) heads.push_back(layer_text(snapshot, head.layer) + "." + std::to_string(head.head));
  if (flow.settings.reduction != Reduction::mean) line.add("--reduce", std::string(row_of(flow.settings.reduction).name));
  if (flow.heads.size() != snapshot.all_heads().size()) line.add("--of", joined(heads));
  if (flow.settings.reduction != Reduction::rollout) return;
  if (flow.settings.identity != FlowSettings().identity) line.add("--identity", fmt::format("{}", flow.settings.identity));
  if (flow.settings.fuses_by_max) line.add("--fuse-max");
  if (flow.settings.through >= 0) line.add("--through", layer_text(snapshot, flow.settings.through));
}

void add_pins(Arguments& line, const Document& document, const Snapshot& snapshot, const FigureRequest& request) {
  if (request.difference && !(request.heads.size() == 2 && request.difference == ComparedPair{})) line.is_whole = false;
  if (request.has_own_scales) line.is_whole = false;
  for (const ComparedHead& head : request.heads) {
    const Snapshot& run = run_of(head, snapshot);
    int text = 1;
    for (std::size_t other = 0; head.of && other < document.others.size(); ++other) {
      if (head.subject == fmt::format("text {}", other + 2)) text = static_cast<int>(other) + 2;
    }
    const bool has_other_name = !head.subject.empty() && head.subject != fmt::format("text {}", text);
    if ((head.of && text == 1) || has_other_name) line.is_whole = false;
    const std::string name = layer_text(run, head.head.layer) + "." + std::to_string(head.head.head);
    line.add("--pin", text == 1 ? name : fmt::format("{}:{}", text, name));
  }
}

/// A fixed range is one option for two fields.
void add_style(Arguments& line, const Style& style) {
  Style made;
  if (style.range == RangeKind::fixed) {
    line.add("--range", fmt::format("{}", style.fixed_high));
    made.range = style.range;
  }
  made.fixed_high = style.fixed_high;  // without a fixed range it is not used
  add_fields(line, style, made, style_fields());
}

void add_page(Arguments& line, const PageLook& page) {
  if (page.width_mm != 0) line.add("--width", fmt::format("{}mm", page.width_mm));
  if (page.height_mm != 0) line.add("--height", fmt::format("{}mm", page.height_mm));
  if (page.type != 0) line.add("--font", fmt::format("{}pt", page.type));
  if (!page.family.empty()) line.add("--font-family", page.family);
  if (!page.letter.empty()) line.add("--letter", page.letter);
  std::vector<std::string> without;
  for (const PagePart part : page.without) without.emplace_back(kPageParts[part]);
  if (!without.empty()) line.add("--without", joined(without));
  if (page.is_transparent) line.add("--transparent");
}

/// How many pixels a PNG has; of a page with a size in print for an inch.
void add_pixels(Arguments& line, const PageLook& page, float pixels_per_point) {
  const float usual = has_print_size(page) ? pixels_at(kUsualDpi) : kDefaultPixelsPerPoint;
  if (pixels_per_point == usual) return;
  const float dpi = std::round(dpi_at(pixels_per_point));
  if (has_print_size(page) && pixels_at(dpi) == pixels_per_point) return line.add("--dpi", fmt::format("{}", dpi));
  line.add("--pixels", fmt::format("{}", pixels_per_point));
}

void add_figure(Arguments& line, const Document& document, const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file) {
  const FigureNeeds& needs = request.kind->needs;
  line.add("--figure", std::string(request.kind->name));
  if (needs.has_head) add_head(line, snapshot, request.head);
  if (needs.has_stage) {
    if (shown_stage(request) != Stage::weights) line.add("--stage", std::string(name_of(request.stage)));
    if (!request.frames.empty() || request.moment != Moment::now) line.is_whole = false;
  }
  if (needs.has_step) add_step(line, request, file.is_drawn);
  if (needs.has_flow) add_flow(line, snapshot, request.flow);
  if (needs.has_links) add_links(line, snapshot, request.links);
  if (needs.heads > 0) add_pins(line, document, snapshot, request);
  if (needs.marks_heads && !request.heads.empty()) line.is_whole = false;
  if (!file.is_drawn) return;
  add_page(line, request.page);
  add_style(line, request.style);
}

}  // namespace

std::string shell_quoted(std::string_view argument) {
  constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=@%+";
  if (!argument.empty() && argument.find_first_not_of(kSafe) == std::string_view::npos) return std::string(argument);
  std::string result = "'";
  for (const char byte : argument) result += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
  return result + "'";
}

std::string command_of(const Document& document, const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                       const FigureOutput& output, const std::optional<Sweep>& sweep) {
  Arguments line;
  add_query(line, document.query);
  add_others(line, document);
  add_figure(line, document, snapshot, request, file);
  if (file.has_pixels) add_pixels(line, request.page, output.pixels_per_point);
  if (sweep) {
    std::vector<std::string> values;
    for (const double value : sweep->values) values.push_back(fmt::format("{}", value));
    line.add("--sweep", fmt::format("{}={}", kSweeps[sweep->of], joined(values)));
  }
  if (file.has_titles && output.has_titles) line.add("--titles");
  const std::string name = std::string(request.kind->file_name) + std::string(file.ending);
  std::string text = "headlight export";
  for (const std::string& word : line.words) text += " " + shell_quoted(word);
  if (line.is_whole && text.size() <= kLongestText) return text + " -o " + name;
  return fmt::format("headlight export --document THIS-FILE{} -o {}", file.ending, name);
}

}  // namespace headlight

#include <array>
#include <charconv>
#include <cmath>

#include "app/document/fields/names.h"
#include "app/document/fields/style_fields.h"
#include "app/document/mask_edits.h"
#include "app/recipe/arguments.h"
#include "engine/figure/page/page.h"

namespace headlight {
namespace {

void add_head(Arguments& line, const Snapshot& snapshot, HeadId head) {
  line.add("--layer", short_name_of_layer(snapshot, head.layer));
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

/// "2.1,2.3", of one model's layers.
std::string list_text(const Snapshot& snapshot, const std::vector<HeadId>& heads) {
  std::vector<std::string> names;
  for (const HeadId head : heads) names.push_back(short_name_of_head(snapshot, head));
  return joined(names);
}

/// "3.25", "4.0": a decimal point says that it is a place within a cell.
std::string place_text(float place) {
  std::array<char, 64> digits{};  // of a finite number that a window holds
  const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), place, std::chars_format::fixed);
  std::string text(digits.data(), end);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

/// "3-9", or of a part that begins or ends within a cell "2.5-7.25".
std::string part_text(float begin, float end) {
  if (begin == std::floor(begin) && end == std::floor(end)) return range_text(static_cast<Index>(begin), static_cast<Index>(end));
  return place_text(begin) + "-" + place_text(end);
}

void add_part(Arguments& line, const CellWindow& part) {
  if (part == CellWindow{}) return;
  line.add("--queries", part_text(part.row_begin, part.row_end));
  line.add("--keys", part_text(part.column_begin, part.column_end));
}

void add_marked(Arguments& line, const MarkedTokens& marked) {
  if (marked.query) line.add("--row", std::to_string(*marked.query));
  if (marked.key) line.add("--key", std::to_string(*marked.key));
  if (marked.of_layer) line.is_whole = false;
}

std::string cells_text(Index query_begin, Index query_end, Index key_begin, Index key_end) {
  return range_text(query_begin, query_end) + ":" + range_text(key_begin, key_end);
}

/// Those that a person frames, and those of a drawn map, unless the line says that map as a whole.
void add_frames(Arguments& line, const Snapshot& snapshot, const FigureRequest& request, bool is_drawn_map_said) {
  std::vector<std::string> cells, drawn;
  for (const MapFrame& frame : request.frames) {
    const bool is_drawn = frame.kind == FrameKind::drawn_map;
    if (is_drawn && !cells.empty()) line.is_whole = false;  // options put the drawn map first
    (is_drawn ? drawn : cells).push_back(cells_text(frame.query_begin, frame.query_end, frame.key_begin, frame.key_end));
  }
  if (!drawn.empty() && !is_drawn_map_said) line.add("--draw", list_text(snapshot, {request.head}) + "@" + joined(drawn));
  if (!cells.empty()) line.add("--frame", joined(cells));
}

void add_linked_heads(Arguments& line, const Snapshot& snapshot, const std::vector<HeadId>& heads) {
  const int layer = heads.front().layer;
  if (heads == snapshot.heads_of_layer(layer)) return line.add("--layer", short_name_of_layer(snapshot, layer));
  if (heads.size() == 1) return add_head(line, snapshot, heads.front());
  line.add("--only", list_text(snapshot, heads));
}

void add_lines(Arguments& line, const LinksRequest& links) {
  const LinkFilter& filter = links.filter;
  const LinkFilter usual;
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
}

void add_links(Arguments& line, const Snapshot& snapshot, const LinksRequest& links, bool has_lines) {
  add_linked_heads(line, snapshot, links.heads);
  if (has_lines) add_lines(line, links);
  if (links.tint == TextTint::received) line.add("--received");
  if (links.focus) line.add(links.focus->is_key ? "--key" : "--query", std::to_string(links.focus->token));
  if (links.focus.has_value() != links.is_kept) line.is_whole = false;
}

void add_output(Arguments& line, const FigureRequest& request) {
  const OutputRequest& output = request.output;
  if (output.position) line.add("--query", std::to_string(*output.position));
  if (output.count > 0) line.add("--tokens", range_text(output.first, output.first + output.count));
  if (output.listed != OutputRequest().listed) line.add("--listed", std::to_string(output.listed));
}

void add_flow(Arguments& line, const Snapshot& snapshot, const FlowRequest& flow) {
  if (flow.settings.reduction != Reduction::mean) line.add("--reduce", std::string(row_of(flow.settings.reduction).name));
  if (flow.heads.size() != snapshot.all_heads().size()) line.add("--only", list_text(snapshot, flow.heads));
  if (flow.settings.reduction != Reduction::rollout) return;
  if (flow.settings.identity != FlowSettings().identity) line.add("--identity", fmt::format("{}", flow.settings.identity));
  if (flow.settings.fuses_by_max) line.add("--fuse-max");
  if (flow.settings.through >= 0) line.add("--through", short_name_of_layer(snapshot, flow.settings.through));
}

void add_effects(Arguments& line, const Snapshot& snapshot, const FigureNeeds& needs, const EffectsRequest& effects) {
  if (needs.has_target && effects.study) return void(line.is_whole = false);  // a study that may have changed; the figure holds its numbers
  if (effects.target) line.add("--target", to_text(*effects.target));
  if (!needs.has_target && !effects.target && effects.position) line.add("--query", std::to_string(*effects.position));
  if (needs.has_parts && effects.head) add_head(line, snapshot, *effects.head);
  const EffectsRequest usual;
  if (needs.has_method && effects.method != usual.method) line.add("--method", std::string(effect_row(effects.method).measure.id));
  if (needs.has_methods && (effects.methods != usual.methods || !effects.patched.empty())) {
    std::vector<std::string> ids;
    for (const EffectMethod method : effects.methods) ids.emplace_back(effect_row(method).measure.id);
    for (const PatchedPart part : effects.patched) ids.emplace_back(patch_measures(part)[kPatchChange]);
    line.add("--methods", joined(ids));
    if (!effects.patched.empty()) line.add("--from", effects.other_text);
  }
  if (needs.takes_texts() && effects.texts) line.is_whole = false;  // a file that may have changed; the figure holds its texts
  if (!needs.has_patches) return;
  line.add("--from", effects.other_text);
  if (effects.part != usual.part) line.add("--part", std::string(kPatchedParts[effects.part]));
}

void add_lab(Arguments& line, const Snapshot& snapshot, const LabFigureRequest& lab) {
  line.add("--lab", lab.asked);
  if (lab.layer >= 0) line.add("--layer", short_name_of_layer(snapshot, lab.layer));
  if (lab.head >= 0) line.add("--head", std::to_string(lab.head));
  if (lab.query) line.add("--query", std::to_string(*lab.query));
}

/// Which of them are named elsewhere in a line: by axes, filters, orders, numbers.
void check_all_named(Arguments& line, const MeasuresRequest& measures) {
  std::vector<std::string> named{measures.across, measures.up, measures.size, measures.tint};
  for (const ColumnRange& range : measures.ranges) named.push_back(range.column);
  for (const ColumnSort& sort : measures.sorts) named.push_back(sort.column);
  for (const std::string& id : measures.ids) {
    if (std::find(named.begin(), named.end(), id) == named.end()) line.is_whole = false;
  }
}

/// Maps carry the values of what they are ordered by, unless they are told to carry others.
void add_tint(Arguments& line, const MeasuresRequest& measures) {
  const std::string usual = measures.sorts.empty() ? std::string() : measures.sorts.front().column;
  if (measures.tint != usual) line.add("--tint", measures.tint.empty() ? "none" : measures.tint);
}

/// Columns of other numbers than the text's are in the file alone.
void add_measures(Arguments& line, const Snapshot& snapshot, const FigureNeeds& needs, const MeasuresRequest& measures, bool is_drawn) {
  if (!measures.given.empty()) line.is_whole = false;
  if (needs.has_axes) {
    const auto add = [&](const char* option, const std::string& id) {
      if (!id.empty()) line.add(option, id);
    };
    add("--across", measures.across);
    add("--up", measures.up);
    add("--size", measures.size);
    if (measures.across.empty() || measures.up.empty()) line.is_whole = false;
  }
  if (needs.lists_columns) line.add("--measures", joined(measures.ids));
  if (!needs.lists_columns) check_all_named(line, measures);
  std::vector<std::string> sorts;
  for (const ColumnSort& sort : measures.sorts) sorts.push_back(sort.column + (sort.is_rising ? ":rising" : ""));
  if (needs.orders_heads && !sorts.empty()) line.add("--sort", joined(sorts));
  for (const ColumnRange& range : measures.ranges) {
    const std::string text = range_text(range);
    if (parse_range(text, range.column) != range) line.is_whole = false;  // a longer number than is written
    line.add("--where", range.column + " " + text);
  }
  if (needs.tints_heads && is_drawn) add_tint(line, measures);
  if (!measures.brushed.empty() && is_drawn) line.add("--brush", list_text(snapshot, measures.brushed));
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
    const std::string name = short_name_of_head(run, head.head);
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
  if (page.has_cell_numbers) line.add("--cell-numbers");
  if (page.is_transparent) line.add("--transparent");
}

void add_sweep(Arguments& line, const Snapshot& snapshot, const Sweep& sweep) {
  std::vector<std::string> values;
  for (const double value : sweep.values) values.push_back(fmt::format("{}", value));
  if (sweep.of == SweepOf::training) {
    std::vector<std::string> cells;
    for (const CellBlock& block : sweep.drawn_map.strokes) {
      if (!block.is_allowed) line.is_whole = false;  // what was erased has no option
      cells.push_back(cells_text(block.query_begin, block.query_end, block.key_begin, block.key_end));
    }
    line.add("--draw", list_text(snapshot, {sweep.drawn_map.head}) + "@" + joined(cells));
  }
  line.add("--sweep", fmt::format("{}{}{}", kSweeps[sweep.of], values.empty() ? "" : "=", joined(values)));
}

}  // namespace

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : ",").append(part);
  return text;
}

std::string range_text(Index begin, Index end) {
  const CellBlock all = parse_cells("*:*", true).front();
  if (begin == all.key_begin && end == all.key_end) return "*";
  return end == begin + 1 ? std::to_string(begin) : fmt::format("{}-{}", begin, end - 1);
}

void add_figure(Arguments& line, const Document& document, const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                const std::optional<Sweep>& sweep) {
  const FigureNeeds& needs = request.kind->needs;
  line.add("--figure", std::string(request.kind->name));
  if (needs.has_head) add_head(line, snapshot, request.head);
  if ((needs.has_stage || needs.has_lengths) && shown_stage(request) != Stage::weights)
    line.add("--stage", std::string(name_of(request.stage)));
  if (needs.has_stage) {
    const bool is_drawn_map_said = sweep && sweep->of == SweepOf::training && sweep->drawn_map.head == request.head;
    add_frames(line, snapshot, request, is_drawn_map_said);
    if (request.moment != Moment::now) line.is_whole = false;
  }
  if (needs.lists_heads && !request.only.empty()) line.add("--only", list_text(snapshot, request.only));
  if (needs.shows_part) add_part(line, request.part);
  if (needs.marks_tokens) add_marked(line, request.marked);
  if (needs.has_step) add_step(line, request, file.is_drawn);
  if (needs.has_flow) add_flow(line, snapshot, request.flow);
  if (needs.has_effects()) add_effects(line, snapshot, needs, request.effects);
  if (needs.has_links || needs.has_tint) add_links(line, snapshot, request.links, needs.has_links);
  if (needs.has_output) add_output(line, request);
  if (needs.has_lab) add_lab(line, snapshot, request.lab);
  if (needs.has_measures) add_measures(line, snapshot, needs, request.measures, file.is_drawn);
  if (needs.heads > 0) add_pins(line, document, snapshot, request);
  if (needs.marks_heads && !request.heads.empty()) line.is_whole = false;
  if (sweep) add_sweep(line, snapshot, *sweep);
  if (!file.is_drawn) return;
  add_page(line, request.page);
  add_style(line, request.style);
}

}  // namespace headlight

#include "app/cli/figures/figure_runs.h"

#include <fmt/core.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "app/cli/options/head_list.h"
#include "app/cli/options/head_names.h"
#include "app/cli/options/repeated.h"
#include "app/document/labs/lab_names.h"
#include "app/document/pinned_heads.h"
#include "app/document/subjects.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

void check_head(const Snapshot& snapshot, HeadId head, const std::string& option) {
  if (snapshot.contains(head)) return;
  const bool has_layer = head.layer >= 0 && head.layer < snapshot.layers();
  const std::string layer = has_layer ? snapshot.layer_name(head.layer) : fmt::format("layer {}", head.layer);
  refuse_option(option, "the model has no such head", fmt::format("{} head {}", layer, head.head),
                fmt::format("layers 0 to {}, heads 0 to {}", snapshot.layers() - 1, snapshot.heads() - 1));
}

HeadId head_of(const FigureOptions& options, const Snapshot& snapshot) {
  return {layer_number(parse_layer(options.layer, "--layer"), snapshot.model->config, "--layer"), options.head};
}

/// The heads that a list of --only names.
std::vector<HeadId> listed_heads(const std::string& list, const Document& document, const Snapshot& snapshot) {
  return parse_head_list(list, "--only", document, snapshot);
}

/// The listed heads, else the pinned ones; without any the named head, or all heads of the layer. In a batch pins may be those of a comparison:
/// then a layer or a head that is named counts.
std::vector<HeadId> linked_heads(const FigureOptions& options, const FigureKind& kind, const Document& document, const Snapshot& snapshot) {
  if (!options.only.empty()) return listed_heads(options.only, document, snapshot);
  const auto is_given = [&](const char* option) { return options.is_given(option); };
  const bool names_one = (is_given("--layer") || is_given("--head")) && (!is_given("--pin") || serves_another(options, kind, "--pin"));
  std::vector<HeadId> heads;
  for (const Pin& pin : document.pins) {
    check_head(snapshot, pin.head, "--pin");
    heads.push_back(pin.head);
  }
  if (!heads.empty() && !names_one) return heads;
  const HeadId named = head_of(options, snapshot);
  check_head(snapshot, named, "--layer, --head");
  if (is_given("--head")) return {named};
  return snapshot.heads_of_layer(named.layer);
}

/// What predictions are compared with: the baseline; without one, the run without edits, if the text in front has edits.
int before_of(const Document& document) {
  return document.baseline.value_or(kUnedited);
}

/// The end of a step, or one of the stops within it.
InsideMoment moment_of(const FigureOptions& options) {
  const InsideMoment end = end_of_step(options.step);
  if (!options.stop) return end;
  const int stops = inside_step(end.step).stops;
  if (*options.stop > stops) {
    refuse_option("--stop", fmt::format("step {} has no such stop", options.step), std::to_string(*options.stop),
                  stops == 1 ? "1: this step has only its end" : fmt::format("1 to {}", stops));
  }
  return {end.step, static_cast<float>(*options.stop) / static_cast<float>(stops)};
}

/// Those that are pinned, and of a document with a baseline the same heads before.
std::size_t count_named_heads(const Document& document) {
  return heads_to_compare(document, [](int) { return SubjectRun(); }).size();
}

/// The listed heads of the figure's own run, else the pins of all runs, and what they were before.
void add_compared_heads(FigureRequest& request, const FigureOptions& options, const Document& document, const Runs& runs) {
  const Snapshot& snapshot = *runs.at(document.focused);
  if (!options.only.empty()) {
    request.heads = compared(listed_heads(options.only, document, snapshot));
    const std::size_t wanted = request.kind->needs.named_heads;
    if (request.heads.size() < wanted)
      refuse_option("--only", fmt::format("{} needs {} heads or more", request.kind->noun, wanted), std::to_string(request.heads.size()));
    return;
  }
  request.heads = heads_to_compare(document, [&](int subject) { return SubjectRun{runs.at(subject), {}}; });
  for (const ComparedHead& head : std::span(request.heads).first(document.pins.size())) {
    check_head(run_of(head, snapshot), head.head, "--pin");
  }
  std::erase_if(request.heads, [&](const ComparedHead& head) { return !run_of(head, snapshot).contains(head.head); });  // of the baseline
  if (document.baseline) request.difference = pair_to_subtract(document, snapshot, request.heads);
}

/// Of the largest of the maps that are shown.
CellWindow part_of(const FigureOptions& options, const FigureRequest& request, const Snapshot& snapshot) {
  Index rows = 0, columns = 0;
  const auto add = [&](const Snapshot& run, int layer) {
    rows = std::max(rows, run.queries(layer));
    columns = std::max(columns, columns_of(run, layer, request.stage));
  };
  if (request.kind->needs.has_head) add(snapshot, request.head.layer);
  if (request.kind->needs.has_flow) add(snapshot, request.flow.heads.front().layer);
  for (const ComparedHead& head : request.heads) add(run_of(head, snapshot), head.head.layer);
  return options.part.part(rows, columns);
}

/// Of a model that predicts nothing the request is refused later (check_figure).
OutputRequest output_of(const FigureOptions& options, const Snapshot& snapshot) {
  const Index tokens = std::ssize(predicted_text(snapshot).tokens);
  const CellWindow part = options.part.part(tokens, tokens);
  OutputRequest output{.position = options.marked_query, .listed = options.listed};
  if (part == CellWindow{}) return output;
  if (part.row_begin != std::floor(part.row_begin) || part.row_end != std::floor(part.row_end))
    refuse_option("--tokens", "predictions are of whole positions", {}, "3-9, or one position such as 3");
  output.first = static_cast<Index>(part.row_begin);
  output.count = static_cast<Index>(part.row_end - part.row_begin);
  const bool has_asked = tokens > 0 && asked_position(snapshot) >= output.first && asked_position(snapshot) < output.first + output.count;
  if (!output.position && !has_asked) output.position = output.first + output.count - 1;
  return output;
}

/// Of a batch a position may be one of other texts.
void check_hidden_positions(const FigureOptions& options, const KeySet& hidden, const Runs& runs) {
  if (!options.is_given("--hide") || options.batch.is_given()) return;
  Index keys = 0;
  for (const auto& [subject, run] : runs) {
    for (int layer = 0; layer < run->layers(); ++layer) keys = std::max(keys, run->keys(layer));
  }
  for (const std::int64_t position : hidden.positions) {
    if (position >= keys) refuse_option("--hide", "the text has no such key", std::to_string(position), fmt::format("0 to {}", keys - 1));
  }
}

/// The head is the named one. In a batch an option may be for another figure.
EffectsRequest effects_of(const FigureOptions& options, const FigureKind& kind, const Document& document, const Snapshot& snapshot) {
  std::optional<HeadId> head;
  if (kind.needs.has_parts && (options.is_given("--layer") || options.is_given("--head"))) {
    head = head_of(options, snapshot);
    check_head(snapshot, *head, "--layer, --head");
  }
  const bool is_for_another = options.is_given("--target") && serves_another(options, kind, "--query");
  return options.effects.request(kind.needs, document, is_for_another ? std::nullopt : options.marked_query, head);
}

/// Without what it will show (find_effects).
LabFigureRequest lab_of(const FigureOptions& options, const Snapshot& snapshot) {
  LabRequest request{.settings = parse_lab(options.lab, "--lab"), .snapshot = {}, .head = {}, .query = options.marked_query};
  if (use_of(request.settings) == LabUse::nothing) return figure_of_lab(request);
  request.head = head_of(options, snapshot);
  check_head(snapshot, request.head, "--layer, --head");
  const Index queries = snapshot.queries(request.head.layer);
  if (request.query && *request.query >= queries)
    refuse_option("--query", "the text has no such query", std::to_string(*request.query), fmt::format("0 to {}", queries - 1));
  return figure_of_lab(request);
}

}  // namespace

FigureRequest request_of(const FigureOptions& options, const FigureKind& kind, const Document& document, const Runs& runs,
                         const std::optional<RecordedFigure>& again) {
  const Snapshot& snapshot = *runs.at(document.focused);
  if (again) {
    FigureRequest request = request_of(*again, [&](int subject) { return runs.at(subject); });
    request.style = document.style;
    request.page = options.page.look(request.page);
    request.is_spreadsheet_safe = options.is_spreadsheet_safe;
    return request;
  }
  FigureRequest request;
  request.kind = &kind;
  request.style = document.style;
  check_hidden_positions(options, request.style.hidden, runs);
  request.page = options.page.look({});
  request.is_spreadsheet_safe = options.is_spreadsheet_safe;
  const FigureNeeds& needs = request.kind->needs;
  if (needs.has_head) {
    request.head = head_of(options, snapshot);
    check_head(snapshot, request.head, "--layer, --head");
    check_drawn_map(options, kind, document.drawn_map, request.head);
    // A drawn map is part of the document: taking it out of the document takes it out of the figure.
    request.frames = frames_of(document.drawn_map, snapshot, request.head);
    const std::vector<MapFrame> more = options.part.frames(snapshot, request.head);
    request.frames.insert(request.frames.end(), more.begin(), more.end());
  }
  if (takes_stage(kind, options.stage)) request.stage = options.stage;
  if (needs.has_links || needs.has_tint)
    request.links =
        options.links.request(snapshot, linked_heads(options, kind, document, snapshot), options.marked_query, options.marked_key);
  if (needs.has_output) request.output = output_of(options, snapshot);
  if (const auto before = runs.find(before_of(document)); needs.has_output && before != runs.end()) request.baseline = before->second;
  if (needs.has_flow) {
    const std::string list = options.only.empty() ? "all" : options.only;
    request.flow = options.flow.request(listed_heads(list, document, snapshot), snapshot);
  }
  if (needs.has_effects()) request.effects = effects_of(options, kind, document, snapshot);
  if (needs.has_lab) request.lab = lab_of(options, snapshot);
  if (needs.has_measures) request.measures = options.measures.request(needs, document, snapshot);
  if (needs.lists_heads && !options.only.empty()) request.only = listed_heads(options.only, document, snapshot);
  if (needs.has_step) {
    request.query = options.marked_query;
    request.chosen_key = options.marked_key;
    request.moment_inside = moment_of(options);
    request.most_keys = options.shown_keys;
  }
  if (needs.heads > 0) add_compared_heads(request, options, document, runs);
  if (needs.marks_tokens) request.marked = {options.marked_query, options.marked_key};
  if (needs.shows_part) request.part = part_of(options, request, snapshot);
  return request;
}

void check_named_heads(const FigureOptions& options, const FigureKind& kind, const Document& document) {
  if (!options.only.empty()) return;  // they are counted once the model is known
  const std::size_t named = count_named_heads(document);
  if (named >= kind.needs.named_heads) return;
  const std::size_t most = kind.needs.named_heads;
  std::string example;
  for (std::size_t head = 1; head <= most; ++head) example += fmt::format("{}--pin 0.{}", head == 1 ? "" : " ", head);
  const std::string wanted = most == 1 ? "one head" : most == 2 ? "two heads" : fmt::format("{} heads", most);
  refuse_option("--pin", fmt::format("{} needs {} or more", kind.noun, wanted), std::to_string(named), example);
}

std::optional<int> layer_alone(const FigureOptions& options, const FigureKind& kind) {
  if (!kind.needs.has_head || !kind.needs.has_stage || options.batch.is_given())
    return std::nullopt;  // other figures of a batch use the run
  return parse_number<int>(options.layer);
}

Runs run_subjects(Pipeline& pipeline, const FigureKind& kind, const Document& document, const std::optional<RecordedFigure>& again,
                  std::optional<int> layer, Progress& progress) {
  std::vector<int> subjects{document.focused};
  if (again) {
    subjects = subjects_of(*again);
  } else if (kind.needs.heads > 0) {
    for (const Pin& pin : document.pins) subjects.push_back(pin.subject);
    if (count_named_heads(document) > document.pins.size()) subjects.push_back(*document.baseline);
  } else if (kind.needs.has_output && (document.baseline || has_edits(document.query))) {
    subjects.push_back(before_of(document));
  }
  std::vector<Query> queries;
  for (const int subject : subjects)
    queries.push_back(subject == kUnedited ? unedited_query(document.query) : *query_of(document, subject));
  pipeline.keep(queries);
  const bool ranks_all = ranks_cells(document.style) && document.style.among == Among::model;
  if (ranks_all) layer.reset();  // colours go by the cells of every layer
  Runs runs;
  for (std::size_t place = 0; place < subjects.size(); ++place) {
    std::shared_ptr<const Snapshot>& run = runs[subjects[place]];
    if (!run) run = layer ? pipeline.run_layer_alone(queries[place], *layer, progress) : pipeline.run(queries[place], progress);
  }
  return runs;
}

}  // namespace headlight

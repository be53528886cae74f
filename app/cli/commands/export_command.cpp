#include "app/cli/commands/export_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/commands/flow_options.h"
#include "app/cli/commands/links_options.h"
#include "app/cli/console.h"
#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "app/document/fields/style_fields.h"
#include "app/document/pinned_heads.h"
#include "app/document/subjects.h"
#include "engine/figure/files/write_figure.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

/// Joins what `say` returns for each row that `is_meant` accepts: "heatmap: one head; grid: every head".
template <typename Row, typename Say, typename Meant>
std::string said_of(std::span<Row> rows, std::string_view between, Say say, Meant is_meant) {
  std::string text;
  for (const auto& row : rows) {
    if (is_meant(row)) text.append(text.empty() ? "" : between).append(say(row));
  }
  return text;
}

/// "heatmap": the figures that show one head.
std::string figures_of_one_head(FigureKinds kinds) {
  return said_of(
      kinds, " or ", [](const FigureKind* kind) { return std::string(kind->name); },
      [](const FigureKind* kind) { return kind->needs.has_head; });
}

std::string figures_help(FigureKinds kinds) {
  return said_of(
      kinds, "; ", [](const FigureKind* kind) { return fmt::format("{}: {}", kind->name, kind->what); },
      [](const FigureKind*) { return true; });
}

/// ".png .svg .pdf draw the figure, .csv .npy .json hold its numbers"
std::string files_help() {
  const auto endings = [](bool is_drawn) {
    return said_of(
        figure_files(), " ", [](const FigureFile& file) { return std::string(file.ending); },
        [&](const FigureFile& file) { return file.is_drawn == is_drawn; });
  };
  return fmt::format("The file to write: {} draw the figure, {} hold its numbers", endings(true), endings(false));
}

struct ExportOptions {
  ExportOptions(CLI::App& app, FigureKinds offered)
      : kinds(offered), command(app), query(app, QueryUse::compare), style(app), links(app), flow(app) {
    command.add_option("-o,--output", output, files_help())->required()->type_name("FILE");
    add_figure();
    command.add_option("--pixels", pixels, "Pixels per point of a PNG")
        ->check(CLI::Range(0.5, 16.0).description(""))
        ->type_name("X")
        ->capture_default_str();
    command.add_flag("--spreadsheet-safe", is_spreadsheet_safe,
                     "In a CSV, an apostrophe before tokens that a spreadsheet would take for formulas (= + - @); the\n"
                     "header says so. Without it tokens are written as they are");
  }
  /// Which figure, and of which head.
  void add_figure() {
    std::vector<std::string> names;
    for (const FigureKind* each : kinds) names.emplace_back(each->name);
    const std::string one_head = figures_of_one_head(kinds);
    command.add_option("--figure", figure, figures_help(kinds))
        ->check(CLI::IsMember(names).description(""))
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--layer", layer,
                    fmt::format("Layer of the {} or the links; in encoder-decoder models also encoder.N, decoder.N or cross.N", one_head))
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--head", head, fmt::format("Head of the {}; of links: this one alone, not all of the layer", one_head))
        ->check(CLI::Range(0, 1'000'000).description(""))
        ->type_name("N");
    const auto read_stage = [this](const std::string& name) {
      const auto* match = std::find_if(kStages.begin(), kStages.end(), [&](Stage each) { return name_of(each) == name; });
      if (match == kStages.end()) refuse_option("--stage", "unknown name", "\"" + printable(name, 60) + "\"", stage_names());
      stage = *match;
    };
    command
        .add_option_function<std::string>(
            "--stage", read_stage,
            fmt::format("Step of the {}'s head: weights, scores, scaled, mask, masked (what goes\ninto the "
                        "softmax), value-weights (weight times the length of v), z (what the values are mixed to)",
                        one_head))
        ->type_name("NAME");
    add_step();
  }
  /// Which moment of one query's computation.
  void add_step() {
    const auto position = CLI::Range(0, 1'000'000).description("");
    command
        .add_option("--query", marked_query,
                    "Query of the look inside; without it, the last token's. Links: only this query's lines in full, and the text tinted "
                    "by its weights")
        ->check(position)
        ->type_name("N");
    command
        .add_option(
            "--key", marked_key,
            "Key whose row is marked in the look inside; without it, that of the largest weight. Links: only the lines to this key in full")
        ->check(position)
        ->type_name("N");
    command
        .add_option("--step", step, "Step of the look inside: 1 query, 2 keys, 3 products, 4 scale, 5 mask, 6 softmax, 7 values,\n8 output")
        ->check(CLI::Range(1, kInsideSteps).description(""))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option(
            "--shown-keys", shown_keys,
            "Keys that have a row of their own in the look inside, those with the largest weights; the others are\nfolded with their "
            "sums. Without it, as many as fit")
        ->check(CLI::Range(1, 1000).description(""))
        ->type_name("N");
    command.add_option("--stop", stop, "Stop within that step (products has 2, softmax 4); without it, the step's end")
        ->check(CLI::Range(1, 16).description(""))
        ->type_name("N");
  }
  const FigureKind& kind() const { return *find_figure(kinds, figure); }

  FigureKinds kinds;
  CLI::App& command;
  QueryOptions query;
  StyleOptions style;
  LinksOptions links;
  FlowOptions flow;
  std::string output;
  std::string figure{kHeatmapFigure.name};
  std::string layer = "0";
  int head = 0;
  Stage stage = Stage::weights;
  std::optional<Index> marked_query, marked_key;
  int step = kInsideSteps;
  std::optional<int> stop;
  int shown_keys = 0;
  float pixels = kDefaultPixelsPerPoint;
  bool is_spreadsheet_safe = false;
};

/// The options that a figure uses besides those of the text, the model and the style.
std::vector<std::string_view> options_of(const FigureKind& kind) {
  std::vector<std::string_view> options;
  if (kind.needs.has_head) options.insert(options.end(), {"--layer", "--head"});
  if (kind.needs.has_stage) options.emplace_back("--stage");
  if (kind.needs.has_step) options.insert(options.end(), {"--query", "--key", "--step", "--stop", "--shown-keys"});
  if (kind.needs.heads > 0) options.insert(options.end(), {"--pin", "--and"});
  if (kind.needs.has_flow) {
    options.emplace_back("--pin");
    options.insert(options.end(), FlowOptions::names().begin(), FlowOptions::names().end());
  }
  if (!kind.needs.has_links) return options;
  options.insert(options.end(), {"--layer", "--head", "--pin"});
  options.insert(options.end(), LinksOptions::names().begin(), LinksOptions::names().end());
  return options;
}

/// The options that a kind of file uses: numbers have no style.
std::vector<std::string_view> options_of(const FigureFile& file) {
  std::vector<std::string_view> options;
  if (file.is_drawn) {
    options = option_names(style_fields());
    options.insert(options.end(), {"--key", "--stop", "--shown-keys"});  // marks, and how far a step has come
  }
  if (file.has_pixels) options.emplace_back("--pixels");
  if (file.has_text_cells) options.emplace_back("--spreadsheet-safe");
  return options;
}

/// Refuses what the chosen one of `names` would ignore; options[i] are those that names[i] uses.
void check_used(const CLI::App& command, std::string_view what, std::string_view chosen, const std::vector<std::string_view>& names,
                const std::vector<std::vector<std::string_view>>& options) {
  std::vector<OptionUser> users;
  for (std::size_t i = 0; i < names.size(); ++i) users.push_back({names[i], options[i]});
  refuse_unused(command, what, chosen, users);
}

/// Checks, before anything is computed, that the figure has the ending and that every option is used.
void check_options(const ExportOptions& options) {
  const FigureFile* file = file_of_figure(options.kind(), options.output);
  if (file == nullptr) {
    refuse_option("-o", "the ending says what to write", "\"" + printable(options.output, 120) + "\"", endings_text(options.kind()));
  }
  std::vector<std::string_view> figures, endings;
  std::vector<std::vector<std::string_view>> of_figures, of_endings;
  for (const FigureKind* kind : options.kinds) {
    figures.push_back(kind->name);
    of_figures.push_back(options_of(*kind));
  }
  for (const FigureFile& each : figure_files()) {
    endings.push_back(each.ending);
    of_endings.push_back(options_of(each));
  }
  check_used(options.command, "--figure ", options.figure, figures, of_figures);
  check_used(options.command, "-o FILE", file->ending, endings, of_endings);
}

/// Only one scale uses the exponent; a document may have chosen the scale.
void check_gamma(const ExportOptions& options, const Style& style) {
  if (options.command.get_option("--gamma")->count() == 0 || style.scale == ScaleKind::gamma) return;
  refuse_option("--gamma", fmt::format("--scale {} does not use this option", name_of(style.scale)), {}, {},
                "It is used by --scale gamma. Leave it out, or choose that scale");
}

/// Keys are left out of weights alone.
void check_hide(const ExportOptions& options) {
  if (options.command.get_option("--hide")->count() == 0) return;
  if (options.kind().needs.has_step || (options.kind().needs.has_stage && options.stage != Stage::weights)) {
    const std::string what =
        options.kind().needs.has_step ? std::string(options.kind().noun) : fmt::format("--stage {}", name_of(options.stage));
    refuse_option("--hide", fmt::format("{} does not use this option", what), {}, {},
                  "Keys are left out of weights. Leave it out, or choose those");
  }
}

void check_head(const Snapshot& snapshot, HeadId head, const std::string& option) {
  if (snapshot.contains(head)) return;
  const bool has_layer = head.layer >= 0 && head.layer < snapshot.layers();
  const std::string layer = has_layer ? snapshot.layer_name(head.layer) : fmt::format("layer {}", head.layer);
  refuse_option(option, "the model has no such head", fmt::format("{} head {}", layer, head.head),
                fmt::format("layers 0 to {}, heads 0 to {}", snapshot.layers() - 1, snapshot.heads() - 1));
}

HeadId head_of(const ExportOptions& options, const Snapshot& snapshot) {
  return {layer_number(parse_layer(options.layer, "--layer"), snapshot.model->config, "--layer"), options.head};
}

/// The pinned heads; without any the named head, or all heads of the layer.
std::vector<HeadId> linked_heads(const ExportOptions& options, const Document& document, const Snapshot& snapshot) {
  const auto is_given = [&](const char* option) { return options.command.get_option(option)->count() > 0; };
  const bool names_one = is_given("--layer") || is_given("--head");
  if (names_one && is_given("--pin"))
    refuse_option("--pin", "links are of the pinned heads or of a layer", {}, {}, "Leave out --pin, or --layer and --head");
  std::vector<HeadId> heads;
  for (const Pin& pin : document.pins) {
    check_head(snapshot, pin.head, "--pin");
    heads.push_back(pin.head);
  }
  if (!heads.empty() && !names_one) return heads;
  const HeadId named = head_of(options, snapshot);
  check_head(snapshot, named, "--layer, --head");
  if (is_given("--head")) return {named};
  heads.clear();
  for (int head = 0; head < snapshot.heads(named.layer); ++head) heads.push_back({named.layer, head});
  return heads;
}

/// Runs by the ids of their subjects.
using Runs = std::map<int, std::shared_ptr<const Snapshot>>;

/// The end of a step, or one of the stops within it.
InsideMoment moment_of(const ExportOptions& options) {
  const InsideMoment end = end_of_step(options.step);
  if (!options.stop) return end;
  const int stops = inside_step(end.step).stops;
  if (*options.stop > stops) {
    refuse_option("--stop", fmt::format("step {} has no such stop", options.step), std::to_string(*options.stop),
                  stops == 1 ? "1: this step has only its end" : fmt::format("1 to {}", stops));
  }
  return {end.step, static_cast<float>(*options.stop) / static_cast<float>(stops)};
}

FigureRequest request_of(const ExportOptions& options, const Document& document, const Runs& runs) {
  const Snapshot& snapshot = *runs.at(document.focused);
  FigureRequest request;
  request.kind = &options.kind();
  request.style = document.style;
  request.is_spreadsheet_safe = options.is_spreadsheet_safe;
  const FigureNeeds& needs = request.kind->needs;
  if (needs.has_head) {
    request.head = head_of(options, snapshot);
    check_head(snapshot, request.head, "--layer, --head");
    // A drawn map is part of the document: taking it out of the document takes it out of the figure.
    request.frames = frames_of(document.drawn_map, snapshot, request.head);
  }
  if (needs.has_stage) request.stage = options.stage;
  if (needs.has_links)
    request.links = options.links.request(snapshot, linked_heads(options, document, snapshot), options.marked_query, options.marked_key);
  if (needs.has_flow) request.flow = options.flow.request(document, snapshot);
  if (needs.has_step) {
    request.query = options.marked_query;
    request.chosen_key = options.marked_key;
    request.moment_inside = moment_of(options);
    request.most_keys = options.shown_keys;
  }
  if (needs.heads > 0) {
    request.heads = heads_to_compare(document, [&](int subject) { return SubjectRun{runs.at(subject), {}}; });
    for (const ComparedHead& head : std::span(request.heads).first(document.pins.size())) {
      check_head(run_of(head, snapshot), head.head, "--pin");
    }
    std::erase_if(request.heads, [&](const ComparedHead& head) { return !run_of(head, snapshot).contains(head.head); });  // of the baseline
    if (document.baseline) request.difference = pair_to_subtract(document, snapshot, request.heads);
  }
  return request;
}

/// Those that are pinned, and of a document with a baseline the same heads before.
std::size_t count_named_heads(const Document& document) {
  return heads_to_compare(document, [](int) { return SubjectRun(); }).size();
}

void check_named_heads(const FigureKind& kind, std::size_t named) {
  if (named >= kind.needs.named_heads) return;
  const std::size_t most = kind.needs.named_heads;
  std::string example;
  for (std::size_t head = 1; head <= most; ++head) example += fmt::format("{}--pin 0.{}", head == 1 ? "" : " ", head);
  const std::string wanted = most == 1 ? "one head" : most == 2 ? "two heads" : fmt::format("{} heads", most);
  refuse_option("--pin", fmt::format("{} needs {} or more", kind.noun, wanted), std::to_string(named), example);
}

/// Of the text in front, and of those that the figure's heads are of.
Runs run_subjects(const ExportOptions& options, const Document& document) {
  std::vector<int> subjects{document.focused};
  if (options.kind().needs.heads > 0) {
    for (const Pin& pin : document.pins) subjects.push_back(pin.subject);
    if (count_named_heads(document) > document.pins.size()) subjects.push_back(*document.baseline);
  }
  std::vector<Query> queries;
  for (const int subject : subjects) queries.push_back(*query_of(document, subject));
  Pipeline pipeline(options.query.threads());
  pipeline.keep(queries);
  ConsoleProgress progress;
  Runs runs;
  for (std::size_t place = 0; place < subjects.size(); ++place) {
    std::shared_ptr<const Snapshot>& run = runs[subjects[place]];
    if (!run) run = pipeline.run(queries[place], progress);
  }
  return runs;
}

void print_notes_of(const ExportOptions& options, const Document& document, const SubjectMasks& masks, const Runs& runs) {
  std::vector<std::string> notes;
  const auto add = [&](const std::vector<std::string>& more) { notes.insert(notes.end(), more.begin(), more.end()); };
  for (const auto& [subject, run] : runs) add(run->notices);
  for (const auto& [subject, given] : options.query.described(document)) {
    const auto run = runs.find(subject);
    if (run == runs.end()) continue;
    add(given->notes(*run->second));
    add(check_masks(masks.at(subject), *run->second));
  }
  if (options.kind().needs.heads == 0) add(notes_on_texts(document));
  print_notes(notes);
}

int run_export(const ExportOptions& options) {
  check_options(options);
  if (names_document(options.output)) {
    refuse_option("-o", "the figure would replace the document that has this name", printable(options.output, 400),
                  "a new name, or that of an older figure");
  }
  parse_layer(options.layer, "--layer");
  SubjectMasks masks;
  Document document = options.query.document(nullptr, &masks);
  options.style.apply(document);
  check_gamma(options, document.style);
  check_hide(options);
  check_named_heads(options.kind(), count_named_heads(document));
  const Runs runs = run_subjects(options, document);
  const Snapshot& snapshot = *runs.at(document.focused);
  if (!has_stage(snapshot, options.stage)) {
    refuse_option("--stage", "maps from a file have only weights", std::string(name_of(options.stage)), "weights");
  }
  print_notes_of(options, document, masks, runs);
  write_figure(snapshot, request_of(options, document, runs), options.output, options.pixels);
  return 0;
}

}  // namespace

void add_export(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  add_export_of(command, action, figure_kinds());
}

void add_export_of(CLI::App& command, Action& action, FigureKinds kinds) {
  keep_options<ExportOptions>(command, action, run_export, kinds);
}

}  // namespace headlight

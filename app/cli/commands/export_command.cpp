#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/head_names.h"
#include "app/cli/options/options.h"
#include "engine/figure/files/write_figure.h"
#include "engine/formats/file_kind.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

struct ExportOptions {
  explicit ExportOptions(CLI::App& app) : command(app), query(app), style(app) {
    command.add_option("-o,--output", output, "The file to write: .png .svg .pdf draw, .csv .npy .json hold the numbers")
        ->required()
        ->type_name("FILE");
    command.add_option("--figure", figure, "heatmap: one head; grid: every head; compare: the pinned heads and A - B")
        ->check(CLI::IsMember({"heatmap", "grid", "compare"}).description(""))
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--layer", layer, "Layer of the heatmap; in encoder-decoder models also encoder.N, decoder.N or cross.N")
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--head", head, "Head of the heatmap")->check(CLI::Range(0, 1'000'000).description(""))->type_name("N");
    const auto read_stage = [this](const std::string& name) {
      const auto* match = std::find_if(kStages.begin(), kStages.end(), [&](Stage each) { return name_of(each) == name; });
      if (match == kStages.end())
        refuse_option("--stage", "unknown name", "\"" + printable(name, 60) + "\"", "weights, scores, scaled, mask, masked");
      stage = *match;
    };
    command
        .add_option_function<std::string>("--stage", read_stage,
                                          "Step of the heatmap's head: weights, scores, scaled, mask, masked (what goes\ninto the softmax)")
        ->type_name("NAME");
    command.add_option("--pixels", pixels, "Pixels per point of a PNG")
        ->check(CLI::Range(0.5, 16.0).description(""))
        ->type_name("X")
        ->capture_default_str();
    command.add_flag("--spreadsheet-safe", is_spreadsheet_safe,
                     "In a CSV, an apostrophe before tokens that a spreadsheet would take for formulas (= + - @); the\n"
                     "header says so. Without it tokens are written as they are");
  }
  CLI::App& command;
  QueryOptions query;
  StyleOptions style;
  std::string output;
  std::string figure = "heatmap";
  std::string layer = "0";
  int head = 0;
  Stage stage = Stage::weights;
  float pixels = kDefaultPixelsPerPoint;
  bool is_spreadsheet_safe = false;
};

/// The figures, and the options that each of them uses beside those of the text, the model and the looks.
constexpr std::string_view kHeatmapOptions[] = {"--layer", "--head", "--stage"}, kCompareOptions[] = {"--pin"};
constexpr OptionUser kFigures[] = {{"heatmap", kHeatmapOptions}, {"grid", {}}, {"compare", kCompareOptions}};

/// The kinds of file, and the options that each of them uses: numbers have no looks.
constexpr std::string_view kDrawnOptions[] = {"--theme", "--colours", "--scale", "--gamma", "--range"};
constexpr std::string_view kPngOptions[] = {"--theme", "--colours", "--scale", "--gamma", "--range", "--pixels"};
constexpr std::string_view kCsvOptions[] = {"--spreadsheet-safe"};
constexpr OptionUser kEndings[] = {
    {".png", kPngOptions}, {".svg", kDrawnOptions}, {".pdf", kDrawnOptions}, {".csv", kCsvOptions}, {".npy", {}}, {".json", {}}};

/// Before anything is computed: the ending is one that write_figure knows, and every option is used.
void check_options(const ExportOptions& options) {
  const std::string ending = ending_of(options.output);
  if (std::none_of(std::begin(kEndings), std::end(kEndings), [&](const OptionUser& row) { return row.name == ending; })) {
    refuse_option("-o", "the ending says what to write", "\"" + printable(options.output, 120) + "\"",
                  ".png, .svg, .pdf, .csv, .npy or .json");
  }
  refuse_unused(options.command, "--figure ", options.figure, kFigures);
  refuse_unused(options.command, "-o FILE", ending, kEndings);
}

/// The exponent of one scale alone; which scale there is, a document may say.
void check_gamma(const ExportOptions& options, const Style& style) {
  if (options.command.get_option("--gamma")->count() == 0 || style.scale == ScaleKind::gamma) return;
  refuse_option("--gamma", fmt::format("--scale {} does not use this option", name_of(style.scale)), {}, {},
                "It is used by --scale gamma. Leave it out, or choose that");
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

FigureRequest request_of(const ExportOptions& options, const Document& document, const Snapshot& snapshot) {
  FigureRequest request;
  request.style = document.style;
  request.is_spreadsheet_safe = options.is_spreadsheet_safe;
  if (options.figure == "grid") {
    request.kind = FigureRequest::Kind::grid;
  } else if (options.figure == "heatmap") {
    request.kind = FigureRequest::Kind::heatmap;
    request.head = head_of(options, snapshot);
    request.stage = options.stage;
    check_head(snapshot, request.head, "--layer, --head");
  } else {
    request.kind = FigureRequest::Kind::compare;
    request.heads = document.pins;
    for (const HeadId head : document.pins) check_head(snapshot, head, "--pin");
  }
  return request;
}

int run_export(const ExportOptions& options) {
  check_options(options);
  if (names_document(options.output)) {
    refuse_option("-o", "there is a document of this name, which a figure would replace", printable(options.output, 400),
                  "a name that is free, or that of an older figure");
  }
  parse_layer(options.layer, "--layer");
  Document document = options.query.document();
  options.style.apply(document);
  check_gamma(options, document.style);
  if (options.figure == "compare" && document.pins.size() < 2) {
    refuse_option("--pin", "a comparison needs two heads or more", fmt::format("{}", document.pins.size()), "--pin 0.1 --pin 0.2");
  }
  Pipeline pipeline(options.query.threads());
  ConsoleProgress progress;
  const std::shared_ptr<const Snapshot> snapshot = pipeline.run(document.query, progress);
  if (!has_stage(*snapshot, options.stage)) {
    refuse_option("--stage", "maps from a file have weights alone", std::string(name_of(options.stage)), "weights");
  }
  print_notes(snapshot->notices);
  print_notes(options.query.notes(*snapshot));
  print_notes(options.query.check_mask_files(document.query, *snapshot));
  write_figure(*snapshot, request_of(options, document, *snapshot), options.output, options.pixels);
  return 0;
}

}  // namespace

void add_export(CLI::App& program, Action& action) {
  add_command<ExportOptions>(program, action, "export", "Write a figure, or its numbers, to a file",
                             R"(headlight export -m sandbox -t "The cat sat on the mat" --figure grid -o heads.png)", run_export);
}

}  // namespace headlight

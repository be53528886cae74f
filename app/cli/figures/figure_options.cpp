#include "app/cli/figures/figure_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "app/cli/options/head_list.h"
#include "app/document/labs/lab_names.h"
#include "app/recipe/recipe.h"
#include "engine/formats/json.h"

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

/// What says which figure is made, and of what: none of them is given where a figure's file is made again.
constexpr std::array kChoosing{"--figure",   "--layer",      "--head",    "--stage",     "--query",  "--key",        "--step",
                               "--stop",     "--shown-keys", "--pin",     "--reduce",    "--only",   "--and",        "--tokens",
                               "--queries",  "--keys",       "--frame",   "--relations", "--texts",  "--figures",    "--measures",
                               "--sort",     "--where",      "--across",  "--up",        "--size",   "--tint",       "--brush",
                               "--listed",   "--threshold",  "--top",     "--pairs",     "--arcs",   "--no-special", "--received",
                               "--identity", "--fuse-max",   "--through", "--draw",      "--target", "--method",     "--methods",
                               "--from",     "--part",       "--over",    "--lab",       "--study"};

}  // namespace

FigureOptions::FigureOptions(CLI::App& app, FigureKinds offered)
    : kinds(offered),
      command(app),
      query(app, QueryUse::compare),
      style(app),
      batch(app, query),
      links(app),
      flow(app),
      effects(app, query),
      page(app),
      part(app),
      measures(app) {
  command.add_option("-o,--output", output, files_help())->required()->type_name("FILE");
  add_figure();
  add_files();
}

void FigureOptions::add_files() {
  const auto read_sweep = [this](const std::string& text) { sweep = parse_sweep(text); };
  command
      .add_option_function<std::string>(
          "--sweep", read_sweep,
          "The figure once for each layer, head, token (query), temperature, or number of training steps towards the\n"
          "map of --draw: layer, head=0-3, token=2,5, temperature=0.5,1,2, training=0,1,5,20. Pictures are numbered\n"
          "(-o F.png writes F-0.png …); .html has a slider")
      ->type_name("NAME[=LIST]");
  command
      .add_option("--draw", draw,
                  "The map that a head of the sandbox should learn, for --sweep training: the head and the cells, query:key, that\n"
                  "should have all weight (0.1@5:2,6:0-1). A heatmap of that head frames them. Without it, what --document has drawn")
      ->type_name("L.H@Q:K,...");
  command
      .add_option(
          "--numbers", numbers_output,
          "Writes the numbers behind the figure, too, to a .csv, .tsv, .npy, .npz, .safetensors or .json: of a heatmap the map at\n"
          "its stage, of a grid all maps, of a comparison and of links those of their heads, of a look inside every step's,\n"
          "of a tinted text those of its words, of predictions their tokens' logits and probabilities, of an attribution every part")
      ->type_name("FILE");
  command
      .add_option("--pixels", pixels,
                  fmt::format("Pixels per point of a PNG; without it {}, or --dpi on a page of a stated size", kDefaultPixelsPerPoint))
      ->check(CLI::Range(0.5, 16.0).description(""))
      ->type_name("X");
  command.add_flag("--titles", has_titles, "In an SVG, the exact value of every cell as its title, for up to 20,000 cells");
  command.add_flag("--spreadsheet-safe", is_spreadsheet_safe,
                   "In a CSV, an apostrophe before tokens that a spreadsheet would take for formulas (= + - @); the\n"
                   "header says so. Without it tokens are written as they are");
}

void FigureOptions::add_figure() {
  std::vector<std::string> names;
  for (const FigureKind* each : kinds) names.emplace_back(each->name);
  const std::string one_head = figures_of_one_head(kinds);
  command.add_option("--figure", figure, figures_help(kinds))
      ->check(CLI::IsMember(names).description(""))
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option(
          "--layer", layer,
          fmt::format("Layer of the {}, the links or the tinted text; in encoder-decoder models also encoder.N, decoder.N or cross.N",
                      one_head))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option(
          "--head", head,
          fmt::format(
              "Head of the {}; of links and a tinted text: this one alone, not all of the layer; of an attribution the one that is\n"
              "split by source tokens, without it that of the largest part",
              one_head))
      ->check(CLI::Range(0, 1'000'000).description(""))
      ->type_name("N");
  command
      .add_option("--only,--of", only,
                  fmt::format("Heads of a grid, a comparison, links, a tinted text or a flow (usually all of the grid and the flow): {}",
                              kHeadListForms))
      ->type_name("LIST");
  const auto read_stage = [this](const std::string& name) {
    const auto* match = std::find_if(kStages.begin(), kStages.end(), [&](Stage each) { return name_of(each) == name; });
    if (match == kStages.end()) refuse_option("--stage", "unknown name", "\"" + printable(name, 60) + "\"", stage_names());
    stage = *match;
  };
  command
      .add_option_function<std::string>(
          "--stage", read_stage,
          fmt::format("Step of the {}'s head: weights, scores, scaled, mask, masked (what goes\ninto the "
                      "softmax), value-weights (weight times the length of v), value-share (as a share of the\nlongest v), "
                      "norm-weights (length of weight · v·W_O, which the key adds to the head's\noutput), z (what the values are mixed "
                      "to);\nof a grid weights, value-weights, value-share, norm-weights",
                      one_head))
      ->type_name("NAME");
  command
      .add_option(
          "--lab", lab,
          "Of a lab: which one and how it is set, NAME or NAME:SETTING=VALUE,... (dropout:p=0.2,sample=3):\n" + lab_names_with_settings())
      ->type_name("NAME");
  add_step();
}

void FigureOptions::add_step() {
  const auto position = CLI::Range(0, 1'000'000).description("");
  command
      .add_option("--query,--row", marked_query,
                  "Of a map: the query whose row is marked. Query of the look inside; without it, the last token's. Links: only this\n"
                  "query's lines in full, and the text tinted by its weights; of a tinted text likewise. Output: the position whose\n"
                  "likeliest tokens are listed. Attribution, lens: the position whose likeliest token is explained")
      ->check(position)
      ->type_name("N");
  command
      .add_option("--key", marked_key,
                  "Of a map: the key whose column is marked. Key whose row is marked in the look inside; without it, that of the largest "
                  "weight. Links: only the lines to this key in full. Tinted text: by the weights to this key")
      ->check(position)
      ->type_name("N");
  command
      .add_option("--step", step, "Step of the look inside: 1 query, 2 keys, 3 products, 4 scale, 5 mask, 6 softmax, 7 values,\n8 output")
      ->check(CLI::Range(1, kInsideSteps).description(""))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--shown-keys", shown_keys,
                  "Keys that have a row of their own in the look inside, those with the largest weights; the others are\nfolded with their "
                  "sums. Without it, as many as fit")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N");
  command.add_option("--listed", listed, fmt::format("Output: tokens that are listed for a position; without it {}", kListedPredictions))
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("K");
  command.add_option("--stop", stop, "Stop within that step (products has 2, softmax 4); without it, the step's end")
      ->check(CLI::Range(1, 16).description(""))
      ->type_name("N");
}

bool FigureOptions::is_again() const {
  const std::string document = query.document_path();
  return !document.empty() && names_figure(document) &&
         std::none_of(kChoosing.begin(), kChoosing.end(), [&](const char* option) { return is_given(option); });
}

const FigureFile& file_for(const FigureKind& kind, const std::string& option, const std::string& output) {
  const FigureFile* file = file_of_figure(kind, output);
  if (file == nullptr) refuse_option(option, "the ending says what to write", "\"" + printable(output, 120) + "\"", endings_text(kind));
  return *file;
}

std::string choice_text(const FigureOptions& options) {
  constexpr std::array kOther{"--output",  "--threads", "--texts",  "--column", "--texts-are-ids",
                              "--figures", "--figure",  "--format", "--fresh",  "--document"};
  Json given = Json::object();
  for (const CLI::Option* option : options.command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && std::find(kOther.begin(), kOther.end(), name) == kOther.end()) given[name] = option->results();
  }
  return json_text(given);
}

void check_gamma(const FigureOptions& options, const Style& style) {
  if (!options.is_given("--gamma") || style.scale == ScaleKind::gamma) return;
  refuse_option("--gamma", fmt::format("--scale {} does not use this option", name_of(style.scale)), {}, {},
                "It is used by --scale gamma. Leave it out, or choose that scale");
}

void check_scale(const FigureOptions& options, const FigureKind& kind, const Style& style) {
  if (!kind.needs.has_lab || !options.is_given("--scale") || !ranks_cells(style) || serves_another(options, kind, "--scale")) return;
  refuse_option("--scale", "the maps of a lab share a scale of their own", std::string(name_of(style.scale)), "linear, log or gamma");
}

}  // namespace headlight

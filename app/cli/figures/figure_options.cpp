#include "app/cli/figures/figure_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "app/cli/options/head_list.h"
#include "app/document/fields/style_fields.h"
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

/// The options that a figure uses besides those of the text, the model and the style.
std::vector<std::string_view> options_of(const FigureKind& kind) {
  std::vector<std::string_view> options;
  if (kind.needs.has_head) options.insert(options.end(), {"--layer", "--head"});
  if (kind.needs.has_stage) options.emplace_back("--stage");
  if (kind.needs.has_step) options.insert(options.end(), {"--query", "--key", "--step", "--stop", "--shown-keys"});
  const auto add = [&](const auto& names) { options.insert(options.end(), names.begin(), names.end()); };
  if (kind.needs.shows_part) add(PartOptions::names());
  if (kind.needs.has_stage && kind.needs.has_head) add(PartOptions::frame_names());
  add(MeasureOptions::names(kind.needs));
  if (kind.needs.marks_tokens) options.insert(options.end(), {"--query", "--key"});
  if (kind.needs.lists_heads || kind.needs.heads > 0 || kind.needs.has_links || kind.needs.has_flow) options.emplace_back("--only");
  if (kind.needs.heads > 0) options.insert(options.end(), {"--pin", "--and"});
  if ((kind.numbers.heads && !kind.needs.has_links) || kind.needs.has_flow) options.emplace_back("--titles");  // figures of maps
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
    options.insert(options.end(), {"--brush", "--tint"});
    for (const auto& names : {PartOptions::names(), PartOptions::frame_names()}) options.insert(options.end(), names.begin(), names.end());
  }
  if (file.is_drawn) options.insert(options.end(), PageOptions::names().begin(), PageOptions::names().end());
  if (file.has_pixels) options.insert(options.end(), {"--pixels", "--dpi"});
  if (file.has_titles) options.emplace_back("--titles");
  if (file.has_text_cells) options.emplace_back("--spreadsheet-safe");
  return options;
}

/// ".csv, .npz": those of a figure that hold numbers.
std::string endings_of_numbers(const FigureKind& kind) {
  return said_of(
      figure_files(), ", ", [](const FigureFile& file) { return std::string(file.ending); },
      [&](const FigureFile& file) {
        return !file.is_drawn && std::find(kind.endings.begin(), kind.endings.end(), file.ending) != kind.endings.end();
      });
}

/// "layer, head, temperature": the sweeps in which a figure changes.
std::string sweeps_of(const FigureKind& kind) {
  std::string text;
  for (const SweepOf each : kEveryValue<SweepOf>) {
    if (can_sweep(kind, each)) text.append(text.empty() ? "" : ", ").append(kSweeps[each]);
  }
  return text;
}

/// What says which figure is made, and of what: none of them is given where a figure's file is made again.
constexpr std::array kChoosing{"--figure",  "--layer",      "--head",   "--stage",     "--query", "--key",     "--step",
                               "--stop",    "--shown-keys", "--pin",    "--reduce",    "--only",  "--and",     "--tokens",
                               "--queries", "--keys",       "--frame",  "--relations", "--texts", "--figures", "--measures",
                               "--sort",    "--where",      "--across", "--up",        "--size",  "--tint",    "--brush"};

/// The rows of several names as one: "grid,compare", which uses what one of them does.
struct Chosen {
  std::string name;
  std::vector<std::string_view> options;
};

/// Refuses what the first would ignore, and another of them uses.
void check_used(const CLI::App& command, std::string_view what, const std::vector<Chosen>& all) {
  std::vector<OptionUser> users;
  for (const Chosen& each : all) users.push_back({each.name, each.options});
  refuse_unused(command, what, all.front().name, users);
}

template <typename Row, typename Name>
Chosen chosen_of(const std::vector<const Row*>& rows, Name name) {
  Chosen chosen;
  for (const Row* row : rows) {
    chosen.name.append(chosen.name.empty() ? "" : ",").append(name(*row));
    const std::vector<std::string_view> options = options_of(*row);
    chosen.options.insert(chosen.options.end(), options.begin(), options.end());
  }
  return chosen;
}

/// Numbers beside the figure: what they are of, and which of their files there are.
void check_numbers(const FigureOptions& options, const FigureKind& kind) {
  if (options.numbers_output.empty()) return;
  if (options.sweep) refuse_option("--numbers", "the numbers of one figure at a time", {}, {}, "Leave out --sweep");
  if (!file_for(kind, "--numbers", options.numbers_output).is_drawn) return;
  refuse_option("--numbers", "this ending holds a picture", "\"" + printable(options.numbers_output, 120) + "\"", endings_of_numbers(kind));
}

void check_sweep(const FigureOptions& options, const FigureKind& kind, const FigureFile& file) {
  if (!options.sweep) return;
  if (options.batch.is_given() && file.ending != ".html")
    refuse_option("--sweep", "of every text, a sweep is one page with a slider", std::string(file.ending), "--format html");
  if (!can_sweep(kind, options.sweep->of))
    refuse_option("--sweep", fmt::format("--figure {} does not change with it", kind.name), std::string(kSweeps[options.sweep->of]),
                  sweeps_of(kind));
  if (!file.is_drawn) refuse_option("--sweep", "a sweep is drawn", std::string(file.ending), "a picture, or .html for a slider");
}

/// Keys are left out of weights alone.
void check_hide(const FigureOptions& options, const std::vector<const FigureKind*>& kinds) {
  if (!options.is_given("--hide")) return;
  const auto hides = [&](const FigureKind* kind) {
    const bool has_other_stage = kind->needs.has_stage && options.stage != Stage::weights;
    return !kind->needs.has_step && !has_other_stage;
  };
  if (std::any_of(kinds.begin(), kinds.end(), hides)) return;
  const FigureKind& kind = *kinds.front();
  refuse_option("--hide",
                fmt::format("{} does not use this option",
                            kind.needs.has_step ? std::string(kind.noun) : fmt::format("--stage {}", name_of(options.stage))),
                {}, {}, "Keys are left out of weights. Leave it out, or choose those");
}

/// Parts that none of the figures has anyway.
void check_parts(const FigureOptions& options, const std::vector<const FigureKind*>& kinds) {
  const auto check = [&](PagePart part, bool FigureNeeds::*has_part) {
    const bool is_there = std::any_of(kinds.begin(), kinds.end(), [&](const FigureKind* kind) { return kind->needs.*has_part; });
    if (!options.page.leaves_out(part) || is_there) return;
    refuse_option("--without", fmt::format("{} has no such part", kinds.front()->noun), std::string(kPageParts[part]));
  };
  check(PagePart::bar, &FigureNeeds::has_bar);
  check(PagePart::legend, &FigureNeeds::has_legend);
}

/// Marks are drawn.
void check_marks(const FigureOptions& options, const FigureKind& kind, const FigureFile& file) {
  if (!kind.needs.marks_tokens || file.is_drawn || !options.is_given("--query")) return;
  refuse_option("--row", fmt::format("-o FILE{} does not use this option", file.ending), {}, {},
                "It marks a row of a picture. Leave it out");
}

}  // namespace

FigureOptions::FigureOptions(CLI::App& app, FigureKinds offered)
    : kinds(offered),
      command(app),
      query(app, QueryUse::compare),
      style(app),
      batch(app, query),
      links(app),
      flow(app),
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
      .add_option_function<std::string>("--sweep", read_sweep,
                                        "The figure once for each layer, head, token (query) or temperature: layer, head=0-3, token=2,5,\n"
                                        "temperature=0.5,1,2. Pictures are numbered (-o F.png writes F-0.png …); .html has a slider")
      ->type_name("NAME[=LIST]");
  command
      .add_option("--numbers", numbers_output,
                  "Writes the numbers behind the figure, too, to a .csv, .tsv, .npy, .npz, .safetensors or .json: of a heatmap the map at\n"
                  "its stage, of a grid all maps, of a comparison and of links those of their heads, of a look inside every step's")
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
      .add_option("--layer", layer,
                  fmt::format("Layer of the {} or the links; in encoder-decoder models also encoder.N, decoder.N or cross.N", one_head))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--head", head, fmt::format("Head of the {}; of links: this one alone, not all of the layer", one_head))
      ->check(CLI::Range(0, 1'000'000).description(""))
      ->type_name("N");
  command
      .add_option("--only,--of", only,
                  fmt::format("Heads of a grid, a comparison, links or a flow (usually all of the grid and the flow): {}", kHeadListForms))
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
                      "softmax), value-weights (weight times the length of v), z (what the values are mixed to)",
                      one_head))
      ->type_name("NAME");
  add_step();
}

void FigureOptions::add_step() {
  const auto position = CLI::Range(0, 1'000'000).description("");
  command
      .add_option("--query,--row", marked_query,
                  "Of a map: the query whose row is marked. Query of the look inside; without it, the last token's. Links: only this\n"
                  "query's lines in full, and the text tinted by its weights")
      ->check(position)
      ->type_name("N");
  command
      .add_option("--key", marked_key,
                  "Of a map: the key whose column is marked. Key whose row is marked in the look inside; without it, that of the largest "
                  "weight. Links: only the lines to this key in full")
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

void check_options(const FigureOptions& options, const std::vector<const FigureKind*>& kinds, const std::vector<const FigureFile*>& files) {
  const Chosen figure = chosen_of(kinds, [](const FigureKind& kind) { return kind.name; });
  const Chosen file = chosen_of(files, [](const FigureFile& each) { return each.ending; });
  std::vector<Chosen> figures{figure}, endings{file};
  for (const FigureKind* each : options.kinds) figures.push_back({std::string(each->name), options_of(*each)});
  for (const FigureFile& each : figure_files()) endings.push_back({std::string(each.ending), options_of(each)});
  check_used(options.command, "--figure ", figures);
  const bool has_safe_numbers =
      !options.numbers_output.empty() && file_for(*kinds.front(), "--numbers", options.numbers_output).has_text_cells;
  if (!(has_safe_numbers && options.is_spreadsheet_safe)) check_used(options.command, "-o FILE", endings);
  for (const FigureKind* kind : kinds) {
    check_numbers(options, *kind);
    for (const FigureFile* each : files) {
      check_sweep(options, *kind, *each);
      check_marks(options, *kind, *each);
    }
  }
  check_hide(options, kinds);
  check_parts(options, kinds);
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

}  // namespace headlight

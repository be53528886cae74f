// Which options a figure and a kind of file use, and what is refused before anything is computed.
#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "app/cli/figures/figure_options.h"
#include "app/document/fields/style_fields.h"
#include "app/document/labs/lab_names.h"
#include "app/recipe/recipe.h"

namespace headlight {
namespace {

/// Whether a figure has what fields of this scope decide; every one uses the theme, which is not listed.
bool uses(const FigureNeeds& needs, FieldScope scope) {
  switch (scope) {
    case FieldScope::all:
      return false;
    case FieldScope::coloured:
      return uses_colours(needs);
    case FieldScope::scaled:
      return follows_scale(needs);
    case FieldScope::weights:
      return hides_keys(needs);
  }
  return false;
}

/// The options that a figure uses besides those of the text and the model; every one uses the theme.
std::vector<std::string_view> options_of(const FigureKind& kind) {
  std::vector<std::string_view> options;
  if (kind.needs.has_head) options.insert(options.end(), {"--layer", "--head"});
  if (kind.needs.has_stage) options.emplace_back("--stage");
  if (kind.needs.has_step) options.insert(options.end(), {"--query", "--key", "--step", "--stop", "--shown-keys"});
  const auto add = [&](const auto& names) { options.insert(options.end(), names.begin(), names.end()); };
  for (const Field<Style>& field : style_fields()) {
    if (uses(kind.needs, field.scope)) add(option_names(std::span(&field, 1)));
  }
  if (kind.needs.shows_part) add(PartOptions::names());
  if (kind.needs.has_stage && kind.needs.has_head) add(PartOptions::frame_names());
  add(MeasureOptions::names(kind.needs));
  if (kind.needs.marks_tokens) options.insert(options.end(), {"--query", "--key"});
  if (kind.needs.lists_heads || kind.needs.heads > 0 || kind.needs.has_links || kind.needs.has_flow) options.emplace_back("--only");
  if (kind.needs.heads > 0) options.insert(options.end(), {"--pin", "--and"});
  if ((kind.numbers.heads && !kind.needs.has_links) || kind.needs.has_flow) options.emplace_back("--titles");  // figures of maps
  if (kind.needs.has_tint) options.insert(options.end(), {"--only", "--layer", "--head", "--pin", "--query", "--key", "--received"});
  if (kind.needs.has_output) options.insert(options.end(), {"--query", "--tokens", "--listed"});
  if (kind.needs.has_logit()) options.emplace_back("--query");
  if (kind.needs.has_parts) options.insert(options.end(), {"--layer", "--head"});
  add(EffectOptions::names(kind.needs));
  if (kind.needs.has_lab) options.insert(options.end(), {"--lab", "--layer", "--head", "--query"});
  if (kind.needs.has_cells) options.emplace_back("--cell-numbers");
  if (kind.needs.has_flow) {
    options.emplace_back("--pin");
    options.insert(options.end(), FlowOptions::names().begin(), FlowOptions::names().end());
  }
  if (!kind.needs.has_links) return options;
  options.insert(options.end(), {"--layer", "--head", "--pin"});
  options.insert(options.end(), LinksOptions::names().begin(), LinksOptions::names().end());
  return options;
}

bool uses_list(const FigureKind& kind) {
  const std::vector<std::string_view> options = options_of(kind);
  return std::find(options.begin(), options.end(), "--only") != options.end();
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
  if (file.is_drawn) options.emplace_back("--cell-numbers");
  if (file.has_pixels) options.insert(options.end(), {"--pixels", "--dpi"});
  if (file.has_titles) options.emplace_back("--titles");
  if (file.has_text_cells) options.emplace_back("--spreadsheet-safe");
  return options;
}

/// Those that decide which numbers a figure has, though of other figures they are about the drawing.
std::vector<std::string_view> options_of_numbers(const FigureKind& kind) {
  if (kind.needs.has_output) return {"--tokens"};
  return kind.needs.has_tint ? std::vector<std::string_view>{"--key"} : std::vector<std::string_view>{};
}

/// ".csv, .npz": those of a figure that hold numbers.
std::string endings_of_numbers(const FigureKind& kind) {
  std::string text;
  for (const FigureFile& file : figure_files()) {
    const bool has_file = std::find(kind.endings.begin(), kind.endings.end(), file.ending) != kind.endings.end();
    if (has_file && !file.is_drawn) text.append(text.empty() ? "" : ", ").append(file.ending);
  }
  return text;
}

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
  const FigureFile* const file = file_of_figure(kind, options.numbers_output);
  if (file != nullptr && !file->is_drawn) return;
  if (file == nullptr)
    refuse_option("--numbers", "the ending says what to write", "\"" + printable(options.numbers_output, 120) + "\"",
                  endings_of_numbers(kind));
  refuse_option("--numbers", "this ending holds a picture", "\"" + printable(options.numbers_output, 120) + "\"", endings_of_numbers(kind));
}

void check_sweep(const FigureOptions& options, const FigureKind& kind, const FigureFile& file, const std::string& lab) {
  if (!options.sweep) return;
  if (options.batch.is_given() && file.ending != ".html")
    refuse_option("--sweep", "of every text, a sweep is one page with a slider", std::string(file.ending), "--format html");
  if (!can_sweep(kind, options.sweep->of, lab)) {
    const std::string sweeps = sweeps_of(kind, lab), name = kind.needs.has_lab ? "--lab " + lab : fmt::format("--figure {}", kind.name);
    refuse_option("--sweep", name + " does not change with it", std::string(kSweeps[options.sweep->of]), sweeps,
                  sweeps.empty() ? "Leave it out" : "");
  }
  if (!file.is_drawn) refuse_option("--sweep", "a sweep is drawn", std::string(file.ending), "a picture, or .html for a slider");
}

/// Keys are left out of weights alone.
void check_hide(const FigureOptions& options, const std::vector<const FigureKind*>& kinds) {
  if (!options.is_given("--hide")) return;
  const auto hides = [&](const FigureKind* kind) {
    return hides_keys(kind->needs) && !(takes_stage(*kind, options.stage) && options.stage != Stage::weights);
  };
  if (std::any_of(kinds.begin(), kinds.end(), hides)) return;
  const FigureKind& kind = *kinds.front();
  const std::string what = hides_keys(kind.needs) ? fmt::format("--stage {}", name_of(options.stage)) : std::string(kind.noun);
  refuse_option("--hide", fmt::format("{} does not use this option", what), {}, {},
                "Keys are left out of weights. Leave it out, or choose those");
}

/// Parts that none of the figures has anyway.
void check_parts(const FigureOptions& options, const std::vector<const FigureKind*>& kinds) {
  const auto check = [&](PagePart part, bool FigureNeeds::*has_part) {
    const bool is_there = std::any_of(kinds.begin(), kinds.end(), [&](const FigureKind* kind) { return kind->needs.*has_part; });
    if ((!options.page.leaves_out(part) && !options.page.keeps(part)) || is_there) return;
    refuse_option(options.page.keeps(part) ? "--with" : "--without", fmt::format("{} has no such part", kinds.front()->noun),
                  std::string(kPageParts[part]));
  };
  const bool is_text = std::all_of(kinds.begin(), kinds.end(), [](const FigureKind* kind) { return kind->needs.has_tint; });
  for (const char* option : {"--without", "--with"}) {
    const bool names_text =
        std::string_view(option) == "--with" ? options.page.keeps(PagePart::caption) : options.page.leaves_out(PagePart::caption);
    if (is_text && names_text)
      refuse_option(option, fmt::format("{} is the text, and has none above it", kinds.front()->noun),
                    std::string(kPageParts[PagePart::caption]));
  }
  check(PagePart::bar, &FigureNeeds::has_bar);
  check(PagePart::legend, &FigureNeeds::has_legend);
  check(PagePart::row, &FigureNeeds::has_row);
}

/// Whose heads they are: a list says it alone, and links are of pins or of a layer. An option that another figure of a batch uses is for that.
void check_heads(const FigureOptions& options, const FigureKind& kind) {
  const auto is_in_question = [&](const char* option) { return options.is_given(option) && !serves_another(options, kind, option); };
  if (!options.only.empty()) {
    for (const char* other : {"--layer", "--head"}) {
      if (is_in_question(other)) refuse_option(other, "--only lists the heads", {}, {}, "Leave out one of the two");
    }
    if (is_in_question("--pin") && options.only.find("pinned") == std::string::npos)
      refuse_option("--pin", "--only lists the heads", {}, {}, "Leave out one of the two, or list pinned among the heads");
    return;
  }
  const bool names_one = is_in_question("--layer") || is_in_question("--head");
  if ((kind.needs.has_links || kind.needs.has_tint) && names_one && is_in_question("--pin"))
    refuse_option("--pin", fmt::format("{} is of the pinned heads or of a layer", kind.noun), {}, {},
                  "Leave out --pin, or --layer and --head");
}

/// What a head should learn: framed in its map, and what a sweep over training needs.
void check_draw(const FigureOptions& options, const FigureKind& kind, const FigureFile& file) {
  if (options.draw.empty() || (options.sweep && options.sweep->of == SweepOf::training)) return;
  if (kind.needs.has_head && kind.needs.has_stage && file.is_drawn) return;
  refuse_option("--draw", fmt::format("--figure {} as {} does not use this option", kind.name, file.ending), {}, {},
                "It is used by --sweep training and by pictures of a heatmap. Leave it out, or choose those");
}

/// A lab is named, and uses what decides what it shows.
void check_lab(const FigureOptions& options, const FigureKind& kind, const std::string& lab) {
  if (!kind.needs.has_lab) return;
  if (lab.empty()) refuse_option("--lab", "a lab figure needs the name of a lab", {}, lab_names(), "--lab dropout");
  const LabSettings settings = parse_lab(lab, "--lab");
  const auto check = [&](const char* option, LabUse least) {
    if (use_of(settings) >= least || !options.is_given(option) || serves_another(options, kind, option)) return;
    refuse_option(option, fmt::format("--lab {} does not use this option", lab), {}, {}, "Leave it out");
  };
  check("--layer", LabUse::layer);
  check("--head", LabUse::head);
  check("--query", LabUse::query);
}

/// A study has its own texts, and its numbers stay as they are.
void check_study(const FigureOptions& options) {
  if (options.effects.study() == nullptr) return;
  for (const char* option : {"--texts", "-t", "--text-file", "--ids", "--text-pair", "--decoder-text", "--sweep", "--edit", "--off"}) {
    if (options.is_given(option)) refuse_option(option, "cannot be combined with --study", {}, {}, "The study has its own texts and edits");
  }
}

/// Marks are drawn.
void check_marks(const FigureOptions& options, const FigureKind& kind, const FigureFile& file) {
  if (!kind.needs.marks_tokens || file.is_drawn || !options.is_given("--query")) return;
  refuse_option("--row", fmt::format("-o FILE{} does not use this option", file.ending), {}, {},
                "It marks a row of a picture. Leave it out");
}

}  // namespace

void check_drawn_map(const FigureOptions& options, const FigureKind& kind, const DrawnMap& drawn, HeadId head) {
  if (options.draw.empty() || options.sweep || !kind.needs.has_stage || drawn.head == head) return;
  refuse_option("--draw", "the heatmap is of another head", fmt::format("{}.{}", drawn.head.layer, drawn.head.head),
                fmt::format("{}.{}", head.layer, head.head), "Choose the head with --layer and --head, or leave --draw out");
}

bool serves_another(const FigureOptions& options, const FigureKind& kind, std::string_view option) {
  if (!options.batch.is_given()) return false;
  const std::vector<const FigureKind*> kinds = options.batch.figures(options.kinds, options.kind());
  return std::any_of(kinds.begin(), kinds.end(), [&](const FigureKind* other) {
    const std::vector<std::string_view> used = options_of(*other);
    return other != &kind && std::find(used.begin(), used.end(), option) != used.end();
  });
}

void check_options(const FigureOptions& options, const std::vector<const FigureKind*>& kinds, const std::vector<const FigureFile*>& files,
                   const std::string& lab) {
  Chosen figure = chosen_of(kinds, [](const FigureKind& kind) { return kind.name; });
  const auto takes = [&](const FigureKind* kind) { return is_of_lengths(options.stage) && takes_stage(*kind, options.stage); };
  if (std::any_of(kinds.begin(), kinds.end(), takes)) figure.options.emplace_back("--stage");
  Chosen file = chosen_of(files, [](const FigureFile& each) { return each.ending; });
  for (const FigureKind* kind : kinds) {
    const std::vector<std::string_view> more = options_of_numbers(*kind);
    file.options.insert(file.options.end(), more.begin(), more.end());
  }
  std::vector<Chosen> figures{figure}, endings{file};
  for (const FigureKind* each : options.kinds) figures.push_back({std::string(each->name), options_of(*each)});
  for (const FigureFile& each : figure_files()) endings.push_back({std::string(each.ending), options_of(each)});
  check_used(options.command, "--figure ", figures);
  const FigureFile* const numbers = file_of_figure(*kinds.front(), options.numbers_output);
  const bool has_safe_numbers = numbers != nullptr && numbers->has_text_cells;
  if (!(has_safe_numbers && options.is_spreadsheet_safe)) check_used(options.command, "-o FILE", endings);
  for (const FigureKind* kind : kinds) {
    check_numbers(options, *kind);
    if (uses_list(*kind)) check_heads(options, *kind);
    check_lab(options, *kind, lab);
    for (const FigureFile* each : files) {
      check_sweep(options, *kind, *each, lab);
      check_marks(options, *kind, *each);
      check_draw(options, *kind, *each);
    }
  }
  check_study(options);
  check_hide(options, kinds);
  options.page.check();
  check_parts(options, kinds);
}

}  // namespace headlight

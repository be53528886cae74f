#include "app/cli/commands/export_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/figures/figure_options.h"
#include "app/cli/figures/figure_runs.h"
#include "app/cli/options/options.h"
#include "app/recipe/recipe.h"
#include "app/session/state.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// Everything that one call of the command exports from.
struct Export {
  explicit Export(const FigureOptions& given)
      : options(given),
        again(given.is_again() ? std::optional(read_recorded_figure(given.query.document_path())) : std::nullopt),
        kind(again ? *again->choice.request.kind : given.kind()),
        pipeline(given.query.threads()) {}

  FigureOutput output(const FigureRequest& request) const {
    return {.pixels_per_point = options.page.pixels_per_point(request.page, options.pixels), .has_titles = options.has_titles};
  }
  void write(const Snapshot& snapshot, const FigureRequest& request, const fs::path& path) {
    const PageFit fit = write_recorded_figure(snapshot, request, path, output(request), digests, progress);
    if (!fit.keeps_type()) print_notes({text_of(fit)});
  }

  const FigureOptions& options;
  const std::optional<RecordedFigure> again;
  const FigureKind& kind;
  Pipeline pipeline;
  Document document;
  SubjectMasks masks;
  const fs::path digests = cache_folder().empty() ? fs::path() : cache_folder() / "weights.json";
  ConsoleProgress progress;
};

void print_notes_of(const Export& job, const Runs& runs) {
  std::vector<std::string> notes;
  const auto add = [&](const std::vector<std::string>& more) { notes.insert(notes.end(), more.begin(), more.end()); };
  for (const auto& [subject, run] : runs) add(run->notices);
  for (const auto& [subject, given] : job.options.query.described(job.document)) {
    const auto run = runs.find(subject);
    if (run == runs.end()) continue;
    add(given->notes(*run->second));
    add(check_masks(job.masks.at(subject), *run->second));
  }
  if (job.kind.needs.heads == 0 && !job.again) add(notes_on_texts(job.document));
  print_notes(notes);
}

void check_written(const std::string& option, const std::string& path) {
  if (path.empty() || !names_document(path)) return;
  refuse_option(option, "the figure would replace the document that has this name", printable(path, 400),
                "a new name, or that of an older figure");
}

/// "heads-03.png" of "heads.png", as long as the longest of them.
fs::path numbered(const fs::path& path, double value, double largest) {
  const std::size_t width = fmt::format("{:.0f}", largest).size();
  std::string number = fmt::format("{}", value);
  const std::size_t whole = std::min(number.find('.'), number.size());
  if (whole < width) number.insert(0, width - whole, '0');
  return path.parent_path() / (path.stem().string() + "-" + number + path.extension().string());
}

/// The figure once for each value: as pictures that are numbered, or as one page with a slider.
void write_sweep(Export& job, const Snapshot& snapshot, const FigureRequest& first, const Sweep& sweep) {
  const std::vector<double> values = values_of_sweep(sweep, snapshot, first);
  const double largest = *std::max_element(values.begin(), values.end());
  const bool is_page = fs::path(job.options.output).extension() == ".html";
  std::vector<FigureStill> stills;
  for (const double value : values) {
    Document document = job.document;
    set_in_query(sweep.of, value, document.query);
    const Runs runs = run_subjects(job.pipeline, job.kind, document, job.again);
    const std::shared_ptr<const Snapshot>& run = runs.at(document.focused);
    FigureRequest request = request_of(job.options, job.kind, document, runs, job.again);
    set_in_figure(sweep.of, value, *run, request);
    if (is_page) {
      stills.push_back({name_of_still(sweep.of, value, *run, request), run, request});
    } else {
      job.write(*run, request, numbered(job.options.output, value, largest));
    }
  }
  if (is_page) write_recorded_sweep(stills, {sweep.of, values}, job.options.output, job.digests, job.progress);
}

int run_export(const FigureOptions& options) {
  Export job(options);
  check_options(options, job.kind);
  check_written("-o", options.output);
  check_written("--numbers", options.numbers_output);
  parse_layer(options.layer, "--layer");
  job.document = options.query.document(nullptr, &job.masks);
  options.style.apply(job.document);
  check_gamma(options, job.document.style);
  if (!job.again) check_named_heads(job.kind, job.document);
  const Runs runs = run_subjects(job.pipeline, job.kind, job.document, job.again);
  const Snapshot& snapshot = *runs.at(job.document.focused);
  if (!has_stage(snapshot, options.stage))
    refuse_option("--stage", "maps from a file have only weights", std::string(name_of(options.stage)), "weights");
  print_notes_of(job, runs);
  const FigureRequest request = request_of(options, job.kind, job.document, runs, job.again);
  const std::optional<Sweep> sweep = options.sweep ? options.sweep : job.again ? job.again->choice.sweep : std::nullopt;
  if (sweep) {
    write_sweep(job, snapshot, request, *sweep);
  } else {
    job.write(snapshot, request, options.output);
  }
  if (!options.numbers_output.empty()) job.write(snapshot, request, options.numbers_output);
  return 0;
}

}  // namespace

void add_export(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  add_export_of(command, action, figure_kinds());
}

void add_export_of(CLI::App& command, Action& action, FigureKinds kinds) {
  keep_options<FigureOptions>(command, action, run_export, kinds);
}

}  // namespace headlight

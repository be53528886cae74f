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
#include "app/cli/studies/stop_signals.h"
#include "app/recipe/any_text.h"
#include "app/recipe/recipe.h"
#include "app/recipe/swept_queries.h"
#include "app/session/state.h"
#include "app/work/batch/batch.h"
#include "app/work/batch/index_page.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/dumps/attention_dump.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// Everything that one call of the command exports from.
struct Export {
  explicit Export(const FigureOptions& given)
      : options(given),
        again(given.is_again() ? std::optional(read_recorded_figure(given.query.document_path())) : std::nullopt),
        pipeline(given.query.threads()) {
    announce_cost(pipeline);
  }

  FigureOutput output(const FigureRequest& request) const {
    return {.pixels_per_point = options.page.pixels_per_point(request.page, options.pixels), .has_titles = options.has_titles};
  }
  std::optional<Sweep> sweep() const {
    if (!options.sweep) return again ? again->choice.sweep : std::nullopt;
    Sweep given = *options.sweep;
    if (given.of == SweepOf::training) given.drawn_map = {document.drawn_map.head, document.drawn_map.strokes, 0};
    return given;
  }

  const FigureOptions& options;
  const std::optional<RecordedFigure> again;
  Pipeline pipeline;
  Document document;
  SubjectMasks masks;
  const fs::path digests = cache_folder().empty() ? fs::path() : cache_folder() / "weights.json";
};

/// One figure of a document: the file that is written.
struct Item {
  const FigureKind& kind;
  const Document& document;
  fs::path file;
  Progress& progress;
};

std::vector<std::string> notes_of(const Export& job, const Item& item, const Runs& runs) {
  std::vector<std::string> notes;
  const auto add = [&](const std::vector<std::string>& more) { notes.insert(notes.end(), more.begin(), more.end()); };
  for (const auto& [subject, run] : runs) add(run->notices);
  for (const auto& [subject, given] : job.options.query.described(item.document)) {
    const auto run = runs.find(subject);
    if (run == runs.end()) continue;
    add(given->notes(*run->second));
    add(check_masks(job.masks.at(subject), *run->second));
  }
  if (item.kind.needs.heads == 0 && !job.again) add(notes_on_texts(item.document));
  return notes;
}

void check_written(const std::string& option, const std::string& path) {
  if (path.empty() || !names_document(path)) return;
  refuse_option(option, "the figure would replace the document that has this name", printable(path, 400),
                "a new name, or that of an older figure");
}

/// Adds to `notes` where letters cannot keep their size, and tokens their labels.
void write_one(const Export& job, const Snapshot& snapshot, const FigureRequest& request, const fs::path& file, Progress& progress,
               std::vector<std::string>& notes) {
  const PageFit fit = write_recorded_figure(snapshot, request, file, job.output(request), job.digests, progress);
  if (std::string text = text_of(fit); !text.empty()) notes.push_back(std::move(text));
}

/// The figure once for each value: as pictures that are numbered, or as one page with a slider.
void write_sweep(Export& job, const Item& item, const Snapshot& snapshot, const FigureRequest& first, const Sweep& sweep,
                 std::vector<std::string>& notes) {
  const Sweep whole{sweep.of, values_of_sweep(sweep, snapshot, first), sweep.drawn_map};
  const double largest = *std::max_element(whole.values.begin(), whole.values.end());
  const bool is_page = item.file.extension() == ".html";
  const std::vector<Query> queries = queries_of_sweep(whole, item.document.query, job.pipeline, item.progress);
  std::vector<FigureStill> stills;
  for (std::size_t place = 0; place < queries.size(); ++place) {
    const double value = whole.values[place];
    Document document = item.document;
    document.query = queries[place];
    const Runs runs = run_subjects(job.pipeline, item.kind, document, job.again, {}, item.progress);
    const std::shared_ptr<const Snapshot>& run = runs.at(document.focused);
    FigureRequest request = request_of(job.options, item.kind, document, runs, job.again);
    request.baseline = first.baseline;
    set_in_figure(sweep.of, value, *run, request);
    find_effects(*run, request, job.pipeline.pool(), item.progress);
    if (is_page) {
      stills.push_back({name_of_still(sweep.of, value, *run, request), run, request});
    } else {
      write_one(job, *run, request, file_of_still(item.file, value, largest), item.progress, notes);
    }
  }
  if (is_page) write_recorded_sweep(snapshot, stills, whole, item.file, job.digests, item.progress);
}

/// Returns notes of what the options did.
std::vector<std::string> write_item(Export& job, const Item& item) {
  const bool is_single = !job.again && !job.sweep();
  const Runs runs = run_subjects(job.pipeline, item.kind, item.document, job.again,
                                 is_single ? layer_alone(job.options, item.kind) : std::nullopt, item.progress);
  if (!has_stage(*runs.at(item.document.focused), job.options.stage))
    refuse_option("--stage", "maps from a file have only weights", std::string(name_of(job.options.stage)), "weights");
  std::vector<std::string> notes = notes_of(job, item, runs);
  FigureRequest request = request_of(job.options, item.kind, item.document, runs, job.again);
  const std::shared_ptr<const Snapshot> run = run_of_figure(runs.at(item.document.focused), request);
  const Snapshot& snapshot = *run;
  if (const std::optional<Sweep> sweep = job.sweep()) {
    write_sweep(job, item, snapshot, request, *sweep, notes);
  } else {
    find_effects(snapshot, request, job.pipeline.pool(), item.progress);
    write_one(job, snapshot, request, item.file, item.progress, notes);
  }
  if (!job.options.numbers_output.empty()) write_one(job, snapshot, request, job.options.numbers_output, item.progress, notes);
  return notes;
}

/// What the study of --study was made of, in the named model. Throws Error (usage) where its weights are others.
void take_study(Export& job, const StoredStudy& study) {
  ModelChoice& model = job.document.query.model;
  ConsoleProgress progress;
  if (digest_of_model(model, progress) != study.manifest.model_digest)
    refuse_option("--study", "the study is of other weights than those of the model", printable(study.manifest.model, 120),
                  "the model that it was made with");
  Query measured = measured_query(study.manifest);
  if (model.name != "sandbox") measured.model = std::move(model);
  job.document.query = std::move(measured);
}

/// The document that the options describe. Throws Error (usage) where the figures need more of it.
void read_document(Export& job, const std::vector<const FigureKind*>& kinds) {
  parse_layer(job.options.layer, "--layer");
  job.document = job.options.query.document(nullptr, &job.masks);
  if (const StoredStudy* study = job.options.effects.study()) take_study(job, *study);
  job.options.style.apply(job.document);
  if (!job.options.draw.empty()) job.document.drawn_map = parse_drawn_map(job.options.draw, job.document.query);
  check_gamma(job.options, job.document.style);
  for (const FigureKind* kind : kinds) {
    check_scale(job.options, *kind, job.document.style);
    if (!job.again) check_named_heads(job.options, *kind, job.document);
  }
}

int export_one(const FigureOptions& options) {
  Export job(options);
  const FigureKind& kind = job.again ? *job.again->choice.request.kind : options.kind();
  check_options(options, {&kind}, {&file_for(kind, "-o", options.output)}, job.again ? job.again->choice.request.lab.asked : options.lab);
  check_written("-o", options.output);
  check_written("--numbers", options.numbers_output);
  read_document(job, {&kind});
  ConsoleProgress progress;
  print_notes(write_item(job, {kind, job.document, options.output, progress}));
  return 0;
}

/// Heads that a list chooses by what a text gives them are others for each text.
bool lists_by_text(const FigureOptions& options) {
  if (options.only.find("top") != std::string::npos) return true;
  return options.is_given("--brush") && options.command.get_option("--brush")->as<std::string>().find("top") != std::string::npos;
}

/// The figure as the window would say it of any text; none: the options say more than that.
std::optional<std::string> said_of(Export& job, const FigureKind& kind, const Document& document, const std::string& ending,
                                   Progress& progress) {
  if (job.again || job.sweep() || lists_by_text(job.options)) return std::nullopt;
  const Runs runs = run_subjects(job.pipeline, kind, document, job.again, {}, progress);
  FigureRequest request = request_of(job.options, kind, document, runs, job.again);
  if (!document.baseline) request.baseline.reset();  // it is the text without edits
  const FigureRequest of_any = of_any_text(request);
  if (!request.difference) request.difference = of_any.difference;  // A − B, said or not
  if (!(of_any == request)) return std::nullopt;
  return batch_choice_of(*runs.at(document.focused), request, *file_of_figure(kind, "figure" + ending), job.output(request));
}

/// What is asked of the batch, before anything is computed.
BatchRequest batch_of(Export& job, std::vector<std::string>& notes) {
  const FigureOptions& options = job.options;
  const std::vector<const FigureKind*> kinds = options.batch.figures(options.kinds, options.kind());
  const std::vector<const FigureFile*> files = options.batch.files(kinds);
  check_options(options, kinds, files, options.lab);
  BatchRequest request;
  request.texts = options.batch.texts();
  request.format = options.batch.format_of_texts();
  request.choice = choice_text(options);
  read_document(job, kinds);
  if (names_attention_dump(job.document.query.model.name))
    refuse_option("--texts", "maps from a file have their own text", printable(job.document.query.model.name), "a model");
  for (const FigureKind* kind : kinds) request.figures.emplace_back(kind->name);
  for (const FigureFile* file : files) request.endings.emplace_back(file->ending);
  request.document = job.document;
  request.folder = options.output;
  request.starts_anew = options.batch.starts_anew();
  request.digests = job.digests;
  request.said = [&](const Document& document, const std::string& figure, const std::string& ending, Progress& progress) {
    return said_of(job, *find_figure(options.kinds, figure), document, ending, progress);
  };
  request.write = [&](const Document& document, const std::string& figure, const fs::path& file, Progress& progress) {
    for (std::string& note : write_item(job, {*find_figure(options.kinds, figure), document, file, progress})) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
    }
  };
  return request;
}

void print_end(const Batch& batch, const FigureOptions& options, const std::vector<std::string>& notes) {
  const BatchState& state = batch.state();
  print_notes(notes);
  print_notes(failures_of(state));
  const std::string kept = state.kept == 0 ? "" : fmt::format(", {} there already", state.kept);
  print_notes({fmt::format("{} of {} figures written{}; look at {}", state.made, state.items.size(), kept,
                           printable((fs::path(options.output) / kIndexName).string(), 400))});
}

int export_batch(const FigureOptions& options) {
  const StopSignals signals;  // before the pipeline has threads
  Export job(options);
  std::vector<std::string> notes;
  Batch batch(batch_of(job, notes));
  try {
    ConsoleProgress console;
    StoppedBySignals progress(console, signals);
    while (batch.next(progress)) {
    }
  } catch (const Cancelled&) {
    if (!batch.state().items.empty()) batch.keep();
    print_notes({fmt::format("stopped after {} of {} figures; the same command goes on from there", batch.state().done,
                             batch.state().items.size())});
    return kStoppedStatus;  // unless the signal, which waits no longer, has ended the program
  }
  print_end(batch, options, notes);
  return status_of(batch.state());
}

int run_export(const FigureOptions& options) {
  options.batch.check();
  return options.batch.is_given() ? export_batch(options) : export_one(options);
}

}  // namespace

void add_export(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  add_export_of(command, action, figure_kinds());
}

void add_export_of(CLI::App& command, Action& action, FigureKinds kinds) {
  keep_options<FigureOptions>(command, action, run_export, kinds);
}

}  // namespace headlight

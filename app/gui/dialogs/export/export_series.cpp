#include "app/gui/dialogs/export/export_series.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/document/labs/lab_names.h"
#include "app/document/wording.h"
#include "app/gui/dialogs/texts_file.h"
#include "app/recipe/any_text.h"
#include "app/recipe/command_text.h"
#include "app/recipe/swept_queries.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// What an empty box means where there are not so many that all can be meant.
std::string usual_of(SweepOf of) {
  return of == SweepOf::temperature ? "0.5,1,2" : of == SweepOf::training ? "0,1,5,20" : "";
}

FigureRequest request_of_texts(const Panel& panel, const ExportChoice& choice, const FigureKind& kind) {
  return figure_of(panel, choice, kind, ExportTask::texts);
}

}  // namespace

bool changes_with(const Panel& panel, const ExportChoice& choice, SweepOf of) {
  return can_sweep(*choice.kind, of, choice.kind->needs.has_lab ? lab_text(panel.view.labs) : std::string());
}

std::string why_no_sweep(const Panel& panel, const ExportChoice& choice, SweepOf of) {
  if (choice.kind->needs.has_target && shown_figure(panel, *choice.kind).effects.study) return "The numbers of a study stay as they are.";
  if (!changes_with(panel, choice, of)) return fmt::format("This figure does not change with the {}.", kSweeps[of]);
  const bool is_of_model = of == SweepOf::temperature || of == SweepOf::training;
  if (is_of_model && panel.is_dump()) return "Maps from a file are not computed again.";
  if (of != SweepOf::training) return {};
  const std::string why = why_no_training(panel.snapshot->query, panel.draft.drawn_map);
  if (panel.is_sandbox() && !why.empty())
    return "Draw the map that a head should learn first: Train a head, in the left rail, while the sandbox is shown in Head.";
  return why.empty() ? why : as_sentence(why);
}

namespace {

ChosenSweep sweep_of(const Panel& panel, const ExportChoice& choice, const std::string& values) {
  const SweepOf of = choice.sweep.of;
  ChosenSweep chosen;
  chosen.problem = why_no_sweep(panel, choice, of);
  if (!chosen.problem.empty()) return chosen;
  try {
    const std::string typed = values.empty() ? usual_of(of) : values;
    chosen.sweep = parse_sweep(std::string(kSweeps[of]) + (typed.empty() ? "" : "=" + typed));
    if (of == SweepOf::training) chosen.sweep.drawn_map = {panel.draft.drawn_map.head, panel.draft.drawn_map.strokes, 0};
    chosen.values = values_of_sweep(chosen.sweep, *panel.snapshot, figure_to_export(panel, choice));
  } catch (const Error& error) {
    const ErrorDetail& detail = error.detail();
    const std::string found = detail.found.empty() ? "" : fmt::format(" ({})", detail.found);
    chosen.problem = as_sentence(detail.problem + found + (detail.expected.empty() ? "" : ": " + detail.expected));
  }
  return chosen;
}

}  // namespace

ChosenSweep chosen_sweep(const Panel& panel, const ExportChoice& choice) {
  return sweep_of(panel, choice, choice.sweep.typed);
}

std::string usual_values(const Panel& panel, const ExportChoice& choice) {
  const std::string usual = usual_of(choice.sweep.of);
  if (!usual.empty()) return usual;
  const ChosenSweep swept = sweep_of(panel, choice, {});
  return swept.values.empty() ? "all" : fmt::format("all: 0-{:g}", swept.values.back());
}

fs::path first_of_sweep(const Panel& panel, const ExportChoice& choice, const ChosenSweep& swept) {
  const fs::path target = target_of(panel, choice);
  if (choice.ending == "html" || swept.values.empty()) return target;
  return file_of_still(target, swept.values.front(), *std::max_element(swept.values.begin(), swept.values.end()));
}

SweepOrder sweep_order(const Panel& panel, const ExportChoice& choice, const ChosenSweep& swept) {
  Sweep sweep = swept.sweep;
  sweep.values = swept.values;
  FigureRequest request = figure_to_export(panel, choice);
  frame_drawn_map(sweep, *panel.snapshot, request);
  return {.run = panel.snapshot,
          .request = std::move(request),
          .sweep = std::move(sweep),
          .output = output_of(choice.page),
          .file = target_of(panel, choice),
          .digests = panel.context.session.digests()};
}

std::vector<const FigureKind*> kinds_of_texts(const Panel& panel, const ExportChoice& choice) {
  std::vector<const FigureKind*> kinds = offered_kinds(panel);
  std::erase_if(kinds, [&](const FigureKind* kind) { return !shows_any_text(request_of_texts(panel, choice, *kind)); });
  return kinds;
}

std::vector<const FigureKind*> chosen_kinds(const Panel& panel, const ExportChoice& choice) {
  std::vector<const FigureKind*> kinds = kinds_of_texts(panel, choice);
  std::erase_if(kinds, [&](const FigureKind* kind) { return kind != choice.kind && !choice.batch.figures.contains(kind->name); });
  return kinds;
}

std::vector<FigureRequest> figures_of_texts(const Panel& panel, const ExportChoice& choice) {
  const std::vector<const FigureKind*> kinds = chosen_kinds(panel, choice);
  std::vector<FigureRequest> figures;
  for (const FigureKind* kind : kinds) {
    figures.push_back(request_of_texts(panel, choice, *kind));
    leave_out_parts(kinds, figures.back().page);  // one command has one list of parts
  }
  return figures;
}

std::vector<std::string> endings_of_texts(const Panel& panel, const ExportChoice& choice, bool is_drawn) {
  const std::vector<const FigureKind*> kinds = chosen_kinds(panel, choice);
  std::vector<std::string> endings = offered_endings(*choice.kind, is_drawn);
  std::erase_if(endings, [&](const std::string& ending) {
    return !std::all_of(kinds.begin(), kinds.end(),
                        [&](const FigureKind* kind) { return file_of_figure(*kind, "figure." + ending) != nullptr; });
  });
  return endings;
}

std::vector<const FigureFile*> files_of_texts(const Panel& panel, const ExportChoice& choice) {
  std::vector<const FigureFile*> files;
  for (const bool is_drawn : {true, false}) {
    for (const std::string& ending : endings_of_texts(panel, choice, is_drawn)) {
      const bool is_chosen = choice.batch.endings.empty() ? ending == choice.ending : choice.batch.endings.contains(ending);
      if (is_chosen) files.push_back(file_of_figure(*choice.kind, "figure." + ending));
    }
  }
  if (files.empty()) files.push_back(file_of_figure(*choice.kind, "figure.png"));
  return files;
}

std::string typed_folder(const ExportChoice& choice) {
  if (!choice.batch.folder.empty() || choice.batch.path.empty()) return choice.batch.folder;
  const fs::path texts(choice.batch.path);
  return (texts.parent_path() / (texts.stem().string() + "-figures")).string();
}

fs::path folder_of_texts(const ExportChoice& choice) {
  std::error_code failure;
  fs::path folder = fs::absolute(typed_folder(choice), failure).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

std::string texts_options(const ExportChoice& choice) {
  const BatchChoice& batch = choice.batch;
  std::string options = " --texts " + (batch.path.empty() ? std::string("FILE") : shell_quoted(batch.path));
  if (const std::string column = column_of_texts(batch); !column.empty()) options += " --column " + shell_quoted(column);
  if (batch.has_ids) options += " --texts-are-ids";
  return options + " -o " + (batch.path.empty() ? std::string("FOLDER/") : shell_quoted(typed_folder(choice)));
}

std::string why_no_texts(const Panel& panel, const ExportChoice& choice) {
  if (panel.is_dump()) return "The maps shown come from a file, which has no other texts. Choose a model first.";
  if (choice.batch.path.empty()) return "Choose a file of texts first.";
  if (!choice.batch.problem.empty()) return "This file of texts cannot be used.";
  std::error_code ignored;
  if (fs::is_regular_file(folder_of_texts(choice), ignored)) return "The folder for the figures is a file: choose another name.";
  return {};
}

TextsOrder texts_order(const Panel& panel, const ExportChoice& choice) {
  TextsOrder order;
  order.batch.document.query = panel.snapshot->query;
  order.figures = figures_of_texts(panel, choice);
  order.batch.document.style = order.figures.front().style;
  order.batch.texts = texts_of(choice.batch);
  order.batch.format = format_of_texts(choice.batch);
  for (const FigureFile* file : files_of_texts(panel, choice)) order.batch.endings.emplace_back(file->ending);
  order.batch.folder = folder_of_texts(choice);
  order.batch.digests = panel.context.session.digests();
  order.output = output_of(choice.page);
  return order;
}

}  // namespace headlight

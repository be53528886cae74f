#include "app/gui/dialogs/export/export_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "app/document/labs/lab_names.h"
#include "app/document/wording.h"
#include "app/gui/dialogs/export/export_series.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/state/page_effects.h"
#include "app/recipe/any_text.h"
#include "app/recipe/swept_queries.h"
#include "app/work/corpora/corpus_manifest.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::string with_dashes(std::string name) {
  std::replace(name.begin(), name.end(), '.', '-');
  return name;
}

/// Removes pinned heads that have no maps. Returns whether there were any.
bool drop_missing_heads(const Panel& panel, std::vector<ComparedHead>& heads) {
  return std::erase_if(heads, [&](const ComparedHead& head) {
           return !head.problem.empty() || !run_of(head, *panel.snapshot).contains(head.head);
         }) > 0;
}

/// That of the view, or of its page; null: there is no view.
const FigureKind* own_kind(const Panel& panel) {
  const ViewRow* const view = panel.shown_view();
  if (view == nullptr) return nullptr;
  return view->figure_here != nullptr && panel.has_picture() ? view->figure_here(panel) : view->figure;
}

/// The run and the layer of the maps, lines or words that a figure shows first.
std::pair<const Snapshot*, int> first_map(const Panel& panel, const FigureRequest& request) {
  const FigureNeeds& needs = request.kind->needs;
  const Snapshot* const own = panel.snapshot.get();
  if (needs.has_head) return {request.moment == Moment::before ? request.baseline.get() : own, request.head.layer};
  if (needs.has_links || needs.has_tint) return {own, request.links.heads.empty() ? -1 : request.links.heads.front().layer};
  if (needs.has_flow) return {own, request.flow.heads.empty() ? -1 : request.flow.heads.front().layer};
  if (needs.heads == 0) return {own, 0};
  if (request.heads.empty()) return {own, -1};
  return {&run_of(request.heads.front(), *own), request.heads.front().head.layer};
}

/// Lines and tints are of one token: then the key comes in the place of the pinned row.
void mark_key(const Panel& panel, const ExportChoice& choice, FigureRequest& request) {
  const Encoding* const keys = choice.key.empty() ? nullptr : keys_to_mark(panel, request);
  const std::optional<Index> key = keys == nullptr ? std::nullopt : typed_key(choice, *keys);
  if (!key) return;
  if (request.kind->needs.marks_tokens) request.marked.key = *key;
  if (request.kind->needs.has_step) request.chosen_key = *key;
  if (!request.kind->needs.has_links && !request.kind->needs.has_tint) return;
  request.links.focus = LinkFocus{*key, true};
  request.links.is_kept = true;
}

}  // namespace

const Encoding* keys_to_mark(const Panel& panel, const FigureRequest& request) {
  const FigureNeeds& needs = request.kind->needs;
  if (!panel.has_picture() || !(needs.marks_tokens || needs.has_step || needs.has_links || needs.has_tint)) return nullptr;
  const auto [run, layer] = first_map(panel, request);
  return run != nullptr && layer >= 0 && layer < run->layers() ? &run->key_tokens(layer) : nullptr;
}

std::optional<Index> typed_key(const ExportChoice& choice, const Encoding& keys) {
  Index key = -1;
  const char* const end = choice.key.data() + choice.key.size();
  const auto [stop, error] = std::from_chars(choice.key.data(), end, key);
  const bool is_there = error == std::errc() && stop == end && key >= 0 && key < std::ssize(keys.tokens);
  return is_there ? std::optional(key) : std::nullopt;
}

FigureRequest figure_of(const Panel& panel, const ExportChoice& choice, const FigureKind& kind, ExportTask task) {
  FigureRequest request = shown_figure(panel, kind);
  if (drop_missing_heads(panel, request.heads)) request.difference.reset();  // the pair was chosen among all heads
  request.is_spreadsheet_safe = choice.is_spreadsheet_safe;
  set_theme(request.style, choice.theme.value_or(request.style.theme));
  request.page = choice.page;
  if (choice.hides_marks) request.marked = {};
  if (task != ExportTask::texts && panel.has_picture()) mark_key(panel, choice, request);
  if (kind.needs.has_axes) keep_shown_measures(request.measures);
  if (task == ExportTask::texts) return of_any_text(std::move(request));
  const FigureKind* const alone = &kind;
  leave_out_parts({&alone, 1}, request.page);
  return request;
}

FigureRequest figure_to_export(const Panel& panel, const ExportChoice& choice) {
  return figure_of(panel, choice, *choice.kind, choice.task);
}

std::optional<Query> measured_in_figure(const Panel& panel, const FigureRequest& request) {
  const std::shared_ptr<const StoredStudy> study = study_of_page(panel.view.output, panel.context.session.corpora());
  if (!study || !request.kind->needs.has_target || !request.effects.study) return std::nullopt;
  Query measured = measured_query(study->manifest);
  if (!panel.is_sandbox()) measured.model = panel.snapshot->query.model;
  return measured;
}

void leave_out_parts(std::span<const FigureKind* const> kinds, PageLook& page) {
  const auto has = [&](bool FigureNeeds::*part) {
    return std::any_of(kinds.begin(), kinds.end(), [&](const FigureKind* kind) { return kind->needs.*part; });
  };
  if (!has(&FigureNeeds::has_bar)) page.without.erase(PagePart::bar);
  if (!has(&FigureNeeds::has_legend)) page.without.erase(PagePart::legend);
  if (!has(&FigureNeeds::has_row)) page.without.erase(PagePart::row);
  if (!has(&FigureNeeds::has_cells)) page.has_cell_numbers = false;
}

FigureOutput output_of(const PageLook& page) {
  if (!has_print_size(page)) return {};
  float dpi = kUsualDpi;
  for (const PagePreset& preset : page_presets()) {
    if (preset.look.width_mm == page.width_mm && preset.look.type == page.type) dpi = preset.dpi;
  }
  return {.pixels_per_point = pixels_at(dpi)};
}

FigureQuestion figure_to_preview(const Panel& panel, const ExportChoice& choice) {
  FigureQuestion question{panel.snapshot, figure_to_export(panel, choice), &chosen_file(choice), output_of(choice.page)};
  question.measured = measured_in_figure(panel, question.request);
  if (choice.task == ExportTask::texts) {
    question.of_texts = figures_of_texts(panel, choice);
    question.files = files_of_texts(panel, choice);
    question.request.page = question.of_texts.front().page;
  }
  if (choice.task == ExportTask::sweep) {
    if (const ChosenSweep swept = chosen_sweep(panel, choice); swept.problem.empty()) {
      set_in_figure(swept.sweep.of, swept.values.front(), *panel.snapshot, question.request);
      frame_drawn_map(swept.sweep, *panel.snapshot, question.request);
      question.sweep = swept.sweep;
    }
  }
  return question;
}

bool has_heads_for(const Panel& panel, const FigureKind& kind) {
  if (panel.has_picture() && !why_no_figure(kind, *panel.snapshot).empty()) return false;
  FigureRequest shown = shown_figure(panel, kind);
  if (!is_found(shown)) return false;
  drop_missing_heads(panel, shown.heads);
  return shown.heads.size() >= kind.needs.heads;
}

const FigureKind* kind_of_view(const Panel& panel) {
  const FigureKind* const own = own_kind(panel);
  return own != nullptr && has_heads_for(panel, *own) ? own : &kHeatmapFigure;
}

/// Of the page that draws pruning curves, while there is no figure of them.
std::string why_no_curves(const Panel& panel) {
  const Effects& effects = panel.context.session.effects();
  const std::shared_ptr<const PruningFound> found = effects.known_pruning();
  const bool is_here = found && found->is_complete && found->request.run == panel.snapshot;
  if (is_here && found->curves.once.empty())
    return "Each layer keeps at least one head, and here each has only one, so nothing can be pruned.";
  const StudyStatus status = effects.pruning_status();
  if (status.error) return "There are no curves: " + as_sentence(status.error_message);
  return "The curves are still being computed. Their figure replaces this one once both are done.";
}

/// Of the page that shows a study over a file of texts, while there is no figure of it.
std::string why_no_figure_of_texts(const Panel& panel) {
  const std::shared_ptr<const StoredStudy> study = study_of_page(panel.view.output, panel.context.session.corpora());
  if (!study) return "No file of texts has been studied for effects yet. Once one has, its figure is shown here.";
  if (study->manifest.model_digest != panel.context.session.shown_weights())
    return "The study is of other weights than the model that is open. Open its model to export its figure.";
  if (study->study.texts() == 0) return "No text of the study has been run yet. Its figure replaces this one once one has.";
  return "The study has no number that this figure shows.";
}

std::string why_not_of_view(const Panel& panel) {
  const ViewRow* const view = panel.shown_view();
  const FigureKind* const own = own_kind(panel);
  if (view == nullptr || own == nullptr || !panel.has_picture()) return {};
  if (view->view == View::head && own == &kHeatmapFigure && other_text_here(panel))
    return "Only weights can be exported side by side. For this stage the figure is the edited map alone.";
  if (has_heads_for(panel, *own)) return {};
  if (const std::string why = why_no_figure(*own, *panel.snapshot); !why.empty())
    return fmt::format("{} has no figure of this: {}", view->title, as_sentence(why));
  if (own->needs.has_lab)
    return panel.view.labs.lab.sheet == nullptr
               ? "This lab has no figure. What is exported is the heatmap of the selected head, unless you choose another figure."
               : "This lab is still being computed. Its figure replaces this one once it is done.";
  if (!own->needs.has_target) return {};
  const OutputPage& page = panel.view.output;
  if (own->needs.has_pruning) return why_no_curves(panel);
  if (page.is_over_texts) return why_no_figure_of_texts(panel);
  const SweepRow& row = row_of(page.sweep);
  if (row.need == SweepNeed::texts)
    return "Once all heads are done, their figure replaces this one. It keeps the texts of the file, so these must be 4,096 or fewer, at "
           "most 1 MB together, and all readable.";
  if (row.need == SweepNeed::text && page.other_text.empty())
    return "Type the text to patch from. The figure then shows what this page shows.";
  return fmt::format("The {} are still being changed one after another. Their figure replaces this one once all are done.",
                     row.is_by_position() ? "places" : "heads");
}

std::vector<const FigureKind*> offered_kinds(const Panel& panel) {
  std::vector<const FigureKind*> kinds;
  for (const FigureKind* kind : panel.context.figures) {
    if (has_heads_for(panel, *kind)) kinds.push_back(kind);
  }
  return kinds;
}

std::string name_of_figure(const Panel& panel, const ExportChoice& choice, const FigureKind& kind) {
  const FigureRequest request = figure_of(panel, choice, kind, choice.task);
  const std::string head = kind.needs.has_head ? head_title(*panel.snapshot, request.head) + ", " : std::string();
  return head + kind.caption(*panel.snapshot, request);
}

std::vector<std::string> offered_endings(const FigureKind& kind, bool is_drawn) {
  std::vector<std::string> endings;
  for (const FigureFile& file : figure_files()) {
    const bool has_file = std::find(kind.endings.begin(), kind.endings.end(), file.ending) != kind.endings.end();
    if (has_file && file.is_drawn == is_drawn) endings.emplace_back(file.ending.substr(1));
  }
  return endings;
}

const FigureFile& chosen_file(const ExportChoice& choice) {
  return *file_of_figure(*choice.kind, "figure." + choice.ending);
}

const FigureFile* file_of_typed(const ExportChoice& choice) {
  const FigureFile* const file = file_of_figure(*choice.kind, choice.path);
  return file != nullptr && (file->is_drawn || choice.task != ExportTask::sweep) ? file : nullptr;
}

void choose_ending(ExportChoice& choice, const std::string& ending) {
  if (file_of_typed(choice) != nullptr) choice.path = fs::path(choice.path).replace_extension(ending).string();
  choice.ending = ending;
}

std::string usual_name(const Panel& panel, const ExportChoice& choice) {
  const FigureKind& kind = *choice.kind;
  std::string name(kind.file_name);
  const HeadId head = panel.view.head;
  if (kind.needs.has_head) name += "-" + with_dashes(panel.snapshot ? short_name(*panel.snapshot, head) : short_name(head));
  if (const LabKind* const lab = kind.needs.has_lab ? kind_of(panel.view.labs.lab) : nullptr) name += "-" + std::string(lab->name);
  return name + "." + choice.ending;
}

std::string typed_target(const Panel& panel, const ExportChoice& choice) {
  if (choice.path.empty()) return usual_name(panel, choice);
  return file_of_typed(choice) == &chosen_file(choice) ? choice.path : choice.path + "." + choice.ending;
}

fs::path target_of(const Panel& panel, const ExportChoice& choice) {
  const fs::path path(typed_target(panel, choice));
  std::error_code failure;
  return path.is_absolute() ? path : fs::current_path(failure) / path;
}

}  // namespace headlight

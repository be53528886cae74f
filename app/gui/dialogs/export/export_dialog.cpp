#include "app/gui/dialogs/export/export_dialog.h"

#include <algorithm>
#include <utility>

#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/dialogs/export/export_parts.h"
#include "app/gui/dialogs/export/export_series.h"
#include "app/gui/kit/shapes.h"

namespace headlight {
namespace {

constexpr const char* kTitle = "Export a figure";
constexpr ImVec2 kSize{1208, 824};
constexpr float kControls = 380, kMargin = 24, kHead = 56;

/// As the dialog opens: the figure that was asked for, else that of the view, and no message of an earlier one.
void begin_choice(Panel& panel, ExportChoice& choice) {
  choice.finished_before = panel.context.session.exporter().status().finished;
  choice.asked.clear();
  choice.copied.clear();
  choice.key.clear();  // it is a position of the text that was shown then
  const FigureKind* asked = find_figure(panel.context.figures, std::exchange(panel.view.dialogs.asked_figure, {}));
  choice.kind = asked != nullptr ? asked : kind_of_view(panel);
  choice.awaits_view = asked == nullptr && !why_not_of_view(panel).empty();
}

/// Every choice is one that the chosen figure has.
void keep_possible(const Panel& panel, ExportChoice& choice) {
  if (choice.awaits_view && why_not_of_view(panel).empty()) {
    choice.awaits_view = false;
    choice.kind = kind_of_view(panel);
  }
  if (!has_heads_for(panel, *choice.kind)) choice.kind = kind_of_view(panel);
  if (choice.task == ExportTask::texts) {
    const std::vector<const FigureKind*> kinds = kinds_of_texts(panel, choice);
    if (std::find(kinds.begin(), kinds.end(), choice.kind) == kinds.end()) choice.kind = kinds.front();
    if (!choice.batch.endings.empty()) choice.ending = files_of_texts(panel, choice).front()->ending.substr(1);
  }
  if (choice.task == ExportTask::sweep && !changes_with(panel, choice, choice.sweep.of)) {
    const auto* const first =
        std::find_if(kEveryValue<SweepOf>.begin(), kEveryValue<SweepOf>.end(), [&](SweepOf of) { return changes_with(panel, choice, of); });
    if (first != kEveryValue<SweepOf>.end()) choice.sweep = {*first, {}};  // a lab of the model's sizes alone changes with nothing
  }
  if (const FigureFile* const typed = file_of_typed(choice); typed != nullptr && choice.task != ExportTask::texts)
    choice.ending = typed->ending.substr(1);
  const FigureFile* file = file_of_figure(*choice.kind, "figure." + choice.ending);
  if (file == nullptr || (choice.task == ExportTask::sweep && !file->is_drawn)) choice.ending = offered_endings(*choice.kind, true).front();
}

}  // namespace

void draw_export_dialog(Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  bool& is_open = panel.view.dialogs.figure_export;
  if (!panel.has_picture()) is_open = false;
  FigurePreviews& previews = panel.context.session.figure_previews();
  const std::optional<Box> whole = begin_large_dialog(look, kTitle, kSize, is_open);
  if (!whole) {
    tell_end_of_series(panel, choice);
    return previews.rest();
  }
  choice.is_series_watched = false;  // it says itself how a series ends
  if (ImGui::IsWindowAppearing()) begin_choice(panel, choice);
  keep_possible(panel, choice);
  const std::shared_ptr<const FigurePreview> preview = previews.ask(figure_to_preview(panel, choice));
  const float margin = look.px(kMargin), head = look.px(kHead), column = look.px(kControls + 2 * kMargin);
  const ExportCommand command = command_of_export(panel, choice, preview.get(), whole->width - 2 * margin);
  const float foot = export_foot_height(panel, choice, command, whole->width - 2 * margin);
  const float bottom = whole->bottom() - foot;
  draw_text(look, whole->x + margin, whole->y + look.px(32), Type::title, look.colours.text, kTitle);
  fill(look, {whole->x + column, whole->y}, {whole->x + column + 1, bottom}, look.colours.line, 0);
  fill(look, {whole->x, bottom}, {whole->right(), bottom + 1}, look.colours.line, 0);
  draw_export_controls(panel, choice, preview.get(), {whole->x + margin, whole->y + head, look.px(kControls), bottom - whole->y - head});
  draw_export_preview(panel, choice, preview,
                      {whole->x + column + margin, whole->y, whole->width - column - 2 * margin, bottom - whole->y});
  draw_export_foot(panel, choice, command, {whole->x + margin, bottom, whole->width - 2 * margin, foot});
  end_dialog(is_open);
}

}  // namespace headlight

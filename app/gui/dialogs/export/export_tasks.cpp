// What there is to say of a sweep, and of a file of texts, whose figures are made at once.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/document/amounts.h"
#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/export/export_parts.h"
#include "app/gui/dialogs/export/export_series.h"
#include "app/gui/dialogs/texts_file.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr Names<SweepOf> kLabels{"layer", "head", "token", "temperature", "training steps"};

std::string words_of_sweep(const Panel& panel, const ExportChoice& choice, const ChosenSweep& swept) {
  const std::string count = grouped(static_cast<std::int64_t>(swept.values.size()));
  const SweepOf of = swept.sweep.of;
  const bool is_of_run = of == SweepOf::temperature || of == SweepOf::training;  // the preview is of what is computed already
  const std::string shown =
      is_of_run ? "the figure as it is now" : name_of_still(of, swept.values.front(), *panel.snapshot, figure_to_export(panel, choice));
  const std::string files = choice.ending == "html"
                                ? fmt::format("One page with {} figures and a slider between them", count)
                                : fmt::format("{} files, the first {}", count, first_of_sweep(panel, choice, swept).filename().string());
  return fmt::format("{}. Previewed: {}.", files, shown);
}

/// The files of the folders around, for the box above it.
void draw_texts_browser(const Look& look, BatchChoice& batch, ImVec2 below) {
  ImGui::SetNextWindowPos(below);
  ImGui::SetNextWindowSize({look.px(480), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kBetween), look.px(kBetween)));
  if (begin_popup("Files of texts")) {
    if (const auto pressed = draw_file_browser(look, batch.listing, batch.listing.texts, "texts", 9)) {
      batch.path = pressed->string();
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

/// Endings that can be on together; one at least is.
void draw_many_endings(Panel& panel, ExportChoice& choice, const char* label, const char* help, bool is_drawn) {
  const std::vector<std::string> endings = endings_of_texts(panel, choice, is_drawn);
  if (endings.empty()) return;
  const std::vector<const FigureFile*> files = files_of_texts(panel, choice);
  const auto is_on = [&](const std::string& ending) {
    return std::any_of(files.begin(), files.end(), [&](const FigureFile* file) { return file->ending.substr(1) == ending; });
  };
  std::vector<bool> on;
  for (const std::string& ending : endings) on.push_back(is_on(ending));
  const int pressed = segmented_many(panel.look, begin_row(panel.look, label, help), "Format", endings, on);
  if (pressed < 0) return;
  std::set<std::string, std::less<>>& chosen = choice.batch.endings;
  chosen.clear();
  for (const FigureFile* file : files) chosen.emplace(file->ending.substr(1));
  const std::string& ending = endings[static_cast<std::size_t>(pressed)];
  if (!chosen.contains(ending)) {
    chosen.insert(ending);
  } else if (chosen.size() > 1) {
    chosen.erase(ending);
  }
  choice.ending = chosen.contains(choice.ending) ? choice.ending : *chosen.begin();
}

}  // namespace

void draw_sweep_choice(Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  std::vector<Choice> choices;
  for (const SweepOf of : kEveryValue<SweepOf>) {
    const std::string why = why_no_sweep(panel, choice, of);
    choices.push_back({std::string(kLabels[of]), why, why.empty()});
  }
  int of = static_cast<int>(choice.sweep.of);
  if (drop_down(look, begin_row(look, "Over", "What changes from figure to figure."), "Sweep over", choices, of)) {
    choice.sweep.of = static_cast<SweepOf>(of);
    choice.sweep.typed.clear();
  }
  const Row row = begin_row(look, "Values", "Numbers and ranges, separated by commas: 0,2 or 0-3. Temperatures may have fractions.");
  const float left = row.left + look.px(kControlColumn);
  text_box(look, "Sweep values", usual_values(panel, choice).c_str(), choice.sweep.typed, {left, row.top + look.px(2)}, row.right - left);
  const ChosenSweep swept = chosen_sweep(panel, choice);
  const bool is_possible = swept.problem.empty();
  paragraph(look, Type::caption, is_possible ? look.colours.text_second : look.colours.query,
            is_possible ? words_of_sweep(panel, choice, swept) : swept.problem);
  gap(look, kInside);
}

void draw_texts_choice(Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  BatchChoice& batch = choice.batch;
  const Row row = begin_row(look, "Texts", ".txt: a text a line. .csv: a column of a table. .jsonl: a field of the object on each line.");
  const float button = button_width(look, "Browse …"), left = row.left + look.px(56), height = look.px(kControl);
  const float top = row.top + look.px(2);
  text_box(look, "Texts path", "a .txt, .csv or .jsonl file", batch.path, {left, top}, row.right - left - button - look.px(kUnit));
  if (quiet_button(look, "Browse …", {row.right - button, top}, {button, height})) {
    batch.listing = list_folders(working_folder(panel, texts_of(batch)));
    ImGui::OpenPopup("Files of texts");
  }
  draw_texts_browser(look, batch, {left, top + height + look.px(kInside)});
  look_at_texts(batch);
  if (!batch.problem.empty()) paragraph(look, Type::caption, look.colours.bad, batch.problem);
  if (batch.columns.size() > 1)
    drop_down(look, begin_row(look, "Column", "Which column or field holds the texts."), "Column", batch.columns, batch.column);
  on_off(look, begin_row(look, "Token ids", "The texts are numbers of tokens, separated by blanks or commas."), "Texts are token ids",
         batch.has_ids);
}

void draw_figures_of_texts(Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  gap(look, kInside);
  text_line(look, Type::heading, look.colours.text_second, "Figures of every text");
  std::set<std::string, std::less<>>& chosen = choice.batch.figures;
  SwitchPairs switches(look);
  for (const FigureKind* kind : kinds_of_texts(panel, choice)) {
    const std::string name(kind->name), help = name_of_figure(panel, choice, *kind);
    bool is_on = kind == choice.kind || chosen.contains(name);
    if (!switches.draw(name, "Figure " + name, is_on, help.c_str())) continue;
    chosen.emplace(choice.kind->name);
    if (is_on) chosen.insert(name);
    if (!is_on && chosen.size() > 1) chosen.erase(name);
    choice.kind = is_on ? kind : find_figure(panel.context.figures, *chosen.begin());
  }
  paragraph(look, Type::caption, look.colours.text_second,
            "Previewed: " + name_of_figure(panel, choice, *choice.kind) + ", of the present text");
  gap(look, kInside);
  draw_many_endings(panel, choice, "Format", "Every figure of every text is written as each of them.", true);
  draw_many_endings(panel, choice, "and its numbers", "csv and tsv are tables; npy, npz and safetensors are arrays; json is for programs.",
                    false);
}

}  // namespace headlight

// What the figure is and how it is made.
#include <algorithm>
#include <array>
#include <cctype>

#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/dialogs/export/export_parts.h"
#include "app/gui/kit/region.h"

namespace headlight {
namespace {

/// "A figure of effects"
std::string noun_in_front(const FigureKind& kind) {
  std::string noun(kind.noun);
  noun.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(noun.front())));
  return noun;
}

/// What is done to heads of this text makes more figures possible: says so where some are missing.
void draw_missing_effects(const Panel& panel, const std::vector<const FigureKind*>& offered) {
  std::string missing;
  for (const FigureKind* kind : panel.context.figures) {
    const bool is_offered = std::find(offered.begin(), offered.end(), kind) != offered.end();
    if (is_offered || !kind->needs.has_target || !panel.has_picture() || !why_no_figure(*kind, *panel.snapshot).empty()) continue;
    missing.append(missing.empty() ? "" : ", ").append(kind->name);
  }
  if (missing.empty()) return;
  paragraph(panel.look, Type::caption, panel.look.colours.text_second, "More figures need numbers from Output, Heads: " + missing + ".");
}

/// Pinned heads make more figures possible: says so where some are missing.
void draw_missing(const Panel& panel, const std::vector<const FigureKind*>& offered) {
  const FigureKinds all = panel.context.figures;
  const auto is_missing = [&](const FigureKind* kind) {
    return kind->needs.heads > 0 && std::find(offered.begin(), offered.end(), kind) == offered.end();
  };
  const auto missing = std::find_if(all.begin(), all.end(), is_missing);
  if (missing == all.end()) return;
  paragraph(panel.look, Type::caption, panel.look.colours.text_second,
            noun_in_front(**missing) + " needs pinned heads: ctrl-click maps in Overview, or press space while a head is shown.");
}

/// One figure, or many at once.
void draw_task_choice(const Look& look, ExportChoice& choice) {
  const std::array<Choice, 3> tasks{
      Choice{"one figure", "What the window shows, as one file."},
      Choice{"sweep", "The same figure once for every layer, head, token, temperature or number of training steps."},
      Choice{"file of texts", "Every text of a file as one or several figures, in a folder with a page that shows them all."}};
  int task = static_cast<int>(choice.task);
  if (segmented(look, begin_row(look, "Make"), "Make", tasks, task)) choice.task = static_cast<ExportTask>(task);
  gap(look, kInside);
}

void draw_figure_choice(const Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  const std::vector<const FigureKind*> offered = offered_kinds(panel);
  std::vector<Choice> choices;
  for (const FigureKind* kind : offered) choices.push_back({std::string(kind->name), name_of_figure(panel, choice, *kind)});
  int chosen = static_cast<int>(std::find(offered.begin(), offered.end(), choice.kind) - offered.begin());
  if (drop_down(look, begin_row(look, "Figure"), "Figure", choices, chosen)) {
    choice.kind = offered[static_cast<std::size_t>(chosen)];
    choice.awaits_view = false;
  }
  paragraph(look, Type::caption, look.colours.text_second, name_of_figure(panel, choice, *choice.kind));
  if (const std::string why = choice.awaits_view ? why_not_of_view(panel) : std::string(); !why.empty())
    paragraph(look, Type::caption, look.colours.query, why);
  else
    draw_missing_effects(panel, offered);
  draw_missing(panel, offered);
  gap(look, kInside);
}

/// A row of endings; another row may hold the chosen one.
void draw_endings(const Look& look, const char* label, const char* help, const std::vector<std::string>& endings, ExportChoice& choice) {
  if (endings.empty()) return;
  const auto known = std::find(endings.begin(), endings.end(), choice.ending);
  int ending = known == endings.end() ? -1 : static_cast<int>(known - endings.begin());
  if (segmented(look, begin_row(look, label, help), "Format", endings, ending))
    choose_ending(choice, endings[static_cast<std::size_t>(ending)]);
}

void draw_format_choice(const Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  const std::vector<std::string> drawn = offered_endings(*choice.kind, true);
  const std::vector<std::string> numbers =
      choice.task == ExportTask::sweep ? std::vector<std::string>() : offered_endings(*choice.kind, false);
  draw_endings(look, "Format",
               "png has pixels; svg and pdf stay sharp at any size; html is a page of its own that tells the value under the pointer. "
               "All of them say how they were made: `headlight verify` makes them again and compares.",
               drawn, choice);
  draw_endings(look, "or its numbers",
               "csv and tsv are tables; npy, npz and safetensors are arrays; json is for programs. npz, safetensors and json also hold "
               "tokens and texts, and how they were made.",
               numbers, choice);
  const FigureFile& file = chosen_file(choice);
  if (file.has_text_cells) {
    on_off(look,
           begin_row(look, "Safe for spreadsheets",
                     "Puts an apostrophe before every token that a spreadsheet would take for a formula, such as =1+1 or @, and says so in "
                     "the header. "
                     "Off: tokens are written unchanged, for programs that read the file."),
           "Safe for spreadsheets", choice.is_spreadsheet_safe);
  }
  if (!file.is_drawn && !panel.draft.style.hidden.is_empty()) {
    paragraph(look, Type::caption, look.colours.text_second,
              "The numbers are the true weights: hidden keys are left out of drawings alone.");
  }
}

/// What the file says of itself.
void draw_record(const Look& look, const FigureFile& file) {
  gap(look, kUnit);
  text_line(look, Type::heading, look.colours.text_second, "In the file");
  paragraph(look, Type::caption, look.colours.text_second,
            file.has_record
                ? "Model and hash of its weights, text, edits, version, the command, and a hash of the numbers. Anyone can check it "
                  "with headlight verify."
                : "The numbers and their tokens. This format has no place for how they were made; npz, safetensors and json have.");
}

}  // namespace

void draw_export_controls(Panel& panel, ExportChoice& choice, const FigurePreview* preview, const Box& box) {
  const Look& look = panel.look;
  begin_scrolling_column(look, "export controls", box, look.colours.panel);
  draw_task_choice(look, choice);
  if (choice.task == ExportTask::texts) {
    draw_texts_choice(panel, choice);
    draw_figures_of_texts(panel, choice);
  } else {
    draw_figure_choice(panel, choice);
    if (choice.task == ExportTask::sweep) draw_sweep_choice(panel, choice);
    draw_format_choice(panel, choice);
  }
  if (chosen_file(choice).is_drawn) draw_export_page(panel, choice, preview);
  draw_record(look, chosen_file(choice));
  gap(look, kUnit);
  ImGui::EndChild();
}

}  // namespace headlight

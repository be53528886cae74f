#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "app/document/wording.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/core/error.h"
#include "engine/figure/files/write_figure.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::string with_dashes(std::string name) {
  std::replace(name.begin(), name.end(), '.', '-');
  return name;
}

std::string default_name(const Panel& panel, const ExportChoice& choice) {
  const FigureKind& kind = *choice.kind;
  std::string name(kind.file_name);
  const HeadId head = panel.view.head;
  if (kind.needs.has_head) name += "-" + with_dashes(panel.snapshot ? short_name(*panel.snapshot, head) : short_name(head));
  return name;
}

/// Where the file goes: the typed path with the chosen ending, or a name made from the figure.
fs::path target(const Panel& panel, const ExportChoice& choice) {
  fs::path path = choice.path.empty() ? fs::path(default_name(panel, choice)) : fs::path(choice.path);
  const std::string ending = "." + choice.ending;
  if (path.extension() != ending) path += ending;
  std::error_code failure;
  return path.is_absolute() ? path : fs::current_path(failure) / path;
}

/// Removes pinned heads that have no maps. Returns whether there were any.
bool drop_missing_heads(const Panel& panel, std::vector<ComparedHead>& heads) {
  return std::erase_if(heads, [&](const ComparedHead& head) {
           return !head.problem.empty() || !run_of(head, *panel.snapshot).contains(head.head);
         }) > 0;
}

bool has_heads_for(const Panel& panel, const FigureKind& kind) {
  if (kind.needs.has_step && panel.is_dump()) return false;
  std::vector<ComparedHead> pins = shown_figure(panel, kind).heads;
  drop_missing_heads(panel, pins);
  return pins.size() >= kind.needs.heads;
}

/// The figure of the view, or that of a head where too few heads are chosen for it.
const FigureKind* kind_of_view(const Panel& panel) {
  const ViewRow* view = panel.shown_view();
  return view && has_heads_for(panel, *view->figure) ? view->figure : &kHeatmapFigure;
}

/// "Layer 0 · Head 1, weights, with labels"
std::string caption_of(const Panel& panel, const ExportChoice& choice) {
  const FigureRequest request = figure_to_export(panel, choice);
  const std::string head = request.kind->needs.has_head ? head_title(*panel.snapshot, request.head) + ", " : std::string();
  return head + request.kind->caption(*panel.snapshot, request);
}

void draw_figure_choice(const Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  if (!has_heads_for(panel, *choice.kind)) choice.kind = kind_of_view(panel);
  std::vector<const FigureKind*> offered;
  std::vector<std::string> names;
  std::string missing;
  int chosen = 0;
  for (const FigureKind* kind : panel.context.figures) {
    if (!has_heads_for(panel, *kind)) {
      if (missing.empty() && kind->needs.heads > 0) missing = kind->noun;
      continue;
    }
    if (kind == choice.kind) chosen = static_cast<int>(offered.size());
    offered.push_back(kind);
    names.emplace_back(kind->name);
  }
  if (segmented(look, begin_row(look, "Figure", nullptr, 36), "Figure", names, chosen))
    choice.kind = offered[static_cast<std::size_t>(chosen)];
  text_line(look, Type::caption, look.colours.text_second, caption_of(panel, choice));
  if (!missing.empty()) {
    missing.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(missing.front())));
    paragraph(look, Type::caption, look.colours.text_second,
              missing + " needs pinned heads: ctrl-click maps in Overview, or press space while a head is shown.");
  }
  gap(look, kInside);
}

/// The endings that the dialog offers for a figure, without their dots.
std::vector<std::string> offered_endings(const FigureKind& kind, bool is_drawn) {
  std::vector<std::string> endings;
  for (const FigureFile& file : figure_files()) {
    const bool has_file = std::find(kind.endings.begin(), kind.endings.end(), file.ending) != kind.endings.end();
    if (has_file && !file.is_for_programs && file.is_drawn == is_drawn) endings.emplace_back(file.ending.substr(1));
  }
  return endings;
}

/// A row of endings; another row may hold the chosen one.
void draw_endings(const Look& look, const char* label, const char* help, const std::vector<std::string>& endings, ExportChoice& choice) {
  if (endings.empty()) return;
  const auto known = std::find(endings.begin(), endings.end(), choice.ending);
  int ending = known == endings.end() ? -1 : static_cast<int>(known - endings.begin());
  if (segmented(look, begin_row(look, label, help, 36), "Format", endings, ending))
    choice.ending = endings[static_cast<std::size_t>(ending)];
}

void draw_format_choice(const Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  const std::vector<std::string> drawn = offered_endings(*choice.kind, true), numbers = offered_endings(*choice.kind, false);
  if (file_of_figure(*choice.kind, "figure." + choice.ending) == nullptr) choice.ending = drawn.front();
  draw_endings(look, "Format",
               "png has pixels; svg and pdf stay sharp at any size; html is a page of its own that tells the value under the pointer. "
               "All of them say how they were made: `headlight verify` makes them again and compares.",
               drawn, choice);
  draw_endings(look, "or its numbers",
               "csv and tsv are tables; npy, npz and safetensors are arrays. npz and safetensors also hold tokens and texts, and how they "
               "were made.",
               numbers, choice);
  const FigureFile& file = *file_of_figure(*choice.kind, "figure." + choice.ending);
  if (file.has_text_cells) {
    on_off(look,
           begin_row(look, "Safe for spreadsheets",
                     "Puts an apostrophe before every token that a spreadsheet would take for a formula, such as =1+1 or @, and says so in "
                     "the header. "
                     "Off: tokens are written unchanged, for programs that read the file.",
                     36),
           "Safe for spreadsheets", choice.is_spreadsheet_safe);
  }
  if (!file.is_drawn && !panel.draft.style.hidden.is_empty()) {
    paragraph(look, Type::caption, look.colours.text_second,
              "The numbers are the true weights: hidden keys are left out of drawings alone.");
  }
  if (!file.is_drawn) return;
  const std::array<std::string, 2> themes{"dark", "light"};
  int theme = static_cast<int>(choice.theme.value_or(panel.draft.style.theme));
  if (segmented(look, begin_row(look, "Theme of the figure", nullptr, 36), "Figure theme", themes, theme))
    choice.theme = static_cast<Theme>(theme);
}

void start_export(const Panel& panel, ExportChoice& choice) {
  panel.context.session.exporter().start(panel.snapshot, figure_to_export(panel, choice), target(panel, choice));
  choice.started = target(panel, choice);
}

constexpr const char* kReplace = "Replace file";

void draw_result(const Panel& panel, const ExportChoice& choice) {
  const Look& look = panel.look;
  const ExportStatus status = panel.context.session.exporter().status();
  if (choice.asked == target(panel, choice)) {
    draw_replace_question(look, target(panel, choice), kReplace);
  } else if (status.is_busy) {
    paragraph(look, Type::body, look.colours.text_second, "Writing …");
  } else if (status.finished > choice.finished_before && choice.started == target(panel, choice)) {
    paragraph(look, Type::body, status.is_failure ? look.colours.bad : look.colours.good, status.message);
  } else {
    paragraph(look, Type::caption, look.colours.text_second, printable(target(panel, choice).string(), 400));
  }
}

}  // namespace

FigureRequest figure_to_export(const Panel& panel, const ExportChoice& choice) {
  FigureRequest request = shown_figure(panel, *choice.kind);
  if (drop_missing_heads(panel, request.heads)) request.difference.reset();  // the pair was chosen among all heads
  request.is_spreadsheet_safe = choice.is_spreadsheet_safe;
  set_theme(request.style, choice.theme.value_or(request.style.theme));
  return request;
}

void draw_export_dialog(Panel& panel, ExportChoice& choice) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  if (!panel.has_picture()) view.dialogs.figure_export = false;
  if (!begin_dialog(look, "Export a figure", 520, view.dialogs.figure_export)) return;
  if (ImGui::IsWindowAppearing()) {
    choice.finished_before = panel.context.session.exporter().status().finished;
    choice.asked.clear();
    choice.kind = kind_of_view(panel);
  }
  draw_figure_choice(panel, choice);
  draw_format_choice(panel, choice);
  const Row row = begin_row(look, "File", nullptr, 36);
  const float left = row.left + look.px(kControlColumn);
  const std::string placeholder = default_name(panel, choice);
  text_box(look, "File", placeholder.c_str(), choice.path, {left, row.top + look.px(kInside)}, row.right - left, kRow);
  gap(look, kInside);
  draw_result(panel, choice);
  gap(look, 12);
  const Row buttons = begin_row(look, "", nullptr, 32);
  const char* const button = choice.asked == target(panel, choice) ? kReplace : "Write file";
  const float width = button_width(look, button);
  const bool is_pressed = main_button(look, button, {buttons.right - width, buttons.top}, {width, buttons.height});
  if (is_pressed && may_write(target(panel, choice), choice.asked)) start_export(panel, choice);
  end_dialog(view.dialogs.figure_export);
}

}  // namespace headlight

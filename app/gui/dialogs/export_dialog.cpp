#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "app/document/wording.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/dialogs.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Kind = FigureRequest::Kind;

std::string with_dashes(std::string name) {
  std::replace(name.begin(), name.end(), '.', '-');
  return name;
}

std::string default_name(const Panel& panel) {
  const HeadId head = panel.view.head;
  switch (panel.view.export_choice.kind) {
    case Kind::heatmap:
      return "head-" + with_dashes(panel.snapshot ? short_name(*panel.snapshot, head) : short_name(head));
    case Kind::grid:
      return "heads";
    case Kind::compare:
      return "compare";
  }
  return "figure";
}

/// Where the file goes: the typed path with the chosen ending, or a name made from the figure.
fs::path target(const Panel& panel) {
  const ExportChoice& choice = panel.view.export_choice;
  fs::path path = choice.path.empty() ? fs::path(default_name(panel)) : fs::path(choice.path);
  const std::string ending = "." + choice.ending;
  if (path.extension() != ending) path += ending;
  std::error_code failure;
  return path.is_absolute() ? path : fs::current_path(failure) / path;
}

/// The pinned heads that the shown model has.
std::vector<HeadId> pins_in_reach(const Panel& panel) {
  std::vector<HeadId> pins = panel.draft.pins;
  std::erase_if(pins, [&](HeadId head) { return !panel.snapshot->contains(head); });
  return pins;
}

/// That of the view, where there is something to draw of it.
Kind kind_of_view(const Panel& panel) {
  if (panel.view.view == View::compare && !pins_in_reach(panel).empty()) return Kind::compare;
  return panel.view.view == View::overview ? Kind::grid : Kind::heatmap;
}

void draw_figure_choice(Panel& panel) {
  const Look& look = panel.look;
  ExportChoice& choice = panel.view.export_choice;
  const std::size_t pins = pins_in_reach(panel).size();
  if (pins == 0 && choice.kind == Kind::compare) choice.kind = kind_of_view(panel);
  std::vector<std::string> kinds{"heatmap", "grid"};
  if (pins > 0) kinds.emplace_back("compare");
  int kind = static_cast<int>(choice.kind);
  if (segmented(look, begin_row(look, "Figure", nullptr, 36), "Figure", kinds, kind)) choice.kind = static_cast<Kind>(kind);
  std::string what;
  switch (choice.kind) {
    case Kind::heatmap:
      what = fmt::format("{}, {}, with labels", head_title(*panel.snapshot, panel.view.head),
                         name_of(panel.view.view == View::head ? panel.view.stage : Stage::weights));
      break;
    case Kind::grid:
      what = fmt::format("All {} heads", panel.snapshot->layers() * panel.snapshot->heads());
      break;
    case Kind::compare:
      what = pins == 1 ? "The pinned head" : fmt::format("The {} pinned heads side by side", pins);
      break;
  }
  text_line(look, Type::caption, look.colours.text_second, what);
  if (pins == 0) {
    paragraph(look, Type::caption, look.colours.text_second,
              "A comparison needs pinned heads: ctrl-click maps in Overview, or press space while a head is shown.");
  }
  gap(look, kInside);
}

void draw_format_choice(Panel& panel) {
  const Look& look = panel.look;
  ExportChoice& choice = panel.view.export_choice;
  const std::array<std::string, 5> endings{"png", "svg", "pdf", "csv", "npy"};
  int ending = 0;
  for (std::size_t i = 0; i < endings.size(); ++i) {
    if (endings[i] == choice.ending) ending = static_cast<int>(i);
  }
  const Row row = begin_row(look, "Format", "png, svg and pdf hold the figure; csv and npy the numbers behind it.", 36);
  if (segmented(look, row, "Format", endings, ending)) choice.ending = endings[static_cast<std::size_t>(ending)];
  if (choice.ending == "csv") {
    on_off(look,
           begin_row(
               look, "Safe for spreadsheets",
               "An apostrophe before every token that a spreadsheet would take for a formula, such as =1+1 or @, and the header says so. "
               "Off: tokens stay as they are, for programs that read the file.",
               36),
           "Safe for spreadsheets", choice.is_spreadsheet_safe);
  }
  if (choice.ending == "csv" || choice.ending == "npy") return;
  const std::array<std::string, 2> themes{"dark", "light"};
  int theme = static_cast<int>(choice.theme.value_or(panel.draft.style.theme));
  if (segmented(look, begin_row(look, "Theme of the figure", nullptr, 36), "Figure theme", themes, theme))
    choice.theme = static_cast<Theme>(theme);
}

void start_export(Panel& panel) {
  const ExportChoice& choice = panel.view.export_choice;
  FigureRequest request;
  request.kind = choice.kind;
  request.head = panel.view.head;
  request.heads = pins_in_reach(panel);
  if (choice.kind == Kind::heatmap && panel.view.view == View::head) request.stage = panel.view.stage;
  request.style = panel.draft.style;
  request.is_spreadsheet_safe = choice.ending == "csv" && choice.is_spreadsheet_safe;
  set_theme(request.style, choice.theme.value_or(request.style.theme));
  panel.context.session.exporter().start(panel.snapshot, std::move(request), target(panel));
  panel.view.export_choice.started = target(panel);
}

constexpr const char* kReplace = "Replace file";

void draw_result(const Panel& panel) {
  const Look& look = panel.look;
  const ExportStatus status = panel.context.session.exporter().status();
  if (panel.view.export_choice.asked == target(panel)) {
    draw_replace_question(look, target(panel), kReplace);
  } else if (status.is_busy) {
    paragraph(look, Type::body, look.colours.text_second, "Writing …");
  } else if (status.finished > panel.view.dismissed_export && panel.view.export_choice.started == target(panel)) {
    paragraph(look, Type::body, status.is_failure ? look.colours.bad : look.colours.good, status.message);
  } else {
    paragraph(look, Type::caption, look.colours.text_second, printable(target(panel).string(), 400));
  }
}

}  // namespace

void draw_export_dialog(Panel& panel) {
  const Look& look = panel.look;
  ViewState& view = panel.view;
  if (!panel.has_picture()) view.is_export_open = false;
  if (!begin_dialog(look, "Export a figure", 520, view.is_export_open)) return;
  if (ImGui::IsWindowAppearing()) {
    view.dismissed_export = panel.context.session.exporter().status().finished;
    view.export_choice.asked.clear();
    view.export_choice.kind = kind_of_view(panel);
  }
  draw_figure_choice(panel);
  draw_format_choice(panel);
  const Row row = begin_row(look, "File", nullptr, 36);
  const float left = row.left + look.px(kControlColumn);
  const std::string placeholder = default_name(panel);
  text_box(look, "File", placeholder.c_str(), view.export_choice.path, {left, row.top + look.px(kInside)}, row.right - left, kRow);
  gap(look, kInside);
  draw_result(panel);
  gap(look, 12);
  const Row buttons = begin_row(look, "", nullptr, 32);
  const char* const button = view.export_choice.asked == target(panel) ? kReplace : "Write file";
  const float width = button_width(look, button);
  const bool is_pressed = main_button(look, button, {buttons.right - width, buttons.top}, {width, buttons.height});
  if (is_pressed && may_write(target(panel), view.export_choice.asked)) start_export(panel);
  end_dialog(view.is_export_open);
}

}  // namespace headlight

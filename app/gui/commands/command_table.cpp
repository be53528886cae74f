// The program's own commands, a row each.
#include <algorithm>
#include <array>

#include "app/document/subjects.h"
#include "app/gui/commands/commands.h"
#include "app/gui/commands/lesson_commands.h"
#include "app/gui/finding/asking.h"
#include "app/gui/panel/choices.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/shell/shell.h"

namespace headlight {
namespace {

std::string without_picture(const Panel& panel) {
  return panel.has_picture() ? "" : "There is no picture yet.";
}

std::string without_model(const Panel& panel) {
  return panel.snapshot ? "" : "The model is not open yet.";
}

std::string without_texts_to_measure(const Panel& panel) {
  if (panel.is_dump()) return "The maps come from a file, which has no other texts.";
  return without_picture(panel);
}

std::string without_corpus(const Panel& panel) {
  const std::shared_ptr<const MeasuredCorpus>& shown = panel.context.session.corpora().shown();
  return shown && shown->stored ? "" : "No texts were measured yet.";
}

std::string without_edits(const Panel& panel) {
  const Session& session = panel.context.session;
  if (session.history().can_undo()) return {};
  return session.lessons().is_taken() ? "There is nothing to undo in this step." : "Nothing was edited yet.";
}

std::string without_redo(const Panel& panel) {
  return panel.context.session.history().can_redo() ? "" : "Nothing was undone.";
}

std::string in_lesson(const Panel& panel) {
  return panel.context.session.lessons().is_taken() ? "Leave the lesson first: its step would be saved in place of your document." : "";
}

std::string without_sandbox(const Panel& panel) {
  return panel.is_sandbox() ? "" : "Only the sandbox has numbers that can be set.";
}

std::string without_text(const Panel& panel) {
  return panel.is_dump() ? "These maps come from a file: their text cannot be changed." : "";
}

std::string without_room_for_text(const Panel& panel) {
  const std::string problem = without_text(panel);
  return problem.empty() ? why_no_more_texts(panel.draft) : problem;
}

/// The next head or layer, as far as there is one.
void step_head(Panel& panel, int layers, int heads) {
  HeadId& head = panel.view.head;
  head.layer = std::clamp(head.layer + layers, 0, std::max(0, panel.snapshot->layers() - 1));
  head.head = std::clamp(head.head + heads, 0, std::max(0, panel.snapshot->heads(head.layer) - 1));
}

/// What Esc does: one thing at a time.
void release(Panel& panel) {
  ViewState& view = panel.view;
  if (is_framing(panel)) {
    if (!view.finding.query) view.painting.brush = Brush::off;  // what was framed stays
    view.finding.query.reset();
    return;
  }
  if (view.pinned_query) {
    view.pinned_query.reset();
    return;
  }
  if (view.labs_page.toy_query) {
    view.labs_page.toy_query.reset();
    return;
  }
  if (!view.brushed.empty()) {
    view.brushed.clear();
    return;
  }
  view.painting.brush = Brush::off;
  view.shell.is_presenting = false;
}

void open(bool& dialog) {
  dialog = true;
}

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;
using enum CommandGroup;

constexpr std::array kCommands{
    WindowCommand{.name = "New",
                  .group = document,
                  .words = "document empty",
                  .keys = {kCtrl | ImGuiKey_N},
                  .act = want_new_document,
                  .is_in_menu = true},
    WindowCommand{.name = "Open …",
                  .group = document,
                  .words = "document file recent",
                  .keys = {kCtrl | ImGuiKey_O},
                  .act = [](Panel& panel) { open(panel.view.dialogs.document_open); },
                  .is_in_menu = true},
    WindowCommand{.name = "Save",
                  .group = document,
                  .words = "document write",
                  .keys = {kCtrl | ImGuiKey_S},
                  .act = save_document,
                  .why_not = in_lesson,
                  .is_in_menu = true},
    WindowCommand{.name = "Save as …",
                  .group = document,
                  .words = "document write copy name",
                  .keys = {kCtrl | kShift | ImGuiKey_S},
                  .act = [](Panel& panel) { open(panel.view.dialogs.document_save); },
                  .why_not = in_lesson,
                  .is_in_menu = true},
    WindowCommand{.name = "Export a figure …",
                  .group = document,
                  .words = "write file png svg pdf csv numbers image picture",
                  .keys = {kCtrl | ImGuiKey_E},
                  .act =
                      [](Panel& panel) {
                        if (panel.view.pointed.word) panel.view.dialogs.asked_figure = kTextFigure.name;
                        open(panel.view.dialogs.figure_export);
                      },
                  .why_not = without_picture,
                  .is_in_menu = true},
    WindowCommand{.name = "Choose a model …",
                  .group = document,
                  .words = "open import hub download folder gguf maps",
                  .act = [](Panel& panel) { open(panel.view.dialogs.model_picker); }},
    WindowCommand{.name = "Measure many texts …",
                  .group = document,
                  .words = "all heads over many texts import corpus study file of texts sentences txt csv jsonl statistics mean repeated "
                           "random tokens induction copying prefix",
                  .act = [](Panel& panel) { open(panel.view.dialogs.corpus); },
                  .why_not = without_texts_to_measure,
                  .is_in_menu = true},
    WindowCommand{.name = "Save what was measured over texts …",
                  .group = document,
                  .words = "corpus study write csv jsonl npy sqlite table",
                  .act = [](Panel& panel) { open(panel.view.dialogs.corpus_save); },
                  .why_not = without_corpus},
    WindowCommand{.name = "Import scores of heads …",
                  .group = document,
                  .words = "own columns csv table measures add file",
                  .act =
                      [](Panel& panel) {
                        panel.view.view = View::measures;
                        panel.view.measures.wants_choice = true;
                      },
                  .why_not = without_picture},
    WindowCommand{.name = "About this model …",
                  .group = document,
                  .words = "card sizes parameters memory",
                  .act = [](Panel& panel) { open(panel.view.dialogs.model_card); },
                  .why_not = without_model},
    WindowCommand{.name = "Performance …",
                  .group = document,
                  .words = "time memory stages layers cache frame slow fast milliseconds cost",
                  .act = [](Panel& panel) { open(panel.view.dialogs.performance); }},
    WindowCommand{.name = "Quit",
                  .group = document,
                  .words = "close exit end",
                  .keys = {kCtrl | ImGuiKey_Q},
                  .act = [](Panel& panel) { panel.context.wants_to_close = true; },
                  .works_over_dialogs = true},

    WindowCommand{.name = "Undo",
                  .group = edit,
                  .words = "take back",
                  .keys = {kCtrl | ImGuiKey_Z},
                  .act = [](Panel& panel) { panel.wants_undo = true; },
                  .why_not = without_edits,
                  .repeats = true},
    WindowCommand{.name = "Redo",
                  .group = edit,
                  .keys = {kCtrl | kShift | ImGuiKey_Z, kCtrl | ImGuiKey_Y},
                  .act = [](Panel& panel) { panel.wants_redo = true; },
                  .why_not = without_redo,
                  .repeats = true},
    WindowCommand{.name = "Type a sentence",
                  .group = edit,
                  .words = "text write",
                  .keys = {kCtrl | ImGuiKey_L},
                  .act = [](Panel& panel) { panel.wants_sentence_focus = true; },
                  .why_not = without_text},
    WindowCommand{.name = "Add a text beside this one",
                  .group = edit,
                  .words = "second sentence subject",
                  .act = [](Panel& panel) { add_copy(panel.draft); },
                  .why_not = without_room_for_text},
    WindowCommand{.name = "Set or clear the baseline",
                  .group = edit,
                  .words = "before difference keep",
                  .keys = {ImGuiKey_B},
                  .act = toggle_baseline,
                  .why_not = without_picture},
    WindowCommand{.name = "Pin the head for Compare, or unpin it",
                  .group = edit,
                  .words = "side by side",
                  .keys = {ImGuiKey_Space},
                  .act = [](Panel& panel) { toggle_pin(panel.draft, panel.view.head); },
                  .why_not = without_picture},
    WindowCommand{.name = "Mask to or from a file …",
                  .group = edit,
                  .words = "npy txt png",
                  .act = [](Panel& panel) { open(panel.view.dialogs.mask_file); },
                  .why_not = without_picture},
    WindowCommand{.name = "Edit the sandbox's numbers …",
                  .group = edit,
                  .words = "parameters weights matrix",
                  .act = [](Panel& panel) { open(panel.view.dialogs.parameters); },
                  .why_not = without_sandbox},

    WindowCommand{.name = "Which head does this? …",
                  .words = "find rank search pattern previous induction duplicate relation frame paint question",
                  .keys = {kCtrl | ImGuiKey_F},
                  .act = show_finding,
                  .why_not = without_picture},
    WindowCommand{.name = "More like this head",
                  .words = "similar alike jensen shannon cosine same",
                  .act =
                      [](Panel& panel) {
                        ask_alike(panel, panel.view.head);
                        show_finding(panel);
                      },
                  .why_not = without_picture},

    WindowCommand{.name = "Head before",
                  .words = "left previous",
                  .keys = {ImGuiKey_LeftArrow, kCtrl | ImGuiKey_LeftArrow},
                  .act = [](Panel& panel) { step_head(panel, 0, -1); },
                  .why_not = without_picture,
                  .repeats = true},
    WindowCommand{.name = "Next head",
                  .words = "right",
                  .keys = {ImGuiKey_RightArrow, kCtrl | ImGuiKey_RightArrow},
                  .act = [](Panel& panel) { step_head(panel, 0, 1); },
                  .why_not = without_picture,
                  .repeats = true},
    WindowCommand{.name = "Layer above",
                  .words = "up previous",
                  .keys = {ImGuiKey_UpArrow, kCtrl | ImGuiKey_UpArrow},
                  .act = [](Panel& panel) { step_head(panel, -1, 0); },
                  .why_not = without_picture,
                  .repeats = true},
    WindowCommand{.name = "Layer below",
                  .words = "down next",
                  .keys = {ImGuiKey_DownArrow, kCtrl | ImGuiKey_DownArrow},
                  .act = [](Panel& panel) { step_head(panel, 1, 0); },
                  .why_not = without_picture,
                  .repeats = true},
    WindowCommand{.name = "Copy the cell, the row or the map",
                  .group = edit,
                  .words = "clipboard tsv numbers table spreadsheet",
                  .keys = {kCtrl | ImGuiKey_C},
                  .act = [](Panel& panel) { panel.wants_copy = true; },
                  .why_not = without_picture},
    WindowCommand{.name = "Menu of what is selected",
                  .group = edit,
                  .words = "context right click explain mask switch off",
                  .keys = {kShift | ImGuiKey_F10, ImGuiKey_Menu},
                  .act = [](Panel& panel) { panel.wants_menu = true; },
                  .why_not = without_picture},
    WindowCommand{.name = "Explain this",
                  .group = edit,
                  .words = "words sentence why say describe cell row head numbers",
                  .keys = {kCtrl | ImGuiKey_I},
                  .act = [](Panel& panel) { panel.wants_explanation = true; },
                  .why_not = without_picture},
    WindowCommand{
        .name = "Release the row or the brush", .words = "escape unpin stop end presenting", .keys = {ImGuiKey_Escape}, .act = release},

    WindowCommand{.name = "Command palette …",
                  .group = window,
                  .words = "find search go to",
                  .keys = {kCtrl | ImGuiKey_P},
                  .act = [](Panel& panel) { open(panel.view.dialogs.palette); },
                  .is_in_menu = true,
                  .is_in_palette = false},
    WindowCommand{.name = "Show or hide the left rail",
                  .group = window,
                  .words = "fold sidebar panels",
                  .keys = {kCtrl | ImGuiKey_B},
                  .act = [](Panel& panel) { turn(panel.view.shell.left, panel.left_form); }},
    WindowCommand{.name = "Show or hide the inspector",
                  .group = window,
                  .words = "fold right rail drawer numbers",
                  .keys = {kCtrl | ImGuiKey_J},
                  .act = [](Panel& panel) { turn(panel.view.shell.right, panel.right_form); }},
    WindowCommand{.name = "Larger",
                  .group = window,
                  .words = "zoom in scale bigger",
                  .keys = {kCtrl | ImGuiKey_Equal, kCtrl | kShift | ImGuiKey_Equal, kCtrl | ImGuiKey_KeypadAdd},
                  .act = [](Panel& panel) { zoom_by(panel.view.shell, 1); },
                  .repeats = true,
                  .works_over_dialogs = true},
    WindowCommand{.name = "Smaller",
                  .group = window,
                  .words = "zoom out scale",
                  .keys = {kCtrl | ImGuiKey_Minus, kCtrl | kShift | ImGuiKey_Minus, kCtrl | ImGuiKey_KeypadSubtract},
                  .act = [](Panel& panel) { zoom_by(panel.view.shell, -1); },
                  .repeats = true,
                  .works_over_dialogs = true},
    WindowCommand{.name = "Usual size",
                  .group = window,
                  .words = "zoom reset scale 100",
                  .keys = {kCtrl | ImGuiKey_0, kCtrl | ImGuiKey_Keypad0},
                  .act = [](Panel& panel) { panel.view.shell.zoom = 1; },
                  .works_over_dialogs = true},
    WindowCommand{.name = "Present",
                  .group = window,
                  .words = "projector full large type",
                  .keys = {ImGuiKey_F5, kShift | ImGuiKey_F5},
                  .act = [](Panel& panel) { panel.view.shell.is_presenting = !panel.view.shell.is_presenting; },
                  .works_over_dialogs = true,
                  .is_in_menu = true},
    WindowCommand{.name = "Take a lesson …",
                  .group = window,
                  .words = "learn teach tutorial tour course class guess explain",
                  .keys = {ImGuiKey_F2},
                  .act = [](Panel& panel) { open(panel.view.dialogs.lessons); },
                  .is_in_menu = true},
    WindowCommand{.name = "Settings …",
                  .group = window,
                  .words = "preferences options size theme motion memory frame time",
                  .keys = {kCtrl | ImGuiKey_Comma},
                  .act = [](Panel& panel) { open(panel.view.dialogs.settings); },
                  .is_in_menu = true},
    WindowCommand{.name = "Help",
                  .group = window,
                  .words = "keys shortcuts pointer",
                  .keys = {ImGuiKey_F1},
                  .act = [](Panel& panel) { panel.view.dialogs.help = !panel.view.dialogs.help; },
                  .works_over_dialogs = true,
                  .is_in_menu = true},
};

void add_rows(const Panel& panel, std::span<const WindowCommand> rows, const char* note, std::vector<Offer>& offers) {
  for (const WindowCommand& row : rows) {
    if (!row.is_in_palette) continue;
    offers.push_back({.name = row.name,
                      .note = note,
                      .words = row.words,
                      .keys = keys_text(row.keys[0]),
                      .why_not = why_not(panel, row),
                      .act = row.act});
  }
}

}  // namespace

std::span<const WindowCommand> window_commands() {
  return kCommands;
}

std::string why_not(const Panel& panel, const WindowCommand& row) {
  return row.why_not ? row.why_not(panel) : std::string();
}

void give(Panel& panel, const WindowCommand& row) {
  if (why_not(panel, row).empty()) row.act(panel);
}

void add_commands(const Panel& panel, std::vector<Offer>& offers) {
  for (std::size_t place = 0; place < panel.views.size(); ++place) {
    const View view = panel.views[place].view;
    offers.push_back({.name = panel.views[place].title,
                      .note = "view",
                      .words = panel.views[place].words,
                      .keys = keys_text(key_of_view(place)),
                      .act = [view](Panel& here) { here.view.view = view; }});
  }
  add_rows(panel, lesson_commands(panel), "lesson", offers);
  if (const ViewRow* shown = panel.shown_view()) add_rows(panel, shown->commands, shown->title, offers);
  add_rows(panel, window_commands(), "", offers);
  for (const ViewRow& row : panel.views) {
    if (row.add_places) row.add_places(panel, offers);
  }
}

}  // namespace headlight

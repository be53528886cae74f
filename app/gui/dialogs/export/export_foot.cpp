// The command line, the file, and the button that writes it.
#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/dialogs/export/export_parts.h"
#include "app/gui/dialogs/export/export_series.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/shown_figure.h"
#include "app/recipe/command_text.h"
#include "app/recipe/found/find_effects.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr float kFoot = 76, kLeastCommand = 52, kMostCommand = 96, kCommandInset = 12;
constexpr const char* kReplace = "Replace file";

struct Message {
  std::string text;
  Colour colour;
};

/// The file that the button would write first.
fs::path first_target(const Panel& panel, const ExportChoice& choice) {
  if (choice.task == ExportTask::sweep) return first_of_sweep(panel, choice, chosen_sweep(panel, choice));
  return choice.task == ExportTask::texts ? folder_of_texts(choice) : target_of(panel, choice);
}

/// A key is typed that the text does not have.
bool is_key_missing(const Panel& panel, const ExportChoice& choice) {
  if (choice.key.empty() || choice.task == ExportTask::texts) return false;
  const Encoding* const keys = keys_to_mark(panel, shown_figure(panel, *choice.kind));
  return keys != nullptr && !typed_key(choice, *keys);
}

/// Why the button does nothing, as a sentence; empty: it writes.
std::string why_not(const Panel& panel, const ExportChoice& choice) {
  if (is_key_missing(panel, choice)) return "The marked key does not exist.";
  if (choice.task == ExportTask::figure) return {};
  if (panel.context.session.figure_series().is_under_way()) return "Other figures are being made.";
  return choice.task == ExportTask::sweep ? chosen_sweep(panel, choice).problem : why_no_texts(panel, choice);
}

/// What there is to say of writing; empty: nothing.
Message message_of(const Panel& panel, const ExportChoice& choice) {
  const Look& look = panel.look;
  const fs::path target = first_target(panel, choice);
  const ExportStatus status = panel.context.session.exporter().status();
  if (!choice.asked.empty() && choice.asked == target) return {replace_question(target, kReplace), look.colours.bad};
  if (choice.task != ExportTask::figure) return {"", look.colours.text};
  if (status.is_busy) return {"Writing …", look.colours.text_second};
  if (status.finished > choice.finished_before && choice.started == target)
    return {status.message, status.is_failure ? look.colours.bad : look.colours.good};
  return {"", look.colours.text};
}

/// What writes the file that is set, or, where no option says a part of the figure, makes it again from that file.
std::string command_line(const Panel& panel, const ExportChoice& choice, const FigurePreview& preview) {
  if (choice.task == ExportTask::texts) return preview.command ? *preview.command + texts_options(choice) : std::string();
  const std::string file = shell_quoted(typed_target(panel, choice));
  if (preview.command) return *preview.command + " -o " + file;
  if (!preview.question.file->has_record) return {};
  return "headlight export --document " + file + " -o " + shell_quoted("again." + choice.ending);
}

void copy_command(ExportChoice& choice, const std::string& command) {
  ImGui::SetClipboardText(command.c_str());
  choice.copied = command;
}

/// Lists without blanks are broken after their commas.
void add_pieces(std::vector<Span>& spans, std::string_view words, Colour colour) {
  while (!words.empty()) {
    const std::size_t comma = words.find(','), end = comma == std::string_view::npos ? words.size() : comma + 1;
    spans.push_back({std::string(words.substr(0, end)), colour, Type::number});
    words.remove_prefix(end);
  }
}

/// The command, or why there is none.
std::vector<Span> command_spans(const Look& look, const ExportChoice& choice, const std::string& command, bool is_whole) {
  if (command.empty()) {
    const char* const none =
        choice.task == ExportTask::texts
            ? "No single command makes these figures: one command has one choice of heads for all of them. One figure alone has a command."
            : "No command makes this file: some of what it shows has no option, and this format does not say how it was made.";
    return {{none, look.colours.text_second, Type::caption}};
  }
  constexpr std::size_t kName = std::string_view("headlight export").size();
  std::vector<Span> spans{{command.substr(0, kName), look.colours.accent, Type::number}};
  add_pieces(spans, std::string_view(command).substr(kName), look.colours.text);
  if (!is_whole)
    spans.push_back({"   (makes it again from the written file, which holds what has no option)", look.colours.text_second, Type::caption});
  return spans;
}

float copy_width(const Look& look) {
  return std::max(button_width(look, "Copied"), button_width(look, "Copy"));
}

/// As high as the command needs it, up to four lines; the rest scrolls.
float command_height(const Look& look, std::span<const Span> spans, float width) {
  const float room = width - copy_width(look) - 3 * look.px(kCommandInset);
  return std::clamp(paragraph_height(look, spans, room) + 2 * look.px(kInside), look.px(kLeastCommand), look.px(kMostCommand));
}

void draw_command(const Look& look, ExportChoice& choice, const ExportCommand& command, const Box& box) {
  fill(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.ground);
  outline(look, {box.x, box.y}, {box.right(), box.bottom()}, look.colours.line);
  const char* const word = !command.text.empty() && choice.copied == command.text ? "Copied" : "Copy";
  const float button = copy_width(look), inset = look.px(kCommandInset);
  ImGui::SetCursorScreenPos({box.x + inset, box.y + look.px(kInside)});
  ImGui::BeginChild("command", {box.width - button - 3 * inset, box.height - 2 * look.px(kInside)}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoBackground);
  paragraph(look, command.spans);
  ImGui::EndChild();
  const float height = look.px(kRow);
  const ImVec2 at{box.right() - button - inset, box.y + (box.height - height) / 2};
  const bool is_pressed = quiet_button(look, word, at, {button, height}, !command.text.empty());
  hint(look, "ctrl+C");
  const bool is_key = ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C) && !ImGui::GetIO().WantTextInput;
  if ((is_pressed || is_key) && !command.text.empty()) copy_command(choice, command.text);
}

/// The folders around the file, over `above`; body(pressed) is told what was pressed in them, if anything was.
template <typename Body>
void draw_folder_popup(const Look& look, ExportChoice& choice, ImVec2 above, const Body& body) {
  ImGui::SetNextWindowPos(above, ImGuiCond_Always, {0, 1});
  ImGui::SetNextWindowSize({look.px(480), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(kBetween), look.px(kBetween)));
  if (begin_popup("Folders")) {
    const fs::path before = choice.listing.folder;
    const auto pressed = draw_file_browser(look, choice.listing, choice.listing.figures, "figures", 9);
    body(choice.listing.folder != before, pressed);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

/// One that is pressed becomes the file's, and a file its name.
void draw_folders(const Panel& panel, ExportChoice& choice, ImVec2 above) {
  draw_folder_popup(panel.look, choice, above, [&](bool is_other_folder, const std::optional<fs::path>& pressed) {
    const std::string name = fs::path(typed_target(panel, choice)).filename().string();
    if (is_other_folder) choice.path = (choice.listing.folder / name).string();
    if (!pressed) return;
    choice.path = pressed->string();
    const std::string ending = pressed->extension().string().substr(1);
    if (file_of_figure(*choice.kind, *pressed) != nullptr) choice.ending = ending;
    ImGui::CloseCurrentPopup();
  });
}

/// The same for a folder that the figures of many texts go to.
void draw_folders_of_texts(const Panel& panel, ExportChoice& choice, ImVec2 above) {
  draw_folder_popup(panel.look, choice, above, [&](bool is_other_folder, const std::optional<fs::path>& /*pressed*/) {
    const std::string name = folder_of_texts(choice).filename().string();
    if (is_other_folder) choice.batch.folder = (choice.listing.folder / name).string();
  });
}

void start_export(const Panel& panel, ExportChoice& choice) {
  FigureSeries& series = panel.context.session.figure_series();
  if (choice.task == ExportTask::texts) return series.start(texts_order(panel, choice));
  if (choice.task == ExportTask::sweep) return series.start(sweep_order(panel, choice, chosen_sweep(panel, choice)));
  FigureRequest request = figure_to_export(panel, choice);
  const std::shared_ptr<const Snapshot> run = run_of_figure(panel.snapshot, request, measured_in_figure(panel, request));
  panel.context.session.exporter().start(run, std::move(request), target_of(panel, choice), output_of(choice.page));
  choice.started = target_of(panel, choice);
}

/// Enter while nothing in the dialog has the keyboard; where something has, it is pressed.
bool is_enter_for_dialog() {
  return ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) && !ImGui::GetIO().NavVisible && !ImGui::GetIO().WantTextInput &&
         ImGui::IsKeyPressed(ImGuiKey_Enter, false);
}

const char* write_label(const Panel& panel, const ExportChoice& choice) {
  if (!choice.asked.empty() && choice.asked == first_target(panel, choice)) return kReplace;
  if (choice.task == ExportTask::texts) return "Make all";
  if (choice.task == ExportTask::sweep) return choice.ending == "html" ? "Write page" : "Write files";
  return "Write file";
}

/// The box of the file or the folder, and what opens the folders around. Returns where the row goes on; `is_returned`: Enter was pressed.
float draw_place(Panel& panel, ExportChoice& choice, const Box& row, float room, bool& is_returned) {
  const Look& look = panel.look;
  const bool is_folder = choice.task == ExportTask::texts;
  const float choose = button_width(look, "Choose …"), gap = look.px(12), left = row.x + look.px(is_folder ? 52 : 36);
  const float width = std::min(look.px(420), room - (left - row.x) - choose - gap);
  draw_text(look, row.x, row.y + row.height / 2, Type::body, look.colours.text_second, is_folder ? "Folder" : "File");
  const std::string placeholder = !is_folder                  ? usual_name(panel, choice)
                                  : choice.batch.path.empty() ? std::string("beside the texts")
                                                              : typed_folder(choice);
  text_box(look, is_folder ? "Folder" : "File", placeholder.c_str(), is_folder ? choice.batch.folder : choice.path, {left, row.y}, width,
           kRow);
  is_returned = is_entered();
  const ImVec2 button{left + width + gap, row.y};
  if (quiet_button(look, "Choose …", button, {choose, row.height})) {
    choice.listing = list_folders(is_folder ? folder_of_texts(choice).parent_path() : target_of(panel, choice).parent_path());
    ImGui::OpenPopup("Folders");
  }
  const ImVec2 above{button.x, button.y - look.px(kInside)};
  is_folder ? draw_folders_of_texts(panel, choice, above) : draw_folders(panel, choice, above);
  return button.x + choose + gap;
}

void draw_file(Panel& panel, ExportChoice& choice, const Box& row) {
  const Look& look = panel.look;
  const char* const write = write_label(panel, choice);
  const std::string problem = why_not(panel, choice);
  const float main = std::max(look.px(120), button_width(look, write)), gap = look.px(12);
  bool is_returned = false;
  const float words_left = draw_place(panel, choice, row, row.width - main - gap, is_returned);
  const float words_room = row.right() - main - gap - words_left;
  if (words_room > look.px(100)) {
    const std::string folder = "in " + printable(first_target(panel, choice).parent_path().string(), 400);
    const std::string words =
        problem.empty() ? elided_middle(look, Type::caption, folder, words_room) : elided(look, Type::caption, problem, words_room);
    draw_text(look, words_left, row.y + row.height / 2, Type::caption, look.colours.text_second, words);
  }
  const bool is_pressed = main_button(look, write, {row.right() - main, row.y}, {main, row.height}, problem.empty());
  const bool is_wanted = problem.empty() && (is_pressed || is_returned || is_enter_for_dialog());
  if (is_wanted && may_write(first_target(panel, choice), choice.asked)) start_export(panel, choice);
}

}  // namespace

ExportCommand command_of_export(const Panel& panel, const ExportChoice& choice, const FigurePreview* preview, float width) {
  if (preview == nullptr) return {{}, {}, panel.look.px(kLeastCommand)};
  ExportCommand command{command_line(panel, choice, *preview), {}, 0};
  command.spans = command_spans(panel.look, choice, command.text, preview->command.has_value());
  command.height = command_height(panel.look, command.spans, width);
  return command;
}

float export_foot_height(const Panel& panel, const ExportChoice& choice, const ExportCommand& command, float width) {
  const Message message = message_of(panel, choice);
  const float more = message.text.empty() ? 0 : paragraph_height(panel.look, Type::body, message.text, width) + panel.look.px(kUnit);
  const float series = series_height(panel);
  return panel.look.px(kFoot) + command.height + more + series;
}

void draw_export_foot(Panel& panel, ExportChoice& choice, const ExportCommand& command, const Box& box) {
  const Look& look = panel.look;
  if (!command.spans.empty()) draw_command(look, choice, command, {box.x, box.y + look.px(12), box.width, command.height});
  const float below = box.y + look.px(12 + kUnit) + command.height, series = series_height(panel);
  draw_series(panel, {box.x, below, box.width, series});
  const Message message = message_of(panel, choice);
  if (!message.text.empty()) {
    ImGui::SetCursorScreenPos({box.x, below + series});
    paragraph(look, Type::body, message.colour, message.text, box.width);
  }
  draw_file(panel, choice, {box.x, box.bottom() - look.px(20 + kRow), box.width, look.px(kRow)});
}

}  // namespace headlight

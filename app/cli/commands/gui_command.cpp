#include <algorithm>
#include <charconv>

#include "app/cli/commands/commands.h"
#include "app/cli/options/options.h"
#include "app/lessons/load_lessons.h"
#include "engine/formats/json.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr int kSmallest = 320, kLargest = 16384;  // sides of the window in pixels

struct GuiOptions {
  explicit GuiOptions(CLI::App& command) {
    command.add_option("path", window.open, "A document (*.headlight.json), a model, a file of attention maps or a study to open")
        ->type_name("PATH");
    command.add_option("--text-file", text_file, kTextFileHelp)->type_name("F");
    command.add_option("--size", size, "Size of the window in pixels: 1600x1000")->type_name("WxH");
    command.add_option("--ui-scale", window.scale, "Pixels per point; 0: the monitor's")
        ->check(CLI::Range(0.0, 8.0).description(""))
        ->type_name("X");
    command.add_option("--script", window.script, "Feed the window from a script, for tests and demos")->type_name("FILE");
    command
        .add_option("--lesson", window.lesson, "Take this lesson at once: one that `headlight lesson list` names, or a file of your own")
        ->type_name("NAME|FILE");
    command.add_option("--guesses", window.guesses, "Add every guess of a lesson to this CSV file, without names")->type_name("FILE");
    command.add_flag("--remember", window.remembers,
                     "Restore and save the session even with --script; otherwise a scripted window leaves the saved session alone");
    command.add_flag("--safe-mode", window.is_safe_mode,
                     "Start without the last document, view and recent models; the documents are kept and listed");
    add_item(command, window.item);
    command.add_option("--threads", window.threads, "Threads to compute with; 0: one per core")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
  }
  WindowOptions window;
  std::string size;
  std::optional<std::string> text_file;
};

void apply_size(const std::string& text, WindowOptions& window) {
  const char* end = text.data() + text.size();
  const auto [cross, width_problem] = std::from_chars(text.data(), end, window.width);
  const bool has_height = width_problem == std::errc{} && cross != end && *cross == 'x';
  const auto [rest, height_problem] = std::from_chars(has_height ? cross + 1 : end, end, window.height);
  const bool is_parsed = has_height && height_problem == std::errc{} && rest == end;
  const auto [shorter, longer] = std::minmax(window.width, window.height);
  if (is_parsed && shorter >= kSmallest && longer <= kLargest) return;
  refuse_option("--size", "this is not a size of a window", in_quotes(text), "WIDTHxHEIGHT such as 1600x1000");
}

/// Throws Error (usage) listing the available lessons, or what is wrong with the file.
void check_lesson(const std::string& name) {
  if (names_lesson(name)) return void(load_lesson(name));
  const Lessons all = load_lessons(lessons_folder());
  std::string names;
  for (const Lesson& lesson : all.lessons) {
    if (lesson.name == name) return;
    names += (names.empty() ? "" : ", ") + lesson.name;
  }
  refuse_option("--lesson", "unknown lesson", in_quotes(name), names.empty() ? "a lesson" : "a file NAME.lesson.json, or one of " + names);
}

int run_gui(const GuiOptions& options, const OpenWindow& open_window) {
  WindowOptions window = options.window;
  if (!options.size.empty()) apply_size(options.size, window);
  if (!window.lesson.empty()) check_lesson(window.lesson);
  if (!window.open.empty() && window.open != "sandbox" && !find_model(window.open)) {
    throw Error({.kind = ErrorKind::input,
                 .file = window.open,
                 .problem = "there is no such file, folder, model or subcommand",
                 .expected = "a document, a model, a study, or a subcommand",
                 .hint = "`headlight --help` lists the subcommands, `headlight models` the names of models"});
  }
  check_item(window.item, window.open);
  if (!open_window) {
    throw Error({.kind = ErrorKind::internal,
                 .problem = "this build of Headlight has no window",
                 .hint = "The command line works: `headlight --help`. Build with -DHEADLIGHT_WINDOW=ON for the window"});
  }
  if (options.text_file) window.text = read_given_text(*options.text_file);
  return open_window(window);
}

}  // namespace

void add_gui(CLI::App& command, Action& action, const OpenWindow& open_window) {
  keep_options<GuiOptions>(command, action, [open_window](const GuiOptions& options) { return run_gui(options, open_window); });
}

}  // namespace headlight

#include "app/cli/command_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

int fail(ErrorKind kind, const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return static_cast<int>(kind);
}

/// A write into a closed pipe or over a size limit is an error to report, not a signal to die of.
void ignore_write_signals() {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

/// What to parse: no arguments, or a path first, open the window.
std::vector<std::string> arguments_of(int argument_count, char** arguments, const CLI::App& program) {
  std::vector<std::string> result(arguments + 1, arguments + argument_count);
  const std::string first = result.empty() ? "" : result.front();
  const std::vector<const CLI::App*> commands = program.get_subcommands({});
  const bool is_for_program =
      first == "-h" || first == "--help" || first == "--version" ||
      std::any_of(commands.begin(), commands.end(), [&](const CLI::App* each) { return each->get_name() == first; });
  if (!is_for_program) result.insert(result.begin(), "gui");
  return result;
}

int run(int argument_count, char** arguments, const OpenWindow& open_window) {
  CLI::App program("Headlight shows what every attention head of a transformer does with a sentence.", "headlight");
  program.set_version_flag("--version", "headlight " HEADLIGHT_VERSION);
  program.require_subcommand(1);
  program.footer(
      "Without a subcommand, or with a document or model folder, the window opens.\n"
      "`headlight COMMAND --help` explains a command.\n\n"
      "Exit status: 0 done, 1 a fault of ours or no usable display, 2 usage, 3 input, 4 a write that failed, 5 network, 6 over a limit.");
  Action action;
  add_export(program, action);
  add_trace(program, action);
  add_attend(program, action);
  add_tokenize(program, action);
  add_predict(program, action);
  add_save(program, action);
  add_inspect(program, action);
  add_models(program, action);
  add_bench(program, action, open_window);
  add_gui(program, action, open_window);
  try {
    std::vector<std::string> parsed = arguments_of(argument_count, arguments, program);
    program.parse(std::vector<std::string>(parsed.rbegin(), parsed.rend()));  // CLI11 takes them from the back
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    write_result(chosen.empty() ? program.help() : chosen.front()->help(program.get_name()));
    return 0;
  } catch (const CLI::CallForVersion& version) {
    write_result(std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::ParseError& problem) {
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    const std::string command = chosen.empty() ? "headlight" : "headlight " + chosen.front()->get_name();
    return fail(ErrorKind::usage, fmt::format("{}: {}. See `{} --help`", command, printable(problem.what(), 600), command));
  }
  return action();
}

}  // namespace

int run_command_line(int argument_count, char** arguments, const OpenWindow& open_window) {
  ignore_write_signals();
  try {
    return run(argument_count, arguments, open_window);
  } catch (const Error& error) {
    return fail(error.kind(), error.message());
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::limit, "There is not enough free memory for this. Shorten the text or choose a smaller model");
  } catch (const std::exception& fault) {
    return fail(ErrorKind::internal, "A fault in Headlight: " + printable(fault.what(), 600));
  }
}

}  // namespace headlight

#include "app/cli/commands/command_line.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/no_memory.h"
#include "engine/core/error.h"
#include "engine/core/memory_reserve.h"
#include "engine/model/files/hub_cache.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

int fail(ErrorKind kind, const char* message) {
  std::fputs(message, stderr);
  std::fputc('\n', stderr);
  return static_cast<int>(kind);
}

/// A write into a closed pipe or over a size limit is an error to report; a signal must not end the program.
void ignore_write_signals() {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

/// How many letters must be changed, added, left out or swapped with their neighbour (Damerau 1964).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> steps(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& best = steps[i][j] = std::max(i, j);
      if (i == 0 || j == 0) continue;
      best = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) best = std::min(best, steps[i - 2][j - 2] + 1);
    }
  }
  return steps[a.size()][b.size()];
}

/// Whether a first word is for the window: an option, a file or folder, something written like one, or a model.
bool is_for_window(const std::string& word) {
  std::error_code ignored;
  if (word.empty() || word.starts_with('-') || word == "sandbox" || std::filesystem::exists(word, ignored)) return true;
  constexpr std::array<std::string_view, 7> kEndings = {".json", ".headlight", ".gguf", ".safetensors", ".npz", ".npy", ".study"};
  const std::string ending = std::filesystem::path(word).extension().string();
  const bool is_like_a_path =
      word.find_first_of("/\\") != std::string::npos || std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
  return is_like_a_path || find_model(word).has_value() || why_not_opened(hub_cache_folder(), word).has_value();
}

[[noreturn]] void refuse_command(const std::string& word, std::span<const CommandRow> commands) {
  constexpr std::size_t kLongestWord = 100;  // longer words are all equally far
  const std::string beginning = word.substr(0, kLongestWord);
  const auto nearest = std::min_element(commands.begin(), commands.end(), [&](const CommandRow& a, const CommandRow& b) {
    return distance(beginning, a.name) < distance(beginning, b.name);
  });
  std::vector<std::string_view> names;
  for (const CommandRow& command : commands) names.emplace_back(command.name);
  throw Error({.kind = ErrorKind::usage,
               .field = "\"" + printable(word, 60) + "\"",
               .problem = "unknown command",
               .expected = fmt::format("{}, or a document, a model or a file of maps to open", fmt::join(names, ", ")),
               .hint = fmt::format("The nearest is `headlight {}`; `headlight --help` explains them all", nearest->name)});
}

/// What to parse: no arguments, or something to open first, open the window. Throws Error (usage) for a word that is neither.
std::vector<std::string> arguments_of(int argument_count, char** arguments, std::span<const CommandRow> commands) {
  std::vector<std::string> result(arguments + 1, arguments + argument_count);
  const std::string first = result.empty() ? "" : result.front();
  const bool is_command = std::any_of(commands.begin(), commands.end(), [&](const CommandRow& command) { return first == command.name; });
  const bool is_for_program = first == "-h" || first == "--help" || first == "--version" || is_command;
  if (!is_for_program && !is_for_window(first)) refuse_command(first, commands);
  if (!is_for_program) result.insert(result.begin(), "gui");
  return result;
}

int run(int argument_count, char** arguments, const OpenWindow& open_window, std::span<const CommandRow> commands) {
  CLI::App program("Headlight shows what every attention head of a transformer does with a sentence.", "headlight");
  program.set_version_flag("--version", "headlight " HEADLIGHT_VERSION);
  program.require_subcommand(1);
  program.footer(
      "Without a command, or with a document, a model or a file of maps, the window opens.\n"
      "`headlight COMMAND --help` explains a command.\n\n"
      "Exit status: 0 done, 1 a bug in Headlight or no usable display, 2 usage (an unknown command, an option\n"
      "that would be ignored), 3 input, 4 a write that failed, 5 network, 6 over a limit,\n"
      "7 computed, but the result differs (attend, verify), 130 stopped by Ctrl+C.");
  Action action;
  for (const CommandRow& row : commands) {
    CLI::App* command = program.add_subcommand(row.name, row.what);
    command->footer(std::string("Example:\n  ") + row.example);
    row.add(*command, action, open_window);
  }
  try {
    std::vector<std::string> parsed = arguments_of(argument_count, arguments, commands);
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
    return fail(ErrorKind::usage, fmt::format("{}: {}. See `{} --help`", command, printable(problem.what(), 600), command).c_str());
  }
  return action();
}

}  // namespace

int run_command_line(int argument_count, char** arguments, const OpenWindow& open_window, std::span<const CommandRow> commands) {
  ignore_write_signals();
  say_no_memory_at_the_end();
  set_up_heaps();
  keep_memory_reserve();
  try {
    try {
      return run(argument_count, arguments, open_window, commands);
    } catch (const Error& error) {
      return fail(error.kind(), error.what());
    } catch (const std::bad_alloc&) {
      return say_no_memory();
    } catch (const std::exception& fault) {
      return fail(ErrorKind::internal, ("A bug in Headlight: " + printable(fault.what(), 600)).c_str());
    }
  } catch (const std::bad_alloc&) {  // no memory even for the message
    return say_no_memory();
  }
}

}  // namespace headlight

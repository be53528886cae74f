// A subcommand runs the command line; anything else opens the window.
#include "app/cli/commands/command_line.h"
#include "app/cli/no_memory.h"
#ifdef HEADLIGHT_WINDOW
#include "app/gui/window/window.h"
#endif

#ifdef __ELF__
namespace {
// Run when the libraries are loaded and before the first of them begins; other formats of programs have no such place.
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_everything)() = [] { headlight::require_memory_to_begin(); };
}  // namespace
#endif

int main(int argument_count, char** arguments) {
#ifdef HEADLIGHT_WINDOW
  return headlight::run_command_line(argument_count, arguments, headlight::run_window);
#else
  return headlight::run_command_line(argument_count, arguments, {});
#endif
}

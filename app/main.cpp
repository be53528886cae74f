// A subcommand runs the command line; anything else opens the window.
#include "app/cli/commands/command_line.h"
#ifdef HEADLIGHT_WINDOW
#include "app/gui/window/window.h"
#endif

int main(int argument_count, char** arguments) {
#ifdef HEADLIGHT_WINDOW
  return headlight::run_command_line(argument_count, arguments, headlight::run_window);
#else
  return headlight::run_command_line(argument_count, arguments, {});
#endif
}

#include <filesystem>
#include <optional>
#include <string>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/recipe/recipe.h"
#include "app/recipe/verify.h"
#include "engine/core/error.h"
#include "engine/figure/files/read_record.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

struct VerifyCommand {
  explicit VerifyCommand(CLI::App& command) {
    command.add_option("figure", figure, "A figure that Headlight exported: .png, .svg, .pdf, .html, .json, .npz or .safetensors")
        ->required()
        ->type_name("FIGURE");
    command.add_option("-m,--model", options.model, "Where the figure's model is, if not where its name says")->type_name("MODEL");
    command.add_flag("--show", is_shown, "Print what the file says of how it was made, as JSON, and compute nothing");
    command.add_option("--threads", options.threads, "Threads to compute with; 0: one per core")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
  }
  std::string figure;
  VerifyOptions options;
  bool is_shown = false;
};

int run_verify(const VerifyCommand& command) {
  if (command.is_shown) {
    const JsonTree record = parse_json(to_text(read_recorded_figure(command.figure).provenance), printable(command.figure));
    write_result(json_text(*record, 2) + "\n");
    return 0;
  }
  ConsoleProgress progress;
  const Verification found = verify_figure(command.figure, command.options, progress);
  std::string text;
  for (const std::string& line : found.lines) text += line + "\n";
  write_result(text);
  return found.is_equal ? 0 : kDiffersStatus;
}

}  // namespace

void add_verify(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<VerifyCommand>(command, action, run_verify);
}

}  // namespace headlight

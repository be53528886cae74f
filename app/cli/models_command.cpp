#include <fmt/core.h>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/options.h"

namespace headlight {
namespace {

struct ModelsOptions {
  explicit ModelsOptions(CLI::App& command) { command.add_subcommand("list", "The models that can be named (the same as without it)"); }
};

int run_models(const ModelsOptions&) {
  const SandboxSpec spec;
  write_result(fmt::format(
      "sandbox   random weights from a seed ({} layers, {} heads, d_model {}; --layers --heads --d-model --seed --positions --unit "
      "--encoder-decoder)\n"
      "FOLDER    any folder in Hugging Face layout, by its path: config.json, model.safetensors, tokenizer.json (GPT-2 family)\n",
      spec.layers, spec.heads, spec.d_model));
  return 0;
}

}  // namespace

void add_models(CLI::App& program, Action& action) {
  add_command<ModelsOptions>(program, action, "models", "List the models that -m can name", "headlight models list", run_models);
}

}  // namespace headlight

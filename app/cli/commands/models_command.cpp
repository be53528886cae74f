#include <fmt/core.h>

#include <algorithm>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/hub/download.h"
#include "app/work/model_shelf.h"
#include "engine/model/files/hub_cache.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

struct ModelsOptions {
  explicit ModelsOptions(CLI::App& command) {
    command.add_subcommand("list", "List the models that can be named (the default)");
    get = command.add_subcommand("get", "Download a model from the hub into the local cache: headlight models get openai-community/gpt2");
    get->add_option("id", id, "NAME or OWNER/NAME, as on the model's page; with @REVISION a branch, tag or commit")
        ->required()
        ->type_name("ID[@REVISION]");
  }
  CLI::App* get = nullptr;
  std::string id;
};

/// Names in one column, descriptions in the next.
std::string built_in_text() {
  const SandboxSpec spec;
  std::vector<ModelLine> lines = read_model_lines();
  lines.push_back({"sandbox", fmt::format("random weights from a seed: {} layers × {} heads, width {}, unless --layers --heads --d-model "
                                          "--seed say otherwise",
                                          spec.layers, spec.heads, spec.d_model)});
  std::size_t width = 0;
  for (const ModelLine& line : lines) width = std::max(width, line.name.size());
  std::string text = "Built in:\n";
  for (const ModelLine& line : lines) text += fmt::format("{:{}}  {}\n", line.name, width, line.summary);
  return text;
}

int list_models() {
  std::string text = built_in_text();
  text +=
      "\nBy its path: any folder in Hugging Face layout (config.json, model.safetensors, a tokenizer), a GGUF file, or a file of attention "
      "maps.\n";
  const std::filesystem::path cache = hub_cache_folder();
  const std::vector<CachedModel> cached = list_cached_models(cache);
  text += fmt::format("\nIn the Hugging Face cache, {}:\n", printable(cache.string(), 4096));
  for (const CachedModel& model : cached) text += fmt::format("{}\n", model.id);
  for (const UnopenedModel& model : list_unopened_models(cache)) {
    text += fmt::format("{}  (cannot be opened: {}{})\n", model.id, model.why.problem,
                        model.why.found.empty() ? "" : "; found " + model.why.found);
  }
  if (cached.empty()) text += "(nothing yet; `headlight models get ID` downloads a model)\n";
  write_result(text);
  return 0;
}

int get_model(const std::string& id) {
  const std::optional<BuiltInModel> built_in = find_built_in_model(id);
  if (built_in || id == "sandbox") {
    const std::string place = built_in ? printable(built_in->folder.string(), 4096) + "\n" : "";
    write_result(fmt::format("{} is built in: there is nothing to download\n{}", printable(id), place));
    return 0;
  }
  ConsoleProgress progress;
  const std::filesystem::path folder = download_model(hub_settings(), id, progress);
  write_result(fmt::format("{}\n{}\n", id, printable(folder.string(), 4096)));
  return 0;
}

int run_models(const ModelsOptions& options) {
  return options.get->parsed() ? get_model(options.id) : list_models();
}

}  // namespace

void add_models(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<ModelsOptions>(command, action, run_models);
}

}  // namespace headlight

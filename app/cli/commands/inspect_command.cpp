#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/options/options.h"
#include "app/cli/reports/inspect_report.h"
#include "engine/core/error.h"
#include "engine/formats/json.h"
#include "engine/model/files/hub_cache.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

constexpr std::size_t kMostLines = 12;  // of one list, in the text form

struct InspectOptions {
  explicit InspectOptions(CLI::App& command) {
    command.add_option("path", path, "A model folder, weight file (.safetensors), document or text file, or a model's name as -m takes it")
        ->required()
        ->type_name("PATH");
    command.add_flag("--json", is_json, "Print JSON");
    add_item(command, maps.item);
    add_masks(command, maps.masks)
        ->description("For a file of attention maps: check whether this mask fits them; written as for `headlight trace`");
  }
  std::string path;
  bool is_json = false;
  InspectedMaps maps;
};

std::string value_text(const nlohmann::ordered_json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
  return printable(text, 400);
}

/// "key: value" lines; lists one item a line, cut after a dozen.
std::string report_text(const nlohmann::ordered_json& report) {
  std::string text;
  for (const auto& [key, value] : report.items()) {
    if (!value.is_array()) {
      text += fmt::format("{}: {}\n", key, value_text(value));
      continue;
    }
    if (!value.empty()) text += key + ":\n";
    for (std::size_t item = 0; item < std::min(value.size(), kMostLines); ++item) text += fmt::format("  {}\n", value_text(value[item]));
    if (value.size() > kMostLines) text += fmt::format("  … and {} more (--json lists them all)\n", value.size() - kMostLines);
  }
  return text;
}

/// A path, or the name of a model as -m takes it.
std::filesystem::path inspected_path(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::exists(name, ignored)) return name;
  if (std::optional<std::filesystem::path> model = find_model(name)) return *std::move(model);
  if (std::optional<ErrorDetail> why = why_not_opened(hub_cache_folder(), name)) throw Error(*std::move(why));
  return name;
}

int run_inspect(const InspectOptions& options) {
  const std::filesystem::path path = inspected_path(options.path);
  nlohmann::ordered_json report = {{"path", printable(path.string(), 4096)}};
  const auto print = [&] { write_result(options.is_json ? json_text(report, 2) + "\n" : report_text(report)); };
  try {
    inspect_path(path, options.maps, report);
  } catch (const Error& error) {
    if (options.is_json) {
      report["is_sound"] = false;
      report["error"] = error.message();
      print();
    }
    throw;
  }
  report["is_sound"] = true;  // warnings or not: it can be read whole
  print();
  return 0;
}

}  // namespace

void add_inspect(CLI::App& command, Action& action, const OpenWindow& /*open_window*/) {
  keep_options<InspectOptions>(command, action, run_inspect);
}

}  // namespace headlight

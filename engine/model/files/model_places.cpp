#include "engine/model/files/model_places.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "engine/core/assets.h"
#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_names.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"
#include "engine/model/files/hub_cache.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSandbox = "sandbox";

fs::path models_folder() {
  const fs::path assets = assets_folder();
  return assets.empty() ? assets : assets / "models";
}

bool has_config(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "config.json", ignored);
}

/// "a/b/" as "a/b": a folder keeps its name.
fs::path without_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

/// The id, with its revision, that a name is, or that a path into a cache spells; empty for anything else.
std::string id_of_name(const std::string& name) {
  const bool is_file = ending_of(name) == ".gguf";  // which of a snapshot's files is not in the id
  return parse_hub_name(name) ? name : is_file ? std::string() : id_of_snapshot(without_slash(name));
}

[[noreturn]] void refuse_missing(const std::string& name) {
  const std::string id = id_of_name(name);
  if (std::optional<ErrorDetail> why = why_not_opened(hub_cache_folder(), id)) throw Error(*std::move(why));
  ErrorDetail detail{.kind = ErrorKind::input, .file = name, .problem = "there is no such model"};
  if (id.find('/') != std::string::npos) {
    detail.problem = "this model from the hub is not in the local cache";
    detail.expected = "it in " + printable(hub_cache_folder().string(), 4096);
    detail.hint = fmt::format("`headlight models get {}` downloads it; so does the window, from the menu under the model's name", id);
  } else {
    detail.expected =
        "sandbox or another built-in model, a folder with config.json, model.safetensors and a tokenizer, a GGUF file, a file of attention "
        "maps, or an id in the Hugging Face cache";
    detail.hint = "`headlight models` lists what can be named";
    if (!id.empty()) detail.hint += fmt::format("; `headlight models get {}` downloads a model of the hub of this name", id);
  }
  throw Error(std::move(detail));
}

}  // namespace

std::vector<BuiltInModel> list_built_in_models() {
  std::vector<BuiltInModel> models;
  const fs::path folder = models_folder();
  for (const std::string& name : file_names_in(folder)) {
    if (has_config(folder / name)) models.push_back({name, folder / name});
  }
  return models;
}

std::optional<BuiltInModel> find_built_in_model(const std::string& name) {
  const fs::path path(name);
  const bool is_plain = !name.empty() && path.filename() == path && name != "." && name != "..";
  if (!is_plain || name == kSandbox) return std::nullopt;
  const fs::path models = models_folder(), folder = models / path;
  return !models.empty() && has_config(folder) ? std::optional(BuiltInModel{name, folder}) : std::nullopt;
}

std::optional<BuiltInCard> card_of_built_in(const std::string& name) {
  constexpr int kMostVersions = 1 << 16;
  const std::optional<BuiltInModel> model = find_built_in_model(name);
  if (!model) return std::nullopt;
  BuiltInCard card;
  try {
    const JsonTree json = parse_json(read_file(model->folder / "card.json", kLargestCard), "card.json");
    const JsonFields fields(*json, "card.json");
    if (fields.has("version")) card.version = static_cast<int>(fields.integer("version", 1, kMostVersions));
    card.text = fields.text_or("text", "");
  } catch (const Error&) {  // a model works without its card
    return BuiltInCard();
  }
  return card;
}

int version_of_built_in(const std::string& name) {
  const std::optional<BuiltInCard> card = card_of_built_in(name);
  return card ? card->version : 0;
}

std::optional<fs::path> find_model(const std::string& name) {
  if (name == kSandbox) return std::nullopt;
  if (const std::optional<BuiltInModel> model = find_built_in_model(name)) return model->folder;
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  return find_cached_model(hub_cache_folder(), id_of_name(name));
}

fs::path model_path(const std::string& name) {
  std::optional<fs::path> path = find_model(name);
  if (!path) refuse_missing(name);
  return *std::move(path);
}

std::string lasting_name(const std::string& name) {
  std::error_code ignored;
  if (name == kSandbox || find_built_in_model(name) || !fs::exists(name, ignored)) return name;
  const fs::path path = without_slash(fs::absolute(name, ignored).lexically_normal());
  const auto leads_here = [&](const std::optional<fs::path>& found) { return found && fs::equivalent(*found, path, ignored); };
  if (const auto built_in = find_built_in_model(path.filename().string()); built_in && leads_here(built_in->folder)) return built_in->name;
  const std::string id = id_of_snapshot(path);
  return leads_here(find_cached_model(hub_cache_folder(), id)) ? id : path.string();
}

std::string short_model_name(const std::string& name) {
  const fs::path path = without_slash(name);
  if (const std::string id = id_of_snapshot(path); !id.empty()) return id;
  const std::string last = path.filename().string();
  return printable(is_hub_id(name) || last.empty() ? name : last);
}

}  // namespace headlight

#include "engine/model/hub_cache.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModelPrefix = "models--";
constexpr std::uint64_t kLargestRef = 200;

/// The value of a variable of the environment; empty where it is not set.
std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool is_id_letter(char letter) {
  const bool is_word = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
  return is_word || letter == '-' || letter == '_' || letter == '.';
}

bool is_id_part(std::string_view part) {
  constexpr std::size_t kLongest = 96;
  if (part.empty() || part.size() > kLongest || !std::all_of(part.begin(), part.end(), is_id_letter)) return false;
  const auto is_edge = [](char letter) { return letter == '-' || letter == '.'; };
  if (is_edge(part.front()) || is_edge(part.back())) return false;
  return part.find("--") == std::string_view::npos && part.find("..") == std::string_view::npos;
}

bool holds_weights(const fs::path& folder) {
  std::error_code ignored;
  const auto has = [&](const char* name) { return fs::is_regular_file(folder / name, ignored); };  // of a link: what it points to
  return has("config.json") && (has("model.safetensors") || has("model.safetensors.index.json"));
}

/// The commit that refs/main names; empty where it is missing or no plain name.
std::string read_ref(const fs::path& model) {
  try {
    std::string commit = read_file(model / "refs" / "main", kLargestRef);
    while (!commit.empty() && (commit.back() == '\n' || commit.back() == ' ')) commit.pop_back();
    return std::all_of(commit.begin(), commit.end(), is_id_letter) && !commit.starts_with('.') ? commit : std::string();
  } catch (const Error&) {
    return {};
  }
}

std::optional<fs::path> find_snapshot(const fs::path& model) {
  if (const std::string commit = read_ref(model); !commit.empty() && holds_weights(model / "snapshots" / commit)) {
    return model / "snapshots" / commit;
  }
  std::optional<fs::path> latest;
  fs::file_time_type latest_time;
  std::error_code failure;
  for (fs::directory_iterator entry(model / "snapshots", failure); !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    if (!holds_weights(entry->path())) continue;
    std::error_code unknown;
    const fs::file_time_type time = fs::last_write_time(entry->path(), unknown);
    if (latest && time <= latest_time) continue;
    latest = entry->path();
    latest_time = time;
  }
  return latest;
}

/// "owner/name" of "models--owner--name"; empty for a name of another form.
std::string id_of_folder(const std::string& name) {
  if (!name.starts_with(kModelPrefix)) return {};
  std::string id = name.substr(kModelPrefix.size());
  if (const std::size_t mark = id.find("--"); mark != std::string::npos) {
    id.erase(mark, 1);
    id[mark] = '/';
  }
  return is_hub_id(id) ? id : std::string();
}

}  // namespace

fs::path hub_cache_folder() {
  for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) {
    if (const std::string folder = variable(name); !folder.empty()) return folder;
  }
  if (const std::string home = variable("HF_HOME"); !home.empty()) return fs::path(home) / "hub";
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "huggingface" / "hub";
  return fs::path(variable("HOME")) / ".cache" / "huggingface" / "hub";
}

bool is_hub_id(std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos) return is_id_part(id);
  return is_id_part(id.substr(0, slash)) && is_id_part(id.substr(slash + 1));
}

fs::path hub_model_folder(const fs::path& cache, std::string_view id) {
  std::string name(kModelPrefix);
  for (const char letter : id) name += letter == '/' ? std::string("--") : std::string(1, letter);
  return cache / name;
}

std::vector<CachedModel> list_cached_models(const fs::path& cache) {
  constexpr std::size_t kMostModels = 2000;
  std::vector<CachedModel> models;
  std::error_code failure;
  for (fs::directory_iterator entry(cache, failure); !failure && entry != fs::directory_iterator() && models.size() < kMostModels;
       entry.increment(failure)) {
    const std::string id = id_of_folder(entry->path().filename().string());
    if (id.empty()) continue;
    if (const std::optional<fs::path> folder = find_snapshot(entry->path())) models.push_back({id, *folder});
  }
  std::sort(models.begin(), models.end(), [](const CachedModel& a, const CachedModel& b) { return a.id < b.id; });
  return models;
}

std::optional<fs::path> find_cached_model(const fs::path& cache, std::string_view id) {
  if (!is_hub_id(id)) return std::nullopt;
  return find_snapshot(hub_model_folder(cache, id));
}

std::string id_of_snapshot(const fs::path& folder) {
  const fs::path snapshots = folder.parent_path();
  if (snapshots.filename() != "snapshots") return {};
  return id_of_folder(snapshots.parent_path().filename().string());
}

}  // namespace headlight

#include "engine/model/files/hub_cache.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "engine/core/error.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_names.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/foreign_weights.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModelPrefix = "models--";
constexpr std::string_view kMain = "main";
constexpr std::uint64_t kLargestRef = 200;
constexpr std::size_t kMostModels = 2000;

/// The value of an environment variable; empty where it is not set.
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

/// Letters that branches and tags have; no part that could lead out of a folder.
bool is_revision(std::string_view text) {
  constexpr std::size_t kLongest = 200;
  const auto is_letter = [](char letter) { return is_id_letter(letter) || letter == '/'; };
  if (text.empty() || text.size() > kLongest || !std::all_of(text.begin(), text.end(), is_letter)) return false;
  return text.front() != '/' && text.front() != '.' && text.find("..") == std::string_view::npos &&
         text.find("/.") == std::string_view::npos;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);  // of a link: what it points to
}

std::vector<std::string> gguf_files_in(const fs::path& snapshot) {
  std::vector<std::string> names = file_names_in(snapshot);
  std::erase_if(names, [&](const std::string& name) { return ending_of(name) != ".gguf" || !is_file(snapshot / name); });
  return names;
}

/// What can be opened in a snapshot.
std::optional<fs::path> model_in(const fs::path& snapshot) {
  const bool has_weights = is_file(snapshot / "model.safetensors") || is_file(snapshot / "model.safetensors.index.json");
  if (has_weights && is_file(snapshot / "config.json")) return snapshot;
  const std::vector<std::string> files = gguf_files_in(snapshot);
  return files.size() == 1 ? std::optional(snapshot / files.front()) : std::nullopt;
}

/// The commit that refs/REVISION names; empty where it is missing or no plain name.
std::string read_ref(const fs::path& model, const std::string& revision) {
  try {
    std::string commit = read_file(model / "refs" / revision, kLargestRef);
    while (!commit.empty() && (commit.back() == '\n' || commit.back() == ' ')) commit.pop_back();
    return std::all_of(commit.begin(), commit.end(), is_id_letter) && !commit.starts_with('.') ? commit : std::string();
  } catch (const Error&) {
    return {};
  }
}

struct FoundSnapshot {
  fs::path model;
  std::string note;
};

/// The latest snapshot that can be opened, where refs/main does not lead to one.
std::optional<FoundSnapshot> find_latest(const fs::path& model, const std::string& commit) {
  std::optional<fs::path> latest;
  fs::file_time_type latest_time;
  int count = 0;
  for (const std::string& name : file_names_in(model / "snapshots")) {
    const fs::path snapshot = model / "snapshots" / name;
    const std::optional<fs::path> found = model_in(snapshot);
    if (!found) continue;
    ++count;
    std::error_code unknown;
    const fs::file_time_type time = fs::last_write_time(snapshot, unknown);
    if (latest && time <= latest_time) continue;
    latest = found;
    latest_time = time;
  }
  if (!latest) return std::nullopt;
  const fs::path snapshot = ending_of(*latest) == ".gguf" ? latest->parent_path() : *latest;
  const std::string taken = "version " + printable(snapshot.filename().string()) + " was taken.";
  const std::string file = printable((model / "refs" / "main").string(), 4096);
  if (!commit.empty())
    return FoundSnapshot{*latest, fmt::format("{} names {}, which cannot be opened: {}", file, printable(commit), taken)};
  if (is_file(model / "refs" / "main")) return FoundSnapshot{*latest, fmt::format("{} names no version: {}", file, taken)};
  return FoundSnapshot{*latest,
                       count == 1 ? "" : fmt::format("{} is missing and there are {} versions: the latest, {}", file, count, taken)};
}

std::optional<FoundSnapshot> find_snapshot(const fs::path& model, const std::string& revision) {
  const std::string commit = read_ref(model, revision);
  if (!commit.empty()) {
    if (const std::optional<fs::path> found = model_in(model / "snapshots" / commit)) return FoundSnapshot{*found, ""};
  }
  if (revision == kMain) return find_latest(model, commit);
  const bool is_commit = commit.empty() && std::all_of(revision.begin(), revision.end(), is_id_letter);
  const std::optional<fs::path> found = is_commit ? model_in(model / "snapshots" / revision) : std::nullopt;
  return found ? std::optional(FoundSnapshot{*found, ""}) : std::nullopt;
}

/// The snapshot that a person meant, whether it can be opened or not.
std::optional<fs::path> meant_snapshot(const fs::path& model, const std::string& revision) {
  const std::vector<std::string> names = file_names_in(model / "snapshots");
  const std::string commit = read_ref(model, revision);
  for (const std::string& wanted : {commit, revision}) {
    if (std::find(names.begin(), names.end(), wanted) != names.end()) return model / "snapshots" / wanted;
  }
  return revision == kMain && !names.empty() ? std::optional(model / "snapshots" / names.front()) : std::nullopt;
}

/// A link of a snapshot whose blob is not there.
std::optional<std::string> find_dangling_link(const fs::path& snapshot, const std::vector<std::string>& names) {
  std::error_code ignored;
  const auto link = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return fs::is_symlink(snapshot / name, ignored) && !fs::exists(snapshot / name, ignored);
  });
  return link == names.end() ? std::nullopt : std::optional(*link);
}

ErrorDetail in_the_way(const fs::path& snapshot, const std::string& name) {
  const std::string again = fmt::format("`headlight models get {}` downloads what is missing", name);
  ErrorDetail why{.kind = ErrorKind::input, .file = snapshot.string()};
  const std::vector<std::string> names = file_names_in(snapshot);
  if (const std::optional<std::string> link = find_dangling_link(snapshot, names)) {
    std::error_code ignored;
    why.file = (snapshot / *link).string();
    why.problem = "this link in the cache is broken: the file it points to is missing";
    why.found = printable(fs::read_symlink(snapshot / *link, ignored).string(), 4096);
    why.hint = again;
  } else if (const std::vector<std::string> files = gguf_files_in(snapshot); files.size() > 1) {
    why.problem = "there are several GGUF files, and the id does not say which";
    why.found = name_list(files);
    why.hint = "Give the path of one of them";
  } else if (const std::optional<ForeignFile> foreign = find_foreign_weights(names)) {
    why.file = (snapshot / foreign->name).string();
    why.problem = "weights in this format are not opened";
    why.found = foreign->form->what;
    why.expected = "model.safetensors";
    why.hint = foreign->form->way;
  } else {
    why.problem = "this model is not complete in the cache";
    why.found = names.empty() ? "no files" : name_list(names);
    why.expected = "config.json and model.safetensors, or a GGUF file";
    why.hint = again;
  }
  return why;
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

/// The ids of a cache, sorted.
std::vector<std::string> ids_in(const fs::path& cache) {
  std::vector<std::string> ids;
  for (const std::string& name : file_names_in(cache)) {
    std::string id = id_of_folder(name);
    if (!id.empty() && ids.size() < kMostModels) ids.push_back(std::move(id));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

fs::path expand_home(const std::string& path) {
  const bool is_home = path == "~" || path.starts_with("~/");
  return is_home ? fs::path(variable("HOME") + path.substr(1)) : fs::path(path);
}

fs::path hub_cache_folder() {
  for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}) {
    if (const std::string folder = variable(name); !folder.empty()) return expand_home(folder);
  }
  if (const std::string home = variable("HF_HOME"); !home.empty()) return expand_home(home) / "hub";
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return expand_home(cache) / "huggingface" / "hub";
  return fs::path(variable("HOME")) / ".cache" / "huggingface" / "hub";
}

bool is_hub_id(std::string_view id) {
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos) return is_id_part(id);
  return is_id_part(id.substr(0, slash)) && is_id_part(id.substr(slash + 1));
}

std::optional<HubName> parse_hub_name(std::string_view text) {
  const std::size_t mark = text.find('@');
  const std::string_view id = text.substr(0, mark);
  const std::string_view revision = mark == std::string_view::npos ? kMain : text.substr(mark + 1);
  if (!is_hub_id(id) || !is_revision(revision)) return std::nullopt;
  return HubName{std::string(id), std::string(revision)};
}

fs::path hub_model_folder(const fs::path& cache, std::string_view id) {
  std::string name(kModelPrefix);
  for (const char letter : id) name += letter == '/' ? std::string("--") : std::string(1, letter);
  return cache / name;
}

std::vector<CachedModel> list_cached_models(const fs::path& cache) {
  std::vector<CachedModel> models;
  for (const std::string& id : ids_in(cache)) {
    if (const std::optional<fs::path> folder = find_cached_model(cache, id)) models.push_back({id, *folder});
  }
  return models;
}

std::vector<UnopenedModel> list_unopened_models(const fs::path& cache) {
  std::vector<UnopenedModel> models;
  for (const std::string& id : ids_in(cache)) {
    std::optional<ErrorDetail> why = find_cached_model(cache, id) ? std::nullopt : why_not_opened(cache, id);
    if (why) models.push_back({id, *std::move(why)});
  }
  return models;
}

std::optional<fs::path> find_cached_model(const fs::path& cache, std::string_view name) {
  const std::optional<HubName> wanted = parse_hub_name(name);
  if (!wanted) return std::nullopt;
  std::optional<FoundSnapshot> found = find_snapshot(hub_model_folder(cache, wanted->id), wanted->revision);
  return found ? std::optional(std::move(found->model)) : std::nullopt;
}

std::string note_on_version(const fs::path& cache, std::string_view name) {
  const std::optional<HubName> wanted = parse_hub_name(name);
  const auto found = wanted ? find_snapshot(hub_model_folder(cache, wanted->id), wanted->revision) : std::nullopt;
  return found ? found->note : std::string();
}

std::optional<ErrorDetail> why_not_opened(const fs::path& cache, std::string_view name) {
  const std::optional<HubName> wanted = parse_hub_name(name);
  if (!wanted) return std::nullopt;
  const fs::path model = hub_model_folder(cache, wanted->id);
  const std::vector<std::string> versions = file_names_in(model / "snapshots");
  if (versions.empty()) return std::nullopt;
  if (const std::optional<fs::path> snapshot = meant_snapshot(model, wanted->revision)) return in_the_way(*snapshot, std::string(name));
  return ErrorDetail{.kind = ErrorKind::input,
                     .file = model.string(),
                     .problem = "the cache does not have this version of the model",
                     .found = "versions " + name_list(versions),
                     .expected = printable(wanted->revision),
                     .hint = fmt::format("`headlight models get {}` downloads it", name)};
}

std::string id_of_snapshot(const fs::path& path) {
  const fs::path snapshot = ending_of(path) == ".gguf" ? path.parent_path() : path;
  const fs::path snapshots = snapshot.parent_path();
  if (snapshots.filename() != "snapshots") return {};
  return id_of_folder(snapshots.parent_path().filename().string());
}

}  // namespace headlight

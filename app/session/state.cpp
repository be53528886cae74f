#include "app/session/state.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "app/document/files/kept_documents.h"
#include "engine/core/error.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "headlight-settings";
constexpr int kVersion = 1;
constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
constexpr const char* kSettings = "settings.json";
constexpr const char* kMark = "starting";
// Until version 0.1 one file held the settings and one document.
constexpr const char* kOldState = "state.json";
constexpr std::string_view kOldFormat = "headlight-state";

std::optional<fs::path> absolute_folder(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  if (value == nullptr || !fs::path(value).is_absolute()) return std::nullopt;
  return fs::path(value);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

std::string to_text(const Settings& settings, const fs::path& document_folder) {
  const Json json = {{"format", kFormat},     {"version", kVersion},       {"document", document_folder.filename().string()},
                     {"view", settings.view}, {"recent", settings.recent}, {"recent_documents", settings.recent_documents},
                     {"file", settings.file}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> read_names(const JsonFields& fields, const char* key) {
  std::vector<std::string> names;
  if (!fields.has(key) || !fields.at(key).is_array()) return names;
  for (const Json& name : fields.at(key)) {
    if (name.is_string() && names.size() < kRecentModels) names.push_back(name.get<std::string>());
  }
  return names;
}

/// View and recent models, which may be missing or of the wrong type: no start fails because of them.
Settings read_settings_of(const JsonFields& fields) {
  Settings settings;
  if (fields.has("view") && fields.at("view").is_object()) settings.view = fields.at("view");
  settings.recent = read_names(fields, "recent");
  settings.recent_documents = read_names(fields, "recent_documents");
  if (fields.has("file") && fields.at("file").is_string()) settings.file = fields.at("file").get<std::string>();
  return settings;
}

JsonTree read_object(const fs::path& path, std::string_view format) {
  const std::string file = printable(path.string(), 4096);
  JsonTree json = parse_json(read_file(path, kLargestFile), file);
  const JsonFields fields(*json, file);
  if (fields.text("format") != format) {
    throw Error({.kind = ErrorKind::input, .file = file, .field = "format", .problem = "this is not what Headlight keeps here"});
  }
  fields.integer("version", 1, kVersion);
  return json;
}

void add_sentence(std::string& notice, const std::string& sentence) {
  if (!notice.empty()) notice += ' ';
  notice += sentence;
}

/// Renames a file that cannot be used, and says why it cannot be used and where it is now.
std::string keep_broken(const fs::path& path, const std::exception& why) {
  const std::string reason = printable(why.what(), 400);
  try {
    return fmt::format("{}. It is kept as {}.", reason, printable(put_aside(path, "bad").string(), 400));
  } catch (const Error&) {
    return reason + ". It stays where it is.";
  }
}

}  // namespace

void remember_model(std::vector<std::string>& recent, const std::string& name) {
  std::erase(recent, name);
  recent.insert(recent.begin(), name);
  recent.resize(std::min(recent.size(), kRecentModels));
}

fs::path user_folder(const char* variable, const fs::path& usual) {
  if (const auto folder = absolute_folder(variable)) return *folder / "headlight";
  if (const auto home = absolute_folder("HOME")) return *home / usual / "headlight";
  return {};
}

fs::path cache_folder() {
  return user_folder("XDG_CACHE_HOME", ".cache");
}

fs::path state_folder() {
  return user_folder("XDG_STATE_HOME", fs::path(".local") / "state");
}

bool StateStore::hold_settings() {
  if (!settings_lock_) {
    make_private_folder(folder_);
    settings_lock_ = FileLock::take(folder_ / "lock");
  }
  return settings_lock_.has_value();
}

bool StateStore::hold(const fs::path& document_folder) {
  const auto is_it = [&](const HeldDocument& held) { return held.folder == document_folder; };
  if (std::any_of(held_.begin(), held_.end(), is_it)) return true;
  std::optional<FileLock> lock = FileLock::take(lock_of(document_folder));
  if (lock) held_.push_back({document_folder, *std::move(lock)});
  return lock.has_value();
}

/// The document of the old file becomes a kept one, dated as the file is, and the file is kept as state.json.old.
void StateStore::migrate(RestoredState& restored) {
  const fs::path path = folder_ / kOldState;
  if (!is_there(path)) return;
  JsonTree json;
  Json unknown = Json::object();
  Document document;
  try {
    json = read_object(path, kOldFormat);
    const std::string file = printable(path.string(), 4096);
    document = document_from_json(JsonFields(*json, file).at("document"), file, &unknown);
  } catch (const std::exception& broken) {
    return add_sentence(restored.notice, "The last document could not be restored. " + keep_broken(path, broken));
  }
  std::error_code ignored;
  const auto written = std::chrono::file_clock::to_sys(fs::last_write_time(path, ignored));
  const WallTime time = std::chrono::time_point_cast<std::chrono::milliseconds>(written);
  const fs::path folder = make_kept_document(folder_, time);
  add_generation(folder, document_text(document, unknown), time);
  if (!is_there(folder_ / kSettings)) {
    write_private_file(folder_ / kSettings, to_text(read_settings_of(JsonFields(*json, kOldState)), folder));
  }
  put_aside(path, "old");
}

/// Returns the name of the folder of the last document; empty if it is not known.
std::string StateStore::read_settings(RestoredState& restored) {
  const fs::path path = folder_ / kSettings;
  if (!is_there(path)) return {};
  try {
    const JsonTree json = read_object(path, kFormat);
    const JsonFields fields(*json, kSettings);
    restored.state.settings = read_settings_of(fields);
    const bool has_name = fields.has("document") && fields.at("document").is_string();
    const fs::path name = has_name ? fields.text("document") : std::string();
    return name == name.filename() && name != ".." && name != "." ? name.string() : std::string();
  } catch (const std::exception& broken) {
    add_sentence(restored.notice, "The settings could not be restored, so they start afresh. " + keep_broken(path, broken));
    return {};
  }
}

/// The newest generation that can be read; the broken ones before it are put aside.
void StateStore::restore_document(const fs::path& folder, RestoredState& restored) {
  if (!hold(folder)) {
    return add_sentence(restored.notice,
                        "Another Headlight has your last document open, so this one begins with a new one. Both are kept. Press the "
                        "model's name for a list of your documents.");
  }
  std::string problems;
  for (const Generation& generation : find_kept_document(folder).generations) {
    try {
      Json unknown = Json::object();
      restored.state.document = load_document(generation.path, &unknown);
      restored.state.unknown = std::move(unknown);
      restored.document_folder = document_folder_ = folder;
      if (problems.empty()) return;
      return add_sentence(restored.notice, fmt::format("The last version of your document could not be read. {} This is the version of {}.",
                                                       problems, date_text(generation.written)));
    } catch (const std::exception& broken) {
      add_sentence(problems, keep_broken(generation.path, broken));
    }
  }
  if (!problems.empty()) {
    add_sentence(restored.notice, "Your last document could not be read, so this is a new one. " + problems);
  }
}

void StateStore::make_safe(const fs::path& last, RestoredState& restored) const {
  restored.state.settings.view = Json::object();
  const std::vector<Generation> generations = find_kept_document(last).generations;
  if (!generations.empty()) restored.offered = generations.front().path;
}

RestoredState StateStore::restore(Start start) {
  RestoredState restored;
  restored.is_first_start = true;
  if (folder_.empty()) return restored;
  try {
    keeps_settings_ = start != Start::safe;
    if (hold_settings()) migrate(restored);
    const bool is_crash = settings_lock_ && is_there(folder_ / kMark);
    const std::string name = read_settings(restored);
    const std::vector<KeptDocument> kept = list_kept_documents(folder_);
    restored.is_first_start = kept.empty() && restored.notice.empty() && !is_there(folder_ / kSettings);
    fs::path last = kept_documents_folder(folder_) / name;
    if (name.empty() || !is_there(last)) last = kept.empty() ? fs::path() : kept.front().folder;
    if (is_crash) {
      make_safe(last, restored);
      add_sentence(restored.notice,
                   "Headlight ended before it could show a picture the last time, so it starts without what was open then. Nothing is "
                   "lost: press the model's name for a list of your documents.");
    } else if (start == Start::safe) {
      make_safe(last, restored);
    } else if (start == Start::last_document && !last.empty()) {
      restore_document(last, restored);
    }
    is_marked_ = is_crash;
  } catch (const std::exception& failure) {
    add_sentence(restored.notice, "What was open last time could not be restored: " + printable(failure.what(), 400) + ".");
  }
  return restored;
}

void StateStore::begin_document(const fs::path& origin) {
  document_folder_.clear();
  const fs::path folder = origin.parent_path();
  if (folder.parent_path() != kept_documents_folder(folder_)) return;
  const std::vector<Generation> generations = find_kept_document(folder).generations;
  const bool is_newest = !generations.empty() && generations.front().path == origin;
  if (is_newest && hold(folder)) document_folder_ = folder;
}

void StateStore::save_document(const std::string& text) {
  if (folder_.empty()) return;
  const auto is_equal = [&](const std::vector<Generation>& generations) {
    std::error_code ignored;
    return !generations.empty() && fs::file_size(generations.front().path, ignored) == text.size() &&
           read_file(generations.front().path, kLargestFile) == text;
  };
  if (document_folder_.empty()) {
    for (const KeptDocument& document : list_kept_documents(folder_)) {
      if (!is_equal(document.generations) || !hold(document.folder)) continue;
      document_folder_ = document.folder;
      return;
    }
    document_folder_ = make_kept_document(folder_, wall_time());
    hold(document_folder_);
  }
  if (is_equal(find_kept_document(document_folder_).generations)) return;
  add_generation(document_folder_, text, wall_time());
  drop_oldest_documents(folder_);
}

void StateStore::save_settings(const Settings& settings) {
  if (folder_.empty() || !keeps_settings_ || !hold_settings()) return;
  write_private_file(folder_ / kSettings, to_text(settings, document_folder_));
}

void StateStore::mark_start(bool is_starting) {
  if (folder_.empty() || is_marked_ == is_starting || !hold_settings()) return;
  if (is_starting) {
    write_private_file(folder_ / kMark, "A start of Headlight that is not over. Found at the next start, that one is a safe start.\n");
  } else {
    std::error_code failure;
    fs::remove(folder_ / kMark, failure);
  }
  is_marked_ = is_starting;
}

}  // namespace headlight

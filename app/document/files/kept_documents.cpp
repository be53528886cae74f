#include "app/document/files/kept_documents.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <optional>
#include <system_error>

#include "app/document/files/private_files.h"
#include "engine/core/error.h"
#include "engine/formats/file_names.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::string_view kEnding = ".headlight.json";

/// "2026-11-22T16-25-55.123Z": no colons, which some file systems refuse; sorted as text, names are in order of time.
std::string name_of(WallTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}-{:02}-{:02}.{:03}Z", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<WallTime> time_of(std::string_view name) {
  constexpr std::string_view kForm = "0000-00-00T00-00-00.000Z";
  constexpr std::array<std::pair<std::size_t, std::size_t>, 7> kFields{{{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}, {17, 2}, {20, 3}}};
  if (name.size() < kForm.size()) return std::nullopt;
  for (std::size_t at = 0; at < kForm.size(); ++at) {
    const bool is_digit = name[at] >= '0' && name[at] <= '9';
    if (kForm[at] == '0' ? !is_digit : name[at] != kForm[at]) return std::nullopt;
  }
  std::array<int, kFields.size()> numbers{};
  for (std::size_t field = 0; field < kFields.size(); ++field) {
    const auto [begin, length] = kFields[field];
    std::from_chars(name.data() + begin, name.data() + begin + length, numbers[field]);
  }
  const std::chrono::year_month_day date(std::chrono::year(numbers[0]), std::chrono::month(static_cast<unsigned>(numbers[1])),
                                         std::chrono::day(static_cast<unsigned>(numbers[2])));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(numbers[3]) + std::chrono::minutes(numbers[4]) +
         std::chrono::seconds(numbers[5]) + milliseconds(numbers[6]);
}

std::optional<Generation> generation_of(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.ends_with(kEnding)) return std::nullopt;
  const std::optional<WallTime> written = time_of(name);
  return written ? std::optional(Generation{path, *written}) : std::nullopt;
}

void remove_document(const KeptDocument& document) {
  std::error_code ignored;
  for (const Generation& generation : document.generations) fs::remove(generation.path, ignored);
  fs::remove(lock_of(document.folder), ignored);
  fs::remove(document.folder, ignored);  // stays where a broken generation was put aside in it
}

}  // namespace

bool is_generation(const fs::path& path) {
  return generation_of(path).has_value() && time_of(path.parent_path().filename().string()).has_value();
}

WallTime wall_time() {
  return std::chrono::time_point_cast<milliseconds>(std::chrono::system_clock::now());
}

std::string date_text(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local = {};
  ::localtime_r(&seconds, &local);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min);
}

fs::path kept_documents_folder(const fs::path& state_folder) {
  return state_folder / "documents";
}

fs::path lock_of(const fs::path& folder) {
  return folder / "lock";
}

KeptDocument find_kept_document(const fs::path& folder) {
  KeptDocument document{folder, {}};
  for (const std::string& name : file_names_in(folder)) {
    if (std::optional<Generation> generation = generation_of(folder / name)) document.generations.push_back(*std::move(generation));
  }
  std::sort(document.generations.begin(), document.generations.end(),
            [](const Generation& a, const Generation& b) { return a.written > b.written; });
  return document;
}

std::vector<KeptDocument> list_kept_documents(const fs::path& state_folder) {
  std::vector<KeptDocument> documents;
  const fs::path folder = kept_documents_folder(state_folder);
  for (const std::string& name : file_names_in(folder)) {
    KeptDocument document = find_kept_document(folder / name);
    if (!document.generations.empty()) documents.push_back(std::move(document));
  }
  std::sort(documents.begin(), documents.end(),
            [](const KeptDocument& a, const KeptDocument& b) { return a.generations.front().written > b.generations.front().written; });
  return documents;
}

fs::path make_kept_document(const fs::path& state_folder, WallTime now) {
  make_private_folder(kept_documents_folder(state_folder));
  for (;; now += milliseconds(1)) {  // another instance may have begun one in the same millisecond
    fs::path folder = kept_documents_folder(state_folder) / name_of(now);
    if (::mkdir(folder.c_str(), 0700) == 0) return folder;
    if (errno == EEXIST) continue;
    throw Error({.kind = ErrorKind::write,
                 .file = printable(folder.string(), 4096),
                 .problem = "cannot be created: " + std::generic_category().message(errno)});
  }
}

void add_generation(const fs::path& folder, std::string_view text, WallTime now) {
  make_private_folder(folder);
  const std::vector<Generation> before = find_kept_document(folder).generations;
  if (!before.empty()) now = std::max(now, before.front().written + milliseconds(1));  // clocks can be set back
  write_private_file(folder / (name_of(now) + std::string(kEnding)), text);
  std::vector<Generation> all = find_kept_document(folder).generations;
  while (all.size() > kGenerations) {
    const bool is_settled = all.front().written - all[kGenerations - 1].written >= kSettled;
    const auto dropped = is_settled ? std::prev(all.end()) : all.begin() + kGenerations - 1;
    std::error_code ignored;  // one too many does no harm
    fs::remove(dropped->path, ignored);
    all.erase(dropped);
  }
}

void drop_oldest_documents(const fs::path& state_folder) {
  const std::vector<KeptDocument> documents = list_kept_documents(state_folder);
  for (std::size_t oldest = documents.size(); oldest > kKeptDocuments; --oldest) {
    const KeptDocument& document = documents[oldest - 1];
    if (const std::optional<FileLock> lock = FileLock::take(lock_of(document.folder))) remove_document(document);
  }
}

}  // namespace headlight

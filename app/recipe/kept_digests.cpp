#include "app/recipe/kept_digests.h"

#include <algorithm>
#include <exception>
#include <system_error>

#include "app/document/files/private_files.h"
#include "engine/core/error.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDigestFormat = "headlight-weights";
constexpr int kDigestVersion = 1;
constexpr std::uint64_t kLargestDigests = std::uint64_t{4} << 20U;
constexpr std::size_t kMostFiles = 512;  // of one model

/// The same path wherever the program is started.
std::string whole_path(const fs::path& path) {
  std::error_code failure;
  const fs::path whole = fs::absolute(path, failure);
  return (failure ? path : whole).lexically_normal().string();
}

Json to_json(const KeptDigest& digest) {
  Json files = Json::array();
  for (const WeightsStamp::File& file : digest.stamp.files) {
    files.push_back({{"path", whole_path(file.path)}, {"size", file.size}, {"time", file.time.time_since_epoch().count()}});
  }
  return {{"files", files}, {"sha256", digest.hex}};
}

/// Throws whatever a field of another type makes the JSON library throw.
KeptDigest from_json(const Json& json) {
  KeptDigest digest{{}, json.at("sha256").get<std::string>()};
  for (const Json& file : json.at("files")) {
    const fs::file_time_type::duration time(file.at("time").get<fs::file_time_type::duration::rep>());
    digest.stamp.files.push_back({file.at("path").get<std::string>(), file.at("size").get<std::uint64_t>(), fs::file_time_type(time)});
  }
  return digest;
}

bool is_digest(std::string_view hex) {
  return hex.size() == 64 && hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

WeightsStamp with_whole_paths(WeightsStamp stamp) {
  for (WeightsStamp::File& file : stamp.files) file.path = whole_path(file.path);
  return stamp;
}

bool has_same_files(const WeightsStamp& a, const WeightsStamp& b) {
  return std::equal(a.files.begin(), a.files.end(), b.files.begin(), b.files.end(),
                    [](const WeightsStamp::File& left, const WeightsStamp::File& right) { return left.path == right.path; });
}

}  // namespace

std::vector<KeptDigest> read_kept_digests(const fs::path& file) {
  try {
    const JsonTree json = parse_json(read_file(file, kLargestDigests), file.string());
    if (json->at("format") != Json(kDigestFormat) || json->at("version") != Json(kDigestVersion)) return {};
    std::vector<KeptDigest> digests;
    for (const Json& each : json->at("models")) {
      digests.push_back(from_json(each));
      if (!is_digest(digests.back().hex)) return {};
      if (digests.size() == kMostKeptDigests) break;
    }
    return digests;
  } catch (const std::exception&) {  // missing or damaged: the next digest writes it anew
    return {};
  }
}

std::string find_kept_digest(const fs::path& file, const WeightsStamp& stamp) {
  if (file.empty() || stamp.files.empty()) return {};
  const WeightsStamp wanted = with_whole_paths(stamp);
  for (const KeptDigest& digest : read_kept_digests(file)) {
    if (digest.stamp == wanted) return digest.hex;
  }
  return {};
}

void keep_digest(const fs::path& file, const KeptDigest& digest) {
  if (file.empty() || digest.stamp.files.size() > kMostFiles || !is_digest(digest.hex)) return;
  const KeptDigest whole{with_whole_paths(digest.stamp), digest.hex};
  std::vector<KeptDigest> digests = read_kept_digests(file);
  std::erase_if(digests, [&](const KeptDigest& each) { return has_same_files(each.stamp, whole.stamp); });
  digests.insert(digests.begin(), whole);
  if (digests.size() > kMostKeptDigests) digests.resize(kMostKeptDigests);
  Json models = Json::array();
  for (const KeptDigest& each : digests) models.push_back(to_json(each));
  try {
    make_private_folder(file.parent_path());
    write_private_file(file, json_text(Json{{"format", kDigestFormat}, {"version", kDigestVersion}, {"models", models}}, 1) + "\n");
  } catch (const Error&) {  // without it the weights are read again at the next start
  }
}

}  // namespace headlight

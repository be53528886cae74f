#include "app/hub/settings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/hub_cache.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestTokenFile = 10'000;

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool is_switched_on(std::string value) {
  std::transform(value.begin(), value.end(), value.begin(), [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return value == "1" || value == "ON" || value == "YES" || value == "TRUE";
}

std::string trimmed(std::string text) {
  const auto is_blank = [](char letter) { return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t'; };
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  while (!text.empty() && is_blank(text.front())) text.erase(0, 1);
  return text;
}

fs::path token_file() {
  if (const std::string path = setting("HF_TOKEN_PATH"); !path.empty()) return expand_home(path);
  if (const std::string home = setting("HF_HOME"); !home.empty()) return expand_home(home) / "token";
  return fs::path(setting("HOME")) / ".cache" / "huggingface" / "token";
}

std::string find_token() {
  if (const std::string token = trimmed(setting("HF_TOKEN")); !token.empty()) return token;
  try {
    return trimmed(read_file(token_file(), kLargestTokenFile));
  } catch (const Error&) {
    return {};  // most people have none
  }
}

}  // namespace

HubSettings hub_settings() {
  HubSettings settings;
  if (std::string endpoint = trimmed(setting("HF_ENDPOINT")); !endpoint.empty()) {
    while (endpoint.ends_with('/')) endpoint.pop_back();
    if (!endpoint.starts_with("https://") && !endpoint.starts_with("http://")) {
      throw Error({.kind = ErrorKind::usage,
                   .field = "HF_ENDPOINT",
                   .problem = "this is not the address of a hub",
                   .found = "\"" + printable(endpoint, 100) + "\"",
                   .expected = "an address that starts with https:// or http://"});
    }
    settings.endpoint = endpoint;
  }
  settings.token = find_token();
  const bool is_printable =
      std::all_of(settings.token.begin(), settings.token.end(), [](char letter) { return letter > ' ' && letter < 127; });
  if (!is_printable)
    throw Error({.kind = ErrorKind::usage, .field = "HF_TOKEN", .problem = "the token contains characters that no token can have"});
  settings.is_offline = is_switched_on(setting("HF_HUB_OFFLINE"));
  settings.cache = hub_cache_folder();
  return settings;
}

}  // namespace headlight

#include "app/hub/listing.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "app/hub/http.h"
#include "engine/core/error.h"
#include "engine/formats/file_names.h"
#include "engine/formats/json.h"
#include "engine/model/files/foreign_weights.h"

namespace headlight {
namespace {

constexpr std::size_t kLargestListing = 4U << 20U;
constexpr std::uint64_t kLargestHubFile = std::uint64_t{1} << 44U;  // 16 TiB
constexpr int kListingTries = 4;

constexpr std::array<std::string_view, 14> kNames = {"config.json",
                                                     "tokenizer.json",
                                                     "tokenizer_config.json",
                                                     "special_tokens_map.json",
                                                     "added_tokens.json",
                                                     "vocab.json",
                                                     "merges.txt",
                                                     "vocab.txt",
                                                     "tokenizer.model",
                                                     "spiece.model",
                                                     "sentencepiece.bpe.model",
                                                     "source.spm",
                                                     "model.safetensors",
                                                     "model.safetensors.index.json"};

bool are_digits(std::string_view text) {
  return text.size() == 5 && std::all_of(text.begin(), text.end(), [](char letter) { return letter >= '0' && letter <= '9'; });
}

/// model-00001-of-00002.safetensors
bool is_shard(std::string_view name) {
  constexpr std::string_view kHead = "model-", kMiddle = "-of-", kTail = ".safetensors";
  constexpr std::size_t kDigits = 5;
  if (name.size() != kHead.size() + kDigits + kMiddle.size() + kDigits + kTail.size()) return false;
  return name.starts_with(kHead) && name.ends_with(kTail) && are_digits(name.substr(kHead.size(), kDigits)) &&
         name.substr(kHead.size() + kDigits, kMiddle.size()) == kMiddle &&
         are_digits(name.substr(kHead.size() + kDigits + kMiddle.size(), kDigits));
}

bool is_hash(const std::string& text) {
  const bool has_length = text.size() == 40 || text.size() == 64;
  return has_length && std::all_of(text.begin(), text.end(),
                                   [](char letter) { return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f'); });
}

/// Fetches a small answer, whole. Tries again if the server is busy or the connection was lost.
JsonTree fetch_json(const HubSettings& settings, const std::string& address, const std::string& id, const std::function<void()>& check) {
  for (int attempt = 1;; ++attempt) {
    std::string body;
    HttpSink sink;
    sink.begin = [&](const HttpHead& head) {
      if (head.is_packed) refuse_answer(id, head.status, "the server sends the list compressed, which was not asked for");
    };
    sink.take = [&](std::span<const std::byte> bytes) {
      if (body.size() + bytes.size() > kLargestListing) refuse_answer(id, 200, "the server's list of files is too long");
      body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const HttpResult result = http_get({.url = address, .token = settings.token}, sink, check);
    if (result.problem.empty()) {
      try {
        return parse_json(body, id, {.field = "the server's answer"});
      } catch (const Error& error) {
        refuse_answer(id, result.head.status, "the server's answer cannot be read: " + error.detail().problem);
      }
    }
    const bool is_reachable = result.head.status != 0;  // without a network it fails at once
    if (!result.may_be_retried || !is_reachable || attempt == kListingTries) {
      refuse_answer(id, result.head.status, result.problem, !settings.token.empty());
    }
    wait_to_retry(result.head.retry_after.value_or(0.5 * attempt), check);
  }
}

HubFile read_entry(const JsonFields& entry) {
  HubFile file;
  file.name = entry.text("path");
  file.bytes = static_cast<std::uint64_t>(entry.integer("size", 0, static_cast<std::int64_t>(kLargestHubFile)));
  file.is_large = entry.has("lfs");
  file.hash = file.is_large ? entry.object("lfs").text("oid") : entry.text("oid");
  if (!is_hash(file.hash) || (file.hash.size() == 64) != file.is_large) entry.refuse("oid", "is not a checksum", in_quotes(file.hash));
  return file;
}

/// The wanted files by name. Others are skipped, whatever they are called.
std::map<std::string, HubFile> read_tree(const Json& tree, const std::string& id) {
  std::map<std::string, HubFile> files;
  if (!tree.is_array()) refuse_answer(id, 200, "the server's answer is not a list of files");
  for (const Json& item : tree) {
    const bool has_name = item.is_object() && item.contains("path") && item["path"].is_string();
    if (!has_name || !is_wanted_hub_file(item["path"].get<std::string>())) continue;
    try {
      const HubFile file = read_entry(JsonFields(item, id));
      if (!files.emplace(file.name, file).second) refuse_answer(id, 200, fmt::format("the server lists {} twice", file.name));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::network) throw;
      refuse_answer(id, 200, error.message());
    }
  }
  return files;
}

/// The sorted names of the files at the top of a listing.
std::vector<std::string> names_of(const Json& tree) {
  std::vector<std::string> names;
  for (const Json& item : tree) {
    const bool has_name = item.is_object() && item.contains("path") && item["path"].is_string();
    if (has_name) names.push_back(item["path"].get<std::string>());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A repository that was reached and has no model that we can open: what it has instead.
[[noreturn]] void refuse_without_weights(const std::string& id, const std::vector<std::string>& names, bool has_config) {
  ErrorDetail detail{.kind = ErrorKind::input,
                     .field = printable(id),
                     .problem = has_config ? "the model has no model.safetensors" : "the model has no config.json",
                     .expected = "config.json and model.safetensors, or its index and shards"};
  if (const std::optional<ForeignFile> foreign = find_foreign_weights(names)) {
    detail.found = fmt::format("{}, {}", printable(foreign->name), foreign->form->what);
    detail.hint =
        fmt::format("Look for a version with model.safetensors, or download the files and continue by hand. {}", foreign->form->way);
  } else {
    detail.found = names.empty() ? "no files" : name_list(names);
  }
  throw Error(std::move(detail));
}

/// The files that a model needs, of those that there are; the weights last, so that small files fail first.
std::vector<HubFile> choose_files(std::map<std::string, HubFile> files, const std::string& id, const std::vector<std::string>& names) {
  const bool has_config = files.contains("config.json"), is_single = files.contains("model.safetensors");
  if (!has_config || (!is_single && !files.contains("model.safetensors.index.json"))) refuse_without_weights(id, names, has_config);
  std::vector<HubFile> wanted, weights;
  for (auto& [name, file] : files) {
    if (is_single && (name == "model.safetensors.index.json" || is_shard(name))) continue;
    const bool is_weights = name == "model.safetensors" || is_shard(name);
    (is_weights ? weights : wanted).push_back(std::move(file));
  }
  wanted.insert(wanted.end(), weights.begin(), weights.end());
  return wanted;
}

}  // namespace

bool is_wanted_hub_file(const std::string& name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || is_shard(name);
}

void refuse_answer(const std::string& what, long status, const std::string& problem, bool has_token) {
  ErrorDetail detail{.kind = ErrorKind::network, .field = printable(what), .problem = problem};
  if (status == 401 && has_token) {
    detail.problem = "the hub rejects the token, or there is no such model (status 401)";
    detail.hint =
        "Check the id, and the token in HF_TOKEN or in the file that the libraries of the hub keep: it may have expired or be mistyped.";
  } else if (status == 401) {
    detail.problem = "there is no such model, or it is private and needs a token (status 401)";
    detail.hint = "Check the id. For a private or gated model set HF_TOKEN to a token of yours from huggingface.co/settings/tokens.";
  } else if (status == 403) {
    detail.problem = "the model is gated: its terms must be accepted first (status 403)";
    detail.hint = "Open the model's page in a browser, accept the terms, and set HF_TOKEN to a token of that account.";
  } else if (status == 404) {
    detail.problem = "there is no such model or file (status 404)";
    detail.hint = "Check the id: OWNER/NAME as on the model's page.";
  } else if (status == 429) {
    detail.problem = "the server asks to wait: too many requests (status 429)";
    detail.hint = "Try again later.";
  }
  if (status == 0) {
    detail.problem = "the hub cannot be reached: " + problem;
    detail.hint = "Is this machine online? Models in the cache open without the network.";
  }
  throw Error(detail);
}

HubListing fetch_listing(const HubSettings& settings, const HubName& model, const std::function<void()>& check) {
  const std::string& id = model.id;
  const std::string base = fmt::format("{}/api/models/{}", settings.endpoint, id);
  std::string revision;  // one part of the address
  for (const char letter : model.revision) revision += letter == '/' ? std::string("%2F") : std::string(1, letter);
  const JsonTree answer = fetch_json(settings, fmt::format("{}/revision/{}", base, revision), id, check);
  const Json& about = *answer;
  HubListing listing;
  const bool has_commit = about.is_object() && about.contains("sha") && about["sha"].is_string();
  if (has_commit) listing.commit = about["sha"].get<std::string>();
  if (!is_hash(listing.commit)) refuse_answer(id, 200, "the server does not say which version this is");
  const JsonTree tree = fetch_json(settings, fmt::format("{}/tree/{}", base, listing.commit), id, check);
  listing.files = choose_files(read_tree(*tree, id), id, names_of(*tree));
  return listing;
}

}  // namespace headlight

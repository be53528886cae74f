// What a model on the hub consists of, and which of its files are wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/hub/settings.h"
#include "engine/model/files/hub_cache.h"

namespace headlight {

struct HubFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string hash;  ///< SHA-256 of a large file (LFS), else the id of a Git blob: hexadecimal
  bool is_large = false;
};

struct HubListing {
  std::string commit;
  std::vector<HubFile> files;  ///< those that are wanted, the weights last
};

/// Whether a name from a listing is wanted: config.json, the tokenizer's files, model.safetensors, its index and shards. Names of any other
/// form, with folders among them, are not.
bool is_wanted_hub_file(const std::string& name);

/// Asks the hub for the commit of a revision and its files. Throws Error naming the model: network; input for a model without
/// safetensors, with what it has instead.
HubListing fetch_listing(const HubSettings& settings, const HubName& model, const std::function<void()>& check);

/// Explains an answer that cannot be used: what 401, 403, 404 mean for a model, and what to do. has_token: one was sent.
[[noreturn]] void refuse_answer(const std::string& what, long status, const std::string& problem, bool has_token = false);

}  // namespace headlight

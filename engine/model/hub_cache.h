// Models in the local Hugging Face cache, as huggingface_hub lays it out: nothing here uses the network.
//
//   <cache>/models--OWNER--NAME/refs/main                 the commit that "main" was
//                              /snapshots/COMMIT/FILE     links to ../../blobs/HASH
//                              /blobs/HASH
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// HF_HUB_CACHE (or HUGGINGFACE_HUB_CACHE), else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub.
std::filesystem::path hub_cache_folder();

/// "gpt2", "openai-community/gpt2": letters, digits, hyphen, underscore and dot; at most one slash; no part that starts or ends with a dot
/// or hyphen, none of "--" and "..".
bool is_hub_id(std::string_view id);

/// models--OWNER--NAME, the folder of an id inside the cache.
std::filesystem::path hub_model_folder(const std::filesystem::path& cache, std::string_view id);

struct CachedModel {
  std::string id;
  std::filesystem::path folder;  ///< of the snapshot: what load_model opens
};

/// All ids with a snapshot that has config.json and weights, sorted. Looks at names only; never throws.
std::vector<CachedModel> list_cached_models(const std::filesystem::path& cache);

/// The snapshot of an id: that of refs/main, else the latest one. Nothing where there is no complete one.
std::optional<std::filesystem::path> find_cached_model(const std::filesystem::path& cache, std::string_view id);

/// The id of a snapshot's folder, "owner/name"; empty for any other folder.
std::string id_of_snapshot(const std::filesystem::path& folder);

}  // namespace headlight

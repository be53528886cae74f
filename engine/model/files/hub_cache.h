// Models in the local Hugging Face cache, as huggingface_hub lays it out: nothing here uses the network.
//
//   <cache>/models--OWNER--NAME/refs/REVISION             the commit that a branch or tag was: "main", "v1.0"
//                              /snapshots/COMMIT/FILE     links to ../../blobs/HASH
//                              /blobs/HASH
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace headlight {

/// Expands "~" and "~/…", as huggingface_hub does in its variables; anything else stays as it is.
std::filesystem::path expand_home(const std::string& path);

/// HF_HUB_CACHE (or HUGGINGFACE_HUB_CACHE), else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub.
std::filesystem::path hub_cache_folder();

/// "gpt2", "openai-community/gpt2": letters, digits, hyphen, underscore and dot; at most one slash; no part that starts or ends with a dot
/// or hyphen, none of "--" and "..".
bool is_hub_id(std::string_view id);

/// An id, and which version of the model is meant: a branch, a tag or a commit.
struct HubName {
  std::string id;
  std::string revision = "main";
};
/// Parses "ID" and "ID@REVISION"; nothing where the text is neither.
std::optional<HubName> parse_hub_name(std::string_view text);

/// models--OWNER--NAME, the folder of an id inside the cache.
std::filesystem::path hub_model_folder(const std::filesystem::path& cache, std::string_view id);

struct CachedModel {
  std::string id;
  std::filesystem::path folder;  ///< what load_model opens: a snapshot with config.json and safetensors, or the one GGUF file of a snapshot
};
struct UnopenedModel {
  std::string id;
  ErrorDetail why;
};

/// All ids with a snapshot that can be opened, sorted. Looks at names only; never throws.
std::vector<CachedModel> list_cached_models(const std::filesystem::path& cache);
/// The other ids that have a snapshot, sorted, each with the reason why it cannot be opened.
std::vector<UnopenedModel> list_unopened_models(const std::filesystem::path& cache);

/// What an id or ID@REVISION stands for: the snapshot of refs/REVISION or of the commit; for main, where that leads nowhere, the latest one.
/// Nothing where none can be opened.
std::optional<std::filesystem::path> find_cached_model(const std::filesystem::path& cache, std::string_view name);
/// A sentence where find_cached_model had to choose among versions; else empty.
std::string note_on_version(const std::filesystem::path& cache, std::string_view name);
/// Why find_cached_model finds nothing although the cache has something: weights of another form, a link that leads
/// nowhere, another version. Nothing where the cache does not have the id.
std::optional<ErrorDetail> why_not_opened(const std::filesystem::path& cache, std::string_view name);

/// The id of a snapshot's folder, or of a GGUF file in one, "owner/name"; empty for any other path.
std::string id_of_snapshot(const std::filesystem::path& path);

}  // namespace headlight

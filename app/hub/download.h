// A whole model from the hub into the local cache, in the layout that the Hugging Face libraries share (engine/model/files/hub_cache.h).
#pragma once

#include <filesystem>
#include <string>

#include "app/hub/settings.h"
#include "engine/core/progress.h"

namespace headlight {

/// Downloads configuration, tokenizer and safetensors of "ID" (its main branch) or "ID@REVISION" (a branch, tag or commit), checks sizes
/// and checksums, and returns the snapshot's folder. A model is there whole or not at all: links to its files are made when all of them are
/// whole, config.json last. Nothing is downloaded twice; offline, what is in the cache is returned as it is.
/// Throws Error (usage for a string that is not a name; network; input for a model without safetensors; write; limit if the disk is too
/// full), or Cancelled.
std::filesystem::path download_model(const HubSettings& settings, const std::string& name, Progress& progress);

}  // namespace headlight

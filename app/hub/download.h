// A whole model from the hub into the local cache, in the layout that the Hugging Face libraries share (engine/model/hub_cache.h).
#pragma once

#include <filesystem>
#include <string>

#include "app/hub/settings.h"
#include "engine/core/progress.h"

namespace headlight {

/// Downloads configuration, tokenizer and safetensors of main, checks sizes and checksums, and returns the snapshot's folder. A model is
/// there whole or not at all: links to its files are made when all of them are whole, config.json last. What was downloaded before is
/// not downloaded again. Throws Error (usage for an id that is none; network; write; limit where the disk is too full), or Cancelled.
std::filesystem::path download_model(const HubSettings& settings, const std::string& id, Progress& progress);

}  // namespace headlight

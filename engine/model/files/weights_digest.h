// A name for the weights of a model that does not depend on how its files are arranged: SHA-256 over its tensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/progress.h"

namespace headlight {

/// The hexadecimal SHA-256 of all tensors of a model folder or GGUF file, by name: for each its name, type and shape as a line of text,
/// then its bytes as they are stored. Shards, metadata and the order in the file count for nothing. Throws Error (input); or Cancelled.
std::string weights_digest(const std::filesystem::path& model, Progress& progress);

/// Whether a model's files may have changed: their paths, sizes and times.
struct WeightsStamp {
  struct File {
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::filesystem::file_time_type time;
    bool operator==(const File&) const = default;
  };
  std::vector<File> files;
  bool operator==(const WeightsStamp&) const = default;
};
/// Of the weight files of a model folder, or of a GGUF file. Empty if there are none. Never throws.
WeightsStamp weights_stamp(const std::filesystem::path& model);

}  // namespace headlight

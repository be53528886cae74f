// Digests of weights that were computed at earlier starts, in a file below the user's cache folder: weights of some GB are read once for
// their digest, and not at every start. A digest counts while paths, sizes and times of its files are the same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/model/files/weights_digest.h"

namespace headlight {

struct KeptDigest {
  WeightsStamp stamp;
  std::string hex;
  bool operator==(const KeptDigest&) const = default;
};

inline constexpr std::size_t kMostKeptDigests = 64;

/// Newest first. Nothing where the file is missing, damaged or larger than such a file can be. Never throws.
std::vector<KeptDigest> read_kept_digests(const std::filesystem::path& file);

/// The digest of these files; empty: none is kept. Never throws.
std::string find_kept_digest(const std::filesystem::path& file, const WeightsStamp& stamp);

/// Puts a digest first and drops what is kept of the same files, and the oldest over kMostKeptDigests. A file that cannot be written is left
/// as it is: then the weights are read again at the next start. Never throws.
void keep_digest(const std::filesystem::path& file, const KeptDigest& digest);

}  // namespace headlight

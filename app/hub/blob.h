// One file of a model, downloaded into the cache's blobs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "app/hub/listing.h"

namespace headlight {

struct BlobRequest {
  std::string url;
  std::string token;
  std::string label;  ///< "gpt2/model.safetensors", for messages
  HubFile file;
  std::filesystem::path blobs;  ///< the folder
};

/// Called with the bytes that are there, at least every 100 ms; may throw to cancel.
using BlobProgress = std::function<void(std::uint64_t bytes)>;

/// Makes blobs/HASH whole: continues where HASH.incomplete ends if the server still has the same file, and gives it its name only when its
/// checksum is right. Does nothing if it is there already. Gives up after five tries in a row, or 20 seconds, without a new byte. Throws
/// Error (network, write): what is incomplete stays for the next time, unless its checksum was wrong.
void download_blob(const BlobRequest& request, const BlobProgress& progress);

}  // namespace headlight

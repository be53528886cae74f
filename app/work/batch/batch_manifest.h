// What a folder of figures says of itself: which file was made of which text, and what decided it, so that the next run makes only what is
// missing or has changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headlight {

/// A text of the file, in its order.
struct BatchText {
  std::uint64_t line = 0;    ///< where it begins, from 1
  std::string text = {};     ///< its beginning, or its token ids: at most kLongestShownText bytes
  std::string problem = {};  ///< why it could not be read; empty: it could
  bool operator==(const BatchText&) const = default;
};
inline constexpr std::size_t kLongestShownText = 600;

/// One figure of one text, in one kind of file.
struct BatchItem {
  std::string file = {};     ///< "0003-heatmap.png", in the folder
  std::string figure = {};   ///< "heatmap"
  std::size_t text = 0;      ///< which of the texts, from 0
  std::string recipe = {};   ///< SHA-256 over everything that decides the file
  std::string sha256 = {};   ///< of the file; empty: it was not made
  std::string problem = {};  ///< why not; empty with an empty sha256: its turn has not come
  int status = 0;            ///< exit status that belongs to the problem (ErrorKind)
  bool operator==(const BatchItem&) const = default;
};

inline constexpr char kManifestName[] = "batch.json";

/// The same bytes for equal items: no time, no machine, no path.
void write_batch_manifest(const std::filesystem::path& folder, const std::vector<BatchItem>& items);
/// The files that were made, none where the folder has no manifest. Throws Error (input) for one that cannot be followed.
std::vector<BatchItem> read_batch_manifest(const std::filesystem::path& folder);

}  // namespace headlight

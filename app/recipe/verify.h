// Whether a figure's file still is what its model, texts and edits give: computed anew and compared.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/progress.h"

namespace headlight {

struct VerifyOptions {
  std::optional<std::string> model = {};  ///< where the figure's model is; none: where its name says
  int threads = 0;                        ///< to compute with; 0: one per core
};

/// What was found. The first line says it in a word, "equal: …" or "differs: …"; the others say why.
struct Verification {
  bool is_equal = false;
  bool has_same_weights = true;
  bool is_same_version = true;
  std::vector<std::string> lines;
};

/// Throws Error: input for a file that does not say how it was made, or whose model is not there; usage for a model that does not fit it;
/// limit; or Cancelled.
Verification verify_figure(const std::filesystem::path& path, const VerifyOptions& options, Progress& progress);

}  // namespace headlight

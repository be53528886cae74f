// What a model's weights are called in figures and studies, however its files are arranged and wherever they lie.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/progress.h"
#include "engine/model/model.h"

namespace headlight {

/// SHA-256 of a model's weights (weights_digest.h), or of a file of attention maps; empty for the sandbox, whose weights come from its seed.
/// `kept_in`: a file of digests that were computed earlier (kept_digests.h), which is read and added to; empty: the weights are read anew.
/// Throws Error (input); or Cancelled.
std::string digest_of_model(const ModelChoice& model, const std::filesystem::path& kept_in, Progress& progress);

/// A model's name without the folders of a path: files that go to others say nothing of one's machine.
std::string portable_name(const std::string& name);

}  // namespace headlight

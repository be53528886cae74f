// Texts of a file that a mean is taken over, as an intervention keeps them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/interventions/intervention.h"
#include "engine/studies/corpus.h"

namespace headlight {

/// Reads all texts of a file; blank ones are left out. `name`: what the set is called. Throws Error: usage naming `field` for a text that cannot
/// be read and for more than kMostTextsOfSet or kLargestTextSet, input for a file that cannot be read.
std::shared_ptr<const TextSet> read_text_set(const std::string& name, const std::filesystem::path& file, const CorpusFormat& format,
                                             const std::string& field);

}  // namespace headlight

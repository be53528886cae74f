// Files without any text: nothing is measured on them, in the window as on the command line.
#pragma once

#include <filesystem>

#include "engine/studies/corpus.h"

namespace headlight {

/// Whether a file has nothing but blank texts. A file that begins with 64 MiB of them counts as one with texts: it is not read to its end here.
/// Throws Error (input) as CorpusReader.
bool has_no_texts(const std::filesystem::path& path, const CorpusFormat& format);

/// Throws Error (input): "this file contains no texts".
[[noreturn]] void refuse_no_texts(const std::filesystem::path& path);

}  // namespace headlight

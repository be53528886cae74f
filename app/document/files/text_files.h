// Sentences from files: as they are, several lines included.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace headlight {

/// The text of a file, without the line break that ends its last line and without a byte order mark. Throws Error (input) for a file that
/// cannot be read or that is not a text, Error (limit) where it is larger.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t most_bytes);

/// What a person types or another program writes to the standard input, likewise.
std::string read_standard_input(std::uint64_t most_bytes);

/// Whether a file begins as text does: valid UTF-8 without zero bytes. False for one that cannot be read.
bool holds_text(const std::filesystem::path& path);

}  // namespace headlight

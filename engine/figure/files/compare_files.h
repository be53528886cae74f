// Whether two figures' files show the same, and where and by how much they differ: a file beside the same figure made again.
#pragma once

#include <filesystem>
#include <string>

namespace headlight {

/// In words; empty: they are equal. Pictures of pixels are compared pixel by pixel, other pictures byte by byte, numbers one by one with the
/// words beside them, whatever lies between them in the file. What the files say of how they were made is not compared, except in
/// vector pictures. Both have the ending of `file`, one that has_record_by_ending knows; `again` is our own. Throws Error (input, limit).
std::string difference_between(const std::filesystem::path& file, const std::filesystem::path& again);

/// What a file's seal would be if it were made of the file as it is now (Provenance::picture_sha256); `seal`: the one that it has. Throws Error
/// (input, limit) where the file cannot be read.
std::string seal_of(const std::filesystem::path& file, const std::string& seal);

}  // namespace headlight

// What a figure's file says of how it was made, read as untrusted bytes.
#pragma once

#include <filesystem>
#include <string>

#include "engine/figure/files/provenance.h"

namespace headlight {

/// Larger files are refused: no picture and no text of ours is so large.
inline constexpr std::uint64_t kLargestFigure = std::uint64_t{1} << 29U;
/// The same for arrays and tables, which are as large as memory lets them be.
inline constexpr std::uint64_t kLargestArrays = std::uint64_t{1} << 36U;
std::uint64_t largest_figure(const std::filesystem::path& path);

/// Whether files with this ending can say how they were made: pictures, .json, .npz and .safetensors.
bool has_record_by_ending(const std::filesystem::path& path);

/// Of the whole file, whose ending says what it is. Throws Error: input where it says nothing, or is not what its ending says; limit over
/// largest_figure.
Provenance read_provenance(const std::filesystem::path& path);

}  // namespace headlight

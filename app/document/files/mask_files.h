// One head's mask as a file that other programs read and draw: .npy, .txt (rows of 0 and 1) and .png (one pixel per cell).
//
// In all of them 1, or white, says: this query (row) may attend to this key (column). Files that other programs write are read too, and a
// note says how: numbers that are added to scores (0 may attend, −∞ or −10000 and below may not), and pictures that are not black and
// white.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/attention/mask.h"

namespace headlight {

/// The kind follows from the ending. Throws Error (usage) for another ending, Error (write) as write_file does.
void write_mask(const Mask& mask, const std::filesystem::path& path);

/// A mask, and notes on how it was read, one sentence each.
struct MaskFile {
  Mask mask;
  std::vector<std::string> notes = {};
};

/// Reads a mask of `queries` × `keys` cells. Text: rows of 0 and 1 with or without blanks between them, or of numbers as numpy.savetxt
/// writes them; lines that begin with # are comments. In a picture a pixel whose red, green and blue have a mean of at least 128 of 255 is
/// white. Throws Error (input) that names what was found: another shape (both are named), a number that means neither, and its place, a
/// broken file; Error (limit) for a file too large for any such mask.
MaskFile read_mask(const std::filesystem::path& path, Index queries, Index keys);
/// The same where the map's size is not known yet: the file's own.
MaskFile read_mask(const std::filesystem::path& path);
/// Throws Error (input) that names both sizes where the mask that was read from `path` does not have `queries` × `keys` cells.
void check_mask_size(const Mask& mask, const std::filesystem::path& path, Index queries, Index keys);

/// Rectangles that, painted one after the other over any mask of this shape, give this one. Throws Error (limit) if it takes more than
/// kMostRectangles of them.
inline constexpr std::size_t kMostRectangles = 65'536;
std::vector<CellBlock> strokes_of(const Mask& mask);

/// An imported mask as the strokes of one rule; those that the scope had before are replaced.
void paint_mask(MaskEdits& edits, const Scope& scope, std::vector<CellBlock> strokes);

}  // namespace headlight

// Writes a scene, or the numbers behind it, as a file.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/painters/painters.h"

namespace headlight {

/// A kind of file that figures are written to, and which parts of a request and its options apply to it.
struct FigureFile {
  std::string_view ending;
  bool is_drawn = false;         ///< the scene in the request's style; else the numbers behind it, which have no style
  bool has_pixels = false;       ///< pixels_per_point applies
  bool has_text_cells = false;   ///< is_spreadsheet_safe applies
  bool is_for_programs = false;  ///< the window's dialog does not offer it
  void (*write)(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float pixels_per_point);
};
std::span<const FigureFile> figure_files();

/// The row for the ending of `path`, however it is capitalised; null if the figure cannot be written with it.
const FigureFile* file_of_figure(const FigureKind& kind, const std::filesystem::path& path);
/// ".png, .svg, .pdf, .csv, .npy or .json": the endings that a figure can be written with.
std::string endings_text(const FigureKind& kind);

/// By the ending of `path`: .png .svg .pdf from the scene; .csv .npy .json the numbers (write_numbers.h).
/// Throws Error (usage) for an ending that the figure does not have, Error (write) when the file cannot be written.
void write_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                  float pixels_per_point = kDefaultPixelsPerPoint);

}  // namespace headlight

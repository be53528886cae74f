// Writes a scene, or the numbers behind it, as a file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/figure/files/provenance.h"
#include "engine/figure/kinds/figure_kinds.h"
#include "engine/figure/page/page_look.h"
#include "engine/figure/painters/painters.h"

namespace headlight {

/// How a figure is written, whatever it shows.
struct FigureOutput {
  float pixels_per_point = kDefaultPixelsPerPoint;  ///< of a PNG
  bool has_titles = false;                          ///< of an SVG: exact values as titles of its cells
  /// Written into the file where it can hold that; its sums are computed. None: the file says nothing of how it was made.
  std::optional<Provenance> provenance = {};
  bool is_again = false;  ///< the provenance is that of a file which is made again to be compared: its sums are taken as they are
};

/// A kind of file that figures are written to, and which parts of a request and its options apply to it.
struct FigureFile {
  std::string_view ending;
  bool is_drawn = false;        ///< the scene in the request's style; else the numbers behind it, which have no style
  bool has_pixels = false;      ///< pixels_per_point applies
  bool has_titles = false;      ///< has_titles applies
  bool has_text_cells = false;  ///< is_spreadsheet_safe applies
  std::string_view what = {};   ///< of a drawn file without pixels, for people: "vector, fonts embedded"
  bool has_record = false;      ///< it says how it was made (provenance.h); CSV, TSV and NPY have no place for that
  /// Of a drawn file: its bytes; `note` may hold a seal that is still open (kUnsealed).
  std::string (*draw)(const Scene& scene, const FigureOutput& output, const PictureNote& note) = nullptr;
  /// Of numbers. `record`: to_text of the provenance; empty: none.
  void (*write)(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                const std::string& record) = nullptr;
};
std::span<const FigureFile> figure_files();

/// The row for the ending of `path`, however it is capitalised; null if the figure cannot be written with it.
const FigureFile* file_of_figure(const FigureKind& kind, const std::filesystem::path& path);
/// ".png, .svg, .pdf, .csv, .npy or .json": the endings that a figure can be written with.
std::string endings_text(const FigureKind& kind);

/// By the ending of `path`: .png .svg .pdf from the scene; .csv .tsv .npy .npz .safetensors .json the numbers.
/// Returns whether the letters of a drawn figure are as large as its page asks for (page_look.h). Throws Error (usage) for an ending that the
/// figure does not have, Error (write) when the file cannot be written.
PageFit write_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                     const FigureOutput& output = {});

/// What it writes for a drawn figure, whose scene is made already.
std::string bytes_of_figure(const Snapshot& snapshot, const FigureRequest& request, const Scene& scene, const FigureFile& file,
                            const FigureOutput& output);

/// One of the figures of a sweep.
struct FigureStill {
  std::string name;  ///< "layer 3"
  std::shared_ptr<const Snapshot> run;
  FigureRequest request;
};
/// All of them on one page, with a slider. Throws as write_figure does; usage for an ending other than .html.
void write_stills(std::span<const FigureStill> stills, const std::filesystem::path& path, const FigureOutput& output = {});
/// numbers_digest of all of them together.
std::string numbers_digest(std::span<const FigureStill> stills);

}  // namespace headlight

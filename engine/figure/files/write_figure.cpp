#include "engine/figure/files/write_figure.h"

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/figure/files/write_numbers.h"
#include "engine/figure/files/write_tables.h"
#include "engine/figure/painters/painters.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

Scene scene_of(const Snapshot& snapshot, const FigureRequest& request) {
  return make_figure(snapshot, request, pango_measure());
}

void write_png(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float pixels_per_point) {
  write_file(path, to_png(scene_of(snapshot, request), pixels_per_point));
}
void write_svg(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float) {
  write_file(path, to_svg(scene_of(snapshot, request)));
}
void write_pdf(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float) {
  write_file(path, to_pdf(scene_of(snapshot, request)));
}
using WriteNumbers = void (*)(const Snapshot&, const FigureRequest&, const std::filesystem::path&);
/// `tables`: for figures whose numbers are tables; none of them has an ending for which it is null.
template <WriteNumbers maps, WriteNumbers tables = nullptr>
void write_checked(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float) {
  check_figure(snapshot, request);
  const bool has_tables = request.kind->numbers.tables != nullptr;
  (has_tables ? tables : maps)(snapshot, request, path);
}

constexpr std::array kFiles{
    FigureFile{.ending = ".png", .is_drawn = true, .has_pixels = true, .write = write_png},
    FigureFile{.ending = ".svg", .is_drawn = true, .write = write_svg},
    FigureFile{.ending = ".pdf", .is_drawn = true, .write = write_pdf},
    FigureFile{.ending = ".csv", .has_text_cells = true, .write = write_checked<write_csv, write_tables_csv>},
    FigureFile{.ending = ".npy", .write = write_checked<write_numpy>},
    FigureFile{.ending = ".json", .is_for_programs = true, .write = write_checked<write_json, write_tables_json>},
};
static_assert(std::equal(kFiles.begin(), kFiles.end(), std::begin(kAllEndings), std::end(kAllEndings),
                         [](const FigureFile& file, std::string_view ending) { return file.ending == ending; }));
static_assert(std::all_of(kFiles.begin(), kFiles.end(), [](const FigureFile& file) {
  return file.is_drawn == (std::find(std::begin(kDrawnEndings), std::end(kDrawnEndings), file.ending) != std::end(kDrawnEndings));
}));

}  // namespace

std::span<const FigureFile> figure_files() {
  return kFiles;
}

const FigureFile* file_of_figure(const FigureKind& kind, const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (std::find(kind.endings.begin(), kind.endings.end(), ending) == kind.endings.end()) return nullptr;
  const auto* const file = std::find_if(kFiles.begin(), kFiles.end(), [&](const FigureFile& each) { return each.ending == ending; });
  return file == kFiles.end() ? nullptr : file;
}

std::string endings_text(const FigureKind& kind) {
  std::string text;
  for (std::size_t i = 0; i < kind.endings.size(); ++i) {
    const bool is_last = i + 1 == kind.endings.size();
    text.append(i == 0 ? "" : is_last ? " or " : ", ").append(kind.endings[i]);
  }
  return text;
}

void write_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float pixels_per_point) {
  if (const FigureFile* file = file_of_figure(*request.kind, path)) {
    file->write(snapshot, request, path, pixels_per_point);
    return;
  }
  const std::string ending = ending_of(path);
  throw Error({.kind = ErrorKind::usage,
               .file = printable(path.native()),
               .problem = "a figure cannot be written with this ending",
               .found = ending.empty() ? "no ending" : printable(ending),
               .expected = endings_text(*request.kind)});
}

}  // namespace headlight

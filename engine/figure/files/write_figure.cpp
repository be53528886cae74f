#include "engine/figure/files/write_figure.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "engine/core/error.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/files/numbers_digest.h"
#include "engine/figure/files/read_record.h"
#include "engine/figure/files/write_arrays.h"
#include "engine/figure/files/write_numbers.h"
#include "engine/figure/files/write_tables.h"
#include "engine/figure/painters/painters.h"
#include "engine/figure/painters/png.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

/// A PNG's seal is of its pixels as they are read again, so that a program which packs them in another way does not break it.
std::string draw_png(const Scene& scene, const FigureOutput& output, const PictureNote& note) {
  const Image image = to_image(scene, output.pixels_per_point);
  std::string png = encode_png(image);
  if (scene.has_print_size) png = with_density(png, dpi_at(output.pixels_per_point));
  if (note.record.empty()) return png;
  std::string record = note.record;
  if (const std::size_t seal = record.find(kUnsealed); seal != std::string::npos)
    record.replace(seal, kUnsealed.size(), pixels_sha256(scene.background.alpha > 0 ? image : decode_png(png, scene.title)));
  const std::array texts{PngText{"Title", scene.title}, PngText{"Software", "Headlight"}, PngText{"Description", note.command},
                         PngText{kPngKeyword, record}};
  return with_texts(png, texts);
}
std::string draw_svg(const Scene& scene, const FigureOutput& output, const PictureNote& note) {
  return sealed(to_svg(scene, {.note = note, .has_titles = output.has_titles}));
}
std::string draw_pdf(const Scene& scene, const FigureOutput&, const PictureNote& note) {
  return sealed(to_pdf(scene, note));
}
std::string draw_html(const Scene& scene, const FigureOutput&, const PictureNote& note) {
  const std::array stills{HtmlStill{"", scene}};
  return sealed(to_html(stills, note));
}

using WriteNumbers = void (*)(const Snapshot&, const FigureRequest&, const std::filesystem::path&);
using WriteRecorded = void (*)(const Snapshot&, const FigureRequest&, const std::filesystem::path&, std::string_view record);
bool has_tables(const FigureNumbers& numbers) {
  return numbers.tables || numbers.columns || numbers.list || numbers.named;
}
/// `tables`: for figures whose numbers are tables; none of them has an ending for which it is null.
template <WriteNumbers maps, WriteNumbers tables = nullptr>
void write_plain(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, const std::string&) {
  (has_tables(request.kind->numbers) ? tables : maps)(snapshot, request, path);
}
template <WriteRecorded maps, WriteRecorded tables = maps>
void write_recorded(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, const std::string& record) {
  (has_tables(request.kind->numbers) ? tables : maps)(snapshot, request, path, record);
}

constexpr std::array kFiles{
    FigureFile{.ending = ".png", .is_drawn = true, .has_pixels = true, .has_record = true, .draw = draw_png},
    FigureFile{
        .ending = ".svg", .is_drawn = true, .has_titles = true, .what = "vector, text as text", .has_record = true, .draw = draw_svg},
    FigureFile{.ending = ".pdf", .is_drawn = true, .what = "vector, fonts embedded", .has_record = true, .draw = draw_pdf},
    FigureFile{.ending = ".html", .is_drawn = true, .what = "a page that tells values", .has_record = true, .draw = draw_html},
    FigureFile{.ending = ".csv", .has_text_cells = true, .write = write_plain<write_csv, write_tables_csv>},
    FigureFile{.ending = ".tsv", .has_text_cells = true, .write = write_plain<write_tsv, write_tables_tsv>},
    FigureFile{.ending = ".npy", .write = write_plain<write_numpy>},
    FigureFile{.ending = ".npz", .has_record = true, .write = write_recorded<write_figure_npz>},
    FigureFile{.ending = ".safetensors", .has_record = true, .write = write_recorded<write_figure_safetensors>},
    FigureFile{.ending = ".json", .has_record = true, .write = write_recorded<write_json, write_tables_json>},
};
static_assert(std::equal(kFiles.begin(), kFiles.end(), std::begin(kAllEndings), std::end(kAllEndings),
                         [](const FigureFile& file, std::string_view ending) { return file.ending == ending; }));
static_assert(std::all_of(kFiles.begin(), kFiles.end(), [](const FigureFile& file) {
  return file.is_drawn == (std::find(std::begin(kDrawnEndings), std::end(kDrawnEndings), file.ending) != std::end(kDrawnEndings));
}));

/// What the file will say of how it was made.
PictureNote note_of(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file, const FigureOutput& output) {
  if (!file.has_record || !output.provenance) return {};
  Provenance provenance = *output.provenance;
  if (!output.is_again) {
    provenance.pixels_per_point = file.has_pixels ? output.pixels_per_point : 0;
    provenance.has_titles = file.has_titles && output.has_titles;
    provenance.numbers_sha256 = numbers_digest(snapshot, request, file.is_drawn);
    provenance.type_sha256 = file.is_drawn ? type_digest(sentence_of(snapshot), request.page.family) : "";
    provenance.picture_sha256 = kUnsealed;
  }
  return {to_text(provenance), provenance.command};
}

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

PageFit write_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                     const FigureOutput& output) {
  const FigureFile* file = file_of_figure(*request.kind, path);
  if (file == nullptr) {
    const std::string ending = ending_of(path);
    throw Error({.kind = ErrorKind::usage,
                 .file = printable(path.native()),
                 .problem = "a figure cannot be written with this ending",
                 .found = ending.empty() ? "no ending" : printable(ending),
                 .expected = endings_text(*request.kind)});
  }
  check_figure(snapshot, request);
  if (file->is_drawn) {
    const Scene scene = make_figure(snapshot, request, pango_measure(request.page.family));
    const std::string bytes = bytes_of_figure(snapshot, request, scene, *file, output);
    if (bytes.size() > kLargestFigure)
      throw Error({.kind = ErrorKind::limit,
                   .file = printable(path.native()),
                   .problem = "this picture is too large to be read again",
                   .found = fmt::format("{} MiB", bytes.size() >> 20U),
                   .expected = "at most 512 MiB",
                   .hint = "Fewer pixels, or fewer heads"});
    write_file(path, bytes);
    return fit_of(request.page, scene);
  }
  file->write(snapshot, request, path, note_of(snapshot, request, *file, output).record);
  return {};
}

std::string bytes_of_figure(const Snapshot& snapshot, const FigureRequest& request, const Scene& scene, const FigureFile& file,
                            const FigureOutput& output) {
  return file.draw(scene, output, note_of(snapshot, request, file, output));
}

std::string numbers_digest(std::span<const FigureStill> stills) {
  std::string sums;
  for (const FigureStill& still : stills) sums += numbers_digest(*still.run, still.request, true);
  return sha256_of(sums);
}

void write_stills(std::span<const FigureStill> stills, const std::filesystem::path& path, const FigureOutput& output) {
  if (ending_of(path) != ".html") {
    throw Error({.kind = ErrorKind::usage,
                 .file = printable(path.native()),
                 .problem = "only a page has a slider",
                 .found = printable(ending_of(path)),
                 .expected = ".html"});
  }
  std::vector<HtmlStill> scenes;
  const MeasureText measure = pango_measure(stills.front().request.page.family);
  for (const FigureStill& still : stills) scenes.push_back({still.name, make_figure(*still.run, still.request, measure)});
  PictureNote note;
  if (output.provenance) {
    Provenance provenance = *output.provenance;
    if (!output.is_again) {
      provenance.numbers_sha256 = numbers_digest(stills);
      provenance.type_sha256 = type_digest(sentence_of(*stills.front().run), stills.front().request.page.family);
      provenance.picture_sha256 = kUnsealed;
    }
    note = {to_text(provenance), provenance.command};
  }
  write_file(path, sealed(to_html(scenes, note)));
}

}  // namespace headlight

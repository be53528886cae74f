#include "engine/figure/files/write_figure.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/core/error.h"
#include "engine/figure/files/write_numbers.h"
#include "engine/figure/painters/painters.h"
#include "engine/formats/file_reader.h"

namespace headlight {
namespace {

using Write = void (*)(const Snapshot&, const FigureRequest&, const std::filesystem::path&, float pixels_per_point);

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
template <void (*write)(const Snapshot&, const FigureRequest&, const std::filesystem::path&)>
void write_checked(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float) {
  check_figure(snapshot, request);
  write(snapshot, request, path);
}

struct Ending {
  std::string_view ending;
  Write write;
};
constexpr std::array<Ending, 6> kEndings = {{{".png", write_png},
                                             {".svg", write_svg},
                                             {".pdf", write_pdf},
                                             {".csv", write_checked<write_csv>},
                                             {".npy", write_checked<write_numpy>},
                                             {".json", write_checked<write_json>}}};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace

void write_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, float pixels_per_point) {
  const std::string ending = lower(path.extension().native());
  for (const Ending& known : kEndings) {
    if (known.ending == ending) return known.write(snapshot, request, path, pixels_per_point);
  }
  throw Error({.kind = ErrorKind::usage,
               .file = printable(path.native()),
               .problem = "a figure cannot be written with this ending",
               .found = ending.empty() ? "no ending" : printable(ending),
               .expected = ".png, .svg, .pdf, .csv, .npy or .json"});
}

}  // namespace headlight

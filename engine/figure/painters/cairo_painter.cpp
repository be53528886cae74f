// Scenes through cairo: pixels for PNG, a page for PDF.
#include <cairo-pdf.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <optional>

#include "engine/core/error.h"
#include "engine/figure/painters/cairo_bytes.h"
#include "engine/figure/painters/map_cells.h"
#include "engine/figure/painters/painters.h"
#include "engine/figure/painters/pango_text.h"
#include "engine/figure/painters/png.h"

namespace headlight {
namespace {

constexpr int kLargestSide = 32767;  // of an image in cairo

struct Destroy {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
  void operator()(cairo_pattern_t* pattern) const { cairo_pattern_destroy(pattern); }
};
using Surface = std::unique_ptr<cairo_surface_t, Destroy>;
using Cairo = std::unique_ptr<cairo_t, Destroy>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  throw Error({.field = "figure", .problem = fmt::format("cairo: {}", cairo_status_to_string(status))});
}

// Colours as Cairo has them, alpha in the highest byte of a word and colours multiplied by it, and as images do, four bytes in order. A pixel
// of a map is opaque or clear.

std::vector<std::uint32_t> to_words(const Image& image) {
  std::vector<std::uint32_t> words(image.pixels.size() / 4);
  const std::uint8_t* pixel = image.pixels.data();
  for (std::uint32_t& word : words) {
    if (pixel[3] != 0)
      word = 0xFF000000U | static_cast<std::uint32_t>(pixel[0]) << 16U | static_cast<std::uint32_t>(pixel[1]) << 8U | pixel[2];
    pixel += 4;
  }
  return words;
}

std::vector<std::uint8_t> to_pixels(const std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t kOpaque = 0xFF;
  std::vector<std::uint8_t> pixels(words.size() * 4);
  std::uint8_t* pixel = pixels.data();
  for (const std::uint32_t word : words) {
    const std::uint32_t alpha = word >> 24U;
    const auto part = [&](unsigned int shift) {
      const std::uint32_t value = word >> shift & 0xFFU;
      return static_cast<std::uint8_t>(alpha == kOpaque || alpha == 0 ? value : std::min(kOpaque, (value * kOpaque + alpha / 2) / alpha));
    };
    const std::array colour{part(16), part(8), part(0), static_cast<std::uint8_t>(alpha)};
    std::memcpy(pixel, colour.data(), colour.size());
    pixel += 4;
  }
  return pixels;
}

/// The surface borrows the words.
Surface borrow(std::vector<std::uint32_t>& words, int width, int height) {
  Surface surface(
      cairo_image_surface_create_for_data(reinterpret_cast<unsigned char*>(words.data()), CAIRO_FORMAT_ARGB32, width, height, width * 4));
  check(cairo_surface_status(surface.get()));
  return surface;
}

/// Paints items in points of the scene. `pixels_per_point` above 0: onto pixels, to whose grid boxes and maps are fitted.
class CairoPainter {
 public:
  CairoPainter(cairo_t* cairo, float pixels_per_point, const std::string& family)
      : cairo_(cairo), scale_(pixels_per_point), text_(family) {}

  void paint(const Scene& scene) {
    has_rectangles_ = has_few_cells(scene);
    if (scene.background.alpha > 0) {
      set_colour(scene.background);
      cairo_paint(cairo_);
    }
    for (const SceneItem& item : scene.items) std::visit([this](const auto& record) { draw(record); }, item);
  }

 private:
  bool has_pixels() const { return scale_ > 0; }
  double snapped(float points) const { return has_pixels() ? std::round(points * scale_) / scale_ : points; }

  void set_colour(Colour colour) {
    cairo_set_source_rgba(cairo_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0, colour.alpha / 255.0);
  }

  void rectangle(double left, double top, double right, double bottom, double radius) {
    radius = std::min({radius, (right - left) / 2, (bottom - top) / 2});
    if (radius <= 0) {
      cairo_rectangle(cairo_, left, top, right - left, bottom - top);
      return;
    }
    constexpr double kQuarter = std::numbers::pi / 2;
    cairo_new_sub_path(cairo_);
    cairo_arc(cairo_, right - radius, top + radius, radius, -kQuarter, 0);
    cairo_arc(cairo_, right - radius, bottom - radius, radius, 0, kQuarter);
    cairo_arc(cairo_, left + radius, bottom - radius, radius, kQuarter, 2 * kQuarter);
    cairo_arc(cairo_, left + radius, top + radius, radius, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(cairo_);
  }

  void draw(const SceneBox& item) {
    const double left = snapped(item.box.x), top = snapped(item.box.y), right = snapped(item.box.right()),
                 bottom = snapped(item.box.bottom());
    if (item.fill.alpha > 0) {
      set_colour(item.fill);
      rectangle(left, top, right, bottom, item.radius);
      cairo_fill(cairo_);
    }
    if (item.stroke.alpha == 0) return;
    const double pixels = has_pixels() ? std::max(1.0F, std::round(item.stroke_width * scale_)) : 0;
    const double width = has_pixels() ? pixels / scale_ : item.stroke_width;
    // Odd widths lie inside the edge so that they fill whole pixels.
    const double inset = has_pixels() && std::fmod(pixels, 2) == 1 ? 0.5 / scale_ : 0;
    set_colour(item.stroke);
    cairo_set_line_width(cairo_, width);
    rectangle(left + inset, top + inset, right - inset, bottom - inset, item.radius);
    cairo_stroke(cairo_);
  }

  void draw(const SceneLine& item) {
    set_colour(item.colour);
    cairo_set_line_width(cairo_, item.width);
    cairo_move_to(cairo_, item.from.x, item.from.y);
    cairo_line_to(cairo_, item.to.x, item.to.y);
    cairo_stroke(cairo_);
  }

  void draw(const SceneCurve& item) {
    set_colour(item.colour);
    cairo_set_line_width(cairo_, item.width);
    cairo_move_to(cairo_, item.from.x, item.from.y);
    cairo_curve_to(cairo_, item.from_control.x, item.from_control.y, item.to_control.x, item.to_control.y, item.to.x, item.to.y);
    cairo_stroke(cairo_);
  }

  void draw(const SceneText& item) {
    set_colour(item.colour);
    text_.draw(cairo_, item);
  }

  void draw(const SceneRamp& item) {
    const auto& colours = ramp(item.scale.map, item.scale.is_dark);
    const double left = snapped(item.box.x), top = snapped(item.box.y), right = snapped(item.box.right()),
                 bottom = snapped(item.box.bottom());
    // Each colour down to the end and the next one over it: no seams.
    for (std::size_t i = 0; i < colours.size(); ++i) {
      set_colour(colours[colours.size() - 1 - i]);
      const double from = top + (bottom - top) * static_cast<double>(i) / static_cast<double>(colours.size());
      cairo_rectangle(cairo_, left, from, right - left, bottom - from);
      cairo_fill(cairo_);
    }
  }

  void draw(const SceneMap& item) {
    if (!item.picture) return;
    if (has_pixels()) {
      draw_pixels(item);
    } else if (has_rectangles_ && has_few_cells(item)) {
      draw_cells(item);
    } else {
      const std::optional<Image> cells = cell_image(item);
      if (cells && has_clear_pixels(*cells)) draw_hatched(item.box, item.hatch);
      draw_image(cells ? *cells : map_image(item), item.box.x, item.box.y, item.box.width, item.box.height);
    }
  }

  void draw_hatched(const Box& box, const HatchStyle& hatch) {
    cairo_save(cairo_);
    cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
    cairo_clip_preserve(cairo_);
    set_colour(hatch.ground);
    cairo_fill(cairo_);
    draw_hatch(box, hatch);
    cairo_restore(cairo_);
  }

  void draw_pixels(const SceneMap& item) {
    const auto pixel = [&](float points) { return static_cast<int>(std::lround(points * scale_)); };
    const int x = pixel(item.box.x), y = pixel(item.box.y);
    Image image{std::max(1, pixel(item.box.right()) - x), std::max(1, pixel(item.box.bottom()) - y), {}};
    image.pixels.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
    HatchStyle hatch = item.hatch;
    hatch.spacing *= scale_;
    paint_map(*item.picture, item.window, item.scale, hatch, image, {0, 0, image.width, image.height});
    const auto points = [&](int pixels) { return static_cast<double>(pixels) / scale_; };
    draw_image(image, points(x), points(y), points(image.width), points(image.height));
  }

  void draw_image(const Image& image, double x, double y, double width, double height) {
    std::vector<std::uint32_t> words = to_words(image);
    const Surface surface = borrow(words, image.width, image.height);
    cairo_save(cairo_);
    cairo_translate(cairo_, x, y);
    cairo_scale(cairo_, width / image.width, height / image.height);
    cairo_set_source_surface(cairo_, surface.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cairo_, 0, 0, image.width, image.height);
    cairo_fill(cairo_);
    cairo_restore(cairo_);
    cairo_surface_finish(surface.get());  // before its words are freed
  }

  void draw_cells(const SceneMap& item) {
    constexpr double kOverlap = 0.25;  // under the next cell, so that no viewer shows seams
    const std::vector<CellRun> runs = cell_runs(item);
    cairo_save(cairo_);
    cairo_rectangle(cairo_, item.box.x, item.box.y, item.box.width, item.box.height);
    cairo_clip(cairo_);
    for (const CellRun& run : runs) {
      set_colour(run.is_masked ? item.hatch.ground : run.colour);
      cairo_rectangle(cairo_, run.box.x, run.box.y, run.box.width + kOverlap, run.box.height + kOverlap);
      cairo_fill(cairo_);
    }
    cairo_new_path(cairo_);
    for (const CellRun& run : runs) {
      if (run.is_masked) cairo_rectangle(cairo_, run.box.x, run.box.y, run.box.width, run.box.height);
    }
    cairo_clip(cairo_);
    draw_hatch(item.box, item.hatch);
    cairo_restore(cairo_);
  }

  void draw_hatch(const Box& box, const HatchStyle& hatch) {
    set_colour(hatch.line);
    cairo_set_line_width(cairo_, std::max(1.0F, hatch.spacing / 7));
    const int first = static_cast<int>(std::ceil((box.x + box.y) / hatch.spacing));
    const int last = static_cast<int>(std::floor((box.right() + box.bottom()) / hatch.spacing));
    for (int line = first; line <= last; ++line) {
      const float sum = static_cast<float>(line) * hatch.spacing;
      cairo_move_to(cairo_, sum - box.bottom(), box.bottom());
      cairo_line_to(cairo_, sum - box.y, box.y);
    }
    cairo_stroke(cairo_);
  }

  cairo_t* cairo_;
  float scale_;
  bool has_rectangles_ = true;
  PangoText text_;
};

}  // namespace

Image to_image(const Scene& scene, float pixels_per_point) {
  // A size that was asked for is kept to the nearest pixel.
  const auto pixels = [&](float points) {
    const double exact = static_cast<double>(points) * pixels_per_point;
    return scene.has_print_size ? std::round(exact) : std::ceil(exact);
  };
  const double width = pixels(scene.width), height = pixels(scene.height);
  if (!(width >= 1 && height >= 1 && width <= kLargestSide && height <= kLargestSide)) {
    throw Error({.kind = ErrorKind::limit,
                 .field = "figure",
                 .problem = "too large for an image",
                 .found = fmt::format("{:.0f} × {:.0f} pixels", width, height),
                 .expected = fmt::format("1 to {} pixels each way", kLargestSide),
                 .hint = "Write SVG or PDF, or choose fewer pixels per point."});
  }
  Image image{static_cast<int>(width), static_cast<int>(height), {}};
  std::vector<std::uint32_t> words(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  {
    const Surface surface = borrow(words, image.width, image.height);
    const Cairo cairo(cairo_create(surface.get()));
    cairo_scale(cairo.get(), pixels_per_point, pixels_per_point);
    CairoPainter(cairo.get(), pixels_per_point, scene.family).paint(scene);
    check(cairo_status(cairo.get()));
    cairo_surface_flush(surface.get());
  }
  image.pixels = to_pixels(words);
  return image;
}

std::string to_png(const Scene& scene, float pixels_per_point) {
  return encode_png(to_image(scene, pixels_per_point));
}

std::string to_pdf(const Scene& scene, const PictureNote& note) {
  std::string bytes;
  {
    const Surface surface(cairo_pdf_surface_create_for_stream(append_bytes, &bytes, scene.width, scene.height));
    check(cairo_surface_status(surface.get()));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, scene.title.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Headlight");
    if (!note.command.empty()) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, note.command.c_str());
    if (!note.record.empty()) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_KEYWORDS, note.record.c_str());
    // Same figure, same bytes: no clock.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    const Cairo cairo(cairo_create(surface.get()));
    CairoPainter(cairo.get(), 0, scene.family).paint(scene);
    cairo_show_page(cairo.get());
    check(cairo_status(cairo.get()));
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
  }
  return bytes;
}

}  // namespace headlight

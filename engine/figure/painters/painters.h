// Painters of files: a scene becomes a picture's bytes. The window has a painter of its own.
#pragma once

#include <span>
#include <string>

#include "engine/figure/scene.h"

namespace headlight {

/// Device pixels per point of a PNG.
inline constexpr float kDefaultPixelsPerPoint = 2;

/// What a file says of how it was made (files/provenance.h); empty: nothing.
struct PictureNote {
  std::string record;   ///< one line of JSON in ASCII
  std::string command;  ///< for people
};

/// How an SVG is written.
struct SvgForm {
  PictureNote note = {};
  bool has_titles = false;     ///< every cell says its exact value to who points at it; at most kMostRectangles cells (map_cells.h)
  bool is_inline = false;      ///< an element of an HTML page and no file of its own
  std::string id_prefix = {};  ///< before every id, where several are on one page
};
/// Real text; cells are rectangles, in a scene of many cells one image for each map (map_cells.h). Throws Error (limit) for too many titles.
std::string to_svg(const Scene& scene, const SvgForm& form = {});
std::string to_png(const Scene& scene, float pixels_per_point);  ///< bytes of the file
std::string to_pdf(const Scene& scene, const PictureNote& note = {});
Image to_image(const Scene& scene, float pixels_per_point);

/// One of the scenes that a page shows, and what the slider calls it.
struct HtmlStill {
  std::string name;
  Scene scene;
};
/// A page at most holds the values of this many cells; of more, their tokens alone.
inline constexpr std::size_t kMostPageValues = 1'000'000;
/// A page of its own, without any reference outside it: the stills as SVG, a slider where there are several, and the value under the pointer
/// or the cell that arrow keys move to, for maps whose SceneMap::words are known. Follows the first scene's background.
std::string to_html(std::span<const HtmlStill> stills, const PictureNote& note = {});

/// SHA-256 of letters as they are drawn here: those of figures in a family of fonts (Scene::family), and a sample. The same digest, the same letters; fonts, or the libraries that
/// draw them, may be others on another machine.
std::string type_digest(const std::string& sample, const std::string& family = {});

/// Has its own fonts and cache of widths: one thread at a time per returned function. `family`: Scene::family.
MeasureText pango_measure(const std::string& family = {});

}  // namespace headlight

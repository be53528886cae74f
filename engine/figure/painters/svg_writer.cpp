// Scenes as SVG: real text, cells as crisp rectangles or one embedded PNG.
#include <fmt/core.h>
#include <glib.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/core/error.h"
#include "engine/figure/painters/map_cells.h"
#include "engine/figure/painters/painters.h"
#include "engine/figure/painters/png.h"

namespace headlight {
namespace {

constexpr const char* kUiFonts = "Inter, 'DejaVu Sans', sans-serif";
constexpr const char* kMonoFonts = "'JetBrains Mono', 'DejaVu Sans Mono', monospace";

/// Text for XML. Control and bidi characters, which XML forbids or which would turn the text around, become escapes first.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char byte : printable(text, text.size() * 8 + 8)) {
    switch (byte) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&apos;";
        break;
      default:
        result += byte;
    }
  }
  return result;
}

/// JSON in ASCII as the content of an element.
std::string in_element(const std::string& record) {
  std::string result;
  for (const char byte : record) result += byte == '&' ? "&amp;" : byte == '<' ? "&lt;" : byte == '>' ? "&gt;" : std::string(1, byte);
  return result;
}

/// At most two decimals, no zeros at the end.
std::string number(float value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string base64(const std::string& bytes) {
  const std::unique_ptr<gchar, decltype(&g_free)> text(g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size()),
                                                       g_free);
  return text.get();
}

std::string paint(const char* attribute, Colour colour) {
  if (colour.alpha == 0) return fmt::format(" {}=\"none\"", attribute);
  std::string text = fmt::format(" {}=\"{}\"", attribute, hex_text({colour.red, colour.green, colour.blue}));
  if (colour.alpha < 255) text += fmt::format(" {}-opacity=\"{}\"", attribute, number(static_cast<float>(colour.alpha) / 255));
  return text;
}

std::string place(const Box& box) {
  return fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.x), number(box.y), number(box.width), number(box.height));
}

class SvgWriter {
 public:
  explicit SvgWriter(const SvgForm& form) : form_(form) {}

  std::string write(const Scene& scene) {
    has_rectangles_ = has_few_cells(scene);
    if (!scene.family.empty()) ui_fonts_ = fmt::format("'{}', {}", escaped(scene.family), kUiFonts);
    const std::string width = number(scene.width), height = number(scene.height);
    if (scene.background.alpha > 0)
      body_ = fmt::format("<rect width=\"{}\" height=\"{}\"{}/>\n", width, height, paint("fill", scene.background));
    for (const SceneItem& item : scene.items) std::visit([this](const auto& record) { draw(record); }, item);
    std::string svg = form_.is_inline ? "" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    svg += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" {2} width=\"{3}\" height=\"{4}\" "
        "viewBox=\"0 0 {0} {1}\">\n",
        width, height, role_of(scene), length(scene, scene.width), length(scene, scene.height));
    if (!form_.is_inline)
      svg += fmt::format("<title>{}</title>\n<desc>Attention weights: rows are queries, columns are keys. Made with Headlight.</desc>\n",
                         escaped(scene.title));
    if (!form_.note.record.empty())
      svg += fmt::format("<metadata><figure xmlns=\"urn:headlight:figure\">{}</figure></metadata>\n", in_element(form_.note.record));
    if (!definitions_.empty()) svg += "<defs>\n" + definitions_ + "</defs>\n";
    return svg + body_ + "</svg>\n";
  }

 private:
  /// In millimetres where it is known how large the scene is printed; a page of HTML shows it as wide as there is room.
  std::string length(const Scene& scene, float points) const {
    return scene.has_print_size && !form_.is_inline ? number(points / kPointsPerMm) + "mm" : number(points);
  }

  /// On a page the maps inside can be moved through, and a title would show wherever the pointer is.
  std::string role_of(const Scene& scene) const {
    return form_.is_inline ? fmt::format("role=\"group\" aria-label=\"{}\"", escaped(scene.title)) : "role=\"img\"";
  }

  void draw(const SceneBox& item) {
    body_ += "<rect" + place(item.box) + paint("fill", item.fill);
    if (item.radius > 0) body_ += fmt::format(" rx=\"{}\"", number(item.radius));
    if (item.stroke.alpha > 0) body_ += paint("stroke", item.stroke) + fmt::format(" stroke-width=\"{}\"", number(item.stroke_width));
    body_ += "/>\n";
  }

  void draw(const SceneLine& item) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{} stroke-width=\"{}\"/>\n", number(item.from.x),
                         number(item.from.y), number(item.to.x), number(item.to.y), paint("stroke", item.colour), number(item.width));
  }

  void draw(const SceneCurve& item) {
    body_ += fmt::format("<path d=\"M{},{}C{},{} {},{} {},{}\" fill=\"none\"{} stroke-width=\"{}\"/>\n", number(item.from.x),
                         number(item.from.y), number(item.from_control.x), number(item.from_control.y), number(item.to_control.x),
                         number(item.to_control.y), number(item.to.x), number(item.to.y), paint("stroke", item.colour), number(item.width));
  }

  void draw(const SceneText& item) {
    const float below = baseline_below(item.align_y, item.size);
    body_ += "<text xml:space=\"preserve\"";
    if (item.degrees == 0) {
      body_ += fmt::format(" x=\"{}\" y=\"{}\"", number(item.at.x), number(item.at.y + below));
    } else {
      body_ += fmt::format(" transform=\"translate({} {}) rotate({})\" y=\"{}\"", number(item.at.x), number(item.at.y),
                           number(-item.degrees), number(below));
    }
    if (item.align_x != AlignX::left) body_ += fmt::format(" text-anchor=\"{}\"", item.align_x == AlignX::right ? "end" : "middle");
    body_ += fmt::format(" font-family=\"{}\" font-size=\"{}\"", item.face == FontFace::mono ? kMonoFonts : ui_fonts_, number(item.size));
    if (item.face == FontFace::ui_bold) body_ += " font-weight=\"600\"";
    body_ += paint("fill", item.colour) + ">" + escaped(item.text) + "</text>\n";
  }

  void draw(const SceneRamp& item) {
    constexpr std::size_t kEvery = 15;  // of the 256 colours; the reader's gradient mixes those between
    const auto& colours = ramp(item.scale.map, item.scale.is_dark);
    const std::string id = fmt::format("{}ramp{}", form_.id_prefix, ++ramps_);
    definitions_ += fmt::format("<linearGradient id=\"{}\" x1=\"0\" y1=\"1\" x2=\"0\" y2=\"0\">", id);
    for (std::size_t i = 0; i < colours.size(); i += kEvery) {
      definitions_ += fmt::format("<stop offset=\"{:.4f}\" stop-color=\"{}\"/>", static_cast<double>(i) / 255, hex_text(colours[i]));
    }
    definitions_ += "</linearGradient>\n";
    body_ += fmt::format("<rect{} fill=\"url(#{})\"/>\n", place(item.box), id);
  }

  void draw(const SceneMap& item) {
    if (!item.picture) return;
    if (!has_rectangles_ || !has_few_cells(item)) return draw_image(item);
    body_ += "<g shape-rendering=\"crispEdges\">\n";
    const bool has_titles = form_.has_titles && item.words;
    for (const CellRun& run : cell_runs(item, !has_titles)) {
      const std::string fill = run.is_masked ? fmt::format(" fill=\"url(#{})\"", hatch_id(item.hatch)) : paint("fill", run.colour);
      const std::string title = has_titles ? "><title>" + escaped(cell_text(item, run.row, run.column)) + "</title></rect>\n" : "/>\n";
      body_ += "<rect" + place(run.box) + fill + title;
    }
    body_ += "</g>\n";
  }

  void draw_image(const SceneMap& item) {
    const std::optional<Image> cells = cell_image(item);
    if (cells && has_clear_pixels(*cells)) body_ += fmt::format("<rect{} fill=\"url(#{})\"/>\n", place(item.box), hatch_id(item.hatch));
    body_ += fmt::format(
        "<image{} preserveAspectRatio=\"none\" image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" "
        "xlink:href=\"data:image/png;base64,{}\"/>\n",
        place(item.box), base64(encode_png(cells ? *cells : map_image(item))));
  }

  /// Lines in the whole page's coordinates, so that neighbouring runs join.
  std::string hatch_id(const HatchStyle& hatch) {
    const auto known = std::find(hatches_.begin(), hatches_.end(), hatch);
    if (known != hatches_.end()) return fmt::format("{}hatch{}", form_.id_prefix, known - hatches_.begin() + 1);
    hatches_.push_back(hatch);
    std::string id = fmt::format("{}hatch{}", form_.id_prefix, hatches_.size());
    const std::string s = number(hatch.spacing), half = number(hatch.spacing / 2), more = number(hatch.spacing * 1.5F);
    definitions_ += fmt::format(
        "<pattern id=\"{0}\" patternUnits=\"userSpaceOnUse\" width=\"{1}\" height=\"{1}\"><rect width=\"{1}\" height=\"{1}\"{2}/>"
        "<path d=\"M0,{1}L{1},0M-{3},{3}L{3},-{3}M{3},{4}L{4},{3}\"{5} stroke-width=\"{6}\"/></pattern>\n",
        id, s, paint("fill", hatch.ground), half, more, paint("stroke", hatch.line), number(std::max(1.0F, hatch.spacing / 7)));
    return id;
  }

  const SvgForm& form_;
  std::string ui_fonts_ = kUiFonts;
  std::string definitions_, body_;
  std::vector<HatchStyle> hatches_;
  int ramps_ = 0;
  bool has_rectangles_ = true;
};

}  // namespace

std::string to_svg(const Scene& scene, const SvgForm& form) {
  if (form.has_titles && !has_few_cells(scene)) {
    throw Error({.kind = ErrorKind::limit,
                 .field = "titles",
                 .problem = "too many cells for a title each",
                 .expected = fmt::format("at most {}", kMostRectangles),
                 .hint = "Write .html, whose values are under the pointer, or the numbers as .csv."});
  }
  return SvgWriter(form).write(scene);
}

}  // namespace headlight

// Scenes as a page of HTML: SVG to look at, and beside it the values that a small script tells of.
#include <fmt/core.h>
#include <glib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "engine/figure/painters/html_page.h"
#include "engine/figure/painters/html_text.h"
#include "engine/figure/painters/map_cells.h"
#include "engine/figure/painters/painters.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

constexpr std::uint32_t kMaskedBits = 0xFFC00001U, kLeftOutBits = 0xFFC00002U;  // NaNs that no computation gives

/// JSON inside a script element, which ends at "</script", whatever it is in.
std::string in_script(const std::string& json) {
  std::string result;
  for (const char byte : json) result += byte == '<' ? "\\u003c" : std::string(1, byte);
  return result;
}

std::string in_base64(const std::vector<std::uint32_t>& words) {
  const std::unique_ptr<gchar, decltype(&g_free)> text(
      g_base64_encode(reinterpret_cast<const guchar*>(words.data()), words.size() * sizeof(std::uint32_t)), g_free);
  return text.get();
}

/// Values of all cells as float32 in base64, row by row.
std::string values_of(const SceneMap& map) {
  const MapPicture& picture = *map.picture;
  std::vector<std::uint32_t> words;
  words.reserve(static_cast<std::size_t>(picture.rows() * picture.columns()));
  for (Index row = 0; row < picture.rows(); ++row) {
    for (Index column = 0; column < picture.columns(); ++column) {
      const auto y = static_cast<float>(row), x = static_cast<float>(column);
      const CellState state = state_of_cell(picture, row, column);
      words.push_back(state == CellState::masked     ? kMaskedBits
                      : state == CellState::left_out ? kLeftOutBits
                                                     : std::bit_cast<std::uint32_t>(picture.value(y, y + 1, x, x + 1)));
    }
  }
  return in_base64(words);
}

std::string values_of(const SceneSpot& spot) {
  std::vector<std::uint32_t> words;
  for (const float value : spot.values) words.push_back(std::bit_cast<std::uint32_t>(value));
  return in_base64(words);
}

/// The maps of a page that can be pointed at, with lists of labels that are shared.
class PageMaps {
 public:
  explicit PageMaps(std::span<const HtmlStill> stills) {
    std::size_t cells = 0;
    for (const HtmlStill& still : stills) {
      for (const SceneItem& item : still.scene.items) {
        const auto* map = std::get_if<SceneMap>(&item);
        if (is_told(map)) cells += static_cast<std::size_t>(map->picture->rows() * map->picture->columns());
      }
    }
    has_values_ = cells <= kMostPageValues;
    for (std::size_t still = 0; still < stills.size(); ++still) {
      for (const SceneItem& item : stills[still].scene.items) {
        if (const auto* map = std::get_if<SceneMap>(&item); is_told(map)) add(still, *map);
      }
      if (!stills[still].scene.spots.empty()) add(still, stills[still].scene.spots);
    }
  }
  /// How a person finds what the page tells; empty: it tells nothing.
  std::string hint() const {
    if (!maps_.empty()) return "Point at a cell, or press Tab and then the arrow keys, Home or End.";
    return places_.empty() ? "" : "Point at a word or a number, or press Tab and then the arrow keys, Home or End.";
  }
  std::string text() const { return in_script(json_text(Json{{"labels", labels_}, {"maps", maps_}, {"places", places_}})); }

 private:
  static bool is_told(const SceneMap* map) { return map != nullptr && map->picture && map->words; }

  Json place_of(const MapWords::Labels& labels) {
    if (!labels) return nullptr;
    const auto known = std::find(lists_.begin(), lists_.end(), labels);
    if (known != lists_.end()) return known - lists_.begin();
    lists_.push_back(labels);
    labels_.push_back(*labels);
    return lists_.size() - 1;
  }

  void add(std::size_t still, const SceneMap& map) {
    const MapPicture& picture = *map.picture;
    const CellWindow& window = map.window;
    Json json = {{"still", still},
                 {"name", map.words->name},
                 {"box", {map.box.x, map.box.y, map.box.width, map.box.height}},
                 {"window", {window.row_begin, window.row_end, window.column_begin, window.column_end}},
                 {"rows", picture.rows()},
                 {"columns", picture.columns()},
                 {"row", map.words->row},
                 {"column", map.words->column},
                 {"row_labels", place_of(map.words->rows)},
                 {"column_labels", place_of(map.words->columns)}};
    if (has_values_ && picture.pool() == 1) json["values"] = values_of(map);
    maps_.push_back(std::move(json));
  }

  void add(std::size_t still, const std::vector<SceneSpot>& spots) {
    Json list = Json::array();
    for (const SceneSpot& spot : spots) {
      Json json = {{"box", {spot.box.x, spot.box.y, spot.box.width, spot.box.height}}, {"words", spot.words}};
      if (!spot.values.empty()) json["values"] = values_of(spot);
      if (spot.first) json["first"] = *spot.first;
      if (spot.is_column) json["is_column"] = true;
      if (!spot.curves.empty()) json["curves"] = spot.curves;
      list.push_back(std::move(json));
    }
    places_.push_back({{"still", still}, {"spots", std::move(list)}});
  }

  std::vector<MapWords::Labels> lists_;
  Json labels_ = Json::array(), maps_ = Json::array(), places_ = Json::array();
  bool has_values_ = true;
};

std::string style_of(const Scene& scene) {
  const Colour ground = scene.background;
  constexpr int kMiddle = 3 * 128;
  const bool is_dark = ground.red + ground.green + ground.blue < kMiddle;
  const Palette& colours = palette(is_dark ? Theme::dark : Theme::light);
  std::string style(kPageStyle);
  style = replaced(style, "SCHEME", is_dark ? "dark" : "light");
  style = replaced(style, "GROUND", hex_text(ground));
  style = replaced(style, "PANEL", hex_text(colours.raised));
  style = replaced(style, "TEXT", hex_text(colours.text));
  style = replaced(style, "SECOND", hex_text(colours.text_second));
  style = replaced(style, "LINE", hex_text(colours.line));
  style = replaced(style, "ACCENT", hex_text(colours.accent));
  return replaced(style, "WIDTH", std::to_string(static_cast<int>(std::ceil(scene.width))));
}

std::string slider_of(std::span<const HtmlStill> stills) {
  if (stills.size() < 2) return {};
  return fmt::format(
      "<div class=\"sweep\"><input id=\"sweep\" type=\"range\" min=\"0\" max=\"{}\" value=\"0\" step=\"1\" aria-label=\"Which figure is "
      "shown\"><output id=\"still\" for=\"sweep\">{}</output></div>\n",
      stills.size() - 1, in_html(stills.front().name));
}

}  // namespace

std::string to_html(std::span<const HtmlStill> stills, const PictureNote& note) {
  const PageMaps maps(stills);
  const Scene& first = stills.front().scene;
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"Headlight\">\n";
  if (!note.command.empty()) page += fmt::format("<meta name=\"description\" content=\"{}\">\n", in_html(note.command));
  page += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n", in_html(first.title), style_of(first));
  for (std::size_t still = 0; still < stills.size(); ++still) {
    const std::string svg = to_svg(stills[still].scene, {.is_inline = true, .id_prefix = fmt::format("s{}-", still)});
    page += fmt::format("<figure data-name=\"{}\"{}>\n{}</figure>\n", in_html(stills[still].name), still == 0 ? "" : " hidden", svg);
  }
  const std::string hint = maps.hint();
  if (!hint.empty() || stills.size() > 1) {
    page += "</main>\n<div class=\"bar\">\n" + slider_of(stills);
    page += fmt::format("<p id=\"cell\" class=\"hint\" role=\"status\" aria-live=\"polite\">{}</p>\n</div>\n", hint);
  } else {
    page += "<p id=\"cell\" hidden></p>\n</main>\n";
  }
  if (!note.record.empty()) page += "<script type=\"application/json\" id=\"headlight-figure\">" + in_script(note.record) + "</script>\n";
  page += "<script type=\"application/json\" id=\"headlight-maps\">" + maps.text() + "</script>\n";
  return page + "<script>" + std::string(kPageScript) + "</script>\n</body>\n</html>\n";
}

}  // namespace headlight

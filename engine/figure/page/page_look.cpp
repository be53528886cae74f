#include "engine/figure/page/page_look.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "engine/core/error.h"
#include "engine/figure/figure_parts.h"

namespace headlight {
namespace {

constexpr float kRounding = 0.01F;  // of a point

/// In a paper the text around it says what a figure is of.
const std::set<PagePart> kSaidInText{PagePart::caption, PagePart::footer};

bool is_below(float type, float asked) {
  return type < asked - kRounding;
}

}  // namespace

bool has_print_size(const PageLook& look) {
  return look.width_mm > 0 || look.height_mm > 0 || look.type > 0;
}

float printed_type(const PageLook& look) {
  return look.type > 0 ? look.type : has_print_size(look) ? kUsualType : kCaptionSize;
}

float layout_width(const PageLook& look) {
  return look.width_mm * kPointsPerMm * kCaptionSize / printed_type(look);
}

float layout_height(const PageLook& look) {
  return look.height_mm * kPointsPerMm * kCaptionSize / printed_type(look);
}

std::span<const PagePreset> page_presets() {
  static const std::array kPresets{
      PagePreset{"column", "paper, one column", {.width_mm = 85, .type = 7, .without = kSaidInText}},
      PagePreset{"page", "paper, whole width", {.width_mm = 174, .type = 8, .without = kSaidInText}},
      PagePreset{"slide", "slide, 16:9", {.width_mm = 254, .height_mm = 143, .type = 14, .without = {PagePart::footer}}, 192},
      PagePreset{"poster", "poster", {.width_mm = 400, .type = 24, .without = {PagePart::footer}}, 200},
  };
  return kPresets;
}

const PagePreset* find_preset(std::string_view name) {
  const std::span<const PagePreset> presets = page_presets();
  const auto found = std::find_if(presets.begin(), presets.end(), [&](const PagePreset& each) { return each.name == name; });
  return found == presets.end() ? nullptr : &*found;
}

std::string why_no_family(std::string_view family) {
  if (family.size() > kLongestFamily) return fmt::format("the name of a family has at most {} bytes", kLongestFamily);
  constexpr std::string_view kForbidden = "'\"<>&;,{}()\\";
  const auto is_forbidden = [&](char c) { return static_cast<unsigned char>(c) < ' ' || kForbidden.find(c) != std::string_view::npos; };
  if (std::any_of(family.begin(), family.end(), is_forbidden)) return "the name of a family has letters, digits and blanks";
  return {};
}

std::string why_no_letter(std::string_view letter) {
  if (letter.size() > kLongestLetter) return fmt::format("the letter of a panel has at most {} bytes", kLongestLetter);
  if (printable(letter, kLongestLetter) != letter) return "the letter of a panel can be printed";
  return {};
}

Scene printed(Scene layout, const PageLook& look) {
  layout.family = look.family;
  if (look.is_transparent) layout.background.alpha = 0;
  if (!has_print_size(look)) return layout;
  float factor = printed_type(look) / kCaptionSize;
  const float width = look.width_mm * kPointsPerMm, height = look.height_mm * kPointsPerMm;
  if (width > 0) factor = std::min(factor, width / layout.width);
  if (height > 0) factor = std::min(factor, height / layout.height);
  Scene page = scaled(std::move(layout), factor);
  page.has_print_size = true;
  if (width > 0) {  // what is too high for its width is in the middle of it
    page = moved(std::move(page), {(width - page.width) / 2, 0});
    page.width = width;
  }
  return page;
}

SmallestType smallest_type(const Scene& scene) {
  SmallestType smallest;
  for (const SceneItem& item : scene.items) {
    const auto* text = std::get_if<SceneText>(&item);
    if (text == nullptr || text->text.empty() || is_script(*text)) continue;
    if (smallest.points > 0 && text->size >= smallest.points) continue;
    smallest = {text->size, text->text};
  }
  return smallest;
}

namespace {

std::size_t shortened_words(const Scene& scene) {
  return static_cast<std::size_t>(std::count_if(scene.items.begin(), scene.items.end(), [](const SceneItem& item) {
    const auto* text = std::get_if<SceneText>(&item);
    return text != nullptr && text->text.ends_with("…") && text->text != "…";
  }));
}

}  // namespace

PageFit fit_of(const PageLook& look, const Scene& scene) {
  PageFit fit{.smallest = smallest_type(scene), .shortened = shortened_words(scene)};
  if (!has_print_size(look)) return fit;
  fit.asked = printed_type(look);
  fit.label_stride = scene.label_stride;
  if (fit.smallest.points == 0 || !is_below(fit.smallest.points, fit.asked)) return fit;
  fit.is_of_height = look.height_mm > 0 && scene.height >= look.height_mm * kPointsPerMm - kRounding;
  const float size = fit.is_of_height ? scene.height : scene.width;
  fit.enough_mm = std::ceil(size / kPointsPerMm * fit.asked / fit.smallest.points);
  return fit;
}

std::string text_of(const PageFit& fit) {
  std::string text;
  if (!fit.keeps_type())
    text = fmt::format("The smallest letters are {:.1f} pt, not {:g}: the figure needs {}{:g} mm for that.", fit.smallest.points, fit.asked,
                       fit.is_of_height ? "a height of " : "", fit.enough_mm);
  if (fit.label_stride == 1) return text;
  constexpr std::array kOrdinals{"second", "third", "fourth", "fifth"};
  const auto place = static_cast<std::size_t>(fit.label_stride - 2);
  const std::string ordinal = place < kOrdinals.size() ? kOrdinals[place] : fmt::format("{}th", fit.label_stride);
  return text + fmt::format("{}Only every {} token has its label: a wider figure or smaller letters make room for more.",
                            text.empty() ? "" : " ", ordinal);
}

}  // namespace headlight

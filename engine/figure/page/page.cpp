#include "engine/figure/page/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace headlight {
namespace {

constexpr float kTitleLine = 24, kAfterHeading = 12, kAfterLetter = 8, kBeforeNotes = 16, kNotesLine = 16;
constexpr LabelStyle kNotes{FontFace::ui, kCaptionSize};

}  // namespace

float room_across(const PageLook& look) {
  return look.width_mm > 0 ? std::max(layout_width(look) - 2 * kPrintMargin, 1.0F) : 0;
}

float room_for_maps(const PageLook& look) {
  constexpr float kLeast = 220;  // a label, a map that can be seen, and its bar
  const float room = room_across(look);
  return room > 0 ? std::max(room, kLeast) : 0;
}

Page::Page(const PageWords& words, const Style& style, const PageLook& look, float content_width, const MeasureText& measure)
    : colours_(palette(style.theme)),
      measure_(measure),
      look_(look),
      margin_(has_print_size(look) ? kPrintMargin : kPageMargin),
      width_(look.width_mm > 0 ? std::max(content_width, room_across(look)) : std::ceil(std::max(content_width, kLeastPageWidth))),
      y_(has_print_size(look) ? kPrintMargin : kPageMargin - 4) {
  scene_.title = words.title;
  scene_.width = width_ + 2 * margin_;
  // Paper in print is white; on a screen the dark figure continues the window.
  scene_.background = style.theme == Theme::dark ? colours_.ground : colours_.panel;
  heading(words);
}

void Page::heading(const PageWords& words) {
  const float top = y_;
  const bool has_title = look_.has(PagePart::title);
  std::string title = has_title ? words.title : std::string();
  if (!look_.letter.empty()) {
    scene_.items.emplace_back(
        SceneText{{margin_, y_ + kTitleLine / 2}, look_.letter, FontFace::ui_bold, kTitleSize, colours_.text, AlignX::left});
    indent_ = measure_(look_.letter, FontFace::ui_bold, kTitleSize) + kAfterLetter;
    const bool is_alone = title.empty() && !(look_.has(PagePart::caption) && !words.sentence.empty());
    if (title.empty() && !(is_alone && words.is_corner_free)) y_ += kTitleLine;
  }
  lines(title, most(1), {FontFace::ui_bold, kTitleSize}, colours_.text, kTitleLine);
  indent_ = 0;
  if (look_.has(PagePart::caption)) lines(words.sentence, most(2), {FontFace::ui, kTextSize}, colours_.text_second, 20);
  if (y_ > top) y_ += kAfterHeading;
}

void Page::add(const Scene& part) {
  std::size_t curves = 0;
  if (!part.spots.empty())
    curves = static_cast<std::size_t>(std::count_if(scene_.items.begin(), scene_.items.end(),
                                                    [](const SceneItem& item) { return std::holds_alternative<SceneCurve>(item); }));
  scene_.items.insert(scene_.items.end(), part.items.begin(), part.items.end());
  for (SceneSpot spot : part.spots) {
    for (std::size_t& curve : spot.curves) curve += curves;
    scene_.spots.push_back(std::move(spot));
  }
}

const std::string& Page::said(const std::string& notes, const std::string& kept) const {
  return look_.has(PagePart::footer) ? notes : kept;
}

float Page::height_of(const std::string& notes) const {
  if (notes.empty() && !look_.has(PagePart::footer)) return 0;
  return kBeforeNotes + kNotesLine * static_cast<float>(wrapped(notes, width_, most(3), kNotes, measure_).size());
}

float Page::room_below(const std::string& notes, const std::string& kept) const {
  if (look_.height_mm <= 0) return 0;
  constexpr float kRounding = 0.01F;  // a page ends at a whole point, and heights of parts are rounded as they are added
  return std::max(std::floor(layout_height(look_)) - kRounding - y_ - height_of(said(notes, kept)) - kPrintMargin, 1.0F);
}

Scene Page::finish(const std::string& notes, const std::string& kept) {
  const float bottom_margin = has_print_size(look_) ? kPrintMargin : kPageMargin - 4;
  if (look_.has(PagePart::footer) || !kept.empty()) {
    y_ += kBeforeNotes;
    lines(said(notes, kept), most(3), kNotes, colours_.text_second, kNotesLine);
  }
  scene_.height = std::ceil(y_ + bottom_margin);
  return std::move(scene_);
}

/// A narrow page has as many lines as its words need.
std::size_t Page::most(std::size_t usual) const {
  constexpr std::size_t kMostLines = 40;
  return has_print_size(look_) ? kMostLines : usual;
}

void Page::lines(const std::string& text, std::size_t most, LabelStyle style, Colour colour, float height) {
  for (std::string& line : wrapped(text, width_ - indent_, most, style, measure_)) {
    scene_.items.emplace_back(SceneText{{margin_ + indent_, y_ + height / 2}, std::move(line), style.face, style.size, colour});
    y_ += height;
  }
}

std::string name_of_head(const Snapshot& snapshot, HeadId head) {
  return fmt::format("{} · head {}", snapshot.layer_name(head.layer), head.head);
}

std::string short_name_of_layer(const Snapshot& snapshot, int layer) {
  const LayerPlace place = snapshot.model->config.place(layer);
  return place.stack == Stack::only ? std::to_string(place.number) : fmt::format("{}.{}", name_of(place.stack), place.number);
}

std::vector<std::string> short_names_of_layers(const Snapshot& snapshot) {
  std::vector<std::string> names;
  for (int layer = 0; layer < snapshot.layers(); ++layer) names.push_back(short_name_of_layer(snapshot, layer));
  return names;
}

std::string short_name_of_head(const Snapshot& snapshot, HeadId head) {
  return fmt::format("{}.{}", short_name_of_layer(snapshot, head.layer), head.head);
}

}  // namespace headlight

// The words above the columns: which head, whose computation, and how many of its keys are shown.
#include <fmt/core.h>

#include <algorithm>

#include "engine/figure/figure_parts.h"
#include "engine/figure/inside/ledger.h"

namespace headlight {
namespace {

constexpr float kWordsLine = 16, kAfterWords = 8;  // of a printed figure

}  // namespace

std::string Ledger::division_text() const {
  const Index masked = inside_.keys() - inside_.row.allowed;
  std::string text = fmt::format(" {} divides its attention", inside_.query);
  const bool has_rows = moment_.step != InsideStep::query && moment_.step != InsideStep::output;
  // First, since what does not fit is cut off.
  if (const std::string folding = folding_text(inside_, figure_.rows); has_rows && !folding.empty()) text += " · " + folding;
  text += fmt::format(" · d_head {} · {} key{} allowed", inside_.d_head(), inside_.row.allowed, inside_.row.allowed == 1 ? "" : "s");
  if (masked > 0) text += fmt::format(", {} masked", masked);
  if (!has_bracket() && !sharing_text().empty()) text += " · " + sharing_text();
  if (inside_.is_switched_off) text += " · switched off: its z does not reach the output";
  if (inside_.is_edit_on_map) text += " · the edited mask acts on this map only: the layer passes on what it has without it";
  return text;
}

/// Makes room for the words, which say how many rows have room beside them. A low figure has none.
void Ledger::wrap_words_above() {
  if (!request_.has_title || request_.area.height < kLowArea) return;
  const Box whole = area_;
  for (std::size_t lines = 1;;) {
    const float room = kWordsLine * static_cast<float>(lines) + kAfterWords;
    area_.y = whole.y + room;
    area_.height = whole.height - room;
    place();
    words_above_ = pen_.lines("How " + query_name() + division_text(), area_.width);
    if (words_above_.size() <= lines) return;
    lines = words_above_.size();  // fewer rows have room below more lines, and that is said in no fewer words
  }
}

void Ledger::draw_words_above() {
  const Palette& colours = pen_.colours();
  const std::string how = "How ", name = query_name();
  for (std::size_t line = 0; line < words_above_.size(); ++line) {
    std::string text = words_above_[line];
    Point at{request_.area.x, request_.area.y + kWordsLine * (static_cast<float>(line) + 0.5F)};
    if (line == 0 && text.starts_with(how + name)) {
      pen_.text(at, how, colours.text_second, {kCaptionSize});
      at.x += pen_.width(how, kCaptionSize);
      pen_.text(at, name, colours.query, {kCaptionSize});
      at.x += pen_.width(name, kCaptionSize);
      text.erase(0, how.size() + name.size());
    }
    pen_.text(at, text, colours.text_second, {kCaptionSize});
  }
}

void Ledger::draw_title() {
  const Palette& colours = pen_.colours();
  const Box& area = request_.area;
  const std::string title = "Inside head " + request_.head_name;
  pen_.text({area.x, area.y + 9}, title, colours.text, {kTitleSize, FontFace::ui_bold}, area.width);
  if (area.height < kLowArea) {  // no second line, and no bracket
    const float left = area.x + pen_.width(title, kTitleSize, FontFace::ui_bold) + 12;
    if (left < area.right() && !sharing_text().empty())
      pen_.text({left, area.y + 9}, sharing_text(), colours.text_second, {kCaptionSize}, area.right() - left);
    return;
  }
  float x = area.x;
  const float y = area.y + 32;
  const auto put = [&](const std::string& text, Colour colour, float most) {
    pen_.text({x, y}, text, colour, {kCaptionSize, FontFace::ui}, std::max(1.0F, std::min(most, area.right() - x)));
    x += std::min(pen_.width(text, kCaptionSize), most);
  };
  put("How ", colours.text_second, area.width);
  put(query_name(), colours.query, area.width / 4);
  put(division_text(), colours.text_second, area.width);
}

}  // namespace headlight

// How many keys have rows of their own.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/gui/views/inside/inside_view.h"
#include "app/gui/views/inside/playing.h"
#include "engine/figure/inside/ledger_rows.h"

namespace headlight {
namespace {

/// The limits that are offered; 0: as many as fit.
constexpr std::array kLimits{1, 2, 3, 5, 8, 12, 20, kMostRows, 0};

/// "5 keys with the largest weights have rows and hold 93.1 %; the other 35 are folded."
std::string shares_text(const InsidePage& page, const Inside& inside) {
  const auto most = static_cast<std::size_t>(page.most_keys);
  if (most == 0) return "Every key that fits has a row; what does not fit is folded, with its mass.";
  if (inside.row.allowed <= page.most_keys) return fmt::format("All {} keys that may be attended to have rows.", inside.row.allowed);
  double mass = 0;
  const std::size_t shown = std::min(most, inside.by_weight.size());
  for (std::size_t i = 0; i < shown; ++i) mass += static_cast<double>(inside.row.weights[inside.by_weight[i]]);
  return fmt::format("The largest {} of {} weights have rows and hold {}; the others are folded, with their mass.", shown,
                     inside.row.allowed, percent_text(mass));
}

}  // namespace

void change_most_keys(InsidePage& page, int by) {
  const auto now = std::find(kLimits.begin(), kLimits.end(), page.most_keys);
  const auto place = now == kLimits.end() ? static_cast<int>(kLimits.size()) - 1 : static_cast<int>(now - kLimits.begin());
  page.most_keys = kLimits[static_cast<std::size_t>(std::clamp(place + by, 0, static_cast<int>(kLimits.size()) - 1))];
}

void draw_inside_settings(Panel& panel) {
  const Look& look = panel.look;
  if (!panel.has_picture() || panel.is_dump() || !section(look, kInsideSection, panel.view.rails.folded, inside_state(panel))) return;
  InsidePage& page = panel.view.inside;
  std::vector<std::string> labels;
  int chosen = static_cast<int>(kLimits.size()) - 1;
  for (std::size_t i = 0; i < kLimits.size(); ++i) {
    labels.push_back(kLimits[i] == 0 ? "as many as fit" : kLimits[i] == 1 ? "1 key" : fmt::format("{} keys", kLimits[i]));
    if (kLimits[i] == page.most_keys) chosen = static_cast<int>(i);
  }
  const Row row = begin_row(look, "Rows",
                            "How many keys have a row of their own: those with the largest weights. The others are folded into rows that "
                            "hold their sums (, fewer, . more).");
  if (drop_down(look, row, "Rows", labels, chosen)) page.most_keys = kLimits[static_cast<std::size_t>(chosen)];
  const std::shared_ptr<const InsideFound> found = found_inside(panel);
  if (found) paragraph(look, Type::caption, look.colours.text_second, shares_text(page, *found->inside));
  gap(look, kInside);
  if (page.opened.empty()) return;
  const Row again = begin_row(look, page.opened.size() == 1 ? "1 key opened" : fmt::format("{} keys opened", page.opened.size()),
                              "Keys of folds that were clicked open (Enter).");
  const float width = button_width(look, "Fold again"), height = look.px(kControl);
  if (quiet_button(look, "Fold again", {again.right - width, again.middle() - height / 2}, {width, height})) page.opened.clear();
  hint(look, "Fold the keys that were opened (backspace).");
}

std::string inside_state(const Panel& panel) {
  const int most = panel.view.inside.most_keys;
  return most == 0 ? "all that fit" : most == 1 ? "1 row" : fmt::format("{} rows", most);
}

}  // namespace headlight

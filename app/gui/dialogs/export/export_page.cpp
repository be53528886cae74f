// The size of the figure in print, its letters, and the parts around it.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "app/gui/dialogs/export/export_figure.h"
#include "app/gui/dialogs/export/export_memory.h"
#include "app/gui/dialogs/export/export_parts.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/panel/shown_figure.h"
#include "engine/figure/axes.h"
#include "engine/figure/painters/installed_fonts.h"

namespace headlight {
namespace {

constexpr float kNumberBox = 76;
enum Typed : std::uint8_t { typed_width, typed_height, typed_type, typed_family };

/// "85", "85mm", "85 mm"; empty: 0. nullopt for anything else.
std::optional<float> number_in(std::string_view text, std::string_view unit) {
  if (text.empty()) return 0.0F;
  float number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const bool is_number = error == std::errc() && (rest.empty() || rest == unit);
  return is_number ? std::optional(number) : std::nullopt;
}

/// A number in a box: what is typed counts as soon as it is in its range, and an empty box leaves the number to the figure.
void number_box(const Look& look, const char* name, std::string_view unit, std::string& typed, float& value, float low, float high,
                ImVec2 at) {
  const bool has_changed = text_box(look, name, "auto", typed, at, look.px(kNumberBox));
  const bool is_typing = ImGui::IsItemActive();
  hint(look, fmt::format("{:g} to {:g} {}; empty: as the figure needs", low, high, unit).c_str());
  const std::optional<float> number = has_changed ? number_in(typed, unit) : std::nullopt;
  if (number && (*number == 0 || (*number >= low && *number <= high))) value = *number;
  if (!is_typing) typed = value > 0 ? fmt::format("{:g} {}", value, unit) : std::string();
}

bool is_preset(const PageLook& page, const PageLook& preset) {
  return page.width_mm == preset.width_mm && page.height_mm == preset.height_mm && page.type == preset.type &&
         page.without == preset.without && page.has_cell_numbers == preset.has_cell_numbers;
}

void take_preset(PageLook& page, const PageLook& preset) {
  page.width_mm = preset.width_mm;
  page.height_mm = preset.height_mm;
  page.type = preset.type;
  page.without = preset.without;
  page.has_cell_numbers = preset.has_cell_numbers;
}

/// Looks with a name; a look of one's own is none of them.
struct NamedLooks {
  std::vector<Choice> choices;
  std::vector<PageLook> looks;

  void add(std::string name, const PageLook& look) {
    choices.push_back({std::move(name), look == PageLook{}
                                            ? "The size follows from the map and its labels."
                                            : fmt::format("{:g} mm wide, letters of {:g} pt", look.width_mm, printed_type(look))});
    looks.push_back(look);
  }
  std::size_t find(const PageLook& page) const {
    const auto found = std::find_if(looks.begin(), looks.end(), [&](const PageLook& each) { return is_preset(page, each); });
    return static_cast<std::size_t>(found - looks.begin());
  }
};

NamedLooks named_looks(const std::vector<OwnPreset>& own) {
  NamedLooks named;
  named.add("as large as its content", {});
  for (const PagePreset& preset : page_presets()) named.add(std::string(preset.label), preset.look);
  for (const OwnPreset& preset : own) named.add(preset.name, preset.look);
  return named;
}

/// A name for what is set, where it has none; and the end of one's own.
void draw_own_presets(const Look& look, ExportChoice& choice, bool is_named, std::size_t own) {
  if (is_named && own >= choice.presets.size()) return;
  const Row row = begin_row(look, "");
  const char* const button = is_named ? "Remove preset" : "Save preset";
  const float width = button_width(look, button), top = row.top + look.px(2);
  if (!is_named)
    text_box(look, "Preset name", "Name for these settings", choice.preset_name, {row.left, top},
             row.right - row.left - width - look.px(kUnit));
  const bool can_save = !choice.preset_name.empty() && choice.presets.size() < kMostOwnPresets;
  if (!quiet_button(look, button, {row.right - width, top}, {width, look.px(kControl)}, is_named || can_save)) return;
  if (is_named) {
    choice.presets.erase(choice.presets.begin() + static_cast<std::ptrdiff_t>(own));
  } else {
    std::erase_if(choice.presets, [&](const OwnPreset& each) { return each.name == choice.preset_name; });
    choice.presets.push_back({std::exchange(choice.preset_name, {}), choice.page});
  }
}

void draw_presets(const Look& look, ExportChoice& choice) {
  NamedLooks named = named_looks(choice.presets);
  const std::size_t place = named.find(choice.page);
  const bool is_named = place < named.looks.size();
  if (!is_named) named.choices.push_back({"own"});
  int chosen = static_cast<int>(place);
  const char* help = "What the figure is for: its size, its letters and the parts around it, which can be changed below.";
  if (drop_down(look, begin_row(look, "Preset", help), "Preset", named.choices, chosen) &&
      static_cast<std::size_t>(chosen) < named.looks.size())
    take_preset(choice.page, named.looks[static_cast<std::size_t>(chosen)]);
  const std::size_t given = 1 + page_presets().size();
  draw_own_presets(look, choice, is_named, place < given ? choice.presets.size() : place - given);
}

void draw_size(const Look& look, ExportChoice& choice) {
  PageLook& page = choice.page;
  const float box = look.px(kNumberBox);
  const Row size = begin_row(look, "Width × height", "Of the printed figure. It is laid out for that: letters keep their size.");
  const float top = size.top + look.px(2);
  number_box(look, "Width", "mm", choice.typed[typed_width], page.width_mm, kLeastMm, kMostMm, {size.right - 2 * box - look.px(20), top});
  draw_text(look, size.right - box - look.px(10), size.middle(), Type::body, look.colours.text_second, "×", AlignX::centre);
  number_box(look, "Height", "mm", choice.typed[typed_height], page.height_mm, kLeastMm, kMostMm, {size.right - box, top});
  const Row type = begin_row(look, "Type", "Family of the letters, and size of the labels in print.");
  const float left = type.left + look.px(kControlColumn), width = type.right - left - box - look.px(kUnit);
  std::string& family = choice.typed[typed_family];
  const bool has_changed = text_box(look, "Family", "Inter", family, {left, type.top + look.px(2)}, width);
  if (has_changed && (family.empty() || (why_no_family(family).empty() && is_installed(family)))) page.family = family;
  number_box(look, "Type size", "pt", choice.typed[typed_type], page.type, kLeastType, kMostType,
             {type.right - box, type.top + look.px(2)});
  if (family != page.family)
    paragraph(look, Type::caption, look.colours.query, "No family of this name is installed; letters stay as they are.");
}

/// Whether the letters are as large as was asked for, and which width would do.
void draw_fit(const Look& look, const PageLook& page, const FigurePreview* preview) {
  if (preview == nullptr || !has_print_size(page)) return;
  const PageFit fit = fit_of(preview->question.request.page, preview->scene);
  std::string words = text_of(fit);
  if (fit.keeps_type())
    words = fmt::format("The smallest letters are {:.1f} pt, as asked.{}{}", fit.smallest.points, words.empty() ? "" : " ", words);
  gap(look, kInside);
  const Colour colour = fit.keeps_type() ? look.colours.good : look.colours.query;
  const float inset = look.px(12), width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = paragraph_height(look, Type::caption, words, width - 2 * inset) + 2 * look.px(kUnit);
  fill(look, at, {at.x + width, at.y + height}, faded(colour, 0.12F));
  outline(look, at, {at.x + width, at.y + height}, faded(colour, 0.5F));
  ImGui::SetCursorScreenPos({at.x + inset, at.y + look.px(kUnit)});
  paragraph(look, Type::caption, look.colours.text, words, width - 2 * inset);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  gap(look, kInside);
}

struct PartSwitch {
  PagePart part;
  const char* label;
  const char* help = nullptr;
};

/// Title, colour bar and the like, the pinned row, and the letter of a panel.
void draw_parts(const Panel& panel, ExportChoice& choice) {
  const FigureNeeds& needs = choice.kind->needs;
  PageLook& page = choice.page;
  constexpr std::array kSwitches{
      PartSwitch{PagePart::title, "title"},
      PartSwitch{PagePart::caption, "caption", "The text that was read, above the figure."},
      PartSwitch{PagePart::bar, "colour bar"},
      PartSwitch{PagePart::legend, "legend"},
      PartSwitch{PagePart::row, "row below maps", "The pinned row, else the last, key by key, as Compare lists it."},
      PartSwitch{PagePart::footer, "footer",
                 "Mask, scale and edits, below the figure: what must be known to make it again. What is derived is said without it, too."}};
  SwitchPairs switches(panel.look);
  for (const PartSwitch& each : kSwitches) {
    if ((each.part == PagePart::bar && !needs.has_bar) || (each.part == PagePart::legend && !needs.has_legend)) continue;
    if (each.part == PagePart::row && !needs.has_row) continue;
    if (each.part == PagePart::caption && needs.has_tint) continue;  // the figure is the text
    bool is_on = page.has(each.part);
    if (!switches.draw(each.label, fmt::format("Show {}", each.label), is_on)) continue;
    is_on ? void(page.without.erase(each.part)) : void(page.without.insert(each.part));
  }
  const bool can_mark = choice.task != ExportTask::texts && shown_figure(panel, *choice.kind).marked != MarkedTokens{};
  bool has_marks = !choice.hides_marks;
  if (can_mark && switches.draw("pinned row", "Show pinned row", has_marks)) choice.hides_marks = !has_marks;
  if (needs.has_cells)
    switches.draw(
        "numbers in cells", "Show numbers in cells", page.has_cell_numbers,
        "The number of each cell, where it fits in letters of this size. On a narrow page, show a part of the map: zoom in Head.");
  bool has_letter = !page.letter.empty();
  if (switches.draw("panel letter a", "Show panel letter", has_letter)) page.letter = has_letter ? "a" : "";
}

/// The key that is marked, by its position: the window pins rows alone.
void draw_key(const Panel& panel, ExportChoice& choice) {
  const Encoding* const keys = choice.task == ExportTask::texts ? nullptr : keys_to_mark(panel, shown_figure(panel, *choice.kind));
  if (keys == nullptr) return;
  const Look& look = panel.look;
  const FigureNeeds& needs = choice.kind->needs;
  const char* const help = needs.marks_tokens ? "The key whose column is marked, by its position. Empty: none."
                           : needs.has_step   ? "The key whose products are opened, by its position. Empty: as the window has it."
                                              : "Only the weights to this key, by its position. Empty: as the window has it.";
  const Row row = begin_row(look, "Marked key", help);
  const float left = row.right - look.px(kNumberBox);
  text_box(look, "Marked key", needs.marks_tokens ? "none" : "auto", choice.key, {left, row.top + look.px(2)}, look.px(kNumberBox));
  const std::optional<Index> key = typed_key(choice, *keys);
  if (!choice.key.empty() && !key)
    paragraph(look, Type::caption, look.colours.query,
              fmt::format("There is no such key: the text has 0 to {}.", std::ssize(keys->tokens) - 1));
  if (!key) return;
  const std::string label = "“" + axis_label(panel.snapshot->label(*keys, keys->tokens[static_cast<std::size_t>(*key)])) + "”";
  const float room = left - row.left - look.px(kControlColumn) - look.px(kUnit);
  draw_text(look, left - look.px(kUnit), row.middle(), Type::body, look.colours.key, elided(look, Type::body, label, room), AlignX::right);
}

/// Light, dark, or nothing under the figure, which is then drawn for light paper.
void draw_ground(const Panel& panel, ExportChoice& choice) {
  const std::array<std::string, 3> grounds{"light", "dark", "transparent"};
  const Theme theme = choice.theme.value_or(panel.draft.style.theme);
  int ground = choice.page.is_transparent ? 2 : theme == Theme::light ? 0 : 1;
  if (!segmented(panel.look, begin_row(panel.look, "Background"), "Background", grounds, ground)) return;
  choice.page.is_transparent = ground == 2;
  choice.theme = ground == 1 ? Theme::dark : Theme::light;
}

}  // namespace

bool SwitchPairs::draw(const std::string& label, const std::string& name, bool& is_on, const char* help) {
  const bool is_left = place_++ % 2 == 0;
  if (is_left) row_ = begin_row(look_, "");
  const float middle = row_.left + (row_.right - row_.left) / 2;
  Row half = row_;
  half.left = is_left ? row_.left : middle + look_.px(kBetween);
  half.right = is_left ? middle - look_.px(kBetween) : row_.right;
  half.help = help;
  draw_text(look_, half.left, row_.middle(), Type::body, look_.colours.text_second,
            elided(look_, Type::body, label, half.right - half.left - look_.px(40)));
  return on_off(look_, half, name.c_str(), is_on);
}

void draw_export_page(Panel& panel, ExportChoice& choice, const FigurePreview* preview) {
  const Look& look = panel.look;
  gap(look, kUnit);
  text_line(look, Type::heading, look.colours.text_second, "Size in print");
  draw_presets(look, choice);
  draw_size(look, choice);
  draw_fit(look, choice.page, preview);
  gap(look, kUnit);
  text_line(look, Type::heading, look.colours.text_second, "Shown");
  draw_parts(panel, choice);
  draw_key(panel, choice);
  draw_ground(panel, choice);
}

}  // namespace headlight

#include "app/cli/figures/page_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "app/cli/options/options.h"
#include "engine/figure/painters/installed_fonts.h"
#include "engine/figure/painters/painters.h"

namespace headlight {
namespace {

struct Unit {
  std::string_view name;
  float mm = 1;
};
constexpr std::array kUnits{Unit{"mm", 1}, Unit{"cm", 10}, Unit{"in", 25.4F}, Unit{"pt", 1 / kPointsPerMm}, Unit{"", 1}};

struct Measured {
  float number = 0;
  std::string_view unit;
};
std::optional<Measured> measured(std::string_view text) {
  Measured read;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read.number);
  if (error != std::errc() || !(read.number > 0)) return std::nullopt;
  read.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (read.unit.starts_with(' ')) read.unit.remove_prefix(1);
  return read;
}

[[noreturn]] void refuse(const std::string& option, const std::string& problem, const std::string& found, std::string expected) {
  refuse_option(option, problem, "\"" + printable(found, 120) + "\"", std::move(expected));
}

float read_length(const std::string& option, const std::string& text) {
  const std::optional<float> mm = millimetres_of(text);
  const std::string range = fmt::format("{} to {} mm, as 85mm, 8.5cm, 3.35in or 241pt", kLeastMm, kMostMm);
  if (!mm) refuse(option, "this is not a length", text, range);
  if (*mm < kLeastMm || *mm > kMostMm) refuse(option, "no page has this size", text, range);
  return *mm;
}

float read_type(const std::string& text) {
  const std::optional<Measured> read = measured(text);
  const std::string range = fmt::format("{} to {} points, as 7pt", kLeastType, kMostType);
  if (!read || (read->unit != "pt" && !read->unit.empty())) refuse("--font", "this is not a size of letters", text, range);
  if (read->number < kLeastType || read->number > kMostType) refuse("--font", "letters have another size", text, range);
  return read->number;
}

PagePart read_part(const char* option, const std::string& name) {
  const auto* const found =
      std::find_if(kEveryValue<PagePart>.begin(), kEveryValue<PagePart>.end(), [&](PagePart part) { return kPageParts[part] == name; });
  std::string names;
  for (const PagePart part : kEveryValue<PagePart>) names.append(names.empty() ? "" : ", ").append(kPageParts[part]);
  if (found == kEveryValue<PagePart>.end()) refuse(option, "unknown name", name, names);
  return *found;
}

std::string presets_help() {
  std::string text;
  for (const PagePreset& each : page_presets())
    text += fmt::format("{}{} ({}: {:g} mm, {:g} pt)", text.empty() ? "" : ", ", each.name, each.label, each.look.width_mm, each.look.type);
  return text;
}

std::string preset_names() {
  std::string text;
  for (const PagePreset& each : page_presets()) text.append(text.empty() ? "" : ", ").append(each.name);
  return text;
}

}  // namespace

std::optional<float> millimetres_of(std::string_view text) {
  const std::optional<Measured> read = measured(text);
  if (!read) return std::nullopt;
  const auto* const unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& each) { return each.name == read->unit; });
  if (unit == kUnits.end()) return std::nullopt;
  return read->number * unit->mm;
}

PageOptions::PageOptions(CLI::App& command) {
  const auto add = [&](const char* name, const char* type, auto read, const std::string& help) {
    command.add_option_function<std::string>(name, read, help)->type_name(type);
  };
  add(
      "--preset", "NAME",
      [this](const std::string& name) {
        preset_ = find_preset(name);
        if (preset_ == nullptr) refuse("--preset", "unknown name", name, preset_names());
      },
      "A page that is often needed, which other options change: " + presets_help());
  add(
      "--width", "LENGTH", [this](const std::string& text) { width_mm_ = read_length("--width", text); },
      "Width of the printed figure, as 85mm, 8.5cm, 3.35in or 241pt: it is laid out for that, and letters keep their size");
  add(
      "--height", "LENGTH", [this](const std::string& text) { height_mm_ = read_length("--height", text); },
      "The most that the printed figure may be high");
  add(
      "--font", "SIZE", [this](const std::string& text) { type_ = read_type(text); },
      fmt::format("Size of printed labels, as 7pt; with a width or height {:g}pt without it", kUsualType));
  add(
      "--font-family", "NAME",
      [this](const std::string& name) {
        if (std::string why = why_no_family(name); !why.empty())
          refuse("--font-family", why, name, "the name of a family, as DejaVu Serif");
        if (!name.empty() && !is_installed(name)) {
          refuse_option("--font-family", "no such family is installed", "\"" + name + "\"", {}, "fc-list : family lists those that are");
        }
        family_ = name;
      },
      "Family of fonts of the words, as DejaVu Serif; numbers in columns keep theirs");
  add(
      "--letter", "LETTER",
      [this](const std::string& letter) {
        if (std::string why = why_no_letter(letter); !why.empty()) refuse("--letter", why, letter, "a, b, (c) …");
        letter_ = letter;
      },
      "Letter of a panel, in bold at the upper left");
  add_parts(command);
  command.add_flag("--transparent", is_transparent_, "Without a ground: what lies under the figure shows through");
  command.add_flag("--cell-numbers", has_cell_numbers_,
                   "Of a heatmap or a flow: the number of each cell in it, where it fits in letters of the labels' size");
  command
      .add_option(
          "--dpi", dpi_,
          fmt::format("Pixels of a PNG on an inch of print, with --width, --height, --font or --preset; without it {:g}", kUsualDpi))
      ->check(CLI::Range(36.0, 1200.0).description(""))
      ->type_name("N");
}

void PageOptions::add_parts(CLI::App& command) {
  command
      .add_option_function<std::vector<std::string>>(
          "--without",
          [this](const std::vector<std::string>& names) {
            for (const std::string& name : names) without_.insert(read_part("--without", name));
          },
          "Parts of the page to leave out: title, caption (the text), legend (of links), bar (of colours), footer (the\nnotes; what is "
          "derived or left out is still said)")
      ->delimiter(',')
      ->type_name("LIST");
  command
      .add_option_function<std::vector<std::string>>(
          "--with",
          [this](const std::vector<std::string>& names) {
            for (const std::string& name : names) with_.insert(read_part("--with", name));
          },
          "Parts of the page to keep though --preset, or the figure that is made again, leaves them out")
      ->delimiter(',')
      ->type_name("LIST");
}

std::span<const std::string_view> PageOptions::names() {
  static constexpr std::array<std::string_view, 9> kNames{"--preset", "--width",   "--height", "--font",       "--font-family",
                                                          "--letter", "--without", "--with",   "--transparent"};
  return kNames;
}

void PageOptions::check() const {
  for (const PagePart part : with_) {
    if (without_.contains(part))
      refuse_option("--with", "--without leaves this part out", std::string(kPageParts[part]), {}, "Leave out one of the two");
  }
}

PageLook PageOptions::look(const PageLook& usual) const {
  PageLook look = usual;
  if (preset_ != nullptr) {
    look.width_mm = preset_->look.width_mm;
    look.height_mm = preset_->look.height_mm;
    look.type = preset_->look.type;
    look.without = preset_->look.without;
  }
  look.width_mm = width_mm_.value_or(look.width_mm);
  look.height_mm = height_mm_.value_or(look.height_mm);
  look.type = type_.value_or(look.type);
  look.family = family_.value_or(look.family);
  look.letter = letter_.value_or(look.letter);
  look.without.insert(without_.begin(), without_.end());
  for (const PagePart part : with_) look.without.erase(part);
  look.has_cell_numbers = look.has_cell_numbers || has_cell_numbers_;
  look.is_transparent = look.is_transparent || is_transparent_;
  return look;
}

float PageOptions::pixels_per_point(const PageLook& look, std::optional<float> pixels) const {
  if (dpi_ && pixels) refuse_option("--dpi", "--pixels says how many pixels there are, too", {}, {}, "Leave out one of them");
  if (dpi_ && !has_print_size(look)) {
    refuse_option("--dpi", "the figure has no size in print", {}, {}, "Give --width 85mm, or --pixels in place of it");
  }
  if (pixels) return *pixels;
  if (!has_print_size(look)) return kDefaultPixelsPerPoint;
  return pixels_at(dpi_.value_or(preset_ != nullptr ? preset_->dpi : kUsualDpi));
}

}  // namespace headlight

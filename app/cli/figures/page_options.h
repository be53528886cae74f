// The options of `headlight export` for how a drawn figure is put on its page.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/figure/page/page_look.h"

namespace headlight {

class PageOptions {
 public:
  explicit PageOptions(CLI::App& command);
  /// Those that every drawn figure uses; --dpi is for pictures of pixels.
  static std::span<const std::string_view> names();

  bool leaves_out(PagePart part) const { return without_.contains(part); }
  bool keeps(PagePart part) const { return with_.contains(part); }
  /// Throws Error (usage) for a part that is both left out and kept.
  void check() const;
  /// `usual`: that of a figure which is made again. Options count before a preset, and that before `usual`.
  PageLook look(const PageLook& usual) const;
  /// `pixels`: of --pixels. Throws Error (usage) for --dpi beside it, or on a page without a size.
  float pixels_per_point(const PageLook& look, std::optional<float> pixels) const;

 private:
  void add_parts(CLI::App& command);

  const PagePreset* preset_ = nullptr;
  std::optional<float> width_mm_, height_mm_, type_, dpi_;
  std::optional<std::string> family_, letter_;
  std::set<PagePart> without_, with_;
  bool is_transparent_ = false, has_cell_numbers_ = false;
};

/// "85mm", "8.5cm", "3.35in", "241pt"; a number alone is millimetres. Nothing where it is not a length.
std::optional<float> millimetres_of(std::string_view text);

}  // namespace headlight

// Options of `headlight export` for figures of measures, and for a grid that is arranged by them.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

class MeasureOptions {
 public:
  explicit MeasureOptions(CLI::App& command);
  /// Those that a figure with these needs uses.
  static std::vector<std::string_view> names(const FigureNeeds& needs);
  /// Throws Error (usage) for text that names neither a measure, a range nor a head.
  MeasuresRequest request(const FigureNeeds& needs, const Document& document, const Snapshot& snapshot) const;

 private:
  std::string measures_{kUsualMeasures}, sort_, across_, up_, size_, tint_, brushed_;
  std::vector<std::string> where_;
  CLI::App& command_;
};

}  // namespace headlight

// Options of `headlight export --figure measures` and `--figure scatter`.
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
  /// Of every figure of measures; of those that order heads; of those with axes.
  static std::span<const std::string_view> names();
  static std::span<const std::string_view> order_names();
  static std::span<const std::string_view> axis_names();
  /// Throws Error (usage) for text that names neither a measure, a range nor a head.
  MeasuresRequest request(const FigureNeeds& needs, const Document& document, const Snapshot& snapshot) const;

 private:
  std::string measures_{kUsualMeasures}, sort_, across_, up_, size_, brushed_;
  std::vector<std::string> where_;
  CLI::App& command_;
};

}  // namespace headlight

// The options of `headlight export --figure flow`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/document/document.h"
#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

class FlowOptions {
 public:
  explicit FlowOptions(CLI::App& command);
  /// Those that only this figure uses.
  static std::span<const std::string_view> names();
  /// Throws Error (usage) for heads that are not there, and options that the reduction does not use.
  FlowRequest request(const Document& document, const Snapshot& snapshot) const;

 private:
  CLI::App& command_;
  std::string of_ = "all", through_;
  FlowSettings settings_;
};

}  // namespace headlight

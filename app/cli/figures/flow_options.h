// The options of `headlight export --figure flow`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

class FlowOptions {
 public:
  explicit FlowOptions(CLI::App& command);
  /// Those that only this figure uses.
  static std::span<const std::string_view> names();
  /// `heads`: that become one map. Throws Error (usage) for those that do not, and for options that the reduction does not use.
  FlowRequest request(std::vector<HeadId> heads, const Snapshot& snapshot) const;

 private:
  CLI::App& command_;
  std::string through_;
  FlowSettings settings_;
};

}  // namespace headlight

// The options of `headlight export --figure links`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight {

class LinksOptions {
 public:
  explicit LinksOptions(CLI::App& command);
  /// Those that only this figure uses.
  static std::span<const std::string_view> names();
  /// `heads`: whose weights become lines; `query` or `key`: the token whose lines are drawn in full, if any. Throws Error (usage) for parts of a pair that are not there, and options that contradict.
  LinksRequest request(const Snapshot& snapshot, std::vector<HeadId> heads, std::optional<Index> query, std::optional<Index> key) const;

 private:
  CLI::App& command_;
  LinkFilter filter_;
  std::vector<std::string> parts_;
  bool has_arcs_ = false, is_without_special_ = false, is_tinted_by_received_ = false;
};

}  // namespace headlight

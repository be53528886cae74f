// The installed families of fonts, as the window asks for them.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "app/work/compute/worker.h"
#include "engine/figure/painters/installed_fonts.h"

namespace headlight {

/// Listed on the desk's thread, once. Thread contract: the UI thread only.
class FontShelf {
 public:
  explicit FontShelf(Worker& worker) : families_(worker.desk(), [](const std::monostate&, StepContext&) { return installed_families(); }) {}
  /// Null until they are known.
  std::shared_ptr<const std::vector<FontFamily>> families() { return families_.ask({}); }

 private:
  Study<std::monostate, std::vector<FontFamily>> families_;
};

}  // namespace headlight

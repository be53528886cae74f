// A figure that the program does not have, for tests that offer it beside the others.
#pragma once

#include <fmt/core.h>

#include <vector>

#include "engine/figure/kinds/figure_kinds.h"

namespace headlight::testing {

/// The number of tokens as a page of one line. It is only drawn, and reads no head of a request.
inline constexpr FigureKind kTallyFigure = {
    .name = "tally",
    .noun = "a tally",
    .what = "how many tokens there are",
    .file_name = "tally",
    .needs = {},
    .caption = [](const Snapshot& snapshot, const FigureRequest&) { return fmt::format("A count up to {}", snapshot.tokens()); },
    .scene =
        [](const Snapshot& snapshot, const FigureRequest&, const MeasureText&) {
          Scene scene{200, 50, {255, 255, 255}, "tally", {}};
          scene.items.emplace_back(SceneText{{20, 25}, fmt::format("{} tokens counted", snapshot.tokens())});
          return scene;
        },
    .numbers = {},
    .endings = kDrawnEndings,
};

/// Those of the program and one more.
inline std::vector<const FigureKind*> figures_and(const FigureKind& more) {
  const FigureKinds kinds = figure_kinds();
  std::vector<const FigureKind*> longer(kinds.begin(), kinds.end());
  longer.push_back(&more);
  return longer;
}

}  // namespace headlight::testing

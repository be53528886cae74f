// Figures of every kind, to be laid out on pages.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

#include "engine/figure/kinds/figure_kinds.h"
#include "engine/pipeline/pipeline.h"
#include "tests/figure/figure_testing.h"
#include "tests/testing.h"

namespace headlight::testing {

inline constexpr std::array kOfPredictions{&kOutputFigure, &kAttributionFigure, &kEffectsFigure, &kLensFigure};

inline FigureRequest request_of(const FigureKind& kind, const PageLook& page) {
  FigureRequest request;
  request.kind = &kind;
  request.heads = {{{0, 0}}, {{1, 1}}};
  request.links.heads = request.flow.heads = {{0, 0}, {0, 1}};
  request.measures.ids = {"normalised-entropy", "mean-distance"};
  request.page = page;
  request.style.theme = Theme::light;
  return request;
}

/// Numbers of every size, one for each head.
inline std::shared_ptr<const HeadEffects> some_effects(const Snapshot& snapshot) {
  HeadEffects effects{.unchanged = 1.5, .heads = snapshot.all_heads()};
  for (std::size_t place = 0; place < effects.heads.size(); ++place)
    effects.values.push_back(std::pow(-1.7, static_cast<double>(place)) / 9);
  return std::make_shared<const HeadEffects>(std::move(effects));
}

inline Scene scene_of(const Snapshot& snapshot, const FigureKind& kind, const PageLook& page) {
  FigureRequest request = request_of(kind, page);
  if (kind.needs.has_target) request.effects.found = some_effects(snapshot);
  return make_figure(snapshot, request, plain_measure());
}

inline std::shared_ptr<const Snapshot> story() {
  return sandbox_snapshot("The horse that the sailors follow gallops. It knows itself.", 2, 3);
}

/// A model that predicts, which the sandbox does not.
inline std::shared_ptr<const Snapshot> predicting_story() {
  Query query;
  query.model.name = (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
  query.text = "The horse that the sailors follow gallops. It knows itself.";
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

/// Those that a run has something for.
inline std::vector<const FigureKind*> figures_of(const Snapshot& snapshot) {
  const FigureKinds all = figure_kinds();
  std::vector<const FigureKind*> kinds;
  std::copy_if(all.begin(), all.end(), std::back_inserter(kinds),
               [&](const FigureKind* kind) { return why_no_figure(*kind, snapshot).empty(); });
  return kinds;
}

}  // namespace headlight::testing

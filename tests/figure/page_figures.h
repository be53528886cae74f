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

inline constexpr std::array kOfPredictions{&kOutputFigure, &kAttributionFigure, &kEffectsFigure, &kMethodsFigure,
                                           &kPatchFigure,  &kPruningFigure,     &kLensFigure};

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

/// Numbers for every figure that shows what is done to a target.
inline EffectsRequest made_studies(const Snapshot& snapshot) {
  EffectsRequest effects;
  effects.found = some_effects(snapshot);
  HeadEffects gate = *effects.found;
  gate.method = EffectMethod::gate;
  for (double& value : gate.values) value = std::abs(value);
  effects.compared = std::make_shared<const ComparedEffects>(ComparedEffects{{*effects.found, gate}, {{0, 1, 0.75}}});
  effects.other_text = "The horses that the sailor follows gallop. They know themselves.";
  PatchSweep patches{.unpatched = 1.5, .other = 3.5, .values = {}};
  for (int layer = 0; layer < snapshot.layers(); ++layer) {
    for (Index position = 0; position < snapshot.tokens(); ++position)
      patches.values.push_back({layer, -1, position, 1.5 + 0.25 * static_cast<double>(layer + position)});
  }
  for (const Token& token : snapshot.encoding->tokens) patches.other_ids.push_back(token.id);
  patches.other_ids[1] = patches.other_ids[1] == 7 ? 8 : 7;
  effects.patches = std::make_shared<const PatchSweep>(std::move(patches));
  PruningCurves curves{.whole = 1.5, .once = {}, .anew = {}};
  for (const HeadId head : snapshot.all_heads()) {
    if (head.head == 0) continue;
    curves.once.push_back({head, 1.5 + 0.2 * static_cast<double>(curves.once.size())});
    curves.anew.push_back({head, 1.5 + 0.1 * static_cast<double>(curves.anew.size())});
  }
  effects.pruned = std::make_shared<const PruningCurves>(std::move(curves));
  return effects;
}

/// A sheet with every kind of part.
inline std::shared_ptr<const Sheet> some_sheet(const Snapshot& snapshot) {
  const auto labels = std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"The", "horse", "that", "gallops"});
  Matrix weights = Matrix::Random(4, 4).cwiseAbs(), numbers = Matrix::Random(4, 24);
  SheetMaps maps{.heading = "item 0 · 3 of 6 keys valid", .maps = {}, .per_line = 3, .side = 200};
  for (const char* name : {"before", "after", "mean"})
    maps.maps.push_back({.name = name,
                         .title = name,
                         .picture = std::make_shared<const MapPicture>(weights, 1, 4, 4, nullptr, false),
                         .queries = labels,
                         .keys = labels});
  maps.maps.back().has_bar = true;
  SheetMap strip{.name = "z",
                 .title = "Z = concat(z_0 … z_3) · 4 × 24",
                 .picture = std::make_shared<const MapPicture>(numbers, 1, 4, 24, nullptr, true),
                 .queries = labels,
                 .blocks = 4,
                 .framed = 2,
                 .places = std::vector<std::string>(24, "head 0, 0")};
  SheetTable table{{"convention · seen in", "float16", "variance of q·k"}, {}, 150, "Of a row"};
  table.rows = {
      {{"score −1e9", ".33 .33 .33", "1.234"}, "in many programs", true, "every weight", {"w_j ∝ exp((W_Q v_i) · (W_K v_j) / √d)"}},
      {{"left out", "NaN", "–"}}};
  Sheet sheet{.title = "dropout · layer 0 · head 1", .notes = {"Sampled on purpose.", "One of two notes."}, .parts = {}, .of_tables = {}};
  sheet.parts = {std::move(maps), SheetMaps{.heading = {}, .maps = {strip}}, std::move(table)};
  sheet.of_tables = {{"row sums", {"The", "horse"}, {"before", "after"}, {}, {1, 0.1, 0.25, std::nan("")}}};
  sheet.notes.push_back(std::to_string(snapshot.tokens()) + " tokens.");
  return std::make_shared<const Sheet>(std::move(sheet));
}

inline Scene scene_of(const Snapshot& snapshot, const FigureKind& kind, const PageLook& page) {
  FigureRequest request = request_of(kind, page);
  if (kind.needs.has_target) request.effects = made_studies(snapshot);
  if (kind.needs.has_lab) request.lab.found = some_sheet(snapshot);
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

// Figures of a small model, written as the program writes them.
#pragma once

#include "app/recipe/recipe.h"
#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight::testing {

inline std::string small_model() {
  return (std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models" / "gpt2").string();
}

inline std::shared_ptr<const Snapshot> run_of_query(const Query& query) {
  Pipeline pipeline(1);
  SilentProgress progress;
  return pipeline.run(query, progress);
}

/// Of a folder with weights, or of the sandbox.
inline std::shared_ptr<const Snapshot> run_of_text(const std::string& model, const std::string& text) {
  Query query;
  query.model.name = model;
  query.text = text;
  return run_of_query(query);
}

inline void write_recorded(const Snapshot& snapshot, FigureRequest request, const std::filesystem::path& path) {
  SilentProgress progress;
  ThreadPool pool(1);
  find_effects(snapshot, request, pool, progress);
  write_recorded_figure(snapshot, request, path, {}, {}, progress);
}

}  // namespace headlight::testing

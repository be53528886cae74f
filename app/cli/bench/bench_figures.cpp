#include "app/cli/bench/bench_figures.h"

#include <fmt/core.h>

#include <filesystem>
#include <random>
#include <string>
#include <system_error>

#include "app/recipe/recipe.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Snapshot> run_words(Pipeline& pipeline, int layers, int heads, int tokens) {
  Query query;
  query.model.sandbox.layers = layers;
  query.model.sandbox.heads = heads;
  query.model.sandbox.d_model = heads * 64;
  for (int word = 0; word < tokens; ++word) query.text += fmt::format("{}w{}", word == 0 ? "" : " ", word % 97);
  SilentProgress silent;
  return pipeline.run(query, silent);
}

void bench_figure(const Bench& bench, const std::string& name, const Snapshot& snapshot, const FigureRequest& request,
                  std::string_view ending) {
  const fs::path path = fs::temp_directory_path() / fmt::format("headlight-bench-{}{}", std::random_device{}(), ending);
  SilentProgress silent;
  bench.measure(
      fmt::format("{} as {}", name, ending.substr(1)), [&] { write_recorded_figure(snapshot, request, path, {}, {}, silent); }, [] {},
      [&](double) {
        std::error_code ignored;
        return fmt::format("{:.2f} MB", static_cast<double>(fs::file_size(path, ignored)) * 1e-6);
      });
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

void bench_figures(const Bench& bench, Pipeline& pipeline) {
  FigureRequest head, grid;
  grid.kind = &kGridFigure;
  const auto one = run_words(pipeline, 1, 1, 2048);
  const auto many = run_words(pipeline, 12, 12, 64);
  for (const std::string_view ending : kDrawnEndings) bench_figure(bench, "map of 2048 tokens, drawn and written", *one, head, ending);
  for (const std::string_view ending : kDrawnEndings) bench_figure(bench, "144 maps of 64 tokens, drawn and written", *many, grid, ending);
}

}  // namespace headlight

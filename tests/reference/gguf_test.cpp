// A model in GGUF, of several types of blocks, against its recorded run: one text, its ids, and the activations of each file.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"
#include "tests/reference/recorded.h"
#include "tests/reference/recording_bounds.h"

namespace headlight {
namespace {

using testing::Difference;

Difference compare(const SafetensorsFile& file, const TensorInfo& info, const std::vector<Matrix>& parts) {
  Difference difference;
  const FloatTensor expected = file.read_floats(info);
  std::size_t compared = 0;
  for (const Matrix& part : parts) {
    difference.add(expected, compared, part);
    compared += static_cast<std::size_t>(part.size());
  }
  EXPECT_EQ(compared, expected.values.size()) << info.name << " is not wholly compared";
  return difference;
}

/// "attention.0" → the maps of layer 0; hidden.N and logits likewise.
std::vector<Matrix> parts_of(Pipeline& pipeline, const Snapshot& snapshot, const std::string& tensor) {
  if (tensor == "logits") return {compute_logits(*snapshot.model, *snapshot.trace.final_hidden.whole(), pipeline.pool())};
  const int layer = std::stoi(tensor.substr(tensor.rfind('.') + 1));
  if (tensor.starts_with("hidden")) {
    if (layer == snapshot.layers()) return {*snapshot.trace.final_hidden.whole()};
    return {*snapshot.trace.layer(layer).resid_pre.whole()};
  }
  std::vector<Matrix> maps;
  for (int head = 0; head < snapshot.heads(layer); ++head) maps.push_back(snapshot.maps({layer, head}).weights);
  return maps;
}

void check_file(const std::filesystem::path& path, const std::string& type, const Json& recorded, const SafetensorsFile& tensors) {
  Pipeline pipeline;
  SilentProgress progress;
  Query query;
  query.model.name = path.string();
  query.text = recorded.at("text").get<std::string>();
  const std::shared_ptr<const Snapshot> snapshot = pipeline.run(query, progress);
  std::vector<std::int64_t> ids;
  for (const Token& token : snapshot->encoding->tokens) ids.push_back(token.id);
  EXPECT_EQ(Json(ids), recorded.at("ids"));

  double attention = 0, others = 0;
  int compared = 0;
  for (const TensorInfo& info : tensors.tensors()) {
    if (!info.name.starts_with(type + ".")) continue;
    const std::string tensor = info.name.substr(type.size() + 1);
    const double error = compare(tensors, info, parts_of(pipeline, *snapshot, tensor)).largest();
    double& worst = tensor.starts_with("attention") ? attention : others;
    worst = std::max(worst, error);
    ++compared;
  }
  std::printf("%s: %d tensors, attention %.1e, hidden and logits %.1e\n", path.filename().c_str(), compared, attention, others);
  EXPECT_GT(compared, 0);
  EXPECT_LE(attention, testing::kAttentionBound);
  EXPECT_LE(others, testing::kActivationBound);
}

TEST(GgufModels, GiveTheRecordedIdsAndActivations) {
  const auto is_recorded = [](const std::filesystem::path& path) { return path.filename() == "gguf"; };
  const auto folders = testing::recorded_cases("", is_recorded);
  if (folders.empty()) testing::say_not_found("recorded GGUF models");
  for (const std::filesystem::path& folder : folders) {
    const Json recorded = testing::read_json(folder / "reference.json");
    const SafetensorsFile tensors(folder / "reference.safetensors");
    for (const Json& type : recorded.at("types")) {
      const auto name = type.get<std::string>();
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().filename().string().ends_with(name + ".gguf")) check_file(entry.path(), name, recorded, tensors);
      }
    }
  }
}

/// Tiny random models that convert_hf_to_gguf.py of llama.cpp v0.5.0 wrote (values and tensors added where the name says so), and the
/// logits that libllama of that release computed for them: float32 weights and cache, on a CPU.
TEST(GgufOfLlamaCpp, LogitsAreThoseThatLlamaCppComputed) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "llama-cpp")) {
    if (entry.path().extension() != ".gguf") continue;
    ++files;
    const Json recorded = testing::read_json(std::filesystem::path(entry.path()).replace_extension(".json"));
    Pipeline pipeline;
    SilentProgress progress;
    Query query;
    query.model.name = entry.path().string();
    query.ids = recorded.at("ids").get<std::vector<std::int64_t>>();
    const std::shared_ptr<const Snapshot> snapshot = pipeline.run(query, progress);
    const Matrix logits = compute_logits(*snapshot->model, *snapshot->trace.final_hidden.whole(), pipeline.pool());
    const auto expected = recorded.at("logits").get<std::vector<std::vector<float>>>();
    ASSERT_EQ(logits.rows(), std::ssize(expected));
    float most = 0, largest = 0;
    for (Index row = 0; row < logits.rows(); ++row) {
      ASSERT_EQ(logits.cols(), std::ssize(expected[static_cast<std::size_t>(row)]));
      for (Index token = 0; token < logits.cols(); ++token) {
        const float value = expected[static_cast<std::size_t>(row)][static_cast<std::size_t>(token)];
        most = std::max(most, std::abs(logits(row, token) - value));
        largest = std::max(largest, std::abs(value));
      }
    }
    EXPECT_LE(most, 2e-5F * largest) << entry.path();
    EXPECT_GT(largest, 1) << entry.path();
  }
  EXPECT_GE(files, 6);
}

}  // namespace
}  // namespace headlight

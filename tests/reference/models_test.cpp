// Every recorded model run: tokens and all activations, through the one door.
#include <fmt/core.h>

#include <cstdio>
#include <map>

#include "engine/forward/forward.h"
#include "engine/pipeline/pipeline.h"
#include "engine/text/unicode/unicode.h"
#include "tests/reference/recorded.h"
#include "tests/reference/recording_bounds.h"

namespace headlight {
namespace {

using testing::Difference;

/// What a run has to say about one recorded tensor: one matrix, or one for each head.
using Parts = std::vector<Matrix>;

const LayerTrace& layer_of(const Snapshot& snapshot, int layer) {
  return snapshot.trace.layer(layer);
}

Parts per_head(const Snapshot& snapshot, const std::function<Matrix(int head)>& part) {
  Parts parts;
  for (int head = 0; head < snapshot.heads(); ++head) parts.push_back(part(head));
  return parts;
}

Parts hidden(const Snapshot& snapshot, int layer) {
  if (layer == 0) return {*snapshot.trace.embedded.whole()};
  if (layer == snapshot.layers()) return {*snapshot.trace.final_hidden.whole()};
  return {*layer_of(snapshot, layer - 1).resid_post.whole()};
}

/// Scaled scores. Recordings hold −∞ where the mask forbids, or the plain score: `expected` tells which.
Parts scores(const Snapshot& snapshot, int layer, const FloatTensor& expected) {
  Parts parts = per_head(snapshot, [&](int head) {
    const HeadMaps maps = snapshot.maps({layer, head});
    return Matrix(maps.scores * maps.factor);
  });
  std::size_t at = 0;
  for (std::size_t head = 0; head < parts.size(); ++head) {
    for (Index query = 0; query < parts[head].rows(); ++query) {
      for (Index key = 0; key < parts[head].cols(); ++key, ++at) {
        const bool is_forbidden = !layer_of(snapshot, layer).mask(static_cast<int>(head)).allows(query, key);
        if (is_forbidden && std::isinf(expected.values.at(at))) parts[head](query, key) = expected.values[at];
      }
    }
  }
  return parts;
}

/// "encoder.attention" → encoder; nothing for models of one stack.
std::optional<Stack> find_stack(std::string_view what) {
  for (const Stack stack : {Stack::encoder, Stack::decoder, Stack::cross}) {
    if (what.starts_with(std::string(name_of(stack)) + ".")) return stack;
  }
  return std::nullopt;
}

/// The tensor names that recordings use, without the case's name before and the layer's number after.
Parts find_parts(Pipeline& pipeline, const Snapshot& snapshot, const std::string& what, int layer, const FloatTensor& expected) {
  const auto head_part = [&](auto LayerTrace::*part) {
    return per_head(snapshot,
                    [&](int head) { return Matrix(head_columns(*(layer_of(snapshot, layer).*part).whole(), snapshot.heads(), head)); });
  };
  if (what == "attention") return per_head(snapshot, [&](int head) { return snapshot.maps({layer, head}).weights; });
  if (what == "scores") return scores(snapshot, layer, expected);
  if (what == "hidden") return hidden(snapshot, layer);
  if (what == "q") return head_part(&LayerTrace::q);
  if (what == "k") return head_part(&LayerTrace::k);
  if (what == "v") return head_part(&LayerTrace::v);
  if (what == "z") return {*layer_of(snapshot, layer).z.whole()};
  if (what == "resid_post") return {*layer_of(snapshot, layer).resid_post.whole()};
  if (what == "last_hidden_state") return {*snapshot.trace.final_hidden.whole()};
  const auto stack = find_stack(what);
  if (stack && what.ends_with(".attention")) {
    const int at = snapshot.model->config.layer_at({*stack, layer}).value();
    Parts parts;
    for (int head = 0; head < snapshot.heads(at); ++head) parts.push_back(snapshot.maps({at, head}).weights);
    return parts;
  }
  if (what == "encoder.hidden") {
    const LayerTrace& last = layer_of(snapshot, snapshot.model->config.stacks.encoder_layers - 1);
    return {make_memory(*snapshot.model, *last.resid_post.whole(), pipeline.pool())};
  }
  if (what == "logits") return {compute_logits(*snapshot.model, *snapshot.trace.final_hidden.whole(), pipeline.pool())};
  return {};
}

void compare_tokens(const Json& recorded, const Snapshot& snapshot) {
  const Encoding& encoding = *snapshot.encoding;
  std::vector<std::int64_t> ids;
  std::vector<std::string> texts;
  std::vector<int> type_ids;
  std::vector<std::vector<std::uint32_t>> offsets;
  const std::vector<std::uint32_t> first = code_point_index(encoding.text), second = code_point_index(encoding.text_pair);
  for (const Token& token : encoding.tokens) {
    ids.push_back(token.id);
    texts.push_back(token.text);
    type_ids.push_back(token.type_id);
    const auto& index = token.sequence == 0 ? first : second;
    if (token.is_special) {
      offsets.push_back({0, 0});
    } else {
      offsets.push_back({index.at(token.bytes.begin), index.at(token.bytes.end)});
    }
  }
  EXPECT_EQ(recorded.at("ids"), Json(ids));
  EXPECT_EQ(recorded.at("tokens"), Json(texts));
  EXPECT_EQ(recorded.value("type_ids", Json(type_ids)), Json(type_ids));
  EXPECT_EQ(recorded.value("offsets", Json(offsets)), Json(offsets));
  if (recorded.contains("decoder_ids")) {
    std::vector<std::int64_t> decoder_ids;
    for (const Token& token : snapshot.decoder_encoding->tokens) decoder_ids.push_back(token.id);
    EXPECT_EQ(recorded.at("decoder_ids"), Json(decoder_ids));
  }
}

/// Compares every tensor of one case and prints the largest error of each kind.
void compare_tensors(Pipeline& pipeline, const Snapshot& snapshot, const SafetensorsFile& file, const std::string& name,
                     const std::string& title, const Json& noise) {
  const std::uint64_t checksum = testing::checksum_of(file.name());
  std::map<std::string, Difference> differences;
  for (const TensorInfo& info : file.tensors()) {
    if (!info.name.starts_with(name + ".")) continue;
    const std::string tensor = info.name.substr(name.size() + 1);
    const std::size_t dot = tensor.rfind('.');
    const std::string what = tensor.substr(0, dot);
    const std::string number = dot == std::string::npos ? "" : tensor.substr(dot + 1);
    const int layer = number.empty() || number == "last" ? 0 : std::stoi(number);
    const FloatTensor expected = file.read_floats(info);
    const Parts parts = find_parts(pipeline, snapshot, what, layer, expected);
    std::size_t compared = 0;
    for (const Matrix& part : parts) {
      differences[what].add(expected, compared, part);
      compared += static_cast<std::size_t>(part.size());
    }
    EXPECT_EQ(compared, expected.values.size()) << title << ": " << info.name << " is not wholly compared";
  }
  EXPECT_FALSE(differences.empty()) << title << " records no tensors";
  std::string line = title + ":", remarks;
  for (const auto& [what, difference] : differences) {
    line += fmt::format(" {} {:.1e}", what, difference.largest());
    EXPECT_LE(difference.largest(), testing::bound_of(checksum, what, remarks, noise)) << title << " " << what;
  }
  std::printf("%s%s\n", line.c_str(), remarks.c_str());
}

/// Says at the end how many recorded models were left out.
struct UnsupportedCount final : ::testing::Environment {
  static inline int models = 0;
  void TearDown() override { std::printf("%d recorded models are of families not supported yet\n", models); }
};
const auto* const kUnsupportedCount = ::testing::AddGlobalTestEnvironment(new UnsupportedCount);

class RecordedModel : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(RecordedModel, GivesTheRecordedTokensAndActivations) {
  const std::filesystem::path& folder = GetParam();
  Pipeline pipeline;
  SilentProgress progress;
  const SafetensorsFile tensors(folder / "reference.safetensors");
  const Json file = testing::read_json(folder / "reference.json");
  ASSERT_FALSE(file.at("cases").empty());
  for (const Json& recorded : file.at("cases")) {
    const auto name = recorded.at("name").get<std::string>();
    Query query;
    query.model.name = folder.string();
    query.text = recorded.at("text").get<std::string>();
    if (recorded.contains("text_b") && recorded.at("text_b").is_string()) query.text_pair = recorded.at("text_b").get<std::string>();
    if (recorded.contains("decoder_text")) query.decoder_text = recorded.at("decoder_text").get<std::string>();
    std::shared_ptr<const Snapshot> snapshot;
    try {
      snapshot = pipeline.run(query, progress);
    } catch (const Error& error) {
      if (error.detail().field != "model_type") throw;
      std::printf("%s: family %s not supported yet\n", folder.c_str(), error.detail().found.c_str());
      ++UnsupportedCount::models;
      return;
    }
    compare_tokens(recorded, *snapshot);
    compare_tensors(pipeline, *snapshot, tensors, name, folder.filename().string() + " " + name, file.value("float32_noise", Json()));
  }
}

TEST(RecordedModels, AreHeldToTheUsualBoundOrThreeTimesTheNoiseOfTheReference) {
  std::string remarks;
  const Json noise = {{"attention", 1e-5}, {"logits", 1e-5}, {"hidden", 5e-5}, {"cross.attention", 2e-5}};
  EXPECT_EQ(testing::bound_of(0, "attention", remarks), 2e-5);
  EXPECT_DOUBLE_EQ(testing::bound_of(0, "attention", remarks, noise), 3e-5);
  EXPECT_DOUBLE_EQ(testing::bound_of(0, "decoder.attention", remarks, noise), 3e-5);
  EXPECT_DOUBLE_EQ(testing::bound_of(0, "cross.attention", remarks, noise), 6e-5);
  EXPECT_DOUBLE_EQ(testing::bound_of(0, "last_hidden_state", remarks, noise), 1.5e-4);
  EXPECT_EQ(testing::bound_of(0, "logits", remarks, noise), 1e-4) << "the larger of the two";
}

/// Models of all reference folders, and the trained one beside them.
std::vector<std::filesystem::path> recorded_models() {
  const auto is_model = [](const std::filesystem::path& path) {
    return std::filesystem::exists(path / "config.json") && std::filesystem::exists(path / "reference.safetensors");
  };
  auto models = testing::recorded_cases("models", is_model);
  const auto others = testing::recorded_cases("", [&](const auto& path) { return is_model(path); });
  models.insert(models.end(), others.begin(), others.end());
  if (models.empty()) testing::say_not_found("recorded models");
  return models;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RecordedModel);
INSTANTIATE_TEST_SUITE_P(Found, RecordedModel, ::testing::ValuesIn(recorded_models()),
                         [](const auto& found) { return fmt::format("{}_{}", testing::case_name(found.param), found.index); });

}  // namespace
}  // namespace headlight

// The files that `trace` and `tokenize` write, against recorded activations: every model folder beside a reference.json whose family this
// version knows (`inspect` finds it sound).
#include <gmock/gmock.h>

#include <cmath>

#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/cli/program.h"
#include "tests/reference/recording_bounds.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::Not;
using testing::ProgramFolder;
using testing::ProgramResult;

std::vector<fs::path> recorded_models(const ProgramFolder& folder) {
  std::vector<fs::path> models;
  for (const fs::path& root : testing::reference_folders()) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().filename() != "reference.json" || !fs::exists(entry.path().parent_path() / "config.json")) continue;
      const fs::path model = entry.path().parent_path();
      if (folder.run({"inspect", model.string()}).status == 0) models.push_back(model);
    }
  }
  return models;
}

/// The largest difference; −inf must meet −inf.
double largest_error(const FloatTensor& found, const FloatTensor& expected) {
  if (found.shape != expected.shape) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const double difference = std::abs(double{found.values[i]} - double{expected.values[i]});
    if (found.values[i] != expected.values[i]) largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
  }
  return largest;
}

void compare_trace(const ProgramFolder& folder, const fs::path& model, const Json& recorded, const SafetensorsFile& reference) {
  const std::string name = recorded.at("name");
  std::vector<std::string> words = {"trace", "-m", model.string(), "-t", recorded.at("text"), "-o", "t.safetensors"};
  if (recorded.contains("decoder_text")) words.insert(words.end(), {"--decoder-text", recorded.at("decoder_text")});
  const ProgramResult result = folder.run(words);
  ASSERT_EQ(result.status, 0) << result.error;
  const SafetensorsFile trace(folder / "t.safetensors");
  EXPECT_EQ(Json::parse(trace.metadata().at("ids")), recorded.at("ids"));
  const std::uint64_t checksum = testing::checksum_of(reference.name());
  double attention = 0, hidden = 0;
  int compared = 0;
  std::string remarks;
  for (const TensorInfo& expected : reference.tensors()) {
    if (!expected.name.starts_with(name + ".")) continue;
    const std::string short_name = expected.name.substr(name.size() + 1);
    const TensorInfo* found = trace.find(short_name);
    if (!found) {  // of those that --include adds
      EXPECT_THAT(short_name, Not(ContainsRegex("^(attention|hidden|encoder|decoder|cross)[.]|^(logits|last_hidden_state)$")));
      continue;
    }
    const std::string what = short_name.substr(0, short_name.rfind('.'));
    const double error = largest_error(trace.read_floats(*found), reference.read_floats(expected));
    EXPECT_LE(error, testing::bound_of(checksum, what, remarks)) << short_name;
    double& worst = what.ends_with("attention") ? attention : hidden;
    worst = std::max(worst, error);
    ++compared;
  }
  std::printf("%s, %s: %d tensors, attention within %.1e, hidden and logits within %.1e%s\n", model.filename().c_str(), name.c_str(),
              compared, attention, hidden, remarks.c_str());
  EXPECT_GE(compared, 4);  // of a model of one layer: its maps, what goes in, what comes out, and the logits
}

TEST(Reference, TracesMatchEveryRecordedModel) {
  const ProgramFolder folder;
  const std::vector<fs::path> models = recorded_models(folder);
  ASSERT_FALSE(models.empty());
  for (const fs::path& model : models) {
    SCOPED_TRACE(model.string());
    const SafetensorsFile reference(model / "reference.safetensors");
    const Json recorded = Json::parse(testing::bytes_of(model / "reference.json"));
    for (const Json& each : recorded.at("cases")) {
      if (each.at("text_b").is_null()) compare_trace(folder, model, each, reference);
    }
  }
}

TEST(Reference, TokensMatchEveryRecordedModel) {
  const ProgramFolder folder;
  for (const fs::path& model : recorded_models(folder)) {
    const Json recorded = Json::parse(testing::bytes_of(model / "reference.json"));
    for (const Json& each : recorded.at("cases")) {
      if (!each.at("text_b").is_null()) continue;
      SCOPED_TRACE(model.string() + " " + each.at("text").get<std::string>());
      const ProgramResult result = folder.run({"tokenize", "-m", model.string(), "-t", each.at("text")});
      ASSERT_EQ(result.status, 0) << result.error;
      const Json tokens = Json::parse(result.out);
      for (const char* key : {"ids", "tokens", "offsets", "type_ids"}) {
        if (each.contains(key)) {
          EXPECT_EQ(tokens.at(key), each.at(key)) << key;
        }
      }
    }
  }
}

}  // namespace
}  // namespace headlight

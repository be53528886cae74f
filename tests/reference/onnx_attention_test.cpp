// The ONNX operator Attention (opsets 23 to 25) by its recorded conformance cases, through attend_tensors. Generic over the operator's
// attributes and inputs: any case with a row in manifest.json and a file beside it can be put in place of the recorded ones.
#include <fmt/core.h>

#include <cstdio>
#include <limits>
#include <set>

#include "engine/attend/tensor_attention.h"
#include "tests/reference/recorded.h"

namespace headlight {
namespace {

using testing::Difference;
using Shape = std::vector<std::int64_t>;

constexpr double kSingleBound = 2e-6, kHalfBound = 1e-3;  // float32, float16

/// One case: its row of the manifest, and the file with its tensors.
class OnnxCase {
 public:
  OnnxCase(Json row, const std::filesystem::path& folder)
      : row_(std::move(row)), file_(folder / (row_.at("name").get<std::string>() + ".safetensors")) {}

  std::string name() const { return row_.at("name").get<std::string>(); }
  std::optional<float> number(const char* attribute) const { return value<float>(attribute); }
  std::optional<int> count(const char* attribute) const { return value<int>(attribute); }
  const Json& attributes() const { return row_.at("attributes"); }
  bool is_half() const { return row_.at("outputs").at(0).at("dtype").get<std::string>().ends_with("float16"); }

  /// By the operator's own name: the n-th named formal input is the n-th input of the row. Null where the case has none.
  const Json* entry(const char* direction, const std::string& formal) const {
    std::size_t at = 0;
    for (const Json& name : row_.at(fmt::format("formal_{}", direction))) {
      if (name == formal) return &row_.at(direction).at(at);
      if (name != "") ++at;
    }
    return nullptr;
  }
  FloatTensor tensor(const Json& entry) const {
    const TensorInfo* info = file_.find(entry.at("key").get<std::string>());
    if (!info) throw Error({.file = file_.name(), .field = entry.at("key"), .problem = "the recording lacks this tensor"});
    return file_.read_floats(*info);
  }
  std::optional<FloatTensor> input(const std::string& formal) const {
    const Json* found = entry("inputs", formal);
    return found ? std::optional<FloatTensor>(tensor(*found)) : std::nullopt;
  }

 private:
  template <typename Value>
  std::optional<Value> value(const char* attribute) const {
    return attributes().contains(attribute) ? std::optional<Value>(attributes().at(attribute).get<Value>()) : std::nullopt;
  }

  Json row_;
  SafetensorsFile file_;
};

/// The operator's masks broadcast from the right, as numpy does, so that three axes are [heads, queries, keys]; ours then have four. A last
/// axis that is shorter than the keys is filled up with forbidden pairs before anything is broadcast.
FloatTensor four_axes(FloatTensor mask, Index keys, float forbidden) {
  const Index length = mask.shape.back(), rows = std::ssize(mask.values) / length;
  if (length < keys) {
    std::vector<float> padded;
    for (Index row = 0; row < rows; ++row) {
      padded.insert(padded.end(), mask.values.begin() + row * length, mask.values.begin() + (row + 1) * length);
      padded.insert(padded.end(), static_cast<std::size_t>(keys - length), forbidden);
    }
    mask.values = std::move(padded);
    mask.shape.back() = keys;
  }
  mask.shape.insert(mask.shape.begin(), 4 - mask.shape.size(), 1);
  return mask;
}

AttentionTensors tensors_of(const OnnxCase& each) {
  AttentionTensors tensors;
  const bool is_split = each.input("Q")->shape.size() == 4;
  (is_split ? tensors.q : tensors.query) = each.input("Q");
  (is_split ? tensors.k : tensors.key) = each.input("K");
  (is_split ? tensors.v : tensors.value) = each.input("V");
  tensors.past_key = each.input("past_key");
  tensors.past_value = each.input("past_value");
  tensors.nonpad_kv_seqlen = each.input("nonpad_kv_seqlen");
  if (const Json* mask = each.entry("inputs", "attn_mask")) {
    tensors.is_mask_float = mask->at("dtype") != "bool";
    const Index past = tensors.past_key ? tensors.past_key->shape[2] : 0;
    const Index keys = past + (is_split ? tensors.k->shape[2] : tensors.key->shape[1]);
    tensors.mask = four_axes(each.tensor(*mask), keys, tensors.is_mask_float ? -std::numeric_limits<float>::infinity() : 0.0F);
  }
  return tensors;
}

/// is_causal and, from opset 25 on, how far a query sees to either side; −1: without end.
std::string mask_text_of(const OnnxCase& each) {
  std::string text = each.count("is_causal").value_or(0) != 0 ? "causal" : "none";
  for (const char* side : {"left", "right"}) {
    const int reach = each.count(fmt::format("{}_window_size", side).c_str()).value_or(-1);
    if (reach >= 0) text += fmt::format(" + {}:{}", side, reach);
  }
  return text;
}

/// The numbers of onnx.proto's TensorProto.DataType. A softmax in double is within the bound of ours in float32.
SoftmaxPrecision softmax_precision_of(const OnnxCase& each) {
  switch (each.count("softmax_precision").value_or(1)) {
    case 10:
      return SoftmaxPrecision::float16;
    case 16:
      return SoftmaxPrecision::bfloat16;
    default:
      return SoftmaxPrecision::float32;
  }
}

/// An attribute that is not read here would change the result unseen.
void expect_known_attributes(const OnnxCase& each) {
  const std::set<std::string> known = {"is_causal",         "kv_num_heads", "left_window_size", "q_num_heads",      "qk_matmul_output_mode",
                                       "right_window_size", "scale",        "softcap",          "softmax_precision"};
  for (const auto& [name, value] : each.attributes().items()) EXPECT_TRUE(known.contains(name)) << name;
}

TensorAttentionOptions options_of(const OnnxCase& each) {
  constexpr std::array kStages = {ScoreStage::scaled, ScoreStage::capped, ScoreStage::masked, ScoreStage::weights};
  TensorAttentionOptions options{.heads = each.count("q_num_heads"), .kv_heads = each.count("kv_num_heads")};
  options.mask_text = mask_text_of(each);
  options.scale = each.number("scale");
  options.softcap = each.number("softcap").value_or(0);
  options.softmax_precision = softmax_precision_of(each);
  options.stage = kStages.at(static_cast<std::size_t>(each.count("qk_matmul_output_mode").value_or(0)));
  options.keeps_parts = true;
  return options;
}

/// What the operator calls the parts of a result. Y of inputs that were split into heads is split as well.
FloatTensor output_named(const std::string& formal, const TensorAttention& result, bool is_split) {
  if (formal == "present_key") return result.k;
  if (formal == "present_value") return result.v;
  if (formal == "qk_matmul_output") return result.scores;
  return is_split ? split_heads(result.output, result.sizes.heads) : result.output;
}

void run_case(const OnnxCase& each) {
  expect_known_attributes(each);
  ThreadPool pool(2);
  SilentProgress silent;
  const TensorAttention result = attend_tensors(tensors_of(each), options_of(each), pool, silent);
  Difference difference;
  int compared = 0;
  for (const std::string formal : {"Y", "present_key", "present_value", "qk_matmul_output"}) {
    const Json* entry = each.entry("outputs", formal);
    if (!entry) continue;
    const FloatTensor expected = each.tensor(*entry);
    const FloatTensor found = output_named(formal, result, each.input("Q")->shape.size() == 4);
    ASSERT_EQ(found.shape, expected.shape) << formal;
    for (std::size_t at = 0; at < expected.values.size(); ++at) difference.add(expected.values[at], found.values[at]);
    ++compared;
  }
  std::printf("%s: %d outputs, largest error %.1e\n", each.name().c_str(), compared, difference.largest());
  EXPECT_GE(compared, 1);
  EXPECT_LE(difference.largest(), each.is_half() ? kHalfBound : kSingleBound);
}

TEST(OnnxAttention, EveryRecordedCaseGivesItsOutputs) {
  const auto manifests = testing::recorded_cases("onnx-attention", [](const auto& path) { return path.filename() == "manifest.json"; });
  if (manifests.empty()) testing::say_not_found("recorded cases of ONNX Attention");
  for (const std::filesystem::path& manifest : manifests) {
    const Json rows = testing::read_json(manifest);
    ASSERT_FALSE(rows.at("cases").empty());
    for (const Json& row : rows.at("cases")) {
      SCOPED_TRACE(row.at("name").get<std::string>());
      try {
        run_case(OnnxCase(row, manifest.parent_path()));
      } catch (const Error& error) {
        ADD_FAILURE() << error.message();
      }
    }
  }
}

}  // namespace
}  // namespace headlight

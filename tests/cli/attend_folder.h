// Files for tests of `attend`, and the folder that they are in.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/cli/program.h"

namespace headlight::testing {

using Shape = std::vector<std::int64_t>;

/// One tensor of a file in the making: its element type and its bytes.
struct RawTensor {
  std::string name, dtype;
  Shape shape;
  std::string bytes;
};

template <typename Element, typename Number>
RawTensor raw(const std::string& name, const std::string& dtype, const Shape& shape, const std::vector<Number>& values) {
  RawTensor tensor{name, dtype, shape, {}};
  for (const Number value : values) {
    const auto element = static_cast<Element>(value);
    tensor.bytes.append(reinterpret_cast<const char*>(&element), sizeof(Element));
  }
  return tensor;
}

inline std::vector<float> random_values(const std::string& name, std::size_t count) {
  RandomStream stream(7, name);
  std::vector<float> values(count);
  for (float& value : values) value = stream.next_normal();
  return values;
}

/// A safetensors file of any element types.
inline std::string safetensors_bytes(const std::vector<RawTensor>& tensors, const Json& metadata = Json::object()) {
  Json header = {{"__metadata__", metadata}};
  std::string data;
  for (const RawTensor& tensor : tensors) {
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
    data += tensor.bytes;
  }
  const std::string text = header.dump();
  const std::uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof(size)) + text + data;
}

/// A folder in which `attend` is run on a file in the making.
class AttendTest : public ::testing::Test {
 protected:
  ProgramResult attend(const std::vector<RawTensor>& tensors, std::vector<std::string> more = {}, const Json& metadata = Json::object()) {
    folder_.file("in.safetensors", safetensors_bytes(tensors, metadata));
    std::vector<std::string> arguments = {"attend", "in.safetensors", "-o", "out.safetensors"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::filesystem::remove(folder_ / "out.safetensors");
    return folder_.run(arguments);
  }

  FloatTensor written(const std::string& name) {
    const SafetensorsFile file(folder_ / "out.safetensors");
    const TensorInfo* tensor = file.find(name);
    EXPECT_NE(tensor, nullptr) << name;
    return tensor ? file.read_floats(*tensor) : FloatTensor{};
  }

  /// A refusal: status, one message on stderr, nothing written.
  void expect_refusal(const ProgramResult& result, int status, const std::vector<std::string>& mentions) {
    SCOPED_TRACE(result.error);
    EXPECT_EQ(result.status, status);
    EXPECT_THAT(result.out, ::testing::IsEmpty());
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.safetensors"));
    for (const std::string& mention : mentions) EXPECT_THAT(result.error, ::testing::HasSubstr(mention));
  }

  /// x [2, 5, 8] and three of its four projections.
  static std::vector<RawTensor> layer() {
    return {raw<float>("x", "F32", {2, 5, 8}, random_values("x", 80)), raw<float>("q.weight", "F32", {8, 8}, random_values("q", 64)),
            raw<float>("k.weight", "F32", {8, 8}, random_values("k", 64)), raw<float>("o.weight", "F32", {6, 8}, random_values("o", 48))};
  }

  ProgramFolder folder_;
};

}  // namespace headlight::testing

#include "engine/model/files/weights_digest.h"

#include "tests/model/gpt2_folder.h"

namespace headlight::testing {
namespace {

std::string digest_of(const Gpt2Folder& model) {
  SilentProgress progress;
  return weights_digest(model.path(), progress);
}

TEST(WeightsDigest, IsOfTheNumbersAndNotOfTheFilesTheyAreIn) {
  const TensorMap tensors = tiny_gpt2_tensors();
  const Gpt2Folder whole(kTinyConfig, tensors);
  const Gpt2Folder sharded;
  TensorMap halves[2];
  std::string index;
  std::size_t at = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t half = at++ % 2;
    halves[half][name] = tensor;
    index += (index.empty() ? "" : ", ") + ("\"" + name + "\": \"part-" + std::to_string(half) + ".safetensors\"");
  }
  sharded.write("part-0.safetensors", halves[0]);
  sharded.write("part-1.safetensors", halves[1]);
  sharded.folder().file("model.safetensors.index.json", "{\"weight_map\": {" + index + "}}");
  EXPECT_EQ(digest_of(whole).size(), 64U);
  EXPECT_EQ(digest_of(sharded), digest_of(whole));
}

TEST(WeightsDigest, OfAnyOtherNumberNameOrShapeIsAnother) {
  const std::string digest = digest_of(Gpt2Folder(kTinyConfig, tiny_gpt2_tensors()));
  TensorMap number = tiny_gpt2_tensors(), name = tiny_gpt2_tensors(), shape = tiny_gpt2_tensors();
  number["transformer.wte.weight"].values[5] += 1e-6F;
  name["transformer.extra"] = name["transformer.wte.weight"];
  name.erase("transformer.wte.weight");
  shape["transformer.wte.weight"].shape = {8, 3};
  for (const TensorMap& other : {number, name, shape}) EXPECT_NE(digest_of(Gpt2Folder(kTinyConfig, other)), digest);
}

TEST(WeightsStamp, ChangesWithAFilesSizeOrTimeAndIsEmptyWithoutWeights) {
  const Gpt2Folder model(kTinyConfig, tiny_gpt2_tensors());
  const WeightsStamp before = weights_stamp(model.path());
  ASSERT_EQ(before.files.size(), 1U);
  EXPECT_EQ(weights_stamp(model.path()), before);
  const std::filesystem::path file = before.files[0].path;
  std::filesystem::last_write_time(file, before.files[0].time - std::chrono::hours(1));
  EXPECT_NE(weights_stamp(model.path()), before);
  EXPECT_TRUE(weights_stamp(Gpt2Folder().path()).files.empty());
  EXPECT_TRUE(weights_stamp("/no/such/folder").files.empty());
}

}  // namespace
}  // namespace headlight::testing

#include "app/work/model_shelf.h"

#include <gmock/gmock.h>

#include "app/document/document.h"
#include "engine/formats/tensors/write_tensors.h"
#include "tests/environment.h"
#include "tests/testing.h"
#include "tests/work/waiting.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const fs::path kReference = fs::path(HEADLIGHT_TESTS_DIR) / "reference";

/// Assets of the test's own.
class Assets : public ::testing::Test {
 protected:
  void add(const std::string& name, const char* model, const std::string& card = "") const {
    fs::create_directories(folder_ / "models");
    fs::copy(kReference / "models" / model, folder_ / ("models/" + name), fs::copy_options::recursive);
    if (!card.empty()) folder_.file("models/" + name + "/card.json", card);
  }
  testing::TemporaryFolder folder_;
  testing::EnvironmentVariable assets_{"HEADLIGHT_ASSETS", folder_.path().string()};
};

using ModelLines = Assets;
using FirstStart = Assets;

TEST_F(ModelLines, SayWhatTheCardSaysElseFamilyAndSizes) {
  add("a-bert", "bert-mlm");
  add("story-gpt", "gpt2", R"({"summary": "Trained on stories.", "data": {}})");
  add("broken", "gpt2", "{");
  const std::vector<ModelLine> lines = read_model_lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], (ModelLine{"story-gpt", "Trained on stories."})) << "the model of the first start stands first";
  EXPECT_EQ(lines[1].name, "a-bert");
  EXPECT_THAT(lines[1].summary, HasSubstr("BERT, 2 layers × 2 heads"));
  EXPECT_THAT(lines[2].summary, HasSubstr("card.json"));
}

TEST_F(FirstStart, IsTheStoryModelWhereItIsThereElseTheSandbox) {
  EXPECT_EQ(first_document(), sandbox_document());
  EXPECT_EQ(sandbox_document().query.model.name, "sandbox");
  add(kFirstModel, "gpt2");
  EXPECT_EQ(first_document().query.model.name, kFirstModel);
  EXPECT_FALSE(first_document().query.text.empty());
  EXPECT_EQ(document_of_model("/models/x").query.text, sandbox_document().query.text);
}

class ModelFilesOfAFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<float> maps(36, 0.5F);
    const std::vector<TensorToWrite> layers = {{"attention.0", {2, 3, 3}, {maps.data(), 18}},
                                               {"attention.1", {2, 3, 3}, {maps.data(), 18}}};
    write_npz(folder_ / "maps.npz", layers, {});
    write_safetensors(folder_ / "maps.safetensors", layers, {});
    write_safetensors(folder_ / "weights.safetensors",
                      std::vector<TensorToWrite>{{"h.0.attn.c_attn.weight", {6, 6}, maps}, {"ln_f.bias", {6}, {maps.data(), 6}}}, {});
    write_npy(folder_ / "maps.npy", {"", {1, 4, 3, 3}, maps});
    folder_.file("list.json", " [[[1]]]");
    folder_.file("tokens.json", R"(["a", "b"])");
    folder_.file("notes.txt", "attention");
    folder_.file("torn.safetensors", "x");
    folder_.file(".hidden.gguf", "GGUF");
    fs::copy(kReference / "gguf/tiny-llama-Q4_K_M.gguf", folder_ / "tiny.gguf");
  }
  testing::TemporaryFolder folder_;
};

std::vector<std::string> shown(const ModelFiles& files) {
  std::vector<std::string> lines;
  for (const ModelFile& file : files.files) lines.push_back(file.name + ": " + file.what);
  return lines;
}

TEST_F(ModelFilesOfAFolder, AreToldByWhatIsInThem) {
  SilentProgress progress;
  const ModelFiles files = find_model_files(folder_.path(), progress);
  EXPECT_THAT(shown(files), ElementsAre("list.json: attention maps", "maps.npy: array of 1 × 4 × 3 × 3", "maps.npz: attention maps",
                                        "maps.safetensors: attention maps", "tiny.gguf: GGUF model"));
  EXPECT_EQ(files.files[0].bytes, 8U);
}

TEST_F(ModelFilesOfAFolder, OfAModelAreItsOwn) {
  folder_.file("config.json", "{}");
  SilentProgress progress;
  EXPECT_THAT(shown(find_model_files(folder_.path(), progress)),
              ElementsAre("maps.npy: array of 1 × 4 × 3 × 3", "maps.npz: attention maps", "tiny.gguf: GGUF model"));
  EXPECT_TRUE(find_model_files(folder_ / "none", progress).files.empty());
}

TEST_F(ModelFilesOfAFolder, AreLookedUpOnTheComputeThread) {
  Worker worker(1);
  ModelShelf shelf(worker);
  testing::wait_until([&] { return shelf.files(folder_.path()) != nullptr; });
  EXPECT_EQ(shelf.files(folder_.path())->files.size(), 5U);
  fs::remove(folder_ / "tiny.gguf");
  EXPECT_EQ(shelf.files(folder_.path())->files.size(), 5U);
  shelf.forget_files();
  testing::wait_until([&] { return shelf.files(folder_.path())->files.size() == 4U; });
  const auto other = shelf.files(folder_ / "other");  // null until it has been looked at, and never the folder before
  EXPECT_TRUE(other == nullptr || other->folder == folder_ / "other");
}

}  // namespace
}  // namespace headlight

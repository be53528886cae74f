#include "engine/model/files/weight_files.h"

#include <gmock/gmock.h>

#include "engine/formats/json.h"
#include "tests/model/gpt2_folder.h"

namespace headlight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::random_tensor;
using testing::TemporaryFolder;
using testing::write_tensors;

constexpr const char* kFirst = "model-00001-of-00002.safetensors";
constexpr const char* kSecond = "model-00002-of-00002.safetensors";

/// Two shards, "a" and "b" in the first, "c" in the second, and an index over them.
class Shards {
 public:
  Shards() {
    write_tensors(folder_ / kFirst, {{"a", random_tensor("a", {2})}, {"b", random_tensor("b", {3})}});
    write_tensors(folder_ / kSecond, {{"c", random_tensor("c", {4})}});
  }
  Json index = {{"metadata", {{"total_size", 36}}}, {"weight_map", {{"a", kFirst}, {"b", kFirst}, {"c", kSecond}}}};

  WeightFiles open() const {
    folder_.file("model.safetensors.index.json", index.dump());
    return WeightFiles(folder_.path());
  }
  std::string refusal() const {
    return error_of([&] { open(); }).message();
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

TEST(WeightFiles, FindsTensorsInShards) {
  const Shards shards;
  const WeightFiles files = shards.open();
  EXPECT_EQ(files.tensors().size(), 3U);
  EXPECT_THAT(files.tensors().at("c").reader->name(), HasSubstr(kSecond));
  EXPECT_EQ(files.bytes(), std::filesystem::file_size(shards.folder() / kFirst) + std::filesystem::file_size(shards.folder() / kSecond));
  EXPECT_THAT(files.notices(), IsEmpty());
}

TEST(WeightFiles, ASingleFileGoesBeforeTheIndexAndThatIsSaid) {
  const Shards shards;
  write_tensors(shards.folder() / "model.safetensors", {{"only", random_tensor("only", {2})}});
  const WeightFiles files = shards.open();
  EXPECT_EQ(files.tensors().size(), 1U);
  EXPECT_THAT(files.notices(), ElementsAre(HasSubstr("are both there")));
}

// Reliability F8: nothing outside the folder is ever opened.
TEST(WeightFiles, NamesThatAreNotPlainFileNamesAreRefused) {
  for (const std::string name : {"../x.safetensors", "/dev/zero", "sub/x.safetensors", "..\\x.safetensors", "C:x.safetensors",
                                 "~/x.safetensors", "http://127.0.0.1:9/x.safetensors", "%2e%2e/x.safetensors", ".", "..", "",
                                 ".x.safetensors", "x.safetensors ", "x.bin", "\\\\host\\x.safetensors"}) {
    Shards shards;
    shards.index["weight_map"]["b"] = name;
    EXPECT_THAT(shards.refusal(), AllOf(HasSubstr("model.safetensors.index.json: weight_map.b"), HasSubstr("found \"" + printable(name))))
        << name;
  }
  Shards shards;
  shards.index["weight_map"]["b"] = std::string(300, 'a') + ".safetensors";
  EXPECT_THAT(shards.refusal(), HasSubstr("not the name of a file beside the index"));
  shards.index["weight_map"]["b"] = std::string("x\0.safetensors", 14);
  EXPECT_THAT(shards.refusal(), HasSubstr("not the name of a file beside the index"));
}

TEST(WeightFiles, AMapThatIsNoneIsRefused) {
  for (const char* map : {"[]", "null", "3", "{\"a\": null}", "{\"a\": [\"x.safetensors\"]}"}) {
    Shards shards;
    shards.index["weight_map"] = Json::parse(map);
    EXPECT_THAT(shards.refusal(), AllOf(HasSubstr("model.safetensors.index.json"), HasSubstr("weight_map"))) << map;
  }
}

TEST(WeightFiles, AMissingOrCutShardIsRefusedNamingItAndTheIndex) {
  const Shards shards;
  std::filesystem::resize_file(shards.folder() / kSecond, std::filesystem::file_size(shards.folder() / kSecond) - 3);
  EXPECT_THAT(shards.refusal(), AllOf(HasSubstr(kSecond), HasSubstr("model.safetensors.index.json")));
  std::filesystem::remove(shards.folder() / kSecond);
  EXPECT_THAT(shards.refusal(), AllOf(HasSubstr(kSecond), HasSubstr("model.safetensors.index.json")));
}

TEST(WeightFiles, ATensorInTheWrongShardOrInTwoIsRefused) {
  Shards wrong;
  wrong.index["weight_map"]["a"] = kSecond;
  EXPECT_THAT(wrong.refusal(), AllOf(HasSubstr("weight_map.a: model-00002"), HasSubstr(kFirst)));
  Shards absent;
  absent.index["weight_map"]["d"] = kSecond;
  EXPECT_THAT(absent.refusal(), AllOf(HasSubstr("weight_map.d"), HasSubstr(kSecond)));
  const Shards twice;
  write_tensors(twice.folder() / kSecond, {{"a", random_tensor("other", {2})}, {"c", random_tensor("c", {4})}});
  EXPECT_THAT(twice.refusal(), AllOf(HasSubstr(": a: the tensor is in two files"), HasSubstr(kFirst), HasSubstr(kSecond)));
}

TEST(WeightFiles, UnlistedTensorsAndOddTotalsAreNoted) {
  Shards shards;
  shards.index["weight_map"].erase("b");
  shards.index["metadata"]["total_size"] = -5;
  EXPECT_THAT(shards.open().notices(), ElementsAre(HasSubstr("total_size"), HasSubstr("holds b, which the index does not list")));
}

TEST(WeightFiles, ATotalThatTheTensorsDoNotComeToIsNotedWithBothNumbers) {
  Shards shards;
  shards.index["metadata"]["total_size"] = 36.0;
  EXPECT_THAT(shards.open().notices(), IsEmpty()) << "some write it so";
  shards.index["metadata"]["total_size"] = 40;
  EXPECT_THAT(shards.open().notices(), ElementsAre(AllOf(HasSubstr("metadata.total_size is 40"), HasSubstr("add up to 36 bytes"))));
}

TEST(WeightFiles, AFileWithoutTensorsIsRefused) {
  const TemporaryFolder folder;
  write_tensors(folder / "model.safetensors", {});
  EXPECT_THAT(error_of([&] { WeightFiles files(folder.path()); }).message(), HasSubstr("no tensors"));
}

}  // namespace
}  // namespace headlight

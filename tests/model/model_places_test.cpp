#include "engine/model/files/model_places.h"

#include <gmock/gmock.h>

#include "engine/model/files/load_model.h"
#include "engine/model/model.h"
#include "tests/environment.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using testing::error_of;
using ::testing::HasSubstr;

/// Assets and a cache of the test's own, with two built-in models and one of the hub; nothing in them can be loaded.
class ModelPlaces : public ::testing::Test {
 protected:
  void SetUp() override {
    add("assets/models/story-gpt");
    add("assets/models/by-hand");
    fs::create_directories(folder_ / "assets/models/make");
    folder_.file("assets/models/make/train.py", "");
    add("hub/models--tiny--cat/snapshots/c1");
    add("elsewhere/story-gpt");
  }
  void add(const std::string& name) const {
    fs::create_directories(folder_ / name);
    for (const char* file : {"/config.json", "/model.safetensors"}) folder_.file(name + file, "{}");
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  testing::TemporaryFolder folder_;
  testing::OwnModelPlaces places_{folder_.path()};
};

TEST_F(ModelPlaces, BuiltInModelsAreTheFoldersWithAConfiguration) {
  std::vector<std::string> names;
  for (const BuiltInModel& model : list_built_in_models()) names.push_back(model.name);
  EXPECT_EQ(names, (std::vector<std::string>{"by-hand", "story-gpt"}));
  EXPECT_EQ(find_model("story-gpt"), folder_ / "assets/models/story-gpt");
  for (const char* name : {"make", "", ".", "..", "sandbox", "../models/story-gpt", "story-gpt/"}) {
    EXPECT_FALSE(find_built_in_model(name).has_value()) << name;
  }
}

TEST_F(ModelPlaces, TheCardOfABuiltInModelSaysItsVersion) {
  EXPECT_EQ(version_of_built_in("story-gpt"), 1) << "it has no card";
  folder_.file("assets/models/story-gpt/card.json", R"({"version": 4})");
  EXPECT_EQ(version_of_built_in("story-gpt"), 4);
  folder_.file("assets/models/story-gpt/card.json", R"({"version": 2, "text": "a sentence"})");
  EXPECT_EQ(card_of_built_in("story-gpt")->text, "a sentence");
  for (const char* broken : {"{", R"({"version": "two"})", R"({"version": -1})"}) {
    folder_.file("assets/models/story-gpt/card.json", broken);
    EXPECT_EQ(version_of_built_in("story-gpt"), 1) << broken;
  }
  for (const char* name : {"sandbox", "tiny/cat", "./story-gpt", "nothing"}) EXPECT_EQ(version_of_built_in(name), 0) << name;
}

TEST_F(ModelPlaces, WithoutAssetsNothingIsBuiltIn) {
  places_.assets.set(at("none"));
  EXPECT_TRUE(list_built_in_models().empty());
  EXPECT_FALSE(find_built_in_model("story-gpt").has_value());
}

TEST_F(ModelPlaces, AnIdLeadsIntoTheLocalCache) {
  EXPECT_EQ(find_model("tiny/cat"), folder_ / "hub/models--tiny--cat/snapshots/c1");
  EXPECT_EQ(find_model("tiny/dog"), std::nullopt);
  EXPECT_EQ(find_model("/home/someone/.cache/huggingface/hub/models--tiny--cat/snapshots/c9"), find_model("tiny/cat"))
      << "a document that was written on another machine";
}

TEST_F(ModelPlaces, AMissingIdIsToldWithTheCommandThatGetsIt) {
  EXPECT_THAT(error_of([] { model_path("tiny/dog"); }).message(), AllOf(HasSubstr("tiny/dog"), HasSubstr("headlight models get tiny/dog")));
  EXPECT_THAT(error_of([] { model_path("/x/models--tiny--dog/snapshots/c9/"); }).message(), HasSubstr("headlight models get tiny/dog"));
  EXPECT_THAT(error_of([] { model_path("/no/such/folder"); }).message(), AllOf(HasSubstr("no such model"), HasSubstr("headlight models")));
  SilentProgress progress;
  EXPECT_THAT(error_of([&] { load_model({.name = "tiny/dog", .sandbox = {}}, progress); }).message(), HasSubstr("models get tiny/dog"));
}

TEST_F(ModelPlaces, ALastingNameLeadsBackToTheSamePlace) {
  EXPECT_EQ(lasting_name(at("assets/models/story-gpt/")), "story-gpt");
  EXPECT_EQ(lasting_name(at("elsewhere/story-gpt")), at("elsewhere/story-gpt")) << "another folder of the same name";
  EXPECT_EQ(lasting_name(at("hub/models--tiny--cat/snapshots/c1")), "tiny/cat");
  EXPECT_EQ(lasting_name(fs::relative(at("elsewhere/story-gpt")).string()), at("elsewhere/story-gpt"));
  add("hub/models--tiny--cat/snapshots/c2");
  fs::create_directories(folder_ / "hub/models--tiny--cat/refs");
  folder_.file("hub/models--tiny--cat/refs/main", "c2");
  EXPECT_EQ(lasting_name(at("hub/models--tiny--cat/snapshots/c1")), at("hub/models--tiny--cat/snapshots/c1")) << "the id leads to c2";
  for (const char* name : {"sandbox", "story-gpt", "tiny/cat", "tiny/dog"}) EXPECT_EQ(lasting_name(name), name);
}

TEST_F(ModelPlaces, ShortNamesSayWhichModel) {
  EXPECT_EQ(short_model_name("sandbox"), "sandbox");
  EXPECT_EQ(short_model_name("tiny/cat"), "tiny/cat");
  EXPECT_EQ(short_model_name("/a/b/maps.npz"), "maps.npz");
  EXPECT_EQ(short_model_name("/a/b/"), "b");
  EXPECT_EQ(short_model_name("/hub/models--tiny--cat/snapshots/c1"), "tiny/cat");
}

}  // namespace
}  // namespace headlight

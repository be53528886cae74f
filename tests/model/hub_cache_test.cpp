#include "engine/model/files/hub_cache.h"

#include <gtest/gtest.h>

#include "tests/environment.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A snapshot as the libraries lay it out, its files links into blobs.
void add_snapshot(const fs::path& cache, const std::string& model, const std::string& commit, const std::vector<std::string>& names) {
  const fs::path folder = cache / model;
  fs::create_directories(folder / "blobs");
  fs::create_directories(folder / "snapshots" / commit);
  for (const std::string& name : names) {
    std::ofstream(folder / "blobs" / name) << "x";
    fs::create_symlink(fs::path("../../blobs") / name, folder / "snapshots" / commit / name);
  }
}

TEST(HubCache, ListsWhatIsWhole) {
  const testing::TemporaryFolder cache;
  add_snapshot(cache.path(), "models--gpt2", "c1", {"config.json", "model.safetensors"});
  add_snapshot(cache.path(), "models--owner--name-b", "c1", {"config.json", "model.safetensors.index.json"});
  add_snapshot(cache.path(), "models--half--done", "c1", {"model.safetensors"});
  add_snapshot(cache.path(), "datasets--x--y", "c1", {"config.json", "model.safetensors"});
  add_snapshot(cache.path(), "models--dangling--one", "c1", {"config.json", "model.safetensors"});
  fs::remove(cache / "models--dangling--one/blobs/model.safetensors");
  const std::vector<CachedModel> models = list_cached_models(cache.path());
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0].id, "gpt2");
  EXPECT_EQ(models[1].id, "owner/name-b");
  EXPECT_EQ(models[1].folder, cache / "models--owner--name-b/snapshots/c1");
  EXPECT_EQ(id_of_snapshot(models[1].folder), "owner/name-b");
  EXPECT_EQ(id_of_snapshot(cache / "models--owner--name-b"), "");
  EXPECT_TRUE(list_cached_models(cache / "absent").empty());
}

TEST(HubCache, ASnapshotOfOneGgufFileIsThatFile) {
  const testing::TemporaryFolder cache;
  add_snapshot(cache.path(), "models--a--small", "c1", {"README.md", "small.Q8_0.gguf"});
  const fs::path file = cache / "models--a--small/snapshots/c1/small.Q8_0.gguf";
  EXPECT_EQ(find_cached_model(cache.path(), "a/small"), file);
  EXPECT_EQ(id_of_snapshot(file), "a/small");
  ASSERT_EQ(list_cached_models(cache.path()).size(), 1U);
  add_snapshot(cache.path(), "models--a--small", "c1", {"small.Q4_0.gguf"});
  EXPECT_EQ(find_cached_model(cache.path(), "a/small"), std::nullopt) << "which of the two?";
  EXPECT_EQ(why_not_opened(cache.path(), "a/small")->found, "small.Q4_0.gguf, small.Q8_0.gguf");
}

TEST(HubCache, SaysWhatIsInTheWay) {
  const testing::TemporaryFolder cache;
  add_snapshot(cache.path(), "models--a--pickle", "c1", {"config.json", "pytorch_model.bin"});
  add_snapshot(cache.path(), "models--a--torn", "c1", {"config.json", "model.safetensors"});
  fs::remove(cache / "models--a--torn/blobs/model.safetensors");
  add_snapshot(cache.path(), "models--a--bare", "c1", {"config.json", "tokenizer.json"});
  add_snapshot(cache.path(), "models--a--whole", "c1", {"config.json", "model.safetensors"});
  std::vector<std::string> ids;
  for (const UnopenedModel& model : list_unopened_models(cache.path())) ids.push_back(model.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"a/bare", "a/pickle", "a/torn"}));
  const ErrorDetail pickle = *why_not_opened(cache.path(), "a/pickle");
  EXPECT_EQ(pickle.file, (cache / "models--a--pickle/snapshots/c1/pytorch_model.bin").string());
  EXPECT_NE(pickle.hint.find("save_file"), std::string::npos);
  const ErrorDetail torn = *why_not_opened(cache.path(), "a/torn");
  EXPECT_EQ(torn.file, (cache / "models--a--torn/snapshots/c1/model.safetensors").string());
  EXPECT_EQ(torn.found, "../../blobs/model.safetensors");
  EXPECT_EQ(why_not_opened(cache.path(), "a/bare")->found, "config.json, tokenizer.json");
  EXPECT_FALSE(why_not_opened(cache.path(), "a/none").has_value());
}

TEST(HubCache, ChoosingAmongVersionsIsSaid) {
  const testing::TemporaryFolder cache;
  add_snapshot(cache.path(), "models--a--b", "c1", {"config.json", "model.safetensors"});
  EXPECT_EQ(note_on_version(cache.path(), "a/b"), "") << "there is only one";
  add_snapshot(cache.path(), "models--a--b", "c2", {});
  EXPECT_EQ(note_on_version(cache.path(), "a/b"), "");
  fs::create_symlink("../../blobs/config.json", cache / "models--a--b/snapshots/c2/config.json");
  fs::create_symlink("../../blobs/model.safetensors", cache / "models--a--b/snapshots/c2/model.safetensors");
  EXPECT_NE(note_on_version(cache.path(), "a/b").find("there are 2 versions"), std::string::npos);
  fs::create_directories(cache / "models--a--b/refs");
  cache.file("models--a--b/refs/main", "c9");
  EXPECT_NE(note_on_version(cache.path(), "a/b").find("refs/main names c9, which cannot be opened"), std::string::npos);
  cache.file("models--a--b/refs/main", "c1");
  EXPECT_EQ(note_on_version(cache.path(), "a/b"), "");
}

TEST(HubCache, ARevisionIsABranchATagOrACommit) {
  const testing::TemporaryFolder cache;
  add_snapshot(cache.path(), "models--a--b", "c1", {"config.json", "model.safetensors"});
  fs::create_directories(cache / "models--a--b/refs/refs/pr");
  cache.file("models--a--b/refs/v1.0", "c1");
  cache.file("models--a--b/refs/refs/pr/1", "c1");
  for (const char* name : {"a/b", "a/b@main", "a/b@v1.0", "a/b@c1", "a/b@refs/pr/1"}) {
    EXPECT_EQ(find_cached_model(cache.path(), name), cache / "models--a--b/snapshots/c1") << name;
  }
  EXPECT_EQ(find_cached_model(cache.path(), "a/b@v2"), std::nullopt);
  EXPECT_EQ(why_not_opened(cache.path(), "a/b@v2")->expected, "v2");
  for (const char* name : {"a/b@", "a/b@../x", "a/b@/x", "a/b@.x", "a/b@x y", "a/b@x/../y", "@v1", "a/b@x/.y"}) {
    EXPECT_FALSE(parse_hub_name(name).has_value()) << name;
  }
}

TEST(HubCache, ATildeIsTheHomeOfTheUser) {
  const testing::EnvironmentVariable home("HOME", "/home/me"), none("HF_HUB_CACHE", ""), old("HUGGINGFACE_HUB_CACHE", "");
  const testing::EnvironmentVariable variable("HF_HOME", "~/zz");
  EXPECT_EQ(hub_cache_folder(), "/home/me/zz/hub");
  variable.set("/a/~/b");
  EXPECT_EQ(hub_cache_folder(), "/a/~/b/hub");
}

TEST(HubCache, TheSnapshotOfMainIsTaken) {
  const testing::TemporaryFolder cache;
  for (const char* commit : {"c1", "c2", "c3"}) add_snapshot(cache.path(), "models--a--b", commit, {});
  for (const char* commit : {"c1", "c2", "c3"}) {
    for (const char* name : {"config.json", "model.safetensors"}) {
      std::ofstream(cache / (std::string("models--a--b/snapshots/") + commit + "/" + name)) << "x";
    }
  }
  fs::create_directories(cache / "models--a--b/refs");
  cache.file("models--a--b/refs/main", "c2\n");
  EXPECT_EQ(find_cached_model(cache.path(), "a/b"), cache / "models--a--b/snapshots/c2");
  cache.file("models--a--b/refs/main", "../../../../etc");
  EXPECT_TRUE(find_cached_model(cache.path(), "a/b").has_value());  // any of them; nothing outside the folder
  EXPECT_EQ(find_cached_model(cache.path(), "a/b")->parent_path(), cache / "models--a--b/snapshots");
  EXPECT_EQ(find_cached_model(cache.path(), "../models--a--b"), std::nullopt);
}

TEST(HubCache, IdsAreThoseOfTheHub) {
  for (const char* id : {"gpt2", "openai-community/gpt2", "a.b/c_d-1"}) EXPECT_TRUE(is_hub_id(id)) << id;
  for (const char* id : {"", "/", "a/", "/b", "a/b/c", "..", "a/..", ".a/b", "a--b", "a b", "a\\b", "a/b\n", "-a"})
    EXPECT_FALSE(is_hub_id(id)) << id;
}

}  // namespace
}  // namespace headlight

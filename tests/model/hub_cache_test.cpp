#include "engine/model/hub_cache.h"

#include <gtest/gtest.h>

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

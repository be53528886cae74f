#include "app/hub/download.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "engine/formats/digest.h"
#include "engine/model/files/hub_cache.h"
#include "tests/hub/hub_server.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using testing::bytes_of;
using testing::error_of;
using ::testing::HasSubstr;

constexpr const char* kModel = "tiny/cat";

/// Cancels when asked, and remembers how far it was.
class Watch final : public Progress {
 public:
  void step(double done, std::string_view /*what*/) override {
    farthest = std::max(farthest, done);
    if (done > stop_at) throw Cancelled();
  }
  double farthest = 0;
  double stop_at = 2;
};

class Download : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'print(1)' > /dev/null 2>&1") != 0) GTEST_SKIP() << "this machine has no python3";
    ASSERT_TRUE(server_.is_running()) << "tests/hub/hub_server.py did not start";
    weights_ = std::string(200'000, 'w');
    for (std::size_t at = 0; at < weights_.size(); at += 7) weights_[at] = static_cast<char>(at % 251);
    server_.put(kModel, "config.json", R"({"model_type": "gpt2"})");
    server_.put(kModel, "tokenizer.json", "{}");
    server_.put(kModel, "README.md", "# not wanted");
    server_.put(kModel, "model.safetensors", weights_);
  }
  HubSettings settings(const std::string& mode = "plain") const {
    return {.endpoint = server_.endpoint(mode), .token = "secret", .is_offline = false, .cache = folder_ / "cache"};
  }
  fs::path get(const HubSettings& settings) { return download_model(settings, kModel, watch_); }
  Error refusal(const HubSettings& settings, const std::string& id = kModel) {
    const Error error = error_of([&] { download_model(settings, id, watch_); });
    EXPECT_TRUE(list_cached_models(settings.cache).empty()) << "nothing may be installed";
    return error;
  }
  std::size_t requests_of(const std::string& name) const {
    const auto all = server_.requests();
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const Json& request) { return request["path"].get<std::string>().ends_with(name); }));
  }
  Json last_request_of(const std::string& name) const {
    Json last;
    for (const Json& request : server_.requests()) {
      if (request["path"].get<std::string>().ends_with(name)) last = request;
    }
    return last;
  }

  testing::TemporaryFolder folder_;
  testing::HubServer server_{folder_};
  std::string weights_;
  Watch watch_;
};

TEST_F(Download, AModelLiesInTheCacheAsTheLibrariesLayItOut) {
  const fs::path folder = get(settings());
  EXPECT_EQ(folder, folder_ / "cache/models--tiny--cat/snapshots/0123456789012345678901234567890123456789");
  EXPECT_EQ(bytes_of(folder / "model.safetensors"), weights_);
  EXPECT_TRUE(fs::read_symlink(folder / "config.json").string().starts_with("../../blobs/"));
  EXPECT_EQ(fs::read_symlink(folder / "model.safetensors").filename().string().size(), 64U);  // SHA-256
  EXPECT_FALSE(fs::exists(folder / "README.md"));
  EXPECT_EQ(bytes_of(folder_ / "cache/models--tiny--cat/refs/main"), "0123456789012345678901234567890123456789");
  ASSERT_EQ(list_cached_models(folder_ / "cache").size(), 1U);
  EXPECT_EQ(list_cached_models(folder_ / "cache")[0].id, kModel);
  EXPECT_EQ(find_cached_model(folder_ / "cache", kModel), folder);
  EXPECT_GT(watch_.farthest, 0.9);
  for (const auto& entry : fs::directory_iterator(folder_ / "cache/models--tiny--cat/blobs")) EXPECT_EQ(entry.path().extension(), "");
}

TEST_F(Download, WhatIsThereIsNotDownloadedAgain) {
  get(settings());
  get(settings());
  EXPECT_EQ(requests_of("model.safetensors"), 1U);
}

TEST_F(Download, ALostConnectionIsGoneOnWith) {
  EXPECT_EQ(bytes_of(get(settings("cut")) / "model.safetensors"), weights_);
  const Json last = last_request_of("model.safetensors");
  EXPECT_EQ(last["range"], "bytes=100000-");
  EXPECT_FALSE(last["if_range"].is_null());
}

TEST_F(Download, ACancelledDownloadGoesOnAtTheNextStart) {
  watch_.stop_at = 0.3;
  EXPECT_THROW(get(settings("slow")), Cancelled);
  EXPECT_TRUE(list_cached_models(folder_ / "cache").empty());
  watch_.stop_at = 2;
  EXPECT_EQ(bytes_of(get(settings()) / "model.safetensors"), weights_);
  EXPECT_THAT(last_request_of("model.safetensors")["range"].get<std::string>(), HasSubstr("bytes="));
}

TEST_F(Download, APartOfAnotherFileIsThrownAway) {
  const fs::path blobs = folder_ / "cache/models--tiny--cat/blobs";
  fs::create_directories(blobs);
  Digest digest = Digest::sha256();
  digest.add(std::as_bytes(std::span(weights_)));
  const std::string hash = digest.hex();
  std::ofstream(blobs / (hash + ".incomplete")) << std::string(1000, 'x');
  std::ofstream(blobs / (hash + ".incomplete.etag")) << "of-another-file";
  EXPECT_EQ(bytes_of(get(settings()) / "model.safetensors"), weights_);
}

TEST_F(Download, DamagedBytesAreFoundByTheirChecksum) {
  const fs::path blobs = folder_ / "cache/models--tiny--cat/blobs";
  fs::create_directories(blobs);
  Digest digest = Digest::sha256();
  digest.add(std::as_bytes(std::span(weights_)));
  const std::string hash = digest.hex();
  std::ofstream(blobs / (hash + ".incomplete")) << std::string(1000, 'x');
  const Error error = refusal(settings());
  EXPECT_EQ(error.kind(), ErrorKind::network);
  EXPECT_THAT(error.message(), HasSubstr("the checksum is wrong"));
  EXPECT_THAT(error.message(), HasSubstr("expected " + hash));
  EXPECT_FALSE(fs::exists(blobs / (hash + ".incomplete")));
  EXPECT_EQ(bytes_of(get(settings()) / "model.safetensors"), weights_);
}

TEST_F(Download, TheTokenIsForTheHubAlone) {
  get(settings("elsewhere"));
  bool has_asked_other = false;
  for (const Json& request : server_.requests()) {
    has_asked_other = has_asked_other || request["is_other"].get<bool>();
    EXPECT_EQ(request["token"].is_null(), request["is_other"].get<bool>()) << request;
  }
  EXPECT_TRUE(has_asked_other);
}

TEST_F(Download, RefusalsSayWhatToDo) {
  HubSettings without_token = settings("private");
  without_token.token.clear();
  const Error refused = refusal(without_token);
  EXPECT_EQ(refused.kind(), ErrorKind::network);
  EXPECT_THAT(refused.message(), HasSubstr("HF_TOKEN"));
  EXPECT_THAT(refusal(settings(), "tiny/absent").message(), HasSubstr("there is no such model"));
  HubSettings offline = settings();
  offline.is_offline = true;
  EXPECT_THAT(refusal(offline).message(), HasSubstr("HF_HUB_OFFLINE"));
  HubSettings nobody = settings();
  nobody.endpoint = "http://127.0.0.1:1";
  EXPECT_EQ(refusal(nobody).kind(), ErrorKind::network);
  for (const char* id : {"../../etc", "a/b/c", "-x", "a--b", "", "a b", "/abs", "x/.."})
    EXPECT_EQ(refusal(settings(), id).kind(), ErrorKind::usage) << id;
  server_.put("tiny/pickle", "config.json", "{}");
  server_.put("tiny/pickle", "pytorch_model.bin", "x");
  EXPECT_THAT(refusal(settings(), "tiny/pickle").message(), HasSubstr("Python pickle"));
}

// The network did its part: the status is that of a file that is not accepted.
TEST_F(Download, AModelWithoutSafetensorsIsSaidToHaveOtherFiles) {
  server_.put("tiny/pickle", "config.json", "{}");
  server_.put("tiny/pickle", "pytorch_model.bin", "x");
  const Error pickle = refusal(settings(), "tiny/pickle");
  EXPECT_EQ(pickle.kind(), ErrorKind::input);
  EXPECT_THAT(pickle.message(),
              HasSubstr("tiny/pickle: the model has no model.safetensors; found pytorch_model.bin, weights as a Python pickle"));
  EXPECT_THAT(pickle.message(), HasSubstr("save_file"));
  server_.put("tiny/words", "README.md", "#");
  const Error words = refusal(settings(), "tiny/words");
  EXPECT_EQ(words.kind(), ErrorKind::input);
  EXPECT_THAT(words.message(), HasSubstr("no config.json; found README.md"));
}

TEST_F(Download, ARevisionIsKeptUnderItsName) {
  const fs::path model = folder_ / "cache/models--tiny--cat";
  const std::string v1 = "9876543210987654321098765432109876543210";
  EXPECT_EQ(download_model(settings(), "tiny/cat@v1", watch_), model / "snapshots" / v1);
  EXPECT_EQ(bytes_of(model / "refs/v1"), v1);
  EXPECT_FALSE(fs::exists(model / "refs/main"));
  EXPECT_EQ(find_cached_model(folder_ / "cache", "tiny/cat@v1"), model / "snapshots" / v1);
  const fs::path request = download_model(settings(), "tiny/cat@refs/pr/1", watch_);
  EXPECT_EQ(find_cached_model(folder_ / "cache", "tiny/cat@refs/pr/1"), request);
  EXPECT_EQ(requests_of("model.safetensors"), 1U) << "the versions share their blobs";
  EXPECT_EQ(error_of([&] { download_model(settings(), "tiny/cat@v9", watch_); }).kind(), ErrorKind::network);
  EXPECT_EQ(error_of([&] { download_model(settings(), "tiny/cat@../v1", watch_); }).kind(), ErrorKind::usage);
}

TEST_F(Download, ATokenThatIsNotTakenIsSaidToBeThere) {
  HubSettings wrong = settings("private");
  wrong.token = "stale";
  EXPECT_THAT(refusal(wrong).message(), HasSubstr("rejects the token"));
  wrong.token.clear();
  EXPECT_THAT(refusal(wrong).message(), HasSubstr("needs a token"));
}

TEST_F(Download, OfflineAModelOfTheCacheIsThere) {
  const fs::path folder = get(settings());
  HubSettings offline = settings();
  offline.is_offline = true;
  offline.endpoint = "http://127.0.0.1:1";
  EXPECT_EQ(get(offline), folder);
  EXPECT_THAT(error_of([&] { download_model(offline, "tiny/absent", watch_); }).message(), HasSubstr("the cache does not have the model"));
}

TEST(Digest, IsThatOfTheStandards) {
  Digest sha = Digest::sha256();
  sha.add(std::as_bytes(std::span("abc", 3)));
  EXPECT_EQ(sha.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-4
  Digest blob = Digest::git_blob(12);
  blob.add(std::as_bytes(std::span("test content", 12)));  // without a line's end; `git hash-object` says the same
  EXPECT_EQ(blob.hex(), "08cf6101416f0ce0dda3c80e627f333854c4085c");
}

}  // namespace
}  // namespace headlight

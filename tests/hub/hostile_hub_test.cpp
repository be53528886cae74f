// The hub that misbehaves (hostile_hub.py beside the corpus of broken files): what a careful client does in each of its scenarios. Those
// that take long on purpose (silence, slow headers, waiting as asked) are left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "app/hub/download.h"
#include "engine/formats/json.h"
#include "engine/model/files/hub_cache.h"
#include "tests/testing.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Scenario {
  const char* name;
  const char* mention;  ///< of the refusal; "": the model is installed
};

constexpr Scenario kScenarios[] = {{"ok", ""},
                                   {"cut_once", ""},
                                   {"cut_always", ""},
                                   {"cut_no_progress", "incomplete"},
                                   {"short_length", "a different size"},
                                   {"long_length", "a different size"},
                                   {"huge_length", "a different size"},
                                   {"negative_length", "incomplete"},
                                   {"two_lengths", "no usable length"},
                                   {"no_length", ""},
                                   {"chunked", ""},
                                   {"wrong_body", "checksum"},
                                   {"wrong_body_same_size_json", "checksum"},
                                   {"no_etag", ""},
                                   {"etag_changes", ""},
                                   {"range_ignored", ""},
                                   {"range_wrong", "another part"},
                                   {"range_416", ""},
                                   {"gzip", "compressed"},
                                   {"gzip_bomb", "compressed"},
                                   {"redirect_same", ""},
                                   {"redirect_other_host", ""},
                                   {"redirect_loop", "redirects more than 5 times"},
                                   {"redirect_20", "redirects more than 5 times"},
                                   {"redirect_file", "not a web address"},
                                   {"redirect_ftp", "not a web address"},
                                   {"redirect_no_location", "without saying where"},
                                   {"redirect_private", "169.254.169.254"},
                                   {"html_200", "an HTML page"},
                                   {"lfs_pointer", "a Git LFS pointer"},
                                   {"empty_200", "0 bytes"},
                                   {"e401", "HF_TOKEN"},
                                   {"e403", "accept the terms"},
                                   {"e404", "no such model"},
                                   {"e404_weights", "model.safetensors"},
                                   {"e500_once", ""},
                                   {"e503_always", "503"},
                                   {"e500_long_body", "500"},
                                   {"header_1mb", "header that is too long"},
                                   {"headers_50000", "too many headers"},
                                   {"status_garbage", "answer is not HTTP"},
                                   {"http09", "answer is not HTTP"},
                                   {"ansi_error", "no such model"},
                                   {"tree_traversal", ""},
                                   {"tree_case_clash", ""},
                                   {"tree_huge", "too long"},
                                   {"tree_bad_json", "cannot be read"},
                                   {"tree_deep", "nested deeper"},
                                   {"tree_size_lie", "a different size"},
                                   {"tree_no_sha", ""},
                                   {"infinite", "more than the file's size"},
                                   {"reset", ""}};

/// The server, on a port of its own choice; ended with the test.
class HostileHub {
 public:
  HostileHub(const fs::path& script, const testing::TemporaryFolder& folder) {
    const std::string command =
        "exec python3 -u '" + script.string() + "' --port 0 --log '" + (folder / "log").string() + "' 2>/dev/null & echo $!; wait";
    pipe_ = ::popen(command.c_str(), "r");
    if (pipe_ == nullptr) return;
    int process = 0;
    int port = 0;
    if (std::fscanf(pipe_, "%d hub on 127.0.0.1:%d", &process, &port) != 2) return;
    process_ = process;
    port_ = port;
  }
  ~HostileHub() {
    if (process_ > 0) ::kill(process_, SIGTERM);
    if (pipe_ != nullptr) ::pclose(pipe_);
  }
  HostileHub(const HostileHub&) = delete;
  HostileHub& operator=(const HostileHub&) = delete;
  bool is_running() const { return port_ > 0; }
  std::string endpoint(const std::string& scenario) const { return "http://127.0.0.1:" + std::to_string(port_) + "/" + scenario; }

 private:
  std::FILE* pipe_ = nullptr;
  pid_t process_ = 0;
  int port_ = 0;
};

TEST(HostileHub, EveryScenarioEndsAsACarefulClientEndsIt) {
  const auto corpus = testing::hostile_folder();
  const fs::path script = corpus ? corpus->parent_path() / "hostile_hub.py" : fs::path();
  if (!corpus || !fs::exists(script)) return testing::say_not_found("the hub that misbehaves");
  const testing::TemporaryFolder folder;
  const HostileHub hub(script, folder);
  if (!hub.is_running()) return testing::say_not_found("python3 for the hub that misbehaves");
  for (const Scenario& scenario : kScenarios) {
    SCOPED_TRACE(scenario.name);
    const HubSettings settings{
        .endpoint = hub.endpoint(scenario.name), .token = "secret", .is_offline = false, .cache = folder / scenario.name};
    SilentProgress progress;
    const bool is_installed = std::string_view(scenario.mention).empty();
    try {
      const fs::path model = download_model(settings, "tiny/gpt2", progress);
      EXPECT_TRUE(is_installed);
      EXPECT_EQ(testing::bytes_of(model / "model.safetensors"), testing::bytes_of(*corpus / "models/valid_gpt2/model.safetensors"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::network);
      EXPECT_FALSE(is_installed) << error.message();
      EXPECT_THAT(error.message(), HasSubstr(scenario.mention));
      EXPECT_EQ(error.message().find("secret"), std::string::npos);
      EXPECT_TRUE(list_cached_models(settings.cache).empty());
    }
    for (const auto& entry : fs::recursive_directory_iterator(settings.cache.parent_path())) {
      EXPECT_EQ(entry.path().string().find("outside"), std::string::npos);
    }
  }
  std::ifstream log(folder / "log");
  const std::string first_port = hub.endpoint("").substr(7, hub.endpoint("").rfind('/') - 7);
  for (std::string line; std::getline(log, line);) {
    const Json request = Json::parse(line);
    if (request["host"] != first_port) {
      EXPECT_TRUE(request["auth"].is_null()) << line;
    }
  }
}

}  // namespace
}  // namespace headlight

// The server of hub_server.py while a test runs.
#pragma once

#include <chrono>
#include <cstdio>
#include <thread>

#include "engine/formats/json.h"
#include "tests/testing.h"

namespace headlight::testing {

/// Serves models under `root`; ends with the test. `is_running` is false where the machine has no python3.
class HubServer {
 public:
  explicit HubServer(const TemporaryFolder& folder) : folder_(folder) {
    std::filesystem::create_directories(folder / "hub");
    const std::string script = std::string(HEADLIGHT_TESTS_DIR) + "/hub/hub_server.py";
    const std::string command = "python3 '" + script + "' '" + (folder / "hub").string() + "' '" + (folder / "port").string() + "' '" +
                                (folder / "log").string() + "' 2>/dev/null";
    pipe_ = ::popen(command.c_str(), "w");  // its input ends when the pipe is closed
    for (int waits = 0; waits < 500 && !std::filesystem::exists(folder / "port"); ++waits) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  ~HubServer() {
    if (pipe_ != nullptr) ::pclose(pipe_);
  }
  HubServer(const HubServer&) = delete;
  HubServer& operator=(const HubServer&) = delete;

  bool is_running() const { return std::filesystem::exists(folder_ / "port"); }
  std::string endpoint(const std::string& mode) const { return "http://127.0.0.1:" + bytes_of(folder_ / "port") + "/" + mode; }
  /// A file of a model on the server.
  void put(const std::string& model, const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories(folder_ / ("hub/" + model));
    folder_.file("hub/" + model + "/" + name, bytes);
  }
  /// Every request so far.
  std::vector<Json> requests() const {
    std::vector<Json> list;
    std::ifstream log(folder_ / "log");
    for (std::string line; std::getline(log, line);) list.push_back(Json::parse(line));
    return list;
  }

 private:
  const TemporaryFolder& folder_;
  std::FILE* pipe_ = nullptr;
};

}  // namespace headlight::testing

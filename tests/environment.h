// Environment variables of a test's own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace headlight::testing {

/// A variable that has this value while the object lives; then what it had before.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name); before != nullptr) before_ = before;
    set(value);
  }
  ~EnvironmentVariable() {
    if (before_) {
      set(*before_);
    } else {
      ::unsetenv(name_);
    }
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
  void set(const std::string& value) const { ::setenv(name_, value.c_str(), 1); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// Where models are looked for by name: `assets` and `hub` of this folder instead of the machine's own.
struct OwnModelPlaces {
  explicit OwnModelPlaces(const std::filesystem::path& folder)
      : assets("HEADLIGHT_ASSETS", (folder / "assets").string()), hub("HF_HUB_CACHE", (folder / "hub").string()) {}
  EnvironmentVariable assets, hub;
};

}  // namespace headlight::testing

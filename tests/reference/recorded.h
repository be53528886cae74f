// Recorded activations: the folders that hold them, their tensors, and how far a result is from them.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/matrix.h"
#include "engine/formats/json.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/testing.h"

namespace headlight::testing {

/// Folders or files `sub`/* of every reference folder for which `is_case` holds, sorted.
template <typename IsCase>
std::vector<std::filesystem::path> recorded_cases(const std::string& sub, IsCase is_case) {
  std::vector<std::filesystem::path> cases;
  for (const std::filesystem::path& folder : reference_folders()) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder / sub, ignored)) {
      if (is_case(entry.path())) cases.push_back(entry.path());
    }
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

/// A test name: letters, digits and underscores of the last two parts of the path.
inline std::string case_name(const std::filesystem::path& path) {
  std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name;
}

inline Json read_json(const std::filesystem::path& path) {
  return parse_json(read_file(path, 100'000'000), path.string());
}

/// Largest absolute difference; equal infinities agree, NaN agrees with nothing.
class Difference {
 public:
  void add(float expected, float found) {
    const double difference = expected == found ? 0.0 : std::abs(static_cast<double>(expected) - static_cast<double>(found));
    if (!(difference <= largest_)) largest_ = difference;
  }
  /// `expected`: rows × columns numbers in row-major order, from `begin` on.
  void add(const FloatTensor& expected, std::size_t begin, const Matrix& found) {
    const auto size = static_cast<std::size_t>(found.size());
    ASSERT_LE(begin + size, expected.values.size());
    for (std::size_t at = 0; at < size; ++at) add(expected.values[begin + at], found.data()[at]);
  }
  double largest() const { return largest_; }

 private:
  double largest_ = 0;
};

}  // namespace headlight::testing

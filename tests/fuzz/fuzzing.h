// What every fuzz target shares: a scratch file for parsers that read paths. An Error is a right answer; anything else is a finding.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace headlight::fuzzing {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A folder of this process, in memory where the system has /dev/shm; emptied by whoever writes into it.
inline std::filesystem::path scratch_folder() {
  const std::filesystem::path base = std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
  const std::filesystem::path folder = base / ("headlight-fuzz-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  return folder;
}

inline std::filesystem::path write_scratch(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = scratch_folder() / name;
  std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

/// Calls `parse`; a refusal must carry a message.
template <typename Parse>
void expect_answer(const Parse& parse) {
  try {
    parse();
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
}

}  // namespace headlight::fuzzing

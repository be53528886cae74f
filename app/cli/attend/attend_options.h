// The choices of `headlight attend`: each can be a flag, or an entry of the file's metadata as "heads" or "headlight.heads". A flag wins.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <set>
#include <string>

#include "engine/attend/tensor_attention.h"
#include "engine/core/error.h"
#include "engine/formats/tensors/safetensors.h"

namespace headlight {

struct AttendChoices {
  TensorAttentionOptions attention;
  std::set<std::string, std::less<>> include;  ///< scores, q, k, v, z
  float tolerance = 1e-4F;                     ///< how far the file's own results may be from ours
  float dropout = 0;                           ///< never applied: this is inference (seeds S2-10, D5)
  bool only_projects = false;
};

class AttendOptions {
 public:
  explicit AttendOptions(CLI::App& command);

  std::string file, output, example;
  int threads = 0;

  /// Flags over metadata. Throws Error: usage for a flag, input for metadata, such as an unknown key that starts with "headlight.".
  AttendChoices choices(const SafetensorsFile& source) const;
  /// An error of the engine as the user should see it: a wrong choice in the metadata is a fault of the file, not of the command.
  Error placed(const Error& error, const SafetensorsFile& source) const;

 private:
  std::map<std::string, std::string, std::less<>> flags_;  ///< as typed, by the name that metadata has
};

}  // namespace headlight

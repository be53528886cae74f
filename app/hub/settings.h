// Where models are downloaded from and to, by the environment variables of Hugging Face.
#pragma once

#include <filesystem>
#include <string>

namespace headlight {

struct HubSettings {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT; without a slash at the end
  std::string token;                                ///< HF_TOKEN, else the file HF_TOKEN_PATH or HF_HOME/token; never shown or logged
  bool is_offline = false;                          ///< HF_HUB_OFFLINE is 1, ON, YES or TRUE
  std::filesystem::path cache;                      ///< hub_cache_folder
};

/// From the environment. Throws Error (usage) for an endpoint that is not an http or https address.
HubSettings hub_settings();

}  // namespace headlight

// What the name of a model stands for: `ModelChoice::name`, as the command line, documents and the window write it.
//
//   sandbox             random weights from a seed; no file
//   story-gpt           a folder of assets/models: built in
//   PATH                a folder in Hugging Face layout, a GGUF file, or a file of attention maps
//   gpt2, owner/name    an id of the hub, found in the local cache (hub_cache.h)
//
// In this order, as the libraries of the hub take a path before an id. Nothing here uses the network; the cards of built-in models are all
// that is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

inline constexpr std::uint64_t kLargestCard = 1 << 20;  ///< bytes; a larger card.json is not read

struct BuiltInModel {
  std::string name;  ///< of its folder
  std::filesystem::path folder;
};

/// The folders of assets/models that have a config.json, sorted by name. Never throws.
std::vector<BuiltInModel> list_built_in_models();
std::optional<BuiltInModel> find_built_in_model(const std::string& name);

/// What a built-in model's card.json says of opening it; its defaults where the card says nothing, cannot be read, or is not there.
struct BuiltInCard {
  /// Number of its training. A model that was trained anew does other things with its heads, so documents say which they meant.
  int version = 1;
  std::string text;  ///< a sentence of its own, where others show nothing; else empty
};
/// Nothing for any other name. Never throws.
std::optional<BuiltInCard> card_of_built_in(const std::string& name);
/// 0 for a model that is not built in. Never throws.
int version_of_built_in(const std::string& name);

/// The folder or file that a name stands for; does not look inside it. A path into the cache of another machine is taken for the id
/// that it spells. Nothing for the sandbox, or where there is no such place.
std::optional<std::filesystem::path> find_model(const std::string& name);

/// The same. Throws Error (input) with what to do, such as the command that downloads an id.
std::filesystem::path model_path(const std::string& name);

/// A name that means the same from any folder and, where it can, on any machine: for a folder of assets/models its name, for a snapshot in
/// the local cache its id, for any other path the absolute path.
std::string lasting_name(const std::string& name);

/// What a person calls it: the name or id, or the last part of a path.
std::string short_model_name(const std::string& name);

}  // namespace headlight

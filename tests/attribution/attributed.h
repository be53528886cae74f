// Runs that shares are computed of: the recorded models of the tree, the sandbox in many forms, and models of others.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/pipeline/pipeline.h"
#include "tests/testing.h"

namespace headlight::testing {

inline std::shared_ptr<const Snapshot> run_query(const Query& query) {
  SilentProgress progress;
  return Pipeline(1).run(query, progress);
}

struct NamedQuery {
  std::string name;
  Query query;
};
inline void PrintTo(const NamedQuery& each, std::ostream* out) {
  *out << each.name;
}

/// The recorded models of the tree, each a family or a variant of one: small, with random weights.
inline std::vector<NamedQuery> recorded_models() {
  std::vector<NamedQuery> all;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HEADLIGHT_TESTS_DIR) / "reference" / "models")) {
    if (!std::filesystem::exists(entry.path() / "config.json")) continue;
    NamedQuery each{entry.path().filename().string(), {}};
    for (char& letter : each.name) letter = letter == '-' ? '_' : letter;
    each.query.model.name = entry.path().string();
    each.query.ids = {5, 9, 17, 3, 9, 11, 8};
    all.push_back(std::move(each));
  }
  std::sort(all.begin(), all.end(), [](const NamedQuery& a, const NamedQuery& b) { return a.name < b.name; });
  return all;
}

/// nano-gpt, which is not part of this tree, on the input of its recorded numbers; nothing where it is not found.
inline std::shared_ptr<const Snapshot> run_nano_gpt() {
  for (const auto& reference : reference_folders()) {
    if (!std::filesystem::is_directory(reference / "nano-gpt")) continue;
    Query query;
    query.model.name = (reference / "nano-gpt").string();
    query.ids = {2, 1, 0, 1, 1, 2, 0, 1, 1, 1, 2};
    return run_query(query);
  }
  say_not_found("reference/nano-gpt");
  return nullptr;
}

}  // namespace headlight::testing

// Runs of labs, without a session.
#pragma once

#include <any>
#include <optional>
#include <string>

#include "app/work/labs.h"
#include "tests/testing.h"
#include "tests/work/snapshots.h"

namespace headlight::testing {

inline Query lab_query(const std::string& text = "I am going to deposit my money at the bank") {
  Query query;
  query.model.sandbox.layers = 1;
  query.model.sandbox.d_model = 16;
  query.model.sandbox.heads = 2;
  query.text = text;
  return query;
}

inline Query reference_query(const std::string& model) {
  Query query;
  query.model.name = std::string(HEADLIGHT_TESTS_DIR) + "/reference/models/" + model;
  query.text = "the quick brown fox";
  return query;
}

template <typename Found>
Found run(LabSettings settings, const Query& query = lab_query(), std::optional<Index> row = {}) {
  SilentProgress progress;
  return std::any_cast<const Found&>(run_lab({settings, snapshot_of(query), {0, 1}, row}, progress).found);
}

inline double cell(const MapPicture& picture, Index query, Index key) {
  const auto row = static_cast<float>(query);
  const auto column = static_cast<float>(key);
  return static_cast<double>(picture.value(row, row + 1, column, column + 1));
}

}  // namespace headlight::testing

// A request for the figure of a map of any size, with words of very different lengths along its axes.
#pragma once

#include <fmt/core.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/figure/figures.h"

namespace headlight::testing {

inline MapFigureRequest map_request(Index rows, Index columns, Box area, std::shared_ptr<const Mask> mask = nullptr) {
  MapFigureRequest request;
  Matrix values = Matrix::Constant(rows, columns, 0.5F);
  request.picture = std::make_shared<MapPicture>(std::move(values), 1, rows, columns, std::move(mask), false);
  request.title = "Layer 2 · Head 5";
  request.subtitle = fmt::format("{} queries × {} keys", rows, columns);
  const std::array words = {"The", "animal", "didn't", "internationalisation", "a", "日本語"};
  std::vector<std::string> queries, keys;
  for (Index row = 0; row < rows; ++row) queries.emplace_back(words[static_cast<std::size_t>(row) % words.size()]);
  for (Index column = 0; column < columns; ++column) keys.emplace_back(words[static_cast<std::size_t>(column) % words.size()]);
  request.query_labels = std::make_shared<const std::vector<std::string>>(std::move(queries));
  request.key_labels = std::make_shared<const std::vector<std::string>>(std::move(keys));
  request.area = area;
  return request;
}

}  // namespace headlight::testing

// The page of a batch: a row for every text, with its figures, without any reference outside the folder.
#pragma once

#include <string>
#include <vector>

#include "app/work/batch/batch.h"

namespace headlight {

inline constexpr char kIndexName[] = "index.html";

struct BatchPage {
  std::string texts_name;  ///< of the file of texts, without its folder
  std::string model;
  std::vector<std::string> figures, endings;
};

/// Light or dark as the reader's system is. What failed is listed first, with the reason. The same bytes for the same state.
std::string index_page(const BatchPage& page, const BatchState& state);

}  // namespace headlight

#include "engine/text/typed_text.h"

#include <fmt/core.h>

#include "engine/core/error.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {

std::string take_typed_text(std::string_view bytes, std::vector<std::string>& notices) {
  // Far beyond any model; also keeps byte offsets within 32 bits after every rewriting step.
  constexpr std::size_t kLargestText = std::size_t{1} << 26U;
  if (bytes.size() > kLargestText) {
    throw Error({.kind = ErrorKind::limit,
                 .field = "text",
                 .problem = "the text is too long",
                 .found = fmt::format("{} bytes", bytes.size()),
                 .expected = fmt::format("at most {} bytes", kLargestText)});
  }
  RepairedText repaired = repair_utf8(bytes);
  if (repaired.replaced > 0) {
    notices.push_back(fmt::format("The text was not valid UTF-8: {} broken {} replaced by U+FFFD.", repaired.replaced,
                                  repaired.replaced == 1 ? "sequence was" : "sequences were"));
  }
  return std::move(repaired.text);
}

}  // namespace headlight

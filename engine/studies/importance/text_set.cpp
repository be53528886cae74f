#include "engine/studies/importance/text_set.h"

#include <fmt/core.h>

#include <utility>

#include "engine/core/error.h"

namespace headlight {

std::shared_ptr<const TextSet> read_text_set(const std::string& name, const std::filesystem::path& file, const CorpusFormat& format,
                                             const std::string& field) {
  TextSet set{name, {}};
  CorpusReader corpus(file, format);
  std::size_t bytes = 0;
  for (CorpusText text; corpus.next(text);) {
    if (!text.problem.empty()) {
      throw Error({.kind = ErrorKind::usage,
                   .field = field,
                   .problem = fmt::format("line {} of {}: {}", text.line, printable(name, 80), text.problem)});
    }
    if (text.is_blank()) continue;
    bytes += text.text.size();
    set.texts.push_back(text.text);
    if (set.texts.size() > kMostTextsOfSet || bytes > kLargestTextSet) {
      throw Error({.kind = ErrorKind::usage,
                   .field = field,
                   .problem = "a mean is kept with its texts, and these are too many",
                   .found = printable(name, 80),
                   .expected = fmt::format("{} texts at most, of 1 MiB together", kMostTextsOfSet)});
    }
  }
  return std::make_shared<const TextSet>(std::move(set));
}

}  // namespace headlight

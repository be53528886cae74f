#include "app/work/corpora/empty_corpus.h"

#include "engine/core/error.h"

namespace headlight {

bool has_no_texts(const std::filesystem::path& path, const CorpusFormat& format) {
  constexpr std::uint64_t kMostRead = 64ULL << 20U;
  CorpusReader corpus(path, format);
  CorpusText text;
  while (corpus.position() < kMostRead) {
    if (!corpus.next(text)) return true;
    if (!text.is_blank()) return false;
  }
  return false;
}

void refuse_no_texts(const std::filesystem::path& path) {
  throw Error({.kind = ErrorKind::input, .file = printable(path.string(), 400), .problem = "this file contains no texts"});
}

}  // namespace headlight

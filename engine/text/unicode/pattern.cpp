#include "engine/text/unicode/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/core.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/json.h"
#include "engine/text/unicode/oniguruma.h"
#include "engine/text/unicode/young_characters.h"

namespace headlight {
namespace {

// Limits of one match. The patterns of real tokenizers go over a run of blanks twice at most; a pattern with nested repeats reaches the
// limits within milliseconds instead of running for years.
constexpr std::size_t kMostSteps = 1'000'000;
constexpr std::size_t kMostStepsPerByte = 8;
constexpr std::uint32_t kDeepestBacktrack = 100'000;
constexpr std::uint32_t kMostHeapKib = 20'000;
constexpr std::size_t kLongestExpression = 100'000;
constexpr std::size_t kLongestCompleted = 10'000;  // the patterns of real tokenizers have a few hundred bytes
// The limits above hold for one starting place. A pattern can stay below them at each of a million places and still take hours, so
// places are tried in batches, and the time of a whole text is limited too.
constexpr std::size_t kStartsAtOnce = 256;
constexpr std::chrono::seconds kLongestSearch{5};

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> text = {};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Code = std::unique_ptr<pcre2_code, Freed<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;

}  // namespace

struct Pattern::Compiled {
  Code code;
  MatchContext context;
  PatternPlace place;
};

Pattern Pattern::literal(std::string text) {
  Pattern pattern;
  pattern.literal_ = std::move(text);
  return pattern;
}

Pattern Pattern::regex(const std::string& expression, PatternPlace place) {
  const auto refuse = [&](std::string problem, std::string found) {
    throw Error(
        {.kind = ErrorKind::input, .file = place.file, .field = place.field, .problem = std::move(problem), .found = std::move(found)});
  };
  if (expression.size() > kLongestExpression) refuse("the pattern is too long", fmt::format("{} bytes", expression.size()));
  int error = 0;
  std::size_t offset = 0;
  const auto compile = [&](const std::string& text) {
    return Code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                              PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_USE_OFFSET_LIMIT, &error, &offset, nullptr));
  };
  const std::string translated = from_oniguruma(expression);
  Code code = expression.size() <= kLongestCompleted ? compile(with_young_characters(translated)) : nullptr;
  if (code == nullptr) code = compile(translated);  // too large with them, or a mistake to be shown as it was written
  if (code == nullptr) {
    const std::string before = printable(translated.substr(offset > 20 ? offset - 20 : 0, std::min<std::size_t>(offset, 20)), 60);
    refuse(fmt::format("the pattern is not a valid regular expression after \"{}\": {}", before, message_of(error)), in_quotes(expression));
  }
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // where it fails, the interpreter matches the same
  MatchContext context(pcre2_match_context_create(nullptr));
  if (context == nullptr) throw std::bad_alloc();
  pcre2_set_depth_limit(context.get(), kDeepestBacktrack);
  pcre2_set_heap_limit(context.get(), kMostHeapKib);
  Pattern pattern;
  pattern.compiled_ = std::make_shared<const Compiled>(Compiled{std::move(code), std::move(context), std::move(place)});
  return pattern;
}

std::vector<ByteRange> Pattern::find_literals(std::string_view subject) const {
  std::vector<ByteRange> matches;
  if (literal_.empty()) return matches;
  for (std::size_t at = subject.find(literal_); at != std::string_view::npos; at = subject.find(literal_, at + literal_.size())) {
    matches.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + literal_.size())});
  }
  return matches;
}

namespace {

/// One pass over a text.
class Search {
 public:
  Search(const Pattern::Compiled& compiled, std::string_view subject)
      : compiled_(compiled),
        subject_(subject),
        data_(pcre2_match_data_create_from_pattern(compiled.code.get(), nullptr)),
        context_(pcre2_match_context_copy(compiled.context.get())),
        deadline_(std::chrono::steady_clock::now() + kLongestSearch) {
    if (data_ == nullptr || context_ == nullptr) throw std::bad_alloc();
    pcre2_set_match_limit(context_.get(), static_cast<std::uint32_t>(kMostSteps + kMostStepsPerByte * subject.size()));
  }

  /// The first match that begins at `start` or later.
  std::optional<ByteRange> next(std::size_t start) const {
    while (true) {
      const std::size_t last = std::min(start + kStartsAtOnce, subject_.size());
      int count = match_from(start, last, 0);
      if (count == PCRE2_ERROR_JIT_STACKLIMIT) count = match_from(start, last, PCRE2_NO_JIT);  // the interpreter has the larger heap
      if (count >= 0) break;
      if (count != PCRE2_ERROR_NOMATCH) refuse(message_of(count));
      if (last == subject_.size()) return std::nullopt;
      start = last + 1;
      while (start < subject_.size() && (static_cast<unsigned char>(subject_[start]) & 0xC0U) == 0x80U) ++start;
      if (std::chrono::steady_clock::now() > deadline_) refuse("time limit exceeded");
    }
    const PCRE2_SIZE* vector = pcre2_get_ovector_pointer(data_.get());
    return ByteRange{static_cast<std::uint32_t>(vector[0]), static_cast<std::uint32_t>(vector[1])};
  }

 private:
  int match_from(std::size_t start, std::size_t last, std::uint32_t options) const {
    pcre2_set_offset_limit(context_.get(), last);
    return pcre2_match(compiled_.code.get(), reinterpret_cast<PCRE2_SPTR>(subject_.data()), subject_.size(), start,
                       options | PCRE2_NO_UTF_CHECK, data_.get(), context_.get());
  }
  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error({.kind = ErrorKind::input,
                 .file = compiled_.place.file,
                 .field = compiled_.place.field,
                 .problem = "the pattern takes too long on this text: " + reason,
                 .hint = "Such a pattern can run for years; use a tokenizer with a simpler one."});
  }

  const Pattern::Compiled& compiled_;
  std::string_view subject_;
  MatchData data_;
  MatchContext context_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace

std::vector<ByteRange> Pattern::find_all(std::string_view subject) const {
  if (compiled_ == nullptr) return find_literals(subject);
  std::vector<ByteRange> matches;
  if (subject.empty()) return matches;
  const Search search(*compiled_, subject);
  for (std::size_t start = 0; start <= subject.size();) {
    const std::optional<ByteRange> match = search.next(start);
    if (!match) break;
    // \K in a lookahead can put the start after the end.
    const bool is_reversed = match->begin > match->end || match->end < start;
    const bool is_repeat = match->begin == match->end && !matches.empty() && matches.back().end == match->end;
    if (!is_reversed && !is_repeat) matches.push_back(*match);
    start = std::max<std::size_t>(match->end, start);
    if (match->begin >= match->end) start += start < subject.size() ? code_point_at(subject, start).bytes : 1;
  }
  return matches;
}

}  // namespace headlight

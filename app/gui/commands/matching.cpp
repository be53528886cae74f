#include "app/gui/commands/matching.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace headlight {
namespace {

constexpr int kWholeWord = 100, kBeginning = 80, kPart = 50, kInitials = 45, kOtherWord = 40, kScattered = 10;
constexpr std::size_t kLeastScattered = 3;  // letters: of fewer, scattered ones fit nearly everything

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

bool is_separator(char letter) {
  const auto byte = static_cast<unsigned char>(letter);
  return byte < 0x80U && std::isalnum(byte) == 0 && letter != '.';  // "7.3" is one word
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || is_separator(text[at - 1]);
}

bool ends_word(std::string_view text, std::size_t end) {
  return end >= text.size() || is_separator(text[end]);
}

void mark(Match& found, std::size_t at, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) found.letters.push_back(at + i);
}

/// The best place where the term occurs word for word.
std::optional<Match> match_in_one(std::string_view term, std::string_view name) {
  std::optional<Match> best;
  for (std::size_t at = name.find(term); at != std::string_view::npos; at = name.find(term, at + 1)) {
    const bool begins = begins_word(name, at);
    const int score = begins && ends_word(name, at + term.size()) ? kWholeWord : begins ? kBeginning : kPart;
    if (best && best->score >= score) continue;
    best = Match{score, {}};
    mark(*best, at, term.size());
  }
  return best;
}

/// The letters of the term in their order: as first letters of words, or close together.
std::optional<Match> match_in_parts(std::string_view term, std::string_view name) {
  Match initials{kInitials, {}};
  for (std::size_t at = 0; at < name.size() && initials.letters.size() < term.size(); ++at) {
    if (begins_word(name, at) && name[at] == term[initials.letters.size()]) initials.letters.push_back(at);
  }
  if (term.size() > 1 && initials.letters.size() == term.size()) return initials;
  if (term.size() < kLeastScattered) return std::nullopt;
  Match scattered{kScattered, {}};
  for (std::size_t at = 0; at < name.size() && scattered.letters.size() < term.size(); ++at) {
    if (name[at] == term[scattered.letters.size()]) scattered.letters.push_back(at);
  }
  const bool is_whole = scattered.letters.size() == term.size();
  if (!is_whole || scattered.letters.back() - scattered.letters.front() > 3 * term.size()) return std::nullopt;
  return scattered;
}

std::optional<Match> match_term(std::string_view term, std::string_view name, std::string_view words) {
  if (auto found = match_in_one(term, name)) return found;
  for (std::size_t at = words.find(term); at != std::string_view::npos; at = words.find(term, at + 1)) {
    if (begins_word(words, at)) return Match{kOtherWord, {}};
  }
  return match_in_parts(term, name);
}

}  // namespace

std::optional<Match> match(std::string_view typed, std::string_view name, std::string_view words) {
  const std::string terms = lower(typed), plain = lower(name), others = lower(words);
  Match whole;
  for (std::size_t at = 0; at < terms.size();) {
    const std::size_t end = std::min(terms.find(' ', at), terms.size());
    const std::string_view term = std::string_view(terms).substr(at, end - at);
    at = end + 1;
    if (term.empty()) continue;
    const std::optional<Match> found = match_term(term, plain, others);
    if (!found) return std::nullopt;
    whole.score += found->score;
    whole.letters.insert(whole.letters.end(), found->letters.begin(), found->letters.end());
  }
  std::sort(whole.letters.begin(), whole.letters.end());
  whole.letters.erase(std::unique(whole.letters.begin(), whole.letters.end()), whole.letters.end());
  return whole;
}

}  // namespace headlight

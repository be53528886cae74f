#include "engine/text/models/unigram.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
constexpr std::int32_t kUnknown = -1;

std::vector<double> scores_of(const std::vector<SentencePiece>& pieces) {
  std::vector<double> scores;
  scores.reserve(pieces.size());
  for (const SentencePiece& piece : pieces) scores.push_back(static_cast<double>(piece.score));
  return scores;
}

UnigramOptions with_unknown_piece(UnigramOptions options, const std::vector<SentencePiece>& pieces) {
  options.unknown = with_unknown_id(options.unknown, pieces);
  return options;
}

}  // namespace

/// The best way to reach a byte of the piece.
struct UnigramModel::Arrival {
  double score = 0;
  std::uint32_t begin = kNowhere;  ///< where its last token begins
  std::int32_t id = kUnknown;
};

UnigramModel::UnigramModel(std::vector<SentencePiece> pieces, UnigramOptions options, const std::string& file,
                           std::vector<std::string>& warnings)
    : UnigramModel(pieces, scores_of(pieces), with_unknown_piece(options, pieces), file, warnings) {}

UnigramModel::UnigramModel(std::vector<SentencePiece> pieces, std::vector<double> scores, UnigramOptions options, const std::string& file,
                           std::vector<std::string>& warnings)
    : vocabulary_(vocabulary_of(pieces, file, warnings)),
      options_(options),
      unknown_(vocabulary_, options.unknown, file, warnings),
      file_(file),
      scores_(std::move(scores)),
      is_user_defined_(pieces.size()) {
  if (options_.unknown.id && vocabulary_.token_of(*options_.unknown.id) == nullptr) {
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = "unk_id",
                 .problem = "the unknown token is not in the vocabulary",
                 .found = fmt::format("{}", *options_.unknown.id),
                 .expected = fmt::format("an id below {}", pieces.size())});
  }
  double lowest = std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<float>::min();
  std::vector<ByteTrie::Item> items;
  items.reserve(pieces.size());
  for (std::uint32_t id = 0; id < pieces.size(); ++id) {
    if (is_matched(pieces[id].type) && pieces[id].type != PieceType::unused) items.push_back({pieces[id].text, id});
    if (pieces[id].type != PieceType::normal) continue;
    lowest = std::min(lowest, scores_[id]);
    highest = std::max(highest, scores_[id]);
  }
  trie_ = ByteTrie(std::move(items), file);
  constexpr double kPenalty = 10;  // of a character that no piece matches, below the worst piece
  unknown_score_ = lowest - kPenalty;
  for (std::size_t id = 0; id < pieces.size(); ++id) {
    is_user_defined_[id] = pieces[id].type == PieceType::user_defined;
    if (is_user_defined_[id]) scores_[id] = highest;
  }
}

void UnigramModel::arrive(Arrival& at, double score, std::uint32_t begin, std::int32_t id) const {
  if (options_.sums_in_single) score = static_cast<double>(static_cast<float>(score));
  if (at.begin == kNowhere || score > at.score) at = {score, begin, id};
}

void UnigramModel::find_best(std::string_view piece, std::vector<Arrival>& best) const {
  TrieSteps steps(piece.size(), file_);
  best.assign(piece.size() + 1, {});
  for (std::uint32_t begin = 0; begin < piece.size();) {
    const double score_here = best[begin].score;
    const std::uint32_t character_end = begin + code_point_at(piece, begin).bytes;
    bool has_character = false;
    std::uint32_t node = ByteTrie::kRoot;
    std::uint32_t end = begin;
    while (end < piece.size()) {
      node = trie_.step(node, piece[end++]);
      if (node == ByteTrie::kNone) break;
      const std::uint32_t id = trie_.value_at(node);
      if (id == ByteTrie::kNone) continue;
      const double score = is_user_defined_[id] ? (end - begin) * scores_[id] - 0.1 : scores_[id];
      arrive(best[end], score + score_here, begin, static_cast<std::int32_t>(id));
      has_character = has_character || end == character_end;
    }
    steps.take(end - begin);
    if (!has_character) arrive(best[character_end], unknown_score_ + score_here, begin, kUnknown);
    begin = character_end;
  }
}

std::int64_t UnigramModel::id_of(std::string_view text) const {
  std::uint32_t node = ByteTrie::kRoot;
  for (const char byte : text) {
    node = trie_.step(node, byte);
    if (node == ByteTrie::kNone) return kUnknown;
  }
  const std::uint32_t id = trie_.value_at(node);
  return id == ByteTrie::kNone ? std::int64_t{kUnknown} : std::int64_t{id};
}

void UnigramModel::tokenize(std::string_view piece, ModelTokens& into) const {
  std::vector<Arrival> best;
  find_best(piece, best);
  struct Step {
    ByteRange range;
    std::int32_t id = kUnknown;
  };
  std::vector<Step> steps;  // from the end
  for (auto end = static_cast<std::uint32_t>(piece.size()); end > 0;) {
    const Arrival& arrival = best[end];
    const bool is_unknown = arrival.id == kUnknown || arrival.id == options_.unknown.id;
    const bool continues = is_unknown && options_.unknown.are_fused && !steps.empty() && steps.back().id == kUnknown;
    if (continues) {
      steps.back().range.begin = arrival.begin;
    } else {
      steps.push_back({{arrival.begin, end}, is_unknown ? kUnknown : arrival.id});
    }
    end = arrival.begin;
  }
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    std::int64_t id = step->id;
    // The joined text can be that of a token, such as the unknown token's own: then it is that token, not bytes.
    if (id == kUnknown) id = id_of(piece.substr(step->range.begin, step->range.end - step->range.begin));
    if (id == kUnknown) {
      unknown_.write(piece, step->range, into);
    } else {
      into.tokens.push_back({id, step->range});
    }
  }
}

}  // namespace headlight

#include "engine/text/models/score_bpe.h"

#include <queue>
#include <utility>

namespace headlight {
namespace {

constexpr std::uint32_t kNoNeighbour = 0xFFFFFFFF;

}  // namespace

/// A piece on its way to tokens: characters, and pairs of neighbours waiting to be joined.
class ScoreBpeModel::Word {
 public:
  Word(const ScoreBpeModel& model, std::string_view piece) : model_(model), piece_(piece) {
    TrieSteps steps(piece.size(), model.file_);
    for (std::uint32_t at = 0; at < piece.size();) {
      const std::uint32_t user_defined = model.user_defined_.longest(piece.substr(at), steps).bytes;
      const std::uint32_t end = at + (user_defined > 0 ? user_defined : code_point_at(piece, at).bytes);
      const auto here = static_cast<std::uint32_t>(symbols_.size());
      symbols_.push_back({at, end, here == 0 ? kNoNeighbour : here - 1, end == piece.size() ? kNoNeighbour : here + 1, user_defined > 0});
      at = end;
    }
  }

  void join_all() {
    for (std::uint32_t right = 1; right < symbols_.size(); ++right) propose(right - 1, right);
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      // Either side may have been joined since; what counts is that the two still make the same text.
      const bool is_whole = symbols_[best.left].size() > 0 && symbols_[best.right].size() > 0;
      if (is_whole && symbols_[best.left].size() + symbols_[best.right].size() == best.size) join(best);
    }
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t at = 0; at != kNoNeighbour && at < symbols_.size(); at = symbols_[at].next) {
      visit(ByteRange{symbols_[at].begin, symbols_[at].end});
    }
  }
  /// How unused pieces were formed: where the left part of each ends.
  const std::unordered_map<std::string_view, std::uint32_t>& cuts() const { return cuts_; }

 private:
  struct Symbol {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t previous = kNoNeighbour;
    std::uint32_t next = kNoNeighbour;
    bool is_fixed = false;
    std::uint32_t size() const { return end - begin; }
  };
  struct Candidate {
    float score;
    std::uint32_t left;
    std::uint32_t right;
    std::uint32_t size;
    // The highest score first, then the leftmost.
    bool operator<(const Candidate& other) const { return score != other.score ? score < other.score : left > other.left; }
  };

  void propose(std::uint32_t left, std::uint32_t right) {
    if (left == kNoNeighbour || right == kNoNeighbour || symbols_[left].is_fixed || symbols_[right].is_fixed) return;
    const std::uint32_t size = symbols_[right].end - symbols_[left].begin;
    const std::string_view text = piece_.substr(symbols_[left].begin, size);
    const std::optional<std::uint32_t> id = model_.find(text);
    if (!id) return;
    queue_.push({model_.known_[*id].score, left, right, size});
    if (model_.known_[*id].type == PieceType::unused) cuts_[text] = symbols_[left].size();
  }
  void join(const Candidate& candidate) {
    Symbol& left = symbols_[candidate.left];
    Symbol& right = symbols_[candidate.right];
    left.end = right.end;
    left.next = right.next;
    right.begin = right.end;
    if (left.next != kNoNeighbour) symbols_[left.next].previous = candidate.left;
    propose(left.previous, candidate.left);
    propose(candidate.left, left.next);
  }

  const ScoreBpeModel& model_;
  std::string_view piece_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Candidate> queue_;
  std::unordered_map<std::string_view, std::uint32_t> cuts_;
};

ScoreBpeModel::ScoreBpeModel(std::vector<SentencePiece> pieces, UnknownPieces unknown, const std::string& file,
                             std::vector<std::string>& warnings)
    : vocabulary_(vocabulary_of(pieces, file, warnings)),
      unknown_(vocabulary_, with_unknown_id(unknown, pieces), file, warnings),
      file_(file) {
  known_.reserve(pieces.size());
  std::vector<ByteTrie::Item> user_defined;
  for (std::uint32_t id = 0; id < pieces.size(); ++id) {
    known_.push_back({pieces[id].score, pieces[id].type});
    if (pieces[id].type == PieceType::user_defined) user_defined.push_back({pieces[id].text, id});
  }
  user_defined_ = ByteTrie(std::move(user_defined), file);
}

std::optional<std::uint32_t> ScoreBpeModel::find(std::string_view text) const {
  const std::optional<std::int64_t> id = vocabulary_.id_of(text);
  if (!id || !is_matched(known_[static_cast<std::size_t>(*id)].type)) return std::nullopt;
  return static_cast<std::uint32_t>(*id);
}

void ScoreBpeModel::tokenize(std::string_view piece, ModelTokens& into) const {
  Word word(*this, piece);
  word.join_all();
  word.for_each([&](ByteRange range) { write(piece, range, word.cuts(), into); });
}

void ScoreBpeModel::write(std::string_view piece, ByteRange range, const std::unordered_map<std::string_view, std::uint32_t>& cuts,
                          ModelTokens& into) const {
  std::vector<ByteRange> waiting = {range};  // an unused piece is taken apart again, left part first
  while (!waiting.empty()) {
    const ByteRange part = waiting.back();
    waiting.pop_back();
    const std::string_view text = piece.substr(part.begin, part.end - part.begin);
    const std::optional<std::uint32_t> id = find(text);
    const auto cut = id && known_[*id].type == PieceType::unused ? cuts.find(text) : cuts.end();
    if (cut != cuts.end()) {
      waiting.push_back({part.begin + cut->second, part.end});
      waiting.push_back({part.begin, part.begin + cut->second});
    } else if (id) {
      into.tokens.push_back({*id, part});
    } else {
      unknown_.write(piece, part, into);
    }
  }
}

}  // namespace headlight

#include "engine/text/models/bpe.h"

#include <fmt/core.h>

#include <algorithm>
#include <queue>
#include <utility>

#include "engine/core/error.h"

namespace headlight {
namespace {

constexpr std::uint32_t kNoSymbol = 0xFFFFFFFF;

std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return (static_cast<std::uint64_t>(left) << 32U) | right;
}

}  // namespace

/// A stretch of the piece that is one token so far, in a doubly linked list.
struct BpeModel::Symbol {
  std::uint32_t id = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t previous = kNoSymbol;
  std::uint32_t next = kNoSymbol;
  bool is_merged_away = false;
};

class BpeModel::Word {
 public:
  explicit Word(const BpeModel& model) : model_(model) {}

  void add(std::uint32_t id, ByteRange range) {
    const auto here = static_cast<std::uint32_t>(symbols_.size());
    if (here > 0) symbols_.back().next = here;
    symbols_.push_back({id, range.begin, range.end, here == 0 ? kNoSymbol : here - 1, kNoSymbol, false});
  }
  bool empty() const { return symbols_.empty(); }

  /// Merges all that can be, appends the tokens to `into`, and is empty again.
  void finish(ModelTokens& into) {
    for (std::uint32_t at = 0; at + 1 < symbols_.size(); ++at) propose(at);
    while (!queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      if (is_still_valid(best)) merge(best);
    }
    for (const Symbol& symbol : symbols_) {
      if (!symbol.is_merged_away) into.tokens.push_back({symbol.id, {symbol.begin, symbol.end}});
    }
    symbols_.clear();
  }

 private:
  // A rule by its rank, and where: as one number, of which the smallest is the earliest rule, then the leftmost place.
  using Candidate = std::uint64_t;
  static std::uint32_t left_of(Candidate candidate) { return static_cast<std::uint32_t>(candidate); }
  const Merge& merge_of(Candidate candidate) const { return model_.merges_[candidate >> 32U]; }

  const Merge* rule_for(std::uint32_t left) const {
    const std::uint32_t right = symbols_[left].next;
    if (right == kNoSymbol) return nullptr;
    return model_.merge_of(pair_key(symbols_[left].id, symbols_[right].id));
  }
  void propose(std::uint32_t left) {
    if (const Merge* rule = rule_for(left)) queue_.push((static_cast<std::uint64_t>(rule->rank) << 32U) | left);
  }
  /// Neighbours may have been merged since the candidate was queued; what counts is that the pair still makes the same token.
  bool is_still_valid(Candidate candidate) const {
    const Symbol& left = symbols_[left_of(candidate)];
    if (left.is_merged_away || left.next == kNoSymbol) return false;
    if (pair_key(left.id, symbols_[left.next].id) == merge_of(candidate).pair) return true;
    const Merge* rule = rule_for(left_of(candidate));
    return rule != nullptr && rule->id == merge_of(candidate).id;
  }
  void merge(Candidate candidate) {
    const std::uint32_t at = left_of(candidate);
    Symbol& left = symbols_[at];
    Symbol& right = symbols_[left.next];
    right.is_merged_away = true;
    left.id = merge_of(candidate).id;
    left.end = right.end;
    left.next = right.next;
    if (left.next != kNoSymbol) symbols_[left.next].previous = at;
    if (left.previous != kNoSymbol) propose(left.previous);
    propose(at);
  }

  const BpeModel& model_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue_;
};

BpeModel::BpeModel(Vocabulary vocabulary, const BpeMerges& merges, BpeOptions options, std::vector<std::string>& warnings)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)), file_(merges.file), by_pair_(merges.rules.size()) {
  merges_.reserve(merges.rules.size());
  for (std::size_t rank = 0; rank < merges.rules.size(); ++rank) {
    const auto refuse = [&](std::string problem) {
      throw Error({.kind = ErrorKind::input, .file = merges.file, .field = merges.place(rank), .problem = std::move(problem)});
    };
    const auto id_of = [&](const std::string& token) {
      const std::optional<std::int64_t> id = vocabulary_.id_of(token);
      if (!id) refuse(fmt::format("the merge needs the token \"{}\", which is not in the vocabulary", printable(token, 60)));
      return static_cast<std::uint32_t>(*id);
    };
    const BpeMerges::Rule& rule = merges.rules[rank];
    const std::uint32_t left = id_of(rule.left);
    const std::uint32_t right = id_of(rule.right);
    const bool has_prefix = !options_.continuing_prefix.empty() && rule.right.starts_with(options_.continuing_prefix);
    const std::uint32_t merged = id_of(rule.left + rule.right.substr(has_prefix ? options_.continuing_prefix.size() : 0));
    const Merge merge{pair_key(left, right), static_cast<std::uint32_t>(rank), merged};
    const auto is_equal = [&](std::uint32_t other) { return merges_[other].pair == merge.pair; };
    const std::uint32_t earlier = by_pair_.replace(FlatIndex::hash_of(merge.pair), merge.rank, is_equal);
    if (earlier != FlatIndex::kNone) {
      warnings.push_back(fmt::format("{}: {}: the merge of \"{}\" and \"{}\" is already in {}; the later one counts", merges.file,
                                     merges.place(rank), printable(rule.left, 60), printable(rule.right, 60), merges.place(earlier)));
    }
    merges_.push_back(merge);
    add_joint(rule);
  }
  if (options_.has_byte_fallback) bytes_ = ByteTokens(vocabulary_, merges.file, warnings);
}

void BpeModel::add_joint(const BpeMerges::Rule& rule) {
  const auto is_made_of_characters = [&](const std::string& side) {
    return side != options_.unknown_token && (!options_.has_byte_fallback || side.find("<0x") == std::string::npos);
  };
  has_joints_ = has_joints_ && options_.continuing_prefix.empty() && options_.end_suffix.empty() && is_made_of_characters(rule.left) &&
                is_made_of_characters(rule.right);
  if (!has_joints_) return;
  std::size_t last = rule.left.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(rule.left[last]) & 0xC0U) == 0x80U) --last;
  joints_.insert(pair_key(code_point_at(rule.left, last).value, code_point_at(rule.right, 0).value));
}

bool BpeModel::can_join(char32_t left, char32_t right) const {
  return !has_joints_ || joints_.contains(pair_key(left, right));
}

const BpeModel::Merge* BpeModel::merge_of(std::uint64_t pair) const {
  const std::uint32_t position = by_pair_.find(FlatIndex::hash_of(pair), [&](std::uint32_t other) { return merges_[other].pair == pair; });
  return position == FlatIndex::kNone ? nullptr : &merges_[position];
}

void BpeModel::tokenize(std::string_view piece, ModelTokens& into) const {
  if (options_.ignores_merges) {
    if (const std::optional<std::int64_t> id = vocabulary_.id_of(piece)) {
      into.tokens.push_back({*id, {0, static_cast<std::uint32_t>(piece.size())}});
      return;
    }
  }
  Word word(*this);
  std::optional<ByteRange> unknown;
  const auto write_unknown = [&] {
    if (unknown) word.add(unknown_for(piece, *unknown), *unknown);
    unknown.reset();
  };
  char32_t previous = 0;
  for (std::uint32_t at = 0; at < piece.size();) {
    const CodePoint character = code_point_at(piece, at);
    const ByteRange range{at, at + character.bytes};
    at = range.end;
    const Decorated decorated = decorate(piece, range);
    if (const std::optional<std::int64_t> id = vocabulary_.id_of(decorated.text())) {
      write_unknown();
      if (!word.empty() && !can_join(previous, character.value)) word.finish(into);
      word.add(static_cast<std::uint32_t>(*id), range);
      previous = character.value;
    } else if (options_.has_byte_fallback && bytes_.covers(decorated.text())) {
      add_bytes(decorated, range, word);  // an unknown character before them is written after them, as in the reference
    } else if (options_.unknown_token.empty()) {
      ++into.left_out;
    } else {
      if (!options_.fuses_unknown) write_unknown();
      unknown = unknown ? ByteRange{unknown->begin, range.end} : range;
    }
  }
  write_unknown();
  word.finish(into);
}

BpeModel::Decorated BpeModel::decorate(std::string_view piece, ByteRange range) const {
  Decorated result{piece.substr(range.begin, range.end - range.begin), {}, 0};
  const bool is_inner = range.begin > 0 && !options_.continuing_prefix.empty();
  const bool is_last = range.end == piece.size() && !options_.end_suffix.empty();
  if (is_inner || is_last) {
    result.before = is_inner ? static_cast<std::uint32_t>(options_.continuing_prefix.size()) : 0;
    result.joined = (is_inner ? options_.continuing_prefix : "") + std::string(result.character) + (is_last ? options_.end_suffix : "");
  }
  return result;
}

/// The bytes of a prefix or suffix stand for the byte of the character that is next to them.
void BpeModel::add_bytes(const Decorated& decorated, ByteRange range, Word& word) const {
  for (std::uint32_t at = 0; at < decorated.text().size(); ++at) {
    const std::uint32_t begin =
        std::clamp(range.begin + at, range.begin + decorated.before, range.end - 1 + decorated.before) - decorated.before;
    word.add(bytes_.id_of(decorated.text()[at]), {begin, begin + 1});
  }
}

std::uint32_t BpeModel::unknown_for(std::string_view piece, ByteRange range) const {
  const std::optional<std::int64_t> id = vocabulary_.id_of(options_.unknown_token);
  if (!id) {
    const std::string text = printable(piece.substr(range.begin, range.end - range.begin), 60);
    throw Error({.kind = ErrorKind::input,
                 .file = file_,
                 .field = "model.unk_token",
                 .problem = fmt::format("the text holds \"{}\", and neither it nor the unknown token is in the vocabulary", text),
                 .found = in_quotes(options_.unknown_token)});
  }
  return static_cast<std::uint32_t>(*id);
}

}  // namespace headlight

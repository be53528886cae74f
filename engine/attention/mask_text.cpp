#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <limits>
#include <optional>

#include "engine/attention/mask.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

/// What a leaf of a mask text asks of one cell.
struct Cell {
  Index query;
  Index key;
  const MaskContext& context;
};

Index sentence_of(const MaskContext& context, Index position) {
  const auto& sentences = context.sentences;
  return position < std::ssize(sentences) ? sentences[static_cast<std::size_t>(position)] : 0;
}

/// Positions before the first key are negative (`attend --offset`): −1 is in the block before block 0.
std::int64_t block_of(Index position, std::int64_t size) {
  return position >= 0 ? position / size : -1 - (-1 - position) / size;
}

/// What decides whether a cell is allowed.
enum class DecidedBy : std::uint8_t { difference, places };  ///< key − query alone, or where they are

/// The presets: name, smallest number after ":" (none: takes no number), and what they allow: a cell, and all cells of a row.
struct Preset {
  std::string_view name;
  std::optional<std::int64_t> lowest;
  DecidedBy decided_by;
  bool (*allows)(const Cell& cell, std::int64_t number);
  void (*fill_row)(Index query, const MaskContext& context, std::int64_t number, std::uint8_t* row);
};

template <typename Allows>
constexpr Preset preset(std::string_view name, std::optional<std::int64_t> lowest, DecidedBy decided_by, Allows /*cell, number*/) {
  return {name, lowest, decided_by, [](const Cell& cell, std::int64_t number) { return Allows{}(cell, number); },
          [](Index query, const MaskContext& context, std::int64_t number, std::uint8_t* row) {
            for (Index key = 0; key < context.keys; ++key) row[key] = Allows{}({query, key, context}, number) ? 1 : 0;
          }};
}

constexpr std::array kPresets = {
    preset("none", {}, DecidedBy::difference, [](const Cell&, std::int64_t) { return true; }),
    preset("causal", {}, DecidedBy::difference, [](const Cell& cell, std::int64_t) { return cell.key <= cell.query; }),
    preset("window", 1, DecidedBy::difference,
           [](const Cell& cell, std::int64_t width) { return std::abs(cell.query - cell.key) < width; }),
    preset("left", 0, DecidedBy::difference, [](const Cell& cell, std::int64_t reach) { return cell.key >= cell.query - reach; }),
    preset("right", 0, DecidedBy::difference, [](const Cell& cell, std::int64_t reach) { return cell.key <= cell.query + reach; }),
    preset("prefix", 0, DecidedBy::places,
           [](const Cell& cell, std::int64_t length) { return cell.key <= cell.query || std::max(cell.query, cell.key) < length; }),
    preset("padding", 0, DecidedBy::places, [](const Cell& cell, std::int64_t length) { return cell.key < length; }),
    preset("blocks", 1, DecidedBy::places,
           [](const Cell& cell, std::int64_t size) { return block_of(cell.query, size) == block_of(cell.key, size); }),
    preset("pair", {}, DecidedBy::places,
           [](const Cell& cell, std::int64_t) { return sentence_of(cell.context, cell.query) == sentence_of(cell.context, cell.key); }),
    preset("no-self", {}, DecidedBy::difference, [](const Cell& cell, std::int64_t) { return cell.query != cell.key; }),
};

struct Comparison {
  std::string_view sign;
  bool (*holds)(std::int64_t left, std::int64_t right);
};

/// Longer signs first: "<=" starts with "<".
constexpr std::array<Comparison, 6> kComparisons = {{
    {"<=", [](std::int64_t left, std::int64_t right) { return left <= right; }},
    {">=", [](std::int64_t left, std::int64_t right) { return left >= right; }},
    {"==", [](std::int64_t left, std::int64_t right) { return left == right; }},
    {"!=", [](std::int64_t left, std::int64_t right) { return left != right; }},
    {"<", [](std::int64_t left, std::int64_t right) { return left < right; }},
    {">", [](std::int64_t left, std::int64_t right) { return left > right; }},
}};

/// q, k or n, perhaps less a number; or a number.
struct Operand {
  char name = 0;            // 0: the number
  std::int64_t number = 0;  // with a name: taken away from it

  bool is_place() const { return name == 'q' || name == 'k'; }
  std::int64_t value(const Cell& cell) const {
    switch (name) {
      case 'q':
        return cell.query - number;
      case 'k':
        return cell.key - number;
      case 'n':
        return cell.context.keys - number;
      default:
        return number;
    }
  }
};

constexpr std::int64_t kLargestNumber = std::numeric_limits<int>::max();
constexpr int kDeepestNesting = 64;
constexpr const char* kWhatIsCompared =
    "Compare q (the query), k (the key), n (the number of keys) and whole numbers; there is no arithmetic but a number taken away, as in q "
    "- 2.";

/// Walks over a text, skipping blanks, and says where it stopped.
class Cursor {
 public:
  Cursor(std::string_view text, std::string_view subject) : text_(text), subject_(subject) {}

  bool is_at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool take(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  /// q, k or n, unless it is part of a longer word.
  char take_letter() {
    skip_blanks();
    const bool is_alone = at_ + 1 >= text_.size() || !is_letter(text_[at_ + 1]);
    if (at_ == text_.size() || !is_alone || std::string_view("qkn").find(text_[at_]) == std::string_view::npos) return 0;
    return text_[at_++];
  }
  /// Letters and hyphens; nothing is taken when there are none.
  std::string_view take_name() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || (at_ > begin && text_[at_] == '-'))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::optional<std::int64_t> take_number() {
    skip_blanks();
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (problem != std::errc{} || number < 0 || number > kLargestNumber) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }
  std::int64_t expect_number(std::int64_t lowest) {
    const std::size_t begin = at_;
    const std::optional<std::int64_t> number = take_number();
    if (number && *number >= lowest) return *number;
    at_ = begin;
    fail(fmt::format("a whole number from {} to {}", lowest, kLargestNumber));
  }
  bool is_at_any_of(std::string_view signs) { return !is_at_end() && signs.find(text_[at_]) != std::string_view::npos; }
  std::size_t position() const { return at_; }
  void go_back_to(std::size_t position) { at_ = position; }

  [[noreturn]] void fail(const std::string& expected, const std::string& hint = {}) {
    skip_blanks();
    const auto characters = std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                          [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
    throw Error({.kind = ErrorKind::usage,
                 .field = std::string(subject_),
                 .problem = fmt::format("\"{}\" cannot be read at character {}", printable(text_), characters + 1),
                 .found = at_ == text_.size() ? "the end" : fmt::format("\"{}\"", printable(text_.substr(at_), 20)),
                 .expected = expected,
                 .hint = hint});
  }

 private:
  static bool is_letter(char byte) { return byte >= 'a' && byte <= 'z'; }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  std::string_view subject_;
  std::size_t at_ = 0;
};

}  // namespace

/// A leaf (preset or comparison) or a logical combination of its parts.
struct MaskText::Node {
  enum class Kind : std::uint8_t { preset, comparison, all_of, any_of, none_of };
  Kind kind = Kind::preset;
  const Preset* preset = nullptr;
  std::int64_t number = 0;
  const Comparison* comparison = nullptr;
  Operand left, right;
  std::vector<std::unique_ptr<Node>> parts;

  bool allows(const Cell& cell) const {
    const auto part_allows = [&](const std::unique_ptr<Node>& part) { return part->allows(cell); };
    switch (kind) {
      case Kind::preset:
        return preset->allows(cell, number);
      case Kind::comparison:
        return comparison->holds(left.value(cell), right.value(cell));
      case Kind::all_of:
        return std::all_of(parts.begin(), parts.end(), part_allows);
      case Kind::any_of:
        return std::any_of(parts.begin(), parts.end(), part_allows);
      case Kind::none_of:
        return std::none_of(parts.begin(), parts.end(), part_allows);
    }
    return false;
  }

  DecidedBy decided_by() const {
    if (kind == Kind::preset) return preset->decided_by;
    if (kind == Kind::comparison) return left.is_place() && right.is_place() ? DecidedBy::difference : DecidedBy::places;
    const bool is_of_places =
        std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part->decided_by() == DecidedBy::places; });
    return is_of_places ? DecidedBy::places : DecidedBy::difference;
  }

  void fill_row(Index query, const MaskContext& context, std::uint8_t* row) const {
    if (kind == Kind::preset) return preset->fill_row(query, context, number, row);
    for (Index key = 0; key < context.keys; ++key) row[key] = allows({query, key, context}) ? 1 : 0;
  }
};

/// Recursive descent, one function per level of binding: any = all || all …; all = single && single …; single = !single | (any) | leaf.
struct MaskText::Parser {
  using NodePointer = std::unique_ptr<Node>;
  Cursor cursor;
  int depth = 0;

  NodePointer parse_any() { return parse_chain("||", Node::Kind::any_of, &Parser::parse_all); }
  NodePointer parse_all() { return parse_chain("&&", Node::Kind::all_of, &Parser::parse_single); }

  NodePointer parse_chain(std::string_view sign, Node::Kind kind, NodePointer (Parser::*parse_part)()) {
    NodePointer first = (this->*parse_part)();
    if (!cursor.take(sign)) return first;
    auto chain = std::make_unique<Node>();
    chain->kind = kind;
    chain->parts.push_back(std::move(first));
    do chain->parts.push_back((this->*parse_part)());
    while (cursor.take(sign));
    return chain;
  }

  NodePointer parse_single() {
    if (++depth > kDeepestNesting) cursor.fail(fmt::format("at most {} nested signs", kDeepestNesting));
    NodePointer node;
    if (cursor.take("!")) {
      node = std::make_unique<Node>();
      node->kind = Node::Kind::none_of;
      node->parts.push_back(parse_single());
    } else if (cursor.take("(")) {
      node = parse_any();
      if (!cursor.take(")")) cursor.fail("\")\", \"&&\" or \"||\"");
    } else {
      node = parse_leaf();
    }
    --depth;
    return node;
  }

  NodePointer parse_leaf() {
    auto node = std::make_unique<Node>();
    const std::size_t begin = cursor.position();
    const std::string_view name = cursor.take_name();
    const auto* preset = std::find_if(kPresets.begin(), kPresets.end(), [&](const Preset& row) { return row.name == name; });
    if (preset != kPresets.end()) {
      node->preset = preset;
      if (!preset->lowest) return node;
      if (!cursor.take(":")) cursor.fail("\":\" and a number");
      node->number = cursor.expect_number(*preset->lowest);
      return node;
    }
    cursor.go_back_to(begin);
    node->kind = Node::Kind::comparison;
    node->left = parse_operand(
        "a mask (none, causal, window:N, left:N, right:N, prefix:N, padding:N, blocks:N, pair, no-self), \"!\", \"(\", q, k, n or a "
        "number");
    node->comparison = parse_comparison();
    node->right = parse_operand("q, k, n or a number");
    return node;
  }

  Operand parse_operand(const std::string& expected) {
    if (const auto number = cursor.take_number()) return {.number = *number};
    const char letter = cursor.take_letter();
    if (letter == 0) cursor.fail(expected, kWhatIsCompared);
    const std::size_t end = cursor.position();
    if (cursor.take("-")) {
      if (const auto less = cursor.take_number()) return {.name = letter, .number = *less};
      cursor.go_back_to(end);
    }
    return {.name = letter};
  }

  const Comparison* parse_comparison() {
    for (const Comparison& row : kComparisons) {
      if (cursor.take(row.sign)) return &row;
    }
    cursor.fail("<, <=, ==, !=, >= or >", kWhatIsCompared);
  }
};

MaskText::MaskText(std::string_view text) : text_(text) {
  Parser parser{Cursor(text_, "mask")};
  do terms_.push_back(parser.parse_any());
  while (parser.cursor.take("+"));
  const bool is_arithmetic = parser.cursor.is_at_any_of("-*/%");
  if (!parser.cursor.is_at_end()) parser.cursor.fail("\"+\", \"&&\", \"||\" or the end", is_arithmetic ? kWhatIsCompared : "");
}

MaskText::~MaskText() = default;
MaskText::MaskText(MaskText&&) noexcept = default;
MaskText& MaskText::operator=(MaskText&&) noexcept = default;

bool MaskText::allows(Index query, Index key, const MaskContext& context) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const auto& term) { return term->allows({query, key, context}); });
}

namespace {

/// The first key's cells from the last query up to the first, then the first query's cells from the second key on (Mask::of_differences).
std::vector<std::uint8_t> line_of_differences(const MaskText& text, const MaskContext& context) {
  const Index before = context.queries - 1;
  std::vector<std::uint8_t> line(static_cast<std::size_t>(before + context.keys));
  for (Index place = 0; place < before + context.keys; ++place) {
    const Index query = std::max<Index>(before - place, 0), key = std::max<Index>(place - before, 0);
    line[static_cast<std::size_t>(place)] = text.allows(context.first_query + query, key, context) ? 1 : 0;
  }
  return line;
}

}  // namespace

Mask MaskText::cells(const MaskContext& context, const Watch& watch) const {
  const bool is_of_differences =
      std::all_of(terms_.begin(), terms_.end(), [](const auto& term) { return term->decided_by() == DecidedBy::difference; });
  if (is_of_differences && context.queries > 0 && context.keys > 0)
    return Mask::of_differences(context.queries, context.keys, line_of_differences(*this, context));
  Mask mask(context.queries, context.keys, true, watch);
  std::vector<std::uint8_t> also(static_cast<std::size_t>(context.keys));
  for (Index query = 0; query < context.queries; ++query) {
    watch.check();
    std::uint8_t* const row = mask.row(query);
    terms_.front()->fill_row(context.first_query + query, context, row);
    for (std::size_t term = 1; term < terms_.size(); ++term) {
      terms_[term]->fill_row(context.first_query + query, context, also.data());
      std::transform(also.begin(), also.end(), row, row, std::bit_and<>());
    }
  }
  return mask;
}

namespace {

/// "3", "3-5" or "*", as the half-open range of an axis.
std::pair<int, int> parse_range(Cursor& cursor) {
  if (cursor.take("*")) return {0, std::numeric_limits<int>::max()};
  const std::int64_t first = cursor.expect_number(0);
  const std::int64_t last = cursor.take("-") ? cursor.expect_number(first) : first;
  return {static_cast<int>(first), static_cast<int>(std::min(last, kLargestNumber - 1)) + 1};
}

}  // namespace

std::vector<CellBlock> parse_cells(std::string_view text, bool is_allowed) {
  Cursor cursor(text, "cells");
  std::vector<CellBlock> blocks;
  do {
    const auto [query_begin, query_end] = parse_range(cursor);
    if (!cursor.take(":")) cursor.fail("\":\" between query and key");
    const auto [key_begin, key_end] = parse_range(cursor);
    blocks.push_back({query_begin, query_end, key_begin, key_end, is_allowed});
  } while (cursor.take(","));
  if (!cursor.is_at_end()) cursor.fail("\",\" or the end");
  return blocks;
}

}  // namespace headlight

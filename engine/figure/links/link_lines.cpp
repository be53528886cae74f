#include "engine/figure/links/link_lines.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "engine/core/enumeration.h"
#include "engine/core/numbers.h"

namespace headlight {
namespace {

/// Chooses among the weights of one query, head by head.
class Chooser {
 public:
  explicit Chooser(LinkLines& result) : result_(result), maps_(*result.maps) {}

  void choose(Index query) {
    const auto begin = static_cast<std::ptrdiff_t>(result_.lines.size());
    for (std::size_t head = 0; head < maps_.heads.size(); ++head) {
      gather(query, head);
      if (result_.filter.rule == LinkRule::top) keep_largest();
      take(query, head);
    }
    std::sort(result_.lines.begin() + begin, result_.lines.end(), [](const LinkLine& a, const LinkLine& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.head != b.head ? a.head < b.head : a.key < b.key;
    });
    result_.query_begin.push_back(result_.lines.size());
  }

 private:
  struct Found {
    Index key = 0;
    float weight = 0;
  };

  /// Counts the row, and finds those of its weights that may become lines.
  void gather(Index query, std::size_t head) {
    const LinkFilter& filter = result_.filter;
    const LinkTexts& texts = result_.texts;
    const bool is_special = texts.queries.is_special[static_cast<std::size_t>(query)];
    found_.clear();
    for (Index key = 0; key < maps_.keys; ++key) {
      const float weight = maps_.weight(head, query, key);
      if (!(weight > 0) || weight > 1e30F) continue;
      const PairPart part = texts.part(query, key);
      result_.share[static_cast<std::size_t>(part)] += static_cast<double>(weight);
      if (!filter.shows(part)) continue;
      ++result_.candidates;
      result_.total += static_cast<double>(weight);
      if (!filter.has_special && (is_special || texts.keys.is_special[static_cast<std::size_t>(key)])) continue;
      if (filter.rule == LinkRule::threshold && weight < filter.threshold) continue;
      found_.push_back({key, weight});
    }
  }

  void keep_largest() {
    const auto most = static_cast<std::size_t>(std::max(0, result_.filter.top));
    if (found_.size() <= most) return;
    std::partial_sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(most), found_.end(),
                      [](const Found& a, const Found& b) { return a.weight != b.weight ? a.weight > b.weight : a.key < b.key; });
    found_.resize(most);
  }

  void take(Index query, std::size_t head) {
    for (const Found& found : found_) {
      result_.lines.push_back({query, found.key, static_cast<std::uint32_t>(head), found.weight});
      result_.looks_ahead = result_.looks_ahead || found.key > query;
      result_.shown_of_head[head] += static_cast<double>(found.weight);
      result_.shown += static_cast<double>(found.weight);
    }
  }

  LinkLines& result_;
  const LinkMaps& maps_;
  std::vector<Found> found_;
};

/// Lists the lines key by key.
void list_by_key(LinkLines& result) {
  const std::vector<LinkLine>& lines = result.lines;
  result.by_key.resize(lines.size());
  std::iota(result.by_key.begin(), result.by_key.end(), std::uint32_t{0});
  std::sort(result.by_key.begin(), result.by_key.end(), [&](std::uint32_t a, std::uint32_t b) {
    const LinkLine &left = lines[a], &right = lines[b];
    return left.key != right.key ? left.key < right.key : left.weight != right.weight ? left.weight > right.weight : a < b;
  });
  result.key_begin.assign(static_cast<std::size_t>(result.maps->keys) + 1, 0);
  for (const LinkLine& line : lines) ++result.key_begin[static_cast<std::size_t>(line.key) + 1];
  std::partial_sum(result.key_begin.begin(), result.key_begin.end(), result.key_begin.begin());
}

/// "12,345"
std::string counted(std::int64_t number) {
  std::string text = std::to_string(number);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
  return text;
}

}  // namespace

std::string_view name_of(PairPart part) {
  static constexpr Names<PairPart> kNames{"A → A", "A → B", "B → A", "B → B"};
  return kNames[part];
}

std::string_view name_of(LinkRule rule) {
  static constexpr Names<LinkRule> kNames{"threshold", "top"};
  return kNames[rule];
}

std::string rule_text(const LinkFilter& filter) {
  if (filter.rule == LinkRule::threshold) return fmt::format("weight ≥ {:.3g}", filter.threshold);
  if (filter.top == 1) return "the largest weight of each query and head";
  return fmt::format("the {} largest weights of each query and head", filter.top);
}

bool LinkText::is_pair() const {
  return std::find(is_second.begin(), is_second.end(), true) != is_second.end();
}

LinkText link_text(const Encoding& encoding) {
  // What the tokenizer adds belongs to the text before it: [SEP] ends the sentence that it closes.
  const auto is_of_second = [&](const Token& token) { return !encoding.text_pair.empty() && !token.is_special && token.sequence == 1; };
  const auto second = std::find_if(encoding.tokens.begin(), encoding.tokens.end(), is_of_second);
  LinkText text;
  for (auto token = encoding.tokens.begin(); token != encoding.tokens.end(); ++token) {
    text.is_second.push_back(token >= second);
    text.is_special.push_back(token->is_special);
  }
  return text;
}

PairPart LinkTexts::part(Index query, Index key) const {
  if (!is_one_text) return PairPart::first_to_first;
  const bool is_from_second = queries.is_second[static_cast<std::size_t>(query)];
  const bool is_to_second = keys.is_second[static_cast<std::size_t>(key)];
  return static_cast<PairPart>((is_from_second ? 2 : 0) + (is_to_second ? 1 : 0));
}

LinkTexts link_texts(const Snapshot& snapshot, int layer) {
  const Encoding &queries = snapshot.query_tokens(layer), &keys = snapshot.key_tokens(layer);
  return {link_text(queries), link_text(keys), &queries == &keys};
}

LinkLines choose_lines(std::shared_ptr<const LinkMaps> maps, LinkTexts texts, const LinkFilter& filter, Progress& progress) {
  LinkLines result;
  result.maps = std::move(maps);
  result.texts = std::move(texts);
  result.filter = filter;
  result.shown_of_head.resize(result.maps->heads.size());
  result.query_begin.push_back(0);
  Chooser chooser(result);
  for (Index query = 0; query < result.maps->queries; ++query) {
    progress.step(static_cast<double>(query) / static_cast<double>(result.maps->queries), "choosing lines");
    chooser.choose(query);
  }
  list_by_key(result);
  result.hidden = std::max(0.0, result.total - result.shown);
  const double all = std::accumulate(result.share.begin(), result.share.end(), 0.0);
  for (double& share : result.share) share = all > 0 ? share / all : 0;
  return result;
}

std::string lines_text(const LinkLines& lines) {
  const std::string without = percent_text(lines.total > 0 ? lines.hidden / lines.total : 0);
  const char* of_what = lines.maps->hidden.is_empty() ? "the attention" : "the attention that is left";
  return fmt::format("{} of {} lines, {} of {} has no line", counted(static_cast<std::int64_t>(lines.lines.size())),
                     counted(lines.candidates), without, of_what);
}

}  // namespace headlight

#include "engine/studies/study.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/core/memory_limit.h"
#include "engine/core/random.h"
#include "engine/targets/patches.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {

namespace {

struct NamedNull {
  NullKind kind;
  std::string_view name;
};
constexpr std::array kNulls = {NamedNull{NullKind::random_weights, "random-weights"},
                               NamedNull{NullKind::shuffled_tokens, "shuffled-tokens"}};

}  // namespace

std::string_view name_of(NullKind kind) {
  return std::find_if(kNulls.begin(), kNulls.end(), [&](const NamedNull& each) { return each.kind == kind; })->name;
}

std::optional<NullKind> null_kind(std::string_view name) {
  const auto* const found = std::find_if(kNulls.begin(), kNulls.end(), [&](const NamedNull& each) { return each.name == name; });
  return found == kNulls.end() ? std::nullopt : std::optional<NullKind>(found->kind);
}

bool TopExample::comes_before(const TopExample& other) const {
  if (value != other.value) return value > other.value;
  if (hash != other.hash) return hash < other.hash;
  return index < other.index;
}

bool TopExample::has_text_of(const TopExample& other) const {
  const bool has_same_beside = beside == other.beside || (beside && other.beside && *beside == *other.beside);
  return hash == other.hash && is_ids == other.is_ids && has_same_beside && text && other.text && *text == *other.text;
}

void StudyCell::add_example(TopExample example, int most) {
  if (most == 0 || (std::ssize(top) == most && !example.comes_before(top.back()))) return;
  const auto same = std::find_if(top.begin(), top.end(), [&](const TopExample& each) { return each.has_text_of(example); });
  if (same != top.end() && !example.comes_before(*same)) return;
  if (same != top.end()) top.erase(same);
  const auto before = [](const TopExample& a, const TopExample& b) { return a.comes_before(b); };
  top.insert(std::upper_bound(top.begin(), top.end(), example, before), std::move(example));
  if (std::ssize(top) > most) top.pop_back();
}

CorpusStudy::CorpusStudy(std::vector<HeadId> heads, const StudySettings& settings)
    : heads_(std::move(heads)),
      requests_(settings.requests.size()),
      columns_(settings.columns()),
      length_edges_(settings.length_edges),
      top_(settings.top) {
  for (const MeasureRequest& request : settings.requests) {
    bins_.emplace_back(*request.measure);
    has_signs_.push_back(is_effect(request.id));
  }
  texts_.resize(length_edges_.size() + 1);
  const std::size_t cells = texts_.size() * heads_.size() * columns_;
  require_memory(static_cast<double>(cells) * sizeof(StudyCell), allowed_memory(),
                 {.problem = "the study would be too large",
                  .found = fmt::format("{} numbers of {} heads at {} lengths", columns_, heads_.size(), texts_.size()),
                  .hint = "Ask for fewer measures or fewer lengths"});
  cells_.resize(cells);
}

void StudyCell::add(const StudyCell& other, int most) {
  sum.add(other.sum);
  bins.add(other.bins);
  for (const TopExample& example : other.top) add_example(example, most);
}

ExactSum CorpusStudy::sum_of_all_lengths(std::size_t head, std::size_t column) const {
  ExactSum all;
  for (std::size_t length = 0; length < lengths(); ++length) all.add(cell(length, head, column).sum);
  return all;
}

StudyCell CorpusStudy::cell_of_all_lengths(std::size_t head, std::size_t request) const {
  StudyCell all;
  for (std::size_t length = 0; length < lengths(); ++length) all.add(cell(length, head, request), top_);
  return all;
}

std::int64_t CorpusStudy::texts() const {
  return std::accumulate(texts_.begin(), texts_.end(), std::int64_t{0});
}

void CorpusStudy::add_bad_line(BadLine line) {
  const auto before = [](const BadLine& a, const BadLine& b) { return a.line < b.line; };
  bad_lines_.insert(std::upper_bound(bad_lines_.begin(), bad_lines_.end(), line, before), std::move(line));
  if (bad_lines_.size() > kMostBadLines) bad_lines_.pop_back();
}

std::size_t CorpusStudy::length_of(Index tokens) const {
  return static_cast<std::size_t>(std::lower_bound(length_edges_.begin(), length_edges_.end(), tokens) - length_edges_.begin());
}

bool CorpusStudy::add_value(StudyCell& cell, std::size_t column, double value) {
  if (!ExactSum::holds(value)) return false;
  cell.sum.add(value);
  ++cell.bins.counts[bins_[column % requests_].bin_of(value)];
  return true;
}

void CorpusStudy::add_draw(Index tokens, const std::vector<HeadValues>& heads) {
  for (std::size_t head = 0; head < heads.size(); ++head) {
    for (std::size_t column = requests_; column < columns_; ++column)
      add_value(cells_[place(length_of(tokens), head, column)], column, heads[head].values[column]);
  }
}

void CorpusStudy::add(MeasuredCorpusText text) {
  if (!text.problem.empty()) {
    ++counts.bad;
    add_bad_line({text.source.line, std::move(text.problem)});
    return;
  }
  const std::size_t length = length_of(text.tokens);
  ++texts_[length];
  counts.tokens += text.tokens;
  counts.cut += text.is_cut ? 1 : 0;
  counts.longer += text.made_for > 0 ? 1 : 0;
  counts.made_for = std::max(counts.made_for, text.made_for);
  std::shared_ptr<const std::string> kept;
  std::shared_ptr<const BesideTexts> beside;
  std::uint64_t hash = 0;
  if (top_ > 0) {
    kept =
        std::make_shared<const std::string>(text.source.ids.empty() ? repair_utf8(text.source.text).text  // readers of tables refuse others
                                                                    : fmt::format("{}", fmt::join(text.source.ids, " ")));
    hash = fnv1a(*kept + text.source.beside.pair.value_or("") + text.source.beside.decoder.value_or(""));
    if (!text.source.beside.are_none()) beside = std::make_shared<const BesideTexts>(text.source.beside);
  }
  for (std::size_t head = 0; head < text.heads.size(); ++head) {
    const HeadValues& values = text.heads[head];
    for (std::size_t column = 0; column < std::min(columns_, values.values.size()); ++column) {
      const double value = values.values[column];
      StudyCell& into = cells_[place(length, head, column)];
      const bool keeps_texts = top_ > 0 && column < requests_ && column < values.cells.size();  // chance has none, nor what patches compare
      if (!add_value(into, column, value) || !keeps_texts) continue;
      const BestCell& best = values.cells[column];
      into.add_example({has_signs_[column] ? std::abs(value) : value, hash, text.source.index, text.source.line, best.query, best.key,
                        best.weight, kept, !text.source.ids.empty(), beside},
                       top_);
    }
  }
}

void CorpusStudy::add(const CorpusStudy& other) {
  for (std::size_t length = 0; length < texts_.size(); ++length) add_to(texts_[length], other.texts_[length]);
  for (std::size_t at = 0; at < cells_.size(); ++at) cells_[at].add(other.cells_[at], top_);
  add_to(counts.bad, other.counts.bad);
  add_to(counts.cut, other.counts.cut);
  add_to(counts.tokens, other.counts.tokens);
  add_to(counts.longer, other.counts.longer);
  counts.made_for = std::max(counts.made_for, other.counts.made_for);
  for (const BadLine& line : other.bad_lines_) add_bad_line(line);
}

}  // namespace headlight

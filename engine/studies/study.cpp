#include "engine/studies/study.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/memory_limit.h"
#include "engine/core/random.h"

namespace headlight {

bool TopExample::comes_before(const TopExample& other) const {
  if (value != other.value) return value > other.value;
  if (hash != other.hash) return hash < other.hash;
  return index < other.index;
}

void StudyCell::add_example(TopExample example, int most) {
  if (most == 0 || (std::ssize(top) == most && !example.comes_before(top.back()))) return;
  const auto before = [](const TopExample& a, const TopExample& b) { return a.comes_before(b); };
  top.insert(std::upper_bound(top.begin(), top.end(), example, before), std::move(example));
  if (std::ssize(top) > most) top.pop_back();
}

CorpusStudy::CorpusStudy(std::vector<HeadId> heads, const StudySettings& settings)
    : heads_(std::move(heads)), requests_(settings.requests.size()), length_edges_(settings.length_edges), top_(settings.top) {
  for (const MeasureRequest& request : settings.requests) bins_.emplace_back(*request.measure);
  texts_.resize(length_edges_.size() + 1);
  const std::size_t cells = texts_.size() * heads_.size() * requests_;
  require_memory(static_cast<double>(cells) * sizeof(StudyCell), allowed_memory(),
                 {.problem = "the study would be too large",
                  .found = fmt::format("{} numbers of {} heads at {} lengths", requests_, heads_.size(), texts_.size()),
                  .hint = "Ask for fewer measures or fewer lengths"});
  cells_.resize(cells);
}

void CorpusStudy::add_bad_line(BadLine line) {
  const auto before = [](const BadLine& a, const BadLine& b) { return a.line < b.line; };
  bad_lines_.insert(std::upper_bound(bad_lines_.begin(), bad_lines_.end(), line, before), std::move(line));
  if (bad_lines_.size() > kMostBadLines) bad_lines_.pop_back();
}

void CorpusStudy::add(MeasuredCorpusText text) {
  if (!text.problem.empty()) {
    ++counts.bad;
    add_bad_line({text.source.line, std::move(text.problem)});
    return;
  }
  const auto length =
      static_cast<std::size_t>(std::lower_bound(length_edges_.begin(), length_edges_.end(), text.tokens) - length_edges_.begin());
  ++texts_[length];
  counts.tokens += text.tokens;
  counts.cut += text.is_cut ? 1 : 0;
  std::shared_ptr<const std::string> kept;
  std::uint64_t hash = 0;
  if (top_ > 0) {
    kept = std::make_shared<const std::string>(text.source.ids.empty() ? std::move(text.source.text)
                                                                       : fmt::format("{}", fmt::join(text.source.ids, " ")));
    hash = fnv1a(*kept);
  }
  for (std::size_t head = 0; head < text.heads.size(); ++head) {
    const HeadValues& values = text.heads[head];
    for (std::size_t request = 0; request < requests_; ++request) {
      const double value = values.values[request];
      if (!ExactSum::holds(value)) continue;
      StudyCell& into = cells_[place(length, head, request)];
      into.sum.add(value);
      ++into.bins.counts[bins_[request].bin_of(value)];
      if (top_ == 0) continue;
      const BestCell& best = values.cells[request];
      into.add_example({value, hash, text.source.index, text.source.line, best.query, best.key, best.weight, kept}, top_);
    }
  }
}

void CorpusStudy::add(const CorpusStudy& other) {
  for (std::size_t length = 0; length < texts_.size(); ++length) add_to(texts_[length], other.texts_[length]);
  for (std::size_t at = 0; at < cells_.size(); ++at) {
    cells_[at].sum.add(other.cells_[at].sum);
    cells_[at].bins.add(other.cells_[at].bins);
    for (const TopExample& example : other.cells_[at].top) cells_[at].add_example(example, top_);
  }
  add_to(counts.bad, other.counts.bad);
  add_to(counts.cut, other.counts.cut);
  add_to(counts.tokens, other.counts.tokens);
  for (const BadLine& line : other.bad_lines_) add_bad_line(line);
}

}  // namespace headlight

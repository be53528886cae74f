#include "engine/studies/study_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <optional>

#include "engine/core/error.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kKeptEvery{10};

bool is_of_part(const StudyPart& part, std::uint64_t index) {
  return index % static_cast<std::uint64_t>(part.count) == static_cast<std::uint64_t>(part.number - 1);
}

/// Longer texts are not even cut into tokens, which would take a hundred times their memory.
std::size_t most_bytes(const StudySettings& settings) {
  constexpr Index kLeast = Index{1} << 16U, kBytesOfToken = 64, kMostTokens = Index{1} << 40U;
  return static_cast<std::size_t>(std::max(kLeast, kBytesOfToken * std::min(settings.longest, kMostTokens)));
}

/// About how many tokens a text has, before it is cut into them.
std::size_t likely_tokens(const CorpusText& text) {
  constexpr std::size_t kBytesOfToken = 4;
  return text.ids.empty() ? text.text.size() / kBytesOfToken + 1 : text.ids.size();
}

std::string sentence_of(const Error& error) {
  const ErrorDetail& detail = error.detail();
  return detail.found.empty() ? detail.problem : fmt::format("{}; found {}", detail.problem, detail.found);
}

/// All but its source.
MeasuredCorpusText measure_corpus_text(const StudyRun& run, const std::vector<OutputNorms>& norms, const NullRuns& nulls,
                                       const CorpusText& text, ThreadPool& pool, const Watch& watch) {
  MeasuredCorpusText measured;
  measured.problem = text.problem;
  if (measured.problem.empty() && text.text.size() > most_bytes(run.settings)) {
    measured.problem = fmt::format("{} bytes, more than any text of {} tokens", text.text.size(), run.settings.longest);
  }
  if (!measured.problem.empty()) return measured;
  try {
    const TokenStage tokens = run.run.tokens_of(text.asked_by(run.query));
    measured.tokens = std::ssize(tokens.encoding->tokens);
    measured.is_cut = tokens.is_cut;
    measured.made_for = outgrown_positions(run.run.model().config, *tokens.encoding, tokens.decoder_encoding.get());
    if (measured.tokens == 0) {
      measured.problem = "the text has no tokens";
    } else if (measured.tokens > run.settings.longest) {
      measured.problem = fmt::format("{} tokens, more than {}", measured.tokens, run.settings.longest);
    } else if (run.measure) {
      measured.heads = run.measure(text, tokens, pool, watch);
    } else {
      measured.heads = measure_text_heads(run.run, tokens, run.settings.requests, norms, run.settings.top > 0, pool, watch);
      nulls.append(tokens, draw_of_text(tokens), measured.heads, pool, watch);
    }
  } catch (const Error& error) {
    measured.problem = sentence_of(error);
  } catch (const std::bad_alloc&) {
    measured.problem = "the text needs more memory than there is";
  }
  return measured;
}

}  // namespace

Index outgrown_positions(const ModelConfig& config, const Encoding& text, const Encoding* decoder) {
  const Index most = config.positions.most;
  const Index longest = std::max(std::ssize(text.tokens), decoder == nullptr ? 0 : std::ssize(decoder->tokens));
  return most > 0 && longest > most ? most : 0;  // where positions end, the tokens after them were left out before
}

std::vector<HeadId> heads_of(const PassingRun& run) {
  std::vector<HeadId> heads;
  for (int layer = 0; layer < run.model().config.layers; ++layer) {
    for (int head = 0; head < run.heads(layer); ++head) heads.push_back({layer, head});
  }
  return heads;
}

StudyWalk::StudyWalk(const StudyRun& run, TextSource& corpus, CorpusStudy& study, std::size_t block_tokens)
    : run_(run),
      corpus_(corpus),
      study_(study),
      block_tokens_(block_tokens),
      norms_(output_norms(run.run, run.settings.requests)),
      nulls_(run.run.shared_model(), run.query, run.settings),
      read_(study.part.next) {}

double StudyWalk::done() const {
  return corpus_.size() == 0 ? 1.0 : static_cast<double>(corpus_.position()) / static_cast<double>(corpus_.size());
}

/// Each thread has two texts, so that none waits long for another's; long ones are few.
bool StudyWalk::has_room(std::size_t tokens) const {
  constexpr std::size_t kMostTokens = std::size_t{1} << 20U, kMostTexts = 32;
  const auto threads = static_cast<std::size_t>(run_.pool.threads());
  if (block_.size() >= kMostTexts * threads || tokens >= kMostTokens) return false;
  return tokens < block_tokens_ || block_.size() < 2 * threads;
}

/// The next block, unless a stop left some of the last one.
void StudyWalk::read_block(Progress& progress) {
  if (!block_.empty()) return;
  std::size_t tokens = 0;
  CorpusText text;
  while (has_room(tokens) && corpus_.next(text)) {
    if (text.index < read_) {
      progress.check();
      continue;
    }
    study_.part.next = read_ = text.index + 1;
    if (!is_of_part(study_.part, text.index) || text.is_blank()) continue;
    tokens += likely_tokens(text);
    block_.push_back(std::move(text));
  }
}

/// Adds the texts of the block before the first that was not measured.
void StudyWalk::take(std::vector<std::optional<MeasuredCorpusText>> measured) {
  std::size_t at = 0;
  for (; at < block_.size() && measured[at]; ++at) {
    measured[at]->source = std::move(block_[at]);
    study_.add(std::move(*measured[at]));
  }
  block_.erase(block_.begin(), block_.begin() + static_cast<std::ptrdiff_t>(at));
  study_.part.next = block_.empty() ? read_ : block_.front().index;
}

bool StudyWalk::advance(Progress& progress) {
  read_block(progress);
  study_.part.is_complete = block_.empty();
  std::vector<std::optional<MeasuredCorpusText>> measured(block_.size());
  std::atomic<bool> is_stopped = false, is_cancelled = false;
  const auto measure = [&](std::size_t at, ThreadPool& pool) {
    if (!is_stopped && run_.should_stop && run_.should_stop()) is_stopped = true;
    if (is_stopped) return;
    try {
      measured[at] = measure_corpus_text(run_, norms_, nulls_, block_[at], pool, progress);
    } catch (const Cancelled&) {  // what other threads have finished stays
      is_stopped = is_cancelled = true;
    }
  };
  if (block_.size() == 1) {
    measure(0, run_.pool);
  } else {
    run_.pool.for_each(std::ssize(block_), [&](Index number) {
      ThreadPool alone(1);
      measure(static_cast<std::size_t>(number), alone);
    });
  }
  take(std::move(measured));
  if (is_cancelled) throw Cancelled{};
  return !study_.part.is_complete && !is_stopped;
}

void run_study(const StudyRun& run, TextSource& corpus, CorpusStudy& study, Progress& progress) {
  StudyWalk walk(run, corpus, study);
  Clock::time_point kept = Clock::now();
  while (walk.advance(progress)) {
    progress.step(walk.done(), fmt::format("{} texts", study.texts()));
    if (run.keep && Clock::now() - kept > kKeptEvery) {
      run.keep(study);
      kept = Clock::now();
    }
  }
}

}  // namespace headlight

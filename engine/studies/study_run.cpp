#include "engine/studies/study_run.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/random.h"

namespace headlight {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kKeptEvery{10};

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

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

/// Texts that are measured together: enough for all threads, and so few that what was found is kept often.
class Blocks {
 public:
  Blocks(CorpusReader& corpus, CorpusStudy& study, int threads)
      : corpus_(corpus), study_(study), threads_(static_cast<std::size_t>(threads)) {}

  /// Empty at the end of the corpus.
  std::vector<CorpusText> next() {
    std::vector<CorpusText> block;
    std::size_t tokens = 0;
    CorpusText text;
    while (has_room(block.size(), tokens)) {
      if (!corpus_.next(text)) {
        is_at_end_ = true;
        break;
      }
      if (text.index < study_.part.next) continue;
      study_.part.next = text.index + 1;
      if (!is_of_part(study_.part, text.index) || text.is_blank()) continue;
      tokens += likely_tokens(text);
      block.push_back(std::move(text));
    }
    return block;
  }
  bool is_at_end() const { return is_at_end_; }

 private:
  /// Each thread has two texts, so that none waits long for another's; long ones are few.
  bool has_room(std::size_t texts, std::size_t tokens) const {
    constexpr std::size_t kTokens = 8192, kMostTokens = std::size_t{1} << 20U, kMostTexts = 32;
    if (texts >= kMostTexts * threads_ || tokens >= kMostTokens) return false;
    return tokens < kTokens || texts < 2 * threads_;
  }

  CorpusReader& corpus_;
  CorpusStudy& study_;
  std::size_t threads_;
  bool is_at_end_ = false;
};

/// "12345 texts, 3 min left".
class TimeLeft {
 public:
  explicit TimeLeft(double done) : done_at_start_(done) {}
  std::string text(std::int64_t texts, double done) const {
    const double passed = std::chrono::duration<double>(Clock::now() - start_).count(), share = done - done_at_start_;
    constexpr double kLeastTime = 2;  // before that it says nothing
    if (passed < kLeastTime || share <= 0) return fmt::format("{} texts", texts);
    return fmt::format("{} texts, {} left", texts, time_text(passed * (1 - done) / share));
  }

 private:
  double done_at_start_;
  Clock::time_point start_ = Clock::now();
};

std::int64_t texts_of(const CorpusStudy& study) {
  std::int64_t texts = 0;
  for (std::size_t length = 0; length < study.lengths(); ++length) texts += study.texts(length);
  return texts;
}

/// From the tokens, wherever in the corpus they are.
std::uint64_t draw_of(const TokenStage& tokens) {
  return fnv1a(fmt::format("{}", fmt::join(tokens.numbers.ids, " ")));
}

std::string sentence_of(const Error& error) {
  const ErrorDetail& detail = error.detail();
  return detail.found.empty() ? detail.problem : fmt::format("{}; found {}", detail.problem, detail.found);
}

}  // namespace

std::vector<HeadId> heads_of(const PassingRun& run) {
  std::vector<HeadId> heads;
  for (int layer = 0; layer < run.model().config.layers; ++layer) {
    for (int head = 0; head < run.heads(layer); ++head) heads.push_back({layer, head});
  }
  return heads;
}

MeasuredCorpusText measure_corpus_text(const StudyRun& run, const std::vector<OutputNorms>& norms, const NullRuns& nulls, CorpusText text,
                                       ThreadPool& pool, const Watch& watch) {
  MeasuredCorpusText measured;
  measured.problem = text.problem;
  if (measured.problem.empty() && text.text.size() > most_bytes(run.settings)) {
    measured.problem = fmt::format("{} bytes, more than any text of {} tokens", text.text.size(), run.settings.longest);
  }
  if (measured.problem.empty()) {
    try {
      Query query = run.query;
      query.text = text.text;
      query.ids = text.ids;
      const TokenStage tokens = run.run.tokens_of(query);
      measured.tokens = std::ssize(tokens.encoding->tokens);
      measured.is_cut = tokens.is_cut;
      if (measured.tokens == 0) {
        measured.problem = "the text has no tokens";
      } else if (measured.tokens > run.settings.longest) {
        measured.problem = fmt::format("{} tokens, more than {}", measured.tokens, run.settings.longest);
      } else {
        measured.heads = measure_text_heads(run.run, tokens, run.settings.requests, norms, run.settings.top > 0, pool, watch);
        nulls.append(tokens, draw_of(tokens), measured.heads, pool, watch);
      }
    } catch (const Error& error) {
      measured.problem = sentence_of(error);
    } catch (const std::bad_alloc&) {
      measured.problem = "the text needs more memory than there is";
    }
  }
  measured.source = std::move(text);
  return measured;
}

namespace {

/// Measures texts until a stop is asked for, and adds those before the first that was not measured. False: there is one, and the study goes
/// on with it later.
bool add_block(const StudyRun& run, const std::vector<OutputNorms>& norms, const NullRuns& nulls, std::vector<CorpusText> block,
               CorpusStudy& study, Progress& progress) {
  std::vector<std::optional<MeasuredCorpusText>> measured(block.size());
  std::atomic<bool> is_stopped = false;
  const auto measure = [&](std::size_t at, ThreadPool& pool) {
    if (!is_stopped && run.should_stop && run.should_stop()) is_stopped = true;
    if (!is_stopped) measured[at] = measure_corpus_text(run, norms, nulls, std::move(block[at]), pool, progress);
  };
  if (block.size() == 1) {
    measure(0, run.pool);
  } else {
    run.pool.for_each(std::ssize(block), [&](Index number) {
      ThreadPool alone(1);
      measure(static_cast<std::size_t>(number), alone);
    });
  }
  for (std::size_t at = 0; at < block.size(); ++at) {
    if (!measured[at]) {
      study.part.next = block[at].index;
      return false;
    }
    study.add(std::move(*measured[at]));
  }
  return true;
}

}  // namespace

void run_study(const StudyRun& run, CorpusReader& corpus, CorpusStudy& study, Progress& progress) {
  const std::vector<OutputNorms> norms = output_norms(run.run, run.settings.requests);
  const NullRuns nulls(run.run.shared_model(), run.query, run.settings);
  Blocks blocks(corpus, study, run.pool.threads());
  const auto share = [&] { return corpus.size() == 0 ? 1.0 : static_cast<double>(corpus.position()) / static_cast<double>(corpus.size()); };
  std::vector<CorpusText> block = blocks.next();
  const TimeLeft time(share());
  Clock::time_point kept = Clock::now();
  while (!block.empty()) {
    if (!add_block(run, norms, nulls, std::move(block), study, progress)) return;
    progress.step(share(), time.text(texts_of(study), share()));
    if (run.keep && Clock::now() - kept > kKeptEvery) {
      run.keep(study);
      kept = Clock::now();
    }
    block = blocks.next();
  }
  study.part.is_complete = blocks.is_at_end();
}

}  // namespace headlight

#include "app/cli/studies/study_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/studies/stop_signals.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/model/files/load_model.h"
#include "engine/studies/study_tables.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] void refuse_shard(const std::string& found) {
  throw Error({.kind = ErrorKind::usage,
               .field = "--shard",
               .problem = "--shard must be K/N",
               .found = "\"" + printable(found, 40) + "\"",
               .expected = "K from 1 to N, such as 3/16"});
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets any
  return value == nullptr ? std::optional<std::string>() : std::optional<std::string>(value);
}

/// What an earlier run left.
StoredStudy read_state(const fs::path& state) {
  try {
    return read_study(state);
  } catch (const Error& error) {
    ErrorDetail detail = error.detail();
    detail.expected = "what an earlier run left";
    detail.hint = "--fresh begins anew, whatever it is";
    throw Error(std::move(detail));
  }
}

/// The same, if it is of this study.
std::optional<CorpusStudy> earlier_study(const StudyJob& job, const StudyManifest& manifest) {
  std::error_code ignored;
  if (job.starts_anew || job.state.empty()) return std::nullopt;
  const bool has_state = fs::exists(job.state, ignored);
  const fs::path& file = has_state ? job.state : job.begun;
  if (!has_state && (file.empty() || !names_study(file))) return std::nullopt;
  StoredStudy found = read_state(file);
  if (!has_state && found.study.part.is_complete) return std::nullopt;
  std::string difference = manifest.difference(found.manifest);
  if (found.study.part.number != job.shard.number || found.study.part.count != job.shard.count) difference = "the shards";
  if (difference.empty()) return std::move(found.study);
  throw Error({.kind = ErrorKind::usage,
               .file = file.string(),
               .problem = fmt::format("an earlier run left this, and it is of another study: {} differ", difference),
               .hint = "Give the command as it was, to go on; or --fresh, to begin anew"});
}

}  // namespace

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) refuse_shard(text);
  const auto number = number_in(std::string_view(text).substr(0, slash)), count = number_in(std::string_view(text).substr(slash + 1));
  if (!number || !count || *number < 1 || *number > *count || *count > StudyPart::kMost) refuse_shard(text);
  return {*number, *count};
}

std::optional<Shard> shard_of_slurm() {
  const auto id = variable("SLURM_ARRAY_TASK_ID"), least = variable("SLURM_ARRAY_TASK_MIN"), count = variable("SLURM_ARRAY_TASK_COUNT");
  if (!id || !least || !count) return std::nullopt;
  const auto own = number_in(*id), first = number_in(*least), all = number_in(*count);
  const auto step = number_in(variable("SLURM_ARRAY_TASK_STEP").value_or("1"));
  const bool is_whole = own && first && all && step && *first >= 0 && *own >= *first && *step > 0 && (*own - *first) % *step == 0;
  if (!is_whole || (*own - *first) / *step >= *all || *all > StudyPart::kMost) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "SLURM_ARRAY_TASK_ID",
                 .problem = "the variables of the Slurm array do not fit together",
                 .found = printable(fmt::format("{} from {} of {}", *id, *least, *count), 120),
                 .hint = "--shard K/N says which part of the texts this is"});
  }
  return Shard{(*own - *first) / *step + 1, *all};
}

bool names_slurm_task(const fs::path& path) {
  const auto own = number_in(variable("SLURM_ARRAY_TASK_ID").value_or(""));
  const std::string name = path.string();
  constexpr std::string_view kDigits = "0123456789";
  for (std::size_t begin = name.find_first_of(kDigits), end = 0; begin != std::string::npos; begin = name.find_first_of(kDigits, end)) {
    end = std::min(name.find_first_not_of(kDigits, begin), name.size());
    if (own && number_in(std::string_view(name).substr(begin, end - begin)) == own) return true;
  }
  return false;
}

namespace {

StudyManifest manifest_of(const StudyJob& job, Progress& progress) {
  StudyManifest manifest = study_manifest(job.query, job.settings, digest_of_model(job.query.model, progress));
  name_texts(manifest, job.settings, job.texts, progress);
  if (job.effects) manifest.target = job.effects->target_text();
  return manifest;
}

}  // namespace

JobResult run_job(const StudyJob& job, Progress& progress) {
  const StopSignals signals;
  ThreadPool pool(job.threads);
  JobResult result;
  StudyManifest& manifest = result.stored.manifest;
  manifest = manifest_of(job, progress);
  OtherRuns others_of_edits;
  const PassingRun passing(load_model(job.query.model, pool, progress), job.query, others_of_edits, pool, progress);
  std::optional<CorpusStudy> earlier = earlier_study(job, manifest);
  if (earlier) print_notes({fmt::format("going on where the run before stopped, after {} records", earlier->part.next)});
  CorpusStudy& study = result.stored.study;
  const bool goes_on = earlier.has_value();
  if (goes_on) study = std::move(*earlier);
  TextNumbers numbers(passing.shared_model(), job.query, job.settings, job.effects, job.texts, pool, progress);
  while (!study.part.is_complete && numbers.read_more(pool, progress)) {
  }
  if (!goes_on) {
    study = CorpusStudy(numbers.places(passing), job.settings);
    study.part = {job.shard.number, job.shard.count, 0, false};
  }
  const std::unique_ptr<TextSource> texts = numbers.open_texts();
  StudyRun run{.run = passing, .settings = job.settings, .query = job.query, .pool = pool};
  run.should_stop = [&] { return signals.is_asked(); };
  if (!job.state.empty()) run.keep = [&](const CorpusStudy& so_far) { write_study(job.state, manifest, so_far); };
  run.measure = numbers.measure();
  run_study(run, *texts, study, progress);
  result.was_stopped = !study.part.is_complete;
  if (result.was_stopped && !job.state.empty()) {
    write_study(job.state, manifest, study);
    print_notes({fmt::format("stopped after {} records; the same command goes on from there ({})", study.part.next, job.state.string())});
  }
  return result;
}

namespace {

/// Each draw is another model of random weights, and another order of the tokens.
void add_draws(const Snapshot& snapshot, const Query& query, const StudySettings& settings, int draws, ThreadPool& pool, Progress& progress,
               CorpusStudy& study) {
  if (snapshot.is_dump()) {
    throw Error({.kind = ErrorKind::usage,
                 .field = "--null",
                 .problem = "maps from a file have no model that could be run again",
                 .hint = "Give the model that made them, and its text"});
  }
  const PassingRun passing(snapshot.model, query);
  const TokenStage tokens = passing.tokens_of(query);
  for (int draw = 1; draw <= draws; ++draw) {
    progress.step(static_cast<double>(draw - 1) / draws, "measuring what chance gives");
    std::vector<HeadValues> heads;
    for (const HeadId& head : study.heads()) {
      heads.push_back({.head = head, .values = std::vector<double>(settings.requests.size()), .rows = {}, .cells = {}});
    }
    const auto seed = static_cast<std::uint64_t>(draw);
    NullRuns(snapshot.model, query, settings, 1, seed).append(tokens, seed, heads, pool, progress);
    study.add_draw(snapshot.tokens(), heads);
  }
}

}  // namespace

StoredStudy measure_one_text(const Query& query, const StudySettings& settings, int threads, int draws, Progress& progress) {
  Pipeline pipeline(threads);
  const auto snapshot = pipeline.run(query, progress);
  print_notes(snapshot->notices);
  MeasuredCorpusText text;
  text.tokens = snapshot->tokens();
  if (!snapshot->is_dump()) {
    text.is_cut = PassingRun(snapshot->model, query).tokens_of(query).is_cut;
    text.made_for = outgrown_positions(snapshot->model->config, *snapshot->encoding, snapshot->decoder_encoding.get());
  }
  text.heads = measure_snapshot(*snapshot, settings.requests, settings.top > 0, progress);
  text.source.line = 1;
  text.source.text = snapshot->encoding->text;
  text.source.ids = query.ids;
  std::vector<HeadId> heads;
  for (const HeadValues& head : text.heads) heads.push_back(head.head);
  const std::string digest = snapshot->is_dump() ? std::string() : digest_of_model(query.model, progress);
  StoredStudy stored{study_manifest(query, settings, digest), CorpusStudy(std::move(heads), settings)};
  if (snapshot->is_dump()) stored.manifest.edits.clear();
  stored.study.add(std::move(text));
  if (!settings.nulls.empty()) add_draws(*snapshot, query, settings, draws, pipeline.pool(), progress, stored.study);
  stored.study.part = {1, 1, 1, true};
  return stored;
}

StoredStudy effects_of_one_text(const Query& query, const EffectJob& effects, const std::filesystem::path& over, const CorpusFormat& format,
                                int threads, Progress& progress) {
  constexpr Index kLongest = 4096;
  ThreadPool pool(threads);
  EffectMeasurer measurer(load_model(query.model, pool, progress), query, effects, pool, progress);
  if (effects.needs_other_texts()) {
    CorpusReader others(over, format);
    measurer.take_others(read_other_texts(measurer.plan(), query, others, kLongest, effects.seed, pool, progress));
  }
  const TokenStage tokens = measurer.plan().run().tokens_of(query);
  print_notes(tokens.encoding->notices);
  MeasuredCorpusText text;
  text.tokens = std::ssize(tokens.encoding->tokens);
  text.is_cut = tokens.is_cut;
  text.made_for = outgrown_positions(measurer.plan().run().model().config, *tokens.encoding, tokens.decoder_encoding.get());
  text.heads = measurer.measure({}, tokens, pool, progress);
  text.source.line = 1;
  text.source.text = tokens.encoding->text;
  const StudySettings settings = effects.settings(kLongest);
  StoredStudy stored{study_manifest(query, settings, digest_of_model(query.model, progress)),
                     CorpusStudy(heads_of(measurer.plan().run()), settings)};
  stored.manifest.target = effects.target_text();
  stored.study.add(std::move(text));
  stored.study.part = {1, 1, 1, true};
  return stored;
}

std::vector<std::string> notes_on_ranks(const StoredStudy& stored) {
  const std::vector<std::string>& methods = stored.manifest.measures;
  std::vector<std::vector<double>> values(methods.size());
  for (std::size_t method = 0; method < methods.size(); ++method) {
    for (std::size_t head = 0; head < stored.study.heads().size(); ++head) {
      const StudyCell cell = stored.study.cell_of_all_lengths(head, method);
      values[method].push_back(numbers_of(cell, *study_request(methods[method], "method").measure).mean);
    }
  }
  std::vector<std::string> notes;
  for (const auto& [a, b, correlation] : rank_agreements(values)) {
    notes.push_back(std::isnan(correlation)
                        ? fmt::format("rank correlation of {} and {}: undefined, a head has no number", methods[a], methods[b])
                        : fmt::format("rank correlation of {} and {}, by size of the change: {:.3f}", methods[a], methods[b], correlation));
  }
  return notes;
}

std::vector<std::string> notes_on(const CorpusStudy& study) {
  constexpr std::size_t kMostNamed = 20;
  std::vector<std::string> notes;
  for (const BadLine& line : study.bad_lines()) {
    if (notes.size() == kMostNamed) break;
    notes.push_back(fmt::format("line {}: {}", line.line, line.reason));
  }
  const auto named = static_cast<std::int64_t>(notes.size());
  if (study.counts.bad > named) notes.push_back(fmt::format("and {} further lines that could not be measured", study.counts.bad - named));
  if (study.part.is_complete && study.texts() == 0) notes.emplace_back("no text was measured: n is 0 and every number is undefined");
  if (study.counts.cut > 0) {
    notes.push_back(fmt::format("{} text{} longer than the positions of the model: only the beginning was measured", study.counts.cut,
                                study.counts.cut == 1 ? " is" : "s are"));
  }
  if (study.counts.longer > 0) {
    const bool is_one = study.counts.longer == 1;
    notes.push_back(fmt::format("{} longer than the {} tokens that the model was made for; {} measured whole",
                                is_one ? "1 text is" : fmt::format("{} texts are", study.counts.longer), study.counts.made_for,
                                is_one ? "it was" : "they were"));
  }
  return notes;
}

}  // namespace headlight

#include "app/work/corpora/corpus_columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "app/document/amounts.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/core/error.h"
#include "engine/studies/importance/effect_job.h"
#include "engine/targets/effect.h"

namespace headlight {
namespace {

std::string texts_text(std::int64_t texts) {
  return fmt::format("{} text{}", grouped(texts), texts == 1 ? "" : "s");
}

/// Of random tokens the manifest has words, in the place of a file's name.
std::string draws_of(const StoredStudy& stored) {
  return fmt::format("{} draw{} of {}", grouped(stored.study.texts()), stored.study.texts() == 1 ? "" : "s", stored.manifest.corpus);
}

std::string corpus_name(const StoredStudy& stored) {
  return stored.manifest.corpus.empty() ? "one text" : printable(stored.manifest.corpus, 60);
}

/// What chance gives for a measure, where the study measured that too.
std::vector<ColumnBaseline> baselines_of(const StoredStudy& stored, std::size_t number) {
  const std::size_t measures = stored.manifest.measures.size();
  std::vector<ColumnBaseline> baselines;
  for (std::size_t kind = 0; kind < stored.manifest.nulls.size(); ++kind) {
    const NullKind null = stored.manifest.nulls[kind];
    ColumnBaseline baseline{.name = std::string(name_of(null)), .is_of_shuffled = null == NullKind::shuffled_tokens};
    std::replace(baseline.name.begin(), baseline.name.end(), '-', ' ');
    ExactSum all;
    for (std::size_t head = 0; head < stored.study.heads().size(); ++head) {
      const ExactSum sum = stored.study.sum_of_all_lengths(head, number + (1 + kind) * measures);
      baseline.means.set(stored.study.heads()[head], sum.mean());
      baseline.deviations.set(stored.study.heads()[head], sum.deviation());
      baseline.draws = std::max(baseline.draws, static_cast<int>(std::min<std::int64_t>(sum.count, std::numeric_limits<int>::max())));
      all.add(sum);
    }
    baseline.mean = all.mean();
    baseline.deviation = all.deviation();
    baselines.push_back(std::move(baseline));
  }
  return baselines;
}

/// ", with edits (mask: window:2)"; empty: nothing was edited.
std::string with_edits(const StoredStudy& stored) {
  const std::string edits = measured_edits(stored.manifest);
  return edits.empty() ? edits : fmt::format(", with edits ({})", printable(edits, 120));
}

std::string measured_on(const StoredStudy& stored) {
  const std::string texts =
      (drawn_texts(stored.manifest) > 0 ? draws_of(stored) : fmt::format("corpus {}", corpus_name(stored))) + with_edits(stored);
  const std::string target = target_words(stored);
  return target.empty() ? texts : texts + ": " + target;
}

std::shared_ptr<const HeadColumn> column_of_corpus(const StoredStudy& stored, std::size_t number, const std::string& measured_on) {
  const CorpusStudy& study = stored.study;
  HeadColumn column = column_of(study_request(stored.manifest.measures[number], "study"));
  column.origin = ColumnOrigin::corpus;
  column.measured_on = measured_on;
  if (drawn_texts(stored.manifest) == 0) column.corpus = stored.manifest.corpus;
  column.texts = study.texts();
  for (std::size_t head = 0; head < study.heads().size(); ++head) {
    const ExactSum sum = study.sum_of_all_lengths(head, number);
    column.values.set(study.heads()[head], sum.mean());
    column.errors.set(study.heads()[head], sum.standard_error());
  }
  column.baselines = baselines_of(stored, number);
  return std::make_shared<const HeadColumn>(std::move(column));
}

}  // namespace

std::string target_words(const StoredStudy& stored) {
  const std::optional<EffectJob> job = effect_job_of(stored.manifest);
  return job ? describe_target(job->target) : std::string();
}

std::size_t numbers_of_heads(const StudyManifest& manifest) {
  if (is_by_position(manifest)) return 0;
  return patched_part_of(manifest) ? kPatchChange + 1 : manifest.measures.size();
}

HeadColumns columns_of_study(const StoredStudy& stored) {
  HeadColumns columns;
  const std::string on = measured_on(stored);
  for (std::size_t number = 0; number < numbers_of_heads(stored.manifest); ++number)
    columns.push_back(column_of_corpus(stored, number, on));
  return columns;
}

std::string corpus_title(const StoredStudy& stored) {
  if (drawn_texts(stored.manifest) > 0) return draws_of(stored);
  return fmt::format("corpus {} ({})", corpus_name(stored), texts_text(stored.study.texts()));
}

std::string corpus_so_far(const StoredStudy& stored, std::int64_t texts_in_all) {
  return fmt::format("{} of {} {} of {}", grouped(stored.study.texts()), grouped(texts_in_all),
                     drawn_texts(stored.manifest) > 0 ? "draws" : "texts", corpus_name(stored));
}

ColumnSource corpus_source(const MeasuredCorpus& corpus) {
  const StoredStudy& stored = *corpus.stored;
  ColumnSource source{.id = kCorpusSource, .title = corpus_title(stored), .note = {}};
  const std::string texts =
      drawn_texts(stored.manifest) > 0 ? draws_of(stored) : fmt::format("{} of {}", texts_text(stored.study.texts()), corpus_name(stored));
  source.note = fmt::format("{} heads of {} on {}, {} tokens{}", stored.study.heads().size(), printable(stored.manifest.model, 60), texts,
                            grouped(stored.study.counts.tokens), stored.study.part.is_complete ? "" : ", so far");
  source.note += with_edits(stored);
  if (const std::string target = target_words(stored); !target.empty()) source.note += ", what they do to " + target;
  source.columns = columns_of_study(stored);
  return source;
}

}  // namespace headlight

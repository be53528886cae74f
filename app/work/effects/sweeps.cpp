#include "app/work/effects/sweeps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/document/wording.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/pipeline/other_runs.h"
#include "engine/studies/importance/effect_job.h"
#include "engine/studies/importance/text_set.h"
#include "engine/studies/study_run.h"

namespace headlight {
namespace {

constexpr Index kLongest = 4096;  // tokens of the other texts, as `headlight importance` has it

/// What is known of a kind is of this request.
bool is_of(const SweepValues& known, const SweepRequest& request) {
  const SweepNeed need = row_of(known.kind).need;
  return (need != SweepNeed::text || known.text == request.text) && (need != SweepNeed::texts || known.texts == request.texts);
}

[[noreturn]] void refuse_texts(const SweepRequest& request, const char* problem) {
  throw Error({.kind = ErrorKind::usage, .file = request.texts.file.string(), .problem = problem, .hint = "Choose a file of other texts"});
}

/// Null where a figure cannot keep them.
std::shared_ptr<const TextSet> kept_texts(const SweepTexts& texts) {
  if (texts.has_ids) return nullptr;
  try {
    return read_text_set(texts.file.filename().string(), texts.file, corpus_format(texts.file, texts.column, false), "texts");
  } catch (const Error&) {  // too many, or one that cannot be read: the study passes it over
    return nullptr;
  }
}

double percent_of(const SweepFound& found, std::size_t kind, double layer, int layers) {
  return (static_cast<double>(kind) + layer / layers) / static_cast<double>(found.request.kinds.size());
}

}  // namespace

bool SweepRequest::operator==(const SweepRequest& other) const {
  return run == other.run && target == other.target && kinds == other.kinds && text == other.text && texts == other.texts;
}

const SweepValues* SweepFound::find(SweepKind kind) const {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const SweepValues& each) { return each.kind == kind; });
  return found == kinds.end() ? nullptr : &*found;
}

/// A request on its way: what its steps share.
class SweepSteps::Run {
 public:
  Run(const SweepRequest& request, StepContext& context)
      : plan_(request.run->model, request.run->query, request.target, runs_, context.pool, context.progress),
        tokens_(plan_.run().tokens_of(request.run->query)) {}

  SweepFound begin(const SweepRequest& request, StepContext& context) {
    SweepFound found;
    found.request = request;
    found.request.before.reset();  // no chain of all that were asked for
    found.heads = request.run->all_heads();
    const TextEffects text(plan_, tokens_, context.pool, context.progress);
    found.problem = text.problem();
    found.unchanged = found.problem.empty() ? text.unchanged() : 0;
    if (const std::shared_ptr<const SweepFound> before = request.before;
        before && before->request.run == request.run && before->request.target == request.target) {
      for (const SweepValues& known : before->kinds) {
        if (known.values.size() == found.heads.size() && is_of(known, request)) found.kinds.push_back(known);
      }
    }
    return found;
  }

  /// Whether more texts are to be read for their means.
  bool read_others(const SweepRequest& request, StepContext& context) {
    if (others_) return false;
    if (!reader_) {
      corpus_ = std::make_unique<CorpusReader>(request.texts.file,
                                               corpus_format(request.texts.file, request.texts.column, request.texts.has_ids));
      reader_ = std::make_unique<OtherTextsReader>(plan_, request.run->query, *corpus_, kLongest, 1);
    }
    PartProgress part(context.progress, 0, 0);
    if (reader_->advance(context.pool, part)) return true;
    others_ = std::make_unique<OtherTexts>(reader_->take());
    if (others_->donors.empty()) refuse_texts(request, "none of its texts can be run");
    if (others_->donor_for(tokens_) == nullptr) refuse_texts(request, "it holds no text but this one");
    kept_ = kept_texts(request.texts);
    return false;
  }

  /// One layer of one kind.
  void measure(SweepFound& found, SweepValues& values, int layer, double from, double to, StepContext& context) {
    const SweepRow& row = row_of(values.kind);
    PartProgress part(context.progress, from, to);
    const int heads = plan_.run().heads(layer);
    if (row.part) return patch(found, values, layer, part, context);
    if (row.need == SweepNeed::texts) values.kept_texts = kept_;
    TextEffects text(plan_, tokens_, context.pool, context.progress);
    const Donor* const donor = others_ ? others_->donor_for(tokens_) : nullptr;
    for (int head = 0; head < heads; ++head) {
      part.step(static_cast<double>(head) / heads, "changing each head alone");
      values.values.push_back(effect_of(*row.method, {layer, head}, text, others_.get(), donor, heads));
    }
  }

 private:
  void patch(SweepFound& found, SweepValues& values, int layer, Progress& progress, StepContext& context) {
    const SweepRow& row = row_of(values.kind);
    if (!other_) other_ = plan_.run().tokens_of(query_of_other_text(found.request.run->query, found.request.text));
    PatchRuns runs(plan_, tokens_, *other_, *row.part, context.pool, context.progress);
    values.other = runs.other();
    PatchSweep& patches = row.is_by_position() ? found.places : values.patches;
    patches.unpatched = runs.unpatched();
    patches.other = runs.other();
    patches.other_ids = other_->numbers.ids;
    const Index places = runs.places(layer);
    for (Index place = 0; place < places; ++place) {
      progress.step(static_cast<double>(place) / static_cast<double>(places), "patching");
      const PatchValue patched = runs.at(layer, place);
      patches.values.push_back(patched);
      if (!row.is_by_position()) values.values.push_back(patched.value - found.unchanged);
    }
  }

  OtherRuns runs_;  // of texts that edits take from
  const EffectPlan plan_;
  const TokenStage tokens_;
  std::optional<TokenStage> other_;
  std::unique_ptr<CorpusReader> corpus_;
  std::unique_ptr<OtherTextsReader> reader_;
  std::unique_ptr<OtherTexts> others_;
  std::shared_ptr<const TextSet> kept_;
};

namespace {

/// The layer that a kind goes on with.
int next_layer(const SweepFound& found, const SweepValues& values) {
  if (row_of(values.kind).is_by_position()) return found.places.values.empty() ? 0 : found.places.values.back().layer + 1;
  return values.values.empty() ? 0 : found.heads[values.values.size() - 1].layer + 1;
}

/// The first kind of the request that is not finished; its place in the request.
std::optional<std::size_t> unfinished(const SweepFound& found, int layers) {
  for (std::size_t place = 0; place < found.request.kinds.size(); ++place) {
    const SweepValues* const known = found.find(found.request.kinds[place]);
    if (known == nullptr || next_layer(found, *known) < layers) return place;
  }
  return std::nullopt;
}

SweepValues& values_of(SweepFound& found, SweepKind kind) {
  const auto known = std::find_if(found.kinds.begin(), found.kinds.end(), [&](const SweepValues& each) { return each.kind == kind; });
  if (known != found.kinds.end()) return *known;
  return found.kinds.emplace_back(SweepValues{kind, found.request.text, found.request.texts, 0, {}, {}, {}, {}});
}

}  // namespace

StudyStep<SweepFound> SweepSteps::operator()(const SweepRequest& request, const std::shared_ptr<const SweepFound>& so_far,
                                             StepContext& context) {
  if (!run_) run_ = std::make_shared<Run>(request, context);
  SweepFound found = so_far ? *so_far : run_->begin(request, context);
  const int layers = request.run->layers();
  const auto finish = [&](double done) { return StudyStep<SweepFound>{std::make_shared<const SweepFound>(std::move(found)), done}; };
  const std::optional<std::size_t> place = found.problem.empty() ? unfinished(found, layers) : std::nullopt;
  if (!place) return finish(1);
  const SweepKind kind = request.kinds[*place];
  try {
    if (row_of(kind).need == SweepNeed::texts && run_->read_others(request, context)) return finish(percent_of(found, *place, 0, layers));
    SweepValues& values = values_of(found, kind);
    const int layer = next_layer(found, values);
    const double from = percent_of(found, *place, layer, layers), to = percent_of(found, *place, layer + 1, layers);
    run_->measure(found, values, layer, from, to, context);
    values.by_size = places_by_size(values.values);
  } catch (const Error& error) {  // a text that does not fit: what is known of other kinds stays
    if (row_of(kind).need == SweepNeed::nothing) throw;
    found.problem = as_sentence(error.message());
    std::erase_if(found.kinds, [&](const SweepValues& each) { return each.kind == kind; });
    return finish(1);
  }
  const std::optional<std::size_t> next = unfinished(found, layers);
  if (!next) return finish(1);
  const SweepValues* const known = found.find(request.kinds[*next]);
  const double done = percent_of(found, *next, known == nullptr ? 0 : next_layer(found, *known), layers);
  return finish(std::min(done, 0.999));
}

const PatchSweep* patches_of(const SweepFound& found, SweepKind kind) {
  const SweepValues* const known = found.find(kind);
  if (known == nullptr || !row_of(kind).part || next_layer(found, *known) < found.request.run->layers()) return nullptr;
  return row_of(kind).is_by_position() ? &found.places : &known->patches;
}

HeadColumns columns_of(const SweepFound& found) {
  HeadColumns columns;
  const Index tokens = found.request.run->tokens();
  for (const SweepValues& kind : found.kinds) {
    const SweepRow& row = row_of(kind.kind);
    if (row.is_by_position() || kind.values.size() != found.heads.size()) continue;
    HeadColumn column = row.method ? column_of(study_request(effect_row(*row.method).measure.id, "column")) : HeadColumn{};
    column.request.reset();
    column.id = std::string(kEffectColumn).append(row.name);
    if (!row.method) {
      column.title = std::string(row.label);
      column.formula = "target with the patch, less the target";
      column.meaning = std::string(row.help);
      column.undefined = "the target is";
      column.source = "Meng et al. 2022, arXiv 2202.05262; Zhang and Nanda 2023, arXiv 2309.16042";
      column.limit = "no limit";
      column.is_change = true;
    }
    column.origin = ColumnOrigin::question;
    column.measured_on = "this text, " + std::to_string(tokens) + " tokens: " + describe_target(found.request.target);
    column.texts = 1;
    for (std::size_t place = 0; place < found.heads.size(); ++place) column.values.set(found.heads[place], kind.values[place]);
    columns.push_back(std::make_shared<const HeadColumn>(std::move(column)));
  }
  return columns;
}

StoredStudy study_of(const SweepFound& found, const std::string& digest) {
  EffectJob job{.methods = {}, .target = found.request.target};
  std::vector<const SweepValues*> kinds;
  for (const SweepValues& kind : found.kinds) {
    if (!row_of(kind.kind).method || kind.values.size() != found.heads.size()) continue;
    kinds.push_back(&kind);
    job.methods.push_back(*row_of(kind.kind).method);
  }
  const StudySettings settings = job.settings(kLongest);
  StoredStudy stored{study_manifest(found.request.run->query, settings, digest), CorpusStudy(found.heads, settings)};
  stored.manifest.target = job.target_text();
  MeasuredCorpusText text;
  text.tokens = found.request.run->tokens();
  for (std::size_t place = 0; place < found.heads.size(); ++place) {
    HeadValues& values = text.heads.emplace_back();
    values.head = found.heads[place];
    for (const SweepValues* const kind : kinds) values.values.push_back(kind->values[place]);
  }
  text.source.line = 1;
  text.source.text = found.request.run->encoding->text;
  stored.study.add(std::move(text));
  stored.study.part = {1, 1, 1, true};
  return stored;
}

}  // namespace headlight

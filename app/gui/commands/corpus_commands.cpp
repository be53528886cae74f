#include "app/gui/commands/corpus_commands.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "app/document/wording.h"
#include "app/gui/panel/choices.h"
#include "app/work/corpora/corpus_columns.h"
#include "app/work/corpora/corpus_manifest.h"
#include "app/work/effects/sweep_kinds.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

std::vector<std::int64_t> ids_in(const std::string& text) {
  std::vector<std::int64_t> ids;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::int64_t id = 0;
    std::from_chars(text.data() + begin, text.data() + end, id);
    ids.push_back(id);
    begin = end + 1;
  }
  return ids;
}

/// What was opened is shown where its numbers are.
void show_opened(Panel& panel, const StudyManifest& manifest) {
  panel.view.measures.source = is_by_position(manifest) ? "" : kCorpusSource;
  const std::optional<EffectJob> job = effect_job_of(manifest);
  if (!job) return;
  panel.view.output.is_over_texts = true;
  if (job->part) panel.view.output.sweep = find_sweep(manifest.measures[kPatchChange])->kind;
}

}  // namespace

void settle_corpus(Panel& panel) {
  Session& session = panel.context.session;
  CorpusStudies& corpora = session.corpora();
  CorpusPage& page = panel.view.corpus;
  if (!page.wanted.empty()) corpora.open(std::exchange(page.wanted, {}));
  corpora.update();
  if (std::string problem = corpora.take_problem(); !problem.empty()) panel.view.notes.banner = as_sentence(std::move(problem));
  if (std::string done = corpora.take_done(); !done.empty()) panel.view.notes.copied = std::move(done);
  if (page.opened != corpora.opened()) {
    page.opened = corpora.opened();
    page.is_difference_closed = false;
    show_opened(panel, corpora.shown()->stored->manifest);
  }
  const std::shared_ptr<const RepeatedFound> repeated = session.repeated_columns().found();
  if (repeated != page.repeated) session.columns().set_group(kRepeatedGroup, repeated ? repeated->columns : HeadColumns());
  page.repeated = repeated;
  const std::shared_ptr<const MeasuredCorpus>& shown = corpora.shown();
  if (shown == page.settled && (shown || page.is_settled)) return;
  page.settled = shown;
  if (!shown || !shown->stored) panel.view.measures.hidden_of_study.clear();
  page.is_settled = true;
  if (shown && shown->stored) {
    page.file = shown->file;
    is_of_positions(panel) ? session.columns().remove_source(kCorpusSource) : session.columns().set_source(corpus_source(*shown));
  } else if (corpora.state() == CorpusState::none) {
    session.columns().remove_source(kCorpusSource);
  }
}

std::string text_of_example(const Panel& panel, const StudyManifest& manifest, const TopExample& example) {
  const bool is_of_model =
      panel.has_picture() && !panel.snapshot->is_dump() && panel.context.session.shown_weights() == manifest.model_digest;
  const bool has_words = example.is_ids && is_of_model;
  const std::string words = has_words ? panel.snapshot->model->tokenizer->decode(ids_in(*example.text), false) : std::string();
  return words.empty() ? *example.text : words;
}

void show_corpus_example(Panel& panel, HeadId head, const TopExample& example) {
  ViewState& view = panel.view;
  Query& query = panel.draft.query;
  query.text = example.is_ids ? std::string() : *example.text;
  query.ids = example.is_ids ? ids_in(*example.text) : std::vector<std::int64_t>();
  const BesideTexts beside = example.beside ? *example.beside : BesideTexts();
  query.text_pair = beside.pair;
  query.decoder_text = beside.decoder;
  view.head = head;
  view.view = View::head;
  view.head_page.stage = Stage::weights;
  view.head_page.moment = Moment::now;
  view.head_page.zoom = {};
  view.pinned_query.reset();
  view.corpus.marked.reset();
  if (example.query < 0) return;
  const Side side = panel.snapshot ? query_side(*panel.snapshot, head.layer) : Side::text;
  view.pinned_query = TokenPlace{side, static_cast<Index>(example.query)};
  if (example.key >= 0) {
    view.corpus.marked =
        CorpusPage::Marked{query.text, query.ids, head, static_cast<Index>(example.query), static_cast<Index>(example.key)};
  }
}

void open_as_measured(Panel& panel) {
  const std::shared_ptr<const MeasuredCorpus> shown = panel.context.session.corpora().shown();
  if (!shown || !shown->stored) return;
  try {
    const Query measured = measured_query(shown->stored->manifest);
    const std::string name = measured.model.name;
    if (name != "sandbox" && !find_model(name)) {
      panel.view.notes.banner = fmt::format("{} is not among the models of this machine. Choose its folder in the model picker.", name);
      return;
    }
    choose_model(panel, name);
    Query& query = panel.draft.query;
    query.model.sandbox = measured.model.sandbox;
    query.heads = measured.heads;
    query.kv_heads = measured.kv_heads;
    query.mask = measured.mask;
    query.mask_reach = measured.mask_reach;
    query.score = measured.score;
    query.block = measured.block;
    query.switched_off = measured.switched_off;
    query.interventions = measured.interventions;
    query.reads_special_text = measured.reads_special_text;
  } catch (const Error& error) {
    panel.view.notes.banner = as_sentence(error.message());
  }
}

std::optional<CorpusRequest> rest_of_corpus(const Panel& panel) {
  const CorpusStudies& corpora = panel.context.session.corpora();
  const std::shared_ptr<const MeasuredCorpus>& shown = corpora.shown();
  const bool is_opened = corpora.state() == CorpusState::stopped && corpora.request() == nullptr;
  if (!is_opened || !shown || shown->stored->study.part.count != 1) return std::nullopt;
  const bool has_model = panel.snapshot && panel.snapshot->query.model == panel.draft.query.model && difference_from_corpus(panel).empty();
  const StudyManifest& manifest = shown->stored->manifest;
  const int draws = drawn_texts(manifest);
  const std::filesystem::path& texts = shown->texts_file;
  if (!has_model || (draws == 0 && texts.empty())) return std::nullopt;
  CorpusRequest request{.query = panel.draft.query, .model = panel.snapshot->model, .model_digest = manifest.model_digest};
  try {
    request.texts =
        draws > 0 ? StudyTexts{.file = {}, .draws = draws} : StudyTexts{texts, corpus_format(texts, manifest.column, manifest.has_ids)};
    request.texts.format.partner_column = manifest.partner_column;
    request.settings = manifest.settings();
    request.effects = effect_job_of(manifest);
  } catch (const Error&) {
    return std::nullopt;
  }
  request.file = shown->file;
  request.begun = shown->stored;
  return request;
}

std::shared_ptr<const StudyCell> merged_cell(Panel& panel, const std::shared_ptr<const StoredStudy>& stored, std::size_t place,
                                             std::size_t number) {
  MergedCell& kept = panel.caches.merged_cell;
  if (!kept.cell || kept.stored.lock() != stored || kept.place != place || kept.number != number)
    kept = {stored, place, number, std::make_shared<const StudyCell>(stored->study.cell_of_all_lengths(place, number))};
  return kept.cell;
}

namespace {

std::string difference_from(const Panel& panel, const StudyManifest& manifest, const std::string& weights) {
  const bool has_other_model = panel.is_sandbox() != (manifest.model == "sandbox");
  const bool has_other_weights = !panel.is_sandbox() && !weights.empty() && weights != manifest.model_digest;
  if (has_other_model || has_other_weights) return "the model's weights";
  return study_manifest(panel.draft.query, {}, {}).edits != manifest.edits ? "the edits of the model" : "";
}

}  // namespace

std::string difference_from_corpus(const Panel& panel) {
  const std::shared_ptr<const MeasuredCorpus>& shown = panel.context.session.corpora().shown();
  if (!shown || !shown->stored || panel.config() == nullptr) return {};
  if (panel.is_dump()) return "the model";
  const std::string& weights = panel.context.session.shown_weights();
  ComparedCorpus& kept = panel.caches.compared_corpus;
  if (kept.stored.lock() != shown->stored || kept.weights != weights || kept.query != panel.draft.query)
    kept = {shown->stored, panel.draft.query, weights, difference_from(panel, shown->stored->manifest, weights)};
  return kept.difference;
}

bool is_of_positions(const Panel& panel) {
  const CorpusStudies& corpora = panel.context.session.corpora();
  const std::shared_ptr<const MeasuredCorpus>& shown = corpora.shown();
  if (shown && shown->stored) return is_by_position(shown->stored->manifest);
  const std::optional<EffectJob> asked = corpora.request() == nullptr ? std::nullopt : corpora.request()->effects;
  return asked && asked->part && is_by_position(*asked->part);
}

std::shared_ptr<const StoredStudy> corpus_of(const Panel& panel, HeadId head) {
  const std::shared_ptr<const MeasuredCorpus>& shown = panel.context.session.corpora().shown();
  if (!shown || !shown->stored || is_of_positions(panel) || !panel.has_picture() || !panel.snapshot->contains(head)) return nullptr;
  return place_in(shown->stored->study, head) ? shown->stored : nullptr;
}

std::optional<std::size_t> place_in(const CorpusStudy& study, HeadId head) {
  const auto found = std::find(study.heads().begin(), study.heads().end(), head);
  return found == study.heads().end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - study.heads().begin()));
}

}  // namespace headlight

#include "app/gui/dialogs/corpus/corpus_choice.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "app/document/wording.h"
#include "app/gui/browsing/file_browser.h"
#include "app/gui/commands/corpus_commands.h"
#include "app/gui/dialogs/texts_file.h"
#include "app/gui/watching/target_here.h"
#include "app/work/corpora/corpus_columns.h"
#include "app/work/effects/sweep_kinds.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"
#include "engine/studies/own_texts/repeated_tokens.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Finds = CorpusChoice::Finds;

/// Beside the texts; of random tokens beside the document.
fs::path usual_folder(const Panel& panel, const CorpusChoice& choice) {
  return choice.draws_tokens ? working_folder(panel, {}) : texts_of(choice).parent_path();
}

fs::path file_of(const Panel& panel, const CorpusChoice& choice) {
  if (choice.file.empty()) return usual_study_file(panel, choice);
  fs::path file(choice.file);
  if (file.extension() != ".study") file += ".study";
  return file.is_absolute() ? file : usual_folder(panel, choice) / file;
}

/// nullopt: not rising whole numbers.
std::optional<std::vector<Index>> edges_of(const std::string& typed) {
  std::vector<Index> edges;
  for (std::size_t begin = 0; begin < typed.size();) {
    const std::size_t end = std::min(typed.find_first_of(", ", begin), typed.size());
    Index edge = 0;
    const auto [rest, problem] = std::from_chars(typed.data() + begin, typed.data() + end, edge);
    const bool is_number = problem == std::errc() && rest == typed.data() + end && edge > (edges.empty() ? 0 : edges.back());
    if (end > begin && !is_number) return std::nullopt;
    if (end > begin) edges.push_back(edge);
    begin = end + 1;
  }
  return edges;
}

MeasureNeed need_of(const CorpusChoice& choice) {
  return choice.repeats_twice ? MeasureNeed::two_repeats : MeasureNeed::four_repeats;
}

std::vector<MeasureRequest> requests_of(const CorpusChoice& choice, const ModelConfig& config) {
  if (choice.draws_tokens) return repeated_requests(config, need_of(choice));
  if (choice.measures == CorpusChoice::Measures::usual) return measure_requests(kUsualMeasures, "measures");
  if (choice.measures == CorpusChoice::Measures::all) return measure_requests("all", "measures");
  if (choice.measures == CorpusChoice::Measures::content) {
    return any_measure_requests(fmt::format("content-dependence:{0},content-dependence-without-first-token:{0}", choice.positions),
                                "measures");
  }
  std::vector<std::string> ids, rest;
  for (const Measure& measure : all_measures()) {  // in the order of the table
    if (!choice.chosen.contains(measure.id)) continue;
    ids.emplace_back(measure.id);
    const bool has_rest = choice.has_rest && measure.of_row != nullptr && measure.id != "first-token";
    if (has_rest) rest.push_back(fmt::format("{}-without-first-token", measure.id));
  }
  if (ids.empty()) return {};
  ids.insert(ids.end(), rest.begin(), rest.end());
  return measure_requests(fmt::format("{}", fmt::join(ids, ",")), "measures");
}

/// In words that end where the model picker begins.
std::string why_not_repeated(const Panel& panel) {
  if (panel.is_sandbox()) return "The sandbox has no vocabulary to draw from. Choose a model.";
  return "This model reads in both directions, so it need not look back for the earlier copy.";
}

EffectJob job_of(const Panel& panel, const CorpusChoice& choice) {
  EffectJob job{.methods = {}, .target = target_over_texts(panel), .top = choice.top};
  if (choice.finds == Finds::patches) job.part = choice.part;
  if (job.part) return job;
  for (const EffectRow& row : effect_rows()) {
    if (choice.methods.contains(row.method)) job.methods.push_back(row.method);
  }
  return job;
}

std::vector<NullKind> nulls_of(const CorpusChoice& choice) {
  std::vector<NullKind> nulls;
  if (choice.has_random_weights) nulls.push_back(NullKind::random_weights);
  if (choice.has_shuffled_tokens) nulls.push_back(NullKind::shuffled_tokens);
  return nulls;
}

/// The settings of measures, and what is found beside them.
void ask_for_measures(Panel& panel, const CorpusChoice& choice, CorpusRequest& request) {
  request.settings.requests = requests_of(choice, request.model->config);
  request.settings.nulls = nulls_of(choice);
  if (!choice.draws_tokens) request.settings.length_edges = *edges_of(choice.lengths);  // draws are of one length
  request.settings.top = choice.top;
  RepeatedColumns& repeated = panel.context.session.repeated_columns();
  choice.has_repeated_tokens && !choice.draws_tokens && can_read_repeated(panel)
      ? repeated.start({request.query, request.model, request.settings.nulls})
      : repeated.rest();
  panel.view.view = View::measures;
}

void ask_for_effects(Panel& panel, const CorpusChoice& choice, CorpusRequest& request) {
  request.effects = job_of(panel, choice);
  if (request.effects->part) {
    request.texts.format.partner_column = choice.columns[static_cast<std::size_t>(partner_of(choice))];
    panel.view.output.sweep = row_of_part(choice.part).kind;
  }
  request.settings = request.effects->settings(request.settings.longest);
  panel.view.output.page = OutputPage::Page::heads;
  panel.view.output.is_over_texts = true;
  panel.view.view = View::output;
}

std::string ending_of(const CorpusChoice& choice) {
  if (choice.finds == Finds::patches) return "-" + std::string(row_of_part(choice.part).name);
  return choice.finds == Finds::effects ? "-effects" : "";
}

/// Empty: every text can have a partner.
std::string why_no_partners(const Panel& panel, const CorpusChoice& choice) {
  const int partner = partner_of(choice);
  if (partner < 0) return "Patches need a .csv or .jsonl with a second column: the texts to take from.";
  if (partner == choice.column && choice.columns.size() > 1) return "The partners are in another column than the texts.";
  if (target_row(target_over_texts(panel).kind).needs_unedited)
    return "Watch a logit, a probability or the loss: kl says nothing of patches.";
  const bool has_two_streams = is_by_position(choice.part) && panel.snapshot->model->config.is_encoder_decoder();
  return has_two_streams ? "An encoder-decoder model has two streams: patch z or maps." : "";
}

}  // namespace

int partner_of(const CorpusChoice& choice) {
  const std::vector<std::string>& columns = choice.columns;
  if (choice.partner >= 0 && choice.partner < std::ssize(columns)) return choice.partner;
  const auto usual = std::find(columns.begin(), columns.end(), "from");
  if (usual != columns.end()) return static_cast<int>(usual - columns.begin());
  return columns.size() < 2 ? -1 : choice.column == 0 ? 1 : 0;
}

const SweepRow& row_of_part(PatchedPart part) {
  return *find_sweep(patch_measures(part)[kPatchChange]);
}

Finds finds_of(const CorpusChoice& choice) {
  return choice.draws_tokens ? Finds::measures : choice.finds;
}

bool is_offered(const Measure& measure) {
  const bool is_plain = measure.need == MeasureNeed::nothing || measure.need == MeasureNeed::tokens;
  return (is_plain && measure.of_row != nullptr) || measure.need == MeasureNeed::outputs;
}

bool can_read_repeated(const Panel& panel) {
  const ModelConfig* config = panel.config();
  return config != nullptr && !panel.is_dump() && !panel.is_sandbox() && config->reads_one_way();
}

fs::path usual_study_file(const Panel& panel, const CorpusChoice& choice) {
  const std::string model = fs::path(short_model_name(panel.draft.query.model.name)).stem().string();
  if (choice.draws_tokens) {
    const Repetition repetition = *repetition_of(need_of(choice));
    return usual_folder(panel, choice) / fmt::format("repeated-{}x{}-{}.study", repetition.distinct, repetition.times, model);
  }
  const std::string texts = texts_of(choice).stem().string();
  return usual_folder(panel, choice) / fmt::format("{}-{}{}.study", texts, model, ending_of(choice));
}

std::string watched_over_texts(const Panel& panel) {
  if (!panel.has_picture() || panel.snapshot->is_dump()) return describe_target(panel.draft.target);
  return describe_over_texts(target_over_texts(panel), panel.snapshot->model->config);
}

int draws_of(const CorpusChoice& choice) {
  return choice.draws.value_or(usual_draws({.requests = {}, .nulls = nulls_of(choice)}));
}

std::string why_not(const Panel& panel, const CorpusChoice& choice) {
  if (panel.is_dump()) return "The maps shown come from a file, which has no other texts. Choose a model first.";
  if (!panel.snapshot || panel.snapshot->query.model != panel.draft.query.model) return "The model is not open yet.";
  if (choice.draws_tokens) return can_read_repeated(panel) ? "" : why_not_repeated(panel);
  if (choice.path.empty()) return "Choose a file of texts.";
  if (!choice.problem.empty()) return "This file cannot be used.";
  if (choice.finds != Finds::measures) {
    if (!panel.snapshot->model->config.has_logits) return "This model predicts no tokens, so no head changes any.";
    if (choice.finds == Finds::patches) return why_no_partners(panel, choice);
    return choice.methods.empty() ? "Choose at least one way to change heads." : "";
  }
  if (!edges_of(choice.lengths)) return "Lengths must increase: 8,16,32.";
  if (choice.measures == CorpusChoice::Measures::chosen && choice.chosen.empty()) return "Choose at least one measure.";
  return {};
}

void start(Panel& panel, const CorpusChoice& choice) {
  CorpusRequest request;
  request.query = panel.draft.query;
  request.model = panel.snapshot->model;
  request.model_digest = panel.context.session.shown_weights();
  request.texts =
      choice.draws_tokens ? StudyTexts{.file = {}, .draws = draws_of(choice)} : StudyTexts{texts_of(choice), format_of_texts(choice)};
  request.file = file_of(panel, choice);
  finds_of(choice) != Finds::measures ? ask_for_effects(panel, choice, request) : ask_for_measures(panel, choice, request);
  panel.context.session.corpora().start(std::move(request));
  panel.view.measures.source = is_of_positions(panel) ? "" : kCorpusSource;
  panel.view.corpus.is_difference_closed = false;
  panel.view.dialogs.corpus = false;
}

}  // namespace headlight

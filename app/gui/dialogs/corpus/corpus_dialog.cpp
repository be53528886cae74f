#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/document/wording.h"
#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/corpus/corpus_dialogs.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/texts_file.h"
#include "app/gui/watching/target_here.h"
#include "app/work/corpora/corpus_columns.h"
#include "app/work/effects/sweep_kinds.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr int kMostExamples = 100;

/// "texts-story-gpt.study", beside the texts.
fs::path usual_file(const Panel& panel, const CorpusChoice& choice) {
  const fs::path texts = texts_of(choice);
  const std::string model = fs::path(short_model_name(panel.draft.query.model.name)).stem().string();
  return texts.parent_path() / fmt::format("{}-{}{}.study", texts.stem().string(), model, choice.finds_effects ? "-effects" : "");
}

fs::path file_of(const Panel& panel, const CorpusChoice& choice) {
  if (choice.file.empty()) return usual_file(panel, choice);
  fs::path file(choice.file);
  if (file.extension() != ".study") file += ".study";
  return file.is_absolute() ? file : texts_of(choice).parent_path() / file;
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

/// Measures that need no parameter.
bool is_offered(const Measure& measure) {
  const bool is_plain = measure.need == MeasureNeed::nothing || measure.need == MeasureNeed::tokens;
  return (is_plain && measure.of_row != nullptr) || measure.need == MeasureNeed::outputs;
}

std::vector<MeasureRequest> requests_of(const CorpusChoice& choice) {
  if (choice.measures == CorpusChoice::Measures::usual) return measure_requests(kUsualMeasures, "measures");
  if (choice.measures == CorpusChoice::Measures::all) return measure_requests("all", "measures");
  if (choice.measures == CorpusChoice::Measures::content) {
    const std::string first = fmt::format("content-dependence:{}", choice.positions);
    return any_measure_requests(first + fmt::format(",content-dependence-without-first-token:{},hidden-mass:first-token", choice.positions),
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
  if (!rest.empty()) rest.emplace_back("hidden-mass:first-token");
  ids.insert(ids.end(), rest.begin(), rest.end());
  return measure_requests(fmt::format("{}", fmt::join(ids, ",")), "measures");
}

void draw_measures(const Look& look, CorpusChoice& choice) {
  int kind = static_cast<int>(choice.measures);
  const std::vector<Choice> kinds{
      {"Usual", "Spread, strongest weight, previous, first and own token, distance, copies, and the first three without the first token."},
      {"All", "Every measure that needs no parameter, each also without the first token."},
      {"Choose", "Those that you switch on below."},
      {"Content", "Content dependence: how much the map of a head differs from text to text. Reads all texts twice."}};
  const Row row = begin_row(look, "Measures", "The numbers of every head. The list of Measures explains each of them.", 36);
  if (segmented(look, row, "Measures", kinds, kind)) {
    choice.measures = static_cast<CorpusChoice::Measures>(kind);
    if (choice.chosen.empty()) choice.chosen = {"normalised-entropy", "previous-token", "first-token"};
  }
  if (choice.measures == CorpusChoice::Measures::content) {
    stepper(look,
            begin_row(look, "Positions compared", "The first so many tokens of every text; shorter texts are listed and left out.", 36),
            "Positions", choice.positions, 2, 1024);
  }
  if (choice.measures != CorpusChoice::Measures::chosen) return;
  ImGui::BeginChild("measures", {0, look.px(5 * kRow)}, ImGuiChildFlags_NavFlattened, ImGuiWindowFlags_NoBackground);
  for (const Measure& measure : all_measures()) {
    if (!is_offered(measure)) continue;
    bool is_on = choice.chosen.contains(measure.id);
    const std::string help(measure.meaning), id(measure.id);
    const Row line = begin_row(look, std::string(measure.title), help.c_str());
    if (!on_off(look, line, ("Measure " + id).c_str(), is_on)) continue;
    if (is_on) choice.chosen.insert(id);
    if (!is_on) choice.chosen.erase(id);
  }
  ImGui::EndChild();
  on_off(
      look,
      begin_row(look, "Also without the first token", "Most heads give much of their weight to the first token; without it they say more."),
      "Without first token", choice.has_rest);
}

std::string watched_over_texts(const Panel& panel) {
  if (!panel.has_picture() || panel.snapshot->is_dump()) return describe_target(panel.draft.target);
  return describe_over_texts(target_over_texts(panel), panel.snapshot->model->config);
}

/// Measures of the maps, or what each head does to the target.
void draw_what(const Panel& panel, CorpusChoice& choice) {
  const std::string watched = watched_over_texts(panel);
  const std::vector<Choice> kinds{
      {"measures", "What the map of each head looks like: spread, previous token, distance and so on."},
      {"effects on the target", "Each head is changed alone, and the target says what that does: " + watched + "."}};
  int kind = choice.finds_effects ? 1 : 0;
  const Row row = begin_row(panel.look, "Find", "What is found of every head.", 36);
  if (segmented(panel.look, row, "Find", kinds, kind)) choice.finds_effects = kind == 1;
  if (choice.finds_effects) paragraph(panel.look, Type::caption, panel.look.colours.text_second, fmt::format("Watched: {}.", watched));
}

void draw_methods(const Look& look, CorpusChoice& choice) {
  for (const EffectRow& row : effect_rows()) {
    bool is_on = choice.methods.contains(row.method);
    const SweepRow& words = row_of(row.method);
    const std::string help(words.help), id(row.measure.id);
    const Row line = begin_row(look, std::string(words.label), help.c_str());
    if (!on_off(look, line, ("Method " + id).c_str(), is_on)) continue;
    is_on ? void(choice.methods.insert(row.method)) : void(choice.methods.erase(row.method));
  }
}

EffectJob job_of(const Panel& panel, const CorpusChoice& choice) {
  EffectJob job{.methods = {}, .target = target_over_texts(panel)};
  for (const EffectRow& row : effect_rows()) {
    if (choice.methods.contains(row.method)) job.methods.push_back(row.method);
  }
  return job;
}

void draw_options_of_measures(const Panel& panel, CorpusChoice& choice) {
  const Look& look = panel.look;
  draw_measures(look, choice);
  stepper(look, begin_row(look, "Examples kept", "For each measure of each head the texts with most of it, which open with one click.", 36),
          "Examples", choice.top, 0, kMostExamples);
  draw_text_row(look, "Lengths apart", "Separate numbers for texts up to each length, in tokens, and for longer ones: 8,16,32.", "Lengths",
                "all lengths together", choice.lengths);
  const std::array<std::string, 2> chances{"random weights", "shuffled tokens"};
  const Row chance = begin_row(look, "What chance gives",
                               "Every number once more where there is nothing to find, and how many deviations from that the head is. Each "
                               "kind takes as long again.",
                               36);
  switch (segmented_many(look, chance, "Chance", chances, {choice.has_random_weights, choice.has_shuffled_tokens})) {
    case 0:
      choice.has_random_weights = !choice.has_random_weights;
      break;
    case 1:
      choice.has_shuffled_tokens = !choice.has_shuffled_tokens;
      break;
    default:
      break;
  }
  const ModelConfig* config = panel.config();
  if (config == nullptr || !config->mask.is_causal || config->is_encoder_decoder()) return;  // nothing was read earlier there
  on_off(
      look,
      begin_row(look, "Repeated random tokens too",
                "Prefix matching, copying, induction by offset and its loss: what heads do where nothing but the repetition can be used. "
                "Columns of the model alone, not in the study's file; with chance, where that is on.",
                36),
      "Repeated random tokens", choice.has_repeated_tokens);
}

void draw_options(const Panel& panel, CorpusChoice& choice) {
  const Look& look = panel.look;
  draw_what(panel, choice);
  choice.finds_effects ? draw_methods(look, choice) : draw_options_of_measures(panel, choice);
  on_off(look, begin_row(look, "Token ids", "The texts are numbers of tokens, separated by blanks or commas.", 36), "Texts are token ids",
         choice.has_ids);
  draw_text_row(look, "Keep in", "Written every few seconds while the texts are measured, and when they are. The file opens again.",
                "Study file", choice.path.empty() ? "a .study file beside the texts" : printable(usual_file(panel, choice).string(), 200),
                choice.file);
}

/// Why it cannot be started; empty: it can.
std::string why_not(const Panel& panel, const CorpusChoice& choice) {
  if (panel.is_dump()) return "The maps shown come from a file, which has no other texts. Choose a model first.";
  if (!panel.snapshot || panel.snapshot->query.model != panel.draft.query.model) return "The model is not open yet.";
  if (choice.path.empty()) return "Choose a file of texts.";
  if (!choice.problem.empty()) return "This file cannot be used.";
  if (choice.finds_effects) {
    if (!panel.snapshot->model->config.has_logits) return "This model predicts no tokens, so no head changes any.";
    return choice.methods.empty() ? "Switch a way to change heads on." : "";
  }
  if (!edges_of(choice.lengths)) return "Lengths rise: 8,16,32.";
  if (choice.measures == CorpusChoice::Measures::chosen && choice.chosen.empty()) return "Switch a measure on.";
  return {};
}

/// The settings of measures, and what is found beside them.
void ask_for_measures(Panel& panel, const CorpusChoice& choice, CorpusRequest& request) {
  request.settings.requests = requests_of(choice);
  if (choice.has_random_weights) request.settings.nulls.push_back(NullKind::random_weights);
  if (choice.has_shuffled_tokens) request.settings.nulls.push_back(NullKind::shuffled_tokens);
  request.settings.length_edges = *edges_of(choice.lengths);
  request.settings.top = choice.top;
  RepeatedColumns& repeated = panel.context.session.repeated_columns();
  const bool reads_one_way = request.model->config.mask.is_causal && !request.model->config.is_encoder_decoder();
  choice.has_repeated_tokens&& reads_one_way ? repeated.start({request.query, request.model, request.settings.nulls}) : repeated.rest();
  panel.view.view = View::measures;
}

void ask_for_effects(Panel& panel, const CorpusChoice& choice, CorpusRequest& request) {
  request.effects = job_of(panel, choice);
  request.settings = request.effects->settings(request.settings.longest);
  panel.view.output.page = OutputPage::Page::heads;
  panel.view.output.is_over_texts = true;
  panel.view.view = View::output;
}

void start(Panel& panel, const CorpusChoice& choice) {
  CorpusRequest request;
  request.query = panel.draft.query;
  request.model = panel.snapshot->model;
  request.model_digest = panel.context.session.shown_weights();
  request.texts = {texts_of(choice), format_of_texts(choice)};
  request.file = file_of(panel, choice);
  choice.finds_effects ? ask_for_effects(panel, choice, request) : ask_for_measures(panel, choice, request);
  panel.context.session.corpora().start(std::move(request));
  panel.view.measures.source = kCorpusSource;
  panel.view.corpus.is_difference_closed = false;
  panel.view.dialogs.corpus = false;
}

/// What is measured with, and the button.
void draw_start(Panel& panel, const CorpusChoice& choice) {
  const Look& look = panel.look;
  const std::string problem = why_not(panel, choice);
  const Row row = begin_row(look, "", nullptr, 36);
  const char* const label = choice.finds_effects ? "Change each head" : "Measure all heads";
  const float width = button_width(look, label);
  const std::string model = printable(short_model_name(panel.draft.query.model.name), 60);
  const char* const what = choice.finds_effects ? "Run" : "Measured";
  const std::string words = !problem.empty() ? problem : fmt::format("{} in {}, with its present edits.", what, model);
  draw_text(look, row.left, row.middle(), Type::caption, look.colours.text_second,
            elided(look, Type::caption, words, row.right - row.left - width - look.px(kBetween)));
  if (main_button(look, label, {row.right - width, row.top}, {width, look.px(kRow)}, problem.empty())) start(panel, choice);
}

}  // namespace

void draw_corpus_dialog(Panel& panel, CorpusChoice& choice) {
  bool& is_open = panel.view.dialogs.corpus;
  if (is_open && !choice.was_open) {
    fs::path& dropped = panel.view.corpus.dropped;
    if (!dropped.empty()) choice.path = dropped.string();
    dropped.clear();
    choice.finds_effects = std::exchange(panel.view.corpus.wants_effects, false);
    choice.listing = list_folders(working_folder(panel, texts_of(choice)));
    choice.looked_at.clear();
    choice.problem.clear();
  }
  choice.was_open = is_open;
  if (!begin_dialog(panel.look, "Measure all heads over a file of texts", 640, is_open)) return;
  draw_texts_choice(panel.look, choice);
  gap(panel.look, kInside);
  draw_options(panel, choice);
  gap(panel.look, kUnit);
  draw_start(panel, choice);
  end_dialog(is_open);
}

}  // namespace headlight

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/document/wording.h"
#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/corpus/corpus_choice.h"
#include "app/gui/dialogs/corpus/corpus_dialogs.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/texts_file.h"
#include "app/work/effects/sweep_kinds.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"
#include "engine/targets/watched.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;
using Finds = CorpusChoice::Finds;

constexpr int kMostExamples = 100, kMostDraws = 10'000;

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

/// Measures of the maps, or what each head does to the target.
void draw_what(const Panel& panel, CorpusChoice& choice) {
  const std::string watched = watched_over_texts(panel);
  const std::vector<Choice> kinds{
      {"measures", "What the map of each head looks like: spread, previous token, distance and so on."},
      {"effects on the target", "Each head is changed alone, and the target says what that does: " + watched + "."},
      {"patches",
       "Each text is patched from its partner in another column, place by place, and the target says where what differs is "
       "carried: " +
           watched + "."}};
  int kind = static_cast<int>(choice.finds);
  const Row row = begin_row(panel.look, "Find", "What is found of every head, or place.", 36);
  if (segmented(panel.look, row, "Find", kinds, kind)) choice.finds = static_cast<Finds>(kind);
  if (choice.finds != Finds::measures)
    paragraph(panel.look, Type::caption, panel.look.colours.text_second, fmt::format("Watched: {}.", watched));
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

/// Which column the texts are patched from, and what is taken from there.
void draw_patches(const Look& look, CorpusChoice& choice) {
  int partner = partner_of(choice);
  if (partner >= 0) {
    const Row row = begin_row(look, "Partners",
                              "The column or field of the texts that are patched from. A partner has as many tokens as its text.", 36);
    if (drop_down(look, row, "Partners", choice.columns, partner)) choice.partner = partner;
  }
  std::vector<Choice> parts;
  for (const PatchedPart part : kEveryValue<PatchedPart>) {
    const SweepRow& row = row_of_part(part);
    parts.push_back({std::string(row.label), std::string(find_patch_measure(row.name)->meaning)});
  }
  int chosen = static_cast<int>(choice.part);
  const Row row = begin_row(look, "Patch", "What is taken from the partner, one place at a time.", 36);
  if (drop_down(look, row, "Patch", parts, chosen)) choice.part = static_cast<PatchedPart>(chosen);
  paragraph(look, Type::caption, look.colours.text_second, parts[static_cast<std::size_t>(chosen)].help);
}

void draw_examples_kept(const Look& look, CorpusChoice& choice) {
  const char* const help = choice.finds == Finds::measures
                               ? "For each measure of each head the texts with most of it, which open with one click."
                               : "For each head, or place, the texts in which it changes the target most, which open with one click.";
  stepper(look, begin_row(look, "Examples kept", help, 36), "Examples", choice.top, 0, kMostExamples);
}

void draw_chance(const Look& look, CorpusChoice& choice) {
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
}

void draw_options_of_measures(const Panel& panel, CorpusChoice& choice) {
  const Look& look = panel.look;
  draw_measures(look, choice);
  draw_examples_kept(look, choice);
  draw_text_row(look, "Lengths apart", "Separate numbers for texts up to each length, in tokens, and for longer ones: 8,16,32.", "Lengths",
                "all lengths together", choice.lengths);
  draw_chance(look, choice);
  if (!can_read_repeated(panel)) return;
  on_off(look,
         begin_row(look, "Repeated random tokens too",
                   "Their four measures as columns beside those of the texts, not in the study's file; with chance, where that is on.", 36),
         "Repeated random tokens", choice.has_repeated_tokens);
}

void draw_keeping(const Look& look, const std::string& usual, CorpusChoice& choice) {
  draw_text_row(look, "Keep in", "Saved every few seconds during the run, and at the end. It can be opened again.", "Study file", usual,
                choice.file);
}

/// Of a file of texts.
void draw_options(const Panel& panel, CorpusChoice& choice) {
  const Look& look = panel.look;
  draw_what(panel, choice);
  if (choice.finds == Finds::effects) draw_methods(look, choice);
  if (choice.finds == Finds::patches) draw_patches(look, choice);
  if (choice.finds == Finds::measures) draw_options_of_measures(panel, choice);
  if (choice.finds != Finds::measures) draw_examples_kept(look, choice);
  on_off(look, begin_row(look, "Token ids", "The texts are numbers of tokens, separated by blanks or commas.", 36), "Texts are token ids",
         choice.has_ids);
  draw_keeping(look, choice.path.empty() ? "a .study file beside the texts" : printable(usual_study_file(panel, choice).string(), 200),
               choice);
}

/// Of random tokens.
void draw_repeated_options(const Panel& panel, CorpusChoice& choice) {
  const Look& look = panel.look;
  const std::vector<Choice> kinds{{"25 tokens, four times", "Prefix matching, and copying where the model predicts tokens."},
                                  {"50 tokens, twice", "Induction by offset, and its loss where the model predicts tokens."}};
  int kind = choice.repeats_twice ? 1 : 0;
  const Row row = begin_row(look, "Repeated", "How many random tokens, and how often they repeat. Each form has its own measures.", 36);
  if (segmented(look, row, "Repeated", kinds, kind)) choice.repeats_twice = kind == 1;
  paragraph(look, Type::caption, look.colours.text_second, kinds[static_cast<std::size_t>(kind)].help);
  int draws = draws_of(choice);
  constexpr const char* kHelp =
      "How many random sequences to draw. The numbers are means over them. 4, and beside chance 20, unless you choose.";
  if (stepper(look, begin_row(look, "Draws", kHelp, 36), "Draws", draws, 2, kMostDraws)) choice.draws = draws;
  draw_examples_kept(look, choice);
  draw_chance(look, choice);
  draw_keeping(look, printable(usual_study_file(panel, choice).string(), 200), choice);
}

/// Texts of a file, or random tokens.
void draw_source(const Look& look, CorpusChoice& choice) {
  const std::vector<Choice> kinds{
      {"a file of texts", "A .txt, .csv or .jsonl file."},
      {"repeated random tokens", "What heads do where nothing but the repetition can be used: induction and copying."}};
  int kind = choice.draws_tokens ? 1 : 0;
  const Row row = begin_row(look, "Measure on", "What the model reads while its heads are measured.", 36);
  if (segmented(look, row, "Measure on", kinds, kind)) choice.draws_tokens = kind == 1;
}

/// What is measured with, and the button.
void draw_start(Panel& panel, const CorpusChoice& choice) {
  const Look& look = panel.look;
  const std::string problem = why_not(panel, choice);
  const Row row = begin_row(look, "", nullptr, 36);
  const Finds finds = finds_of(choice);
  const bool is_of_effects = finds != Finds::measures;
  const char* const label = finds == Finds::patches   ? "Patch each place"
                            : finds == Finds::effects ? "Change each head"
                                                      : "Measure all heads";
  const float width = button_width(look, label);
  const std::string model = printable(short_model_name(panel.draft.query.model.name), 60);
  const char* const what = is_of_effects ? "Run" : "Measured";
  const char* const edits = has_edits(panel.draft.query) ? ", with its present edits" : "";
  const std::string words = !problem.empty() ? problem : fmt::format("{} in {}{}.", what, model, edits);
  draw_text(look, row.left, row.middle(), Type::caption, look.colours.text_second,
            elided(look, Type::caption, words, row.right - row.left - width - look.px(kBetween)));
  if (main_button(look, label, {row.right - width, row.top}, {width, look.px(kRow)}, problem.empty())) start(panel, choice);
}

}  // namespace

void draw_corpus_dialog(Panel& panel, CorpusChoice& choice) {
  bool& is_open = panel.view.dialogs.corpus;
  if (is_open && !choice.was_open) {
    fs::path& dropped = panel.view.corpus.dropped;
    const bool was_dropped = !dropped.empty();
    if (was_dropped) choice.path = dropped.string();
    dropped.clear();
    const std::optional<PatchedPart> part = row_of(panel.view.output.sweep).part;
    choice.finds = !panel.view.corpus.wants_effects ? Finds::measures : part ? Finds::patches : Finds::effects;
    if (choice.finds == Finds::patches) choice.part = *part;
    panel.view.corpus.wants_effects = false;
    choice.draws_tokens = choice.draws_tokens && choice.finds == Finds::measures && !was_dropped;
    choice.listing = list_folders(working_folder(panel, texts_of(choice)));
    choice.looked_at.clear();
    choice.problem.clear();
  }
  choice.was_open = is_open;
  if (!begin_dialog(panel.look, "Measure many texts", 640, is_open)) return;
  draw_source(panel.look, choice);
  if (choice.draws_tokens) {
    draw_repeated_options(panel, choice);
  } else {
    draw_texts_choice(panel.look, choice);
    gap(panel.look, kInside);
    draw_options(panel, choice);
  }
  gap(panel.look, kUnit);
  draw_start(panel, choice);
  end_dialog(is_open);
}

}  // namespace headlight

#include "app/gui/corpus/corpus_card.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "app/document/amounts.h"
#include "app/document/wording.h"
#include "app/gui/columns/shown_columns.h"
#include "app/gui/commands/corpus_commands.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/work/corpora/corpus_columns.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/core/error.h"
#include "engine/core/numbers.h"
#include "engine/measures/head_label.h"
#include "engine/studies/study_tables.h"
#include "engine/targets/effect.h"
#include "engine/targets/patches.h"
#include "engine/text/line_breaks.h"

namespace headlight {
namespace {

/// What the section shows: a measure of a head.
struct ShownCell {
  const StoredStudy& stored;
  std::size_t head, number;
  MeasureRequest request;
  std::shared_ptr<const StudyCell> cell;
};

bool is_drawn(const ShownCell& shown) {
  return drawn_texts(shown.stored.manifest) > 0;
}

/// The measure that the inspector explains; nullopt: the study has another one alone.
std::optional<std::size_t> number_of(Panel& panel, const StoredStudy& stored) {
  const ShownColumns columns = shown_columns(panel);
  const HeadColumn* column = explained_column(panel.view.measures, columns);
  const std::vector<std::string>& measures = stored.manifest.measures;
  const auto found = column == nullptr ? measures.end() : std::find(measures.begin(), measures.end(), column->id);
  return found == measures.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - measures.begin()));
}

/// Which measure: a list that drops down.
void choose_measure(Panel& panel, const StoredStudy& stored, std::size_t number) {
  std::vector<std::string> titles;
  for (std::size_t each = 0; each < numbers_of_heads(stored.manifest); ++each)
    titles.push_back(title_of(study_request(stored.manifest.measures[each], "study")));
  int chosen = static_cast<int>(number);
  const Row row = begin_row(panel.look, "", "The measure whose numbers and texts are listed here.");
  if (drop_down(panel.look, row, "Corpus measure", titles, chosen))
    panel.view.measures.explained = stored.manifest.measures[static_cast<std::size_t>(chosen)];
}

void draw_mean(const Look& look, const ShownCell& shown) {
  const auto text = [&](double value) { return measure_text(*shown.request.measure, value); };
  number_row(look, "mean", text(shown.cell->sum.mean()), "Of the values of the texts, each of which counts once.");
  number_row(look, "standard error", standard_error_text(shown.cell->sum.standard_error()), "Of the mean: sd / √n with n − 1 in sd.");
}

void draw_spread(const Look& look, const ShownCell& shown) {
  const Measure& measure = *shown.request.measure;
  const CellNumbers numbers = numbers_of(*shown.cell, measure);
  const auto text = [&](std::size_t place) { return quantile_text(measure, numbers.quantiles[place]); };
  number_row(look, is_drawn(shown) ? "draws (n)" : "texts (n)", grouped(numbers.n), "In which the measure has a value for this head.");
  if (numbers.n == 0) return;
  const std::string bins = bins_text(measure);
  number_row(look, "5 % … 95 %", fmt::format("{} … {}", text(0), text(numbers.quantiles.size() - 1)),
             ("Nine in ten texts lie between these, " + bins).c_str());
  number_row(look, "quartiles", fmt::format("{} · {} · {}", text(1), text(2), text(3)),
             ("A quarter, half and three quarters of the texts lie below these, " + bins).c_str());
}

/// "up to 8", "9 to 16", "over 16" tokens.
std::string length_name(const StudyManifest& manifest, std::size_t length) {
  const std::vector<Index>& edges = manifest.length_edges;
  if (length == edges.size()) return fmt::format("over {} tokens", edges.back());
  return length == 0 ? fmt::format("up to {} tokens", edges[0]) : fmt::format("{} to {} tokens", edges[length - 1] + 1, edges[length]);
}

void draw_lengths(const Look& look, const ShownCell& shown) {
  if (shown.stored.study.lengths() < 2) return;
  gap(look, kInside);
  for (std::size_t length = 0; length < shown.stored.study.lengths(); ++length) {
    const ExactSum& sum = shown.stored.study.cell(length, shown.head, shown.number).sum;
    const std::string error = sum.count < 2 ? std::string() : " ± " + standard_error_text(sum.standard_error());
    number_row(look, length_name(shown.stored.manifest, length), measure_text(*shown.request.measure, sum.mean()) + error,
               fmt::format("{} texts of this length: mean ± standard error.", grouped(sum.count)).c_str());
  }
}

std::string help_of_example(const ShownCell& shown, const TopExample& example, const std::string& text) {
  const std::string cell = example.query < 0 || example.key < 0
                               ? std::string()
                               : fmt::format("\nStrongest: query {} → key {}, weight {}.", example.query, example.key,
                                             weight_text(static_cast<double>(example.weight)));
  return fmt::format("{}\n{} {}.{}\nClick to see this head on it.", text, is_drawn(shown) ? "Draw" : "Line", example.line, cell);
}

/// A text with its value; pressing it shows the head on it.
void draw_example(Panel& panel, HeadId head, const ShownCell& shown, std::size_t place) {
  const Look& look = panel.look;
  const TopExample& example = shown.cell->top[place];
  const Row row = begin_row(look, "", nullptr, kRow);
  const Press press =
      press_area_in_list(fmt::format("Example {}", place).c_str(), {row.left, row.top}, {row.right - row.left, row.height}, place == 0);
  const std::string value = measure_text(*shown.request.measure, example.value);
  const std::string text = printable(on_one_line(text_of_example(panel, shown.stored.manifest, example)), 400);
  if (press.is_hovered) {
    fill(look, {row.left - look.px(kInside), row.top}, {row.right + look.px(kInside), row.top + row.height}, look.colours.raised);
  }
  if (press.is_hovered) hint(look, help_of_example(shown, example, text).c_str());
  const float room = row.right - row.left - text_width(look, Type::number, value) - look.px(kBetween);
  draw_text(look, row.left, row.middle(), Type::body, look.colours.text, elided(look, Type::body, text, room));
  draw_text(look, row.right, row.middle(), Type::number, look.colours.value, value, AlignX::right);
  if (press.is_clicked) show_corpus_example(panel, head, example);
}

void draw_examples(Panel& panel, HeadId head, const ShownCell& shown) {
  const Look& look = panel.look;
  gap(look, kInside);
  const char* const texts = is_effect(shown.request.id) ? "Texts in which the target changes most, and by how much"
                            : is_drawn(shown)           ? "Draws with most of it"
                                                        : "Texts with most of it";
  text_line(look, Type::caption, look.colours.text_second, texts);
  if (shown.stored.manifest.top == 0) {
    text_line(look, Type::caption, look.colours.text_second, "This study kept no examples.");
  } else if (shown.cell->top.empty()) {
    text_line(look, Type::caption, look.colours.text_second, "None: it has no value in any text.");
  }
  for (std::size_t place = 0; place < shown.cell->top.size(); ++place) draw_example(panel, head, shown, place);
}

/// Of the explained measure; nullopt: the study has none of it.
std::optional<ShownCell> cell_of(Panel& panel, const std::shared_ptr<const StoredStudy>& stored, HeadId head, bool takes_first) {
  std::optional<std::size_t> number = number_of(panel, *stored);
  if (!number && takes_first && !stored->manifest.measures.empty()) number = 0;
  if (!number) return std::nullopt;
  const std::size_t place = *place_in(stored->study, head);
  return ShownCell{*stored, place, *number, study_request(stored->manifest.measures[*number], "study"),
                   merged_cell(panel, stored, place, *number)};
}

}  // namespace

bool has_corpus_card(const Panel& panel, HeadId head) {
  return panel.view.measures.source == kCorpusSource && corpus_of(panel, head) != nullptr;
}

void draw_corpus_card(Panel& panel, HeadId head, bool is_dense) {
  const Look& look = panel.look;
  const std::shared_ptr<const StoredStudy> stored = corpus_of(panel, head);
  if (!stored) return;
  const std::string name = stored->manifest.corpus.empty() ? "one text" : printable(stored->manifest.corpus, 60);
  const std::string heading = fmt::format("Head {} on {}", short_name(*panel.snapshot, head), name);
  text_line(look, Type::heading, look.colours.text_second, elided_middle(look, Type::heading, heading, ImGui::GetContentRegionAvail().x));
  const std::optional<ShownCell> shown = cell_of(panel, stored, head, true);
  if (!shown) return;
  choose_measure(panel, *stored, shown->number);
  draw_mean(look, *shown);
  draw_spread(look, *shown);
  if (auto label = label_of(shown->request, shown->cell->sum.mean(), shown->cell->sum.count)) {
    if (!is_drawn(*shown)) label->of = stored->manifest.corpus;
    paragraph(look, Type::caption, look.colours.text, label->text());
  }
  if (!is_dense) draw_lengths(look, *shown);
  draw_examples(panel, head, *shown);
}

void draw_corpus_details(Panel& panel, HeadId head) {
  if (!has_corpus_card(panel, head)) return;
  const std::shared_ptr<const StoredStudy> stored = corpus_of(panel, head);
  const std::optional<ShownCell> shown = cell_of(panel, stored, head, false);
  if (!shown) return;
  draw_spread(panel.look, *shown);
  draw_lengths(panel.look, *shown);
  draw_examples(panel, head, *shown);
}

}  // namespace headlight

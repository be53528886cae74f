// The texts of a study in which a head, or a place that is patched, changes the target most; one click opens one.
#include <fmt/core.h>

#include "app/document/wording.h"
#include "app/gui/commands/corpus_commands.h"
#include "app/gui/kit/items.h"
#include "app/gui/kit/shapes.h"
#include "app/gui/views/output/shown_effects.h"
#include "app/gui/watching/target_here.h"
#include "engine/core/error.h"
#include "engine/text/line_breaks.h"

namespace headlight {
namespace {

/// Whose texts are listed: a place of the study, and the head that is opened on them.
struct Examined {
  std::size_t place = 0;
  HeadId head;
  std::string name;
};

void draw_text_of(Panel& panel, const StoredStudy& stored, const Examined& examined, const TopExample& example, std::size_t rank) {
  const Look& look = panel.look;
  const Row row = begin_row(look, "", nullptr, kNumberRow);
  const Press press =
      press_area_in_list(fmt::format("Text {}", rank).c_str(), {row.left, row.top}, {row.right - row.left, row.height}, rank == 0);
  const std::string text = printable(on_one_line(text_of_example(panel, stored.manifest, example)), 400);
  const std::string change = target_number(example.value);
  draw_mark(look, {row.left, row.top, row.right - row.left, row.height}, look.colours.accent,
            press.is_hovered ? Mark::hovered : Mark::none);
  if (press.is_hovered)
    hint(look,
         fmt::format("{}\nLine {}: the target changes by {}, up or down.\nClick to open this text.", text, example.line, change).c_str());
  const float room = row.right - row.left - text_width(look, Type::number, change) - look.px(kBetween);
  draw_text(look, row.left + look.px(kUnit), row.middle(), Type::body, look.colours.text, elided(look, Type::body, text, room));
  draw_text(look, row.right - look.px(kUnit), row.middle(), Type::number, look.colours.text, change, AlignX::right);
  if (press.is_clicked) show_corpus_example(panel, examined.head, example);
}

void draw_texts_of(Panel& panel, const std::shared_ptr<const StoredStudy>& stored, const Examined& examined, std::size_t number) {
  const Look& look = panel.look;
  const std::shared_ptr<const StudyCell> cell = merged_cell(panel, stored, examined.place, number);
  text_line(look, Type::heading, look.colours.text_second, fmt::format("Texts in which {} changes the target most", examined.name));
  for (std::size_t rank = 0; rank < cell->top.size(); ++rank) draw_text_of(panel, *stored, examined, cell->top[rank], rank);
  gap(look, kUnit);
}

}  // namespace

void draw_effect_texts(Panel& panel, const ShownEffects& effects) {
  const std::shared_ptr<const StoredStudy> stored = corpus_of(panel, panel.view.head);
  if (!stored || stored->manifest.top == 0) return;
  const std::size_t number = effects.patches ? kPatchChange : effects.chosen;
  draw_texts_of(panel, stored, {*place_in(stored->study, panel.view.head), panel.view.head, short_name(*panel.snapshot, panel.view.head)},
                number);
}

void draw_place_texts(Panel& panel) {
  const std::shared_ptr<const MeasuredCorpus>& shown = panel.context.session.corpora().shown();
  if (!shown || !shown->stored || shown->stored->manifest.top == 0) return;
  const std::optional<HeadId>& chosen = panel.view.output.chosen_place;
  if (!chosen)
    return paragraph(panel.look, Type::caption, panel.look.colours.text_second,
                     "Click a place to list the texts in which it changes the target most.");
  const std::optional<std::size_t> place = place_in(shown->stored->study, *chosen);
  if (!place || chosen->layer >= panel.snapshot->layers()) return;
  const int head = chosen->layer == panel.view.head.layer ? panel.view.head.head : 0;
  draw_texts_of(panel, shown->stored, {*place, {chosen->layer, head}, fmt::format("{} @ {}", chosen->layer, chosen->head)}, kPatchChange);
}

}  // namespace headlight

// Whose numbers the inspector shows beside each view, where that is not simply the chosen head.
#include <algorithm>
#include <vector>

#include "app/gui/panel/choices.h"
#include "app/gui/panel/shown_figure.h"
#include "app/gui/views/views.h"

namespace headlight {

ComparedHead inspected_in_overview(const Panel& panel) {
  const Pointed& pointed = panel.view.pointed;
  return {pointed.cell && pointed.head ? *pointed.head : panel.view.head};
}

ComparedHead inspected_in_head(const Panel& panel) {
  switch (shown_moment(panel)) {
    case Moment::now:
      return {.head = panel.view.head};
    case Moment::before:
      return {.head = panel.view.head, .of = baseline_run(panel), .subject = "before"};
    case Moment::difference:
      return {.head = panel.view.head, .subject = "now"};
  }
  return {.head = panel.view.head};
}

ComparedHead chosen_card(const Panel& panel) {
  std::vector<ComparedHead> cards = shown_figure(panel, kCompareFigure).heads;
  std::erase_if(cards, [&](const ComparedHead& card) { return !run_of(card, *panel.snapshot).contains(card.head); });
  if (cards.empty()) return {panel.view.head};
  const auto is_chosen = [&](const ComparedHead& card) { return card.head == panel.view.head; };
  const auto is_present = [&](const ComparedHead& card) { return is_chosen(card) && (!card.of || card.of == panel.snapshot); };
  auto card = std::find_if(cards.begin(), cards.end(), is_present);
  if (card == cards.end()) card = std::find_if(cards.begin(), cards.end(), is_chosen);
  return card == cards.end() ? cards.front() : *card;
}

ComparedHead inspected_in_compare(const Panel& panel) {
  const Pointed& pointed = panel.view.pointed;
  const auto is_there = [&](const ComparedHead& head) { return run_of(head, *panel.snapshot).contains(head.head); };
  if (pointed.map && is_there(*pointed.map)) return *pointed.map;
  if (pointed.pictured && !pointed.pictured->numbers->columns.empty()) {  // a difference speaks of the head that is subtracted from
    const FigureRequest shown = shown_figure(panel, kCompareFigure);
    if (shown.difference && is_there(shown.heads[shown.difference->left])) return shown.heads[shown.difference->left];
  }
  return chosen_card(panel);
}

ComparedHead inspected_in_output(const Panel& panel) {
  // Predictions follow the decoder's text: a head of the encoder has no row for them.
  const HeadId chosen = panel.view.head;
  const Snapshot& snapshot = *panel.snapshot;
  const bool is_of_encoder = snapshot.decoder_encoding && query_side(snapshot, chosen.layer) != Side::decoder;
  if (!is_of_encoder || snapshot.is_dump()) return {chosen};
  const int last = snapshot.layers() - 2;  // the decoder's own attention; cross-attention follows it
  return {{last, std::min(chosen.head, snapshot.heads(last) - 1)}};
}

}  // namespace headlight

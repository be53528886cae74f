// Whose numbers the inspector shows beside each view, where that is not simply the chosen head.
#include <algorithm>

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

ComparedHead inspected_in_compare(const Panel& panel) {
  const std::optional<ComparedHead>& pointed = panel.view.pointed.map;
  const bool is_on_card = pointed && run_of(*pointed, *panel.snapshot).contains(pointed->head);
  return is_on_card ? *pointed : ComparedHead{panel.view.head};
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

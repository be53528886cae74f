#include "app/gui/commands/show_example.h"

#include "app/gui/panel/choices.h"
#include "app/gui/panel/relations.h"
#include "engine/model/files/model_places.h"

namespace headlight {

void show_card_head(Panel& panel, const CardHead& told) {
  panel.draft.query.text = told.text;
  panel.draft.query.text_pair.reset();
  panel.view.head = told.head;
  panel.view.view = View::head;
  panel.view.head_page.stage = Stage::weights;
  panel.view.head_page.zoom = {};
  panel.view.pinned_query = TokenPlace{Side::text, told.query};
  panel.view.notes.closed_example = told.text;  // the relations of the same sentence would distract from this head
}

namespace {

/// Its heads were trained, and may look at what comes later.
bool can_see_relations(const Panel& panel) {
  const ModelConfig* config = panel.config();
  return config != nullptr && !panel.is_dump() && !panel.snapshot->model->is_random && !config->mask.is_causal;
}

}  // namespace

void show_example(Panel& panel, const Example& example) {
  if (!can_see_relations(panel) && find_built_in_model(example.model)) choose_model(panel, example.model);
  panel.draft.query.text = example.text;
  panel.draft.query.text_pair.reset();
  panel.view.notes.closed_example.clear();
  panel.view.notes.closed_ranking.clear();
  panel.view.notes.wants_head_of = example.text;
  panel.view.notes.wants_head_in = panel.view.view.name;
}

void settle_example(Panel& panel) {
  std::string& wanted = panel.view.notes.wants_head_of;
  if (wanted.empty()) return;
  const bool is_elsewhere = panel.view.view.name != panel.view.notes.wants_head_in;
  if (is_elsewhere || panel.draft.query.text != wanted) return wanted.clear();
  const bool is_shown = panel.has_picture() && panel.snapshot->query == panel.draft.query;
  if (!is_shown) {
    if (panel.status.error && !panel.status.is_busy) wanted.clear();
    return;
  }
  if (panel.snapshot->is_dump() || panel.snapshot->decoder_encoding) return wanted.clear();  // heads are not ranked
  const std::shared_ptr<const Ranking> ranking = ranking_of_example(panel);
  if (!ranking) return;
  wanted.clear();
  if (ranking->together.empty()) return;
  panel.view.head = ranking->together.front().head;
  panel.view.view = View::head;
  panel.view.head_page.stage = Stage::weights;
  panel.view.head_page.zoom = {};
  panel.view.pinned_query.reset();
}

}  // namespace headlight

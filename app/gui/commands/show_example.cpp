#include "app/gui/commands/show_example.h"

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

void show_example(Panel& panel, const Example& example) {
  panel.draft.query.text = example.text;
  panel.draft.query.text_pair.reset();
  panel.view.notes.closed_example.clear();
}

}  // namespace headlight

#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/corpus/corpus_dialogs.h"
#include "app/gui/dialogs/dialog.h"
#include "app/gui/dialogs/texts_file.h"

namespace headlight {
namespace {

using TextsFor = OpenDialogs::TextsFor;

/// Hands the file to whoever asked for it.
void take(Panel& panel, const OtherTextsChoice& choice) {
  if (panel.view.dialogs.texts == TextsFor::sweep) {
    panel.view.output.texts = {texts_of(choice), column_of_texts(choice), choice.has_ids};
  } else {
    InterveneEntry& entry = panel.view.rails.intervene;
    entry.texts = texts_of(choice).string();
    entry.texts_column = column_of_texts(choice);
    entry.problem.clear();
  }
}

}  // namespace

void draw_other_texts_dialog(Panel& panel, OtherTextsChoice& choice) {
  bool is_open = panel.view.dialogs.texts != TextsFor::nobody;
  if (is_open && !choice.was_open) {
    choice.listing = list_folders(working_folder(panel, texts_of(choice)));
    choice.looked_at.clear();
    choice.problem.clear();
  }
  choice.was_open = is_open;
  if (!begin_dialog(panel.look, "Choose a file of texts", 640, is_open)) {
    panel.view.dialogs.texts = is_open ? panel.view.dialogs.texts : TextsFor::nobody;
    return;
  }
  const Look& look = panel.look;
  draw_texts_choice(look, choice);
  gap(look, kUnit);
  paragraph(look, Type::caption, look.colours.text_second,
            "The texts are run once by this model, and z of each head is kept: its mean at each position, or that of one of them.");
  const Row row = begin_row(look, "", nullptr, 36);
  constexpr const char* kTake = "Take these texts";
  const float width = button_width(look, kTake);
  const bool can_take = !choice.path.empty() && choice.problem.empty();
  if (main_button(look, kTake, {row.right - width, row.top}, {width, look.px(kRow)}, can_take)) {
    take(panel, choice);
    is_open = false;
  }
  end_dialog(is_open);
  if (!is_open) panel.view.dialogs.texts = TextsFor::nobody;
}

}  // namespace headlight

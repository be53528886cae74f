#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/corpus/corpus_dialogs.h"
#include "app/gui/dialogs/texts_file.h"

namespace headlight {

void draw_text_row(const Look& look, const char* label, const char* help, const char* name, const std::string& placeholder,
                   std::string& text) {
  const Row row = begin_row(look, label, help, 36);
  const float left = row.left + look.px(kControlColumn);
  text_box(look, name, placeholder.c_str(), text, {left, row.top + look.px(kInside)}, row.right - left, kRow);
}

void draw_texts_choice(const Look& look, TextsFile& choice) {
  if (const auto pressed = draw_file_browser(look, choice.listing, choice.listing.texts, "texts", 5)) choice.path = pressed->string();
  draw_text_row(look, "Texts", ".txt: a text a line. .csv: a column of a table. .jsonl: a field of the object on each line.", "Texts path",
                "a .txt, .csv or .jsonl file", choice.path);
  look_at_texts(choice);
  if (!choice.problem.empty()) paragraph(look, Type::caption, look.colours.bad, choice.problem);
  if (choice.columns.size() > 1) {
    const Row row = begin_row(look, "Column", "Which column or field holds the texts.", 36);
    drop_down(look, row, "Column", choice.columns, choice.column);
  }
}

}  // namespace headlight

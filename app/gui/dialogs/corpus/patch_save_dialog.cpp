#include <array>
#include <string>

#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/corpus/corpus_dialogs.h"
#include "app/gui/dialogs/dialog.h"
#include "engine/formats/json.h"
#include "engine/studies/importance/patch_report.h"

namespace headlight {
namespace {

constexpr std::array<std::string_view, 2> kPatchEndings{".csv", ".json"};

}  // namespace

void draw_patch_save_dialog(Panel& panel, NumbersSaving& saving) {
  std::shared_ptr<const SweepFound>& found = panel.view.output.patches_to_save;
  bool is_open = found != nullptr;
  if (is_open && !saving.was_open) {
    saving.listing = list_folders(working_folder(panel, {}));
    saving.path = "this-text-patches.csv";
    saving.asked.clear();
  }
  saving.was_open = is_open;
  if (!begin_dialog(panel.look, "Save the patches", 640, is_open)) return found.reset();
  const Look& look = panel.look;
  std::vector<std::string> tables = saving.listing.texts;
  std::erase_if(tables, [](const std::string& name) { return !name.ends_with(".csv"); });
  const auto [target, is_pressed] = draw_wanted_file(look, saving, kPatchEndings, tables, "tables");
  if (saving.asked == target) draw_replace_question(look, target, "Save");
  if (is_pressed && may_write(target, saving.asked)) {
    const PatchSweep& patches = *patches_of(*found, found->request.kinds.front());
    const bool is_json = target.extension() == ".json";
    panel.context.session.exporter().write_text(
        is_json ? json_text(patch_json(patches, to_text(found->request.target)), 2) + "\n" : patch_csv(patches), target);
    is_open = false;
  }
  gap(look, kUnit);
  paragraph(look, Type::caption, look.colours.text_second,
            "The ending says what it is: .csv, a line for each patch, or .json; both as `headlight patch` writes them: the target with the "
            "patch, and the share of the difference that comes back.");
  if (!is_open) found.reset();
  end_dialog(is_open);
}

}  // namespace headlight

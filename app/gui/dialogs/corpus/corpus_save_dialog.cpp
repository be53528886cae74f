#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "app/document/amounts.h"
#include "app/gui/browsing/file_browser.h"
#include "app/gui/dialogs/corpus/corpus_dialogs.h"
#include "app/gui/dialogs/dialog.h"
#include "engine/core/error.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kEndings{".study", ".csv", ".jsonl", ".npy", ".sqlite", ".db"};
constexpr std::array<std::string_view, 3> kPatchStudyEndings{".study", ".csv", ".json"};

std::string usual_name(const StudyManifest& manifest) {
  const std::string corpus = fs::path(manifest.corpus).stem().string();
  const char* const what = patched_part_of(manifest) ? "-patches.csv" : manifest.target.empty() ? "-heads.csv" : "-effects.csv";
  return (corpus.empty() ? "this-text" : corpus) + what;
}

}  // namespace

WantedFile draw_wanted_file(const Look& look, NumbersSaving& saving, std::span<const std::string_view> endings,
                            const std::vector<std::string>& files, const char* kind) {
  if (const auto pressed = draw_file_browser(look, saving.listing, files, kind, 5)) saving.path = pressed->filename().string();
  const Row row = begin_row(look, "", nullptr, 36);
  const float width = button_width(look, "Save");
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  text_box(look, "Study path", "Name of the file", saving.path, {row.left, row.top}, row.right - row.left - width - look.px(kUnit), kRow);
  const bool is_returned = is_entered();
  const bool is_pressed = main_button(look, "Save", {row.right - width, row.top}, {width, look.px(kRow)}, !saving.path.empty());
  fs::path path = (saving.listing.folder / saving.path).lexically_normal();
  if (std::find(endings.begin(), endings.end(), path.extension().string()) == endings.end()) path += endings.front();
  return {std::move(path), (is_pressed || is_returned) && !saving.path.empty()};
}

void draw_corpus_save_dialog(Panel& panel, CorpusSaving& saving) {
  bool& is_open = panel.view.dialogs.corpus_save;
  CorpusStudies& corpora = panel.context.session.corpora();
  const std::shared_ptr<const MeasuredCorpus> shown = corpora.shown();
  std::shared_ptr<const StoredStudy>& other = panel.view.corpus.to_save;
  const std::shared_ptr<const StoredStudy> stored = other ? other : shown ? shown->stored : nullptr;
  if (!stored) is_open = false;
  if (is_open && !saving.was_open) {
    const bool is_of_request = !other && corpora.request() != nullptr;
    const fs::path beside = !other && !shown->file.empty() ? shown->file : is_of_request ? corpora.request()->texts.file : fs::path();
    saving.listing = list_folders(working_folder(panel, beside));
    saving.path = usual_name(stored->manifest);
    saving.asked.clear();
  }
  saving.was_open = is_open;
  if (!is_open) other.reset();
  if (!stored || !begin_dialog(panel.look, "Save what was measured", 640, is_open)) return;
  const Look& look = panel.look;
  const bool is_of_patches = patched_part_of(stored->manifest).has_value();
  const auto endings = is_of_patches ? std::span<const std::string_view>(kPatchStudyEndings) : kEndings;
  const auto [target, is_pressed] = draw_wanted_file(look, saving, endings, saving.listing.studies, "studies");
  const std::string ending = target.extension().string();
  const bool may_have_details = !is_of_patches && (ending == ".csv" || ending == ".npy");
  if (may_have_details) {
    on_off(
        look,
        begin_row(look, "With details", "Of every number also how many texts, its standard error and its quantiles, read from 256 bins."),
        "Details", saving.has_details);
  }
  std::error_code ignored;
  const bool replaces_texts = corpora.request() != nullptr && fs::equivalent(target, corpora.request()->texts.file, ignored);
  if (replaces_texts) paragraph(look, Type::body, look.colours.bad, "These are the texts themselves. Choose another name.");
  if (saving.asked == target) draw_replace_question(look, target, "Save");
  if (is_pressed && !replaces_texts && may_write(target, saving.asked)) {
    corpora.save(stored, target, may_have_details && saving.has_details);
    is_open = false;
  }
  if (!stored->study.part.is_complete) {
    paragraph(look, Type::body, look.colours.text,
              fmt::format("This study is not finished: the file will have the {} measured until now. In .study it can go on later.",
                          counted(stored->study.texts(), "text")));
  }
  gap(look, kUnit);
  paragraph(look, Type::caption, look.colours.text_second,
            is_of_patches
                ? "The ending says what it is: .study opens here again; .csv, a line for each place, and .json are for other programs, as "
                  "`headlight patch` writes them."
                : "The ending says what it is: .study opens here again, with its examples; .csv, .jsonl, .npy and .sqlite are tables for "
                  "other programs, as `headlight heads` and `headlight importance` write them.");
  end_dialog(is_open);
}

}  // namespace headlight

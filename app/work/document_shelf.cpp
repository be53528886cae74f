#include "app/work/document_shelf.h"

#include "app/document/document.h"
#include "app/document/files/kept_documents.h"
#include "engine/core/error.h"
#include "engine/model/files/model_places.h"
#include "engine/text/line_breaks.h"

namespace headlight {
namespace {

constexpr std::size_t kLongestText = 200;

}  // namespace

std::vector<DocumentLine> read_document_lines(const std::filesystem::path& state_folder, Progress& progress) {
  std::vector<DocumentLine> lines;
  for (const KeptDocument& kept : list_kept_documents(state_folder)) {
    bool is_earlier = false;
    for (const Generation& generation : kept.generations) {
      progress.step(0, "listing documents");
      try {
        const Query query = load_document(generation.path).query;
        lines.push_back({generation.path, printable(on_one_line(query.text), kLongestText), short_model_name(query.model.name),
                         date_text(generation.written), is_earlier});
        is_earlier = true;
      } catch (const Error&) {  // broken: reported and put aside when it is restored
      }
    }
  }
  return lines;
}

DocumentShelf::DocumentShelf(Worker& worker)
    : study_(worker.desk(), [](const std::filesystem::path& state_folder, StepContext& context) {
        return read_document_lines(state_folder, context.progress);
      }) {}

std::shared_ptr<const std::vector<DocumentLine>> DocumentShelf::lines(const std::filesystem::path& state_folder) {
  return study_.ask(state_folder);
}

}  // namespace headlight

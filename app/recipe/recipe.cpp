#include "app/recipe/recipe.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "app/document/document_fields.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/fields/style_fields.h"
#include "app/document/subjects.h"
#include "app/recipe/command_text.h"
#include "app/recipe/model_digest.h"
#include "engine/core/error.h"
#include "engine/figure/files/provenance.h"
#include "engine/figure/files/read_record.h"
#include "engine/figure/stage.h"

namespace headlight {

bool hides_keys(const FigureNeeds& needs) {
  return !needs.is_plain && !needs.has_output && !needs.has_step && !needs.has_lab && (!needs.has_measures || needs.tints_heads);
}

bool follows_scale(const FigureNeeds& needs) {
  return hides_keys(needs) && !needs.has_links && !needs.has_tint;
}

bool uses_colours(const FigureNeeds& needs) {
  return follows_scale(needs) || needs.has_lab;
}

namespace {

/// Fields that change nothing as the others are have their usual values, so that equal figures say the same.
template <typename Owner>
void drop_unused(Owner& owner, std::span<const Field<Owner>> fields) {
  for (const Field<Owner>& field : fields) {
    if (!field.applies(owner)) field.value.set(owner, field.value.get(Owner{}));
  }
}

/// How models are named: for others, to whom the folders of a path say nothing, or for this machine.
enum class ModelNames : std::uint8_t { portable, paths };

/// The runs of a figure as subjects of a document: the figure's own is 1.
class Subjects {
 public:
  Subjects(const Snapshot& own, ModelNames models) : models_(models), queries_{used(own.query)}, names_{""} {}

  /// `name`: what figures call it, which tells a text from what is frozen.
  int of(const std::shared_ptr<const Snapshot>& run, const std::string& name) {
    if (!run) return 1;
    Query query = used(run->query);
    const auto known = std::find(queries_.begin(), queries_.end(), query);
    if (known == queries_.end()) {
      queries_.push_back(std::move(query));
      names_.push_back(name);
      return static_cast<int>(queries_.size());
    }
    return static_cast<int>(known - queries_.begin()) + 1;
  }

  /// What was not found is a text like the figure's own.
  Document document(const Style& style) const {
    Document document;
    document.query = queries_.front();
    document.style = style;
    for (std::size_t place = 1; place < queries_.size(); ++place) {
      const bool is_text = names_[place].starts_with("text");
      const int id = static_cast<int>(place) + 1;
      document.others.push_back({.id = id, .query = queries_[place], .is_frozen = !is_text});
      if (names_[place] == kBefore) document.baseline = id;
    }
    return document;
  }

  static constexpr const char* kBefore = "before";

 private:
  Query used(Query query) const {
    if (models_ == ModelNames::portable) query.model.name = portable_name(query.model.name);
    if (query.model.name != "sandbox") query.model.sandbox = {};  // of another model nothing of it is used
    drop_unused(query.model.sandbox, sandbox_fields());
    if (query.mask.rules.empty()) query.mask_reach = Query().mask_reach;
    return query;
  }
  ModelNames models_;
  std::vector<Query> queries_;
  std::vector<std::string> names_;
};

/// The parts of a request that its file uses: numbers have no style, and no marks.
FigureRequest used_by(FigureRequest request, const FigureFile& file) {
  Style& style = request.style;
  drop_unused(style, style_fields());
  if (style.scale != ScaleKind::gamma) style.gamma = Style().gamma;
  if (style.range != RangeKind::fixed) style.fixed_high = Style().fixed_high;
  const FigureNeeds& needs = request.kind->needs;
  if (!follows_scale(needs)) {
    Style plain;
    set_theme(plain, style.theme);
    if (hides_keys(needs)) {
      plain.hidden = style.hidden;
      plain.hiding = style.hiding;
    }
    if (uses_colours(needs)) {
      plain.map = style.map;
      plain.scale = style.scale;
      plain.gamma = style.gamma;
    }
    style = plain;
  }
  if (needs.is_plain) request.has_own_scales = false;
  if (needs.has_tint) request.page.without.erase(PagePart::caption);  // the figure is the text
  if (file.is_drawn) return request;
  request.style = {};
  request.page = {};
  request.frames.clear();
  request.part = {};
  request.marked = {};
  request.measures.brushed.clear();
  request.chosen_key.reset();
  request.opened_keys.clear();
  request.most_keys = 0;
  request.has_own_scales = false;
  request.moment_inside.progress = 1;
  return request;
}

using DigestOf = std::function<std::string(const ModelChoice& choice)>;

/// Models of the figure's runs, each once.
std::vector<FigureModel> models_of(const Snapshot& snapshot, const FigureRequest& request, const DigestOf& digest_of) {
  std::vector<FigureModel> models;
  const auto add = [&](const Snapshot& run) {
    const ModelChoice& choice = run.query.model;
    FigureModel model{portable_name(choice.name), digest_of(choice)};
    if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(std::move(model));
  };
  add(snapshot);
  for (const ComparedHead& head : request.heads) {
    if (head.of) add(*head.of);
  }
  if (request.baseline) add(*request.baseline);
  return models;
}

/// A figure as its file says it: only what that file uses.
struct UsedFigure {
  FigureRequest request;
  Json figure;
  Document document;
};
UsedFigure used_figure(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file, ModelNames models) {
  UsedFigure used{used_by(request, file), {}, {}};
  const FigureNeeds& needs = used.request.kind->needs;
  if (needs.heads == 0 && !needs.marks_heads) used.request.heads.clear();
  if (!needs.has_output && (!needs.has_stage || used.request.moment == Moment::now)) used.request.baseline.reset();
  Subjects subjects(snapshot, models);
  if (used.request.baseline) subjects.of(used.request.baseline, Subjects::kBefore);
  for (const ComparedHead& head : used.request.heads) subjects.of(head.of, head.subject);
  used.figure = to_json(used.request, [&](const std::shared_ptr<const Snapshot>& run) { return subjects.of(run, ""); });
  used.document = subjects.document(used.request.style);
  for (const ComparedHead& head : used.request.heads) {
    const int subject = subjects.of(head.of, head.subject);
    if (subject != used.document.baseline) used.document.pins.push_back({head.head, subject});
  }
  return used;
}

}  // namespace

namespace {

void clear_text(Query& query) {
  query.text.clear();
  query.text_pair.reset();
  query.decoder_text.reset();
  query.ids.clear();
}

}  // namespace

std::string program_version() {
  return HEADLIGHT_VERSION;
}

namespace {

Provenance provenance_of(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file, const FigureOutput& output,
                         const DigestOf& digest_of, const std::optional<Sweep>& sweep) {
  UsedFigure used = used_figure(snapshot, request, file, ModelNames::portable);
  Provenance provenance{.version = program_version(), .models = models_of(snapshot, used.request, digest_of)};
  provenance.figure = std::move(used.figure);
  if (sweep) provenance.figure["sweep"] = to_json(*sweep);
  provenance.document = to_json(used.document);
  provenance.command = command_of(used.document, snapshot, used.request, file, output, sweep);
  return provenance;
}

}  // namespace

Provenance make_provenance(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file, const FigureOutput& output,
                           const std::filesystem::path& digests, Progress& progress, const std::optional<Sweep>& sweep) {
  const auto digest_of = [&](const ModelChoice& choice) { return digest_of_model(choice, digests, progress); };
  return provenance_of(snapshot, request, file, output, digest_of, sweep);
}

std::size_t size_of_recorded_figure(const Snapshot& snapshot, const FigureRequest& request, const Scene& scene, const FigureFile& file,
                                    FigureOutput output) {
  const auto digest_of = [](const ModelChoice&) { return sha256_of(""); };  // as long as any other
  if (file.has_record) output.provenance = provenance_of(snapshot, request, file, output, digest_of, {});
  return bytes_of_figure(snapshot, request, scene, file, output).size();
}

std::optional<std::string> command_here(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                                        const FigureOutput& output, const std::optional<Sweep>& sweep) {
  const UsedFigure used = used_figure(snapshot, request, file, ModelNames::paths);
  return options_of(used.document, snapshot, used.request, file, output, sweep);
}

std::optional<std::string> batch_command_here(const Snapshot& snapshot, std::span<const FigureRequest> requests,
                                              std::span<const FigureFile* const> files, const FigureOutput& output) {
  const bool is_drawn = std::any_of(files.begin(), files.end(), [](const FigureFile* file) { return file->is_drawn; });
  Document document;
  std::vector<FigureRequest> used;
  for (const FigureRequest& request : requests) {
    const auto* const file =
        std::find_if(files.data(), files.data() + files.size(), [&](const FigureFile* each) { return each->is_drawn == is_drawn; });
    UsedFigure figure = used_figure(snapshot, request, **file, ModelNames::paths);
    document.query = figure.document.query;
    used.push_back(std::move(figure.request));
  }
  clear_text(document.query);
  return batch_options_of(document, snapshot, used, files, output);
}

std::optional<std::string> batch_choice_of(const Snapshot& snapshot, const FigureRequest& request, const FigureFile& file,
                                           const FigureOutput& output) {
  UsedFigure used = used_figure(snapshot, request, file, ModelNames::portable);
  if (!used.document.others.empty()) return std::nullopt;
  clear_text(used.document.query);
  if (!request.kind->needs.has_bar) used.request.page.without.erase(PagePart::bar);
  if (!request.kind->needs.has_legend) used.request.page.without.erase(PagePart::legend);
  if (!request.kind->needs.has_row) used.request.page.without.erase(PagePart::row);
  if (!request.kind->needs.has_cells) used.request.page.has_cell_numbers = false;
  const FigureFile* const files = &file;
  std::optional<std::string> choice = batch_options_of(used.document, snapshot, std::span(&used.request, 1), std::span(&files, 1), output);
  if (choice && file.has_titles && output.has_titles) *choice += " --titles";
  if (choice && file.has_text_cells && request.is_spreadsheet_safe) *choice += " --spreadsheet-safe";
  return choice;
}

PageFit write_recorded_figure(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                              FigureOutput output, const std::filesystem::path& digests, Progress& progress) {
  const FigureFile* file = file_of_figure(*request.kind, path);
  if (file != nullptr && file->has_record) {
    check_figure(snapshot, request);
    output.provenance = make_provenance(snapshot, request, *file, output, digests, progress);
  }
  return write_figure(snapshot, request, path, output);
}

void write_recorded_sweep(const Snapshot& base, std::span<const FigureStill> stills, const Sweep& sweep, const std::filesystem::path& path,
                          const std::filesystem::path& digests, Progress& progress) {
  const FigureStill& first = stills.front();
  FigureOutput output;
  if (const FigureFile* file = file_of_figure(*first.request.kind, path))
    output.provenance = make_provenance(base, first.request, *file, output, digests, progress, sweep);
  write_stills(stills, path, output);
}

RecordedFigure read_recorded_figure(const std::filesystem::path& path) {
  const std::string file = printable(path.native());
  RecordedFigure figure{.provenance = read_provenance(path)};
  figure.document = document_from_json(figure.provenance.document, file);
  figure.choice = choice_from(JsonFields(figure.provenance.figure, file, "figure"));
  figure.choice.request.style = figure.document.style;
  for (const int subject : subjects_of(figure)) {
    if (query_of(figure.document, subject) != nullptr) continue;
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = "figure",
                 .problem = "its document has no such text",
                 .found = std::to_string(subject)});
  }
  return figure;
}

FigureRequest request_of(const RecordedFigure& figure, const RunOfId& run_of) {
  FigureRequest request =
      with_runs(figure.choice, [&](int subject) { return subject == figure.document.focused ? nullptr : run_of(subject); });
  if (figure.choice.baseline == figure.document.focused) request.baseline = run_of(figure.document.focused);
  return request;
}

std::vector<int> subjects_of(const RecordedFigure& figure) {
  std::vector<int> subjects{figure.document.focused};
  const auto add = [&](int subject) {
    if (std::find(subjects.begin(), subjects.end(), subject) == subjects.end()) subjects.push_back(subject);
  };
  for (const int subject : figure.choice.subjects) add(subject);
  if (figure.choice.baseline) add(*figure.choice.baseline);
  return subjects;
}

bool names_figure(const std::filesystem::path& path) {
  return has_record_by_ending(path) && !names_document(path);
}

Document load_document_or_figure(const std::filesystem::path& path, Json* unknown) {
  return names_figure(path) ? read_recorded_figure(path).document : load_document(path, unknown);
}

}  // namespace headlight

#include "app/recipe/verify.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "app/document/subjects.h"
#include "app/recipe/model_digest.h"
#include "app/recipe/recipe.h"
#include "app/recipe/swept_queries.h"
#include "engine/core/error.h"
#include "engine/figure/effects/target_words.h"
#include "engine/figure/figure_notes.h"
#include "engine/figure/files/compare_files.h"
#include "engine/figure/files/numbers_digest.h"
#include "engine/figure/files/read_record.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/model/files/model_places.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

using Runs = std::map<int, std::shared_ptr<const Snapshot>>;

/// A folder for the figure that is made again; removed with what is in it.
class WorkFolder {
 public:
  WorkFolder() {
    std::error_code failure;
    std::string name = (fs::temp_directory_path(failure) / "headlight-verify-XXXXXX").string();
    if (failure || mkdtemp(name.data()) == nullptr)
      throw Error(
          {.kind = ErrorKind::write, .file = printable(name), .problem = "cannot make a folder for the figure to be compared with"});
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove(file_, ignored);
    fs::remove(link_, ignored);
    fs::remove(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  /// The one file that it will hold.
  const fs::path& file(const std::string& ending) { return file_ = path_ / ("again" + ending); }
  /// Another name of a file or folder; the path itself where it cannot have one.
  fs::path link(const fs::path& path, const std::string& name) {
    std::error_code failure;
    const fs::path whole = fs::absolute(path, failure);
    link_ = path_ / name;
    if (!failure) fs::create_symlink(whole, link_, failure);
    return failure ? path : link_;
  }

 private:
  fs::path path_, file_, link_;
};

/// Where a figure's model is, under the name by which the figure has it: its title says that.
std::string named_as_recorded(const std::string& given, const std::string& recorded, WorkFolder& folder) {
  const fs::path path(given);
  const std::string name = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  std::error_code ignored;
  const bool is_plain = !recorded.empty() && fs::path(recorded).filename() == fs::path(recorded);
  return name == recorded || !is_plain || !fs::exists(path, ignored) ? given : folder.link(path, recorded).string();
}

/// What was compared.
struct Findings {
  std::vector<std::string> changed_weights;  ///< of each model whose weights are others, a sentence
  bool has_same_numbers = true;
  std::string difference;         ///< of the file and the figure made again; empty: none
  std::optional<bool> is_sealed;  ///< the file is as it was written; none: it has no seal
  bool has_same_type = true;      ///< letters are drawn as where the picture was made
  std::string kept_numbers;       ///< the file of texts whose numbers were taken from the figure, and not computed; empty: none
};

/// Names the figure's model, or `given` in place of it.
void settle_models(RecordedFigure& figure, const std::optional<std::string>& given, const std::string& file, WorkFolder& folder) {
  if (given && figure.provenance.models.size() > 1) {
    throw Error({.kind = ErrorKind::usage,
                 .file = file,
                 .field = "--model",
                 .problem = "the figure is of several models",
                 .found = std::to_string(figure.provenance.models.size()),
                 .hint = "Leave it out, and start where their names lead to them"});
  }
  if (given && figure.document.query.model.name == "sandbox") {
    throw Error({.kind = ErrorKind::usage,
                 .file = file,
                 .field = "--model",
                 .problem = "the figure is of the sandbox, whose weights come from its seed",
                 .hint = "Leave it out"});
  }
  const auto settle = [&](Query& query) {
    if (given && query.model.name != "sandbox") query.model.name = named_as_recorded(*given, query.model.name, folder);
    if (query.model.name == "sandbox" || find_model(query.model.name)) return;
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .problem = "the model of this figure is not here",
                 .found = printable(query.model.name, 200),
                 .hint = "Say where it is: --model PATH"});
  };
  settle(figure.document.query);
  for (Subject& other : figure.document.others) settle(other.query);
}

std::vector<std::string> changed_weights(const RecordedFigure& figure, const std::optional<std::string>& given, Progress& progress) {
  std::vector<std::string> sentences;
  for (const FigureModel& model : figure.provenance.models) {
    if (model.sha256.empty()) continue;
    ModelChoice choice;
    choice.name = given.value_or(model.name);
    const std::string here = digest_of_model(choice, {}, progress);
    if (here == model.sha256) continue;
    constexpr std::size_t kShown = 12;
    sentences.push_back(fmt::format("the weights of {} are not those that the figure was made with (SHA-256 {}… here, {}… then)",
                                    printable(model.name, 120), here.substr(0, kShown), model.sha256.substr(0, kShown)));
  }
  return sentences;
}

/// The figure, or each of a sweep's.
std::vector<FigureStill> stills_of(const RecordedFigure& figure, int threads, Progress& progress) {
  const std::vector<int> subjects = subjects_of(figure);
  const std::optional<Sweep>& sweep = figure.choice.sweep;
  Pipeline pipeline(threads);
  const auto still_of = [&](std::optional<double> value, const Query& query) {
    Document document = figure.document;
    document.query = query;
    std::vector<Query> queries;
    for (const int subject : subjects) queries.push_back(*query_of(document, subject));
    pipeline.keep(queries);
    Runs runs;
    for (std::size_t place = 0; place < subjects.size(); ++place) runs[subjects[place]] = pipeline.run(queries[place], progress);
    FigureStill still{{}, runs.at(document.focused), request_of(figure, [&](int subject) { return runs.at(subject); })};
    if (value) {
      values_of_sweep({sweep->of, {*value}, {}}, *still.run, still.request);  // throws for one that is not there
      set_in_figure(sweep->of, *value, *still.run, still.request);
    }
    find_effects(*still.run, still.request, pipeline.pool(), progress);
    still.run = run_of_figure(still.run, still.request);
    if (!value) return still;
    still.name = name_of_still(sweep->of, *value, *still.run, still.request);
    return still;
  };
  if (!sweep) return {still_of(std::nullopt, figure.document.query)};
  const std::vector<Query> queries = queries_of_sweep(*sweep, figure.document.query, pipeline, progress);
  std::vector<FigureStill> stills;
  for (std::size_t place = 0; place < queries.size(); ++place) stills.push_back(still_of(sweep->values[place], queries[place]));
  return stills;
}

/// Whether a file's own sum is that of what it holds.
std::optional<bool> is_sealed(const fs::path& path, const Provenance& provenance) {
  if (provenance.picture_sha256.empty()) return std::nullopt;
  return seal_of(path, provenance.picture_sha256) == provenance.picture_sha256;
}

Findings compare(const fs::path& path, const RecordedFigure& figure, std::span<const FigureStill> stills) {
  const auto& [name, run, request] = stills.front();
  const Provenance& provenance = figure.provenance;
  const FigureFile* file = file_of_figure(*request.kind, path);
  if (file == nullptr) throw Error({.kind = ErrorKind::input, .file = printable(path.native()), .problem = "this figure has no such file"});
  for (const FigureStill& still : stills) check_figure(*still.run, still.request);
  Findings findings;
  const std::string numbers = figure.choice.sweep ? numbers_digest(stills) : numbers_digest(*run, request, file->is_drawn);
  findings.has_same_numbers = numbers == provenance.numbers_sha256;
  findings.has_same_type = provenance.type_sha256.empty() || type_digest(sentence_of(*run), request.page.family) == provenance.type_sha256;
  WorkFolder folder;
  const fs::path& again = folder.file(ending_of(path));
  const FigureOutput output{.pixels_per_point = provenance.pixels_per_point > 0 ? provenance.pixels_per_point : kDefaultPixelsPerPoint,
                            .has_titles = provenance.has_titles,
                            .provenance = provenance,
                            .is_again = true};
  if (figure.choice.sweep) {
    write_stills(stills, again, output);
  } else {
    write_figure(*run, request, again, output);
  }
  findings.difference = difference_between(path, again);
  findings.is_sealed = is_sealed(path, provenance);
  return findings;
}

/// A file that differs although its numbers are equal.
void judge_file(const Findings& findings, Verification& result) {
  if (!findings.is_sealed.value_or(false)) {
    result.lines.push_back("differs: the file was changed after it was written: " + findings.difference);
  } else if (!findings.has_same_type) {
    result.is_equal = true;
    result.lines.emplace_back("equal numbers, and the file is as it was written");
    result.lines.push_back("The drawing cannot be compared here: letters are drawn by other fonts or libraries than where it was made (" +
                           findings.difference + ")");
  } else {
    result.lines.push_back("differs: the numbers are equal, and the drawing is another: " + findings.difference);
  }
}

Verification judged(const Findings& findings, const Provenance& provenance) {
  Verification result{.is_equal = false,
                      .has_same_weights = findings.changed_weights.empty(),
                      .is_same_version = provenance.version == program_version(),
                      .lines = {}};
  const bool is_file_same = findings.difference.empty();
  if (!result.has_same_weights) {
    for (const std::string& sentence : findings.changed_weights) result.lines.push_back("differs: " + sentence);
    if (findings.is_sealed == false) result.lines.emplace_back("differs: the file was changed after it was written, too");
    result.lines.push_back(findings.has_same_numbers ? "Nevertheless, the numbers shown are equal"
                                                     : "The numbers shown differ" + (is_file_same ? ", by less than the drawing tells"
                                                                                                  : ": " + findings.difference));
  } else if (findings.has_same_numbers && is_file_same) {
    result.is_equal = true;
    result.lines.emplace_back("equal: made again, the figure is the same");
  } else if (findings.has_same_numbers) {
    judge_file(findings, result);
  } else if (findings.is_sealed == true || is_file_same || !result.is_same_version) {
    result.lines.push_back("differs: made again, the figure shows other numbers, though the weights are the same" +
                           (is_file_same ? std::string() : ": " + findings.difference));
  } else {
    result.lines.push_back("differs: the file was changed after it was written: " + findings.difference);
  }
  if (!findings.kept_numbers.empty())
    result.lines.push_back("Its numbers are kept in it, of a study of " + findings.kept_numbers + ": the texts were not run again");
  if (!result.is_same_version)
    result.lines.push_back(
        fmt::format("The figure was made by Headlight {}; this is {}", printable(provenance.version, 40), program_version()));
  return result;
}

}  // namespace

Verification verify_figure(const fs::path& path, const VerifyOptions& options, Progress& progress) {
  const std::string file = printable(path.native());
  RecordedFigure figure = read_recorded_figure(path);
  WorkFolder names;
  settle_models(figure, options.model, file, names);
  std::vector<std::string> weights = changed_weights(figure, options.model, progress);
  try {
    Findings findings = compare(path, figure, stills_of(figure, options.threads, progress));
    findings.changed_weights = std::move(weights);
    if (const auto& study = figure.choice.request.effects.study) findings.kept_numbers = texts_title(*study);
    return judged(findings, figure.provenance);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;  // what the file asks for is the file's fault
    ErrorDetail detail = error.detail();
    throw Error({.kind = ErrorKind::input,
                 .file = file,
                 .field = "provenance",
                 .problem = detail.problem,
                 .found = detail.found,
                 .expected = detail.expected});
  }
}

}  // namespace headlight

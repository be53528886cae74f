#include "app/work/columns/score_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/csv.h"
#include "engine/studies/corpus.h"

namespace headlight {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class ScoreReader {
 public:
  ScoreReader(const std::filesystem::path& path, const std::vector<HeadId>& heads)
      : lines_(path), file_(path.filename().string()), heads_(heads) {}

  HeadColumns read(Progress& progress) {
    read_names();
    std::string line;
    bool is_cut = false;
    while (lines_.next(line, is_cut)) {
      if (lines_.line() % 256 == 0)
        progress.step(static_cast<double>(lines_.position()) / static_cast<double>(lines_.size()), "reading scores");
      if (is_cut) refuse("the line is longer than lines of scores are", "", "");
      if (!line.empty()) read_line(line);
    }
    if (seen_.empty()) refuse("the table has no line for a head", "nothing after the names of the columns", "layer, head and scores");
    return finish();
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& found, const std::string& expected,
                           const std::string& hint = {}) const {
    throw Error({.kind = ErrorKind::input,
                 .file = file_,
                 .field = fmt::format("line {}", std::max<std::uint64_t>(1, lines_.line())),
                 .problem = problem,
                 .found = found,
                 .expected = expected,
                 .hint = hint});
  }
  static std::string quoted(const std::string& text) { return fmt::format("\"{}\"", printable(text, 60)); }

  void split(const std::string& line) {
    if (!split_csv(line, fields_, separator_)) refuse("a quote is not closed", quoted(line), "fields separated by commas");
  }

  void read_names() {
    std::string line;
    bool is_cut = false;
    if (!lines_.next(line, is_cut)) refuse("the file is empty", "", "a line of names: layer,head,…");
    separator_ = csv_separator(line);
    split(line);
    names_ = fields_;
    layer_ = place_of("layer");
    head_ = place_of("head");
    n_ = place_of("n");
    if (!layer_ || !head_) {
      refuse("the first line does not name the columns layer and head", quoted(line),
             "layer,head,… separated by commas, semicolons or tabs");
    }
    if (place_of("length")) {
      refuse("the table has several lines for each head, one for each length of texts", "a column \"length\"", "one line for each head",
             "Write it without --length-bins.");
    }
    choose_columns();
  }

  std::optional<std::size_t> place_of(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names_.begin()));
  }

  /// Every name but layer, head, attention (a layer's name) and n, and those that say something of another column.
  void choose_columns() {
    if (names_.size() > kMostScores)
      refuse("the table has too many columns", fmt::format("{}", names_.size()), fmt::format("at most {}", kMostScores));
    for (std::size_t place = 0; place < names_.size(); ++place) {
      const std::string& name = names_[place];
      if (name.empty()) refuse("a column has no name", fmt::format("column {}", place + 1), "a name");
      if (place_of(name) != place) refuse("two columns have the same name", quoted(name), "a name of its own for each");
      if (place == layer_ || place == head_ || place == n_ || name == "attention") continue;
      const std::size_t dot = name.rfind('.');
      const auto of = dot == std::string::npos ? std::nullopt : place_of(std::string_view(name).substr(0, dot));
      const std::string_view what = dot == std::string::npos ? std::string_view() : std::string_view(name).substr(dot + 1);
      if (of && what == "n") continue;
      if (of && what == "se") {
        errors_[*of] = place;
      } else {
        columns_.emplace_back(place, column_named(name));
      }
    }
    if (columns_.empty()) refuse("the table has no scores", "layer and head alone", "at least one more column");
  }

  HeadColumn column_named(const std::string& name) const {
    HeadColumn column{.id = {}, .title = printable(name, 60)};
    try {
      column = column_of(measure_request(name, "column"));
    } catch (const Error&) {
      column.meaning = fmt::format("The column \"{}\" of {}.", printable(name, 60), printable(file_, 60));
    }
    column.id = file_ + ":" + name;
    column.origin = ColumnOrigin::imported;
    column.measured_on = "imported " + printable(file_, 60);
    return column;
  }

  void read_line(const std::string& line) {
    split(line);
    if (fields_.size() != names_.size())
      refuse("the line has not as many fields as the first one", fmt::format("{}", fields_.size()), fmt::format("{}", names_.size()));
    const HeadId head{index_of(*layer_), index_of(*head_)};
    if (std::find(heads_.begin(), heads_.end(), head) == heads_.end()) {
      refuse("the model has no such head", fmt::format("layer {}, head {}", head.layer, head.head), heads_text(),
             "Is this table of another model? Layers and heads count from 0.");
    }
    const auto [before, is_new] = seen_.try_emplace(head, lines_.line());
    if (!is_new)
      refuse("this head is there twice", fmt::format("layer {}, head {}, also in line {}", head.layer, head.head, before->second), "");
    for (auto& [place, column] : columns_) {
      column.values.set(head, number_of(place));
      if (const auto error = errors_.find(place); error != errors_.end()) column.errors.set(head, number_of(error->second));
    }
    if (n_) counts_.push_back(number_of(*n_));
  }

  int index_of(std::size_t place) const {
    int number = -1;
    const std::string& text = fields_[place];
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || number < 0)
      refuse(fmt::format("the {} is not a whole number", names_[place]), quoted(text), "0, 1, 2, …");
    return number;
  }

  double number_of(std::size_t place) const {
    const std::string& text = fields_[place];
    for (const std::string_view none : {"", "NA", "nan", "NaN", "–"}) {
      if (text == none) return kNone;
    }
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
      refuse(fmt::format("a number of \"{}\" cannot be read", printable(names_[place], 60)), quoted(text),
             "a number such as 0.25, or nothing where it is undefined");
    return number;
  }

  std::string heads_text() const {
    int layers = 0, most = 0;
    for (const HeadId head : heads_) {
      layers = std::max(layers, head.layer + 1);
      most = std::max(most, head.head + 1);
    }
    return fmt::format("layers 0 to {} with heads 0 to {}", layers - 1, most - 1);
  }

  HeadColumns finish() {
    const bool has_one_count =
        !counts_.empty() && std::all_of(counts_.begin(), counts_.end(), [&](double n) { return n == counts_.front(); });
    HeadColumns columns;
    for (auto& [place, column] : columns_) {
      if (has_one_count && counts_.front() >= 1) column.texts = static_cast<std::int64_t>(counts_.front());
      columns.push_back(std::make_shared<const HeadColumn>(std::move(column)));
    }
    return columns;
  }

  LineReader lines_;
  std::string file_;
  const std::vector<HeadId>& heads_;
  std::vector<std::string> names_, fields_;
  char separator_ = ',';
  std::optional<std::size_t> layer_, head_, n_;
  std::vector<std::pair<std::size_t, HeadColumn>> columns_;  ///< by place in a line
  std::map<std::size_t, std::size_t> errors_;                ///< of which place: where its standard error is
  std::map<HeadId, std::uint64_t> seen_;                     ///< and in which line
  std::vector<double> counts_;
};

ScoreFiles::Found read_files(const ScoreFiles::Request& request, StepContext& context) {
  ScoreFiles::Found found{request, {}};
  for (const std::string& path : request.paths) {
    ReadScores& file = found.files.emplace_back(ReadScores{path, {}, {}});
    try {
      file.columns = read_scores(path, request.heads, context.progress);
    } catch (const Error& error) {
      file.problem = error.message();
    }
  }
  return found;
}

}  // namespace

HeadColumns read_scores(const std::filesystem::path& path, const std::vector<HeadId>& heads, Progress& progress) {
  return ScoreReader(path, heads).read(progress);
}

bool holds_scores(const std::filesystem::path& path) {
  if (path.extension() != ".csv") return false;
  try {
    LineReader lines(path);
    std::string line;
    bool is_cut = false;
    std::vector<std::string> names;
    if (!lines.next(line, is_cut) || is_cut || !split_csv(line, names, csv_separator(line))) return false;
    const auto has = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
    return has("layer") && has("head");
  } catch (const Error&) {
    return false;
  }
}

ScoreFiles::ScoreFiles(Worker& worker) : study_(worker.desk(), read_files) {}

std::shared_ptr<const ScoreFiles::Found> ScoreFiles::ask(const Request& request) {
  std::shared_ptr<const Found> found = study_.ask(request);
  return found && found->request == request ? found : nullptr;
}

}  // namespace headlight

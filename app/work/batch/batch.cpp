#include "app/work/batch/batch.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include "app/document/amounts.h"
#include "app/document/document_fields.h"
#include "app/recipe/model_digest.h"
#include "app/recipe/recipe.h"
#include "app/work/batch/index_page.h"
#include "app/work/corpora/corpus_manifest.h"
#include "engine/core/error.h"
#include "engine/figure/files/provenance.h"
#include "engine/figure/files/read_record.h"
#include "engine/formats/file_names.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kKeptEvery{5};
constexpr double kLeastSeconds = 1;  // before the time that is left can be estimated
constexpr std::size_t kLeastDigits = 4;

/// Tells how far the batch is, whatever the item at hand says of itself.
class ItemProgress final : public Progress {
 public:
  ItemProgress(Progress& whole, const Batch& batch)
      : whole_(whole),
        done_(static_cast<double>(batch.state().done) / static_cast<double>(batch.state().items.size())),
        words_(progress_text(batch)) {}
  void step(double, std::string_view) override { whole_.step(done_, words_); }
  void check() override { whole_.check(); }

 private:
  Progress& whole_;
  const double done_;
  const std::string words_;
};

/// A folder of ours, or one that holds nothing: no file of a person's is written over.
void check_folder(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored) || fs::exists(folder / kManifestName, ignored)) return;
  const bool is_folder = fs::is_directory(folder, ignored);
  if (is_folder && file_names_in(folder).empty()) return;
  throw Error({.kind = ErrorKind::usage,
               .file = printable(folder.native(), 400),
               .problem = is_folder ? "this folder holds other files" : "this is a file",
               .expected = "a new or empty folder, or that of an earlier batch"});
}

void make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directory(folder, problem);
  if (problem) throw Error({.kind = ErrorKind::write, .file = printable(folder.native(), 400), .problem = problem.message()});
}

std::string shown_text(const CorpusText& text) {
  if (!text.ids.empty()) return printable(fmt::format("{}", fmt::join(text.ids, " ")), kLongestShownText);
  return printable(text.text, kLongestShownText);
}

}  // namespace

void Batch::read_texts(Progress& progress) {
  CorpusReader reader(request_.texts, request_.format);
  const std::size_t files = request_.figures.size() * request_.endings.size();
  CorpusText text;
  while (reader.next(text)) {
    progress.step(0, "reading the texts");
    if (text.is_blank()) continue;
    state_.texts.push_back({text.line, shown_text(text), text.problem});
    texts_.push_back(std::move(text));
    if (texts_.size() * files <= kMostBatchItems) continue;
    throw Error({.kind = ErrorKind::limit,
                 .file = printable(request_.texts.native(), 400),
                 .problem = "too many figures for one folder",
                 .expected = fmt::format("at most {} files", grouped(kMostBatchItems)),
                 .hint = "Cut the file of texts into several"});
  }
  if (texts_.empty())
    throw Error({.kind = ErrorKind::input, .file = printable(request_.texts.native(), 400), .problem = "there are no texts in this file"});
}

Document Batch::document_of(std::size_t text) const {
  Document document = request_.document;
  document.query = without_texts(std::move(document.query));
  document.query.text = texts_[text].text;
  document.query.ids = texts_[text].ids;
  return document;
}

/// Of the first text that can be run; what many cannot be run for is said with each.
std::optional<std::string> Batch::said(const std::string& figure, const std::string& ending, Progress& progress) const {
  constexpr int kMostTried = 3;
  int tried = 0;
  for (std::size_t text = 0; request_.said && text < texts_.size() && tried < kMostTried; ++text) {
    if (!texts_[text].problem.empty()) continue;
    ++tried;
    try {
      return request_.said(document_of(text), figure, ending, progress);
    } catch (const Error&) {
      continue;
    }
  }
  return std::nullopt;
}

/// The items in their order, each with a digest of all that decides it.
void Batch::add_items(Progress& progress) {
  Json weights = {digest_of_model(request_.document.query.model, request_.digests, progress)};
  for (const Subject& other : request_.document.others) {
    weights.push_back(digest_of_model(other.query.model, request_.digests, progress));
  }
  std::map<std::pair<std::string, std::string>, std::optional<std::string>> said_of;
  for (const std::string& figure : request_.figures) {
    for (const std::string& ending : request_.endings) said_of[{figure, ending}] = said(figure, ending, progress);
  }
  const std::size_t digits = std::max(kLeastDigits, std::to_string(texts_.size() - 1).size());
  for (std::size_t text = 0; text < texts_.size(); ++text) {
    if (!texts_[text].problem.empty()) continue;
    const Json document = to_json(document_of(text));
    for (const std::string& figure : request_.figures) {
      for (const std::string& ending : request_.endings) {
        const std::optional<std::string>& words = said_of.at({figure, ending});
        const Json recipe = words ? Json{program_version(), weights, texts_[text].text, texts_[text].ids, *words}
                                  : Json{program_version(), weights, document, figure, ending, request_.choice};
        state_.items.push_back({.file = fmt::format("{:0{}}-{}{}", text, digits, figure, ending),
                                .figure = figure,
                                .text = text,
                                .recipe = sha256_of(json_text(recipe))});
      }
    }
  }
}

void Batch::begin(Progress& progress) {
  if (has_begun_) return;
  state_ = {};
  texts_.clear();
  check_folder(request_.folder);
  read_texts(progress);
  add_items(progress);
  if (!request_.starts_anew) {
    for (BatchItem& item : read_batch_manifest(request_.folder)) earlier_.insert_or_assign(item.file, std::move(item));
  }
  make_folder(request_.folder);
  keep();
  has_begun_ = true;
}

bool Batch::is_there(const BatchItem& item, Progress& progress) const {
  const auto found = earlier_.find(item.file);
  if (found == earlier_.end() || found->second.recipe != item.recipe) return false;
  try {
    return sha256_of(read_file(request_.folder / item.file, largest_figure(item.file), progress)) == found->second.sha256;
  } catch (const Error&) {
    return false;  // missing, or no longer a file
  }
}

void Batch::make(BatchItem& item, Progress& progress) {
  const fs::path file = request_.folder / item.file;
  const Clock::time_point start = Clock::now();
  item.problem.clear();
  item.status = 0;
  try {
    request_.write(document_of(item.text), item.figure, file, progress);
    SilentProgress silent;  // what is written is also kept: it would be made again
    item.sha256 = sha256_of(read_file(file, largest_figure(file), silent));
    ++state_.made;
  } catch (const Error& error) {
    item.problem = error.message();
    item.status = static_cast<int>(error.kind());
  }
  seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

bool Batch::next(Progress& progress) {
  begin(progress);
  if (state_.done == state_.items.size()) return false;
  BatchItem& item = state_.items[state_.done];
  ItemProgress part(progress, *this);
  part.step(0, {});
  if (is_there(item, part)) {
    item.sha256 = earlier_.at(item.file).sha256;
    ++state_.kept;
  } else {
    make(item, part);
  }
  ++state_.done;
  const bool has_more = state_.done < state_.items.size();
  if (!has_more || Clock::now() - kept_ > kKeptEvery) keep();
  return has_more;
}

void Batch::keep() {
  // What an earlier run made and this one has not come to yet is still there.
  std::vector<BatchItem> items = state_.items;
  for (std::size_t place = state_.done; place < items.size(); ++place) {
    if (const auto found = earlier_.find(items[place].file); found != earlier_.end()) items[place] = found->second;
  }
  write_batch_manifest(request_.folder, items);
  const BatchPage page{.texts_name = request_.texts.filename().string(),
                       .model = portable_name(request_.document.query.model.name),
                       .figures = request_.figures,
                       .endings = request_.endings};
  write_file(request_.folder / kIndexName, index_page(page, state_));
  kept_ = Clock::now();
}

std::optional<double> Batch::seconds_left() const {
  const std::size_t tried = state_.done - state_.kept;
  if (tried == 0 || seconds_ < kLeastSeconds) return std::nullopt;
  return seconds_ / static_cast<double>(tried) * static_cast<double>(state_.items.size() - state_.done);
}

std::string progress_text(const Batch& batch) {
  const BatchState& state = batch.state();
  std::string words = fmt::format("{} of {} figures", grouped(static_cast<std::int64_t>(state.done)),
                                  grouped(static_cast<std::int64_t>(state.items.size())));
  if (const std::optional<double> left = batch.seconds_left()) words += ", " + time_left_text(*left);
  return words;
}

std::vector<std::string> failures_of(const BatchState& state) {
  constexpr std::size_t kMostNamed = 20;
  std::vector<std::string> failures;
  std::size_t count = 0;
  const auto add = [&](std::string words) {
    if (++count <= kMostNamed) failures.push_back(std::move(words));
  };
  for (const BatchText& text : state.texts) {
    if (!text.problem.empty()) add(fmt::format("line {}: {}", text.line, text.problem));
  }
  for (const BatchItem& item : state.items) {
    if (!item.problem.empty()) {
      add(fmt::format("{} (line {}): {} (exit status {})", item.file, state.texts[item.text].line, item.problem, item.status));
    }
  }
  if (count > kMostNamed) failures.push_back(fmt::format("and {} further ones; the page lists all of them", count - kMostNamed));
  return failures;
}

int status_of(const BatchState& state) {
  const auto failed = std::find_if(state.items.begin(), state.items.end(), [](const BatchItem& item) { return !item.problem.empty(); });
  if (failed != state.items.end()) return failed->status;
  const bool has_bad_text =
      std::any_of(state.texts.begin(), state.texts.end(), [](const BatchText& text) { return !text.problem.empty(); });
  return has_bad_text ? static_cast<int>(ErrorKind::input) : 0;
}

}  // namespace headlight

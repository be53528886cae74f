#include "app/session/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/document/files/kept_documents.h"
#include "app/document/subjects.h"
#include "engine/pipeline/other_runs.h"

namespace headlight {
namespace {

std::size_t count_words(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::size_t words = 0;
  bool is_between = true;
  for (const char letter : text) {
    const bool is_blank = kBlanks.find(letter) != std::string_view::npos;
    if (is_between && !is_blank) ++words;
    is_between = is_blank;
  }
  return words;
}

/// Whether only the text of the sentences differs.
bool is_change_of_texts(const Document& before, const Document& after) {
  Document same = after;
  same.query.text = before.query.text;
  same.query.text_pair = before.query.text_pair;
  same.query.decoder_text = before.query.decoder_text;
  return same == before;
}

/// Steps with equal groups are one undo step: a whole gesture, or one word while typing (a word is identified by its text and by how many
/// words that text has by now). What a text box hands over whole, such as a mask, is a step of its own.
std::string group_of(const Document& before, const Document& after, bool is_gesture, bool is_typing) {
  if (is_gesture) return "gesture";
  if (!is_typing || !is_change_of_texts(before, after)) return {};
  const Query &old = before.query, &query = after.query;
  std::string group = "typing";
  if (query.text != old.text) group += fmt::format(" text {}", count_words(query.text));
  if (query.text_pair != old.text_pair) group += fmt::format(" pair {}", count_words(query.text_pair.value_or("")));
  if (query.decoder_text != old.decoder_text) group += fmt::format(" decoder {}", count_words(query.decoder_text.value_or("")));
  return group;
}

/// Whether a file's digest of weights is of this model.
bool names_model(const Json& unknown, const std::string& model) {
  const auto saved = unknown.find(kWeightsField);
  return saved != unknown.end() && saved->is_object() && saved->contains("model") && (*saved)["model"] == Json(model);
}

/// A picture that takes longer is computed once a person has read what it takes.
constexpr double kSecondsUnasked = 10;

}  // namespace

Session::Session(Document first, int threads, const std::function<void()>& on_change, Json unknown)
    : history_(std::move(first)), unknown_(std::move(unknown)), saved_(document()), worker_(threads, on_change), exporter_(on_change) {
  worker_.ask_above(kSecondsUnasked);
  worker_.request(document().query, false);
  keep_beside();
}

void Session::keep_beside() {
  std::vector<Query> queries = queries_beside(document());
  const Query unedited = unedited_query(document().query);
  const auto add = [&](Query query) {
    if (query != document().query && std::find(queries.begin(), queries.end(), query) == queries.end()) queries.push_back(std::move(query));
  };
  add(unedited);
  for (const Intervention& each : document().query.interventions) {
    if (row_of(each.kind).need == InterventionNeed::text) add(query_of_other_text(document().query, each.text));
  }
  worker_.keep_beside(std::move(queries));
}

/// The focused subject first: what was shown until now may be wanted beside it.
void Session::request_changes(const Document& before, bool is_gesture) {
  const bool is_other_query = document().query != before.query;
  if (is_other_query) worker_.request(document().query, is_gesture);
  const bool is_other_unedited = is_other_query && (has_edits(before.query) || has_edits(document().query));
  if (document().others != before.others || is_other_unedited) keep_beside();
}

SubjectRun Session::run_of(const Document& document, int subject) const {
  if (subject == document.focused) return {snapshot(), {}};
  const Query* query = query_of(document, subject);
  if (query == nullptr) return {};
  const PictureBeside beside = worker_.beside(*query);
  return {beside.snapshot, beside.problem};
}

SubjectRun Session::unedited_run() const {
  const std::shared_ptr<const Snapshot> shown = snapshot();
  if (!shown || !has_edits(shown->query)) return {shown, {}};
  const PictureBeside beside = worker_.beside(unedited_query(shown->query));
  return {beside.snapshot, beside.problem};
}

SubjectRun Session::run_of_other_text(const std::string& text) const {
  const std::shared_ptr<const Snapshot> shown = snapshot();
  if (!shown) return {};
  const PictureBeside beside = worker_.beside(query_of_other_text(shown->query, text));
  return {beside.snapshot, beside.problem};
}

void Session::apply(const Document& draft, bool is_gesture, bool is_typing) {
  if (draft == document()) {
    if (!is_gesture && !is_typing) history_.close_group();
    return;
  }
  const Document before = document();
  const std::string group = group_of(document(), draft, is_gesture, is_typing);
  history_.record(draft, describe_change(history_.base_of(group), draft), group);
  request_changes(before, is_gesture);
}

bool Session::take_back() {
  const Document before = document();
  if (!history_.take_back()) return false;
  request_changes(before, false);
  return true;
}

void Session::undo() {
  if (!history_.can_undo()) return;
  const Document before = document();
  history_.undo();
  request_changes(before, false);
}

void Session::redo() {
  const Document before = document();
  history_.redo();
  request_changes(before, false);
}

void Session::name_shown_item() {
  const std::shared_ptr<const Snapshot> shown = snapshot();
  const Query& query = document().query;
  if (!shown || shown->axes.texts < 2 || query.item || shown->query.model != query.model || shown->query.item) return;
  Document named = document();
  named.query.item = 0;
  if (saved_ == document()) saved_ = named;
  history_.amend(std::move(named));
  worker_.request(document().query, false);
}

void Session::replace(Document document, Json unknown, std::filesystem::path origin) {
  history_ = History(std::move(document));
  unknown_ = std::move(unknown);
  file_ = is_generation(origin) ? std::filesystem::path() : origin;
  saved_ = history_.current();
  origin_ = std::move(origin);
  ++openings_;
  worker_.request(history_.current().query, false);
  keep_beside();
}

bool Session::take_opened(std::string& problem) {
  std::optional<ReadDocument> read = exporter_.take_document();
  if (!read) return false;
  problem = std::move(read->problem);
  if (!problem.empty()) return false;
  replace(std::move(read->document), std::move(read->unknown), std::move(read->path));
  return true;
}

void Session::adopt_file(std::filesystem::path file, Document saved) {
  file_ = std::move(file);
  saved_ = std::move(saved);
}

void Session::check_weights() {
  const std::shared_ptr<const Snapshot> shown = snapshot();
  const std::string& model = document().query.model.name;
  weights_.clear();
  has_other_weights_ = false;
  if (!shown || shown->query.model.name != model || shown->model->is_random || shown->is_dump()) return;
  weights_ = weights_shelf_.ask(model, shown->model);
  if (weights_.empty() || !names_model(unknown_, model)) return;
  const Json& saved = unknown_[kWeightsField];
  has_other_weights_ = saved.contains("sha256") && saved["sha256"] != Json(weights_);
}

void Session::save(const std::filesystem::path& path, const Json& look) {
  if (!look.is_null()) unknown_[kLookField] = look;
  if (!weights_.empty()) {
    unknown_[kWeightsField] = {{"model", document().query.model.name}, {"sha256", weights_}};
  } else if (!names_model(unknown_, document().query.model.name)) {
    unknown_.erase(kWeightsField);
  }
  exporter_.save(document(), unknown_, path);
}

bool Session::take_saved(std::string& problem) {
  std::optional<SavedDocument> written = exporter_.take_saved();
  if (!written) return false;
  problem = std::move(written->problem);
  if (!problem.empty()) return false;
  adopt_file(std::move(written->path), std::move(written->document));
  return true;
}

void Session::go_to(std::size_t step) {
  const Document before = document();
  while (history_.can_undo() && history_.labels().size() > step + 1) history_.undo();
  request_changes(before, false);
}

}  // namespace headlight

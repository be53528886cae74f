#include "engine/studies/corpus.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/core/error.h"
#include "engine/formats/csv.h"
#include "engine/formats/digest.h"
#include "engine/formats/json.h"
#include "engine/text/unicode/unicode.h"

namespace headlight {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kOpenQuote = "a quote is not closed";
constexpr std::string_view kBrokenRecord = "not a record of a table: a quote inside a field";

bool is_separator(char character) {
  return character == ' ' || character == ',' || character == '\t';
}

/// False if something is not a whole number.
bool read_ids(std::string_view text, std::vector<std::int64_t>& ids) {
  for (std::size_t at = 0; at < text.size();) {
    if (is_separator(text[at])) {
      ++at;
      continue;
    }
    std::int64_t id = 0;
    const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), id);
    if (problem != std::errc() || id < 0) return false;
    at = static_cast<std::size_t>(end - text.data());
    if (at < text.size() && !is_separator(text[at])) return false;
    ids.push_back(id);
  }
  return true;
}

void take_text(std::string text, bool has_ids, CorpusText& into) {
  if (!has_ids) {
    if (repair_utf8(text).replaced > 0) {
      into.problem = "not valid UTF-8";
    } else {
      into.text = std::move(text);
    }
  } else if (!read_ids(text, into.ids)) {
    into.ids.clear();
    into.problem = "not a list of token ids";
  }
}

/// A record of a table or an object that has the column, and nothing in it. Empty lines between texts are no texts.
void name_empty(CorpusText& text) {
  if (text.is_blank()) text.problem = "the text is empty";
}

std::string too_many_fields(char separator) {
  const char* signs = separator == ',' ? "commas" : separator == ';' ? "semicolons" : "tabs";
  return fmt::format("more fields than the table has columns: put a text with {} in quotes", signs);
}

/// Separators at the end add nothing.
bool has_more_than(const std::vector<std::string>& fields, std::size_t columns) {
  const auto has_content = [](const std::string& field) { return !field.empty(); };
  return fields.size() > columns && std::any_of(fields.begin() + static_cast<std::ptrdiff_t>(columns), fields.end(), has_content);
}

}  // namespace

Query CorpusText::asked_by(Query query) const {
  query.text = text;
  query.ids = ids;
  if (beside.pair) query.text_pair = beside.pair;
  if (beside.decoder) query.decoder_text = beside.decoder;
  return query;
}

CorpusFormat corpus_format(const std::filesystem::path& path, const std::string& column, bool has_ids) {
  const std::string ending = path.extension().string();
  CorpusFormat format{.column = column, .has_ids = has_ids};
  if (ending == ".csv") {
    format.kind = CorpusKind::csv;
  } else if (ending == ".jsonl") {
    format.kind = CorpusKind::jsonl;
  } else if (ending != ".txt") {
    throw Error({.kind = ErrorKind::usage,
                 .file = path.string(),
                 .problem = "the ending says how texts are stored",
                 .expected = ".txt (a text a line), .csv or .jsonl"});
  } else if (!column.empty()) {
    throw Error(
        {.kind = ErrorKind::usage, .field = "--column", .problem = "lines of text have no columns", .expected = "a .csv or .jsonl file"});
  }
  return format;
}

bool LineReader::fill() {
  const std::uint64_t begin = position_;
  if (begin >= file_.size()) return false;
  buffer_.resize(std::min<std::uint64_t>(kChunk, file_.size() - begin));
  file_.read(begin, std::as_writable_bytes(std::span(buffer_)));
  at_ = 0;
  return true;
}

bool LineReader::next(std::string& line, bool& is_cut) {
  line.clear();
  is_cut = false;
  bool has_any = false;
  while (at_ < buffer_.size() || fill()) {
    has_any = true;
    const std::size_t found = buffer_.find('\n', at_), end = std::min(found, buffer_.size());
    const std::size_t taken = std::min(end - at_, kLongest - line.size());
    line.append(buffer_, at_, taken);
    is_cut = is_cut || taken < end - at_;
    position_ += end - at_ + (found == std::string::npos ? 0 : 1);
    at_ = end + (found == std::string::npos ? 0 : 1);
    if (found != std::string::npos) break;
  }
  if (!has_any) return false;
  if (line_++ == 0 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

void LineReader::go_back(std::uint64_t position, std::uint64_t line) {
  position_ = position;
  line_ = line;
  buffer_.clear();
  at_ = 0;
}

CorpusReader::CorpusReader(const std::filesystem::path& path, CorpusFormat format) : lines_(path), format_(std::move(format)) {
  if (format_.kind == CorpusKind::csv) find_columns();
}

void CorpusReader::find_columns() {
  std::string header, problem;
  std::vector<std::string> names;
  if (read_record(header, problem) && problem.empty()) split_csv(header, names, separator_ = csv_separator(header));
  columns_ = names.size();
  const bool is_only_one = format_.column.empty() && names.size() == 1;
  if (!is_only_one) column_ = find_column(names, format_.column.empty() ? "text" : format_.column, "--column");
  if (!format_.partner_column.empty()) partner_ = find_column(names, format_.partner_column, "--from-column");
}

std::size_t CorpusReader::find_column(const std::vector<std::string>& names, const std::string& wanted, const char* option) const {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (const std::string& name : names) all += fmt::format("{}{}", all.empty() ? "" : ", ", printable(name, 40));
  throw Error({.kind = ErrorKind::input,
               .file = lines_.name(),
               .field = option,
               .problem = fmt::format("the table has no column \"{}\"", printable(wanted, 60)),
               .expected = fmt::format("one of {}", all)});
}

/// One line; of a table as many as its quoted fields hold together.
bool CorpusReader::read_record(std::string& record, std::string& problem) {
  bool is_cut = false;
  if (!lines_.next(record, is_cut)) return false;
  record_line_ = lines_.line();
  after_first_line_ = lines_.position();
  if (is_cut) problem = fmt::format("longer than {} bytes", LineReader::kLongest);
  if (format_.kind != CorpusKind::csv || is_cut) return true;
  QuoteScanner scanner(separator_);
  scanner.add(record);
  for (std::string more; scanner.is_open();) {
    if (!lines_.next(more, is_cut) || is_cut || record.size() + more.size() > LineReader::kLongest) {
      problem = kOpenQuote;
      break;
    }
    record += '\n';
    record += more;
    scanner.add("\n");
    scanner.add(more);
  }
  if (scanner.is_broken()) problem = lines_.line() == record_line_ ? kBrokenRecord : kOpenQuote;
  if (!problem.empty()) leave_joined_lines();
  return true;
}

/// A bad record spoils its first line alone: the lines that a quote joined to it are read again, each as what it is.
void CorpusReader::leave_joined_lines() {
  if (lines_.line() > record_line_) lines_.go_back(after_first_line_, record_line_);
}

namespace {

void take_field(std::vector<std::string>& fields, std::size_t column, const std::string& name, bool has_ids, CorpusText& into) {
  if (column < fields.size()) return take_text(std::exchange(fields[column], {}), has_ids, into);
  into.problem = fmt::format("{} field{}: column {}{} is missing", fields.size(), fields.size() == 1 ? "" : "s", column + 1,
                             name.empty() ? "" : fmt::format(" ({})", printable(name, 40)));
}

void take_json(const Json& object, const std::string& wanted, bool has_ids, CorpusText& into) {
  if (!object.is_object() || !object.contains(wanted)) {
    into.problem = fmt::format("no field \"{}\"", printable(wanted, 60));
  } else if (const Json& field = object.at(wanted); field.is_string()) {
    take_text(field.get<std::string>(), has_ids, into);
  } else if (field.is_array() && std::all_of(field.begin(), field.end(), [](const Json& id) { return id.is_number_unsigned(); })) {
    into.ids = field.get<std::vector<std::int64_t>>();
  } else {
    into.problem = fmt::format("\"{}\" is neither a text nor token ids", printable(wanted, 60));
  }
}

void take_beside(const Json& object, const char* name, std::optional<std::string>& into, std::string& problem) {
  if (!problem.empty() || !object.is_object() || !object.contains(name) || object.at(name).is_null()) return;
  const Json& field = object.at(name);
  if (field.is_string() && repair_utf8(field.get<std::string>()).replaced == 0)
    into = field.get<std::string>();
  else
    problem = fmt::format("\"{}\" is not a text in UTF-8", name);
}

}  // namespace

void CorpusReader::read_csv(const std::string& record, CorpusText& text, CorpusText& partner) const {
  std::vector<std::string> fields;
  if (!split_csv(record, fields, separator_)) {
    text.problem = kBrokenRecord;
  } else if (column_ < fields.size() && has_more_than(fields, columns_)) {
    text.problem = too_many_fields(separator_);
  } else {
    take_field(fields, column_, format_.column, format_.has_ids, text);
    if (!format_.partner_column.empty()) take_field(fields, partner_, format_.partner_column, format_.has_ids, partner);
  }
}

void CorpusReader::read_json(const std::string& line, CorpusText& text, CorpusText& partner) const {
  try {
    const JsonTree tree = parse_json(line, "line");
    const Json& object = *tree;
    const bool has_ids_alone = format_.column.empty() && object.is_object() && !object.contains("text") && object.contains("ids");
    const std::string wanted = !format_.column.empty() ? format_.column : has_ids_alone ? "ids" : "text";
    take_json(object, wanted, format_.has_ids, text);
    if (wanted != "text_pair") take_beside(object, "text_pair", text.beside.pair, text.problem);
    if (wanted != "decoder_text") take_beside(object, "decoder_text", text.beside.decoder, text.problem);
    partner.beside = text.beside;
    if (!format_.partner_column.empty()) take_json(object, format_.partner_column, format_.has_ids, partner);
  } catch (const Error& error) {
    text.problem = error.detail().problem.empty() ? "not JSON" : error.detail().problem;
  }
}

bool CorpusReader::next(CorpusText& text) {
  text = {};
  std::string record;
  if (!read_record(record, text.problem)) return false;
  text.index = next_index_++;
  text.line = record_line_;
  if (!text.problem.empty() || record.empty()) return true;
  CorpusText partner;
  switch (format_.kind) {
    case CorpusKind::lines:
      take_text(std::move(record), format_.has_ids, text);
      return true;
    case CorpusKind::csv:
      read_csv(record, text, partner);
      if (!text.problem.empty()) leave_joined_lines();
      break;
    case CorpusKind::jsonl:
      read_json(record, text, partner);
      break;
  }
  name_empty(text);
  if (format_.partner_column.empty()) return true;
  name_empty(partner);
  if (text.problem.empty() && !partner.problem.empty()) text.problem = "its partner: " + partner.problem;
  text.partner = std::make_shared<const CorpusText>(std::move(partner));
  return true;
}

namespace {

/// Fields of an object that can hold a text: strings, and lists of token ids.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> names;
  try {
    const JsonTree tree = parse_json(line, "line");
    if (!tree->is_object()) return names;
    for (const auto& [name, value] : tree->items()) {
      if (value.is_string() || value.is_array()) names.push_back(name);
    }
  } catch (const Error&) {  // a bad line is listed when the texts are measured
  }
  return names;
}

}  // namespace

std::vector<std::string> corpus_columns(const std::filesystem::path& path) {
  const CorpusFormat format = corpus_format(path, {}, false);
  std::vector<std::string> names;
  LineReader lines(path);
  if (format.kind == CorpusKind::lines) return names;
  bool is_cut = false;
  std::string line;
  if (format.kind == CorpusKind::csv) {
    if (lines.next(line, is_cut) && !is_cut && !split_csv(line, names, csv_separator(line))) names.clear();
    return names;
  }
  constexpr std::uint64_t kTried = 100;  // lines: one of them is an object
  while (names.empty() && lines.line() < kTried && lines.next(line, is_cut)) names = fields_of(line);
  return names;
}

std::int64_t count_texts(const std::filesystem::path& path, const CorpusFormat& format, Progress& progress) {
  CorpusReader corpus(path, format);
  std::int64_t texts = 0;
  for (CorpusText text; corpus.next(text);) {
    texts += text.is_blank() ? 0 : 1;
    if (text.index % 256 == 0)
      progress.step(static_cast<double>(corpus.position()) / static_cast<double>(corpus.size()), "counting the texts");
  }
  return texts;
}

std::string file_digest(const std::filesystem::path& path, Progress& progress) {
  const FileReader file(path);
  Digest digest = Digest::sha256();
  std::string chunk;
  for (std::uint64_t at = 0; at < file.size(); at += chunk.size()) {
    progress.step(static_cast<double>(at) / static_cast<double>(file.size()), "reading the texts once");
    chunk.resize(std::min<std::uint64_t>(kChunk, file.size() - at));
    file.read(at, std::as_writable_bytes(std::span(chunk)));
    digest.add(std::as_bytes(std::span(chunk)));
  }
  return digest.hex();
}

}  // namespace headlight

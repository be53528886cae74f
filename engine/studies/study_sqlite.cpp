// SQLite (public domain, sqlite.org), by its C interface: a database is built under a temporary name and renamed when it is whole.
#include <fmt/core.h>
#include <sqlite3.h>

#include <cmath>
#include <memory>

#include "engine/formats/replacing_file.h"
#include "engine/studies/study_tables.h"

namespace headlight {
namespace {

class Database {
 public:
  explicit Database(ReplacingFile& file) : file_(file) {
    if (sqlite3_open(file.lend().c_str(), &database_) != SQLITE_OK) fail();
    run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* command) {
    if (sqlite3_exec(database_, command, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  [[noreturn]] void fail() const { file_.fail(fmt::format("the database could not be written: {}", sqlite3_errmsg(database_))); }
  sqlite3* handle() const { return database_; }

 private:
  ReplacingFile& file_;
  sqlite3* database_ = nullptr;
};

/// Rows of one table.
class Insertion {
 public:
  Insertion(Database& database, const char* command) : database_(database) {
    if (sqlite3_prepare_v2(database.handle(), command, -1, &statement_, nullptr) != SQLITE_OK) database.fail();
  }
  ~Insertion() { sqlite3_finalize(statement_); }
  Insertion(const Insertion&) = delete;
  Insertion& operator=(const Insertion&) = delete;

  Insertion& add(std::int64_t number) { return check(sqlite3_bind_int64(statement_, ++column_, number)); }
  Insertion& add(double number) {  // NULL where undefined
    return check(std::isnan(number) ? sqlite3_bind_null(statement_, ++column_) : sqlite3_bind_double(statement_, ++column_, number));
  }
  Insertion& add(const std::string& text) {
    return check(sqlite3_bind_text64(statement_, ++column_, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
  }
  Insertion& add_null() { return check(sqlite3_bind_null(statement_, ++column_)); }
  void finish_row() {
    if (sqlite3_step(statement_) != SQLITE_DONE) database_.fail();
    sqlite3_reset(statement_);
    column_ = 0;
  }

 private:
  Insertion& check(int status) {
    if (status != SQLITE_OK) database_.fail();
    return *this;
  }
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int column_ = 0;
};

constexpr const char* kTables =
    "CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT);"
    "CREATE TABLE heads (layer INTEGER, head INTEGER, length_from INTEGER, length INTEGER, measure TEXT, n INTEGER, mean REAL, se REAL, "
    "q05 REAL, q25 REAL, q50 REAL, q75 REAL, q95 REAL);"
    "CREATE TABLE examples (layer INTEGER, head INTEGER, length_from INTEGER, length INTEGER, measure TEXT, rank INTEGER, value REAL, "
    "line INTEGER, text TEXT, query INTEGER, key INTEGER, weight REAL, is_ids INTEGER, text_pair TEXT, decoder_text TEXT);"
    "CREATE TABLE nulls (layer INTEGER, head INTEGER, length_from INTEGER, length INTEGER, measure TEXT, kind TEXT, n INTEGER, mean REAL, "
    "sd REAL, z REAL);"
    "CREATE TABLE labels (layer INTEGER, head INTEGER, length_from INTEGER, length INTEGER, measure TEXT, label TEXT);"
    "CREATE TABLE bad_lines (line INTEGER, reason TEXT)";

class StudyTables {
 public:
  StudyTables(Database& database, const StoredStudy& stored)
      : stored_(stored),
        heads_(database, "INSERT INTO heads VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        examples_(database, "INSERT INTO examples VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        nulls_(database, "INSERT INTO nulls VALUES (?,?,?,?,?,?,?,?,?,?)"),
        labels_(database, "INSERT INTO labels VALUES (?,?,?,?,?,?)"),
        study_(database, "INSERT INTO study VALUES (?,?)"),
        bad_lines_(database, "INSERT INTO bad_lines VALUES (?,?)") {}

  void write() {
    const CorpusStudy& study = stored_.study;
    const Json about = stored_.manifest.to_json();
    for (const auto& [key, value] : about.items()) write_about(key, value.is_string() ? value.get<std::string>() : json_text(value));
    write_about("bad_lines", fmt::format("{}", study.counts.bad));
    write_about("cut_texts", fmt::format("{}", study.counts.cut));
    write_about("long_texts", fmt::format("{}", study.counts.longer));
    if (study.counts.longer > 0) write_about("made_for", fmt::format("{}", study.counts.made_for));
    write_about("tokens", fmt::format("{}", study.counts.tokens));
    write_about("quantiles", std::string(kQuantilesFrom));
    for (const BadLine& line : study.bad_lines()) bad_lines_.add(static_cast<std::int64_t>(line.line)).add(line.reason).finish_row();
    for (std::size_t head = 0; head < study.heads().size(); ++head) {
      for (std::size_t row = 0; row < rows_of_head(study); ++row) {
        for (std::size_t request = 0; request < stored_.manifest.measures.size(); ++request) write_cell(row, head, request);
      }
    }
  }

 private:
  void write_about(const std::string& key, const std::string& value) { study_.add(key).add(value).finish_row(); }

  Insertion& begin_row(Insertion& into, std::size_t row, std::size_t head, std::size_t request) {
    const HeadId id = stored_.study.heads()[head];
    const TextsOfRow texts = texts_of_row(stored_, row);
    into.add(std::int64_t{id.layer}).add(std::int64_t{id.head}).add(static_cast<std::int64_t>(texts.from));
    texts.most ? into.add(static_cast<std::int64_t>(*texts.most)) : into.add_null();
    return into.add(stored_.manifest.measures[request]);
  }

  void write_cell(std::size_t row, std::size_t head, std::size_t request) {
    const CellNumbers numbers = numbers_of(stored_.study, stored_.manifest, row, head, request);
    begin_row(heads_, row, head, request).add(numbers.n).add(numbers.mean).add(numbers.error);
    for (const double quantile : numbers.quantiles) heads_.add(quantile);
    heads_.finish_row();
    if (const std::optional<HeadLabel> label = label_of_row(stored_, row, head, request)) {
      const std::string text = label->text();
      begin_row(labels_, row, head, request).add(text).finish_row();
    }
    for (const NullNumbers& null : null_numbers_of(stored_, row, head, request)) {
      const std::string kind(null.kind);
      begin_row(nulls_, row, head, request).add(kind).add(null.n).add(null.mean).add(null.deviation).add(null.z);
      nulls_.finish_row();
    }
    write_examples(row, head, request);
  }

  void write_examples(std::size_t row, std::size_t head, std::size_t request) {
    std::int64_t rank = 0;
    const std::vector<TopExample> top = cell_of_row(stored_.study, row, head, request).top;
    for (const TopExample& example : top) {
      begin_row(examples_, row, head, request)
          .add(++rank)
          .add(example.value)
          .add(static_cast<std::int64_t>(example.line))
          .add(*example.text);
      examples_.add(example.query).add(example.key).add(static_cast<double>(example.weight));
      examples_.add(std::int64_t{example.is_ids ? 1 : 0});
      for (const auto beside : {&BesideTexts::pair, &BesideTexts::decoder}) {
        const bool is_there = example.beside && (*example.beside).*beside;
        is_there ? examples_.add(*((*example.beside).*beside)) : examples_.add_null();
      }
      examples_.finish_row();
    }
  }

  const StoredStudy& stored_;
  Insertion heads_, examples_, nulls_, labels_, study_, bad_lines_;
};

}  // namespace

void write_study_sqlite(const std::filesystem::path& path, const StoredStudy& stored) {
  ReplacingFile file(path);
  {
    Database database(file);
    database.run(kTables);
    StudyTables(database, stored).write();
    database.run("COMMIT");
  }
  file.commit();
}

}  // namespace headlight

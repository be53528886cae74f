// Texts of a file, one after the other: lines, a column of a CSV table, a field of JSON lines. Nothing but the text at hand is in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/formats/file_reader.h"
#include "engine/forward/query.h"

namespace headlight {

enum class CorpusKind : std::uint8_t {
  lines,  ///< .txt: a text a line
  csv,    ///< .csv by RFC 4180, with a line of names: texts in quotes may have line breaks; csv_separator
  jsonl,  ///< .jsonl: an object a line; a field that is an array of whole numbers holds token ids
          ///< and what else the model reads is in "text_pair" and "decoder_text"
};

struct CorpusFormat {
  CorpusKind kind = CorpusKind::lines;
  std::string column;               ///< column or field; empty: "text", or the only one
  bool has_ids = false;             ///< texts are token ids, separated by blanks or commas
  std::string partner_column = {};  ///< of the text that each is patched from; empty: they have no partners
};
/// By the ending of the file's name. Throws Error (usage) for others, and for a column where lines have none.
CorpusFormat corpus_format(const std::filesystem::path& path, const std::string& column, bool has_ids);

/// What a model reads beside a text: the second sentence of a pair, and the decoder's text.
struct BesideTexts {
  std::optional<std::string> pair = {}, decoder = {};
  bool are_none() const { return !pair && !decoder; }
  bool operator==(const BesideTexts&) const = default;
};

/// One text, or why there is none.
struct CorpusText {
  std::uint64_t index = 0;  ///< counted from 0, whatever is in them
  std::uint64_t line = 0;   ///< where it begins, from 1
  std::string text;
  std::vector<std::int64_t> ids;                   ///< instead of the text, where not empty
  BesideTexts beside = {};                         ///< fields "text_pair" and "decoder_text" of a .jsonl
  std::string problem;                             ///< empty: the text is good, and so is its partner
  std::shared_ptr<const CorpusText> partner = {};  ///< CorpusFormat::partner_column of the same record; null: the format has none
  bool is_blank() const { return text.empty() && ids.empty() && problem.empty(); }
  /// `query` with this text instead of its own, and with the pair and decoder text that the record has.
  Query asked_by(Query query) const;
};

/// Lines of a file, without their ends and without the byte-order mark that may stand before the first. Thread contract: one thread.
class LineReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 24U;  ///< bytes; of longer lines the rest is left out
  explicit LineReader(const std::filesystem::path& path) : file_(path) {}
  /// False at the end. is_cut: the line is longer than kLongest.
  bool next(std::string& line, bool& is_cut);
  std::uint64_t line() const { return line_; }  ///< of the last one, from 1
  std::uint64_t position() const { return position_; }
  std::uint64_t size() const { return file_.size(); }
  const std::string& name() const { return file_.name(); }
  void go_back(std::uint64_t position, std::uint64_t line);

 private:
  bool fill();
  FileReader file_;
  std::string buffer_;
  std::size_t at_ = 0;                     // in the buffer
  std::uint64_t position_ = 0, line_ = 0;  // of the next byte, and of the last line
};

/// Texts one after the other, wherever they come from.
class TextSource {
 public:
  TextSource() = default;
  TextSource(const TextSource&) = delete;
  TextSource& operator=(const TextSource&) = delete;
  virtual ~TextSource() = default;
  /// False at the end.
  virtual bool next(CorpusText& text) = 0;
  /// How far it is, of its size: in bytes, or texts.
  virtual std::uint64_t position() const = 0;
  virtual std::uint64_t size() const = 0;
};

class CorpusReader final : public TextSource {
 public:
  /// Throws Error (input) for a file that cannot be read, or a table without the column.
  CorpusReader(const std::filesystem::path& path, CorpusFormat format);
  bool next(CorpusText& text) override;
  std::uint64_t position() const override { return lines_.position(); }
  std::uint64_t size() const override { return lines_.size(); }

 private:
  bool read_record(std::string& record, std::string& problem);
  void leave_joined_lines();
  void find_columns();
  std::size_t find_column(const std::vector<std::string>& names, const std::string& wanted, const char* option) const;
  void read_csv(const std::string& record, CorpusText& text, CorpusText& partner) const;
  void read_json(const std::string& line, CorpusText& text, CorpusText& partner) const;

  LineReader lines_;
  CorpusFormat format_;
  std::size_t column_ = 0, partner_ = 0, columns_ = 0;  // that are read, and how many the header has
  char separator_ = ',';                                // of the table, as its header has it
  std::uint64_t next_index_ = 0, record_line_ = 0, after_first_line_ = 0;
};

/// Where the texts of a file may be: the columns of a table, the fields of the first object that hold text or numbers; none of lines. By the
/// ending of its name, as corpus_format. Throws Error (usage, input).
std::vector<std::string> corpus_columns(const std::filesystem::path& path);
/// How many texts a file has, with those that cannot be read and without blank ones. Throws Error as CorpusReader; or Cancelled.
std::int64_t count_texts(const std::filesystem::path& path, const CorpusFormat& format, Progress& progress);
/// SHA-256 of a file, in hexadecimal digits. Throws Error (input); or Cancelled.
std::string file_digest(const std::filesystem::path& path, Progress& progress);

}  // namespace headlight

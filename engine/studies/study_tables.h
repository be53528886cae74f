// A study as tables that other programs read. Layers, heads, positions and lines as in the program; numbers with the fewest digits that read
// back the same.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/measures/head_label.h"
#include "engine/studies/study_file.h"

namespace headlight {

/// By the ending: .csv, .jsonl, .npy, .sqlite or .db, .study.
enum class StudyTable : std::uint8_t { csv, jsonl, npy, sqlite, study };
/// Throws Error (usage) for other endings.
StudyTable study_table(const std::filesystem::path& path);

struct TableOptions {
  bool has_details = false;  ///< CSV and NPY: for each measure also ID.n, ID.se, ID.q05, ID.q25, ID.q50, ID.q75 and ID.q95
};

/// Which texts a row is over. Of a study with bins of lengths a head has a row for each bin, and after them one for all texts; of others only
/// that one.
struct TextsOfRow {
  Index from = 1;                  ///< the fewest tokens of such a text
  std::optional<Index> most = {};  ///< nullopt: no limit. Only the row of all texts begins at 1 and has none
  std::int64_t n = 0;
};
std::size_t rows_of_head(const CorpusStudy& study);
TextsOfRow texts_of_row(const StoredStudy& stored, std::size_t row);
StudyCell cell_of_row(const CorpusStudy& study, std::size_t row, std::size_t head, std::size_t column);

/// One line a head: layer,head,n,ID,… with ID.KIND and ID.KIND.z behind each ID for every kind of chance (NullNumbers). With bins of lengths a line
/// for each row of a head: layer,head,length_from,length,n,ID,… where length is the most tokens of a text ("": no limit). n: texts. An undefined
/// number is empty.
std::string study_csv(const StoredStudy& stored, const TableOptions& options);
/// A line of what was measured, then one for each row of a head with n, mean, se and quantiles of every measure, and its examples, and
/// what the head is called for them (head_label.h).
std::string study_jsonl(const StoredStudy& stored);
/// Records with the fields of the CSV (numpy.load); undefined numbers are NaN, no limit is −1.
std::string study_npy(const StoredStudy& stored, const TableOptions& options);
/// Tables study (key, value), heads (layer, head, length_from, length, measure, n, mean, se, q05 …), nulls (layer, head, length_from, length,
/// measure, kind, n, mean, sd, z), labels (layer, head, length_from, length, measure, label), examples and bad_lines. Throws Error (write).
void write_study_sqlite(const std::filesystem::path& path, const StoredStudy& stored);

/// In the form that the ending names, whole or not at all.
void write_study_table(const std::filesystem::path& path, const StoredStudy& stored, const TableOptions& options);

/// What chance gives for a number, and how far from it the number is.
struct NullNumbers {
  std::string_view kind;  ///< name_of
  std::int64_t n = 0;     ///< draws: one for each text
  double mean = 0, deviation = 0;
  double z = 0;  ///< (value − mean) / deviation; NaN without a deviation
};
/// By kind of chance.
std::vector<NullNumbers> null_numbers_of(const StoredStudy& stored, std::size_t row, std::size_t head, std::size_t request);

/// What the head is called for a number, with the name of the file that the texts are from.
std::optional<HeadLabel> label_of_row(const StoredStudy& stored, std::size_t row, std::size_t head, std::size_t request);

/// What a cell comes to.
struct CellNumbers {
  std::int64_t n = 0;
  double mean = 0, error = 0;
  std::vector<double> quantiles;  ///< at kQuantiles, with the digits that bins can tell (told_quantile)
};
inline constexpr std::array<double, 5> kQuantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
inline constexpr std::array<std::string_view, 5> kQuantileNames = {"q05", "q25", "q50", "q75", "q95"};
/// How exact they are, for files and readers.
inline constexpr std::string_view kQuantilesFrom =
    "from 256 bins over the measure's range, or of 1/8 power of two where it has no limit: to within the width of a bin, with the digits "
    "that this is worth; of one value, or of equal ones, exact";
/// The same of one measure, in words that end a sentence: "read from 256 bins, each 0.0039 wide."
std::string bins_text(const Measure& measure);
/// A quantile as people read it. In the first or the last bin nothing is known but that it is below or above the bin's inner edge: "< 0.004".
std::string quantile_text(const Measure& measure, double quantile);
/// A quantile with the digits that its bin can tell: of bins of 1/256 three decimals, of bins 9 % wide three significant digits.
double told_quantile(const Measure& measure, double quantile);
CellNumbers numbers_of(const StudyCell& cell, const Measure& measure);
CellNumbers numbers_of(const CorpusStudy& study, const StudyManifest& manifest, std::size_t row, std::size_t head, std::size_t request);

}  // namespace headlight

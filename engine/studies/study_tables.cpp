#include "engine/studies/study_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/core/numbers.h"
#include "engine/formats/replacing_file.h"
#include "engine/targets/effect.h"

namespace headlight {
namespace {

/// The fewest digits that read back the same; nothing where undefined.
std::string shortest(double number) {
  return std::isnan(number) ? "" : fmt::format("{}", number);
}

/// By RFC 4180.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char character : text) quoted += character == '"' ? std::string("\"\"") : std::string(1, character);
  return quoted + "\"";
}

std::vector<std::string> columns_of(const StudyManifest& manifest, const TableOptions& options) {
  std::vector<std::string> columns;
  for (const std::string& id : manifest.measures) {
    columns.push_back(id);
    if (options.has_details) {
      columns.push_back(id + ".n");
      columns.push_back(id + ".se");
      for (const std::string_view name : kQuantileNames) columns.push_back(fmt::format("{}.{}", id, name));
    }
    for (const NullKind kind : manifest.nulls) {
      columns.push_back(fmt::format("{}.{}", id, name_of(kind)));
      columns.push_back(fmt::format("{}.{}.z", id, name_of(kind)));
    }
  }
  return columns;
}

/// As columns_of.
std::vector<double> values_of(const StoredStudy& stored, std::size_t row, std::size_t head, const TableOptions& options) {
  std::vector<double> values;
  for (std::size_t request = 0; request < stored.manifest.measures.size(); ++request) {
    const CellNumbers numbers = numbers_of(stored.study, stored.manifest, row, head, request);
    values.push_back(numbers.mean);
    if (options.has_details) {
      values.push_back(static_cast<double>(numbers.n));
      values.push_back(numbers.error);
      values.insert(values.end(), numbers.quantiles.begin(), numbers.quantiles.end());
    }
    for (const NullNumbers& null : null_numbers_of(stored, row, head, request)) values.insert(values.end(), {null.mean, null.z});
  }
  return values;
}

void write_whole(const std::filesystem::path& path, const std::string& bytes) {
  ReplacingFile file(path);
  file.write(bytes);
  file.commit();
}

template <typename Number>
void append_number(std::string& bytes, Number number) {
  const auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(number);
  bytes.append(raw.data(), raw.size());
}

Json number_json(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

Json cell_json(const StoredStudy& stored, std::size_t row, std::size_t head, std::size_t request) {
  const CellNumbers numbers = numbers_of(stored.study, stored.manifest, row, head, request);
  Json json = {{"n", numbers.n}, {"mean", number_json(numbers.mean)}, {"se", number_json(numbers.error)}};
  for (std::size_t at = 0; at < kQuantiles.size(); ++at) json[std::string(kQuantileNames[at])] = number_json(numbers.quantiles[at]);
  for (const NullNumbers& null : null_numbers_of(stored, row, head, request)) {
    json["null"][std::string(null.kind)] = {
        {"n", null.n}, {"mean", number_json(null.mean)}, {"sd", number_json(null.deviation)}, {"z", number_json(null.z)}};
  }
  for (const TopExample& example : cell_of_row(stored.study, row, head, request).top) {
    json["top"].push_back({{"value", example.value},
                           {"line", example.line},
                           {"text", *example.text},
                           {"query", example.query},
                           {"key", example.key},
                           {"weight", static_cast<double>(example.weight)}});
    Json& told = json["top"].back();
    if (example.is_ids) told["is_ids"] = true;
    if (example.beside && example.beside->pair) told["text_pair"] = *example.beside->pair;
    if (example.beside && example.beside->decoder) told["decoder_text"] = *example.beside->decoder;
  }
  return json;
}

}  // namespace

StudyTable study_table(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".csv") return StudyTable::csv;
  if (ending == ".jsonl") return StudyTable::jsonl;
  if (ending == ".npy") return StudyTable::npy;
  if (ending == ".sqlite" || ending == ".db") return StudyTable::sqlite;
  if (ending == ".study") return StudyTable::study;
  throw Error({.kind = ErrorKind::usage,
               .field = "-o",
               .problem = "the ending says what to write",
               .found = fmt::format("\"{}\"", printable(path.string(), 120)),
               .expected = ".csv, .jsonl, .npy, .sqlite, .db or .study"});
}

std::size_t rows_of_head(const CorpusStudy& study) {
  return study.lengths() > 1 ? study.lengths() + 1 : 1;
}

TextsOfRow texts_of_row(const StoredStudy& stored, std::size_t row) {
  const std::vector<Index>& edges = stored.manifest.length_edges;
  if (row >= stored.study.lengths()) return {.n = stored.study.texts()};
  TextsOfRow texts{.n = stored.study.texts(row)};
  if (row > 0) texts.from = std::min(edges[row - 1], std::numeric_limits<Index>::max() - 1) + 1;
  if (row < edges.size()) texts.most = edges[row];
  return texts;
}

StudyCell cell_of_row(const CorpusStudy& study, std::size_t row, std::size_t head, std::size_t column) {
  return row < study.lengths() ? study.cell(row, head, column) : study.cell_of_all_lengths(head, column);
}

namespace {

/// Without the bins and examples of cell_of_row.
ExactSum sum_of_row(const CorpusStudy& study, std::size_t row, std::size_t head, std::size_t column) {
  return row < study.lengths() ? study.cell(row, head, column).sum : study.sum_of_all_lengths(head, column);
}

}  // namespace

std::optional<HeadLabel> label_of_row(const StoredStudy& stored, std::size_t row, std::size_t head, std::size_t request) {
  const ExactSum sum = sum_of_row(stored.study, row, head, request);
  std::optional<HeadLabel> label = label_of(study_request(stored.manifest.measures[request], "study"), sum.mean(), sum.count);
  if (label) label->of = stored.manifest.corpus;
  return label;
}

std::vector<NullNumbers> null_numbers_of(const StoredStudy& stored, std::size_t row, std::size_t head, std::size_t request) {
  const std::size_t requests = stored.manifest.measures.size();
  const double own = sum_of_row(stored.study, row, head, request).mean();
  std::vector<NullNumbers> nulls;
  for (std::size_t kind = 0; kind < stored.manifest.nulls.size(); ++kind) {
    const ExactSum sum = sum_of_row(stored.study, row, head, request + (1 + kind) * requests);
    NullNumbers null{name_of(stored.manifest.nulls[kind]), sum.count, sum.mean(), sum.deviation(), std::nan("")};
    if (null.deviation > 0) null.z = (own - null.mean) / null.deviation;
    nulls.push_back(null);
  }
  return nulls;
}

std::string bins_text(const Measure& measure) {
  const Bins bins(measure);
  if (std::isinf(measure.low) || std::isinf(measure.high))
    return fmt::format("read from {} bins, each 9 % wider than the one before.", Bins::kCount);
  return fmt::format("read from {} bins, each {} wide.", Bins::kCount, weight_text(bins.edge(1) - bins.edge(0), 4));
}

std::string quantile_text(const Measure& measure, double quantile) {
  const Bins bins(measure);
  const std::size_t last = Bins::kCount - 1, bin = std::isfinite(quantile) ? bins.bin_of(quantile) : 1;
  const bool is_downwards = bins.edge(1) < bins.edge(0);
  if (bin == 0) return fmt::format("{} {}", is_downwards ? ">" : "<", weight_text(bins.edge(1)));
  if (bin == last) return fmt::format("{} {}", is_downwards ? "<" : ">", weight_text(bins.edge(last)));
  return measure_text(measure, quantile);
}

double told_quantile(const Measure& measure, double quantile) {
  constexpr int kSignificantDigits = 3;
  if (!std::isfinite(quantile)) return quantile;
  const Bins bins(measure);
  const double first = std::abs(bins.edge(1) - bins.edge(0));
  const bool is_even = std::isfinite(measure.low) && std::isfinite(measure.high);
  const double distance = std::max(std::abs(quantile - (std::isinf(measure.low) ? measure.high : measure.low)), first);
  const int decimals = is_even ? static_cast<int>(std::ceil(-std::log10(first)))
                               : kSignificantDigits - 1 - static_cast<int>(std::floor(std::log10(distance)));
  const double step = std::pow(10.0, std::abs(decimals));
  if (is_even && bins.bin_of(quantile) == 0) return std::floor(quantile * step) / step;  // what is in the first bin stays there
  return decimals >= 0 ? std::round(quantile * step) / step : std::round(quantile / step) * step;
}

CellNumbers numbers_of(const StudyCell& cell, const Measure& measure) {
  CellNumbers numbers{cell.sum.count, cell.sum.mean(), cell.sum.standard_error(), {}};
  const bool is_one_value = cell.sum.count == 1 || cell.sum.variance() == 0;
  const bool is_one_bin = std::count(cell.bins.counts.begin(), cell.bins.counts.end(), 0) == static_cast<std::ptrdiff_t>(Bins::kCount) - 1;
  for (const double share : kQuantiles) {
    const double quantile = is_one_bin ? numbers.mean : cell.bins.quantile(Bins(measure), share);
    numbers.quantiles.push_back(is_one_value ? numbers.mean : told_quantile(measure, quantile));
  }
  return numbers;
}

CellNumbers numbers_of(const CorpusStudy& study, const StudyManifest& manifest, std::size_t row, std::size_t head, std::size_t request) {
  return numbers_of(cell_of_row(study, row, head, request), *study_request(manifest.measures[request], "study").measure);
}

std::string study_csv(const StoredStudy& stored, const TableOptions& options) {
  const bool has_lengths = stored.study.lengths() > 1;
  std::string text = has_lengths ? "layer,head,length_from,length,n" : "layer,head,n";
  for (const std::string& column : columns_of(stored.manifest, options)) text += fmt::format(",{}", csv_field(column));
  text += "\n";
  for (std::size_t head = 0; head < stored.study.heads().size(); ++head) {
    for (std::size_t row = 0; row < rows_of_head(stored.study); ++row) {
      const HeadId id = stored.study.heads()[head];
      const TextsOfRow texts = texts_of_row(stored, row);
      text += fmt::format("{},{}", id.layer, id.head);
      if (has_lengths) text += fmt::format(",{},{}", texts.from, texts.most ? fmt::format("{}", *texts.most) : "");
      text += fmt::format(",{}", texts.n);
      for (const double number : values_of(stored, row, head, options)) text += fmt::format(",{}", shortest(number));
      text += "\n";
    }
  }
  return text;
}

std::string study_jsonl(const StoredStudy& stored) {
  Json about = stored.manifest.to_json();
  const CorpusStudy& study = stored.study;
  about["bad_lines"] = study.counts.bad;
  about["cut_texts"] = study.counts.cut;
  about["long_texts"] = study.counts.longer;
  if (study.counts.longer > 0) about["made_for"] = study.counts.made_for;
  about["tokens"] = study.counts.tokens;
  about["quantiles"] = kQuantilesFrom;
  for (const BadLine& line : study.bad_lines()) about["named_bad_lines"].push_back({{"line", line.line}, {"reason", line.reason}});
  std::string text = json_text(about) + "\n";
  for (std::size_t head = 0; head < study.heads().size(); ++head) {
    for (std::size_t row = 0; row < rows_of_head(study); ++row) {
      const HeadId id = study.heads()[head];
      const TextsOfRow texts = texts_of_row(stored, row);
      nlohmann::ordered_json line = {{"layer", id.layer}, {"head", id.head}};
      if (study.lengths() > 1) {
        line["length_from"] = texts.from;
        line["length"] = texts.most ? Json(*texts.most) : Json();
      }
      line["n"] = texts.n;
      for (std::size_t request = 0; request < stored.manifest.measures.size(); ++request) {
        line["measures"][stored.manifest.measures[request]] = cell_json(stored, row, head, request);
        if (const auto label = label_of_row(stored, row, head, request)) line["labels"].push_back(label->text());
      }
      text += json_text(line) + "\n";
    }
  }
  return text;
}

std::string study_npy(const StoredStudy& stored, const TableOptions& options) {
  const bool has_lengths = stored.study.lengths() > 1;
  std::string fields = "('layer', '<i4'), ('head', '<i4'), ";
  if (has_lengths) fields += "('length_from', '<i8'), ('length', '<i8'), ";
  fields += "('n', '<i8'), ";
  for (const std::string& column : columns_of(stored.manifest, options)) fields += fmt::format("('{}', '<f8'), ", column);
  const std::size_t rows = stored.study.heads().size() * rows_of_head(stored.study);
  std::string header = fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({},), }}", fields, rows);
  constexpr std::size_t kBefore = 12, kAligned = 64;  // version 2 of the format: a header of any length
  header += std::string(kAligned - (kBefore + header.size() + 1) % kAligned, ' ') + "\n";
  std::string bytes("\x93NUMPY\x02\x00", 8);
  append_number(bytes, static_cast<std::uint32_t>(header.size()));
  bytes += header;
  for (std::size_t head = 0; head < stored.study.heads().size(); ++head) {
    for (std::size_t row = 0; row < rows_of_head(stored.study); ++row) {
      append_number(bytes, static_cast<std::int32_t>(stored.study.heads()[head].layer));
      append_number(bytes, static_cast<std::int32_t>(stored.study.heads()[head].head));
      const TextsOfRow texts = texts_of_row(stored, row);
      if (has_lengths) append_number(bytes, static_cast<std::int64_t>(texts.from));
      if (has_lengths) append_number(bytes, static_cast<std::int64_t>(texts.most.value_or(-1)));
      append_number(bytes, texts.n);
      for (const double number : values_of(stored, row, head, options)) append_number(bytes, number);
    }
  }
  return bytes;
}

void write_study_table(const std::filesystem::path& path, const StoredStudy& stored, const TableOptions& options) {
  switch (study_table(path)) {
    case StudyTable::csv:
      return write_whole(path, study_csv(stored, options));
    case StudyTable::jsonl:
      return write_whole(path, study_jsonl(stored));
    case StudyTable::npy:
      return write_whole(path, study_npy(stored, options));
    case StudyTable::sqlite:
      return write_study_sqlite(path, stored);
    case StudyTable::study:
      return write_study(path, stored.manifest, stored.study);
  }
}

}  // namespace headlight

#include "engine/figure/files/write_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/figure/files/json_file.h"
#include "engine/figure/files/number_cells.h"
#include "engine/formats/replacing_file.h"

namespace headlight {
namespace {

std::span<const float> row_of(const NumberTable& table, Index row) {
  return {table.values.data() + row * table.values.cols(), static_cast<std::size_t>(table.values.cols())};
}

/// A number, "[…]", or "[[…],\n[…]]".
std::string values_in_json(const NumberTable& table) {
  const auto row_text = [&](Index row) {
    const std::string text = in_json(row_of(table, row));
    return table.is_of_vector ? text : text.substr(1, text.size() - 2);
  };
  if (!table.is_of_key) return row_text(0);
  std::string text = "[";
  for (Index row = 0; row < table.values.rows(); ++row) {
    text.append(row == 0 ? "" : table.is_of_vector ? ",\n    " : ",").append(row_text(row));
  }
  return text + "]";
}

/// As `headlight heads` writes them: a line for each head, with the layer's name where a number does not say which it is.
void write_columns(const Snapshot& snapshot, const MeasuredHeads& heads, const std::filesystem::path& path, char between) {
  ReplacingFile file(path);
  const bool names_layers = has_named_layers(snapshot);
  std::string line = fmt::format("layer{0}head{1}", between, names_layers ? fmt::format("{}attention", between) : "");
  const auto is_quoted = [&](const std::string& id) { return id.find_first_of(",\t\"\n") != std::string::npos; };
  for (const auto& column : heads.columns) line += between + (is_quoted(column->id) ? text_cell(column->id) : column->id);
  file.write(line + "\n");
  for (const HeadId head : heads.rows) {
    line = fmt::format("{}{}{}", head.layer, between, head.head);
    if (names_layers) line += between + text_cell(snapshot.layer_name(head.layer));
    for (const auto& column : heads.columns) line += between + list_cell(column->values.of(head), false);
    file.write(line + "\n");
  }
  file.commit();
}

void write_lines(const NumberList& list, bool is_spreadsheet_safe, const std::filesystem::path& path, char between) {
  ReplacingFile file(path);
  std::string line;
  for (std::size_t column = 0; column < list.columns.size(); ++column) {
    const bool has_texts = std::any_of(list.lines.begin(), list.lines.end(), [&](const std::vector<ListCell>& cells) {
      return std::holds_alternative<std::string>(cells[column]);
    });
    line += (column == 0 ? "" : std::string(1, between)) + list.columns[column];
    if (has_texts) line += token_note(is_spreadsheet_safe);
  }
  file.write(line + "\n");
  for (const std::vector<ListCell>& cells : list.lines) {
    line.clear();
    for (std::size_t column = 0; column < cells.size(); ++column)
      line += (column == 0 ? "" : std::string(1, between)) + list_cell(cells[column], is_spreadsheet_safe);
    file.write(line + "\n");
  }
  file.commit();
}

double number_at(const NamedNumbers& numbers, Index row, Index column) {
  return numbers.exact.empty() ? static_cast<double>(numbers.values(row, column))
                               : numbers.exact[static_cast<std::size_t>(row * columns_of(numbers) + column)];
}

/// The shortest digits that read back as what it is: single or double precision.
std::string digits_at(const NamedNumbers& numbers, Index row, Index column) {
  return numbers.exact.empty() ? list_cell(numbers.values(row, column), false) : list_cell(number_at(numbers, row, column), false);
}

/// A line for each number.
void write_named(const std::vector<NamedNumbers>& parts, bool is_spreadsheet_safe, const std::filesystem::path& path, char between) {
  ReplacingFile file(path);
  const std::string_view note = token_note(is_spreadsheet_safe);
  file.write(fmt::format("part{0}row{0}row_name{1}{0}column{0}column_name{1}{0}value\n", between, note));
  const auto name_at = [&](const std::vector<std::string>& names, Index place) {
    return names.empty() ? std::string() : list_cell(names[static_cast<std::size_t>(place)], is_spreadsheet_safe);
  };
  for (const NamedNumbers& numbers : parts) {
    const std::string part = text_cell(numbers.name);
    for (Index row = 0; row < rows_of(numbers); ++row) {
      const std::string begin = fmt::format("{1}{0}{2}{0}{3}{0}", between, part, row, name_at(numbers.rows, row));
      std::string lines;
      for (Index column = 0; column < columns_of(numbers); ++column)
        lines +=
            fmt::format("{1}{2}{0}{3}{0}{4}\n", between, begin, column, name_at(numbers.columns, column), digits_at(numbers, row, column));
      file.write(lines);
    }
  }
  file.commit();
}

void write_named_json(const Snapshot& snapshot, const std::vector<NamedNumbers>& parts, const std::filesystem::path& path,
                      std::string_view record) {
  JsonFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}\n \"parts\": [", in_json(snapshot.model->name), texts_in_json(snapshot, "\n ")));
  const char* between = "\n";
  for (const NamedNumbers& numbers : parts) {
    file.write(fmt::format("{}  {{\"name\": {}, \"rows\": {}, \"columns\": {}, \"values\": [", between, in_json(Json(numbers.name)),
                           in_json(Json(numbers.rows)), in_json(Json(numbers.columns))));
    for (Index row = 0; row < rows_of(numbers); ++row) {
      std::string line = row == 0 ? "[" : ",\n    [";
      for (Index column = 0; column < columns_of(numbers); ++column) {
        const std::string digits = digits_at(numbers, row, column);
        line.append(column == 0 ? "" : ",").append(digits.empty() ? "null" : digits);
      }
      file.write(line + "]");
    }
    file.write("]}");
    between = ",\n";
  }
  file.end("\n]", record);
}

void write_tables_separated(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, char between) {
  if (request.kind->numbers.list)
    return write_lines(request.kind->numbers.list(snapshot, request), request.is_spreadsheet_safe, path, between);
  if (request.kind->numbers.named)
    return write_named(request.kind->numbers.named(snapshot, request), request.is_spreadsheet_safe, path, between);
  if (request.kind->numbers.columns) return write_columns(snapshot, request.kind->numbers.columns(snapshot, request), path, between);
  ReplacingFile file(path);
  const std::vector<std::string> keys = token_cells(snapshot, snapshot.key_tokens(request.head.layer), request.is_spreadsheet_safe);
  file.write(fmt::format("step{0}number{0}key{0}key_token{1}{0}place{0}value\n", between, token_note(request.is_spreadsheet_safe)));
  std::array<char, 32> buffer{};
  for (const NumberTable& table : request.kind->numbers.tables(snapshot, request)) {
    const std::string begin = fmt::format("{1}{0}{2}{0}", between, table.step, text_cell(table.name));
    for (Index row = 0; row < table.values.rows(); ++row) {
      const std::string key =
          table.is_of_key ? fmt::format("{}{}{}", row, between, keys[static_cast<std::size_t>(row)]) : std::string(1, between);
      std::string lines;
      for (Index place = 0; place < table.values.cols(); ++place) {
        const std::string at = table.is_of_vector ? std::to_string(place) : "";
        lines += fmt::format("{1}{2}{0}{3}{0}{4}\n", between, begin, key, at, number_cell(table.values(row, place), buffer));
      }
      file.write(lines);
    }
  }
  file.commit();
}

/// A list of numbers for each column, and whose they are.
void write_columns_json(const Snapshot& snapshot, const MeasuredHeads& heads, const std::filesystem::path& path, std::string_view record) {
  JsonFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}\n \"heads\": [", in_json(snapshot.model->name), texts_in_json(snapshot, "\n ")));
  const char* between = "";
  for (const HeadId head : heads.rows) {
    file.write(fmt::format("{}{{{}}}", between, head_in_json(snapshot, head)));
    between = ", ";
  }
  file.write("],\n \"columns\": [");
  between = "\n";
  for (const auto& column : heads.columns) {
    std::string values;
    for (const HeadId head : heads.rows) {
      const std::string digits = list_cell(column->values.of(head), false);
      values.append(values.empty() ? "" : ",").append(digits.empty() ? "null" : digits);
    }
    file.write(fmt::format("{}  {{\"id\": {}, \"title\": {}, \"unit\": {}, \"measured_on\": {}, \"values\": [{}]}}", between,
                           in_json(column->id), in_json(column->title), in_json(column->unit), in_json(column->measured_on), values));
    between = ",\n";
  }
  file.end("\n]", record);
}

/// A line of the list is an object.
void write_list_json(const Snapshot& snapshot, const NumberList& list, const std::filesystem::path& path, std::string_view record) {
  JsonFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}\n \"what\": {},\n \"lines\": [", in_json(snapshot.model->name),
                         texts_in_json(snapshot, "\n "), in_json(Json(list.what))));
  const char* between = "\n";
  for (const std::vector<ListCell>& line : list.lines) {
    file.write(fmt::format("{}  {}", between, line_in_json(list, line)));
    between = ",\n";
  }
  file.end("\n]", record);
}

}  // namespace

void write_tables_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  write_tables_separated(snapshot, request, path, ',');
}

void write_tables_tsv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  write_tables_separated(snapshot, request, path, '\t');
}

void write_tables_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, std::string_view record) {
  if (request.kind->numbers.list) return write_list_json(snapshot, request.kind->numbers.list(snapshot, request), path, record);
  if (request.kind->numbers.named) return write_named_json(snapshot, request.kind->numbers.named(snapshot, request), path, record);
  if (request.kind->numbers.columns) return write_columns_json(snapshot, request.kind->numbers.columns(snapshot, request), path, record);
  JsonFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}\n {}, \"query\": {},\n \"numbers\": [", in_json(snapshot.model->name),
                         texts_in_json(snapshot, "\n "), head_in_json(snapshot, request.head), asked_query(snapshot, request)));
  const char* between = "\n";
  for (const NumberTable& table : request.kind->numbers.tables(snapshot, request)) {
    file.write(fmt::format("{}  {{\"step\": {}, \"number\": {}, \"is_of_key\": {}, \"values\": {}}}", between, table.step,
                           in_json(table.name), table.is_of_key, values_in_json(table)));
    between = ",\n";
  }
  file.end("\n]", record);
}

}  // namespace headlight

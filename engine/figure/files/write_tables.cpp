#include "engine/figure/files/write_tables.h"

#include <fmt/core.h>

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

}  // namespace

void write_tables_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  ReplacingFile file(path);
  const std::vector<std::string> keys = token_cells(snapshot, snapshot.key_tokens(request.head.layer), request.is_spreadsheet_safe);
  file.write(fmt::format("step,number,key,key_token{},place,value\n", token_note(request.is_spreadsheet_safe)));
  std::array<char, 32> buffer{};
  for (const NumberTable& table : request.kind->numbers.tables(snapshot, request)) {
    const std::string begin = fmt::format("{},{},", table.step, text_cell(table.name));
    for (Index row = 0; row < table.values.rows(); ++row) {
      const std::string key = table.is_of_key ? fmt::format("{},{}", row, keys[static_cast<std::size_t>(row)]) : ",";
      std::string lines;
      for (Index place = 0; place < table.values.cols(); ++place) {
        const std::string at = table.is_of_vector ? std::to_string(place) : "";
        lines += fmt::format("{}{},{},{}\n", begin, key, at, number_cell(table.values(row, place), buffer));
      }
      file.write(lines);
    }
  }
  file.commit();
}

void write_tables_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  ReplacingFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}\n {}, \"query\": {},\n \"numbers\": [", in_json(snapshot.model->name),
                         texts_in_json(snapshot, "\n "), head_in_json(snapshot, request.head), asked_query(snapshot, request)));
  const char* between = "\n";
  for (const NumberTable& table : request.kind->numbers.tables(snapshot, request)) {
    file.write(fmt::format("{}  {{\"step\": {}, \"number\": {}, \"is_of_key\": {}, \"values\": {}}}", between, table.step,
                           in_json(table.name), table.is_of_key, values_in_json(table)));
    between = ",\n";
  }
  file.write("\n]}\n");
  file.commit();
}

}  // namespace headlight

#include "engine/figure/files/write_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "engine/figure/files/json_file.h"
#include "engine/figure/files/number_cells.h"
#include "engine/figure/files/written_maps.h"
#include "engine/formats/replacing_file.h"
#include "engine/formats/tensors/write_tensors.h"

namespace headlight {
namespace {

/// The tokens of both axes as quoted cells.
struct AxisCells {
  std::vector<std::string> queries, keys;
};

/// What the columns of the maps are: keys, or the numbers of a vector.
MapColumns columns_in(const FigureRequest& request) {
  return row_of(shown_stage(request)).columns;
}

/// "0", "1", …, quoted like tokens.
std::vector<std::string> number_cells(Index count) {
  std::vector<std::string> cells;
  for (Index number = 0; number < count; ++number) cells.push_back(text_cell(std::to_string(number)));
  return cells;
}

/// `between`: comma or tab.
void write_table(ReplacingFile& file, char between, const Matrix& weights, const AxisCells& cells, std::string_view columns,
                 std::string_view note) {
  std::array<char, 32> buffer{};
  std::string line = text_cell(fmt::format("query \\ {}{}", columns, note));
  for (const std::string& token : cells.keys) (line += between) += token;
  file.write(line + "\n");
  for (Index query = 0; query < weights.rows(); ++query) {
    line = cells.queries[static_cast<std::size_t>(query)];
    for (Index key = 0; key < weights.cols(); ++key) (line += between).append(number_cell(weights(query, key), buffer));
    file.write(line + "\n");
  }
}

/// The cells of a line that say whose a number is.
struct LineOwner {
  std::string before;  ///< the cell of the run's name, if there is one
  HeadId head;         ///< with the layer's number
  std::string after;   ///< the cell of the layer's name, if there is one
};

void write_list(ReplacingFile& file, char between, const LineOwner& owner, const Matrix& weights, const AxisCells& cells) {
  std::array<char, 32> buffer{};
  for (Index query = 0; query < weights.rows(); ++query) {
    std::string lines;
    for (Index key = 0; key < weights.cols(); ++key) {
      lines += fmt::format("{1}{2}{0}{3}{0}{4}{5}{0}{6}{0}{7}{0}{8}{0}{9}\n", between, owner.before, owner.head.layer, owner.head.head,
                           owner.after, query, key, cells.queries[static_cast<std::size_t>(query)],
                           cells.keys[static_cast<std::size_t>(key)], number_cell(weights(query, key), buffer));
    }
    file.write(lines);
  }
}

/// The corner says what the numbers are, since no head has them.
void write_derived_table(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, char between) {
  ReplacingFile file(path);
  const DerivedMap map = request.kind->numbers.derived(snapshot, request);
  const AxisCells cells{token_cells(snapshot, snapshot.query_tokens(map.layer), request.is_spreadsheet_safe),
                        token_cells(snapshot, snapshot.key_tokens(map.layer), request.is_spreadsheet_safe)};
  write_table(file, between, map.values, cells, "key", fmt::format("{} (derived: {})", token_note(request.is_spreadsheet_safe), map.what));
  file.commit();
}

void write_derived_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  const DerivedMap map = request.kind->numbers.derived(snapshot, request);
  const std::vector<float> values(map.values.data(), map.values.data() + map.values.size());
  write_npy(path, {"attention", {map.values.rows(), map.values.cols()}, values});
}

void write_separated(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, char between) {
  if (request.kind->numbers.derived != nullptr) return write_derived_table(snapshot, request, path, between);
  ReplacingFile file(path);
  const bool is_table = request.kind->numbers.axes(snapshot, request).empty();
  const std::string_view note = token_note(request.is_spreadsheet_safe);
  const std::vector<WrittenMap> maps = written_maps(snapshot, request);
  const bool is_named = has_subjects(maps);
  const bool names_layers =
      std::any_of(maps.begin(), maps.end(), [&](const WrittenMap& map) { return has_named_layers(run_of(map.head, snapshot)); });
  if (!is_table) {
    const std::string subject = is_named ? fmt::format("subject{}", between) : "";
    const std::string attention = names_layers ? fmt::format("attention{}", between) : "";
    file.write(
        fmt::format("{1}layer{0}head{0}{2}query{0}key{0}query_token{3}{0}key_token{3}{0}weight\n", between, subject, attention, note));
  }
  AxisCells cells;
  const Snapshot* cells_of_run = nullptr;
  int cells_of_layer = -1;
  for (const WrittenMap& map : maps) {
    const ComparedHead& head = map.head;
    const Snapshot& run = run_of(head, snapshot);
    const int layer = head.head.layer;
    if (&run != cells_of_run || layer != cells_of_layer)
      cells = {token_cells(run, run.query_tokens(layer), request.is_spreadsheet_safe),
               token_cells(run, run.key_tokens(layer), request.is_spreadsheet_safe)};
    cells_of_run = &run;
    cells_of_layer = layer;
    const Matrix weights = values_of(snapshot, request, map);
    if (is_table && columns_in(request) == MapColumns::numbers) {
      write_table(file, between, weights, {cells.queries, number_cells(weights.cols())}, "number", note);
    } else if (is_table) {
      write_table(file, between, weights, cells, "key", note);
    } else {
      const std::string name = request.is_spreadsheet_safe ? spreadsheet_safe(head.subject) : head.subject;
      const LineOwner owner{is_named ? text_cell(name) + between : "",
                            {number_of(run, layer), head.head.head},
                            names_layers ? text_cell(run.layer_name(layer)) + between : ""};
      write_list(file, between, owner, weights, cells);
    }
  }
  file.commit();
}

}  // namespace

void write_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  write_separated(snapshot, request, path, ',');
}

void write_tsv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  write_separated(snapshot, request, path, '\t');
}

void write_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  if (request.kind->numbers.derived != nullptr) return write_derived_numpy(snapshot, request, path);
  const std::vector<WrittenMap> maps = written_maps(snapshot, request);
  check_same_size(snapshot, maps, path);
  check_room(snapshot, request, maps, path);
  const std::vector<std::int64_t> shape = shape_of(snapshot, request, maps);
  std::vector<float> values;
  values.reserve(std::accumulate(shape.begin(), shape.end(), std::size_t{1},
                                 [](std::size_t count, std::int64_t axis) { return count * static_cast<std::size_t>(axis); }));
  for (const WrittenMap& map : maps) {
    const Matrix weights = values_of(snapshot, request, map);
    values.insert(values.end(), weights.data(), weights.data() + weights.size());
  }
  write_npy(path, {"attention", shape, values});
}

namespace {

/// The fields that describe a head's run: its subject where it has a name, and model and texts where it is not the file's own run.
std::string run_fields(const ComparedHead& head, const Snapshot& own) {
  std::string text;
  const Snapshot& run = run_of(head, own);
  if (!head.subject.empty()) text += fmt::format("\"subject\": {}, ", in_json(head.subject));
  if (&run != &own) text += fmt::format("\"model\": {}, {} ", in_json(run.model->name), texts_in_json(run, " "));
  return text;
}

void write_rows(JsonFile& file, const Matrix& weights) {
  for (Index query = 0; query < weights.rows(); ++query) {
    const std::span<const float> row(weights.row(query).data(), static_cast<std::size_t>(weights.cols()));
    file.write((query == 0 ? "\n   " : ",\n   ") + in_json(row));
  }
}

}  // namespace

void write_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, std::string_view record) {
  JsonFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}", in_json(snapshot.model->name), texts_in_json(snapshot, "\n ")));
  if (request.kind->numbers.derived != nullptr) {
    const DerivedMap map = request.kind->numbers.derived(snapshot, request);
    file.write(fmt::format("\n \"derived\": {},\n \"values\": [", in_json(Json(map.what))));
    write_rows(file, map.values);
    return file.end("]", record);
  }
  file.write("\n \"heads\": [");
  const char* before_head = "\n";
  for (const WrittenMap& map : written_maps(snapshot, request)) {
    const ComparedHead& head = map.head;
    const Snapshot& run = run_of(head, snapshot);
    file.write(fmt::format("{}  {{{}{}, \"{}\": [", before_head, run_fields(head, snapshot), head_in_json(run, head.head),
                           name_of(shown_stage(request))));
    before_head = ",\n";
    write_rows(file, values_of(snapshot, request, map));
    file.write("]}");
  }
  file.end("]", record);
}

}  // namespace headlight

#include "engine/figure/files/write_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/figure/files/number_cells.h"
#include "engine/formats/replacing_file.h"
#include "engine/formats/tensors/write_tensors.h"

namespace headlight {
namespace {

/// A map of the file: that of a head, or its weights minus those of another.
struct WrittenMap {
  ComparedHead head;
  std::optional<ComparedHead> subtracted = {};
};

std::vector<WrittenMap> maps_of(const Snapshot& snapshot, const FigureRequest& request) {
  std::vector<WrittenMap> maps;
  for (ComparedHead& head : request.kind->numbers.heads(snapshot, request)) maps.push_back({std::move(head)});
  const auto has_difference = request.kind->numbers.has_difference;
  if (has_difference == nullptr || !has_difference(request)) return maps;
  WrittenMap difference{maps.at(0).head, maps.at(1).head};
  difference.head.subject += " - " + difference.subtracted->subject;
  maps.push_back(std::move(difference));
  return maps;
}

Matrix values_of(const Snapshot& own, const FigureRequest& request, const WrittenMap& map) {
  const auto values = [&](const ComparedHead& head) { return stage_values(run_of(head, own).maps(head.head), shown_stage(request)); };
  if (!map.subtracted) return values(map.head);
  return values(map.head) - values(*map.subtracted);
}

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

void write_table(ReplacingFile& file, const Matrix& weights, const AxisCells& cells, std::string_view columns, std::string_view note) {
  std::array<char, 32> buffer{};
  std::string line = text_cell(fmt::format("query \\ {}{}", columns, note));
  for (const std::string& token : cells.keys) line.append(",").append(token);
  file.write(line + "\n");
  for (Index query = 0; query < weights.rows(); ++query) {
    line = cells.queries[static_cast<std::size_t>(query)];
    for (Index key = 0; key < weights.cols(); ++key) line.append(",").append(number_cell(weights(query, key), buffer));
    file.write(line + "\n");
  }
}

/// Whether the heads come from several runs, so that a column names the run.
bool has_subjects(const std::vector<WrittenMap>& maps) {
  return std::any_of(maps.begin(), maps.end(), [](const WrittenMap& map) { return !map.head.subject.empty(); });
}

/// `before`: the cell of the run's name, if there is one; `head`: with the layer's number.
void write_list(ReplacingFile& file, const std::string& before, HeadId head, const Matrix& weights, const AxisCells& cells) {
  std::array<char, 32> buffer{};
  for (Index query = 0; query < weights.rows(); ++query) {
    std::string lines;
    for (Index key = 0; key < weights.cols(); ++key) {
      lines +=
          fmt::format("{}{},{},{},{},{},{},{}\n", before, head.layer, head.head, query, key, cells.queries[static_cast<std::size_t>(query)],
                      cells.keys[static_cast<std::size_t>(key)], number_cell(weights(query, key), buffer));
    }
    file.write(lines);
  }
}

/// The corner says what the numbers are, since no head has them.
void write_derived_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  ReplacingFile file(path);
  const DerivedMap map = request.kind->numbers.derived(snapshot, request);
  const AxisCells cells{token_cells(snapshot, snapshot.query_tokens(map.layer), request.is_spreadsheet_safe),
                        token_cells(snapshot, snapshot.key_tokens(map.layer), request.is_spreadsheet_safe)};
  write_table(file, map.values, cells, "key", fmt::format("{} (derived: {})", token_note(request.is_spreadsheet_safe), map.what));
  file.commit();
}

void write_derived_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  const DerivedMap map = request.kind->numbers.derived(snapshot, request);
  const std::vector<float> values(map.values.data(), map.values.data() + map.values.size());
  write_npy(path, {"attention", {map.values.rows(), map.values.cols()}, values});
}

/// One array holds maps of one size only.
void check_same_size(const Snapshot& own, const std::vector<WrittenMap>& maps, const std::filesystem::path& path) {
  const Snapshot& first = run_of(maps.front().head, own);
  const int first_layer = maps.front().head.head.layer;
  for (const auto& [head, subtracted] : maps) {
    const Snapshot& run = run_of(head, own);
    const int layer = head.head.layer;
    if (run.queries(layer) == first.queries(first_layer) && run.keys(layer) == first.keys(first_layer)) continue;
    throw Error({.kind = ErrorKind::usage,
                 .file = printable(path.native()),
                 .problem = "maps of different sizes do not fit one array",
                 .found = fmt::format("{} × {} in {} and {} × {} in {}", first.queries(first_layer), first.keys(first_layer),
                                      first.layer_name(first_layer), run.queries(layer), run.keys(layer), run.layer_name(layer)),
                 .hint = "Write .csv or .json, one head at a time, or every layer with `headlight trace`."});
  }
}

}  // namespace

void write_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  if (request.kind->numbers.derived != nullptr) return write_derived_csv(snapshot, request, path);
  ReplacingFile file(path);
  const bool is_table = request.kind->numbers.axes(snapshot, request).empty();
  const std::string_view note = token_note(request.is_spreadsheet_safe);
  const std::vector<WrittenMap> maps = maps_of(snapshot, request);
  const bool is_named = has_subjects(maps);
  if (!is_table)
    file.write(fmt::format("{}layer,head,query,key,query_token{},key_token{},weight\n", is_named ? "subject," : "", note, note));
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
      write_table(file, weights, {cells.queries, number_cells(weights.cols())}, "number", note);
    } else if (is_table) {
      write_table(file, weights, cells, "key", note);
    } else {
      const std::string name = request.is_spreadsheet_safe ? spreadsheet_safe(head.subject) : head.subject;
      write_list(file, is_named ? text_cell(name) + "," : "", {number_of(run, layer), head.head.head}, weights, cells);
    }
  }
  file.commit();
}

void write_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  if (request.kind->numbers.derived != nullptr) return write_derived_numpy(snapshot, request, path);
  const std::vector<WrittenMap> maps = maps_of(snapshot, request);
  check_same_size(snapshot, maps, path);
  const ComparedHead& head = maps.front().head;
  const Snapshot& first = run_of(head, snapshot);
  const std::int64_t queries = first.queries(head.head.layer), keys = columns_of(first, head.head.layer, shown_stage(request));
  const double bytes = static_cast<double>(maps.size()) * static_cast<double>(queries) * static_cast<double>(keys) * sizeof(float);
  require_memory(
      bytes, allowed_memory(),
      {.file = printable(path.native()), .problem = "too many numbers for one file", .hint = "Write fewer heads or a shorter text."});
  std::vector<float> values;
  values.reserve(maps.size() * static_cast<std::size_t>(queries * keys));
  for (const WrittenMap& map : maps) {
    const Matrix weights = values_of(snapshot, request, map);
    values.insert(values.end(), weights.data(), weights.data() + weights.size());
  }
  std::vector<std::int64_t> shape = request.kind->numbers.axes(snapshot, request);
  shape.insert(shape.end(), {queries, keys});
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

void write_rows(ReplacingFile& file, const Matrix& weights) {
  for (Index query = 0; query < weights.rows(); ++query) {
    const std::span<const float> row(weights.row(query).data(), static_cast<std::size_t>(weights.cols()));
    file.write((query == 0 ? "\n   " : ",\n   ") + in_json(row));
  }
}

}  // namespace

void write_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  ReplacingFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}", in_json(snapshot.model->name), texts_in_json(snapshot, "\n ")));
  if (request.kind->numbers.derived != nullptr) {
    const DerivedMap map = request.kind->numbers.derived(snapshot, request);
    file.write(fmt::format("\n \"derived\": {},\n \"values\": [", in_json(Json(map.what))));
    write_rows(file, map.values);
    file.write("]}\n");
    file.commit();
    return;
  }
  file.write("\n \"heads\": [");
  const char* before_head = "\n";
  for (const WrittenMap& map : maps_of(snapshot, request)) {
    const ComparedHead& head = map.head;
    const Snapshot& run = run_of(head, snapshot);
    file.write(fmt::format("{}  {{{}{}, \"{}\": [", before_head, run_fields(head, snapshot), head_in_json(run, head.head),
                           name_of(shown_stage(request))));
    before_head = ",\n";
    write_rows(file, values_of(snapshot, request, map));
    file.write("]}");
  }
  file.write("]}\n");
  file.commit();
}

}  // namespace headlight

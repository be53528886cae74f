#include "engine/figure/files/write_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/formats/json.h"
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

/// The shortest text that reads back as the same float; "nan" for what is not a number.
std::string_view number(float value, std::array<char, 32>& buffer) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), static_cast<std::size_t>(result.ptr - buffer.data())};
}

/// A quoted cell (RFC 4180).
std::string cell(const std::string& text) {
  std::string result = "\"";
  for (const char byte : text) {
    if (byte == '"') result += '"';
    result += byte;
  }
  result += '"';
  return result;
}

std::vector<std::string> tokens_of(const Snapshot& snapshot, const Encoding& encoding) {
  std::vector<std::string> tokens;
  for (const Token& token : encoding.tokens) tokens.push_back(snapshot.label(token).text);
  return tokens;
}

/// With an apostrophe before what a spreadsheet would take for a formula, and before an apostrophe: so that removing one is always right.
std::string spreadsheet_safe(const std::string& text) {
  const bool is_formula = !text.empty() && std::string_view("=+-@'\t\r\n").find(text.front()) != std::string_view::npos;
  return is_formula ? "'" + text : text;
}

std::vector<std::string> cells_of(const Snapshot& snapshot, const Encoding& encoding, bool is_spreadsheet_safe) {
  std::vector<std::string> cells = tokens_of(snapshot, encoding);
  std::transform(cells.begin(), cells.end(), cells.begin(),
                 [&](const std::string& text) { return cell(is_spreadsheet_safe ? spreadsheet_safe(text) : text); });
  return cells;
}

/// The tokens of both axes as quoted cells.
struct AxisCells {
  std::vector<std::string> queries, keys;
};

/// What is added to the name of a column of tokens.
std::string_view note_of(const FigureRequest& request) {
  return request.is_spreadsheet_safe ? " (spreadsheet-safe)" : "";
}

void write_table(ReplacingFile& file, const Matrix& weights, const AxisCells& cells, std::string_view note) {
  std::array<char, 32> buffer{};
  std::string line = cell("query \\ key" + std::string(note));
  for (const std::string& token : cells.keys) line.append(",").append(token);
  file.write(line + "\n");
  for (Index query = 0; query < weights.rows(); ++query) {
    line = cells.queries[static_cast<std::size_t>(query)];
    for (Index key = 0; key < weights.cols(); ++key) line.append(",").append(number(weights(query, key), buffer));
    file.write(line + "\n");
  }
}

/// The layer's own number where no stack is named beside it; else its place among all layers.
int number_of(const Snapshot& snapshot, int layer) {
  const LayerPlace place = snapshot.model->config.place(layer);
  return place.stack == Stack::only ? place.number : layer;
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
                      cells.keys[static_cast<std::size_t>(key)], number(weights(query, key), buffer));
    }
    file.write(lines);
  }
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
  ReplacingFile file(path);
  const bool is_table = request.kind->numbers.axes(snapshot, request).empty();
  const std::string_view note = note_of(request);
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
      cells = {cells_of(run, run.query_tokens(layer), request.is_spreadsheet_safe),
               cells_of(run, run.key_tokens(layer), request.is_spreadsheet_safe)};
    cells_of_run = &run;
    cells_of_layer = layer;
    const Matrix weights = values_of(snapshot, request, map);
    if (is_table) {
      write_table(file, weights, cells, note);
    } else {
      const std::string name = request.is_spreadsheet_safe ? spreadsheet_safe(head.subject) : head.subject;
      write_list(file, is_named ? cell(name) + "," : "", {number_of(run, layer), head.head.head}, weights, cells);
    }
  }
  file.commit();
}

void write_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  const std::vector<WrittenMap> maps = maps_of(snapshot, request);
  check_same_size(snapshot, maps, path);
  const ComparedHead& head = maps.front().head;
  const Snapshot& first = run_of(head, snapshot);
  const std::int64_t queries = first.queries(head.head.layer), keys = first.keys(head.head.layer);
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

std::string in_json(const Json& value) {
  return json_text(value);
}

/// The texts of a run and their tokens: "\"text\": …" and so on, separated by `between`.
std::string texts_of(const Snapshot& run, const std::string& between) {
  std::string text = fmt::format("\"text\": {},", in_json(run.encoding->text));
  if (!run.encoding->text_pair.empty()) text += fmt::format(" \"text_pair\": {},", in_json(run.encoding->text_pair));
  text += fmt::format("{}\"tokens\": {},", between, in_json(tokens_of(run, *run.encoding)));
  if (!run.decoder_encoding) return text;
  return text + fmt::format("{}\"decoder_text\": {},{}\"decoder_tokens\": {},", between, in_json(run.decoder_encoding->text), between,
                            in_json(tokens_of(run, *run.decoder_encoding)));
}

/// The fields that describe a head's run: its subject where it has a name, and model and texts where it is not the file's own run.
std::string run_fields(const ComparedHead& head, const Snapshot& own) {
  std::string text;
  const Snapshot& run = run_of(head, own);
  if (!head.subject.empty()) text += fmt::format("\"subject\": {}, ", in_json(head.subject));
  if (&run != &own) text += fmt::format("\"model\": {}, {} ", in_json(run.model->name), texts_of(run, " "));
  return text;
}

void write_rows(ReplacingFile& file, const Matrix& weights) {
  std::array<char, 32> buffer{};
  for (Index query = 0; query < weights.rows(); ++query) {
    std::string line = query == 0 ? "\n   [" : ",\n   [";
    for (Index key = 0; key < weights.cols(); ++key) {
      const float weight = weights(query, key);
      line.append(key == 0 ? "" : ",").append(std::isfinite(weight) ? number(weight, buffer) : "null");
    }
    file.write(line + "]");
  }
}

}  // namespace

void write_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  ReplacingFile file(path);
  file.write(fmt::format("{{\"model\": {}, {}", in_json(snapshot.model->name), texts_of(snapshot, "\n ")));
  file.write("\n \"heads\": [");
  const char* before_head = "\n";
  for (const WrittenMap& map : maps_of(snapshot, request)) {
    const ComparedHead& head = map.head;
    const Snapshot& run = run_of(head, snapshot);
    const int layer = head.head.layer;
    const bool is_named = run.decoder_encoding || run.model->config.place(layer).stack != Stack::only;
    const std::string name = is_named ? fmt::format(" \"attention\": {},", in_json(run.layer_name(layer))) : "";
    file.write(fmt::format("{}  {{{}\"layer\": {}, \"head\": {},{} \"{}\": [", before_head, run_fields(head, snapshot),
                           number_of(run, layer), head.head.head, name, name_of(shown_stage(request))));
    before_head = ",\n";
    write_rows(file, values_of(snapshot, request, map));
    file.write("]}");
  }
  file.write("]}\n");
  file.commit();
}

}  // namespace headlight

#include "engine/figure/files/write_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/formats/json.h"
#include "engine/formats/replacing_file.h"
#include "engine/formats/tensors/write_tensors.h"

namespace headlight {
namespace {

std::vector<HeadId> heads_of(const Snapshot& snapshot, const FigureRequest& request) {
  return request.kind->numbers.heads(snapshot, request);
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

/// With an apostrophe before what a spreadsheet would take for a formula, and before an apostrophe: one is always to be taken away.
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

/// The layer's own number where it has no stack's name beside it; else its place among all.
int number_of(const Snapshot& snapshot, int layer) {
  const LayerPlace place = snapshot.model->config.place(layer);
  return place.stack == Stack::only ? place.number : layer;
}

/// `head`: with the layer's number.
void write_list(ReplacingFile& file, HeadId head, const Matrix& weights, const AxisCells& cells) {
  std::array<char, 32> buffer{};
  for (Index query = 0; query < weights.rows(); ++query) {
    std::string lines;
    for (Index key = 0; key < weights.cols(); ++key) {
      lines += fmt::format("{},{},{},{},{},{},{}\n", head.layer, head.head, query, key, cells.queries[static_cast<std::size_t>(query)],
                           cells.keys[static_cast<std::size_t>(key)], number(weights(query, key), buffer));
    }
    file.write(lines);
  }
}

/// One array holds maps of one size only.
void check_same_size(const Snapshot& snapshot, const std::vector<HeadId>& heads, const std::filesystem::path& path) {
  const int first = heads.front().layer;
  for (const HeadId head : heads) {
    if (snapshot.queries(head.layer) == snapshot.queries(first) && snapshot.keys(head.layer) == snapshot.keys(first)) continue;
    throw Error(
        {.kind = ErrorKind::usage,
         .file = printable(path.native()),
         .problem = "maps of different sizes do not fit one array",
         .found = fmt::format("{} × {} in {} and {} × {} in {}", snapshot.queries(first), snapshot.keys(first), snapshot.layer_name(first),
                              snapshot.queries(head.layer), snapshot.keys(head.layer), snapshot.layer_name(head.layer)),
         .hint = "Write .csv or .json, one head at a time, or every layer with `headlight trace`."});
  }
}

}  // namespace

void write_csv(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  ReplacingFile file(path);
  const bool is_table = request.kind->numbers.axes(snapshot, request).empty();
  const std::string_view note = note_of(request);
  if (!is_table) file.write(fmt::format("layer,head,query,key,query_token{},key_token{},weight\n", note, note));
  AxisCells cells;
  int layer = -1;
  for (const HeadId head : heads_of(snapshot, request)) {
    if (head.layer != layer)
      cells = {cells_of(snapshot, snapshot.query_tokens(head.layer), request.is_spreadsheet_safe),
               cells_of(snapshot, snapshot.key_tokens(head.layer), request.is_spreadsheet_safe)};
    layer = head.layer;
    const Matrix weights = stage_values(snapshot.maps(head), request.stage);
    if (is_table) {
      write_table(file, weights, cells, note);
    } else {
      write_list(file, {number_of(snapshot, head.layer), head.head}, weights, cells);
    }
  }
  file.commit();
}

void write_numpy(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  const std::vector<HeadId> heads = heads_of(snapshot, request);
  check_same_size(snapshot, heads, path);
  const std::int64_t queries = snapshot.queries(heads.front().layer), keys = snapshot.keys(heads.front().layer);
  const double bytes = static_cast<double>(heads.size()) * static_cast<double>(queries) * static_cast<double>(keys) * sizeof(float);
  require_memory(
      bytes, allowed_memory(),
      {.file = printable(path.native()), .problem = "too many numbers for one file", .hint = "Write fewer heads or a shorter text."});
  std::vector<float> values;
  values.reserve(heads.size() * static_cast<std::size_t>(queries * keys));
  for (const HeadId head : heads) {
    const Matrix weights = stage_values(snapshot.maps(head), request.stage);
    values.insert(values.end(), weights.data(), weights.data() + weights.size());
  }
  std::vector<std::int64_t> shape = request.kind->numbers.axes(snapshot, request);
  shape.insert(shape.end(), {queries, keys});
  write_npy(path, {"attention", shape, values});
}

void write_json(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  const auto quoted = [](const Json& value) { return json_text(value); };
  std::array<char, 32> buffer{};
  ReplacingFile file(path);
  file.write(fmt::format("{{\"model\": {}, \"text\": {},", quoted(snapshot.model->name), quoted(snapshot.encoding->text)));
  if (!snapshot.encoding->text_pair.empty()) file.write(fmt::format(" \"text_pair\": {},", quoted(snapshot.encoding->text_pair)));
  file.write(fmt::format("\n \"tokens\": {},", quoted(tokens_of(snapshot, *snapshot.encoding))));
  if (snapshot.decoder_encoding) {
    file.write(fmt::format("\n \"decoder_text\": {},\n \"decoder_tokens\": {},", quoted(snapshot.decoder_encoding->text),
                           quoted(tokens_of(snapshot, *snapshot.decoder_encoding))));
  }
  file.write("\n \"heads\": [");
  const char* before_head = "\n";
  for (const HeadId head : heads_of(snapshot, request)) {
    const bool is_named = snapshot.decoder_encoding || snapshot.model->config.place(head.layer).stack != Stack::only;
    const std::string name = is_named ? fmt::format(" \"attention\": {},", quoted(snapshot.layer_name(head.layer))) : "";
    file.write(fmt::format("{}  {{\"layer\": {}, \"head\": {},{} \"{}\": [", before_head, number_of(snapshot, head.layer), head.head, name,
                           name_of(request.stage)));
    before_head = ",\n";
    const Matrix weights = stage_values(snapshot.maps(head), request.stage);
    for (Index query = 0; query < weights.rows(); ++query) {
      std::string line = query == 0 ? "\n   [" : ",\n   [";
      for (Index key = 0; key < weights.cols(); ++key) {
        const float weight = weights(query, key);
        line.append(key == 0 ? "" : ",").append(std::isfinite(weight) ? number(weight, buffer) : "null");
      }
      file.write(line + "]");
    }
    file.write("]}");
  }
  file.write("]}\n");
  file.commit();
}

}  // namespace headlight

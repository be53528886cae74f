#include "engine/figure/files/write_arrays.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/figure/files/number_cells.h"
#include "engine/figure/files/provenance.h"
#include "engine/figure/files/written_maps.h"
#include "engine/formats/digest.h"

namespace headlight {
namespace {

/// What the file will hold.
struct Arrays {
  struct Array {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
    std::vector<double> doubles;  ///< in the place of `values`, where not empty
  };
  std::vector<Array> arrays;
  std::map<std::string, std::string> texts;

  std::vector<TensorToWrite> tensors() const {
    std::vector<TensorToWrite> tensors;
    for (const Array& array : arrays) tensors.push_back({array.name, array.shape, array.values, array.doubles});
    return tensors;
  }
  /// A second array of a name gets a number: "attention.0.1#2".
  void add(const std::string& name, std::vector<std::int64_t> shape, std::vector<float> values, std::vector<double> doubles = {}) {
    std::string free = name;
    const auto is_taken = [&] { return std::any_of(arrays.begin(), arrays.end(), [&](const Array& each) { return each.name == free; }); };
    for (int number = 2; is_taken(); ++number) free = fmt::format("{}#{}", name, number);
    arrays.push_back({std::move(free), std::move(shape), std::move(values), std::move(doubles)});
  }
};

std::vector<float> floats_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

std::string name_of_maps(const FigureRequest& request) {
  const Stage stage = shown_stage(request);
  return stage == Stage::weights ? "attention" : std::string(name_of(stage));
}

/// "attention.0.1"; "cross.attention.0.1".
std::string name_of_map(const Snapshot& run, HeadId head, const std::string& maps) {
  const LayerPlace place = run.model->config.place(head.layer);
  const std::string stack = place.stack == Stack::only ? "" : std::string(name_of(place.stack)) + ".";
  return fmt::format("{}{}.{}.{}", stack, maps, place.number, head.head);
}

/// What a map is of, as a JSON object.
std::string map_in_json(const WrittenMap& map, const Snapshot& own) {
  const Snapshot& run = run_of(map.head, own);
  std::string text = "{";
  if (!map.head.subject.empty()) text += fmt::format("\"subject\": {}, ", in_json(map.head.subject));
  if (&run != &own) text += fmt::format("\"model\": {}, {} ", in_json(run.model->name), texts_in_json(run, " "));
  return text + head_in_json(run, map.head.head) + "}";
}

void add_maps(Arrays& file, const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path) {
  const std::vector<WrittenMap> maps = written_maps(snapshot, request);
  check_room(snapshot, request, maps, path);
  const bool is_one = have_one_size(snapshot, maps);
  std::vector<float> all;
  std::string heads;
  for (const WrittenMap& map : maps) {
    heads.append(heads.empty() ? "[" : ", ").append(map_in_json(map, snapshot));
    const Matrix values = values_of(snapshot, request, map);
    if (is_one) {
      all.insert(all.end(), values.data(), values.data() + values.size());
    } else {
      const std::string name = name_of_map(run_of(map.head, snapshot), map.head.head, name_of_maps(request));
      file.add(name, {values.rows(), values.cols()}, floats_of(values));
    }
  }
  if (is_one) file.add(name_of_maps(request), shape_of(snapshot, request, maps), std::move(all));
  file.texts["heads"] = heads + "]";
}

/// A list's numbers as an array each, NaN where there is none; its words as lists of JSON beside them.
void add_list(Arrays& file, const NumberList& list) {
  const auto number = [](const ListCell& cell) {
    const auto as_double = [](const auto& value) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) return static_cast<double>(value);
      return std::numeric_limits<double>::quiet_NaN();
    };
    return std::visit(as_double, cell);
  };
  for (std::size_t column = 0; column < list.columns.size(); ++column) {
    std::vector<double> numbers;
    Json words = Json::array();
    bool has_words = false;
    for (const std::vector<ListCell>& line : list.lines) {
      const auto* text = std::get_if<std::string>(&line[column]);
      has_words = has_words || text != nullptr;
      words.push_back(text != nullptr ? Json(*text) : Json(nullptr));
      numbers.push_back(number(line[column]));
    }
    if (has_words) {
      file.texts[list.columns[column]] = in_json(words);
    } else {
      file.add(list.columns[column], {std::ssize(list.lines)}, {}, std::move(numbers));
    }
  }
  file.texts["what"] = list.what;
}

/// An array for each column, NaN where there is no number, and whose they are.
void add_columns(Arrays& file, const MeasuredHeads& heads) {
  const std::vector<std::int64_t> shape{std::ssize(heads.rows)};
  const auto add = [&](const std::string& name, const auto& number_of) {
    std::vector<double> numbers;
    for (const HeadId head : heads.rows) numbers.push_back(number_of(head));
    file.add(name, shape, {}, std::move(numbers));
  };
  add("layer", [](HeadId head) { return static_cast<double>(head.layer); });
  add("head", [](HeadId head) { return static_cast<double>(head.head); });
  Json columns = Json::array();
  for (const auto& column : heads.columns) {
    add(column->id, [&](HeadId head) { return column->values.of(head); });
    columns.push_back({{"id", column->id}, {"title", column->title}, {"unit", column->unit}, {"measured_on", column->measured_on}});
  }
  file.texts["columns"] = in_json(columns);
}

void add_tables(Arrays& file, const Snapshot& snapshot, const FigureRequest& request) {
  for (const NumberTable& table : request.kind->numbers.tables(snapshot, request)) {
    std::vector<std::int64_t> shape;
    if (table.is_of_key) shape.push_back(table.values.rows());
    if (table.is_of_vector) shape.push_back(table.values.cols());
    file.add(table.name, std::move(shape), floats_of(table.values));
  }
  file.texts["heads"] = fmt::format("[{{{}, \"query\": {}}}]", head_in_json(snapshot, request.head), asked_query(snapshot, request));
}

/// An array for each part, and the names along its sides.
void add_named(Arrays& file, std::vector<NamedNumbers> parts) {
  Json names = Json::array();
  for (NamedNumbers& part : parts) {
    const std::vector<std::int64_t> shape{rows_of(part), columns_of(part)};
    file.add(part.name, shape, floats_of(part.values), std::move(part.exact));
    names.push_back({{"name", part.name}, {"rows", part.rows}, {"columns", part.columns}});
  }
  file.texts["parts"] = in_json(names);
}

Arrays arrays_of(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, std::string_view record) {
  Arrays file;
  file.texts["model"] = snapshot.model->name;
  file.texts["text"] = snapshot.encoding->text;
  if (!snapshot.encoding->text_pair.empty()) file.texts["text_pair"] = snapshot.encoding->text_pair;
  file.texts["tokens"] = in_json(tokens_of(snapshot, *snapshot.encoding));
  if (snapshot.decoder_encoding) {
    file.texts["decoder_text"] = snapshot.decoder_encoding->text;
    file.texts["decoder_tokens"] = in_json(tokens_of(snapshot, *snapshot.decoder_encoding));
  }
  if (!record.empty()) file.texts[kRecordName] = std::string(record);
  if (request.kind->numbers.derived) {
    const DerivedMap map = request.kind->numbers.derived(snapshot, request);
    file.texts["derived"] = map.what;
    file.add(name_of_maps(request), {map.values.rows(), map.values.cols()}, floats_of(map.values));
  } else if (request.kind->numbers.list) {
    add_list(file, request.kind->numbers.list(snapshot, request));
  } else if (request.kind->numbers.named) {
    add_named(file, request.kind->numbers.named(snapshot, request));
  } else if (request.kind->numbers.columns) {
    add_columns(file, request.kind->numbers.columns(snapshot, request));
  } else if (request.kind->numbers.tables) {
    add_tables(file, snapshot, request);
  } else {
    add_maps(file, snapshot, request, path);
  }
  return file;
}

/// With the sum of all but the record in it, where its seal is still open.
Arrays with_sum(Arrays file) {
  const auto record = file.texts.find(kRecordName);
  const std::size_t seal = record == file.texts.end() ? std::string::npos : record->second.find(kUnsealed);
  if (seal == std::string::npos) return file;
  record->second.replace(seal, kUnsealed.size(), arrays_sum(file.tensors(), file.texts));
  return file;
}

}  // namespace

std::string arrays_sum(std::vector<TensorToWrite> arrays, const std::map<std::string, std::string>& texts) {
  std::sort(arrays.begin(), arrays.end(), [](const TensorToWrite& a, const TensorToWrite& b) { return a.name < b.name; });
  Digest sum = Digest::sha256();
  const auto add = [&](std::string_view text) { sum.add(std::as_bytes(std::span(text))); };
  for (const TensorToWrite& array : arrays) {
    std::string line = in_json(Json(array.name));
    for (const std::int64_t size : array.shape) line += fmt::format(" {}", size);
    add(line + "\n");
    sum.add(bytes_of(array));
  }
  for (const auto& [name, text] : texts) {
    if (name != kRecordName) add(in_json(Json(name)) + in_json(Json(text)) + "\n");
  }
  return sum.hex();
}

void write_figure_npz(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path, std::string_view record) {
  const Arrays file = with_sum(arrays_of(snapshot, request, path, record));
  write_npz(path, file.tensors(), file.texts);
}

void write_figure_safetensors(const Snapshot& snapshot, const FigureRequest& request, const std::filesystem::path& path,
                              std::string_view record) {
  const Arrays file = with_sum(arrays_of(snapshot, request, path, record));
  write_safetensors(path, file.tensors(), file.texts);
}

}  // namespace headlight

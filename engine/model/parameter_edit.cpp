#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "engine/core/error.h"
#include "engine/model/model.h"

namespace headlight {
namespace {

/// One kind of tensor of a layer, as a matrix; vectors are one row.
struct EditableTensor {
  std::string_view name;
  Linear LayerParameters::*linear = nullptr;
  bool is_bias = false;
  Norm LayerParameters::*norm = nullptr;
  RowVector LayerParameters::*vector = nullptr;
};

using L = LayerParameters;
constexpr std::array<EditableTensor, 19> kTensors = {{
    {"norm_1.gain", nullptr, false, &L::norm_1, nullptr},
    {"norm_1.bias", nullptr, true, &L::norm_1, nullptr},
    {"q.weight", &L::q},
    {"q.bias", &L::q, true},
    {"k.weight", &L::k},
    {"k.bias", &L::k, true},
    {"v.weight", &L::v},
    {"v.bias", &L::v, true},
    {"o.weight", &L::o},
    {"o.bias", &L::o, true},
    {"norm_2.gain", nullptr, false, &L::norm_2, nullptr},
    {"norm_2.bias", nullptr, true, &L::norm_2, nullptr},
    {"ff_in.weight", &L::ff_in},
    {"ff_in.bias", &L::ff_in, true},
    {"ff_out.weight", &L::ff_out},
    {"ff_out.bias", &L::ff_out, true},
    {"ff_gate.weight", &L::ff_gate},
    {"additive", nullptr, false, nullptr, &L::additive},
    {"distance_query", nullptr, false, nullptr, &L::distance_query},
}};

using Cells = Eigen::Map<Matrix>;
using ConstCells = Eigen::Map<const Matrix>;

template <typename Storage>
auto as_cells(Storage& storage) {
  using View = std::conditional_t<std::is_const_v<Storage>, ConstCells, Cells>;
  return View(storage.data(), storage.rows(), storage.cols());
}

/// Layer: LayerParameters, const or not; the cells are as const as the layer.
template <typename Layer>
auto cells_of(Layer& layer, const EditableTensor& tensor) {
  if (tensor.vector) return as_cells(layer.*tensor.vector);
  if (tensor.norm) return as_cells(tensor.is_bias ? (layer.*tensor.norm).bias : (layer.*tensor.norm).gain);
  if (tensor.is_bias) return as_cells((layer.*tensor.linear).bias);
  return as_cells((layer.*tensor.linear).weight);
}

[[noreturn]] void refuse_name(const std::string& name, std::size_t layers) {
  throw Error({.kind = ErrorKind::usage,
               .field = "parameter",
               .problem = "the model has no tensor of this name",
               .found = fmt::format("\"{}\"", printable(name, 60)),
               .expected = fmt::format("layer.N.q.weight and the like, N from 0 to {}", layers - 1)});
}

/// The tensor that "layer.N.name" names, as const as the parameters.
template <typename AnyParameters>
auto find_cells(AnyParameters& parameters, const std::string& name) {
  for (std::size_t layer = 0; layer < parameters.layers.size(); ++layer) {
    const std::string prefix = fmt::format("layer.{}.", layer);
    if (!name.starts_with(prefix)) continue;
    for (const EditableTensor& tensor : kTensors) {
      if (tensor.name != std::string_view(name).substr(prefix.size())) continue;
      const auto cells = cells_of(parameters.layers[layer], tensor);
      if (cells.size() > 0) return cells;
    }
  }
  refuse_name(name, parameters.layers.size());
}

}  // namespace

std::vector<ParameterShape> parameter_shapes(const Model& model, int layer) {
  const LayerParameters& parameters = model.parameters.layers.at(static_cast<std::size_t>(layer));
  std::vector<ParameterShape> shapes;
  for (const EditableTensor& tensor : kTensors) {
    const ConstCells cells = cells_of(parameters, tensor);
    if (cells.size() > 0) shapes.push_back({fmt::format("layer.{}.{}", layer, tensor.name), cells.rows(), cells.cols()});
  }
  return shapes;
}

MatrixView parameter_values(const Model& model, const std::string& name) {
  return find_cells(model.parameters, name);
}

void apply_edit(Parameters& parameters, const ParameterEdit& edit) {
  Cells cells = find_cells(parameters, edit.tensor);
  const bool is_inside = edit.row >= 0 && edit.column >= 0 && edit.rows >= 1 && edit.columns >= 1 && edit.rows <= cells.rows() - edit.row &&
                         edit.columns <= cells.cols() - edit.column;
  if (!is_inside) {
    throw Error({.kind = ErrorKind::usage,
                 .field = edit.tensor,
                 .problem = "the edit lies outside the tensor",
                 .found = fmt::format("{} × {} numbers from row {}, column {}", edit.rows, edit.columns, edit.row, edit.column),
                 .expected = fmt::format("within [{}, {}]", cells.rows(), cells.cols())});
  }
  if (std::ssize(edit.values) != Index{edit.rows} * edit.columns) {
    throw Error({.kind = ErrorKind::usage,
                 .field = edit.tensor,
                 .problem = "the edit has not one number for each of its cells",
                 .found = fmt::format("{} numbers", edit.values.size()),
                 .expected = fmt::format("{} × {}", edit.rows, edit.columns)});
  }
  if (!std::all_of(edit.values.begin(), edit.values.end(), [](float value) { return std::isfinite(value); })) {
    throw Error({.kind = ErrorKind::usage, .field = edit.tensor, .problem = "a parameter must be a finite number"});
  }
  cells.block(edit.row, edit.column, edit.rows, edit.columns) = Eigen::Map<const Matrix>(edit.values.data(), edit.rows, edit.columns);
}

}  // namespace headlight

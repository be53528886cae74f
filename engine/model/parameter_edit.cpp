#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

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

/// The tensor as a matrix of float32.
Matrix cells_of(const LayerParameters& layer, const EditableTensor& tensor) {
  if (tensor.vector) return layer.*tensor.vector;
  if (tensor.norm) return tensor.is_bias ? (layer.*tensor.norm).bias : (layer.*tensor.norm).gain;
  if (tensor.is_bias) return (layer.*tensor.linear).bias;
  return (layer.*tensor.linear).weight.to_matrix();
}

void put_cells(LayerParameters& layer, const EditableTensor& tensor, Matrix&& cells) {
  if (tensor.vector) {
    layer.*tensor.vector = cells.row(0);
  } else if (tensor.norm) {
    (tensor.is_bias ? (layer.*tensor.norm).bias : (layer.*tensor.norm).gain) = cells.row(0);
  } else if (tensor.is_bias) {
    (layer.*tensor.linear).bias = cells.row(0);
  } else {
    (layer.*tensor.linear).weight = std::move(cells);
  }
}

ParameterShape shape_of(const LayerParameters& layer, const EditableTensor& tensor) {
  const bool is_weight = !tensor.vector && !tensor.norm && !tensor.is_bias;
  if (is_weight) return {{}, (layer.*tensor.linear).weight.rows(), (layer.*tensor.linear).weight.cols()};
  const Matrix cells = cells_of(layer, tensor);
  return {{}, cells.size() > 0 ? 1 : 0, cells.size()};
}

[[noreturn]] void refuse_name(const std::string& name, std::size_t layers) {
  throw Error({.kind = ErrorKind::usage,
               .field = "parameter",
               .problem = "the model has no tensor of this name",
               .found = fmt::format("\"{}\"", printable(name, 60)),
               .expected = fmt::format("layer.N.q.weight and the like, N from 0 to {}", layers - 1)});
}

struct NamedTensor {
  std::size_t layer = 0;
  const EditableTensor* tensor = nullptr;
};

/// The tensor that "layer.N.name" names, where the model has it.
NamedTensor find_tensor(const Parameters& parameters, const std::string& name) {
  for (std::size_t layer = 0; layer < parameters.layers.size(); ++layer) {
    const std::string prefix = fmt::format("layer.{}.", layer);
    if (!name.starts_with(prefix)) continue;
    for (const EditableTensor& tensor : kTensors) {
      if (tensor.name != std::string_view(name).substr(prefix.size())) continue;
      if (shape_of(parameters.layers[layer], tensor).rows > 0) return {layer, &tensor};
    }
  }
  refuse_name(name, parameters.layers.size());
}

}  // namespace

std::vector<ParameterShape> parameter_shapes(const Model& model, int layer) {
  const LayerParameters& parameters = model.parameters.layer(layer);
  std::vector<ParameterShape> shapes;
  for (const EditableTensor& tensor : kTensors) {
    ParameterShape shape = shape_of(parameters, tensor);
    shape.name = fmt::format("layer.{}.{}", layer, tensor.name);
    if (shape.rows > 0) shapes.push_back(std::move(shape));
  }
  return shapes;
}

Matrix parameter_values(const Model& model, const std::string& name) {
  const NamedTensor named = find_tensor(model.parameters, name);
  return cells_of(model.parameters.layers[named.layer], *named.tensor);
}

bool has_attention_biases(const Parameters& parameters) {
  return std::any_of(parameters.layers.begin(), parameters.layers.end(), [](const LayerParameters& layer) {
    return layer.q.bias.size() > 0 || layer.k.bias.size() > 0 || layer.v.bias.size() > 0 || layer.o.bias.size() > 0;
  });
}

void apply_edit(Parameters& parameters, const ParameterEdit& edit) {
  const NamedTensor named = find_tensor(parameters, edit.tensor);
  LayerParameters& layer = parameters.layers[named.layer];
  Matrix cells = cells_of(layer, *named.tensor);
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
                 .problem = "the edit does not have one number for each of its cells",
                 .found = fmt::format("{} numbers", edit.values.size()),
                 .expected = fmt::format("{} × {}", edit.rows, edit.columns)});
  }
  if (!std::all_of(edit.values.begin(), edit.values.end(), [](float value) { return std::isfinite(value); })) {
    throw Error({.kind = ErrorKind::usage, .field = edit.tensor, .problem = "a parameter must be a finite number"});
  }
  cells.block(edit.row, edit.column, edit.rows, edit.columns) = Eigen::Map<const Matrix>(edit.values.data(), edit.rows, edit.columns);
  put_cells(layer, *named.tensor, std::move(cells));
}

}  // namespace headlight

#include "engine/model/files/load_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/model/files/checked_model.h"
#include "engine/model/files/hub_cache.h"
#include "engine/model/files/model_places.h"
#include "engine/model/sandbox.h"

namespace headlight {
namespace {

/// Values whose square is too large for a float: scores made from them overflow.
constexpr float kHuge = 1e19F;

struct OddValues {
  std::size_t nan = 0, infinite = 0, huge = 0;
};

void count_odd_values(std::span<const float> values, OddValues& odd) {
  const bool is_plain = std::all_of(values.begin(), values.end(), [](float value) { return std::abs(value) <= kHuge; });
  if (is_plain) return;
  for (const float value : values) {
    odd.nan += std::isnan(value);
    odd.infinite += std::isinf(value);
    odd.huge += std::isfinite(value) && std::abs(value) > kHuge;
  }
}

void note_odd_values(const StoredTensor& stored, const StoredMatrix& tensor, std::vector<std::string>& notices, const Watch& watch) {
  OddValues odd;
  Matrix row(1, tensor.cols());
  for (Index at = 0; at < tensor.rows(); ++at) {
    watch.check();
    tensor.convert(at, 0, row);
    count_odd_values({row.data(), static_cast<std::size_t>(row.size())}, odd);
  }
  std::string counts;
  if (odd.nan > 0) counts += fmt::format(" {} NaN", odd.nan);
  if (odd.infinite > 0) counts += fmt::format(" {} Inf", odd.infinite);
  if (odd.huge > 0) counts += fmt::format(" {} values beyond ±1e19, whose products overflow", odd.huge);
  if (!counts.empty()) notices.push_back(fmt::format("{}: {} holds{}.", stored.reader->name(), printable(stored.info->name), counts));
}

/// Rotary pairs of every head from neighbours (2n, 2n + 1) to halves (n, d_head / 2 + n).
std::vector<Index> rows_of_halves(Index rows, Index d_head) {
  std::vector<Index> order;
  for (Index head = 0; head < rows; head += d_head) {
    for (Index row = 0; row < d_head; ++row) order.push_back(head + (row < d_head / 2 ? 2 * row : 2 * row + 1 - d_head));
  }
  return order;
}

/// A matrix by its rows, a bias (one row) by its numbers.
StoredMatrix with_halves(const StoredMatrix& matrix, bool is_vector, Index d_head) {
  if (!is_vector) return matrix.gather_rows(rows_of_halves(matrix.rows(), d_head));
  const RowVector numbers = matrix.to_matrix().row(0);
  return Matrix(numbers(rows_of_halves(numbers.size(), d_head)));
}

/// In the type of the file; vectors are one row.
StoredMatrix read_tensor(const StoredTensor& stored, Index d_head, const Watch& watch) {
  const TensorInfo& info = *stored.info;
  auto bytes = std::make_shared_for_overwrite<std::byte[]>(info.end - info.begin);
  const std::uint64_t size = info.end - info.begin;
  stored.reader->read(info.begin, {bytes.get(), size}, watch);
  const bool is_vector = info.shape.size() == 1;
  const StoredMatrix matrix(info.dtype, is_vector ? 1 : info.shape.front(), info.shape.back(), std::move(bytes));
  return stored.has_permuted_rows ? with_halves(matrix, is_vector, d_head) : matrix;
}

/// Reads the planned tensors one by one.
void read_tensors(const CheckedModel& folder, std::vector<std::string>& notices, Progress& progress,
                  const std::function<void(const PlannedTensor&, const StoredMatrix&)>& use) {
  const auto bytes_of = [](const PlannedTensor& planned) { return planned.stored.info->end - planned.stored.info->begin; };
  std::uint64_t done = 0, all = 0;
  for (const PlannedTensor& planned : folder.plan) all += bytes_of(planned);
  for (const PlannedTensor& planned : folder.plan) {
    progress.step(static_cast<double>(done) / static_cast<double>(std::max<std::uint64_t>(all, 1)), "reading weights");
    done += bytes_of(planned);
    const StoredMatrix tensor = read_tensor(planned.stored, folder.config.sizes.heads.d_head, progress);
    note_odd_values(planned.stored, tensor, notices, progress);
    use(planned, tensor);
  }
}

/// Before anything is read. Weights keep the type of their file.
void check_memory(const CheckedModel& folder, const std::string& file) {
  double bytes = 0;
  for (const PlannedTensor& planned : folder.plan) bytes += static_cast<double>(planned.stored.info->end - planned.stored.info->begin);
  require_memory(bytes, allowed_memory(),
                 {.file = file,
                  .problem = "the weights need more memory than allowed",
                  .hint = "Close other programs, or choose a smaller model or one with fewer bits per weight (GGUF)."});
}

/// A folder in Hugging Face layout, or a GGUF file.
CheckedModel check_files(const std::filesystem::path& path) {
  return is_gguf(path) ? check_gguf(path) : check_model_folder(path);
}

std::shared_ptr<const Model> load_files(const std::filesystem::path& path, const std::string& note, Progress& progress) {
  CheckedModel folder = check_files(path);
  auto model = std::make_shared<Model>();
  model->source = printable(path.string(), 4096);
  const std::filesystem::path last = path.has_filename() ? path.filename() : path.parent_path().filename();
  const std::string id = id_of_snapshot(path);
  model->name = id.empty() ? printable(last.string()) : id;
  model->config = folder.config.sizes;
  model->tokenizer = folder.tokenizer;
  model->notices = folder.notices;
  if (!note.empty()) model->notices.insert(model->notices.begin(), note);
  model->parameters.layers.resize(static_cast<std::size_t>(model->config.layers));
  check_memory(folder, model->source);
  read_tensors(folder, model->notices, progress, [&](const PlannedTensor& planned, const StoredMatrix& tensor) {
    model->stored_parameters += tensor.size();
    for (const Spot& spot : planned.spots) planned.row->store(model->parameters, spot, tensor, folder.config);
  });
  set_norms(model->parameters, model->config.norm);
  return model;
}

/// Of a built-in model that was trained anew since somebody meant it.
std::string note_on_training(const ModelChoice& choice) {
  const int there = version_of_built_in(choice.name);
  if (there == 0 || choice.version == 0 || there == choice.version) return {};
  return fmt::format("Version {} of {} was meant, and this is version {}: it was trained anew, and its heads do other things.",
                     choice.version, choice.name, there);
}

}  // namespace

std::shared_ptr<const Model> load_model(const ModelChoice& choice, Progress& progress) {
  if (choice.name == "sandbox") return make_sandbox(choice.sandbox, progress);
  const std::filesystem::path path = model_path(choice.name);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored) || is_gguf(path)) {
    const bool is_by_id = path != choice.name && !id_of_snapshot(path).empty();
    const std::string note = is_by_id ? note_on_version(hub_cache_folder(), choice.name) : note_on_training(choice);
    return load_files(path, note, progress);
  }
  throw Error({.kind = ErrorKind::input,
               .file = choice.name,
               .problem = "this file is not a model",
               .expected = "a folder with config.json, model.safetensors and tokenizer files, or a GGUF file",
               .hint = "Give the folder that holds it."});
}

ModelFacts inspect_model(const std::filesystem::path& path) {
  const CheckedModel checked = check_files(path);
  ModelFacts facts{.config = checked.config.sizes,
                   .bytes = checked.weights.bytes(),
                   .dtype = checked.plan.front().stored.info->dtype_name,
                   .tokenizer = checked.tokenizer->description(),
                   .warnings = checked.notices};
  SilentProgress progress;
  read_tensors(checked, facts.warnings, progress, [&](const PlannedTensor& planned, const StoredMatrix& tensor) {
    facts.parameters += tensor.size();
    if (planned.stored.info->dtype_name != facts.dtype) facts.dtype = "mixed";
  });
  return facts;
}

}  // namespace headlight

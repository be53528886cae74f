#include "engine/model/files/load_model.h"

#include <fmt/core.h>

#include <functional>
#include <numeric>

#include "engine/core/error.h"
#include "engine/core/memory_limit.h"
#include "engine/model/files/checked_model.h"
#include "engine/model/files/hub_cache.h"
#include "engine/model/files/model_places.h"
#include "engine/model/files/tensor_reading.h"
#include "engine/model/sandbox.h"

namespace headlight {
namespace {

std::int64_t numbers_of(const TensorInfo& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>());
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

std::shared_ptr<const Model> load_files(const std::filesystem::path& path, const std::string& note, ThreadPool& pool, Progress& progress,
                                        const ReadLayers& on_layer) {
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
  for (const PlannedTensor& planned : folder.plan) model->stored_parameters += numbers_of(*planned.stored.info);
  set_norms(model->parameters, model->config.norm);
  TensorReading reading(folder, pool, progress, [&](const PlannedTensor& planned, const StoredMatrix& tensor) {
    for (const Spot& spot : planned.spots) planned.row->store(model->parameters, spot, tensor, folder.config);
  });
  reading.read_before_layers();
  for (int layer = 0; layer < model->config.layers; ++layer) {
    reading.read_layer(static_cast<std::size_t>(layer));
    if (on_layer) on_layer(model, layer + 1);
  }
  reading.read_after_layers();
  const std::vector<std::string> odd = reading.notices();
  model->notices.insert(model->notices.end(), odd.begin(), odd.end());
  set_norms(model->parameters, model->config.norm);  // an embedding of the decoder's own came with its tensors
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
  ThreadPool pool;
  return load_model(choice, pool, progress);
}

std::shared_ptr<const Model> load_model(const ModelChoice& choice, ThreadPool& pool, Progress& progress, const ReadLayers& on_layer) {
  if (choice.name == "sandbox") return make_sandbox(choice.sandbox, pool, progress);
  const std::filesystem::path path = model_path(choice.name);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored) || is_gguf(path)) {
    const bool is_by_id = path != choice.name && !id_of_snapshot(path).empty();
    const std::string note = is_by_id ? note_on_version(hub_cache_folder(), choice.name) : note_on_training(choice);
    return load_files(path, note, pool, progress, on_layer);
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
  for (const PlannedTensor& planned : checked.plan) {
    facts.parameters += numbers_of(*planned.stored.info);
    if (planned.stored.info->dtype_name != facts.dtype) facts.dtype = "mixed";
  }
  SilentProgress progress;
  ThreadPool pool;
  TensorReading reading(checked, pool, progress, [](const PlannedTensor&, const StoredMatrix&) {});
  reading.read_all();
  const std::vector<std::string> odd = reading.notices();
  facts.warnings.insert(facts.warnings.end(), odd.begin(), odd.end());
  return facts;
}

}  // namespace headlight

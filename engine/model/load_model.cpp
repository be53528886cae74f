#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/model/families.h"
#include "engine/model/sandbox.h"
#include "engine/model/weight_files.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLargestConfig = 16'000'000;
constexpr std::size_t kNamesShown = 6;

/// Values whose square is no float any more: scores made from them overflow.
constexpr float kHuge = 1e19F;

struct PlannedTensor {
  StoredTensor stored;
  const TensorRow* row = nullptr;
  std::size_t layer = 0;
};

/// A folder whose files agree with each other, before any tensor is read.
struct CheckedFolder {
  FileConfig config;
  WeightFiles weights;
  std::vector<PlannedTensor> plan;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::vector<std::string> notices;
};

/// "a, b, c and 4 more"
std::string name_list(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t at = 0; at < std::min(names.size(), kNamesShown); ++at) list += (at == 0 ? "" : ", ") + printable(names[at]);
  if (names.size() > kNamesShown) list += fmt::format(" and {} more", names.size() - kNamesShown);
  return list;
}

std::string tensor_name(const TensorRow& row, std::size_t layer) {
  std::string name(row.name);
  const std::size_t hole = name.find("{}");
  if (hole != std::string::npos) name.replace(hole, 2, std::to_string(layer));
  return name;
}

const StoredTensor* find_tensor(const WeightFiles& weights, const FamilyRow& family, const std::string& name) {
  const auto find = [&](const std::string& full) {
    const auto stored = weights.tensors().find(full);
    return stored == weights.tensors().end() ? nullptr : &stored->second;
  };
  if (const StoredTensor* stored = find(name)) return stored;
  for (const std::string_view prefix : family.prefixes) {
    if (const StoredTensor* stored = find(std::string(prefix) + name)) return stored;
  }
  return nullptr;
}

void check_tensor(const StoredTensor& stored, const TensorRow& row, const ModelConfig& sizes, const std::string& config_file) {
  std::vector<std::int64_t> shape;
  std::string keys;
  for (const Extent& extent : row.shape) {
    if (extent.size == nullptr) continue;
    shape.push_back(std::int64_t{sizes.*extent.size} * extent.factor);
    const std::string key = fmt::format("{} {}", extent.key, sizes.*extent.size);
    if (keys.find(key) == std::string::npos) keys += (keys.empty() ? "" : ", ") + key;
  }
  if (stored.info->shape != shape) {
    throw Error({.kind = ErrorKind::input,
                 .file = stored.file->name(),
                 .field = stored.info->name,
                 .offset = stored.info->begin,
                 .problem = "the shape does not fit the configuration",
                 .found = "shape " + shape_text(stored.info->shape),
                 .expected = fmt::format("{} by {} ({})", shape_text(shape), config_file, keys),
                 .hint = "The weights and config.json may belong to different models."});
  }
  if (dtype_row(stored.info->dtype).is_convertible) return;
  throw Error({.kind = ErrorKind::input,
               .file = stored.file->name(),
               .field = stored.info->name,
               .problem = "this element type cannot be used for weights",
               .found = stored.info->dtype_name,
               .expected = "F64, F32, F16 or BF16"});
}

std::vector<PlannedTensor> plan_tensors(const WeightFiles& weights, const FamilyRow& family, const FileConfig& config,
                                        const std::string& config_file) {
  std::vector<PlannedTensor> plan;
  std::vector<std::string> missing;
  const auto add = [&](const TensorRow& row, std::size_t layer) {
    const std::string name = tensor_name(row, layer);
    const StoredTensor* stored = find_tensor(weights, family, name);
    if (!stored) return missing.push_back(name);
    check_tensor(*stored, row, config.sizes, config_file);
    plan.push_back({*stored, &row, layer});
  };
  for (const TensorRow& row : family.tensors) {
    const bool is_needed = row.need == TensorRow::Need::always || (config.sizes.has_logits && !config.is_tied);
    const bool is_per_layer = row.name.find("{}") != std::string_view::npos;
    const std::size_t copies = !is_needed ? 0 : is_per_layer ? static_cast<std::size_t>(config.sizes.layers) : 1;
    for (std::size_t layer = 0; layer < copies; ++layer) add(row, layer);
  }
  if (missing.empty()) return plan;
  std::sort(missing.begin(), missing.end());
  throw Error({.kind = ErrorKind::input,
               .file = weights.name(),
               .field = missing.front(),
               .problem = fmt::format("{} tensors are missing: {}", missing.size(), name_list(missing)),
               .found = fmt::format("{} tensors", weights.tensors().size()),
               .expected = fmt::format("those of {} with {} layers, as {} says", config.sizes.family, config.sizes.layers, config_file)});
}

/// Tensors that no row asks for: nothing is wrong, but a person should know.
void note_unused(const WeightFiles& weights, const FamilyRow& family, const FileConfig& config, const std::vector<PlannedTensor>& plan,
                 const std::string& config_file, std::vector<std::string>& notices) {
  std::set<const TensorInfo*> used;
  for (const PlannedTensor& planned : plan) used.insert(planned.stored.info);

  const auto is_ignored = [&](std::string_view name) {
    for (const std::string_view prefix : family.prefixes) {
      if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    }
    return std::any_of(family.ignored.begin(), family.ignored.end(),
                       [&](std::string_view pattern) { return matches_pattern(pattern, name); });
  };
  std::vector<std::string> unused;
  for (const auto& [name, stored] : weights.tensors()) {
    if (!used.contains(stored.info) && !is_ignored(name)) unused.push_back(name);
  }
  if (unused.empty()) return;
  notices.push_back(fmt::format("{}: {} tensors are not used ({} with {} layers by {}): {}.", weights.name(), unused.size(),
                                config.sizes.family, config.sizes.layers, config_file, name_list(unused)));
}

CheckedFolder check_folder(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "config.json";
  const std::string file = printable(path.string(), 4096);
  std::vector<std::string> notices;
  const Json json = parse_json(read_file(path, kLargestConfig), file, {}, &notices);
  const JsonFields fields(json, file);
  const FamilyRow& family = find_family(fields);
  FileConfig config = family.read_config(fields);
  check_config(config.sizes);

  WeightFiles weights(folder);
  std::vector<PlannedTensor> plan = plan_tensors(weights, family, config, file);
  notices.insert(notices.end(), config.notices.begin(), config.notices.end());
  notices.insert(notices.end(), weights.notices().begin(), weights.notices().end());
  note_unused(weights, family, config, plan, file, notices);
  std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
  notices.insert(notices.end(), tokenizer->warnings().begin(), tokenizer->warnings().end());
  return {std::move(config), std::move(weights), std::move(plan), std::move(tokenizer), std::move(notices)};
}

void note_odd_values(const StoredTensor& stored, const FloatTensor& tensor, std::vector<std::string>& notices) {
  std::size_t nan = 0, infinite = 0, huge = 0;
  for (const float value : tensor.values) {
    nan += std::isnan(value);
    infinite += std::isinf(value);
    huge += std::isfinite(value) && std::abs(value) > kHuge;
  }
  if (nan + infinite + huge == 0) return;
  std::string counts;
  if (nan > 0) counts += fmt::format(" {} NaN", nan);
  if (infinite > 0) counts += fmt::format(" {} Inf", infinite);
  if (huge > 0) counts += fmt::format(" {} values beyond ±1e19, whose products overflow", huge);
  notices.push_back(fmt::format("{}: {} holds{}.", stored.file->name(), printable(stored.info->name), counts));
}

/// Reads every planned tensor in turn, so that at most one is held twice.
void read_tensors(const CheckedFolder& folder, std::vector<std::string>& notices, Progress& progress,
                  const std::function<void(const PlannedTensor&, FloatTensor&&)>& use) {
  std::size_t done = 0;
  for (const PlannedTensor& planned : folder.plan) {
    progress.step(static_cast<double>(done++) / static_cast<double>(folder.plan.size()), "reading weights");
    FloatTensor tensor = planned.stored.file->read_floats(*planned.stored.info);
    note_odd_values(planned.stored, tensor, notices);
    use(planned, std::move(tensor));
  }
}

Matrix to_matrix(const FloatTensor& tensor) {
  const bool is_vector = tensor.shape.size() == 1;
  const Index rows = is_vector ? 1 : tensor.shape.front();
  return Eigen::Map<const Matrix>(tensor.values.data(), rows, tensor.shape.back());
}

std::shared_ptr<const Model> load_folder(const std::filesystem::path& path, Progress& progress) {
  CheckedFolder folder = check_folder(path);
  auto model = std::make_shared<Model>();
  model->source = printable(path.string(), 4096);
  const std::filesystem::path last = path.has_filename() ? path.filename() : path.parent_path().filename();
  model->name = printable(last.string());
  model->config = folder.config.sizes;
  model->tokenizer = folder.tokenizer;
  model->notices = folder.notices;
  model->parameters.layers.resize(static_cast<std::size_t>(model->config.layers));
  read_tensors(folder, model->notices, progress, [&](const PlannedTensor& planned, FloatTensor&& tensor) {
    planned.row->store(model->parameters, planned.layer, to_matrix(tensor));
  });
  return model;
}

}  // namespace

std::shared_ptr<const Model> load_model(const ModelChoice& choice, Progress& progress) {
  if (choice.name == "sandbox") return make_sandbox(choice.sandbox, progress);
  std::error_code ignored;
  const std::filesystem::path path(choice.name);
  if (std::filesystem::is_directory(path, ignored)) return load_folder(path, progress);
  const bool is_file = std::filesystem::exists(path, ignored);
  throw Error({.kind = ErrorKind::input,
               .file = choice.name,
               .problem = is_file ? "this is a file, not a model folder" : "no such model",
               .expected = "\"sandbox\", or a folder with config.json, model.safetensors and tokenizer files",
               .hint = is_file ? "Give the folder that holds it." : ""});
}

ModelFacts inspect_model(const std::filesystem::path& folder) {
  const CheckedFolder checked = check_folder(folder);
  ModelFacts facts{.config = checked.config.sizes,
                   .bytes = checked.weights.bytes(),
                   .dtype = checked.plan.front().stored.info->dtype_name,
                   .tokenizer = checked.tokenizer->description(),
                   .warnings = checked.notices};
  SilentProgress progress;
  read_tensors(checked, facts.warnings, progress, [&](const PlannedTensor& planned, FloatTensor&& tensor) {
    facts.parameters += std::ssize(tensor.values);
    if (planned.stored.info->dtype_name != facts.dtype) facts.dtype = "mixed";
  });
  return facts;
}

}  // namespace headlight

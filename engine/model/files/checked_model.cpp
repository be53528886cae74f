#include "engine/model/files/checked_model.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "engine/core/error.h"
#include "engine/formats/file_names.h"
#include "engine/model/families/config_fields.h"
#include "engine/model/files/foreign_weights.h"
#include "engine/model/files/load_model.h"
#include "engine/model/files/token_ids.h"
#include "engine/text/files/gguf_tokenizer.h"
#include "engine/text/files/load_tokenizer.h"

namespace headlight {
namespace {

constexpr std::uint64_t kLargestConfig = 16'000'000;

void fill_hole(std::string& name, std::string_view hole, int number) {
  const std::size_t at = name.find(hole);
  if (at != std::string::npos) name.replace(at, hole.size(), std::to_string(number));
}

bool has_hole(const TensorRow& row, std::string_view hole) {
  return row.name.find(hole) != std::string_view::npos;
}

struct NamedSpot {
  std::string name;
  Spot spot;
};

/// Every copy of a row, by layers and heads, in order.
std::vector<NamedSpot> copies_of(const TensorRow& row, const FileConfig& config) {
  const ModelConfig& sizes = config.sizes;
  const int heads = has_hole(row, "{head}") ? sizes.heads.count : has_hole(row, "{kv_head}") ? sizes.heads.kv_count : 1;
  std::vector<NamedSpot> copies;
  const auto add = [&](int layer, int number) {
    for (int head = 0; head < heads; ++head) {
      std::string name(row.name);
      fill_hole(name, "{}", number);
      fill_hole(name, "{head}", head);
      fill_hole(name, "{kv_head}", head);
      copies.push_back({std::move(name), {static_cast<std::size_t>(layer), head}});
    }
  };
  if (!has_hole(row, "{}")) {
    add(0, 0);
    return copies;
  }
  for (int layer = 0; layer < sizes.layers; ++layer) {
    const LayerPlace place = sizes.place(layer);
    if (place.stack == row.stack) add(layer, config.groups == 0 ? place.number : layer * config.groups / sizes.layers);
  }
  return copies;
}

/// Names from before 2019 end in gamma and beta.
std::string old_name(std::string name) {
  for (const auto& [now, before] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, std::pair{"LayerNorm.bias", "LayerNorm.beta"}}) {
    if (name.ends_with(now)) return name.substr(0, name.size() - std::string_view(now).size()) + before;
  }
  return {};
}

const StoredTensor* find_tensor(const WeightFiles& weights, const FamilyRow& family, const std::string& name) {
  const auto find = [&](const std::string& bare) {
    const auto stored = weights.tensors().find(weights.wrapper() + bare);
    return stored == weights.tensors().end() ? nullptr : &stored->second;
  };
  for (const std::string& spelling : {name, old_name(name)}) {
    if (spelling.empty()) continue;
    if (const StoredTensor* stored = find(spelling)) return stored;
    for (const std::string_view prefix : family.prefixes) {
      if (const StoredTensor* stored = find(std::string(prefix) + spelling)) return stored;
    }
  }
  return nullptr;
}

bool is_float_type(DType type) {
  return type == DType::f64 || type == DType::f32 || type == DType::f16 || type == DType::bf16 || dtype_row(type).block > 1;
}

void check_tensor(const StoredTensor& stored, const TensorRow& row, const FileConfig& config, const std::string& config_file) {
  std::vector<std::int64_t> shape;
  std::string keys;
  for (const Axis axis : row.shape) {
    if (axis == Axis::none) continue;
    shape.push_back(length_of(config, axis));
    const std::string key = origin_of(config, axis);
    if (keys.find(key) == std::string::npos) keys += (keys.empty() ? "" : ", ") + key;
  }
  if (stored.is_transposed) std::reverse(shape.begin(), shape.end());
  if (stored.info->shape != shape) {
    throw Error({.kind = ErrorKind::input,
                 .file = stored.reader->name(),
                 .field = stored.info->name,
                 .offset = stored.info->begin,
                 .problem = "the shape does not fit the configuration",
                 .found = "shape " + shape_text(stored.info->shape),
                 .expected = fmt::format("{} by {} ({})", shape_text(shape), config_file, keys),
                 .hint = "The weights and config.json may belong to different models."});
  }
  if (is_float_type(stored.info->dtype)) return;
  throw Error({.kind = ErrorKind::input,
               .file = stored.reader->name(),
               .field = stored.info->name,
               .problem = "this element type cannot be used for weights",
               .found = stored.info->dtype_name,
               .expected = "F64, F32, F16 or BF16, in GGUF files also Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K to Q6_K, IQ4_NL or IQ4_XS"});
}

/// "GPT-2 with 2 layers"
std::string named(const ModelConfig& sizes) {
  if (sizes.is_encoder_decoder())
    return fmt::format("{} with {} + {} layers", sizes.family, sizes.stacks.encoder_layers, sizes.decoder_layers());
  return fmt::format("{} with {} layer{}", sizes.family, sizes.layers, sizes.layers == 1 ? "" : "s");
}

/// Says what a file is that has tensors of only one stack; empty where it has both.
std::string half_hint(const WeightFiles& weights, const ModelConfig& sizes) {
  if (!sizes.is_encoder_decoder()) return {};
  const auto lacks = [&](std::string_view stack) {
    return std::none_of(weights.tensors().begin(), weights.tensors().end(), [&](const auto& tensor) {
      return tensor.first.find(stack) != std::string::npos && !tensor.first.ends_with("embed_tokens.weight");
    });
  };
  const std::string_view half = lacks("decoder.") ? "an encoder" : lacks("encoder.") ? "a decoder" : "";
  if (half.empty()) return {};
  return fmt::format("The file holds {} alone; {} opens only as a whole, encoder and decoder in one file", half, sizes.family);
}

[[noreturn]] void refuse_missing(const WeightFiles& weights, const ModelConfig& sizes, const std::vector<std::string>& missing,
                                 std::size_t wanted, const std::string& config_file) {
  const bool is_one = missing.size() == 1;
  throw Error({.kind = ErrorKind::input,
               .file = weights.name(),
               .field = is_one ? missing.front() : "",
               .problem = fmt::format("{} missing, of the {} that {} has by {}",
                                      is_one ? "this tensor is" : fmt::format("{} tensors are", missing.size()), wanted, named(sizes),
                                      std::filesystem::path(config_file).filename().string()),
               .found = fmt::format("{} tensors", weights.tensors().size()),
               .expected = is_one ? "" : "also " + name_list(missing),
               .hint = half_hint(weights, sizes)});
}

/// Tensors that are copies of another one in the file: nothing is lost by leaving them out.
using Copies = std::set<const TensorInfo*>;

/// The tensor that a row may be a copy of; where the file lacks that one too, what that is a copy of.
const StoredTensor* find_original(const WeightFiles& weights, const FamilyRow& family, const TensorRow& row) {
  std::string_view name = row.copy_of;
  while (!name.empty()) {
    if (const StoredTensor* stored = find_tensor(weights, family, std::string(name))) return stored;
    const auto next = std::find_if(family.tensors.begin(), family.tensors.end(),
                                   [&](const TensorRow& other) { return other.name == name && other.copy_of != name; });
    name = next == family.tensors.end() ? std::string_view() : next->copy_of;
  }
  return nullptr;
}

Copies find_copies(const WeightFiles& weights, const FamilyRow& family, const FileConfig& config) {
  Copies copies;
  for (const TensorRow& row : family.tensors) {
    if (row.copy_of.empty() || (row.part == Part::own_logits && !config.is_tied)) continue;
    const StoredTensor* stored = find_tensor(weights, family, std::string(row.name));
    const StoredTensor* original = stored ? find_original(weights, family, row) : nullptr;
    if (original && original != stored && have_same_numbers(*stored, *original)) copies.insert(stored->info);
  }
  return copies;
}

bool is_optional(Part part) {
  return part == Part::if_stored || part == Part::logits_if_stored || part == Part::own_tables_if_stored;
}

std::vector<PlannedTensor> plan_tensors(const WeightFiles& weights, const FamilyRow& family, const FileConfig& config, const Copies& copies,
                                        const std::string& config_file) {
  std::vector<PlannedTensor> plan;
  std::vector<std::string> missing;
  for (const TensorRow& row : family.tensors) {
    if (!config.has(row.part)) continue;
    const std::size_t first = plan.size();
    for (const NamedSpot& copy : copies_of(row, config)) {
      const StoredTensor* stored = find_tensor(weights, family, copy.name);
      if (!stored) {
        if (!is_optional(row.part)) missing.push_back(copy.name);
        continue;
      }
      if (copies.contains(stored->info)) continue;
      const auto shared = std::find_if(plan.begin() + static_cast<std::ptrdiff_t>(first), plan.end(),
                                       [&](const PlannedTensor& planned) { return planned.stored.info == stored->info; });
      if (shared != plan.end()) {
        shared->spots.push_back(copy.spot);
        continue;
      }
      check_tensor(*stored, row, config, config_file);
      plan.push_back({*stored, &row, {copy.spot}});
    }
  }
  if (missing.empty()) return plan;
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());  // layers that share a tensor lack it together
  refuse_missing(weights, config.sizes, missing, plan.size() + missing.size(), config_file);
}

/// Tensors that no row asks for: nothing is wrong, but a person should know.
void note_unused(const WeightFiles& weights, const FamilyRow& family, const FileConfig& config, const std::vector<PlannedTensor>& plan,
                 const Copies& copies, const std::string& config_file, std::vector<std::string>& notices) {
  std::set<const TensorInfo*> used = copies;
  for (const PlannedTensor& planned : plan) used.insert(planned.stored.info);

  const auto is_ignored = [&](std::string_view name) {
    name.remove_prefix(weights.wrapper().size());
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
  notices.push_back(fmt::format("{}: {} not used ({} by {}): {}.", weights.name(),
                                unused.size() == 1 ? "1 tensor is" : fmt::format("{} tensors are", unused.size()), named(config.sizes),
                                std::filesystem::path(config_file).filename().string(), name_list(unused)));
}

/// Where config.json and the file disagree about the table that logits are made with, the file's own wins, as in transformers 5.
void note_ties(const FileConfig& config, const StoredTensor* head, const WeightFiles& weights, const std::string& config_file,
               std::vector<std::string>& notices) {
  if (config.is_tied && head) {
    notices.push_back(
        fmt::format("{}: tie_word_embeddings is true, but {} holds {}, which differs from the token table: logits are made "
                    "with the file's own.",
                    config_file, head->reader->name(), printable(head->info->name)));
  }
  if (!config.is_tied && !head) {
    notices.push_back(fmt::format("{}: tie_word_embeddings is false, but {} holds no output head: logits are made with the token table.",
                                  config_file, weights.name()));
  }
}

/// Models saved without ties have each of the tensors that others share. Where one is missing, the tensor that it would copy takes its
/// place.
void note_stand_ins(const FileConfig& config, const FamilyRow& family, const WeightFiles& weights, const std::string& config_file,
                    std::vector<std::string>& notices) {
  if (config.is_tied || config.may_lack_head) return;
  std::vector<std::string> missing;
  for (const TensorRow& row : family.tensors) {
    const bool may_be_missing = !row.copy_of.empty() && is_optional(row.part) && config.has(row.part);
    if (may_be_missing && !find_tensor(weights, family, std::string(row.name))) missing.emplace_back(row.name);
  }
  if (missing.empty()) return;
  notices.push_back(
      fmt::format("{}: tie_word_embeddings is false, but {} lacks {}: the tied weights are used in its place, where "
                  "transformers would draw new random numbers.",
                  config_file, weights.name(), name_list(missing)));
}

/// Whether there are logits, and by which table. There are none without the tensor that only a language-model head has, nor without a
/// separate table where config.json does not name a class with a head.
void settle_prediction(FileConfig& config, const FamilyRow& family, const WeightFiles& weights, const Copies& copies,
                       const JsonFields& fields) {
  bool& has_logits = config.sizes.has_logits;
  const auto table =
      std::find_if(family.tensors.begin(), family.tensors.end(), [](const TensorRow& row) { return row.part == Part::own_logits; });
  const StoredTensor* head = find_tensor(weights, family, std::string(table->name));
  if (head && copies.contains(head->info)) head = nullptr;
  if (!family.head.empty()) has_logits = find_tensor(weights, family, std::string(family.head)) != nullptr;
  if (family.head.empty() && !fields.has("architectures") && !config.is_tied) has_logits = head != nullptr;
  const bool has_own = head || !(config.is_tied || config.may_lack_head);
  config.set(Part::logits, has_logits);
  config.set(Part::logits_if_stored, has_logits);
  config.set(Part::own_logits, has_logits && has_own);
  if (has_logits && (head || config.may_lack_head)) note_ties(config, head, weights, fields.file(), config.notices);
  if (!has_logits) config.sizes.logits.activation.reset();
}

FileConfig read_checked_config(const FamilyRow& family, const JsonFields& fields) {
  FileConfig config = read_family_config(family, fields);
  check_config(config.sizes);
  return config;
}

/// Refuses weights that config.json says are packed in 8 or fewer bits, by a method that has tensors of its own.
void check_quantization(const JsonFields& fields) {
  for (const char* key : {"quantization_config", "compression_config"}) {
    if (!fields.has(key)) continue;
    const JsonFields settings = fields.object(key);
    std::string method = settings.text_or("quant_method", "");
    const bool has_switches = settings.has("load_in_8bit") || settings.has("load_in_4bit");
    if (method.empty() && has_switches) method = "bitsandbytes";
    const bool is_off = has_switches && !settings.boolean_or("load_in_8bit", false) && !settings.boolean_or("load_in_4bit", false);
    if (is_off) continue;
    throw Error({.kind = ErrorKind::input,
                 .file = fields.file(),
                 .field = settings.path_of("quant_method"),
                 .problem = "quantized weights in a Hugging Face folder are not supported",
                 .found = in_quotes(method),
                 .expected = "weights as F64, F32, F16 or BF16",
                 .hint = "Take the model's version without quantization, or one as a GGUF file"});
  }
}

/// What the files of a model have to agree on, wherever they are.
CheckedModel check_model(const JsonFields& fields, const FamilyRow& family, FileConfig config, WeightFiles&& weights,
                         std::shared_ptr<const Tokenizer> tokenizer, std::vector<std::string> notices) {
  const Copies copies = find_copies(weights, family, config);
  settle_prediction(config, family, weights, copies, fields);
  std::vector<PlannedTensor> plan = plan_tensors(weights, family, config, copies, fields.file());
  note_stand_ins(config, family, weights, fields.file(), config.notices);
  notices.insert(notices.end(), config.notices.begin(), config.notices.end());
  notices.insert(notices.end(), weights.notices().begin(), weights.notices().end());
  note_unused(weights, family, config, plan, copies, fields.file(), notices);
  notices.insert(notices.end(), tokenizer->warnings().begin(), tokenizer->warnings().end());
  note_short_vocabulary(*tokenizer, config.sizes.vocabulary, fields.file(), notices);
  check_token_ids(*tokenizer, config.sizes.vocabulary, fields.file(), notices);
  return {std::move(config), std::move(weights), std::move(plan), std::move(tokenizer), std::move(notices)};
}

/// config.json and the name that messages give it.
struct ConfigFile {
  std::string name;
  JsonTree json;
  std::vector<std::string> notices;
};

ConfigFile read_config_file(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "config.json";
  ConfigFile file{printable(path.string(), 4096), JsonTree(), {}};
  std::error_code unknown;
  if (std::filesystem::is_directory(folder, unknown) && !std::filesystem::exists(path, unknown)) {
    const std::optional<ForeignFile> foreign = find_foreign_weights(file_names_in(folder));
    throw Error(
        {.kind = ErrorKind::input,
         .file = file.name,
         .problem = "this file is missing, so the folder is not a model",
         .found = foreign ? fmt::format("{}, {}", printable(foreign->name), foreign->form->what) : "",
         .expected = "config.json, model.safetensors and the files of a tokenizer",
         .hint = foreign ? std::string(foreign->form->way) : "Choose the folder that holds them; in a download that is often a subfolder"});
  }
  file.json = parse_json(read_file(path, kLargestConfig), file.name, {}, &file.notices);
  return file;
}

}  // namespace

ModelConfig read_model_config(const std::filesystem::path& folder) {
  const ConfigFile file = read_config_file(folder);
  const JsonFields fields(*file.json, file.name);
  return read_checked_config(find_family(fields), fields).sizes;
}

CheckedModel check_model_folder(const std::filesystem::path& folder) {
  ConfigFile file = read_config_file(folder);
  const JsonFields fields(*file.json, file.name);
  const FamilyRow& family = find_family(fields);
  check_quantization(fields);
  FileConfig config = read_checked_config(family, fields);  // before any larger file is opened
  note_fields(fields, family.model_type, file.notices);
  if (fields.has("text_config")) note_fields(fields.object("text_config"), "gemma3_text", file.notices);
  return check_model(fields, family, std::move(config), WeightFiles(folder), load_tokenizer(folder), std::move(file.notices));
}

CheckedModel check_gguf(const std::filesystem::path& path) {
  auto file = std::make_shared<const GgufFile>(path);
  GgufModel model = read_gguf_model(*file);
  const JsonFields fields(model.config, file->name());
  const FamilyRow& family = find_family(fields);
  FileConfig config = read_checked_config(family, fields);
  config.conv1d = Weights::Layout::out_in;
  std::shared_ptr<const Tokenizer> tokenizer = load_gguf_tokenizer(*file);
  return check_model(fields, family, std::move(config), WeightFiles(file, std::move(model.tensors)), std::move(tokenizer),
                     std::move(model.notices));
}

}  // namespace headlight
